/**
 * Which rows of one memory hold the numbers of its sources. A record writes one row, and a number must be in it. So
 * numbers stay in the row that was written with them, and few are written again: when a row has its fill of them, the
 * next record takes another row and leaves it. Runs no statement.
 */

import { KEPT_SOURCES, type Sender, type SourceNumber } from "../../processor/ports/store";

/** A row that holds so many numbers gets no more. */
const MOST_IN_A_ROW = 32;

/** About how many bytes of heap a number takes, with its name. */
const ENTRY_HEAP_BYTES = 200;

/** A number, and when its source was heard. */
export interface KeptSource extends SourceNumber {
  /** Counts what this memory has heard: greater is later. */
  readonly heard: number;
}

/** A row that holds numbers. */
export interface Holder {
  /** Those of its numbers that no later row has. */
  readonly kept: Set<KeptSource>;
}

/** The numbers in the rows of one memory. */
export class KeptSources {
  /** By sender and source, heard longest ago first. */
  readonly #known = { client: new Map<string, KeptSource>(), processor: new Map<string, KeptSource>() };
  readonly #holderOf = new Map<KeptSource, Holder>();
  /** The rows, besides the head, that hold a number that is needed. */
  readonly #holders = new Set<Holder>();
  readonly #released: (row: Holder) => void;
  #head: Holder;
  #heard = 0;

  /** @param head the row that is written next @param released hears of each row that holds no needed number any more */
  constructor(head: Holder, released: (row: Holder) => void) {
    this.#head = head;
    this.#released = released;
  }

  /** How many numbers there are. */
  get size(): number {
    return this.#holderOf.size;
  }

  /** Whether the head has its fill. Leave it as it is then. */
  get isFull(): boolean {
    return this.#head.kept.size >= MOST_IN_A_ROW;
  }

  /** About how many bytes of heap they take. */
  get heapBytes(): number {
    return ENTRY_HEAP_BYTES * this.size;
  }

  /** The rows, besides the head, that hold a number that is needed. */
  get holders(): Iterable<Holder> {
    return this.#holders;
  }

  /** The number of a source; 0 when there is none. */
  numberOf(sender: Sender, source: string): number {
    return this.#known[sender].get(source)?.number ?? 0;
  }

  /** All numbers, heard longest ago first. */
  list(): KeptSource[] {
    return [...this.#holderOf.keys()].sort((a, b) => a.heard - b.heard);
  }

  /** Puts the number of a source, which was heard last, into the head. */
  put({ sender, source, number }: SourceNumber): void {
    const known = this.#known[sender];
    this.#drop(known.get(source));
    this.#add({ sender, source, number, heard: ++this.#heard }, this.#head);
    const [oldest] = known.values();
    if (known.size > KEPT_SOURCES) this.#drop(oldest);
  }

  /**
   * Takes in a number of a stored row, the head. Rows come in the order in which they were written;
   * end with {@link restored}.
   */
  restore(entry: KeptSource): void {
    const known = this.#known[entry.sender].get(entry.source);
    if (known !== undefined && known.heard > entry.heard) return;
    this.#drop(known);
    this.#add(entry, this.#head);
    this.#heard = Math.max(this.#heard, entry.heard);
  }

  /** All stored rows were taken in. */
  restored(): void {
    for (const known of Object.values(this.#known)) {
      const inOrder = [...known].sort(([, a], [, b]) => a.heard - b.heard);
      known.clear();
      for (const [source, entry] of inOrder) known.set(source, entry);
      for (const [, entry] of inOrder.slice(0, -KEPT_SOURCES)) this.#drop(entry);
    }
  }

  /** Another row becomes the head, and what is in the head stays where it is. */
  leave(head: Holder): void {
    if (this.#head.kept.size > 0) this.#holders.add(this.#head);
    this.#head = head;
  }

  /** Another row becomes the head, and takes along what is in the head. */
  carry(head: Holder): void {
    const before = this.#head;
    this.#head = head;
    this.#move(before);
  }

  /**
   * Moves the numbers of the row that holds the fewest into the head, when more than twice as many rows hold numbers as
   * would have to. So there are never many, and at most half a row is moved.
   */
  gather(): void {
    if (this.#holders.size <= 2 * Math.ceil(this.size / MOST_IN_A_ROW)) return;
    let fewest: Holder | undefined;
    for (const holder of this.#holders) {
      if (fewest === undefined || holder.kept.size < fewest.kept.size) fewest = holder;
    }
    if (fewest !== undefined) this.#move(fewest);
  }

  /** Puts all numbers of a row into the head. */
  #move(from: Holder): void {
    for (const entry of from.kept) {
      this.#head.kept.add(entry);
      this.#holderOf.set(entry, this.#head);
    }
    from.kept.clear();
    if (this.#holders.delete(from)) this.#released(from);
  }

  #add(entry: KeptSource, holder: Holder): void {
    this.#known[entry.sender].set(entry.source, entry);
    this.#holderOf.set(entry, holder);
    holder.kept.add(entry);
  }

  #drop(entry: KeptSource | undefined): void {
    if (entry === undefined) return;
    const holder = this.#holderOf.get(entry);
    this.#known[entry.sender].delete(entry.source);
    this.#holderOf.delete(entry);
    holder?.kept.delete(entry);
    if (holder !== undefined && holder.kept.size === 0 && this.#holders.delete(holder)) this.#released(holder);
  }
}
