/**
 * What the processor has in mind: the events of working memory, and those that the ensemble is about, which may be older. Records
 * events as they come and go; the positions are part of the state, which the mind records.
 */

import type { SymbolTable } from "../knowledge/symbol-table";
import type { EventRow, State, Store } from "../ports/store";
import { EventLog } from "./event-log";
import { QueryMemory } from "./query-memory";

/** So many events that nobody needs any more are deleted at once: to delete them one by one would cost every observation a statement. */
const DELETED_AT_ONCE = 8;

/** The positions that the state keeps. */
export type MemoryPositions = Pick<State, "memoryStart" | "memoryEnd" | "ensembleStart" | "ensembleEnd">;

/** Working memory and the memory of the ensemble, as two ranges of one log. */
export class WorkingMemory {
  readonly #store: Store;
  readonly #log: EventLog;
  readonly #query: QueryMemory;
  #positions: MemoryPositions;
  #size = 0;
  /** Position of the first event that is stored, needed or not. */
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

  get positions(): MemoryPositions {
    return this.#positions;
  }

  /** Symbols in working memory. */
  get size(): number {
    return this.#size;
  }

  /** Events in working memory. */
  get length(): number {
    return this.#positions.memoryEnd - this.#positions.memoryStart;
  }

  /** Whether there is a memory that the ensemble is about. */
  get hasEnsemble(): boolean {
    return this.#positions.ensembleEnd > this.#positions.ensembleStart;
  }

  /** The events of working memory, oldest first. */
  events(): EventRow[] {
    return this.#log.range(this.#positions.memoryStart, this.#positions.memoryEnd);
  }

  /** The symbol numbers of the memory that the ensemble is about; a view that holds until the next call. */
  ensembleNumbers(): Uint32Array {
    return this.#query.numbers(this.#positions.ensembleStart, this.#positions.ensembleEnd);
  }

  /** The symbol behind one of {@link ensembleNumbers}. */
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

  /** Lets go of the oldest event. */
  dropOldest(): void {
    const { memoryStart } = this.#positions;
    this.#size -= this.#log.at(memoryStart).symbols.length;
    this.#move({ memoryStart: memoryStart + 1 });
  }

  /** Lets go of all events but the last. */
  keepLast(): void {
    const { memoryEnd } = this.#positions;
    if (this.length < 2) return;
    this.#size = this.#log.at(memoryEnd - 1).symbols.length;
    this.#move({ memoryStart: memoryEnd - 1 });
  }

  /** Lets go of all events. */
  clear(): void {
    this.#size = 0;
    this.#move({ memoryStart: this.#positions.memoryEnd });
  }

  /** Makes working memory as it is what the ensemble is about. */
  holdEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryStart, ensembleEnd: this.#positions.memoryEnd });
  }

  /** Leaves no ensemble. */
  dropEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryEnd, ensembleEnd: this.#positions.memoryEnd });
  }

  /** Forgets the events that neither working memory nor the ensemble needs. */
  forgetUnneeded(): void {
    const { memoryStart, ensembleStart } = this.#positions;
    const before = this.hasEnsemble ? Math.min(memoryStart, ensembleStart) : memoryStart;
    this.#log.dropBefore(before);
    const unneeded = before - this.#stored;
    // What was forgotten on purpose does not linger: then no event is left.
    if (unneeded === 0 || (unneeded < DELETED_AT_ONCE && this.#log.first !== undefined)) return;
    this.#store.record({ kind: "events-dropped", before });
    this.#stored = before;
  }

  #move(positions: Partial<MemoryPositions>): void {
    this.#positions = { ...this.#positions, ...positions };
  }
}
