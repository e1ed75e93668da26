/** How models are counted: what one adds to the counters, how far they may go, and what is wrong when stored rows do not add up to them. */

import { Fault } from "../ports/fault";
import type { Totals } from "../ports/matcher";
import type { SymbolTable } from "./symbol-table";

/**
 * Refuses counters beyond the whole numbers that a double holds exactly.
 * @param symbolFrequencies the greatest of all counters
 * @throws Fault `invalid`
 */
export function assertCountable(symbolFrequencies: number): void {
  if (symbolFrequencies > Number.MAX_SAFE_INTEGER) {
    throw new Fault(
      "invalid",
      `the frequencies of all symbols must sum to at most ${Number.MAX_SAFE_INTEGER}, got ${symbolFrequencies}`,
    );
  }
}

/**
 * Counts the symbols of a model that is learned `frequency` times more; a negative frequency subtracts.
 * @returns the numbers of its distinct symbols
 */
export function countModel(
  table: SymbolTable,
  totals: Totals,
  symbols: Uint32Array,
  frequency: number,
): ReadonlySet<number> {
  const members = new Set(symbols);
  for (const id of symbols) table.count(id, frequency, 0);
  for (const id of members) table.count(id, 0, frequency);
  totals.modelFrequencies += frequency;
  totals.symbolFrequencies += frequency * symbols.length;
  totals.memberFrequencies += frequency * members.size;
  return members;
}

/** Whether two counts are the same. */
export function isSame(one: Totals, other: Totals): boolean {
  return (
    one.modelFrequencies === other.modelFrequencies &&
    one.memberFrequencies === other.memberFrequencies &&
    one.symbolFrequencies === other.symbolFrequencies
  );
}

/** The refusal to open a knowledge base that contradicts itself. @param how the contradiction */
function damage(how: string): Fault {
  return new Fault("damaged", `this processor's storage is damaged: ${how}; docs/damage.md says how to restore it`);
}

/** The refusal to open a knowledge base whose rows do not add up to its counters. */
export function contradicting(rows: Totals, counters: Totals): Fault {
  const say = ({ modelFrequencies, symbolFrequencies, memberFrequencies }: Totals) =>
    `${modelFrequencies} models, ${symbolFrequencies} symbols and ${memberFrequencies} members`;
  return damage(`its rows count ${say(rows)}, its state ${say(counters)}`);
}

/** The refusal to open a knowledge base with a symbol that no model holds. */
export function heldByNone(id: number): Fault {
  return damage(`no model holds the symbol with the number ${id}`);
}
