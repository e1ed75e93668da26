/**
 * The manipulative "abstraction": an ensemble as the symbols of one event, and an observation as what others are to observe of it.
 * Where the events go after they are recorded is the owner's to arrange.
 */

import type { Event } from "../memory/event";
import type { Mind } from "../mind";
import type { Gdf } from "../ports/gdf";
import { predictionsOf } from "./ensemble";
import type { AbstractionField } from "./manipulative";
import type { Prediction } from "./prediction";

function symbolsIn(events: readonly Event[]): string[] {
  return events.flatMap(({ symbols }) => symbols);
}

/** The symbols of the last event that is expected; of the last one that is present when none is. */
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
 * An ensemble as symbols `PRIMITIVE|<id>|<model>|<field>|<value>`: prediction by prediction, field by field, repeats kept.
 *
 * @param id the processor that predicts
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
 * Records what others are to observe of the ensemble: one event for each manipulative and target, in order; none without symbols.
 *
 * @param path the way of the observation, this processor's own entry last
 */
export function forwardEnsemble(mind: Mind, { emotives, uniqueId }: Gdf, path: readonly string[]): void {
  for (const { id, fields, targets } of mind.manipulatives) {
    if (targets.length === 0) continue;
    const symbols = abstractionOf(mind.id, predictionsOf(mind), fields);
    if (symbols.length === 0) continue;
    const way = [...path, `abstraction-${id}`];
    for (const target of targets) {
      mind.store.record({ kind: "event-forwarded", event: { target, symbols, emotives, uniqueId, path: way } });
    }
  }
}
