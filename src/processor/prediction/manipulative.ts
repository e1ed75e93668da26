/**
 * The output manipulative "abstraction": it turns an ensemble into the symbols of one event, for other processors to
 * observe. Plain data; the owner delivers the events.
 */

import type { Event, Gdf, Prediction } from "../../gen/plain";
import { jsonBytes } from "../../text/json-bytes";
import type { ForwardedEvent } from "../ports/store";
import type { Ensemble } from "./ensemble";

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

/** Maximum bytes of one event for another processor, as JSON: each waits in one row. */
export const MAX_EVENT_BYTES = 2_097_152;

/** Maximum bytes of all events that one observe sends to others, as JSON: each target has its own row. */
export const MAX_EVENTS_BYTES = 33_554_432;

/** One manipulative of a processor. */
export interface Manipulative {
  /** Its identifier. */
  id: string;
  /** The parts of each prediction that it sends, in order. */
  fields: readonly AbstractionField[];
  /** The identifiers of the processors that observe its events, in order. */
  targets: readonly string[];
}

/** A manipulative's station in the path of an event is this prefix and its identifier. */
const STATION = "abstraction-";

/** The identifier of the manipulative that sent an event, found in the event's stations; empty if none sent it. */
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

/** The part of a symbol before the value. */
function prefixOf(id: string, { name }: Prediction, field: AbstractionField): string {
  return `PRIMITIVE|${id}|${name}|${field}|`;
}

/** Bytes of an event without its texts: brackets, commas and a number. */
const AROUND_BYTES = 256;

/** Bytes of an emotive without its name. */
const EMOTIVE_BYTES = 32;

/** An upper bound of the bytes of an event without its symbols, as JSON. */
function framingBytes({ emotives, uniqueId }: Gdf, stations: readonly string[]): number {
  const texts = stations.reduce((sum, station) => sum + jsonBytes(station) + 3, jsonBytes(uniqueId));
  return emotives.reduce((sum, { name }) => sum + jsonBytes(name) + EMOTIVE_BYTES, texts + AROUND_BYTES);
}

/**
 * The bytes of the symbols of {@link abstractionOf} as JSON, counted without creating them.
 *
 * @returns some number above `most` if they exceed it; counting stops there
 */
function symbolBytes(
  id: string,
  predictions: readonly Prediction[],
  fields: readonly AbstractionField[],
  most: number,
): number {
  let bytes = 2;
  for (const prediction of predictions) {
    for (const field of fields) {
      const prefix = jsonBytes(prefixOf(id, prediction, field)) + 3;
      for (const value of valuesOf(prediction, field)) {
        bytes += prefix + jsonBytes(value);
        if (bytes > most) return bytes;
      }
    }
  }
  return bytes;
}

/**
 * An ensemble as symbols `PRIMITIVE|<id>|<model>|<field>|<value>`: prediction by prediction, field by field, with
 * repeats.
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
 * The events that other processors observe of an ensemble: one for each manipulative and target, in order. An event
 * without symbols is left out.
 *
 * @param id the identifier of the processor that predicts
 * @param session the session that observed; empty for the processor's own memory
 * @param path the stations of the observation, this processor's own entry last
 * @param room maximum bytes of all of them together, besides {@link MAX_EVENTS_BYTES}
 * @returns `undefined` when one of them, or all together, would take too many bytes
 */
export function forwardedEvents(
  id: string,
  session: string,
  manipulatives: readonly Manipulative[],
  ensemble: Ensemble,
  gdf: Gdf,
  { path, room }: { readonly path: readonly string[]; readonly room: number },
): ForwardedEvent[] | undefined {
  const { emotives, uniqueId, time } = gdf;
  const events: ForwardedEvent[] = [];
  const most = Math.min(room, MAX_EVENTS_BYTES);
  let told = 0;
  for (const { id: manipulative, fields, targets } of manipulatives) {
    if (targets.length === 0) continue;
    const extended = [...path, STATION + manipulative];
    const framing = framingBytes(gdf, [...extended, session, ...targets.slice(0, 1)]);
    const bytes = framing + symbolBytes(id, ensemble.predictions(), fields, MAX_EVENT_BYTES - framing);
    told += bytes * targets.length;
    if (bytes > MAX_EVENT_BYTES || told > most) return undefined;
    const symbols = abstractionOf(id, ensemble.predictions(), fields);
    if (symbols.length === 0) continue;
    for (const target of targets) events.push({ target, session, symbols, emotives, uniqueId, time, path: extended });
  }
  return events;
}
