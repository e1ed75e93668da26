/** Removing symbols from every model: models are rebuilt, renamed, merged or deleted, and every counter stays right. */

import type { Mind } from "../mind";
import type { ModelRow } from "../ports/store";
import { addToBlacklist } from "./blacklist";
import { modelsHolding, type SymbolSearch, soughtIds } from "./symbol-search";

/** Rows read at a time. */
const BATCH = 256;

/** What became of a model that held a removed symbol. */
export interface ModelRename {
  oldName: string;
  /** Empty when nothing was left of it. */
  newName: string;
}

/** What is left of a model, event by event, the metadata with it. */
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
  const newName = mind.knowledge.learn({ events, frequency, emotives, metadata }, mind.genes.persistence);
  return { oldName: row.name, newName };
}

/**
 * Removes symbols, or the symbols that patterns match, from every model. Symbols given as such are blacklisted too, known or not.
 * A model that changes becomes the newest; one that becomes equal to another is merged into it.
 * @returns what became of the models that held one, sorted by old name
 * @throws Fault `invalid` when a pattern or a symbol is wrong
 */
export function removeSymbols(mind: Mind, search: SymbolSearch): ModelRename[] {
  const ids = new Set(soughtIds(mind, search).flatMap((each) => [...each]));
  const removed = new Set(Array.from(ids, (id) => mind.knowledge.symbols.nameOf(id)));
  const affected = modelsHolding(mind, [ids]);
  const renames: ModelRename[] = [];
  addToBlacklist(mind, search.symbols);
  for (let from = 0; from < affected.length; from += BATCH) {
    const rows = mind.store.modelsById(affected.slice(from, from + BATCH));
    renames.push(...rows.map((row) => rebuild(mind, row, removed)));
  }
  mind.commit();
  return renames.sort((a, b) => (a.oldName < b.oldName ? -1 : 1));
}
