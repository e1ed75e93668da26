/** Observing: what one record does to the processor. */

import { type Delivery, isRepeated } from "../input/delivery";
import { isEventful, takeGdf, takeSymbols } from "../input/gdf-input";
import { addEmotives } from "../knowledge/emotives";
import type { Mind } from "../mind";
import type { Gdf } from "../ports/gdf";
import { forwardEnsemble } from "../prediction/abstraction";
import { hasPredictions } from "../prediction/ensemble";
import { clearMemory } from "./clearing";
import { eventSymbols, observedVector } from "./event-symbols";
import { keepWithinLimit, learn, learnByItself } from "./learning";

/** What became of one record. */
export interface Observed {
  /** False when the processor slept and ignored it. */
  awake: boolean;
  /** The name of the model learned by itself, without prefix; empty when none. */
  autoLearnedModel: string;
  /** Whether the ensemble had a member. */
  predictionMade: boolean;
  uniqueId: string;
}

/** What became of one record, which may have come before. */
export interface ObserveOutcome {
  observed: Observed;
  /** The delivery was taken before: nothing changed. */
  redelivered: boolean;
}

/** Several records, to be observed all or none. */
export interface SequenceRequest {
  sequence: Gdf[];
  /** Learn after the last. */
  learn: boolean;
  /** Clear working memory before the first. */
  clear: boolean;
}

/** What became of several records. */
export interface SequenceObserved {
  /** One a record, in order. */
  observed: Observed[];
  /** The name of the model learned at the end, without prefix; empty when none. */
  learnedModel: string;
}

function asleep(gdf: Gdf): Observed {
  return { awake: false, autoLearnedModel: "", predictionMade: false, uniqueId: gdf.uniqueId };
}

/** Makes the memory as it is now what the ensemble is about, when predictions are due. @returns whether it predicts anything */
function predict(mind: Mind): boolean {
  const { predict, observeCalls } = mind.mood;
  if (!predict || observeCalls % mind.genes.predict_on_nth_event !== 0) {
    mind.memory.dropEnsemble();
    return false;
  }
  mind.memory.holdEnsemble();
  return hasPredictions(mind);
}

/** Takes a checked record. */
function take(mind: Mind, gdf: Gdf, path: string[]): Observed {
  const { mood } = mind;
  const pendingEmotives = addEmotives(mood.pendingEmotives, gdf.emotives);
  const symbols = eventSymbols(mind, gdf, observedVector(gdf.vectors, mind.vectors.dimensionality));
  mind.feel({
    time: mood.time + 1,
    observeCalls: mood.observeCalls + 1,
    emotives: gdf.emotives,
    pendingEmotives,
    percept: { gdf, path, symbols },
  });
  if (symbols.length > 0) mind.memory.append(symbols, gdf.metadataJson);
  keepWithinLimit(mind);
  const predictionMade = isEventful(gdf) && predict(mind);
  if (predictionMade && mind.manipulatives.length > 0) forwardEnsemble(mind, gdf, path);
  return { awake: true, autoLearnedModel: learnByItself(mind), predictionMade, uniqueId: gdf.uniqueId };
}

/** The way a record came, with this processor's own entry. */
function pathTo(mind: Mind, path: readonly string[]): string[] {
  return [...takeSymbols(path, "an entry of the path"), `${mind.name}-${mind.id}-process`];
}

/** What is said of a record that was taken before. What became of it then is not remembered. */
function taken(mind: Mind, { uniqueId }: Gdf): ObserveOutcome {
  const observed = { awake: !mind.mood.sleeping, autoLearnedModel: "", predictionMade: false, uniqueId };
  return { observed, redelivered: true };
}

/**
 * Observes one record.
 * @param delivery given by a sender that may repeat itself: the record is then taken once, awake or asleep
 * @throws Fault `invalid` when the record is wrong; `exhausted` when it led to a model for which there is no memory
 */
export function observe(
  mind: Mind,
  record: Gdf,
  path: readonly string[],
  delivery: Delivery | undefined,
): ObserveOutcome {
  const gdf = takeGdf(record);
  const way = pathTo(mind, path);
  if (delivery !== undefined && isRepeated(mind.store, delivery)) return taken(mind, gdf);
  if (mind.mood.sleeping) return { observed: asleep(gdf), redelivered: false };
  const observed = take(mind, gdf, way);
  mind.commit();
  return { observed, redelivered: false };
}

/** Refuses records that could not all be observed one after the other, before any of them is. @throws Fault `invalid` */
function assertObservable(mind: Mind, records: readonly Gdf[], clear: boolean): void {
  let dimensionality = clear ? mind.vectors.learnedDimensionality : mind.vectors.dimensionality;
  let emotives = clear ? [] : mind.mood.pendingEmotives;
  for (const gdf of records) {
    dimensionality = observedVector(gdf.vectors, dimensionality)?.length ?? dimensionality;
    emotives = addEmotives(emotives, gdf.emotives);
  }
}

/**
 * Observes several records in order, all or none; asleep, nothing changes.
 * @throws Fault as {@link observe}
 */
export function observeSequence(mind: Mind, request: SequenceRequest): SequenceObserved {
  const records = request.sequence.map(takeGdf);
  const path = pathTo(mind, []);
  if (mind.mood.sleeping) return { observed: records.map(asleep), learnedModel: "" };
  assertObservable(mind, records, request.clear);
  if (request.clear) clearMemory(mind);
  const observed = records.map((gdf) => take(mind, gdf, path));
  // Recorded before learning, which may be refused: what is recorded is taken back.
  mind.commit();
  if (!request.learn) return { observed, learnedModel: "" };
  const learnedModel = learn(mind);
  mind.commit();
  return { observed, learnedModel };
}
