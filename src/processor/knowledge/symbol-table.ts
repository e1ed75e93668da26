/** The known symbols: their dense numbers and their counters. A symbol that nothing holds any more gives its number away. */

import type { SymbolRow } from "../ports/store";

/** Symbols by name and by number. */
export class SymbolTable {
  readonly #ids = new Map<string, number>();
  readonly #names: (string | undefined)[] = [];
  readonly #frequencies: number[] = [];
  readonly #memberFrequencies: number[] = [];
  #free: number[] = [];
  #version = 0;

  /** Takes over a table as it was stored; it must be empty. */
  restore(rows: Iterable<SymbolRow>): void {
    for (const row of rows) {
      this.#ids.set(row.name, row.id);
      this.#names[row.id] = row.name;
      this.#frequencies[row.id] = row.frequency;
      this.#memberFrequencies[row.id] = row.memberFrequency;
    }
    for (let id = this.#names.length - 1; id >= 0; id--) {
      if (this.#names[id] === undefined) this.#release(id);
    }
    this.#version++;
  }

  /** How many symbols are known. */
  get size(): number {
    return this.#ids.size;
  }

  /** Changes whenever a symbol gets or loses its number. */
  get version(): number {
    return this.#version;
  }

  /** All names, in no order. */
  names(): Iterable<string> {
    return this.#ids.keys();
  }

  /** Everything known of all symbols, in no order. */
  *rows(): Iterable<SymbolRow> {
    for (const id of this.#ids.values()) yield this.row(id);
  }

  /** The number of a symbol; `undefined` when it is not known. */
  idOf(name: string): number | undefined {
    return this.#ids.get(name);
  }

  /** The name of a known symbol's number. */
  nameOf(id: number): string {
    const name = this.#names[id];
    if (name === undefined) throw new Error(`no symbol has the number ${id}`);
    return name;
  }

  /** Everything known of a known symbol. */
  row(id: number): SymbolRow {
    return {
      id,
      name: this.nameOf(id),
      frequency: this.#frequencies[id] ?? 0,
      memberFrequency: this.#memberFrequencies[id] ?? 0,
    };
  }

  /** The number of a symbol, a new one with counters at 0 when it was not known. */
  claim(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#free.pop() ?? this.#names.length;
    this.#ids.set(name, id);
    this.#names[id] = name;
    this.#frequencies[id] = 0;
    this.#memberFrequencies[id] = 0;
    this.#version++;
    return id;
  }

  /** Adds to a symbol's counters; negative takes away. */
  count(id: number, occurrences: number, memberships: number): void {
    this.#frequencies[id] = (this.#frequencies[id] ?? 0) + occurrences;
    this.#memberFrequencies[id] = (this.#memberFrequencies[id] ?? 0) + memberships;
  }

  /** Forgets a known symbol; its number may be given to another. */
  forget(id: number): void {
    this.#ids.delete(this.nameOf(id));
    this.#release(id);
    this.#version++;
  }

  /** Forgets all symbols. */
  clear(): void {
    this.#ids.clear();
    this.#names.length = 0;
    this.#frequencies.length = 0;
    this.#memberFrequencies.length = 0;
    this.#free = [];
    this.#version++;
  }

  #release(id: number): void {
    this.#names[id] = undefined;
    this.#frequencies[id] = 0;
    this.#memberFrequencies[id] = 0;
    this.#free.push(id);
  }
}
