/** A sequence that a caller asks about, as the symbol numbers that a query takes. It is in no memory and stays in none. */

import type { SymbolTable } from "../knowledge/symbol-table";
import { UNKNOWN_SYMBOL_BASE } from "../ports/matcher";

/** The symbols of a query, and their names. */
export interface AskedSymbols {
  /** The symbol numbers of all events, oldest first; may hold unknown symbols. */
  readonly numbers: Uint32Array;
  /** The symbol with a number of the query or of a model. */
  nameOf(id: number): string;
}

/** Numbers the symbols of a sequence. @param events oldest first */
export function askedSequence(events: readonly (readonly string[])[], symbols: SymbolTable): AskedSymbols {
  const unknownIds = new Map<string, number>();
  const unknownNames: string[] = [];
  const unknownId = (name: string): number => {
    const given = unknownIds.get(name);
    if (given !== undefined) return given;
    const id = UNKNOWN_SYMBOL_BASE + unknownNames.push(name) - 1;
    unknownIds.set(name, id);
    return id;
  };
  return {
    numbers: Uint32Array.from(
      events.flatMap((event) => event.map((symbol) => symbols.idOf(symbol) ?? unknownId(symbol))),
    ),
    nameOf: (id) => unknownNames[id - UNKNOWN_SYMBOL_BASE] ?? symbols.nameOf(id),
  };
}
