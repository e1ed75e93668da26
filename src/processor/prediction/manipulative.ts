/**
 * The output manipulative "abstraction": it turns an ensemble into the symbols of one event, for other processors to observe. Plain data;
 * the owner delivers the events.
 */

import { excerpt } from "../../text/excerpt";
import { jsonBytes } from "../../text/json-bytes";
import { Fault } from "../ports/fault";
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

/** The most bytes of the symbols of one event for another processor, as JSON: it waits as one row. */
export const MOST_EVENT_BYTES = 2_097_152;

/** The most bytes of the symbols of all events that one observe has for others, as JSON: each target has a row of its own. */
export const MOST_TOLD_BYTES = 33_554_432;

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

/** What stands before the value in a symbol. */
function prefixOf(id: string, { name }: Prediction, field: AbstractionField): string {
  return `PRIMITIVE|${id}|${name}|${field}|`;
}

/**
 * How many bytes the symbols of {@link abstractionOf} take as JSON, counted without making them.
 *
 * @throws Fault `too-large` when an event may not take so many; nothing behind that is looked at
 */
function eventBytes(id: string, predictions: readonly Prediction[], manipulative: Manipulative): number {
  let bytes = 2;
  for (const prediction of predictions) {
    for (const field of manipulative.fields) {
      const prefix = jsonBytes(prefixOf(id, prediction, field)) + 3;
      for (const value of valuesOf(prediction, field)) {
        bytes += prefix + jsonBytes(value);
        if (bytes > MOST_EVENT_BYTES)
          throw tooLarge(`an event of the manipulative ${excerpt(manipulative.id)}`, MOST_EVENT_BYTES);
      }
    }
  }
  return bytes;
}

function tooLarge(what: string, most: number): Fault {
  return new Fault(
    "too-large",
    `${what} would take more than ${most} bytes, which is all that others may be told of predictions: lower the gene max_predictions or raise ` +
      "recall_threshold, give the manipulative fewer fields, or turn predictions off (predicting/stop)",
  );
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
    fields.flatMap((field) => valuesOf(prediction, field).map((value) => prefixOf(id, prediction, field) + value)),
  );
}

/**
 * The events that others observe of an ensemble: one for each manipulative and target, in order. An event without symbols is left out.
 *
 * @param id the identifier of the processor that predicts
 * @param session the session that observed; empty for the processor's own memory
 * @param path the stations of the observation, this processor's own entry last
 * @throws Fault `too-large` when one of them, or all together, would take too many bytes
 */
export function forwardedEvents(
  id: string,
  session: string,
  manipulatives: readonly Manipulative[],
  ensemble: Ensemble,
  { emotives, uniqueId }: Gdf,
  path: readonly string[],
): ForwardedEvent[] {
  let told = 0;
  return manipulatives.flatMap((manipulative) => {
    const { fields, targets } = manipulative;
    if (targets.length === 0) return [];
    told += eventBytes(id, ensemble.predictions(), manipulative) * targets.length;
    if (told > MOST_TOLD_BYTES) throw tooLarge("the events of all manipulatives", MOST_TOLD_BYTES);
    const symbols = abstractionOf(id, ensemble.predictions(), fields);
    if (symbols.length === 0) return [];
    const extended = [...path, STATION + manipulative.id];
    return targets.map((target) => ({ target, session, symbols, emotives, uniqueId, path: extended }));
  });
}
