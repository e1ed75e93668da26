/** Knowledge bases of the workloads as load_kb takes them. */

import { createHash } from "node:crypto";
import { modelName } from "../../src/processor/knowledge/names";
import type { MatchableModel } from "../../src/processor/ports/matcher";
import type { Generator } from "./workload";

/** Records in a piece of text: some hundred kilobytes. */
const PIECE_RECORDS = 1000;

/** A knowledge base as JSON text, in pieces, because a million models may be longer than a string can be. */
export interface KnowledgeText {
  pieces: string[];
  /** What stands under `models_kb`, which is what get_kb must give back to the byte: its length and its SHA-256. */
  models: { bytes: number; digest: string };
}

/** The symbol behind a number of a workload. */
export function symbolName(symbol: number): string {
  return `s${symbol}`;
}

/** The events of a model as symbols. */
export function eventsOf({ symbols, lengths }: MatchableModel): string[][] {
  let from = 0;
  return Array.from(lengths, (length) => {
    from += length;
    return Array.from(symbols.subarray(from - length, from), symbolName);
  });
}

/** A knowledge base of the next models of a workload, each once, sorted as get_kb sorts them. */
export function knowledgeText(generator: Generator, models: number): KnowledgeText {
  const pieces: string[] = [];
  const hash = createHash("sha256");
  let bytes = 0;
  for (const piece of modelsText(memberTexts(generator, models))) {
    pieces.push(piece);
    hash.update(piece);
    bytes += Buffer.byteLength(piece);
  }
  pieces.unshift('{"models_kb":');
  pieces.push(',"symbols_kb":{},"vectors_kb":{},"metadata":{}}');
  return { pieces, models: { bytes, digest: hash.digest("hex") } };
}

/** The same as one text, where it is short. */
export function knowledgeBase(generator: Generator, models: number): string {
  return knowledgeText(generator, models).pieces.join("");
}

/** Each model as a member of `models_kb`, by name. */
function memberTexts(generator: Generator, models: number): string[] {
  const members = new Map<string, string>();
  for (let id = 1; members.size < models; id++) {
    const sequence = eventsOf(generator.model(id));
    const name = modelName(sequence);
    const metadata = sequence.map(() => ({}));
    const length = sequence.flat().length;
    const record = JSON.stringify({ emotives: {}, frequency: 1, length, metadata, name, sequence });
    members.set(name, `${JSON.stringify(name)}:${record}`);
  }
  // All names are equally long, so the texts sort as their names do.
  return [...members.values()].sort();
}

/** The members as an object, in pieces. */
function* modelsText(members: readonly string[]): Iterable<string> {
  yield "{";
  for (let at = 0; at < members.length; at += PIECE_RECORDS) {
    yield `${at === 0 ? "" : ","}${members.slice(at, at + PIECE_RECORDS).join(",")}`;
  }
  yield "}";
}
