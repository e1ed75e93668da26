/**
 * Tracks which rows of one memory hold the numbers of its sources. A record writes one row, which must include its
 * number. So numbers stay in the row in which they were written, and few are written again: when a row is full of
 * numbers, the next record starts another row. Runs no statement.
 */

import { KEPT_SOURCES, type Sender, type SourceNumber } from "../../processor/ports/store";

/** Maximum number of numbers in a row. */
const MAX_IN_A_ROW = 32;

/** Approximate heap bytes of a number with its name. */
const ENTRY_HEAP_BYTES = 200;

/** A number, and when its source was heard. */
export interface KeptSource extends SourceNumber {
  /** A counter of the memory: greater is later. */
  readonly heard: number;
}

/** A row that holds numbers. */
export interface Holder {
  /** Its numbers that no later row has. */
  readonly kept: Set<KeptSource>;
}

/** The numbers in the rows of one memory. */
export class KeptSources {
  /** By sender and source, least recently used first. */
  readonly #known = { client: new Map<string, KeptSource>(), processor: new Map<string, KeptSource>() };
  readonly #holderOf = new Map<KeptSource, Holder>();
  /** The rows, besides the head, that hold a number that is needed. */
  readonly #holders = new Set<Holder>();
  readonly #released: (row: Holder) => void;
  #head: Holder;
  #heard = 0;

  /**
   * @param head the row that is written next
   * @param released called for each row that no longer holds a needed number
   */
  constructor(head: Holder, released: (row: Holder) => void) {
    this.#head = head;
    this.#released = released;
  }

  /** Number of numbers kept. */
  get size(): number {
    return this.#holderOf.size;
  }

  /** Whether the head is full, so that the next record must leave it. */
  get isFull(): boolean {
    return this.#head.kept.size >= MAX_IN_A_ROW;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return ENTRY_HEAP_BYTES * this.size;
  }

  /** The rows, besides the head, that hold a number that is needed. */
  get holders(): Iterable<Holder> {
    return this.#holders;
  }

  /** The number of a source; 0 for none. */
  numberOf(sender: Sender, source: string): number {
    return this.#known[sender].get(source)?.number ?? 0;
  }

  /** All numbers, least recently used first. */
  list(): KeptSource[] {
    return [...this.#holderOf.keys()].sort((a, b) => a.heard - b.heard);
  }

  /** Puts the number of the most recently used source into the head. */
  put({ sender, source, number }: SourceNumber): void {
    const known = this.#known[sender];
    this.#drop(known.get(source));
    this.#add({ sender, source, number, heard: ++this.#heard }, this.#head);
    const [oldest] = known.values();
    if (known.size > KEPT_SOURCES) this.#drop(oldest);
  }

  /** Restores a number of a stored row, the head. Pass rows in the order of writing, then call {@link restored}. */
  restore(entry: KeptSource): void {
    const known = this.#known[entry.sender].get(entry.source);
    if (known !== undefined && known.heard > entry.heard) return;
    this.#drop(known);
    this.#add(entry, this.#head);
    this.#heard = Math.max(this.#heard, entry.heard);
  }

  /** Call it after all stored rows. */
  restored(): void {
    for (const known of Object.values(this.#known)) {
      const inOrder = [...known].sort(([, a], [, b]) => a.heard - b.heard);
      known.clear();
      for (const [source, entry] of inOrder) known.set(source, entry);
      for (const [, entry] of inOrder.slice(0, -KEPT_SOURCES)) this.#drop(entry);
    }
  }

  /** Makes another row the head; the numbers stay where they are. */
  leave(head: Holder): void {
    if (this.#head.kept.size > 0) this.#holders.add(this.#head);
    this.#head = head;
  }

  /** Makes another row the head, and moves the head's numbers to it. */
  carry(head: Holder): void {
    const before = this.#head;
    this.#head = head;
    this.#move(before);
  }

  /**
   * Compacts: if the numbers are spread over more than twice the rows they need, moves those of the row with the fewest
   * into the head. This keeps the rows few, and moves at most half a row.
   */
  gather(): void {
    if (this.#holders.size <= 2 * Math.ceil(this.size / MAX_IN_A_ROW)) return;
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
