/**
 * Names by due time, at most one time for each: a binary heap. When a name is put again, its earlier entry stays in the
 * heap, and is skipped when it comes up.
 */

/** Approximate heap bytes of a name besides its characters. */
const ENTRY_BYTES = 160;

interface Entry {
  readonly name: string;
  readonly at: number;
}

/** Names by the times at which they are due. */
export class Schedule {
  /** No entry is due before the one at half its index. Index 0 is unused. */
  readonly #heap: Entry[] = [];
  /** The current time of each name. It is never before that of its entry in the heap. */
  readonly #times = new Map<string, number>();
  /** The names with an entry in the heap, and the entry's time. */
  readonly #placed = new Map<string, number>();

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return ENTRY_BYTES * this.#heap.length;
  }

  /** Number of names with a due time. */
  get size(): number {
    return this.#times.size;
  }

  /** Sets when a name is due, replacing an earlier time. @param at `undefined` for never */
  put(name: string, at: number | undefined): void {
    if (at === undefined) {
      this.#times.delete(name);
      return;
    }
    this.#times.set(name, at);
    const placed = this.#placed.get(name);
    if (placed === undefined || at < placed) this.#place({ name, at });
  }

  /** When the first name is due; `undefined` for never. */
  get first(): number | undefined {
    this.#settle();
    return this.#heap[0]?.at;
  }

  /** Removes and returns due names, earliest first. @param limit maximum number */
  take(now: number, limit: number): string[] {
    const names: string[] = [];
    while (names.length < limit) {
      const first = this.first;
      if (first === undefined || first > now) break;
      const { name } = this.#pop();
      this.#times.delete(name);
      names.push(name);
    }
    return names;
  }

  /** Makes the first entry's time the current one of its name. */
  #settle(): void {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      const at = this.#times.get(first.name);
      if (at === first.at) return;
      const { name } = this.#pop();
      if (at !== undefined && !this.#placed.has(name)) this.#place({ name, at });
    }
  }

  #place(entry: Entry): void {
    this.#placed.set(entry.name, entry.at);
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Entry;
      if (above.at <= entry.at) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): Entry {
    const heap = this.#heap;
    const first = heap[0] as Entry;
    const last = heap.pop() as Entry;
    if (this.#placed.get(first.name) === first.at) this.#placed.delete(first.name);
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && right.at < (heap[child] as Entry).at) child++;
      const below = heap[child] as Entry;
      if (below.at >= last.at) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
