/** Reads, adds, changes and removes single models. */

import type { Event, Vector } from "../../../gen/plain";
import { MAX_SEQUENCE, tooMany } from "../../../text/request-limits";
import { checkComponents } from "../../input/gdf-input";
import {
  checkEmotiveValues,
  checkEvents,
  checkFrequency,
  checkMetadataList,
  fitMetadata,
} from "../../input/model-input";
import { observedVector } from "../../input/observed-vector";
import { lastValues, mergeValues } from "../../knowledge/emotives";
import { mergedTimes } from "../../knowledge/model-times";
import { modelName, vectorName } from "../../knowledge/names";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import { type EmotiveValues, experienceOf, type ModelRow } from "../../ports/store";
import { assertAnswerable, type Model, modelOf } from "./model-record";

/** The members of a model that a caller may set. */
interface ModelMembers {
  sequence?: { events: Event[] } | undefined;
  frequency?: number | undefined;
  emotives?: { emotives: EmotiveValues[] } | undefined;
  metadata?: { metadataJson: string[] } | undefined;
}

/** A request to replace members of a model; the others stay. */
export interface ModelUpdate extends ModelMembers {
  /** Without prefix. */
  name: string;
}

/** A request to add a model. */
export interface ModelAddition extends ModelMembers {
  /** A vector to store with it; none if absent or without components. */
  vector?: Vector | undefined;
}

/** The model of this name; `undefined` if none has the name. @throws Fault `too-large` as {@link assertAnswerable} */
export function getModel(mind: Mind, name: string): Model | undefined {
  const row = mind.store.knowledge.modelByName(name);
  if (row === undefined) return undefined;
  const model = modelOf({ row, events: mind.knowledge.eventsOf(row) });
  assertAnswerable(model);
  return model;
}

/** Removes a model. @returns whether there was one */
export function deleteModel(mind: Mind, name: string): boolean {
  const row = mind.store.knowledge.modelByName(name);
  if (row === undefined) return false;
  mind.knowledge.remove(row);
  mind.recordState();
  return true;
}

/** @throws Fault `too-large` for too long a sequence, without reading its symbols */
function assertLength(events: readonly Event[], model: string): void {
  const length = events.reduce((sum, { symbols }) => sum + symbols.length, events.length);
  if (length > MAX_SEQUENCE) throw new Fault("too-large", `${model}: ${tooMany.learned(MAX_SEQUENCE, length)}`);
}

/** Checks the members that are set. @throws Fault `too-large` or `invalid` */
function checkMembers(members: ModelMembers, model: string) {
  if (members.sequence) assertLength(members.sequence.events, model);
  const events = members.sequence && checkEvents(members.sequence.events, model);
  const frequency = members.frequency === undefined ? undefined : checkFrequency(members.frequency, model);
  const emotives = members.emotives && checkEmotiveValues(members.emotives.emotives, model);
  const metadata =
    members.metadata && checkMetadataList(members.metadata.metadataJson, members.metadata.metadataJson.length, model);
  return { events, frequency, emotives, metadata };
}

/** The times of a model under another sequence: kept if it has as many events. */
function timesFor({ length }: readonly string[][], { lengths, times }: ModelRow): Float64Array | undefined {
  return length === lengths.length ? times : undefined;
}

/**
 * Replaces members of a model. A new sequence renames it and makes it the newest. If another model already has that
 * sequence, the two become one: the other model keeps its age and adds the frequency.
 * @returns the model's new name, empty if there was no such model
 * @throws Fault `invalid` when a member is wrong; `too-large` when the model would be; `exhausted` when memory is used
 *   up
 */
export function updateModel(mind: Mind, update: ModelUpdate): string {
  const { persistence } = mind.genes;
  const set = checkMembers(update, `model ${update.name}`);
  const row = mind.store.knowledge.modelByName(update.name);
  if (row === undefined) return "";
  const events = set.events ?? mind.knowledge.eventsOf(row);
  const changed = {
    frequency: set.frequency ?? row.frequency,
    emotives: lastValues(set.emotives ?? row.emotives, persistence),
    metadata: fitMetadata(set.metadata ?? row.metadata, events.length),
  };
  const name = modelName(events);
  const times = timesFor(events, row);
  const other = name === row.name ? undefined : mind.store.knowledge.modelByName(name);
  if (name === row.name) {
    mind.knowledge.rewrite(row, changed);
  } else if (other === undefined) {
    mind.knowledge.remove(row);
    mind.knowledge.learn({ ...experienceOf(row), ...changed, events, times }, persistence);
  } else {
    mind.knowledge.remove(row);
    mind.knowledge.rewrite(other, {
      times: mergedTimes(other.times, times, events.length),
      frequency: other.frequency + changed.frequency,
      emotives: set.emotives ? changed.emotives : mergeValues(other.emotives, row.emotives, persistence),
      metadata: set.metadata ? changed.metadata : other.metadata,
    });
  }
  mind.recordState();
  return name;
}

/** Checks the vector to store with a model; `undefined` for none. */
function checkVector(mind: Mind, vector: Vector | undefined): Float64Array | undefined {
  if (vector === undefined || vector.components.length === 0) return undefined;
  const components = checkComponents(vector.components, "the vector");
  return observedVector([{ components }], mind.vectorLength);
}

/**
 * Adds a model as if it had been learned. A known model is learned again. Beyond the gene max_models, others are
 * forgotten.
 * @returns its name
 * @throws Fault `invalid` when a member is wrong; `too-large` when the model would be; `exhausted` when memory is used
 *   up
 */
export function addModel(mind: Mind, addition: ModelAddition): string {
  const { persistence } = mind.genes;
  const set = checkMembers(addition, "the model");
  const events = set.events ?? checkEvents([], "the model");
  const vector = checkVector(mind, addition.vector);
  const name = mind.knowledge.learn(
    {
      events,
      frequency: set.frequency ?? 1,
      emotives: lastValues(set.emotives ?? [], persistence),
      metadata: fitMetadata(set.metadata ?? [], events.length),
      learnedAt: mind.shared.seconds,
    },
    persistence,
  );
  mind.knowledge.keepAtMost(mind.genes.max_models, name);
  if (vector !== undefined) {
    if (mind.vectors.learn(vectorName(vector), vector)) mind.knowledge.touch();
    // Also for a known vector, as learning does: a load resets it to -1.
    mind.shared.update({ vectorDimensionality: mind.vectors.dimensionality });
  }
  mind.recordState();
  return name;
}
