/** Converts models between records and a batch of columns. */

import type { MatchableModel, ModelBatch } from "../../processor/ports/matcher";

/** The batch of some models. @param models sorted by id */
export function batchOf(models: readonly MatchableModel[]): ModelBatch {
  return {
    ids: Float64Array.from(models, ({ id }) => id),
    frequencies: Float64Array.from(models, ({ frequency }) => frequency),
    eventCounts: Uint32Array.from(models, ({ lengths }) => lengths.length),
    lengths: joined(models.map(({ lengths }) => lengths)),
    symbols: joined(models.map(({ symbols }) => symbols)),
  };
}

/** The models of a batch. */
export function modelsOf({ ids, frequencies, eventCounts, lengths, symbols }: ModelBatch): MatchableModel[] {
  const [allLengths, allSymbols] = [Uint32Array.from(lengths), Uint32Array.from(symbols)];
  let event = 0;
  let symbol = 0;
  return Array.from(ids, (id, at) => {
    const own = allLengths.subarray(event, event + (eventCounts[at] ?? 0));
    event += own.length;
    const from = symbol;
    for (const length of own) symbol += length;
    return { id, frequency: frequencies[at] ?? 0, symbols: allSymbols.subarray(from, symbol), lengths: own };
  });
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
