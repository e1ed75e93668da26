/** Writes the models of a workload as a knowledge base for load_kb. */

import { createHash } from "node:crypto";
import { modelName } from "../../src/processor/knowledge/names";
import type { MatchableModel } from "../../src/processor/ports/matcher";
import type { Generator } from "./workload";

/** Records in one piece of text, some hundred kilobytes. */
const PIECE_RECORDS = 1000;

/** A knowledge base as JSON text. In pieces, because a million models may be longer than a string can be. */
export interface KnowledgeText {
  pieces: string[];
  /** The length and SHA-256 of the value of `models_kb`, which get_kb must return to the byte. */
  models: { bytes: number; digest: string };
}

/** The symbol of a number. */
export function symbolName(symbol: number): string {
  return `s${symbol}`;
}

/** The events of a model as lists of symbols. */
export function eventsOf({ symbols, lengths }: MatchableModel): string[][] {
  let from = 0;
  return Array.from(lengths, (length) => {
    from += length;
    return Array.from(symbols.subarray(from - length, from), symbolName);
  });
}

/** A knowledge base of the next different models of a workload, sorted as get_kb sorts them. */
export function knowledgeText(generator: Pick<Generator, "model">, models: number): KnowledgeText {
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

/** The same as one text, for a short one. */
export function knowledgeBase(generator: Generator, models: number): string {
  return knowledgeText(generator, models).pieces.join("");
}

/** Each model as the text of a member of `models_kb`, sorted by name. */
function memberTexts(generator: Pick<Generator, "model">, models: number): string[] {
  const members = new Map<string, string>();
  for (let id = 1; members.size < models; id++) {
    const sequence = eventsOf(generator.model(id));
    const name = modelName(sequence);
    const metadata = sequence.map(() => ({}));
    const length = sequence.flat().length;
    const record = JSON.stringify({ emotives: {}, frequency: 1, length, metadata, name, sequence });
    members.set(name, `${JSON.stringify(name)}:${record}`);
  }
  // All names have the same length, so the texts sort as the names do.
  return [...members.values()].sort();
}

/** The members as the text of an object, in pieces. */
function* modelsText(members: readonly string[]): Iterable<string> {
  yield "{";
  for (let at = 0; at < members.length; at += PIECE_RECORDS) {
    yield `${at === 0 ? "" : ","}${members.slice(at, at + PIECE_RECORDS).join(",")}`;
  }
  yield "}";
}
