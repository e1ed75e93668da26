/**
 * Working memory, and the possibly older events that the ensemble predicts from. Keeps the events added since the last
 * record; the mind records them together with the positions.
 */

import { MS_PER_SECOND } from "../../text/clock";
import type { SymbolTable } from "../knowledge/symbol-table";
import { Fault } from "../ports/fault";
import { type EventRow, MAX_READ_BYTES, type MemoryPositions, neededFrom } from "../ports/store";
import { EventLog } from "./event-log";
import { QueryMemory } from "./query-memory";

/** The stored events of a memory. */
interface StoredEvents extends MemoryPositions {
  /** The number of symbols in working memory. */
  readonly symbols: number;
  /** The events that are still needed, by position without gaps; none if they could not be read. */
  readonly events: EventRow[];
  /** The size of the memory's rows in bytes if it is too large to read; `undefined` if it was read. */
  readonly unreadBytes: number | undefined;
}

/**
 * The fault for an operation that needs all of a memory, when the memory was too large to read. @param bytes the size
 * of its rows
 */
export function unread(bytes: number): Fault {
  return new Fault(
    "too-large",
    `this memory takes ${bytes} bytes, which an earlier version has stored; at most ${MAX_READ_BYTES} are read: ` +
      "clear it (working-memory/clear), or end its session",
  );
}

/** Working memory and the ensemble's events, as two ranges of one log. */
export class WorkingMemory {
  readonly #log: EventLog;
  readonly #query: QueryMemory;
  #positions: MemoryPositions;
  #size = 0;
  #bytes = 0;
  /** Events before this position were not read. */
  readonly #readFrom: number;
  readonly #unreadBytes: number;
  /** Number of symbols appended to this object, in total and before the ensemble was held. */
  #appended = 0;
  #held = 0;
  #added: EventRow[] = [];
  readonly #changing: () => void;

  /** @param changing called before every change */
  constructor(stored: StoredEvents, symbols: SymbolTable, changing: () => void) {
    const { memoryStart, memoryEnd, ensembleStart, ensembleEnd, unreadBytes } = stored;
    this.#positions = { memoryStart, memoryEnd, ensembleStart, ensembleEnd };
    this.#log = new EventLog(stored.events);
    this.#query = new QueryMemory(this.#log, symbols);
    this.#changing = changing;
    this.#readFrom = unreadBytes === undefined ? 0 : memoryEnd;
    this.#unreadBytes = unreadBytes ?? 0;
    if (unreadBytes === undefined) this.#count();
    else this.#size = stored.symbols;
  }

  /** The bounds of both ranges, as the state stores them. */
  get positions(): MemoryPositions {
    return this.#positions;
  }

  /** The number of symbols in working memory. */
  get size(): number {
    return this.#size;
  }

  /** The bytes that the events of working memory count towards the memory's budget. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return this.#log.heapBytes + this.#query.heapBytes;
  }

  /** The number of events in working memory. */
  get length(): number {
    return this.#positions.memoryEnd - this.#positions.memoryStart;
  }

  /** Whether there are events to predict from. */
  get hasEnsemble(): boolean {
    return this.#positions.ensembleEnd > this.#positions.ensembleStart;
  }

  /**
   * Refuses operations that need the events of a memory that was too large to read. Clearing the memory makes it
   * readable.
   * @throws Fault `too-large` naming the way out
   */
  assertRead(): void {
    if (neededFrom(this.#positions) < this.#readFrom) throw unread(this.#unreadBytes);
  }

  /**
   * For each event of working memory, oldest first: its number of symbols, and the bytes it counts towards the budget.
   */
  *oldest(): Iterable<{ symbols: number; bytes: number }> {
    const { memoryStart, memoryEnd } = this.#positions;
    for (let at = memoryStart; at < memoryEnd; at++) {
      yield { symbols: this.#log.at(at).symbols.length, bytes: this.#log.bytesAt(at) };
    }
  }

  /** The events of working memory, oldest first. @throws Fault as {@link assertRead} */
  events(): EventRow[] {
    this.assertRead();
    return this.#log.range(this.#positions.memoryStart, this.#positions.memoryEnd);
  }

  /** At most `most` of the latest events of working memory, oldest first; none if it could not be read. */
  latest(most: number): EventRow[] {
    const { memoryStart, memoryEnd } = this.#positions;
    if (neededFrom(this.#positions) < this.#readFrom) return [];
    return this.#log.range(Math.max(memoryStart, memoryEnd - most), memoryEnd);
  }

  /**
   * The symbol numbers of the ensemble's events. The view is valid until the next call.
   *
   * @throws Fault as {@link assertRead}
   */
  ensembleNumbers(): Uint32Array {
    this.assertRead();
    return this.#query.numbers(this.#positions.ensembleStart, this.#positions.ensembleEnd);
  }

  /**
   * Number of symbols added to this object before the ensemble was held. Subtract two values to get the number added in
   * between.
   */
  get ensembleAppended(): number {
    return this.#held;
  }

  /**
   * The number of symbols of each of the ensemble's newest events, oldest first.
   *
   * @param most maximum number of events
   * @throws Fault as {@link assertRead}
   */
  ensembleLengths(most = Number.POSITIVE_INFINITY): Uint32Array {
    return Uint32Array.from(this.#ensembleEvents(most), ({ symbols }) => symbols.length);
  }

  /**
   * When each of the ensemble's newest events happened, epoch milliseconds, oldest first.
   *
   * @param most maximum number of events
   * @throws Fault as {@link assertRead}
   */
  ensembleTimes(most: number): (number | undefined)[] {
    const events = this.#ensembleEvents(most);
    return events.map(({ time }) => (time === undefined ? undefined : Math.round(time * MS_PER_SECOND)));
  }

  #ensembleEvents(most: number): EventRow[] {
    this.assertRead();
    const { ensembleStart, ensembleEnd } = this.#positions;
    return this.#log.range(Math.max(ensembleStart, ensembleEnd - most), ensembleEnd);
  }

  /** The symbol for one of the {@link ensembleNumbers}. */
  nameOf(id: number): string {
    return this.#query.nameOf(id);
  }

  /** When the newest event of working memory happened; `undefined` without one, or if its time is unknown. */
  get newestTime(): number | undefined {
    const { memoryEnd } = this.#positions;
    if (this.length === 0 || memoryEnd <= this.#readFrom) return undefined;
    return this.#log.at(memoryEnd - 1).time;
  }

  /**
   * Adds an event.
   *
   * @param symbols not empty
   * @param metadata a JSON object as compact text
   * @param time when it happened, epoch seconds
   */
  append(symbols: string[], metadata: string, time: number): void {
    const event = { position: this.#positions.memoryEnd, symbols, metadata, time };
    this.#move({ memoryEnd: event.position + 1 });
    this.#log.append(event);
    this.#added.push(event);
    this.#size += symbols.length;
    this.#bytes += this.#log.bytesAt(event.position);
    this.#appended += symbols.length;
  }

  /** Drops the oldest event. */
  dropOldest(): void {
    const { memoryStart } = this.#positions;
    this.#move({ memoryStart: memoryStart + 1 });
    this.#size -= this.#log.at(memoryStart).symbols.length;
    this.#bytes -= this.#log.bytesAt(memoryStart);
  }

  /** Drops all events but the last. */
  keepLast(): void {
    const { memoryEnd } = this.#positions;
    if (this.length < 2) return;
    this.#move({ memoryStart: memoryEnd - 1 });
    this.#size = this.#log.at(memoryEnd - 1).symbols.length;
    this.#bytes = this.#log.bytesAt(memoryEnd - 1);
  }

  /** Drops all events. */
  clear(): void {
    this.#move({ memoryStart: this.#positions.memoryEnd });
    this.#size = 0;
    this.#bytes = 0;
  }

  /** Makes the ensemble predict from the current working memory. */
  holdEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryStart, ensembleEnd: this.#positions.memoryEnd });
    this.#held = this.#appended;
  }

  /** Drops the ensemble. */
  dropEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryEnd, ensembleEnd: this.#positions.memoryEnd });
  }

  /**
   * Forgets the events that neither working memory nor the ensemble needs.
   * @returns the needed events that were added since the last call
   */
  takeAdded(): EventRow[] {
    const first = neededFrom(this.#positions);
    this.#log.dropBefore(first);
    const added = this.#added;
    if (added.length === 0) return added;
    this.#added = [];
    return added.filter(({ position }) => position >= first);
  }

  #count(): void {
    for (const { symbols, bytes } of this.oldest()) {
      this.#size += symbols;
      this.#bytes += bytes;
    }
  }

  #move(positions: Partial<MemoryPositions>): void {
    const before = this.#positions;
    const after = { ...before, ...positions };
    const isSame =
      after.memoryStart === before.memoryStart &&
      after.memoryEnd === before.memoryEnd &&
      after.ensembleStart === before.ensembleStart &&
      after.ensembleEnd === before.ensembleEnd;
    if (isSame) return;
    this.#changing();
    this.#positions = after;
  }
}
