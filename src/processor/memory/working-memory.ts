/**
 * Working memory, and the events that the ensemble predicts from, which may be older. Records each event that comes or goes; the
 * positions are part of the state, which the mind records.
 */

import type { SymbolTable } from "../knowledge/symbol-table";
import type { EventRow, State, Store } from "../ports/store";
import { EventLog } from "./event-log";
import { QueryMemory } from "./query-memory";

/** Events that are no longer needed are deleted in batches of this size; one by one, every observation would cost a statement. */
const DELETE_BATCH = 8;

/** The positions that the state keeps. */
type MemoryPositions = Pick<State, "memoryStart" | "memoryEnd" | "ensembleStart" | "ensembleEnd">;

/** Working memory and the ensemble's events, as two ranges of one log. */
export class WorkingMemory {
  readonly #store: Store;
  readonly #log: EventLog;
  readonly #query: QueryMemory;
  #positions: MemoryPositions;
  #size = 0;
  /** The position of the first event in the store, needed or not. */
  #stored: number;

  constructor(store: Store, positions: MemoryPositions, symbols: SymbolTable) {
    const { memoryStart, memoryEnd, ensembleStart, ensembleEnd } = positions;
    this.#store = store;
    this.#positions = { memoryStart, memoryEnd, ensembleStart, ensembleEnd };
    this.#log = new EventLog(store.events());
    this.#stored = this.#log.first ?? memoryEnd;
    this.#query = new QueryMemory(this.#log, symbols);
    for (const { symbols: event } of this.events()) this.#size += event.length;
  }

  /** The bounds of both ranges, as the state stores them. */
  get positions(): MemoryPositions {
    return this.#positions;
  }

  /** The number of symbols in working memory. */
  get size(): number {
    return this.#size;
  }

  /** The number of events in working memory. */
  get length(): number {
    return this.#positions.memoryEnd - this.#positions.memoryStart;
  }

  /** Whether there are events to predict from. */
  get hasEnsemble(): boolean {
    return this.#positions.ensembleEnd > this.#positions.ensembleStart;
  }

  /** The events of working memory, oldest first. */
  events(): EventRow[] {
    return this.#log.range(this.#positions.memoryStart, this.#positions.memoryEnd);
  }

  /** The symbol numbers of the ensemble's events. The view is valid until the next call. */
  ensembleNumbers(): Uint32Array {
    return this.#query.numbers(this.#positions.ensembleStart, this.#positions.ensembleEnd);
  }

  /** The symbol with one of the {@link ensembleNumbers}. */
  nameOf(id: number): string {
    return this.#query.nameOf(id);
  }

  /** Adds an event. @param symbols not empty @param metadata a JSON object as compact text */
  append(symbols: string[], metadata: string): void {
    const event = { position: this.#positions.memoryEnd, symbols, metadata };
    this.#store.record({ kind: "event-appended", event });
    this.#log.append(event);
    this.#size += symbols.length;
    this.#move({ memoryEnd: event.position + 1 });
  }

  /** Drops the oldest event. */
  dropOldest(): void {
    const { memoryStart } = this.#positions;
    this.#size -= this.#log.at(memoryStart).symbols.length;
    this.#move({ memoryStart: memoryStart + 1 });
  }

  /** Drops all events but the last. */
  keepLast(): void {
    const { memoryEnd } = this.#positions;
    if (this.length < 2) return;
    this.#size = this.#log.at(memoryEnd - 1).symbols.length;
    this.#move({ memoryStart: memoryEnd - 1 });
  }

  /** Drops all events. */
  clear(): void {
    this.#size = 0;
    this.#move({ memoryStart: this.#positions.memoryEnd });
  }

  /** From now on, the ensemble predicts from working memory as it is now. */
  holdEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryStart, ensembleEnd: this.#positions.memoryEnd });
  }

  /** From now on, there is no ensemble. */
  dropEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryEnd, ensembleEnd: this.#positions.memoryEnd });
  }

  /** Forgets the events that neither working memory nor the ensemble needs, and deletes them from the store now and then. */
  forgetUnneeded(): void {
    const { memoryStart, ensembleStart } = this.#positions;
    const before = this.hasEnsemble ? Math.min(memoryStart, ensembleStart) : memoryStart;
    this.#log.dropBefore(before);
    const unneeded = before - this.#stored;
    // After a clear no event is left, and nothing that was cleared may stay in the store.
    if (unneeded === 0 || (unneeded < DELETE_BATCH && this.#log.first !== undefined)) return;
    this.#store.record({ kind: "events-dropped", before });
    this.#stored = before;
  }

  #move(positions: Partial<MemoryPositions>): void {
    this.#positions = { ...this.#positions, ...positions };
  }
}
