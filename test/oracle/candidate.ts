/** Matches one model with one query, and cuts the model by what matched. Knows nothing of other models. */

import type { MatchableModel } from "../../src/processor/ports/matcher";
import { type Block, matchedCount, matchingBlocks, similarity } from "./sequence-matcher";

/** A model that has at least one symbol in common with the query. */
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

/** Cuts `model` by what matches `query`; `undefined` when nothing does. */
export function cut(model: MatchableModel, query: Uint32Array): Candidate | undefined {
  const blocks = matchingBlocks(model.symbols, query);
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
    similarity: similarity(matched, model.symbols.length, query.length),
    presentStart,
    presentEnd,
    present,
    matches,
    missing: present.filter((symbol) => !matches.includes(symbol)),
    extras: leftOver(model.symbols.slice(first.model, last.model + last.length), query),
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

/** The symbols of the query, in its order, that are in no block when `span` is matched against it. */
function leftOver(span: Uint32Array, query: Uint32Array): number[] {
  const blocks = matchingBlocks(span, query);
  return [...query].filter((_, at) => !blocks.some((block) => block.query <= at && at < block.query + block.length));
}
