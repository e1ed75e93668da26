/** Replacing the knowledge base: parts are checked and staged one after the other, then all is swapped at once, or dropped. */

import { excerpt } from "../../text/excerpt";
import { takeComponents } from "../input/gdf-input";
import { takeEmotiveValues, takeEvents, takeFrequency, takeMetadataList } from "../input/model-input";
import { assertCountable } from "../knowledge/knowledge";
import { modelName, vectorName } from "../knowledge/names";
import { SymbolTable } from "../knowledge/symbol-table";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import type { Totals } from "../ports/matcher";
import type { ModelRow, Staging, VectorRow } from "../ports/store";
import type { Model } from "./models";

/** A part of the new knowledge base. */
export interface KnowledgePart {
  loadId: string;
  /** Each under the name of its sequence; older the earlier they are staged. */
  models: Model[];
  /** Each under the name of its components. */
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

/** The symbols staged so far, read from the store when they are not in memory. */
function stagedSymbols(mind: Mind, loadId: string): SymbolTable {
  if (mind.staged?.loadId !== loadId) {
    const symbols = new SymbolTable();
    symbols.restore(mind.store.stagedSymbols());
    mind.staged = { loadId, symbols };
  }
  return mind.staged.symbols;
}

function checkModel(model: Model): CheckedModel {
  const called = `models_kb[${excerpt(model.name)}]`;
  const events = takeEvents(model.sequence, called);
  const name = modelName(events);
  if (model.name !== name) {
    throw new Fault("invalid", `${called}: name must be the name of its sequence, ${name}, got ${excerpt(model.name)}`);
  }
  const { length } = model.metadataJson;
  if (length > 0 && length !== events.length) {
    throw new Fault("invalid", `${called}: metadata must be one object per event, ${events.length}, got ${length}`);
  }
  return {
    name,
    events,
    frequency: takeFrequency(model.frequency, called),
    emotives: takeEmotiveValues(model.emotives, called),
    metadata: takeMetadataList(model.metadataJson, events.length, called),
  };
}

function checkVector(vector: KnowledgePart["vectors"][number], dimensionality: number): CheckedVector {
  const called = `vectors_kb[${excerpt(vector.name)}]`;
  // The addition turns -0 into 0.
  const components = Float64Array.from(takeComponents(vector.components, `${called}: vector`), (each) => each + 0);
  if (dimensionality >= 0 && components.length !== dimensionality) {
    throw new Fault(
      "invalid",
      `${called}: vector must have ${dimensionality} components as those before it, got ${components.length}`,
    );
  }
  const name = vectorName(components);
  if (vector.name !== name) {
    throw new Fault("invalid", `${called}: name must be the name of its vector, ${name}, got ${excerpt(vector.name)}`);
  }
  return { name, components };
}

/** Refuses a name that comes twice. @param staged those of the names that are staged already */
function assertNew(names: readonly string[], staged: readonly string[], part: string): void {
  const seen = new Set(staged);
  for (const name of names) {
    if (seen.has(name)) throw new Fault("invalid", `${part}[${excerpt(name)}] must be given once, got it twice`);
    seen.add(name);
  }
}

/** Gives a checked model numbers and counts it. */
function stageModel(checked: CheckedModel, id: number, symbols: SymbolTable, totals: Totals): ModelRow {
  const { name, events, frequency, emotives, metadata } = checked;
  const numbers = Uint32Array.from(events.flat(), (symbol) => symbols.claim(symbol));
  const members = new Set(numbers);
  for (const number of numbers) symbols.count(number, frequency, 0);
  for (const member of members) symbols.count(member, 0, frequency);
  totals.modelFrequencies += frequency;
  totals.symbolFrequencies += frequency * numbers.length;
  totals.memberFrequencies += frequency * members.size;
  const lengths = Uint32Array.from(events, ({ length }) => length);
  return { id, name, frequency, symbols: numbers, lengths, emotives, metadata };
}

/** Begins a load; one begun before and not committed is dropped. @param loadId identifies it; new with every load, not empty */
export function beginLoad(mind: Mind, loadId: string): void {
  const totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
  mind.store.record({ kind: "staging-begun", staging: { loadId, totals, models: 0, vectors: 0, dimensionality: -1 } });
  mind.staged = { loadId, symbols: new SymbolTable() };
}

/** Checks the models of a part, together with those staged before. */
function checkModels(mind: Mind, part: KnowledgePart, staging: Staging): CheckedModel[] {
  const models = part.models.map(checkModel);
  const names = models.map(({ name }) => name);
  assertNew(names, mind.store.stagedModelNames(names), "models_kb");
  const occurrences = models.reduce((sum, { frequency, events }) => sum + frequency * events.flat().length, 0);
  assertCountable(staging.totals.symbolFrequencies + occurrences);
  return models;
}

/** Checks the vectors of a part, together with those staged before. */
function checkVectors(mind: Mind, part: KnowledgePart, staging: Staging): CheckedVector[] {
  const dimensionality = staging.dimensionality >= 0 ? staging.dimensionality : part.vectors[0]?.components.length;
  const vectors = part.vectors.map((vector) => checkVector(vector, dimensionality ?? -1));
  const names = vectors.map(({ name }) => name);
  assertNew(names, mind.store.stagedVectorNames(names), "vectors_kb");
  return vectors;
}

/**
 * Stages a part, all or nothing of it.
 * @throws Fault `conflict` when the load is not under way; `invalid` when a record is wrong: the message says which, and which member
 */
export function loadKnowledge(mind: Mind, part: KnowledgePart): void {
  const staging = stagingOf(mind, part.loadId);
  const checkedModels = checkModels(mind, part, staging);
  const checkedVectors = checkVectors(mind, part, staging);
  const table = stagedSymbols(mind, part.loadId);
  const totals = { ...staging.totals };
  const models = checkedModels.map((checked, at) => stageModel(checked, staging.models + 1 + at, table, totals));
  const vectors = checkedVectors.map((checked, at) => ({ ...checked, id: staging.vectors + 1 + at }));
  const touched = new Set(models.flatMap(({ symbols }) => Array.from(symbols)));
  mind.store.record({
    kind: "staging-grown",
    staging: {
      loadId: part.loadId,
      totals,
      models: staging.models + models.length,
      vectors: staging.vectors + vectors.length,
      dimensionality: vectors[0]?.components.length ?? staging.dimensionality,
    },
    symbols: Array.from(touched, (id) => table.row(id)),
    models,
    vectors,
  });
}

/**
 * Replaces models, symbols and vectors by what was staged. Working memory, flags, target class, blacklist and the name of the model
 * learned last stay; the dimensionality that status reports begins anew.
 * @throws Fault `conflict` when the load is not under way; `invalid` when vectors wait in working memory that do not fit those staged;
 * `exhausted` when there is no memory for it
 */
export function commitLoad(mind: Mind, loadId: string): void {
  const staging = stagingOf(mind, loadId);
  const waiting = mind.vectors.waitingDimensionality;
  if (waiting >= 0 && staging.dimensionality >= 0 && waiting !== staging.dimensionality) {
    throw new Fault(
      "invalid",
      `vectors_kb must hold vectors of ${waiting} components as those in working memory, got ${staging.dimensionality}; clear working memory first`,
    );
  }
  mind.store.record({ kind: "staging-committed" });
  mind.staged = undefined;
  mind.knowledge.reload(staging.totals, staging.models + 1);
  mind.vectors.reload();
  mind.feel({ vectorDimensionality: -1 });
  mind.commit();
}

/** Drops what was staged; nothing happens when the load is not under way. */
export function abortLoad(mind: Mind, loadId: string): void {
  if (mind.store.staging()?.loadId !== loadId) return;
  mind.store.record({ kind: "staging-dropped" });
  mind.staged = undefined;
}
