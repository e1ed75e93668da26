/**
 * A sequence whose symbols and distinct events have small numbers, in the order of first appearance, so that nothing
 * depends on the order of learning.
 */

import type { SymbolTable } from "../../knowledge/symbol-table";

/** A sequence to compare with what was learned. */
export interface NumberedSequence {
  /** The distinct symbols. A symbol's index here is called its number. */
  readonly names: readonly string[];
  /** By number: the symbol's id in the symbol table; -1 if no model holds it. */
  readonly ids: Int32Array;
  /** By number: occurrences of the symbol in the sequence. */
  readonly counts: Float64Array;
  /** Number of symbols, with repeats. */
  readonly length: number;
  /** The distinct numbers of each event, ascending. */
  readonly events: readonly (readonly number[])[];
  /** The kind of each event, from 1 on. Events of one kind hold the same symbols equally often. */
  readonly kinds: readonly number[];
  /** By kind: its numbers, ascending, with repeats. */
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
