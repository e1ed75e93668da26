/** Matches one model with one memory, and cuts the model by what matched. Knows nothing of other models. */

import type { MatchableModel } from "../../src/processor/ports/matcher";
import { type Block, matchedCount, matchingBlocks, similarity } from "./sequence-matcher";

/** A model that has at least one symbol in common with memory. */
export interface Candidate {
  model: MatchableModel;
  blocks: Block[];
  /** How many symbols matched, 1 or more. */
  matched: number;
  similarity: number;
  presentStart: number;
  presentEnd: number;
  /** The symbols of the whole events from the first match to the last. */
  present: number[];
  matches: number[];
  missing: number[];
  extras: number[];
}

/** Cuts `model` by what matches `memory`; `undefined` when nothing does. */
export function cut(model: MatchableModel, memory: Uint32Array): Candidate | undefined {
  const blocks = matchingBlocks(model.symbols, memory);
  const first = blocks[0];
  const last = blocks.at(-1);
  if (!first || !last) {
    return undefined;
  }
  const matched = matchedCount(blocks);
  const matches = blocks.flatMap((block) => [...model.symbols.slice(block.model, block.model + block.length)]);
  const events = eventsOf(model);
  const presentStart = events.findIndex((event) => event.end > first.model);
  const presentEnd = events.findIndex((event) => event.end >= last.model + last.length) + 1;
  const present = events.slice(presentStart, presentEnd).flatMap((event) => event.symbols);
  return {
    model,
    blocks,
    matched,
    similarity: similarity(matched, model.symbols.length, memory.length),
    presentStart,
    presentEnd,
    present,
    matches,
    missing: present.filter((symbol) => !matches.includes(symbol)),
    extras: leftOver(model.symbols.slice(first.model, last.model + last.length), memory),
  };
}

function eventsOf(model: MatchableModel): { symbols: number[]; end: number }[] {
  let start = 0;
  return [...model.lengths].map((length) => {
    const symbols = [...model.symbols.slice(start, start + length)];
    start += length;
    return { symbols, end: start };
  });
}

/** The symbols of memory, in its order, that are in no block when `span` is matched against it. */
function leftOver(span: Uint32Array, memory: Uint32Array): number[] {
  const blocks = matchingBlocks(span, memory);
  return [...memory].filter((_, at) => !blocks.some((block) => block.memory <= at && at < block.memory + block.length));
}
