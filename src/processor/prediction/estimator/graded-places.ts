/**
 * Which learns are graded, and at which places of a sequence: everywhere, so that weights and calibration are not about
 * ends alone. All of it follows from the sequence and from how much is known (docs/forecast.md).
 */

import { PART_ENDS } from "../../ports/forecaster";
import type { Sequence } from "../../ports/matcher";
import type { EstimatorSettings } from "./settings";

/** A whole number below 2^32 that depends on a model alone. @param name the model's */
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

/** A whole number below 2^32 that two whole numbers of 0 or more, below 2^53, lead to. */
export function hashOf(one: number, other: number): number {
  return mixed(mixed(one) + (other % 2 ** 32));
}

/**
 * Of how many learns one is graded. Fewer than one in two are, so that the median learn takes no longer.
 *
 * @param models how many there are
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
 * @param models how many there are
 * @param learned how often any was learned: the sum of their frequencies
 */
export function isGraded(seed: number, models: number, learned: number, settings: EstimatorSettings): boolean {
  return models > 0 && (seed + learned) % gradedOneIn(models, settings) === 0;
}

/**
 * The horizons that a sequence is graded for: the next event, and one of each further part of the record; one of these
 * alone where many models are known.
 *
 * @param roll decides, below 2^32
 */
export function gradedHorizons(roll: number, models: number, { fewModels }: EstimatorSettings): number[] {
  const further = PART_ENDS.slice(1).map((end, part) => {
    const first = (PART_ENDS[part] ?? 0) + 1;
    return first + ((roll >>> 8) % (end - first + 1));
  });
  return [1, ...(models < fewModels ? further : further.slice((roll >>> 20) % further.length).slice(0, 1))];
}

/** A forecast that is graded. */
export interface GradedPlace {
  /** How many events ahead it looks, 1 to 10. */
  horizon: number;
  /** After how many events of the sequence. */
  place: number;
  /** How many events before that are its context, at most. */
  context: number;
  /** How much it counts. */
  weight: number;
  /** Whether what came was the end of the sequence, behind no overlap: many sequences may share it. */
  isEnd: boolean;
}

/** What decides where a sequence is graded. */
export interface GradedSequence {
  /** How many events it has. */
  events: number;
  /** How many of them are the last ones of the newest model: a window that rolls tells nothing new of these. */
  overlap: number;
  /** A whole number below 2^32. */
  roll: number;
  /** How many models there are. */
  models: number;
  /** How many sequences were learned, and how many symbols these have in all. */
  totals: { modelFrequencies: number; symbolFrequencies: number };
}

/** The places at which a sequence is graded, in their order. Those at a shared end are left out by the caller. */
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
    return [{ horizon, place: overlap + (part % places), context: contextBy(12), weight, isEnd: false }];
  }
  const places: GradedPlace[] = [];
  const end = events - horizon;
  if (end >= 1) places.push({ horizon, place: end, context: contextBy(4), weight, isEnd: true });
  if (end < 2) return places;
  const byLength = Math.min(mostWeight, (events * totals.modelFrequencies) / totals.symbolFrequencies);
  places.push({ horizon, place: 1 + (part % (end - 1)), context: contextBy(12), weight: byLength, isEnd: false });
  return places;
}

/** The events of a sequence, compared by their symbols in their order. */
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
 * The greatest number of events, fewer than the later sequence has, that end the earlier one and begin the later one; 0
 * if that is less than half of the later one. Takes linear time (Knuth, Morris and Pratt).
 */
export function overlapOf(earlier: Sequence, later: Sequence): number {
  const [before, after] = [new Events(earlier), new Events(later)];
  const most = Math.min(before.count, after.count - 1);
  if (2 * most < after.count) return 0;
  /** For each beginning of the later sequence, the longest shorter one that ends it. */
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
 * Whether many models end as a sequence does: then every rule is right at its end, which tells nothing.
 *
 * @param newest the models that are looked at
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
