/** Loads a knowledge base: checks and stages its parts one after the other, then replaces everything at once, or drops the parts. */

import { excerpt } from "../../../text/excerpt";
import { checkComponents } from "../../input/gdf-input";
import { checkEmotiveValues, checkEvents, checkFrequency, checkMetadataList } from "../../input/model-input";
import { assertCountable, countModel } from "../../knowledge/knowledge";
import { modelName, vectorName } from "../../knowledge/names";
import { SymbolTable } from "../../knowledge/symbol-table";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import type { Totals } from "../../ports/matcher";
import type { ModelRow, Staging, VectorRow } from "../../ports/store";
import type { Model } from "./models";

/** A part of the knowledge base to load. */
export interface KnowledgePart {
  loadId: string;
  /** Each with the name of its sequence. A model staged earlier is older. */
  models: Model[];
  /** Each with the name of its components. */
  vectors: { name: string; components: number[] }[];
}

type CheckedModel = Omit<ModelRow, "id" | "symbols" | "lengths"> & { events: string[][] };
type CheckedVector = Omit<VectorRow, "id">;

/** The load under way. @throws Fault `conflict` when it is not this one */
function stagingOf(mind: Mind, loadId: string): Staging {
  const staging = mind.store.staging();
  if (staging?.loadId !== loadId) {
    throw new Fault("conflict", `there is no load ${excerpt(loadId)} under way; begin one`);
  }
  return staging;
}

/** The symbols staged so far. Reads them from the store when they are not in memory. */
function stagedSymbols(mind: Mind, loadId: string): SymbolTable {
  if (mind.shared.staged?.loadId !== loadId) {
    const symbols = new SymbolTable();
    symbols.restore(mind.store.stagedSymbols());
    mind.shared.staged = { loadId, symbols };
  }
  return mind.shared.staged.symbols;
}

function checkModel(model: Model): CheckedModel {
  const label = `models_kb[${excerpt(model.name)}]`;
  const events = checkEvents(model.sequence, label);
  const name = modelName(events);
  if (model.name !== name) {
    throw new Fault("invalid", `${label}: name must be the name of its sequence, ${name}, got ${excerpt(model.name)}`);
  }
  const { length } = model.metadataJson;
  if (length > 0 && length !== events.length) {
    throw new Fault("invalid", `${label}: metadata must be one object per event, ${events.length}, got ${length}`);
  }
  return {
    name,
    events,
    frequency: checkFrequency(model.frequency, label),
    emotives: checkEmotiveValues(model.emotives, label),
    metadata: checkMetadataList(model.metadataJson, events.length, label),
  };
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

/** @param staged the subset of `names` that is staged already @throws Fault `invalid` when a name comes twice */
function assertNew(names: readonly string[], staged: readonly string[], part: string): void {
  const seen = new Set(staged);
  for (const name of names) {
    if (seen.has(name)) throw new Fault("invalid", `${part}[${excerpt(name)}] must be given once, got it twice`);
    seen.add(name);
  }
}

/** The symbols of models that a table does not know. */
function unknownIn(models: readonly CheckedModel[], table: SymbolTable): Set<string> {
  const symbols = models.flatMap(({ events }) => events.flat());
  return new Set(symbols.filter((symbol) => table.idOf(symbol) === undefined));
}

/** Gives a checked model its symbol numbers and counts it. */
function stageModel(checked: CheckedModel, id: number, symbols: SymbolTable, totals: Totals): ModelRow {
  const { name, events, frequency, emotives, metadata } = checked;
  const numbers = Uint32Array.from(events.flat(), (symbol) => symbols.intern(symbol));
  countModel(symbols, totals, numbers, frequency);
  const lengths = Uint32Array.from(events, ({ length }) => length);
  return { id, name, frequency, symbols: numbers, lengths, emotives, metadata };
}

/** Begins a load and drops one that was begun before. @param loadId identifies the load: new for every load, not empty */
export function beginLoad(mind: Mind, loadId: string): void {
  const totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
  mind.store.record({ kind: "staging-begun", staging: { loadId, totals, models: 0, vectors: 0, dimensionality: -1 } });
  mind.shared.staged = { loadId, symbols: new SymbolTable() };
}

/** Checks the models of a part, also against those staged before. */
function checkModels(mind: Mind, part: KnowledgePart, staging: Staging): CheckedModel[] {
  const models = part.models.map(checkModel);
  const names = models.map(({ name }) => name);
  assertNew(names, mind.store.stagedModelNames(names), "models_kb");
  const occurrences = models.reduce((sum, { frequency, events }) => sum + frequency * events.flat().length, 0);
  assertCountable(staging.totals.symbolFrequencies + occurrences);
  return models;
}

/** Checks the vectors of a part, also against those staged before. */
function checkVectors(mind: Mind, part: KnowledgePart, staging: Staging): CheckedVector[] {
  const dimensionality = staging.dimensionality >= 0 ? staging.dimensionality : part.vectors[0]?.components.length;
  const vectors = part.vectors.map((vector) => checkVector(vector, dimensionality ?? -1));
  const names = vectors.map(({ name }) => name);
  assertNew(names, mind.store.stagedVectorNames(names), "vectors_kb");
  return vectors;
}

/**
 * Stages a part, all or nothing of it.
 * @throws Fault `conflict` when the load is not under way; `invalid` when a record is wrong: the message names it and the wrong member
 */
export function loadKnowledge(mind: Mind, part: KnowledgePart): void {
  const staging = stagingOf(mind, part.loadId);
  const checkedModels = checkModels(mind, part, staging);
  const checkedVectors = checkVectors(mind, part, staging);
  const table = stagedSymbols(mind, part.loadId);
  const totals = { ...staging.totals };
  const added = unknownIn(checkedModels, table);
  const models = checkedModels.map((checked, at) => stageModel(checked, staging.models + 1 + at, table, totals));
  const vectors = checkedVectors.map((checked, at) => ({ ...checked, id: staging.vectors + 1 + at }));
  mind.store.record({
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
  });
}

/**
 * Replaces models, symbols and vectors by the staged ones. Working memory, flags, target class, blacklist and the name of the model
 * learned last stay. The dimensionality that status reports starts again at -1.
 * @throws Fault `conflict` when the load is not under way; `invalid` when vectors wait in working memory that do not fit those staged;
 * `exhausted` when there is no memory for it
 */
export function commitLoad(mind: Mind, loadId: string): void {
  const staging = stagingOf(mind, loadId);
  const waiting = mind.waiting.dimensionality;
  if (waiting >= 0 && staging.dimensionality >= 0 && waiting !== staging.dimensionality) {
    throw new Fault(
      "invalid",
      `vectors_kb must hold vectors of ${waiting} components like those in working memory, got ${staging.dimensionality}; clear working memory first`,
    );
  }
  mind.knowledge.keepAllAsItIs();
  mind.store.record({ kind: "staging-committed" });
  mind.shared.staged = undefined;
  mind.knowledge.reload(staging.totals, staging.models + 1);
  mind.vectors.reload();
  mind.shared.update({ vectorDimensionality: -1 });
  mind.recordState();
}

/** Drops everything staged. Does nothing when the load is not under way. */
export function abortLoad(mind: Mind, loadId: string): void {
  if (mind.store.staging()?.loadId !== loadId) return;
  mind.store.record({ kind: "staging-dropped" });
  mind.shared.staged = undefined;
}
