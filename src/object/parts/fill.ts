/** Cuts everything that a part must hold into messages. */

import type { ModelBatch } from "../../processor/ports/matcher";
import { partOf } from "../../processor/ports/parts";
import type { PartFill, PartMark } from "./messages";

/**
 * A message is sent once its models take this many bytes, so it may exceed this by one batch. A call carries at most 32
 * MiB.
 */
const PIECE_BYTES = 2 * 1024 * 1024;

/** The part that is filled, and the number of parts. */
export interface Share {
  readonly part: number;
  readonly count: number;
}

/** The log that the part follows afterwards, and its place there. */
export interface FillEnd {
  readonly epoch: string;
  readonly end: { readonly at: number; readonly mark: PartMark };
}

/**
 * The messages that fill a part. The corpus is read while they are sent, so it must not change meanwhile.
 *
 * @param corpus all models, ids ascending
 * @param rows all known symbols
 */
export function* fillOf(
  corpus: Iterable<ModelBatch>,
  rows: Iterable<{ readonly id: number; readonly frequency: number }>,
  share: Share,
  { epoch, end }: FillEnd,
): Generator<PartFill> {
  const symbols = [...rows];
  const ids = Uint32Array.from(symbols, ({ id }) => id);
  const frequencies = Float64Array.from(symbols, ({ frequency }) => frequency);
  // Symbols come first, as when a processor fills its own kernel: a column that grows once the models are in would
  // waste its old place.
  yield {
    kind: "fill",
    epoch,
    piece: 0,
    symbols: { ids, frequencies: new Float64Array(ids.length) },
    models: [],
    end: undefined,
  };
  let piece = 1;
  let models: ModelBatch[] = [];
  let bytes = 0;
  for (const batch of corpus) {
    const own = shareOf(batch, share);
    if (own.ids.length === 0) continue;
    models.push(own);
    bytes += bytesOf(own);
    if (bytes < PIECE_BYTES) continue;
    yield { kind: "fill", epoch, piece, symbols: undefined, models, end: undefined };
    piece++;
    models = [];
    bytes = 0;
  }
  yield { kind: "fill", epoch, piece, symbols: { ids, frequencies }, models, end };
}

/** The models of a batch that belong to a part. */
export function shareOf(batch: ModelBatch, { part, count }: Share): ModelBatch {
  const models: number[] = [];
  const lengths: number[] = [];
  const symbols: number[] = [];
  let event = 0;
  let symbol = 0;
  for (const [at, id] of batch.ids.entries()) {
    const ownLengths = batch.lengths.subarray(event, event + (batch.eventCounts[at] ?? 0));
    let size = 0;
    for (const length of ownLengths) size += length;
    if (partOf(id, count) === part) {
      models.push(at);
      for (const length of ownLengths) lengths.push(length);
      for (const each of batch.symbols.subarray(symbol, symbol + size)) symbols.push(each);
    }
    event += ownLengths.length;
    symbol += size;
  }
  return {
    ids: Float64Array.from(models, (at) => batch.ids[at] ?? 0),
    frequencies: Float64Array.from(models, (at) => batch.frequencies[at] ?? 0),
    eventCounts: Uint32Array.from(models, (at) => batch.eventCounts[at] ?? 0),
    lengths: Uint32Array.from(lengths),
    symbols: Uint32Array.from(symbols),
  };
}

/** Bytes of a model's id, frequency and number of events. */
const MODEL_BYTES = 20;
/** Bytes of a length or a symbol. */
const NUMBER_BYTES = 4;

function bytesOf({ ids, lengths, symbols }: ModelBatch): number {
  return MODEL_BYTES * ids.length + NUMBER_BYTES * (lengths.length + symbols.length);
}
