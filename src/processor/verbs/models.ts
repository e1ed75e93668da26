/** Reading, adding, changing and removing single models. */

import { takeComponents } from "../input/gdf-input";
import { fitMetadata, takeEmotiveValues, takeEvents, takeFrequency, takeMetadataList } from "../input/model-input";
import { appendValues, keepLast } from "../knowledge/emotives";
import { modelName, vectorName } from "../knowledge/names";
import type { Event } from "../memory/event";
import type { Mind } from "../mind";
import type { Vector } from "../ports/gdf";
import type { EmotiveValues, ModelRow } from "../ports/store";
import { observedVector } from "./event-symbols";

/** A learned model as it travels. */
export interface Model {
  /** Without prefix. */
  name: string;
  sequence: Event[];
  frequency: number;
  emotives: EmotiveValues[];
  /** One JSON object as compact text per event. */
  metadataJson: string[];
}

/** What of a model is to be set. */
interface ModelMembers {
  sequence?: { events: Event[] } | undefined;
  frequency?: number | undefined;
  emotives?: { emotives: EmotiveValues[] } | undefined;
  metadata?: { metadataJson: string[] } | undefined;
}

/** A wish to replace members of a model; those that are not set stay. */
export interface ModelUpdate extends ModelMembers {
  /** Without prefix. */
  name: string;
}

/** A model to be added. */
export interface ModelAddition extends ModelMembers {
  /** A vector to be stored too; none when not set or without components. */
  vector?: Vector | undefined;
}

/** A model as it travels. */
export function modelFrom(mind: Mind, row: ModelRow): Model {
  return {
    name: row.name,
    sequence: mind.knowledge.eventsOf(row).map((symbols) => ({ symbols })),
    frequency: row.frequency,
    emotives: row.emotives,
    metadataJson: row.metadata,
  };
}

/** The model of this name, if there is one. */
export function getModel(mind: Mind, name: string): Model | undefined {
  const row = mind.store.modelByName(name);
  return row && modelFrom(mind, row);
}

/** Removes a model. @returns whether there was one */
export function deleteModel(mind: Mind, name: string): boolean {
  const row = mind.store.modelByName(name);
  if (row === undefined) return false;
  mind.knowledge.remove(row);
  mind.commit();
  return true;
}

/** The members that are set, checked. */
function takeMembers(members: ModelMembers, model: string) {
  const events = members.sequence && takeEvents(members.sequence.events, model);
  const frequency = members.frequency === undefined ? undefined : takeFrequency(members.frequency, model);
  const emotives = members.emotives && takeEmotiveValues(members.emotives.emotives, model);
  const metadata =
    members.metadata && takeMetadataList(members.metadata.metadataJson, members.metadata.metadataJson.length, model);
  return { events, frequency, emotives, metadata };
}

/**
 * Replaces members of a model. A new sequence renames it and makes it the newest; when another model has that sequence already, that
 * one takes the frequency over and keeps its age.
 * @returns the model's name now, empty when there was no such model
 * @throws Fault `invalid` when a member is wrong; `exhausted` when memory is used up
 */
export function updateModel(mind: Mind, update: ModelUpdate): string {
  const { persistence } = mind.genes;
  const set = takeMembers(update, `model ${update.name}`);
  const row = mind.store.modelByName(update.name);
  if (row === undefined) return "";
  const events = set.events ?? mind.knowledge.eventsOf(row);
  const changed = {
    frequency: set.frequency ?? row.frequency,
    emotives: keepLast(set.emotives ?? row.emotives, persistence),
    metadata: fitMetadata(set.metadata ?? row.metadata, events.length),
  };
  const name = modelName(events);
  const other = name === row.name ? undefined : mind.store.modelByName(name);
  if (name === row.name) {
    mind.knowledge.rewrite(row, changed);
  } else if (other === undefined) {
    mind.knowledge.remove(row);
    mind.knowledge.learn({ events, ...changed }, persistence);
  } else {
    mind.knowledge.remove(row);
    mind.knowledge.rewrite(other, {
      frequency: other.frequency + changed.frequency,
      emotives: set.emotives ? changed.emotives : appendValues(other.emotives, row.emotives, persistence),
      metadata: set.metadata ? changed.metadata : other.metadata,
    });
  }
  mind.commit();
  return name;
}

/** The vector to be stored with a model, checked; `undefined` when there is none. */
function takeVector(mind: Mind, vector: Vector | undefined): Float64Array | undefined {
  if (vector === undefined || vector.components.length === 0) return undefined;
  const components = takeComponents(vector.components, "the vector");
  return observedVector([{ components }], mind.vectors.dimensionality);
}

/**
 * Adds a model as if it had been learned; one that is known is learned again.
 * @returns its name
 * @throws Fault `invalid` when a member is wrong; `exhausted` when memory is used up
 */
export function addModel(mind: Mind, addition: ModelAddition): string {
  const { persistence } = mind.genes;
  const set = takeMembers(addition, "the model");
  const events = set.events ?? takeEvents([], "the model");
  const vector = takeVector(mind, addition.vector);
  const name = mind.knowledge.learn(
    {
      events,
      frequency: set.frequency ?? 1,
      emotives: keepLast(set.emotives ?? [], persistence),
      metadata: fitMetadata(set.metadata ?? [], events.length),
    },
    persistence,
  );
  if (vector !== undefined && mind.vectors.learn(vectorName(vector), vector)) {
    mind.knowledge.touch();
    mind.feel({ vectorDimensionality: mind.vectors.dimensionality });
  }
  mind.commit();
  return name;
}
