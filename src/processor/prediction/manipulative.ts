/**
 * The output manipulative "abstraction": it turns an ensemble into the symbols of one event, for other processors to observe. Plain data;
 * the owner delivers the events.
 */

import type { Event, Gdf } from "../ports/gdf";
import type { ForwardedEvent } from "../ports/store";
import type { Ensemble } from "./ensemble";
import type { Prediction } from "./prediction";

/** The parts of a prediction that the manipulative can send. */
export const ABSTRACTION_FIELDS = [
  "name",
  "past",
  "present",
  "future",
  "missing",
  "extras",
  "matches",
  "classification",
] as const;

/** One of {@link ABSTRACTION_FIELDS}. */
export type AbstractionField = (typeof ABSTRACTION_FIELDS)[number];

/** One manipulative of a processor. */
export interface Manipulative {
  /** Its identifier. */
  id: string;
  /** The parts of each prediction that it sends, in order. */
  fields: readonly AbstractionField[];
  /** The identifiers of the processors that observe what it sends, in order. */
  targets: readonly string[];
}

/** A manipulative's station in the path of an event is this and its identifier. */
const STATION = "abstraction-";

/** The identifier of the manipulative that sent an event, from the stations of the event; empty when none did. */
export function manipulativeIn(path: readonly string[]): string {
  return path.at(-1)?.slice(STATION.length) ?? "";
}

/** Whether there is a field of this name. */
export function isAbstractionField(name: string): name is AbstractionField {
  return (ABSTRACTION_FIELDS as readonly string[]).includes(name);
}

function symbolsIn(events: readonly Event[]): string[] {
  return events.flatMap(({ symbols }) => symbols);
}

/** The symbols of the last event of the future, or of the present when there is no future. */
function classificationOf({ present, future }: Prediction): readonly string[] {
  return (future.at(-1) ?? present.at(-1))?.symbols ?? [];
}

function valuesOf(prediction: Prediction, field: AbstractionField): readonly string[] {
  switch (field) {
    case "name":
      return [prediction.name];
    case "past":
    case "present":
    case "future":
      return symbolsIn(prediction[field]);
    case "missing":
    case "extras":
    case "matches":
      return prediction[field];
    case "classification":
      return classificationOf(prediction);
  }
}

/**
 * An ensemble as symbols `PRIMITIVE|<id>|<model>|<field>|<value>`: prediction by prediction, field by field, with repeats.
 *
 * @param id the identifier of the processor that predicts
 */
export function abstractionOf(
  id: string,
  predictions: readonly Prediction[],
  fields: readonly AbstractionField[],
): string[] {
  return predictions.flatMap((prediction) =>
    fields.flatMap((field) =>
      valuesOf(prediction, field).map((value) => `PRIMITIVE|${id}|${prediction.name}|${field}|${value}`),
    ),
  );
}

/**
 * The events that others observe of an ensemble: one for each manipulative and target, in order. An event without symbols is left out.
 *
 * @param id the identifier of the processor that predicts
 * @param session the session that observed; empty for the processor's own memory
 * @param path the stations of the observation, this processor's own entry last
 */
export function forwardedEvents(
  id: string,
  session: string,
  manipulatives: readonly Manipulative[],
  ensemble: Ensemble,
  { emotives, uniqueId }: Gdf,
  path: readonly string[],
): ForwardedEvent[] {
  return manipulatives.flatMap((manipulative) => {
    const { fields, targets } = manipulative;
    if (targets.length === 0) return [];
    const symbols = abstractionOf(id, ensemble.predictions(), fields);
    if (symbols.length === 0) return [];
    const extended = [...path, STATION + manipulative.id];
    return targets.map((target) => ({ target, session, symbols, emotives, uniqueId, path: extended }));
  });
}
