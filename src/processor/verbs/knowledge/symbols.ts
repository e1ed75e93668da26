/**
 * Symbols across all models: removes symbols from every model, and keeps the blacklist of symbols that observations
 * drop.
 */

import type { ModelRename } from "../../../gen/plain";
import { assertListed, checkListed } from "../../input/gdf-input";
import { timesWithout } from "../../knowledge/model-times";
import type { Mind } from "../../mind";
import type { Unsigned } from "../../ports/matcher";
import { experienceOf, type ModelRow } from "../../ports/store";
import { modelsWhere, type SymbolSearch, symbolsMatching } from "./model-search";

/** Number of models changed in one part of a removal; some tens of milliseconds. */
const MODELS_PER_PART = 500;

/** What is left of a model's events, with their metadata and times. */
function remainder(mind: Mind, row: ModelRow, removed: ReadonlySet<string>) {
  const left = mind.knowledge.eventsOf(row).map((symbols, at) => ({
    symbols: symbols.filter((symbol) => !removed.has(symbol)),
    metadata: row.metadata[at] ?? "{}",
  }));
  const kept = left.filter(({ symbols }) => symbols.length > 0);
  return {
    events: kept.map(({ symbols }) => symbols),
    metadata: kept.map(({ metadata }) => metadata),
    times: timesWithout(row.times, left.length, (at) => (left[at]?.symbols.length ?? 0) > 0),
  };
}

/** The symbols to remove. @throws Fault as {@link findModels} */
function removedSymbols(mind: Mind, { symbols, patterns }: SymbolSearch): Set<string> {
  return new Set(patterns.length > 0 ? symbolsMatching(mind, patterns) : checkListed(symbols, "a symbol"));
}

/** The ids of the models that hold any of some symbols, oldest first. */
function modelsHoldingAny(mind: Mind, names: ReadonlySet<string>): number[] {
  const numbers = new Set(Array.from(names, (name) => mind.knowledge.symbols.idOf(name)));
  numbers.delete(undefined);
  return numbers.size === 0 ? [] : modelsWhere(mind, (symbols, from, to) => holdsAny(symbols, from, to, numbers));
}

function holdsAny(symbols: Unsigned, from: number, to: number, numbers: ReadonlySet<number | undefined>): boolean {
  for (let at = from; at < to; at++) if (numbers.has(symbols[at])) return true;
  return false;
}

function rebuild(mind: Mind, row: ModelRow, removed: ReadonlySet<string>): ModelRename {
  const { events, metadata, times } = remainder(mind, row, removed);
  mind.knowledge.remove(row);
  if (events.length === 0) return { oldName: row.name, newName: "" };
  const newName = mind.knowledge.merge({ ...experienceOf(row), events, metadata, times }, mind.genes.persistence);
  return { oldName: row.name, newName };
}

/**
 * Removes symbols, or the symbols that patterns match, from every model. Blacklists the given symbols too, known or
 * not. A model that changes becomes the newest; if another model has the same sequence, the two become one.
 *
 * Done in parts, each a verb of its own, so that other calls run in between. If it is interrupted, the parts done stay
 * done, and the same request does the rest.
 */
export class SymbolRemoval {
  readonly #symbols: readonly string[];
  /** By old name. */
  readonly #renames = new Map<string, ModelRename>();
  /** The symbols to remove. By name, because numbers may be reused between parts. */
  readonly #removed: ReadonlySet<string>;
  /** The ids of the models still to be changed, with the revision of the knowledge at which they were found. */
  #left: number[];
  #revision: number;
  #isBegun = false;

  /** Finds what to remove. @throws Fault `too-large` beyond a budget, `invalid` when a pattern or a symbol is wrong */
  constructor(mind: Mind, search: SymbolSearch) {
    this.#symbols = search.symbols;
    this.#removed = removedSymbols(mind, search);
    this.#left = modelsHoldingAny(mind, this.#removed);
    this.#revision = mind.knowledge.revision;
  }

  /** Whether no part is left. */
  get isDone(): boolean {
    return this.#isBegun && this.#left.length === 0;
  }

  /** Number of models that have changed or will. */
  get size(): number {
    return this.#renames.size + this.#left.length;
  }

  /** Adds the models that the same removal had changed before it was interrupted. */
  resume(renames: readonly ModelRename[]): void {
    for (const { oldName, newName } of renames) this.#renames.set(oldName, { oldName, newName });
  }

  /** The models that held one of the symbols, sorted by old name. */
  get renames(): ModelRename[] {
    return [...this.#renames.values()].sort((a, b) => (a.oldName < b.oldName ? -1 : 1));
  }

  /** Does the next part. */
  step(mind: Mind): void {
    if (!this.#isBegun) addToBlacklist(mind, this.#symbols);
    this.#isBegun = true;
    if (this.#revision !== mind.knowledge.revision) this.#left = modelsHoldingAny(mind, this.#removed);
    for (const row of mind.store.knowledge.modelsById(this.#left.slice(0, MODELS_PER_PART))) {
      this.#renames.set(row.name, rebuild(mind, row, this.#removed));
    }
    this.#left = this.#left.slice(MODELS_PER_PART);
    mind.recordState();
    this.#revision = mind.knowledge.revision;
  }
}

/**
 * Adds symbols to the blacklist, in order.
 *
 * @throws Fault `invalid` when one is malformed; `over-limit` if it would become too large
 */
export function addToBlacklist(mind: Mind, symbols: readonly string[]): void {
  const added = [...new Set(checkListed(symbols, "a symbol"))].filter((symbol) => !mind.blacklist.has(symbol));
  if (added.length === 0) return;
  mind.blacklist.assertRoomFor(added);
  mind.store.record({ kind: "blacklist-added", symbols: added });
  for (const symbol of added) mind.blacklist.add(symbol);
}

/**
 * Removes symbols from the blacklist.
 *
 * @returns those that were not blacklisted
 * @throws Fault `too-large` when they are too many
 */
export function removeFromBlacklist(mind: Mind, symbols: readonly string[]): string[] {
  assertListed(symbols);
  const distinct = [...new Set(symbols)];
  const removed = distinct.filter((symbol) => mind.blacklist.has(symbol));
  const unknown = distinct.filter((symbol) => !mind.blacklist.has(symbol));
  if (removed.length > 0) mind.store.record({ kind: "blacklist-removed", symbols: removed });
  for (const symbol of removed) mind.blacklist.delete(symbol);
  return unknown;
}
