/**
 * Working memory, and the events that the ensemble predicts from, which may be older. Keeps the events that came since the last record;
 * the mind records them together with the positions.
 */

import type { SymbolTable } from "../knowledge/symbol-table";
import { type EventRow, type MemoryPositions, neededFrom } from "../ports/store";
import { EventLog } from "./event-log";
import { QueryMemory } from "./query-memory";

/** Working memory and the ensemble's events, as two ranges of one log. */
export class WorkingMemory {
  readonly #log: EventLog;
  readonly #query: QueryMemory;
  #positions: MemoryPositions;
  #size = 0;
  #added: EventRow[] = [];
  readonly #changing: () => void;

  /**
   * @param events the stored events that are needed, by position without gaps
   * @param changing called before every change
   */
  constructor(positions: MemoryPositions, events: EventRow[], symbols: SymbolTable, changing: () => void) {
    const { memoryStart, memoryEnd, ensembleStart, ensembleEnd } = positions;
    this.#positions = { memoryStart, memoryEnd, ensembleStart, ensembleEnd };
    this.#log = new EventLog(events);
    this.#query = new QueryMemory(this.#log, symbols);
    this.#changing = changing;
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

  /** About how many bytes of heap it holds. */
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

  /** The events of working memory, oldest first. */
  events(): EventRow[] {
    return this.#log.range(this.#positions.memoryStart, this.#positions.memoryEnd);
  }

  /** The symbol numbers of the ensemble's events. The view is valid until the next call. */
  ensembleNumbers(): Uint32Array {
    return this.#query.numbers(this.#positions.ensembleStart, this.#positions.ensembleEnd);
  }

  /** The number of symbols of each of the ensemble's events, oldest first. */
  ensembleLengths(): Uint32Array {
    const { ensembleStart, ensembleEnd } = this.#positions;
    return Uint32Array.from(this.#log.range(ensembleStart, ensembleEnd), ({ symbols }) => symbols.length);
  }

  /** The symbol with one of the {@link ensembleNumbers}. */
  nameOf(id: number): string {
    return this.#query.nameOf(id);
  }

  /** Adds an event. @param symbols not empty @param metadata a JSON object as compact text */
  append(symbols: string[], metadata: string): void {
    const event = { position: this.#positions.memoryEnd, symbols, metadata };
    this.#move({ memoryEnd: event.position + 1 });
    this.#log.append(event);
    this.#added.push(event);
    this.#size += symbols.length;
  }

  /** Drops the oldest event. */
  dropOldest(): void {
    const { memoryStart } = this.#positions;
    this.#move({ memoryStart: memoryStart + 1 });
    this.#size -= this.#log.at(memoryStart).symbols.length;
  }

  /** Drops all events but the last. */
  keepLast(): void {
    const { memoryEnd } = this.#positions;
    if (this.length < 2) return;
    this.#move({ memoryStart: memoryEnd - 1 });
    this.#size = this.#log.at(memoryEnd - 1).symbols.length;
  }

  /** Drops all events. */
  clear(): void {
    this.#move({ memoryStart: this.#positions.memoryEnd });
    this.#size = 0;
  }

  /** From now on, the ensemble predicts from working memory as it is now. */
  holdEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryStart, ensembleEnd: this.#positions.memoryEnd });
  }

  /** From now on, there is no ensemble. */
  dropEnsemble(): void {
    this.#move({ ensembleStart: this.#positions.memoryEnd, ensembleEnd: this.#positions.memoryEnd });
  }

  /**
   * Forgets the events that neither working memory nor the ensemble needs.
   * @returns those that came since the last call and are needed
   */
  takeAdded(): EventRow[] {
    const first = neededFrom(this.#positions);
    this.#log.dropBefore(first);
    const added = this.#added;
    if (added.length === 0) return added;
    this.#added = [];
    return added.filter(({ position }) => position >= first);
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
