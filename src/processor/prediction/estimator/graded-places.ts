/**
 * Chooses which learns are graded, and at which places of a sequence. Places are spread over the whole sequence, so
 * that weights and calibration do not reflect ends alone. The choice depends only on the sequence and on the size of
 * the knowledge (docs/forecast.md).
 */

import { PART_ENDS } from "../../ports/forecaster";
import type { Sequence } from "../../ports/matcher";
import type { EstimatorSettings } from "./settings";

/** A whole number below 2^32, derived from a model's name alone. @param name the model's */
export function seedOf(name: string): number {
  return Number.parseInt(name.slice(0, 8), 16);
}

/**
 * The finalizer of MurmurHash3: mixes the bits of a whole number, of which the lower 32 count.
 *
 * @returns a whole number below 2^32
 */
function mixed(number: number): number {
  let bits = (number % 2 ** 32) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A hash of two whole numbers, each 0 or more and below 2^53: a whole number below 2^32. */
export function hashOf(one: number, other: number): number {
  return mixed(mixed(one) + (other % 2 ** 32));
}

/**
 * One in this many learns is graded: fewer than one in two, so that the median learn takes no longer.
 *
 * @param models number of models
 */
export function gradedOneIn(models: number, { gradedOneIn: least, modelsADoubling }: EstimatorSettings): number {
  let oneIn = least;
  while (oneIn * modelsADoubling < models) oneIn *= 2;
  return oneIn;
}

/**
 * Whether a learn is graded.
 *
 * @param seed of its model
 * @param models number of models
 * @param learned the sum of their frequencies
 */
export function isGraded(seed: number, models: number, learned: number, settings: EstimatorSettings): boolean {
  return models > 0 && (seed + learned) % gradedOneIn(models, settings) === 0;
}

/**
 * The horizons for which a sequence is graded: the next event, and one horizon of each further part of the record; with
 * many models, only one of the further horizons.
 *
 * @param roll decides among them, below 2^32
 */
export function gradedHorizons(roll: number, models: number, { fewModels }: EstimatorSettings): number[] {
  const further = PART_ENDS.slice(1).map((end, part) => {
    const first = (PART_ENDS[part] ?? 0) + 1;
    return first + ((roll >>> 8) % (end - first + 1));
  });
  return [1, ...(models < fewModels ? further : further.slice((roll >>> 20) % further.length).slice(0, 1))];
}

/** A forecast to grade. */
export interface GradedPlace {
  /** Number of events ahead, 1 to 10. */
  horizon: number;
  /** The number of events of the sequence before it. */
  place: number;
  /** Maximum number of these events in its context. */
  context: number;
  /**
   * Its weight in the pool: inside a sequence the number of places that it was drawn from, in a sequence of mean length
   * 1. So all places count alike, whatever the length of their sequence.
   */
  weight: number;
  /** Its weight in the correction: inside a sequence the number of its events, in a sequence of mean length 1. */
  correctionWeight: number;
  /**
   * Whether the outcome is the end of the sequence and does not lie in an overlap: many sequences may share that end.
   */
  isEnd: boolean;
}

/** The inputs that decide where a sequence is graded. */
export interface GradedSequence {
  /** How many events it has. */
  events: number;
  /**
   * Number of its first events that are the last ones of the sequence learned before it: a rolling window adds no new
   * evidence about them.
   */
  overlap: number;
  /** A whole number below 2^32. */
  roll: number;
  /** Number of models. */
  models: number;
  /** The number of learned sequences, and of their symbols in all. */
  totals: { modelFrequencies: number; symbolFrequencies: number };
}

/** The places at which a sequence is graded, in their order. The caller drops those at a shared end. */
export function gradedPlaces(sequence: GradedSequence, settings: EstimatorSettings): GradedPlace[] {
  const { roll, models } = sequence;
  return gradedHorizons(roll, models, settings).flatMap((horizon) => placesFor(horizon, sequence, settings));
}

function placesFor(horizon: number, sequence: GradedSequence, settings: EstimatorSettings): GradedPlace[] {
  const { events, overlap, roll, totals } = sequence;
  const { aheadWeight, mostWeight, leastContext, contextLengths } = settings;
  const contextBy = (bits: number) => leastContext + ((roll >>> bits) % contextLengths);
  const weight = horizon === 1 ? 1 : aheadWeight;
  const part = roll >>> 3;
  if (overlap > 0) {
    const places = events - horizon - overlap + 1;
    if (places <= 0) return [];
    const place = overlap + (part % places);
    return [{ horizon, place, context: contextBy(12), weight, correctionWeight: weight, isEnd: false }];
  }
  const places: GradedPlace[] = [];
  const end = events - horizon;
  if (end >= 1)
    places.push({ horizon, place: end, context: contextBy(4), weight, correctionWeight: weight, isEnd: true });
  if (end < 2) return places;
  const { modelFrequencies, symbolFrequencies } = totals;
  const inside = end - 1;
  const meanInside = Math.max(1, symbolFrequencies / modelFrequencies - (horizon + 1));
  places.push({
    horizon,
    place: 1 + (part % inside),
    context: contextBy(12),
    weight: Math.min(mostWeight, inside / meanInside),
    correctionWeight: Math.min(mostWeight, (events * modelFrequencies) / symbolFrequencies),
    isEnd: false,
  });
  return places;
}

/** The events of a sequence, comparable by their symbols in order. */
class Events {
  readonly #symbols: Uint32Array;
  readonly #starts: Uint32Array;

  constructor({ symbols, lengths }: Sequence) {
    this.#symbols = symbols;
    this.#starts = new Uint32Array(lengths.length + 1);
    for (let at = 0; at < lengths.length; at++) this.#starts[at + 1] = (this.#starts[at] ?? 0) + (lengths[at] ?? 0);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  at(event: number): Uint32Array {
    return this.#symbols.subarray(this.#starts[event], this.#starts[event + 1]);
  }
}

function isSame(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

/**
 * The greatest number of events that both end the earlier sequence and begin the later one, without being all of the
 * later one; 0 if less than half of it. Takes linear time (Knuth, Morris and Pratt).
 */
export function overlapOf(earlier: Sequence, later: Sequence): number {
  const [before, after] = [new Events(earlier), new Events(later)];
  const most = Math.min(before.count, after.count - 1);
  if (2 * most < after.count) return 0;
  /** For each prefix of the later sequence, the longest shorter prefix that is its suffix. */
  const shorter = new Uint32Array(Math.max(1, most));
  const grown = (matched: number, event: Uint32Array): number => {
    let events = matched;
    while (events > 0 && !isSame(after.at(events), event)) events = shorter[events - 1] ?? 0;
    return isSame(after.at(events), event) ? events + 1 : events;
  };
  for (let event = 1; event < most; event++) shorter[event] = grown(shorter[event - 1] ?? 0, after.at(event));
  let matched = 0;
  for (let event = before.count - most; event < before.count; event++) matched = grown(matched, before.at(event));
  return 2 * matched >= after.count ? matched : 0;
}

/** The last event of a sequence; empty for one without events. */
export function lastEventOf(sequence: Sequence): Uint32Array {
  const { symbols, lengths } = sequence;
  return symbols.subarray(symbols.length - (lengths.at(-1) ?? 0));
}

/**
 * Whether many models end as a sequence does: then every rule is right at its end, and grading it adds no evidence.
 *
 * @param newest the models to examine
 */
export function isEndShared(
  sequence: Sequence,
  newest: readonly Sequence[],
  { sharedPart }: EstimatorSettings,
): boolean {
  const end = lastEventOf(sequence);
  const sharing = newest.filter((model) => {
    const symbols = new Set(lastEventOf(model));
    return end.every((symbol) => symbols.has(symbol));
  });
  return sharing.length >= sharedPart * newest.length;
}
