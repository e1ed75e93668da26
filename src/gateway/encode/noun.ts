/** Writes the small nouns that several answers share, as JSON text. */

import type { Emotive, Event, Vector } from "../../gen/noema/v1/gdf_pb";
import { list, number, numbers, object } from "../json/writer";

/** Events as a list of lists of symbols. */
export function events(sequence: readonly Event[]): string {
  return JSON.stringify(sequence.map((event) => event.symbols));
}

/** Vectors as a list of lists of numbers. */
export function vectors(all: readonly Vector[]): string {
  return list(all.map((vector) => numbers(vector.components)));
}

/** Emotives as an object of numbers by name. */
export function emotives(felt: readonly Emotive[]): string {
  return object(felt.map(({ name, value }) => [name, number(value)]));
}

/** Metadata, which travels as JSON text. */
export function metadata(json: string): string {
  return json === "" ? "{}" : json;
}

/** The name of a model with its prefix, for people and clients; empty stays empty. */
export function prefixed(model: string): string {
  return model === "" ? "" : `MODEL|${model}`;
}
