/** Writes a processor's answers in the form of the HTTP interface, for the conformance examples. */

import type { Emotive, Event, Gdf, ModelRename, Observed, Prediction, Status } from "../../../src/gen/plain";
import type { Gene } from "../../../src/processor/genes/genes";
import type { EmotiveValues } from "../../../src/processor/ports/store";
import type { Model } from "../../../src/processor/verbs/knowledge/model-record";
import type { Cognition } from "../../../src/processor/verbs/memory-verbs";

/** A model as clients send it. */
export interface SentModel {
  sequence?: string[][];
  frequency?: number;
  emotives?: Record<string, number[]>;
  metadata?: unknown[];
}

/** Emotives as an object. */
export function emotivesForm(emotives: readonly Emotive[]): Record<string, number> {
  return Object.fromEntries(emotives.map(({ name, value }) => [name, value]));
}

/** Events as lists. */
export function eventsForm(events: readonly Event[]): string[][] {
  return events.map(({ symbols }) => symbols);
}

/** The answer to observe. */
export function observedForm(observed: Observed): unknown {
  return {
    auto_learned_model: observed.autoLearnedModel === "" ? "" : `MODEL|${observed.autoLearnedModel}`,
    prediction_made: observed.predictionMade,
    status: observed.awake ? "observed" : "asleep",
    unique_id: observed.uniqueId,
  };
}

/** One prediction. */
export function predictionForm(prediction: Prediction): unknown {
  const { past, present, future, emotives, grandHamiltonian, itfdfSimilarity, ...same } = prediction;
  return {
    ...same,
    past: eventsForm(past),
    present: eventsForm(present),
    future: eventsForm(future),
    emotives: emotivesForm(emotives),
    grand_hamiltonian: grandHamiltonian,
    itfdf_similarity: itfdfSimilarity,
    type: "prototypical",
  };
}

/** The status record. */
export function statusForm(status: Status, time: number): unknown {
  return {
    AUTOLEARN: status.autolearn,
    HYPOTHESIZED: false,
    PREDICT: status.predict,
    SLEEPING: status.sleeping,
    SNAPSHOT: false,
    emotives: emotivesForm(status.emotives),
    last_learned_model_name: status.lastLearnedModelName,
    models_kb: `{KB| objects: ${status.models}}`,
    name: status.name,
    ...(status.nearLimits.length > 0 && { near_limits: status.nearLimits }),
    num_observe_call: status.numObserveCall,
    size_WM: status.workingMemorySize,
    target: status.target,
    time,
    vector_dimensionality: status.vectorDimensionality,
    vectors_kb: `{KB| objects: ${status.vectors}}`,
  };
}

function gdfForm(gdf: Gdf | undefined): Record<string, unknown> {
  return {
    emotives: emotivesForm(gdf?.emotives ?? []),
    metadata: JSON.parse(gdf?.metadataJson ?? "{}"),
    strings: gdf?.strings ?? [],
    unique_id: gdf?.uniqueId ?? "",
    vectors: gdf?.vectors.map(({ components }) => components) ?? [],
  };
}

/** The percept. */
export function perceptForm(percept: { gdf?: Gdf; path: string[] }): unknown {
  return percept.gdf === undefined ? {} : { ...gdfForm(percept.gdf), path: percept.path };
}

/** The cognition record. */
export function cognitionForm(cognition: Cognition): unknown {
  return {
    ...gdfForm(cognition.gdf),
    command: cognition.gdf?.command ?? "",
    path: cognition.path,
    predictions: cognition.predictions.map(predictionForm),
    symbols: cognition.symbols,
    working_memory: eventsForm(cognition.workingMemory),
  };
}

/** All genes. */
export function genesForm(genes: readonly Gene[]): unknown {
  return { genes: Object.fromEntries(genes.map(({ name, value }) => [name, value.value.value])) };
}

/** A model record as the knowledge base holds it. */
export function recordForm(model: Model): Record<string, unknown> {
  return {
    emotives: Object.fromEntries(model.emotives.map(({ name, values }) => [name, values])),
    frequency: model.frequency,
    length: model.sequence.flatMap(({ symbols }) => symbols).length,
    metadata: model.metadataJson.map((text) => JSON.parse(text)),
    name: model.name,
    sequence: eventsForm(model.sequence),
  };
}

/** A model record as a client reads it. */
export function modelForm(model: Model | undefined): unknown {
  return model === undefined ? {} : { ...recordForm(model), predecessor_model: [] };
}

/** A client's emotives of a model as the processor takes them. */
export function emotiveValuesOf(sent: Record<string, number[]>): EmotiveValues[] {
  return Object.entries(sent).map(([name, values]) => ({ name, values }));
}

/** The members that a client set. */
export function membersOf({ sequence, frequency, emotives, metadata }: SentModel) {
  return {
    sequence: sequence && { events: sequence.map((symbols) => ({ symbols })) },
    frequency,
    emotives: emotives && { emotives: emotiveValuesOf(emotives) },
    metadata: metadata && { metadataJson: metadata.map((object) => JSON.stringify(object)) },
  };
}

/** The models that a removal changed. */
export function renamesForm(renames: readonly ModelRename[]): unknown {
  if (renames.length === 0) return {};
  return { models: Object.fromEntries(renames.map(({ oldName, newName }) => [oldName, newName || "deleted"])) };
}
