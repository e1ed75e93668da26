/**
 * Symbols across all models: finds the models that hold some, removes some from every model, and keeps the blacklist of symbols that
 * observations drop.
 */

import { checkSymbols } from "../input/gdf-input";
import type { Mind } from "../mind";
import type { ModelRow } from "../ports/store";
import { wholeMatcher } from "../text/python-pattern";

/** Rows read at a time. */
const BATCH = 256;

/** The symbols or patterns to look for. One of the lists is empty. */
export interface SymbolSearch {
  symbols: string[];
  /** Regular expressions; each must match a whole symbol. */
  patterns: string[];
}

/** A model that held a removed symbol, before and after. */
export interface ModelRename {
  oldName: string;
  /** Empty when no symbol was left. */
  newName: string;
}

/** The numbers of the known symbols that a pattern matches. */
function idsMatching(mind: Mind, pattern: string): Set<number> {
  const matches = wholeMatcher(pattern);
  const ids = new Set<number>();
  for (const { id, name } of mind.knowledge.symbols.rows()) if (matches(name)) ids.add(id);
  return ids;
}

/** For each symbol or pattern, the numbers of the known symbols that it means. @throws Fault `invalid` */
function idsFor(mind: Mind, search: SymbolSearch): Set<number>[] {
  const symbols = checkSymbols(search.symbols, "a symbol").map((symbol) => mind.knowledge.symbols.idOf(symbol));
  return [
    ...symbols.map((id) => new Set(id === undefined ? [] : [id])),
    ...search.patterns.map((pattern) => idsMatching(mind, pattern)),
  ];
}

/** The ids of the models that hold a symbol of each set, oldest first; all models when there is no set. One pass over all models. */
function modelsHolding(mind: Mind, sets: readonly ReadonlySet<number>[]): number[] {
  if (sets.some((ids) => ids.size === 0)) return [];
  const found: number[] = [];
  for (const { id, symbols } of mind.store.corpus()) {
    if (sets.every((ids) => symbols.some((symbol) => ids.has(symbol)))) found.push(id);
  }
  return found;
}

/**
 * The names of the models that hold every symbol, or a match of every pattern, sorted; none for an empty search.
 * @throws Fault `invalid` when a pattern or a symbol is wrong
 */
export function findModels(mind: Mind, search: SymbolSearch): string[] {
  const sets = idsFor(mind, search);
  return sets.length === 0 ? [] : mind.store.modelNames(modelsHolding(mind, sets)).sort();
}

/** The events that a model keeps, with their metadata. */
function remainder(mind: Mind, row: ModelRow, removed: ReadonlySet<string>) {
  const left = mind.knowledge.eventsOf(row).map((symbols, at) => ({
    symbols: symbols.filter((symbol) => !removed.has(symbol)),
    metadata: row.metadata[at] ?? "{}",
  }));
  const kept = left.filter(({ symbols }) => symbols.length > 0);
  return { events: kept.map(({ symbols }) => symbols), metadata: kept.map(({ metadata }) => metadata) };
}

function rebuild(mind: Mind, row: ModelRow, removed: ReadonlySet<string>): ModelRename {
  const { events, metadata } = remainder(mind, row, removed);
  mind.knowledge.remove(row);
  if (events.length === 0) return { oldName: row.name, newName: "" };
  const { frequency, emotives } = row;
  const newName = mind.knowledge.merge({ events, frequency, emotives, metadata }, mind.genes.persistence);
  return { oldName: row.name, newName };
}

/**
 * Removes symbols, or the symbols that patterns match, from every model. Blacklists the given symbols too, known or not. A model that
 * changes becomes the newest; if another model has the same sequence, the two become one.
 * @returns the models that held one, sorted by old name
 * @throws Fault `invalid` when a pattern or a symbol is wrong
 */
export function removeSymbols(mind: Mind, search: SymbolSearch): ModelRename[] {
  const ids = new Set(idsFor(mind, search).flatMap((each) => [...each]));
  const removed = new Set(Array.from(ids, (id) => mind.knowledge.symbols.nameOf(id)));
  const affected = modelsHolding(mind, [ids]);
  const renames: ModelRename[] = [];
  addToBlacklist(mind, search.symbols);
  for (let from = 0; from < affected.length; from += BATCH) {
    const rows = mind.store.modelsById(affected.slice(from, from + BATCH));
    renames.push(...rows.map((row) => rebuild(mind, row, removed)));
  }
  mind.recordState();
  return renames.sort((a, b) => (a.oldName < b.oldName ? -1 : 1));
}

/** Adds symbols to the blacklist, in order. @throws Fault `invalid` when one is malformed */
export function addToBlacklist(mind: Mind, symbols: readonly string[]): void {
  const added = [...new Set(checkSymbols(symbols, "a symbol"))].filter((symbol) => !mind.blacklist.has(symbol));
  if (added.length === 0) return;
  mind.store.record({ kind: "blacklist-added", symbols: added });
  for (const symbol of added) mind.blacklist.add(symbol);
}

/** Removes symbols from the blacklist. @returns those that were not on it */
export function removeFromBlacklist(mind: Mind, symbols: readonly string[]): string[] {
  const distinct = [...new Set(symbols)];
  const removed = distinct.filter((symbol) => mind.blacklist.has(symbol));
  const unknown = distinct.filter((symbol) => !mind.blacklist.has(symbol));
  if (removed.length > 0) mind.store.record({ kind: "blacklist-removed", symbols: removed });
  for (const symbol of removed) mind.blacklist.delete(symbol);
  return unknown;
}
