/** Cuts a batch of models into parts for the kernel, so that its input block stays small. */

import type { ModelBatch, Unsigned } from "../processor/ports/matcher";

/** A part of a batch. */
export interface BatchPart extends ModelBatch {
  /** Number of symbols of each model. */
  symbolCounts: Unsigned;
}

/** A part ends with the model that reaches this number of models or symbols. */
const PART_MODELS = 1024;
const PART_SYMBOLS = 32_768;

/** The parts of a batch, in order. They are views of its columns. */
export function* partsOf(batch: ModelBatch): Generator<BatchPart> {
  const symbolCounts = countSymbols(batch);
  let model = 0;
  let event = 0;
  let symbol = 0;
  while (model < batch.ids.length) {
    const start = { model, event, symbol };
    while (model < batch.ids.length && model - start.model < PART_MODELS && symbol - start.symbol < PART_SYMBOLS) {
      event += batch.eventCounts[model] ?? 0;
      symbol += symbolCounts[model] ?? 0;
      model++;
    }
    yield {
      ids: batch.ids.subarray(start.model, model),
      frequencies: batch.frequencies.subarray(start.model, model),
      symbolCounts: symbolCounts.subarray(start.model, model),
      eventCounts: batch.eventCounts.subarray(start.model, model),
      lengths: batch.lengths.subarray(start.event, event),
      symbols: batch.symbols.subarray(start.symbol, symbol),
    };
  }
}

/** A part without its first `done` models. */
export function restOf(part: BatchPart, done: number): BatchPart {
  return {
    ids: part.ids.subarray(done),
    frequencies: part.frequencies.subarray(done),
    symbolCounts: part.symbolCounts.subarray(done),
    eventCounts: part.eventCounts.subarray(done),
    lengths: part.lengths.subarray(sumOf(part.eventCounts, done)),
    symbols: part.symbols.subarray(sumOf(part.symbolCounts, done)),
  };
}

/** The sum of the first `end` numbers. */
function sumOf(counts: Unsigned, end: number): number {
  let sum = 0;
  for (let at = 0; at < end; at++) {
    sum += counts[at] ?? 0;
  }
  return sum;
}

function countSymbols({ eventCounts, lengths }: ModelBatch): Uint32Array {
  let event = 0;
  return Uint32Array.from(eventCounts, (count) => {
    let symbols = 0;
    for (const end = event + count; event < end; event++) {
      symbols += lengths[event] ?? 0;
    }
    return symbols;
  });
}
