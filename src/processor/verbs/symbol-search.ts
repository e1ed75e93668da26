/** Which models hold certain symbols: found by one pass over all of them. */

import { takeSymbols } from "../input/gdf-input";
import type { Mind } from "../mind";
import { symbolTest } from "../text/python-pattern";

/** What is sought: symbols or patterns. One of the lists is empty. */
export interface SymbolSearch {
  symbols: string[];
  /** Regular expressions, each of which must match a whole symbol. */
  patterns: string[];
}

/** The numbers of the known symbols that a pattern matches. */
function matching(mind: Mind, pattern: string): Set<number> {
  const matches = symbolTest(pattern);
  const ids = new Set<number>();
  for (const { id, name } of mind.knowledge.symbols.rows()) if (matches(name)) ids.add(id);
  return ids;
}

/** For every symbol or pattern sought, the numbers of the known symbols meant. @throws Fault `invalid` */
export function soughtIds(mind: Mind, search: SymbolSearch): Set<number>[] {
  const symbols = takeSymbols(search.symbols, "a symbol").map((symbol) => mind.knowledge.symbols.idOf(symbol));
  return [
    ...symbols.map((id) => new Set(id === undefined ? [] : [id])),
    ...search.patterns.map((pattern) => matching(mind, pattern)),
  ];
}

/** Ids of the models that hold a symbol of every one of the sets, oldest first; all models when there is no set. */
export function modelsHolding(mind: Mind, sought: readonly ReadonlySet<number>[]): number[] {
  if (sought.some((ids) => ids.size === 0)) return [];
  const found: number[] = [];
  for (const { id, symbols } of mind.store.corpus()) {
    if (sought.every((ids) => symbols.some((symbol) => ids.has(symbol)))) found.push(id);
  }
  return found;
}

/**
 * Names of the models that hold all that is sought, sorted; none when nothing is sought.
 * @throws Fault `invalid` when a pattern or a symbol is wrong
 */
export function findModels(mind: Mind, search: SymbolSearch): string[] {
  const sought = soughtIds(mind, search);
  return sought.length === 0 ? [] : mind.store.modelNames(modelsHolding(mind, sought)).sort();
}
