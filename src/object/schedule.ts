/**
 * What is due when, by name, at most one time a name: a binary heap. A name that is put again leaves its earlier place
 * in the heap, which is passed over when it comes up.
 */

/** About how many bytes of heap a name takes besides its characters. */
const ENTRY_BYTES = 160;

interface Entry {
  readonly name: string;
  readonly at: number;
}

/** Names by the times at which they are due. */
export class Schedule {
  /** No entry is due before the one at half its index. The first place is free. */
  readonly #heap: Entry[] = [];
  /** The time that counts for a name. It is never before that of its entry in the heap. */
  readonly #times = new Map<string, number>();
  /** The names that have an entry in the heap, with its time. */
  readonly #placed = new Map<string, number>();

  /** About how many bytes of heap it takes. */
  get heapBytes(): number {
    return ENTRY_BYTES * this.#heap.length;
  }

  /** The number of names that are due some time. */
  get size(): number {
    return this.#times.size;
  }

  /** Says when a name is due, in the place of what was said before. @param at `undefined` for never */
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

  /** Takes names that are due, the first ones first. @param limit the most */
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

  /** Sees to it that the time of the first entry is the one that counts for its name. */
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
