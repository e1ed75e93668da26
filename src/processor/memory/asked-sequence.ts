/** A sequence that a caller asks about, as symbol numbers for a query. It belongs to no memory. */

import type { SymbolTable } from "../knowledge/symbol-table";
import { EventLog } from "./event-log";
import { QueryMemory } from "./query-memory";

/** The symbols of a query, and their names. */
export interface AskedSymbols {
  /** The symbol numbers of all events, oldest first; may include unknown symbols. */
  readonly numbers: Uint32Array;
  /** The number of symbols of each event, oldest first. */
  readonly lengths: Uint32Array;
  /** The symbol with a number of the query or of a model. */
  nameOf(id: number): string;
}

/** Numbers the symbols of a sequence. @param events oldest first */
export function askedSequence(events: readonly string[][], symbols: SymbolTable): AskedSymbols {
  const log = new EventLog(events.map((event, position) => ({ position, symbols: event, metadata: "" })));
  const query = new QueryMemory(log, symbols);
  return {
    numbers: query.numbers(0, events.length),
    lengths: Uint32Array.from(events, ({ length }) => length),
    nameOf: (id) => query.nameOf(id),
  };
}
