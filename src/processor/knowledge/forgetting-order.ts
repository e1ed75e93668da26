/**
 * The models in the order of forgetting: least frequent first, oldest first among equals. A binary heap with two
 * doubles for each model, kept only while the number of models is limited. Entries may be stale;
 * {@link ForgettingOrder.take} notices, since it reads the row anyway.
 */

import type { ModelBatch } from "../ports/matcher";
import type { ModelRow, Reader } from "../ports/store";

const ENTRY_NUMBERS = 2;
const FIRST_CAPACITY = 256;

/**
 * The heap is dropped once it exceeds twice its initial entries plus these, because too many entries may be stale by
 * then.
 */
const MAX_STALE = 4_096;

/** A heap of models, made from the store when it is needed. */
export class ForgettingOrder {
  #store: Reader;
  /** The frequency and id of each entry; `undefined` while the order is not needed. */
  #entries: Float64Array | undefined;
  #size = 0;
  #most = 0;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** Its heap bytes. */
  get heapBytes(): number {
    return this.#entries?.byteLength ?? 0;
  }

  /**
   * Drops the order; the next {@link take} rebuilds it. Call it when models were replaced, or the
   * order is no longer needed.
   */
  drop(): void {
    this.#entries = undefined;
    this.#size = 0;
  }

  /** Switches to another store with the same models. */
  goOnWith(store: Reader): void {
    this.#store = store;
  }

  /** Builds the order from these models. */
  fill(batches: Iterable<ModelBatch>): void {
    this.#size = 0;
    this.#entries = new Float64Array(ENTRY_NUMBERS * FIRST_CAPACITY);
    for (const { ids, frequencies } of batches) {
      for (const [at, id] of ids.entries()) this.#push(frequencies[at] ?? 0, id);
    }
    this.#most = ENTRY_NUMBERS * this.#size + MAX_STALE;
  }

  /**
   * Call it when a model is new or has become less frequent. {@link take} itself notices models that have become more
   * frequent.
   */
  noted(id: number, frequency: number): void {
    if (this.#entries === undefined) return;
    if (this.#size < this.#most) this.#push(frequency, id);
    else this.drop();
  }

  /**
   * Removes the first model from the order. The caller forgets the model, or puts it back by {@link noted}.
   * `undefined` when there is none.
   */
  take(): ModelRow | undefined {
    if (this.#entries === undefined) this.fill(this.#store.knowledge.corpusBatches());
    while (this.#size > 0) {
      const [frequency = 0, id = 0] = this.#entries ?? [];
      const row = this.#store.knowledge.modelById(id);
      this.#removeFirst();
      if (row?.frequency === frequency) return row;
      if (row !== undefined) this.#push(row.frequency, id);
    }
    return undefined;
  }

  #push(frequency: number, id: number): void {
    let at = this.#size++;
    this.#entries = withRoom(this.#entries, this.#size);
    const entries = this.#entries;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!precedes(frequency, id, entries, parent)) break;
      move(entries, parent, at);
      at = parent;
    }
    put(entries, at, frequency, id);
  }

  #removeFirst(): void {
    const last = --this.#size;
    const entries = withRoom(this.#entries, last);
    const [frequency = 0, id = 0] = entries.subarray(ENTRY_NUMBERS * last);
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && entryPrecedes(entries, child + 1, child)) child++;
      if (precedes(frequency, id, entries, child)) break;
      move(entries, child, at);
      at = child;
    }
    put(entries, at, frequency, id);
  }
}

/** The array, or one of twice its length if it has no room for `size` entries. */
function withRoom(entries: Float64Array | undefined, size: number): Float64Array {
  const numbers = ENTRY_NUMBERS * size;
  if (entries !== undefined && numbers <= entries.length) return entries;
  const larger = new Float64Array(ENTRY_NUMBERS * numbers);
  larger.set(entries ?? []);
  return larger;
}

/** Whether a model is forgotten before the model of an entry. */
function precedes(frequency: number, id: number, entries: Float64Array, at: number): boolean {
  const other = entries[ENTRY_NUMBERS * at] ?? 0;
  return frequency < other || (frequency === other && id < (entries[ENTRY_NUMBERS * at + 1] ?? 0));
}

function entryPrecedes(entries: Float64Array, at: number, other: number): boolean {
  return precedes(entries[ENTRY_NUMBERS * at] ?? 0, entries[ENTRY_NUMBERS * at + 1] ?? 0, entries, other);
}

function put(entries: Float64Array, at: number, frequency: number, id: number): void {
  entries[ENTRY_NUMBERS * at] = frequency;
  entries[ENTRY_NUMBERS * at + 1] = id;
}

function move(entries: Float64Array, from: number, to: number): void {
  put(entries, to, entries[ENTRY_NUMBERS * from] ?? 0, entries[ENTRY_NUMBERS * from + 1] ?? 0);
}
