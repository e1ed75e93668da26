/**
 * Tracks which rows of `memories` hold which parts of one memory. The newest row, the head, has the state and the
 * latest events and vectors, and each record rewrites it until it is full. The next record then starts another row; the
 * full one stays until nothing in it is needed, which frees its slot for reuse. So a record writes one row, and nothing
 * has to be deleted afterwards. Runs no statement.
 */

import { eventsToColumn } from "../rows/memory-rows";
import { type Holder, type KeptSource, KeptSources } from "./kept-sources";

/**
 * Size at which a head is full. Each record writes the whole head; beyond this size, encoding it would take longer than
 * the write itself.
 */
const FULL_HEAD = 2_048;

/**
 * Size of a memory's rows, in bytes and UTF-16 units, above which unneeded parts are cleared: events in rows that still
 * hold waiting vectors, old states, and free rows. The needed parts of a memory within its budget take less than half.
 */
const MAX_STORED = 33_554_432;

/** Minimum size of a part worth a write to clear it. */
const MIN_EMPTIED = 4_096;

/** Heap bytes of a log besides the contents of its head. */
const LOG_HEAP_BYTES = 512;

/** An event or vector in the head, encoded. */
interface Held<Encoded> {
  /** The position of the event, or the id of the vector. */
  at: number;
  encoded: Encoded;
}

/** A row. */
interface Row extends Holder {
  readonly slot: number;
  readonly number: number;
  /** The event at the greatest position that it or a row before it holds; -1 for none. */
  lastEvent: number;
  /** The greatest id of a vector, in the same way. */
  lastVector: number;
  /** Whether it holds an event or vector that is needed. The head always does. */
  isNeeded: boolean;
  /** The sizes of its columns: events, vectors, and state, which only the head needs. */
  readonly bytes: Record<Part, number>;
}

/** The parts of a row, each stored in its own column. */
const PARTS = ["events", "vectors", "state"] as const;

/** A part of a row. */
export type Part = (typeof PARTS)[number];

/** The slot of a free row, with the sizes that it still takes. */
type Free = Pick<Row, "slot" | "bytes">;

/** A part of a row that is no longer needed. */
export interface StalePart {
  readonly slot: number;
  readonly part: Part;
  /** The numbers of sources in the row, which stay. */
  readonly kept: ReadonlySet<KeptSource>;
}

/** A row of which only the numbers of sources are needed. */
export type SourcesRow = Pick<Row, "slot" | "number" | "kept">;

/** The contents of the rows of one memory. Knows nothing of the state. */
export class MemoryLog {
  /** The numbers of sources that do not fit into the state. */
  readonly sources: KeptSources;
  #isNew = true;
  #head = rowAt(emptyRow(0), 0);
  /** All slots in use or free are less than this. */
  #slots = 1;
  /** Oldest first. */
  #full: Row[] = [];
  #free: Free[] = [];
  /** The size of all rows. */
  #stored = 0;
  /** The first event and the first vector that are needed. */
  #needed = { events: 0, vectors: 0 };
  #events: Held<string>[] = [];
  #vectors: Held<Uint8Array>[] = [];
  #size = 0;
  /** The positions after the events and vectors that were not read from the rows; 0 if all were read. */
  #unread = { event: 0, vector: 0 };

  constructor() {
    this.sources = new KeptSources(this.#head, (holder) => {
      const row = holder as Row;
      if (!row.isNeeded) this.#free.push(row);
    });
  }

  /** The slot of the head. */
  get slot(): number {
    return this.#head.slot;
  }

  /** The number of the head, which is the greatest of all rows. */
  get number(): number {
    return this.#head.number;
  }

  /** Size of the head without the state: bytes of vectors, and UTF-16 units of events. */
  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= FULL_HEAD;
  }

  /** Approximate heap bytes of the log, without the numbers of sources. */
  get heapBytes(): number {
    const rows = 16 * this.#free.length + 64 * this.#full.length;
    return LOG_HEAP_BYTES + 2 * this.#size + rows;
  }

  /** Whether nothing was written yet. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /**
   * Restores a stored row. Pass rows by number.
   *
   * @param kept the numbers of sources in it
   * @param bytes the sizes of its parts
   */
  restore(slot: number, number: number, kept: readonly KeptSource[], bytes: Record<Part, number>): void {
    this.#stored += bytes.events + bytes.vectors + bytes.state;
    if (this.#isNew) {
      this.#isNew = false;
      this.#head = rowAt({ slot, bytes }, number);
    } else this.#fillHead(rowAt({ slot, bytes }, number));
    this.sources.leave(this.#head);
    for (const entry of kept) this.sources.restore(entry);
    this.#slots = Math.max(this.#slots, slot + 1);
  }

  /**
   * Marks the contents of the rows as unread. They are needed until everything in them is dropped.
   *
   * @param event the position after their last event
   * @param vector the id after their last vector
   */
  restoredUnread(event: number, vector: number): void {
    this.#unread = { event, vector };
    for (const row of [...this.#full, this.#head]) Object.assign(row, { lastEvent: event - 1, lastVector: vector - 1 });
  }

  /**
   * Whether the rows hold something needed that was not read. Nothing can be added then, and the
   * head's columns are unknown.
   */
  get isUnread(): boolean {
    return this.#unread.event > 0 || this.#unread.vector > 0;
  }

  /** Makes the next row the head: a free one, else a new one. The numbers of sources move along. */
  advance(): void {
    this.#takeNext();
    this.sources.carry(this.#head);
  }

  /** {@link advance}, but the numbers of sources stay in the previous row, which must be stored as it is. */
  leave(): void {
    this.#takeNext();
    this.sources.leave(this.#head);
    this.sources.gather();
  }

  /** Puts an event into the head. @param text its portion of the column */
  addEvent(position: number, text: string): void {
    this.#events.push({ at: position, encoded: text });
    this.#size += text.length;
    this.#head.lastEvent = position;
  }

  /** Puts a waiting vector into the head. @param bytes its portion of the column */
  addVector(id: number, bytes: Uint8Array): void {
    this.#vectors.push({ at: id, encoded: bytes });
    this.#size += bytes.byteLength;
    this.#head.lastVector = id;
  }

  /**
   * Drops events at positions less than `event`, and vectors with ids less than `vector`. Rows that hold nothing else
   * become free.
   */
  drop(event: number, vector: number): void {
    this.#size -= dropBefore(this.#events, event).reduce((sum, { encoded }) => sum + encoded.length, 0);
    this.#size -= dropBefore(this.#vectors, vector).reduce((sum, { encoded }) => sum + encoded.byteLength, 0);
    if (event >= this.#unread.event && vector >= this.#unread.vector) this.#unread = { event: 0, vector: 0 };
    const needed = this.#full.findIndex((row) => row.lastEvent >= event || row.lastVector >= vector);
    const freed = this.#full.splice(0, needed < 0 ? this.#full.length : needed);
    this.#needed = { events: event, vectors: vector };
    for (const row of freed) {
      row.isNeeded = false;
      if (row.kept.size === 0) this.#free.push(row);
    }
  }

  /**
   * Whether the next write of the head deletes and clears no other row.
   *
   * @param more maximum growth of the head
   * @param most number of free rows to leave
   */
  isSettled(more: number, most: number): boolean {
    return this.#stored + more <= MAX_STORED && this.#free.length <= most;
  }

  /** Drops free rows beyond `most`; all of them if the rows take too much space. @returns their slots */
  giveUpFree(most: number): number[] {
    const left = this.#stored > MAX_STORED ? 0 : most;
    const given = this.#free.length <= left ? [] : this.#free.splice(0, this.#free.length - left);
    for (const { bytes } of given) this.#stored -= bytes.events + bytes.vectors + bytes.state;
    return given.map(({ slot }) => slot);
  }

  /** Call it once the head was written. @param state the size of its state */
  wroteHead(state: number): void {
    const { bytes } = this.#head;
    const vectors = this.#vectors.reduce((sum, { encoded }) => sum + encoded.byteLength, 0);
    this.#stored += this.#size + state - bytes.events - bytes.vectors - bytes.state;
    Object.assign(bytes, { events: this.#size - vectors, vectors, state });
  }

  /** If the rows take too much space: the unneeded parts of full rows, which count as cleared afterwards. */
  takeStale(): StalePart[] {
    if (this.#stored <= MAX_STORED) return [];
    return this.#full.flatMap((row) => this.#staleIn(row));
  }

  #staleIn({ slot, bytes, kept, lastEvent, lastVector }: Row): StalePart[] {
    const isStale = {
      events: lastEvent < this.#needed.events,
      vectors: lastVector < this.#needed.vectors,
      state: true,
    };
    const parts = PARTS.filter((part) => isStale[part] && bytes[part] >= MIN_EMPTIED);
    for (const part of parts) {
      this.#stored -= bytes[part];
      bytes[part] = 0;
    }
    return parts.map((part) => ({ slot, part, kept }));
  }

  /** The rows of which only the numbers of sources are needed. */
  sourcesRows(): SourcesRow[] {
    return ([...this.sources.holders] as Row[]).filter(({ isNeeded }) => !isNeeded);
  }

  /** The numbers of sources in the head. */
  headSources(): ReadonlySet<KeptSource> {
    return this.#head.kept;
  }

  /** The head's column of events. */
  eventsColumn(): string | null {
    const [first] = this.#events;
    if (first === undefined) return null;
    return eventsToColumn(
      first.at,
      this.#events.map(({ encoded }) => encoded),
    );
  }

  /** The head's column of waiting vectors. */
  vectorsColumn(): Uint8Array | null {
    if (this.#vectors.length === 0) return null;
    const bytes = new Uint8Array(this.#vectors.reduce((sum, { encoded }) => sum + encoded.byteLength, 0));
    let at = 0;
    for (const { encoded } of this.#vectors) {
      bytes.set(encoded, at);
      at += encoded.byteLength;
    }
    return bytes;
  }

  #takeNext(): void {
    const number = this.#head.number + 1;
    if (this.#isNew) {
      this.#isNew = false;
      this.#head = rowAt(emptyRow(0), number);
    } else this.#fillHead(rowAt(this.#free.pop() ?? emptyRow(this.#slots++), number));
  }

  /** Notes that the head is full. @param next the new head */
  #fillHead(next: Row): void {
    const { lastEvent, lastVector } = this.#head;
    this.#full.push(this.#head);
    this.#head = Object.assign(next, { lastEvent, lastVector });
    this.#events = [];
    this.#vectors = [];
    this.#size = 0;
  }
}

function emptyRow(slot: number): Free {
  return { slot, bytes: { events: 0, vectors: 0, state: 0 } };
}

/** @param place the row's slot, with its sizes until it is written */
function rowAt({ slot, bytes }: Free, number: number): Row {
  return { slot, number, bytes, lastEvent: -1, lastVector: -1, isNeeded: true, kept: new Set() };
}

/** Removes the items before `at` from the start of a list. @returns the removed items */
function dropBefore<Encoded>(held: Held<Encoded>[], at: number): Held<Encoded>[] {
  const first = held[0];
  if (first === undefined || first.at >= at) return [];
  const needed = held.findIndex((one) => one.at >= at);
  return held.splice(0, needed < 0 ? held.length : needed);
}
