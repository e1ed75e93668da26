/**
 * Loads a knowledge base: checks and stages its parts one after the other, then replaces everything at once, or drops
 * the parts. `knowledge-merge.ts` adds them to what there is.
 */

import { excerpt } from "../../../text/excerpt";
import { checkComponents } from "../../input/gdf-input";
import { assertCountable, countModel } from "../../knowledge/counting";
import { vectorName } from "../../knowledge/names";
import { SymbolTable } from "../../knowledge/symbol-table";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import type { Totals } from "../../ports/matcher";
import { MAX_ORDER, type ModelRow, NO_SCORES, type Staging, type Store, type VectorRow } from "../../ports/store";
import { type CheckedModel, checkModel, type Model } from "./model-record";

/** A part of the knowledge base to load. */
export interface KnowledgePart {
  loadId: string;
  /** Each with the name of its sequence. Models staged earlier count as older. */
  models: Model[];
  /** Each with the name of its components. */
  vectors: { name: string; components: number[]; order?: number | undefined }[];
}

/** Where a load is staged: in a store, with a copy of its symbols in memory. */
export interface StagingSite {
  readonly store: Store;
  /** Absent without a load, or before it is read from the store. */
  staged: { readonly loadId: string; readonly symbols: SymbolTable } | undefined;
  /** The greatest order that a record may have; {@link MAX_ORDER} if absent. */
  readonly mostOrder?: number;
}

type CheckedVector = Omit<VectorRow, "id">;

/** The load in progress. @throws Fault `conflict` when there is none, or another one */
export function stagingOf({ store }: StagingSite, loadId: string): Staging {
  const staging = store.staging();
  if (staging?.loadId !== loadId) {
    throw new Fault("conflict", `there is no load ${excerpt(loadId)} under way; begin one`);
  }
  return staging;
}

/** The symbols staged so far. Reads them from the store when they are not in memory. */
export function stagedSymbols(site: StagingSite, loadId: string): SymbolTable {
  if (site.staged?.loadId !== loadId) {
    const symbols = new SymbolTable();
    symbols.restore(site.store.staged.symbols());
    site.staged = { loadId, symbols };
  }
  return site.staged.symbols;
}

function checkVector(vector: KnowledgePart["vectors"][number], dimensionality: number): CheckedVector {
  const label = `vectors_kb[${excerpt(vector.name)}]`;
  // The addition turns -0 into 0.
  const components = Float64Array.from(checkComponents(vector.components, `${label}: vector`), (each) => each + 0);
  if (dimensionality >= 0 && components.length !== dimensionality) {
    throw new Fault(
      "invalid",
      `${label}: vector must have ${dimensionality} components like those before it, got ${components.length}`,
    );
  }
  const name = vectorName(components);
  if (vector.name !== name) {
    throw new Fault("invalid", `${label}: name must be the name of its vector, ${name}, got ${excerpt(vector.name)}`);
  }
  return { name, components };
}

/** @param staged those of `names` that are staged already @throws Fault `invalid` when a name occurs twice */
function assertNew(names: readonly string[], staged: readonly string[], part: string): void {
  const seen = new Set(staged);
  for (const name of names) {
    if (seen.has(name)) throw new Fault("invalid", `${part}[${excerpt(name)}] must be given once, got it twice`);
    seen.add(name);
  }
}

/** The symbols of models that are missing in a table. */
function unknownIn(models: readonly CheckedModel[], table: SymbolTable): Set<string> {
  const symbols = models.flatMap(({ events }) => events.flat());
  return new Set(symbols.filter((symbol) => table.idOf(symbol) === undefined));
}

/** Gives a checked model its symbol numbers, and counts it. */
function stageModel(checked: CheckedModel, id: number, symbols: SymbolTable, totals: Totals): ModelRow {
  const { events, ...model } = checked;
  const numbers = Uint32Array.from(events.flat(), (symbol) => symbols.intern(symbol));
  countModel(symbols, totals, numbers, model.frequency);
  const lengths = Uint32Array.from(events, ({ length }) => length);
  return { ...model, id, symbols: numbers, lengths };
}

/**
 * Begins a load, and drops an earlier one in progress.
 *
 * @param loadId identifies the load: a new one for every load, not empty
 */
export function beginLoad(site: StagingSite, loadId: string): void {
  const totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
  site.store.record({ kind: "staging-begun", staging: { loadId, totals, models: 0, vectors: 0, dimensionality: -1 } });
  site.staged = { loadId, symbols: new SymbolTable() };
}

/** A record that may have an order in the file. */
interface Ordered {
  readonly name: string;
  readonly order?: number | undefined;
}

/**
 * The orders of records, as their staged ids.
 * @param part the part of the file that they are in
 * @param stagedIds the ids that are staged already
 * @returns `undefined` when no record has an order
 * @throws Fault `invalid` if only some have one, one is not a whole number from 1 to `most`, or two are the same
 */
function ordersOf(
  records: readonly Ordered[],
  part: string,
  most: number,
  stagedIds: (ids: readonly number[]) => number[],
): number[] | undefined {
  const given = records.filter(({ order }) => order !== undefined);
  if (given.length === 0) return undefined;
  const without = records.find(({ order }) => order === undefined);
  if (without !== undefined) {
    throw new Fault(
      "invalid",
      `${part}[${excerpt(without.name)}]: order is missing; give it to all records or to none`,
    );
  }
  const orders = given.map(({ name, order = 0 }) => {
    if (Number.isInteger(order) && order >= 1 && order <= most) return order;
    const accepted = `a whole number from 1 to ${most}`;
    throw new Fault("invalid", `${part}[${excerpt(name)}]: order must be ${accepted}, got ${order}`);
  });
  const seen = new Set(stagedIds(orders));
  for (const [at, order] of orders.entries()) {
    if (seen.has(order)) {
      const name = excerpt(records[at]?.name ?? "");
      throw new Fault("invalid", `${part}[${name}]: order must be different for each record, got ${order} twice`);
    }
    seen.add(order);
  }
  return orders;
}

/**
 * The ids of records without an order: the numbers after the `staged` ones.
 *
 * @throws Fault `invalid` when an id is the order of another record
 */
function nextIds(
  records: readonly Ordered[],
  part: string,
  staged: number,
  stagedIds: (ids: readonly number[]) => number[],
): number[] {
  const ids = records.map((_, at) => staged + 1 + at);
  if (stagedIds(ids).length === 0) return ids;
  throw new Fault(
    "invalid",
    `${part}[${excerpt(records[0]?.name ?? "")}]: order is missing; give it to all records or to none`,
  );
}

/** Checks the models of a part, including against those staged before. */
function checkModels(store: Store, part: KnowledgePart, staging: Staging): CheckedModel[] {
  const models = part.models.map(checkModel);
  const names = models.map(({ name }) => name);
  assertNew(names, store.staged.present("models", names), "models_kb");
  const occurrences = models.reduce((sum, { frequency, events }) => sum + frequency * events.flat().length, 0);
  assertCountable(staging.totals.symbolFrequencies + occurrences);
  return models;
}

/** Checks the vectors of a part, including against those staged before. */
function checkVectors(store: Store, part: KnowledgePart, staging: Staging): CheckedVector[] {
  const dimensionality = staging.dimensionality >= 0 ? staging.dimensionality : part.vectors[0]?.components.length;
  const vectors = part.vectors.map((vector) => checkVector(vector, dimensionality ?? -1));
  const names = vectors.map(({ name }) => name);
  assertNew(names, store.staged.present("vectors", names), "vectors_kb");
  return vectors;
}

/**
 * Stages a part, all or nothing of it.
 * @throws Fault `conflict` when the load is not in progress; `invalid` when a record is wrong: the message names it and
 *   the wrong member
 */
export function loadKnowledge(site: StagingSite, part: KnowledgePart): void {
  const { store, mostOrder = MAX_ORDER } = site;
  const staging = stagingOf(site, part.loadId);
  const checkedModels = checkModels(store, part, staging);
  const checkedVectors = checkVectors(store, part, staging);
  const stagedModelIds = (ids: readonly number[]) => store.staged.presentIds("models", ids);
  const stagedVectorIds = (ids: readonly number[]) => store.staged.presentIds("vectors", ids);
  const orders = ordersOf(part.models, "models_kb", mostOrder, stagedModelIds);
  const modelIds = orders ?? nextIds(part.models, "models_kb", staging.models, stagedModelIds);
  const vectorIds =
    ordersOf(part.vectors, "vectors_kb", mostOrder, stagedVectorIds) ??
    nextIds(part.vectors, "vectors_kb", staging.vectors, stagedVectorIds);
  const table = stagedSymbols(site, part.loadId);
  const totals = { ...staging.totals };
  const added = unknownIn(checkedModels, table);
  table.assertRoomFor(added);
  const models = checkedModels.map((checked, at) => stageModel(checked, modelIds[at] ?? 0, table, totals));
  const vectors = checkedVectors.map((checked, at) => ({ ...checked, id: vectorIds[at] ?? 0 }));
  store.record({
    kind: "staging-grown",
    staging: {
      loadId: part.loadId,
      totals,
      models: staging.models + models.length,
      vectors: staging.vectors + vectors.length,
      dimensionality: vectors[0]?.components.length ?? staging.dimensionality,
    },
    symbols: Array.from(added, (name) => ({ id: table.intern(name), name })),
    models,
    vectors,
    isOrdered: orders !== undefined,
  });
}

/**
 * Replaces models, symbols and vectors by the staged ones. Working memory, flags, target class, blacklist and the name
 * of the model learned last stay. The dimensionality that status reports starts again at -1.
 * @param grade grades the loaded models
 * @throws Fault `conflict` when the load is not in progress; `invalid` when vectors waiting in working memory do not
 *   fit the staged ones; `exhausted` when there is no memory for it
 */
export function commitLoad(mind: Mind, loadId: string, grade: () => void): void {
  const staging = stagingOf(mind.shared, loadId);
  assertFitting(
    staging,
    mind.waiting.dimensionality,
    `those in working memory, got ${staging.dimensionality}; clear working memory first`,
  );
  mind.knowledge.keepAllAsItIs();
  const nextModelId = mind.store.staged.lastModelId() + 1;
  mind.store.record({ kind: "staging-committed" });
  mind.shared.staged = undefined;
  mind.knowledge.reload(staging.totals, nextModelId);
  mind.vectors.reload();
  grade();
  // Scores of earlier learns do not compare with the new knowledge.
  mind.store.record({ kind: "scores-cleared" });
  mind.shared.update({ vectorDimensionality: -1, learnScores: NO_SCORES });
  mind.recordState();
}

/** @param length the required number of components; -1 for any @throws Fault `invalid` */
export function assertFitting({ dimensionality }: Staging, length: number, whose: string): void {
  if (length < 0 || dimensionality < 0 || length === dimensionality) return;
  throw new Fault("invalid", `vectors_kb must hold vectors of ${length} components like ${whose}`);
}

/** Drops everything staged. Does nothing if the load is not in progress. */
export function abortLoad(mind: Mind, loadId: string): void {
  if (mind.store.staging()?.loadId !== loadId) return;
  mind.store.record({ kind: "staging-dropped" });
  mind.shared.staged = undefined;
}
