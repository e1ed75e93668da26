/**
 * The known symbols: their dense numbers and their counters, and the symbol of each number. A new symbol may get the
 * number of a forgotten one.
 */

import type { Event } from "../../gen/plain";
import { Fault } from "../ports/fault";
import type { Sequence } from "../ports/matcher";
import type { SymbolRow } from "../ports/store";

/** A known symbol with its counters. */
export interface CountedSymbol extends SymbolRow {
  /** How often it occurs in everything learned. */
  frequency: number;
  /** Number of learned models that contain it, each counted as often as it was learned. */
  memberFrequency: number;
}

/**
 * The symbols with the numbers from index `from` to `to`. A plain loop, because every prediction calls it many times.
 * @param nameOf the symbol of a number
 */
export function symbolsOf(
  ids: Uint32Array,
  nameOf: (id: number) => string,
  from = 0,
  to: number = ids.length,
): string[] {
  const symbols: string[] = [];
  for (let at = from; at < to; at++) symbols.push(nameOf(ids[at] ?? 0));
  return symbols;
}

/** The events of a sequence. @param nameOf the symbol of a number */
export function eventsOf({ symbols, lengths }: Sequence, nameOf: (id: number) => string): Event[] {
  const events: Event[] = [];
  let from = 0;
  for (const length of lengths) {
    events.push({ symbols: symbolsOf(symbols, nameOf, from, from + length) });
    from += length;
  }
  return events;
}

/** Approximate heap bytes of a symbol without its characters: map entry, three array elements and string object. */
const SYMBOL_HEAP_BYTES = 64;

/**
 * Maximum total length of a processor's known symbols, in UTF-16 units: the table keeps them on the heap while the
 * processor is open, whereas the matcher has only their numbers.
 */
const MAX_UNITS = 33_554_432;

/** One change of a table, in a form that can be undone. */
type Undoing =
  | { readonly kind: "interned"; readonly id: number }
  | { readonly kind: "forgotten"; readonly row: CountedSymbol }
  | { readonly kind: "counted"; readonly id: number; readonly occurrences: number; readonly memberships: number };

/** Counts symbols of a member frequency. Those of 0 are not counted. @param by how many more */
function spreadBy(spread: Map<number, number>, members: number, by: number): void {
  if (members === 0) return;
  const symbols = (spread.get(members) ?? 0) + by;
  if (symbols === 0) spread.delete(members);
  else spread.set(members, symbols);
}

/** Symbols by name and by number. */
export class SymbolTable {
  readonly #ids = new Map<string, number>();
  readonly #names: (string | undefined)[] = [];
  readonly #frequencies: number[] = [];
  readonly #memberFrequencies: number[] = [];
  #free: number[] = [];
  #units = 0;
  #longest = 1;
  #version = 0;
  /** Number of symbols by member frequency, as of the last time that it was asked for. */
  #spread: Map<number, number> | undefined;
  /** The member frequencies with which symbols that changed since are counted in it. */
  readonly #spreadAs = new Map<number, number>();
  /** How to undo the changes, in their order; `undefined` when they cannot be undone. */
  #undoing: Undoing[] | undefined;

  /** Fills an empty table with stored rows. Their counters are 0: a SymbolCounter counts them. */
  restore(rows: Iterable<SymbolRow>): void {
    this.#undoing = undefined;
    for (const row of rows) {
      this.#ids.set(row.name, row.id);
      this.#measure(row.name);
      this.#names[row.id] = row.name;
      this.#frequencies[row.id] = 0;
      this.#memberFrequencies[row.id] = 0;
    }
    for (let id = this.#names.length - 1; id >= 0; id--) {
      if (this.#names[id] === undefined) this.#release(id);
    }
    this.#version++;
  }

  /** Starts to keep what {@link takeBack} needs; what was kept before is dropped. */
  keepChanges(): void {
    this.#undoing = [];
  }

  /** Whether nothing has changed since {@link keepChanges}. */
  get isAsKept(): boolean {
    return this.#undoing?.length === 0;
  }

  /**
   * Takes back all changes since {@link keepChanges}. The same changes then have the same effect again, down to the
   * numbers of new symbols.
   *
   * @returns false when that is impossible because all symbols were replaced; then nothing was taken back
   */
  takeBack(): boolean {
    const undoing = this.#undoing;
    if (undoing === undefined) return false;
    this.#undoing = undefined;
    for (let undone = undoing.pop(); undone !== undefined; undone = undoing.pop()) {
      if (undone.kind === "counted") this.count(undone.id, -undone.occurrences, -undone.memberships);
      else if (undone.kind === "interned") this.forget(undone.id);
      else this.#remember(undone.row);
    }
    this.#undoing = undoing;
    return true;
  }

  /** Takes back the forgetting of a symbol, whose number was the last to become free. */
  #remember({ id, name, frequency, memberFrequency }: CountedSymbol): void {
    this.#free.pop();
    this.#ids.set(name, id);
    this.#measure(name);
    this.#names[id] = name;
    this.#version++;
    this.count(id, frequency, memberFrequency);
  }

  /** Total length of all known symbols, in UTF-16 units. */
  get units(): number {
    return this.#units;
  }

  /** @param symbols unknown ones, each once @throws Fault `exhausted` if they would exceed the maximum total length */
  assertRoomFor(symbols: Iterable<string>): void {
    let units = this.#units;
    for (const symbol of symbols) units += symbol.length;
    if (units === this.#units || units <= MAX_UNITS) return;
    throw new Fault(
      "exhausted",
      `the memory of this processor is used up: its known symbols may have ${MAX_UNITS} characters together, with ` +
        `these they have ${units}; delete models or clear the memory to free some`,
    );
  }

  /**
   * Length of the longest symbol so far, in UTF-16 units, even if it is forgotten by now: an upper bound. At least 1.
   */
  get longest(): number {
    return this.#longest;
  }

  /** All symbol numbers, used or free, are less than this. */
  get numbers(): number {
    return this.#names.length;
  }

  /** Number of known symbols. */
  get size(): number {
    return this.#ids.size;
  }

  /** Approximate heap bytes of the table. */
  get heapBytes(): number {
    return this.#ids.size * SYMBOL_HEAP_BYTES + this.#units;
  }

  /** Changes whenever a symbol gets or loses its number. */
  get version(): number {
    return this.#version;
  }

  /** All names, in no particular order. */
  names(): Iterable<string> {
    return this.#ids.keys();
  }

  /** All rows, in no particular order. */
  *rows(): Iterable<CountedSymbol> {
    for (const id of this.#ids.values()) yield this.row(id);
  }

  /** The number of a symbol; `undefined` for an unknown one. */
  idOf(name: string): number | undefined {
    return this.#ids.get(name);
  }

  /** Whether a symbol has this number. */
  isInUse(id: number): boolean {
    return this.#names[id] !== undefined;
  }

  /** The symbol with a number that is in use. */
  nameOf(id: number): string {
    const name = this.#names[id];
    if (name === undefined) throw new Error(`no symbol has the number ${id}`);
    return name;
  }

  /** The row of a known symbol. */
  row(id: number): CountedSymbol {
    return {
      id,
      name: this.nameOf(id),
      frequency: this.#frequencies[id] ?? 0,
      memberFrequency: this.#memberFrequencies[id] ?? 0,
    };
  }

  /** The number of a symbol. An unknown one becomes known, with counters at 0. */
  intern(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#free.pop() ?? this.#names.length;
    this.#ids.set(name, id);
    this.#measure(name);
    this.#names[id] = name;
    this.#frequencies[id] = 0;
    this.#memberFrequencies[id] = 0;
    this.#version++;
    this.#undoing?.push({ kind: "interned", id });
    return id;
  }

  /**
   * Number of learned models that contain a symbol, each counted as often as it was learned; 0 for a number not in use.
   */
  memberFrequencyOf(id: number): number {
    return this.#memberFrequencies[id] ?? 0;
  }

  /** Number of symbols by member frequency, without symbols that no model contains. */
  memberSpread(): ReadonlyMap<number, number> {
    const spread = this.#spread ?? new Map<number, number>();
    if (this.#spread === undefined) for (const members of this.#memberFrequencies) spreadBy(spread, members, 1);
    for (const [id, members] of this.#spreadAs) {
      spreadBy(spread, members, -1);
      spreadBy(spread, this.memberFrequencyOf(id), 1);
    }
    this.#spreadAs.clear();
    this.#spread = spread;
    return spread;
  }

  /** Adds to a symbol's counters; negative values subtract. */
  count(id: number, occurrences: number, memberships: number): void {
    this.#undoing?.push({ kind: "counted", id, occurrences, memberships });
    this.#frequencies[id] = (this.#frequencies[id] ?? 0) + occurrences;
    const members = this.#memberFrequencies[id] ?? 0;
    this.#memberFrequencies[id] = members + memberships;
    if (memberships !== 0) this.#noteSpread(id, members);
  }

  /** Forgets a known symbol; a new one may get its number. */
  forget(id: number): void {
    this.#undoing?.push({ kind: "forgotten", row: this.row(id) });
    const name = this.nameOf(id);
    this.#ids.delete(name);
    this.#units -= name.length;
    this.#release(id);
    this.#version++;
  }

  /** Forgets all symbols. */
  clear(): void {
    this.#undoing = undefined;
    this.#ids.clear();
    this.#units = 0;
    this.#longest = 1;
    this.#names.length = 0;
    this.#frequencies.length = 0;
    this.#memberFrequencies.length = 0;
    this.#spread = undefined;
    this.#spreadAs.clear();
    this.#free = [];
    this.#version++;
  }

  /** Notes that the member frequency of a symbol changes. @param members before the change */
  #noteSpread(id: number, members: number): void {
    if (this.#spread !== undefined && !this.#spreadAs.has(id)) this.#spreadAs.set(id, members);
  }

  #measure({ length }: string): void {
    this.#units += length;
    if (length > this.#longest) this.#longest = length;
  }

  #release(id: number): void {
    this.#names[id] = undefined;
    this.#noteSpread(id, this.memberFrequencyOf(id));
    this.#frequencies[id] = 0;
    this.#memberFrequencies[id] = 0;
    this.#free.push(id);
  }
}
