/**
 * Remembered events as the flat symbol numbers that a query takes. The array is reused between queries: new events are
 * appended and dropped events leave at the start, so the cost of an observation does not grow with the memory.
 */

import type { SymbolTable } from "../knowledge/symbol-table";
import { UNKNOWN_SYMBOL_BASE } from "../ports/matcher";
import type { EventLog } from "./event-log";

const FIRST_CAPACITY = 64;
/** Approximate heap bytes of an unknown symbol, whose text belongs to the event. */
const UNKNOWN_HEAP_BYTES = 48;
/**
 * Maximum number of unknown symbols beyond the symbols of the range. Above it all numbers are assigned again: then this
 * many have left the range at least, so that the cost of an observation still does not grow with the memory.
 */
const MAX_UNKNOWN = 65_536;

/** The symbol numbers of one range of events. */
export class QueryMemory {
  readonly #log: EventLog;
  readonly #symbols: SymbolTable;
  #numbers = new Uint32Array(FIRST_CAPACITY);
  /** The range of events is `#numbers` from index `#from` to `#to`. */
  #from = 0;
  #to = 0;
  /** The positions of the range. */
  #start = 0;
  #end = 0;
  #version = -1;
  readonly #unknownIds = new Map<string, number>();
  #unknownNames: string[] = [];

  constructor(log: EventLog, symbols: SymbolTable) {
    this.#log = log;
    this.#symbols = symbols;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return this.#numbers.byteLength + UNKNOWN_HEAP_BYTES * this.#unknownNames.length;
  }

  /** The numbers of the events from position `start` to `end`. The view is valid until the next call. */
  numbers(start: number, end: number): Uint32Array {
    if (!this.#extends(start, end)) this.#restart(start);
    while (this.#start < start) this.#from += this.#log.at(this.#start++).symbols.length;
    while (this.#end < end) this.#append(this.#log.at(this.#end++).symbols);
    return this.#numbers.subarray(this.#from, this.#to);
  }

  /** The symbol with a number of the last query, known or not. */
  nameOf(id: number): string {
    if (id < UNKNOWN_SYMBOL_BASE) return this.#symbols.nameOf(id);
    const name = this.#unknownNames[id - UNKNOWN_SYMBOL_BASE];
    if (name === undefined) throw new Error(`no symbol of the query has the number ${id}`);
    return name;
  }

  /** Whether the wanted range continues the current one: events removed at the start and added at the end. */
  #extends(start: number, end: number): boolean {
    const mostUnknown = MAX_UNKNOWN + this.#to - this.#from;
    const current = this.#version === this.#symbols.version && this.#unknownNames.length < mostUnknown;
    const remembered = this.#start >= (this.#log.first ?? this.#end);
    return current && remembered && this.#start <= start && start <= this.#end && this.#end <= end;
  }

  #restart(start: number): void {
    this.#from = 0;
    this.#to = 0;
    this.#start = start;
    this.#end = start;
    this.#version = this.#symbols.version;
    this.#unknownIds.clear();
    this.#unknownNames = [];
  }

  #append(symbols: readonly string[]): void {
    if (this.#to + symbols.length > this.#numbers.length) this.#makeRoom(symbols.length);
    for (const symbol of symbols) this.#numbers[this.#to++] = this.#symbols.idOf(symbol) ?? this.#unknownId(symbol);
  }

  #makeRoom(added: number): void {
    const held = this.#numbers.subarray(this.#from, this.#to);
    const grown = new Uint32Array(Math.max(FIRST_CAPACITY, 2 * (held.length + added)));
    grown.set(held);
    this.#numbers = grown;
    this.#from = 0;
    this.#to = held.length;
  }

  #unknownId(symbol: string): number {
    const given = this.#unknownIds.get(symbol);
    if (given !== undefined) return given;
    const id = UNKNOWN_SYMBOL_BASE + this.#unknownNames.length;
    this.#unknownIds.set(symbol, id);
    this.#unknownNames.push(symbol);
    return id;
  }
}
