/** A sequence with small numbers for its symbols and its different events, in the order in which they come first: so nothing depends on the order of learning. */

import type { SymbolTable } from "../../knowledge/symbol-table";

/** A sequence that is compared with what was learned. */
export interface NumberedSequence {
  /** The symbols, each once. A symbol's place here is called its number. */
  readonly names: readonly string[];
  /** By number: the symbol's number in the symbol table; -1 for one that no model holds. */
  readonly ids: Int32Array;
  /** By number: how often the sequence holds the symbol. */
  readonly counts: Float64Array;
  /** How many symbols it has, repeats counted. */
  readonly length: number;
  /** The different numbers of each event, ascending. */
  readonly events: readonly (readonly number[])[];
  /** The kind of each event: 1 or more, the same for events that hold the same symbols equally often. */
  readonly kinds: readonly number[];
  /** By kind, from the first on: its numbers, ascending, repeats kept. */
  readonly kindNumbers: readonly (readonly number[])[];
}

/** Numbers a sequence. @param events none is empty */
export function numbered(events: readonly (readonly string[])[], symbols: SymbolTable): NumberedSequence {
  const numbers = new Map<string, number>();
  const counts: number[] = [];
  const kindOf = new Map<string, number>();
  const kinds: number[] = [];
  const kindNumbers: number[][] = [];
  const distinct: number[][] = [];
  for (const event of events) {
    const own = event.map((symbol) => {
      const number = numbers.get(symbol) ?? numbers.size;
      numbers.set(symbol, number);
      counts[number] = (counts[number] ?? 0) + 1;
      return number;
    });
    own.sort((one, other) => one - other);
    const key = own.join();
    const kind = kindOf.get(key) ?? kindOf.size + 1;
    if (kind > kindOf.size) kindNumbers.push(own);
    kindOf.set(key, kind);
    kinds.push(kind);
    distinct.push([...new Set(own)]);
  }
  const names = [...numbers.keys()];
  return {
    names,
    ids: Int32Array.from(names, (name) => symbols.idOf(name) ?? -1),
    counts: Float64Array.from(counts),
    length: counts.reduce((sum, count) => sum + count, 0),
    events: distinct,
    kinds,
    kindNumbers,
  };
}
