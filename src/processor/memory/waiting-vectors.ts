/**
 * The vectors that one memory has observed but not learned yet. Keeps those added since the last record; the mind
 * records them.
 */

import type { VectorRow } from "../ports/store";
import { vectorBytes } from "./held-bytes";

/** Approximate heap bytes of a waiting vector without its components, and of each component. */
const VECTOR_HEAP_BYTES = 300;
const COMPONENT_HEAP_BYTES = 8;

/** The ids of waiting vectors. */
interface WaitingRange {
  waitingStart: number;
  waitingEnd: number;
}

/** Waiting vectors, oldest first. */
export class WaitingVectors {
  #start: number;
  #end: number;
  readonly #byName = new Map<string, VectorRow>();
  #dimensionality = -1;
  #heapBytes = 0;
  #bytes = 0;
  #added: VectorRow[] = [];
  readonly #changing: () => void;

  /**
   * @param waiting as stored, oldest first
   * @param changing called before every change
   */
  constructor({ waitingStart, waitingEnd }: WaitingRange, waiting: readonly VectorRow[], changing: () => void) {
    this.#start = waitingStart;
    this.#end = waitingEnd;
    this.#changing = changing;
    for (const vector of waiting) this.#hold(vector);
  }

  /** The ids of waiting vectors, as the state stores them. */
  get range(): WaitingRange {
    return { waitingStart: this.#start, waitingEnd: this.#end };
  }

  /** Number of waiting vectors. */
  get count(): number {
    return this.#byName.size;
  }

  /** Components of the newest vector; -1 when there is none. */
  get dimensionality(): number {
    return this.#dimensionality;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  /** Bytes counted towards the memory's budget. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there are waiting vectors that could not be read. */
  get isUnread(): boolean {
    return this.#start < this.#end && this.#byName.size === 0;
  }

  /** Whether a vector is waiting. */
  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Adds a waiting vector, unless it is already waiting. */
  add(name: string, components: Float64Array): void {
    if (this.#byName.has(name)) return;
    this.#changing();
    const vector = { id: this.#end, name, components };
    this.#end++;
    this.#hold(vector);
    this.#added.push(vector);
  }

  /** Drops all waiting vectors, including unreadable ones. @returns the readable ones, oldest first */
  drop(): VectorRow[] {
    if (this.#start === this.#end) return [];
    this.#changing();
    const dropped = [...this.#byName.values()];
    this.#start = this.#end;
    this.#byName.clear();
    this.#dimensionality = -1;
    this.#heapBytes = 0;
    this.#bytes = 0;
    return dropped;
  }

  /**
   * Drops the oldest vectors until at least `bytes` are dropped.
   * @param spared the name of a vector to keep: instead of being dropped, it becomes the newest
   */
  dropOldest(bytes: number, spared: string | undefined): void {
    let left = bytes;
    const oldest = [...this.#byName.values()];
    for (let at = 0; left > 0 && at < oldest.length; at++) {
      const vector = oldest[at] as VectorRow;
      this.#changing();
      this.#start = vector.id + 1;
      this.#byName.delete(vector.name);
      this.#heapBytes -= heapBytesOf(vector);
      this.#bytes -= vectorBytes(vector.components);
      if (vector.name === spared) this.add(vector.name, vector.components);
      else left -= vectorBytes(vector.components);
    }
  }

  /** The vectors added since the last call that are still waiting. */
  takeAdded(): VectorRow[] {
    const added = this.#added;
    if (added.length === 0) return added;
    this.#added = [];
    return added.filter(({ id }) => id >= this.#start);
  }

  #hold(vector: VectorRow): void {
    const { length } = vector.components;
    this.#byName.set(vector.name, vector);
    this.#dimensionality = length;
    this.#heapBytes += heapBytesOf(vector);
    this.#bytes += vectorBytes(vector.components);
  }
}

function heapBytesOf({ components }: VectorRow): number {
  return VECTOR_HEAP_BYTES + COMPONENT_HEAP_BYTES * components.length;
}
