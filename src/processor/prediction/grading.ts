/**
 * Compares models with what would have been forecast, when they are learned or loaded: so few that learning stays fast. Which ones depends on the
 * model and on the number of models alone.
 */

import { compareCodePoints } from "../../text/code-points";
import type { Knowledge } from "../knowledge/knowledge";
import { askedSequence } from "../memory/asked-sequence";
import { type Forecaster, type ForecastGrade, type ForecastRecord, MOST_HORIZON } from "../ports/forecaster";
import type { Sequence } from "../ports/matcher";

/** While there are fewer models, one learn in {@link FIRST_SOME} is compared, by how many there were: so a small knowledge misses none by chance. */
const FIRST_MODELS = 16;
const FIRST_SOME = 3;
/** While there are fewer models, one in {@link SOME} is compared, at all horizons, and with it {@link AGAIN} that were learned before. */
const FEW_MODELS = 1024;
const SOME = 4;
const AGAIN = 2;
/** From {@link FEW_MODELS} on a comparison takes long, so that one learn in {@link RARE} is compared, and from twice {@link MANY_MODELS} on fewer. */
const RARE = 16;
const MANY_MODELS = 8192;
/** A learn begins no further comparison when those before took so many steps, some milliseconds; while there are few models, so many for each. */
const MOST_STEPS = 2_000_000;
const STEPS_A_MODEL = 15_000;

/** A whole number below 2^32 that depends on a model alone. @param name the model's */
function seedOf(name: string): number {
  return Number.parseInt(name.slice(0, 8), 16);
}

/** Of how many models one is compared. @param models how many there are, {@link FIRST_MODELS} or more */
function partGraded(models: number): number {
  if (models < FEW_MODELS) return SOME;
  return Math.max(RARE, 2 ** Math.ceil(Math.log2((RARE * models) / MANY_MODELS)));
}

/**
 * Whether a model is compared. Fewer than one in two are, so that the median learn takes no longer.
 *
 * @param seed a whole number below 2^32 that depends on the model alone
 * @param models how many there are
 * @param learned how often any was learned: the sum of their frequencies
 */
export function isGraded(seed: number, models: number, learned: number): boolean {
  return models < FIRST_MODELS ? learned % FIRST_SOME === 1 : seed % partGraded(models) === 0;
}

/** When a learn begins no further comparison: when those before took so many steps. @param models how many there are */
export function mostGradingSteps(models: number): number {
  return Math.min(MOST_STEPS, STEPS_A_MODEL * models);
}

/** All horizons but the first, from one on that the seed says. */
function longerHorizons(seed: number): number[] {
  const longer = MOST_HORIZON - 1;
  return Array.from({ length: longer }, (_, at) => 2 + ((Math.floor(seed / 4096) + at) % longer));
}

/** How far ahead the forecasts look with which a model is compared: the next event, and one horizon more or all. */
export function gradedHorizons(seed: number, models: number): number[] {
  const isAll = models < FEW_MODELS || (models < MANY_MODELS && seed % (SOME * RARE) === 0);
  return [1, ...longerHorizons(seed).slice(0, isAll ? undefined : 1)];
}

/**
 * The ids of models that are compared once more, where they are known: those learned lately know what came before them, and those learned long
 * ago knew little then.
 *
 * @param next the id of the next new model
 */
export function gradedAgain(seed: number, models: number, next: number): number[] {
  if (models < FIRST_MODELS || models >= FEW_MODELS) return [];
  return Array.from({ length: AGAIN }, (_, at) => next - 1 - (Math.floor(seed / SOME / 2 ** (10 * at)) % models));
}

/** While there are fewer models, they are compared at several places: of sequences that all end alike, ends do not tell which rule is right. */
const FEWEST_MODELS = 32;
/** There is one such place for so many events, and at most so many places. After the first models, windows that overlap are graded at their ends alone. */
const EVENTS_A_PLACE = 3;
const MOST_PLACES = 16;
/** While there are fewer models, every event is such a place: what so few tell must come from all that they hold. */
const SCARCE_MODELS = 4;

/** At how many places forecasts are compared. @param ends how many events could be the last one that came, 2 or more */
function placesOf(ends: number, models: number): number {
  if (models >= FEWEST_MODELS) return 1;
  return Math.min(MOST_PLACES, models < SCARCE_MODELS ? ends - 1 : Math.floor(ends / EVENTS_A_PLACE));
}

/**
 * After how many events of a model a forecast is graded: before the last ones, and, while there are few models, also elsewhere, evenly, in an order in which
 * the first of these places are spread.
 *
 * @param events how many events the model has
 * @param horizon how many events ahead the forecast looks, 1 to 10
 * @param models how many there are
 * @returns whole numbers of 1 or more; none for a model that is too short
 */
export function gradedPlaces(events: number, horizon: number, models: number): number[] {
  const ends = events - horizon + 1;
  if (ends < 2) return [];
  const places = placesOf(ends, models);
  const others = Array.from({ length: Math.max(0, places - 1) }, (_, at) => at + 1);
  // The half, the quarters and so on: if the work must end early, those before are spread, too.
  others.sort((one, other) => (other & -other) - (one & -one) || one - other);
  return [ends - 1, ...others.map((part) => Math.floor((part * ends) / places))];
}

/** Which rules were right where a model ends. */
type RulesTold = Pick<ForecastGrade, "someRight" | "someWrong">;
const NOTHING_TOLD: RulesTold = { someRight: false, someWrong: false };

/**
 * Whether a model must be compared elsewhere, too, to tell which rule to trust beyond the next event: the models know it, but its end tells no rules apart, or
 * there are hardly any models. Else what ends tell is better for ends.
 */
function needsMore({ someRight, someWrong }: RulesTold, models: number): boolean {
  return someRight && (!someWrong || models < SCARCE_MODELS);
}

/** A forecast that is graded. */
export interface GradedForecast {
  /** How many events ahead it looks, 1 to 10. */
  horizon: number;
  /** After how many events of the model. */
  place: number;
}

/**
 * Grades the forecasts of a model, in their order: those of the next event, which most people ask for, at all places; then those that look further ahead, all at
 * the end, then each at its next place, and so on. So if the work must end early, none of these misses more than another. Beyond the next event, other
 * places take part only after {@link needsMore}.
 *
 * @param events how many events the model has
 * @param horizons how far ahead the forecasts look, in the order in which they are graded
 * @param models how many there are
 * @param grade grades one; returns which rules were right there
 */
export function gradeForecasts(
  events: number,
  horizons: readonly number[],
  models: number,
  grade: (forecast: GradedForecast) => RulesTold,
): void {
  const places = new Map(horizons.map((horizon) => [horizon, gradedPlaces(events, horizon, models)]));
  for (const place of places.get(1) ?? []) grade({ horizon: 1, place });
  places.delete(1);
  for (let at = 0; at < MOST_PLACES; at++) {
    for (const [horizon, all] of places) {
      const place = all[at];
      if (place === undefined) continue;
      const told = grade({ horizon, place });
      if (at === 0 && !needsMore(told, models)) places.delete(horizon);
    }
  }
}

/** What a grading works with. A mind is one. */
export interface GradingSource {
  readonly knowledge: Knowledge;
  readonly forecaster: Forecaster;
}

/** A sequence that came, with the names of its symbols. */
export interface CameSequence extends Sequence {
  nameOf(symbol: number): string;
}

/** When a loaded knowledge is compared, no further comparison begins when those before took so many steps, some hundred milliseconds. */
const MOST_LOADED_STEPS = 20_000_000;
/** A loaded model is compared at horizon 1 and at so many others; at all of them while there are few models. */
const LOADED_HORIZONS = 2;

/** How a sequence is compared. */
interface Grading {
  /** How many events before the end. */
  horizons: readonly number[];
  /** The id of the model that it is already; 0 for none. */
  excluded: number;
  /** Whether it was compared before, when it was learned. */
  again: boolean;
  /** No further comparison begins when those before took so many steps. */
  most: number;
}

/** A stored model. */
interface StoredSequence extends Sequence {
  readonly id: number;
  readonly name: string;
}

/** How far the comparisons of a learn have come. */
interface Graded {
  record: ForecastRecord;
  /** The steps of all comparisons. */
  spent: number;
}

/**
 * Compares a sequence with what would have been forecast some events before its end, and while there are few models also elsewhere.
 *
 * @param steps a forecast that takes more is left out
 */
function graded(
  { knowledge, forecaster }: GradingSource,
  came: CameSequence,
  { horizons, excluded, again, most }: Grading,
  before: Graded,
  steps: number,
): Graded {
  knowledge.tellMatcher();
  let { record, spent } = before;
  const compare = (one: number, other: number) => compareCodePoints(came.nameOf(one), came.nameOf(other));
  const { totals } = knowledge;
  // What is graded once more only counts in the ranges: its ends are enough.
  const models = again ? FEWEST_MODELS : knowledge.models;
  gradeForecasts(came.lengths.length, horizons, models, ({ horizon, place }) => {
    if (spent >= most) return NOTHING_TOLD;
    const lengths = came.lengths.subarray(0, place);
    const asked = symbolsIn(lengths);
    const end = asked + symbolsIn(came.lengths.subarray(place, place + horizon));
    const context = { symbols: came.symbols.subarray(0, asked), lengths, target: undefined, totals, record, steps };
    const symbols = new Set(came.symbols.subarray(asked, end));
    const grade = forecaster.grade({ ...context, horizon, came: symbols, excluded, again, compare });
    spent += forecaster.steps;
    if (forecaster.steps <= steps) record = grade.record;
    return grade;
  });
  return { record, spent };
}

function symbolsIn(lengths: Uint32Array): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** A stored model as it is compared. */
function cameOf({ symbols, lengths }: Sequence, { knowledge }: GradingSource): CameSequence {
  return { symbols, lengths, nameOf: (id) => knowledge.symbols.nameOf(id) };
}

/**
 * Compares a sequence that is about to be learned, if its turn has come, and some that were learned before.
 *
 * @param name its model's
 * @param modelOf a stored model by its id
 * @param steps a forecast that takes more is left out
 * @returns the record with them
 */
export function gradeLearned(
  source: GradingSource,
  name: string,
  events: readonly string[][],
  modelOf: (id: number) => Sequence | undefined,
  steps: number,
): ForecastRecord {
  const { symbols, models, forecastRecord, counters, totals } = source.knowledge;
  const seed = seedOf(name);
  if (models === 0 || !isGraded(seed, models, totals.modelFrequencies)) return forecastRecord;
  const { numbers, lengths, nameOf } = askedSequence(events, symbols);
  const horizons = gradedHorizons(seed, models);
  const came = { symbols: numbers, lengths, nameOf };
  const most = mostGradingSteps(models);
  const first = { record: forecastRecord, spent: 0 };
  let all = graded(source, came, { horizons, excluded: 0, again: false, most }, first, steps);
  for (const id of gradedAgain(seed, models, counters.nextModelId)) {
    const model = modelOf(id);
    if (model === undefined) continue;
    const grading = { horizons: longerHorizons(seed), excluded: id, again: true, most };
    all = graded(source, cameOf(model, source), grading, all, steps);
  }
  return all.record;
}

/**
 * Compares models of a knowledge that was loaded, each with what the others say, until the work takes more than {@link MOST_LOADED_STEPS}.
 *
 * @param models in an order that does not depend on what they hold, so that the first are like the others
 * @param steps a forecast that takes more is left out
 */
export function gradeLoaded(source: GradingSource, models: Iterable<StoredSequence>, steps: number): void {
  const { knowledge } = source;
  let all = { record: knowledge.forecastRecord, spent: 0 };
  const others = knowledge.models < FEWEST_MODELS ? undefined : LOADED_HORIZONS;
  for (const model of models) {
    if (all.spent >= MOST_LOADED_STEPS) break;
    const horizons = [1, ...longerHorizons(seedOf(model.name)).slice(0, others)];
    const grading = { horizons, excluded: model.id, again: false, most: MOST_LOADED_STEPS };
    all = graded(source, cameOf(model, source), grading, all, steps);
  }
  knowledge.noteForecasts(all.record);
}
