/** A cache of models with the times of their events, for forecasts of time. */

import type { ModelRow, Reader } from "../ports/store";

/** Maximum bytes of the cache; beyond it the oldest entries are evicted. */
const MAX_BYTES = 4_194_304;

/**
 * Approximate heap bytes of a cached model besides its symbols and times; also those of an entry for a model without
 * times.
 */
const MODEL_HEAP_BYTES = 320;
const NUMBER_BYTES = 8;

/** A model that keeps when its events happened. */
export interface TimedModel {
  readonly frequency: number;
  /** How many events it has. */
  readonly events: number;
  /** The symbols of all events, one after the other. */
  readonly symbols: Uint32Array;
  /** Where the symbols of each event begin, and where the last event's end. */
  readonly starts: Uint32Array;
  /** As in model-times.ts. */
  readonly times: Float64Array;
  /** Cached by forecasts of time: the pause before each of these times, in the form that they compare. */
  pauses?: Float64Array;
}

function timedOf({ frequency, symbols, lengths, times }: ModelRow): TimedModel | undefined {
  if (times === undefined) return undefined;
  const starts = new Uint32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++) starts[at + 1] = (starts[at] ?? 0) + (lengths[at] ?? 0);
  return { frequency, events: lengths.length, symbols: Uint32Array.from(symbols), starts, times };
}

function bytesOf(model: TimedModel | undefined): number {
  if (model === undefined) return MODEL_HEAP_BYTES;
  // Counts the pauses even before they are computed.
  return MODEL_HEAP_BYTES + NUMBER_BYTES * (model.symbols.length + model.starts.length + 2 * model.times.length);
}

/** The cache, by model id. Call {@link forget} whenever a model changes. */
export class TimedModels {
  readonly #reader: Reader;
  readonly #cached = new Map<number, TimedModel | undefined>();
  #bytes = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Approximate heap bytes of the cache. */
  get heapBytes(): number {
    return this.#bytes;
  }

  /** Those of the existing models with these ids that keep times, in the order of `ids`. */
  of(ids: readonly number[]): TimedModel[] {
    const missing = ids.filter((id) => !this.#cached.has(id));
    const read = new Map(
      missing.length === 0 ? [] : this.#reader.knowledge.modelsById(missing).map((row) => [row.id, timedOf(row)]),
    );
    const models = ids.flatMap((id) => (this.#cached.has(id) ? this.#cached.get(id) : read.get(id)) ?? []);
    for (const [id, model] of read) this.#keep(id, model);
    return models;
  }

  /** Drops one model. */
  forget(id: number): void {
    if (!this.#cached.has(id)) return;
    this.#bytes -= bytesOf(this.#cached.get(id));
    this.#cached.delete(id);
  }

  /** Drops all models. */
  clear(): void {
    this.#cached.clear();
    this.#bytes = 0;
  }

  #keep(id: number, model: TimedModel | undefined): void {
    this.#cached.set(id, model);
    this.#bytes += bytesOf(model);
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.forget(oldest);
    }
  }
}
