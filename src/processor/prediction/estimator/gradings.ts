/**
 * Compares sequences with their forecasts before they count: sequences being learned, and those of knowledge without a
 * record. Weights and calibration are fitted to these results (Dawid 1984: prequential).
 */

import { compareCodePoints } from "../../../text/code-points";
import { isUngraded, withEndLeftOut } from "../../knowledge/forecast-record";
import type { Knowledge } from "../../knowledge/knowledge";
import { askedSequence } from "../../memory/asked-sequence";
import { EMPTY_RECORD, type Forecaster, type ForecastRecord } from "../../ports/forecaster";
import type { Sequence } from "../../ports/matcher";
import type { KnowledgeReader, ModelRow } from "../../ports/store";
import { type GradedPlace, gradedPlaces, hashOf, isEndShared, isGraded, overlapOf, seedOf } from "./graded-places";
import { ESTIMATOR, type EstimatorSettings } from "./settings";

/** The context of a grading. */
export interface GradingSource {
  readonly knowledge: Knowledge;
  readonly forecaster: Pick<Forecaster, "grade" | "neighbourSteps" | "steps">;
  readonly store: {
    readonly knowledge: Pick<KnowledgeReader, "modelFrequencies" | "newestModels"> & {
      modelById(id: number): (Sequence & Pick<ModelRow, "name">) | undefined;
    };
  };
  /** A forecast that takes more steps is skipped. */
  readonly steps: number;
  readonly settings?: EstimatorSettings;
}

/** A sequence to grade. */
interface CameSequence extends Sequence {
  /** The id of the model of which it is one occurrence; 0 for a sequence that is not learned yet. */
  excluded: number;
  /** Number of its events that the sequence learned before it already ends with. */
  overlap: number;
  /** Decides where it is graded. */
  roll: number;
  nameOf(symbol: number): string;
}

/** A model and how often it was learned. */
interface Counted {
  readonly id: number;
  readonly frequency: number;
}

/** Number of models read at a time, and about the work of that, as of {@link Gradings.spent}: some ten milliseconds. */
const BATCH = 2_048;
const BATCH_WORK = 1_000_000;

/** About the work of reading a symbol of a drawn model, and of passing it on the way to each graded place. */
const SYMBOL_WORK = 4;

function symbolsIn(lengths: Uint32Array): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The model at a place of the concatenation of all learned sequences, model after model; 0 beyond its end. */
function modelAt(models: readonly Counted[], place: number): number {
  let left = place;
  for (const { id, frequency } of models) {
    if (left < frequency) return id;
    left -= frequency;
  }
  return 0;
}

/** Grades sequences one after the other. */
class Gradings {
  readonly settings: EstimatorSettings;
  readonly #source: GradingSource;
  readonly #most: number;
  #record: ForecastRecord;
  #spent = 0;
  #newest: readonly (Sequence & { id: number })[] | undefined;

  /** @param most once the gradings have read this much, no further one begins */
  constructor(source: GradingSource, record: ForecastRecord, most: number) {
    this.#source = source;
    this.settings = source.settings ?? ESTIMATOR;
    this.#record = record;
    this.#most = most;
  }

  /** The record with all gradings. */
  get record(): ForecastRecord {
    return this.#record;
  }

  /**
   * The work of the gradings so far: for each symbol of a context, the total frequency of the models that hold it, at
   * most the number of models; and the symbols of the neighbours. Not the steps taken: those depend on the number of
   * parts and on what was forgotten, while the gradings must follow from the knowledge alone.
   */
  get spent(): number {
    return this.#spent;
  }

  /** Whether the work limit is reached. */
  get isOver(): boolean {
    return this.#spent >= this.#most;
  }

  /** Grades a sequence at all its places. */
  grade(came: CameSequence): void {
    const { knowledge } = this.#source;
    const { models, totals } = knowledge;
    const { overlap, roll, lengths } = came;
    const places = gradedPlaces({ events: lengths.length, overlap, roll, models, totals }, this.settings);
    let isShared: boolean | undefined;
    for (const { horizon, place, context, weight, correctionWeight, isEnd } of places) {
      if (this.isOver) return;
      if (isEnd) isShared ??= this.#isEndShared(came);
      if (isEnd && isShared) {
        if (horizon === 1) this.#record = withEndLeftOut(this.#record);
        continue;
      }
      this.#gradeAt(came, { horizon, place, from: Math.max(0, place - context), weight, correctionWeight, isEnd });
    }
  }

  #gradeAt(
    { symbols, lengths, excluded, nameOf }: CameSequence,
    {
      horizon,
      place,
      from,
      weight,
      correctionWeight,
      isEnd,
    }: Pick<GradedPlace, "horizon" | "place" | "weight" | "correctionWeight" | "isEnd"> & {
      from: number;
    },
  ): void {
    const { knowledge, forecaster, steps } = this.#source;
    const start = symbolsIn(lengths.subarray(0, from));
    const context = lengths.subarray(from, place);
    const asked = start + symbolsIn(context);
    const end = asked + symbolsIn(lengths.subarray(place, place + horizon));
    const record = forecaster.grade({
      symbols: symbols.subarray(start, asked),
      lengths: context,
      target: undefined,
      totals: knowledge.totals,
      record: this.#record,
      steps,
      horizon,
      came: symbols.subarray(asked, end),
      weight,
      correctionWeight,
      isEnd,
      excluded,
      compare: (one, other) => compareCodePoints(nameOf(one), nameOf(other)),
    });
    this.#spent += this.#holdersOf(symbols.subarray(start, asked)) + forecaster.neighbourSteps;
    if (forecaster.steps <= steps) this.#record = record;
  }

  /** For each symbol of a context, the total frequency of the models that hold it, at most the number of models. */
  #holdersOf(context: Uint32Array): number {
    const { models, symbols } = this.#source.knowledge;
    return [...new Set(context)].reduce((sum, id) => sum + Math.min(symbols.memberFrequencyOf(id), models), 0);
  }

  #isEndShared(came: CameSequence): boolean {
    const { endsLooked } = this.settings;
    // Read one more than are examined, because the model itself is left out.
    this.#newest ??= this.#source.store.knowledge.newestModels(endsLooked + 1);
    const others = this.#newest.filter(({ id }) => id !== came.excluded).slice(0, endsLooked);
    return isEndShared(came, others, this.settings);
  }

  /**
   * One occurrence of a stored model, as a sequence to grade; `undefined` if the model was deleted.
   *
   * @param roll derived from its seed
   */
  occurrenceOf(id: number, roll: (seed: number) => number): CameSequence | undefined {
    const { knowledge, store } = this.#source;
    const model = store.knowledge.modelById(id);
    if (model === undefined) return undefined;
    const { symbols, lengths, name } = model;
    const nameOf = (symbol: number) => knowledge.symbols.nameOf(symbol);
    return { symbols, lengths, excluded: id, overlap: 0, roll: roll(seedOf(name)), nameOf };
  }
}

/** The work limit of the gradings of one learn. @param models number of models */
export function mostGradingSteps(models: number, { mostSteps, stepsAModel }: EstimatorSettings): number {
  return Math.min(mostSteps, stepsAModel * models);
}

/**
 * Grades a sequence that is about to be learned, if it is due, and some that were learned before.
 *
 * @param name its model's
 * @param before the name of the model that the same memory learned last, which a rolling window overlaps; empty for
 *   none. A stream learns known models again, so this need not be the newest model, and neither if sessions alternate
 * @returns the record with these gradings; the same record when nothing was graded. Knowledge that is yet to be graded
 *   as a whole keeps its empty record
 */
export function gradeLearned(
  source: GradingSource,
  name: string,
  events: readonly string[][],
  before: string,
): ForecastRecord {
  const { knowledge, store, settings = ESTIMATOR } = source;
  const { symbols, models, forecastRecord, totals } = knowledge;
  const learned = totals.modelFrequencies;
  const seed = seedOf(name);
  if (isUngraded(forecastRecord) || events.length < 2 || !isGraded(seed, models, learned, settings)) {
    return forecastRecord;
  }
  knowledge.tellMatcher();
  const { numbers, lengths, nameOf } = askedSequence(events, symbols);
  const came = { symbols: numbers, lengths };
  const earlier = (before === "" ? undefined : knowledge.sequenceOf(before)) ?? knowledge.newest;
  const overlap = earlier === undefined ? 0 : overlapOf(earlier, came);
  const roll = hashOf(seed, learned);
  const gradings = new Gradings(source, forecastRecord, mostGradingSteps(models, settings));
  gradings.grade({ ...came, excluded: 0, overlap, roll, nameOf });
  if (overlap > 0 || models < 2 || models >= settings.fewModels) return gradings.record;
  const draws = Array.from({ length: settings.onceMore }, (_, draw) => hashOf(roll, draw + 1) % learned);
  const oldestFirst = [...store.knowledge.modelFrequencies("", settings.fewModels)].sort(
    (one, other) => one.id - other.id,
  );
  for (const [draw, place] of draws.entries()) {
    if (gradings.isOver) break;
    const again = gradings.occurrenceOf(modelAt(oldestFirst, place), (itsSeed) => hashOf(itsSeed + draw + 1, learned));
    if (again !== undefined) gradings.grade(again);
  }
  return gradings.record;
}

/** Whether a stored model is one of several overlapping windows: the next window then holds its end. */
function isWindow({ store }: GradingSource, id: number, model: Sequence): boolean {
  const [before, after] = [store.knowledge.modelById(id - 1), store.knowledge.modelById(id + 1)];
  return (before !== undefined && overlapOf(before, model) > 0) || (after !== undefined && overlapOf(model, after) > 0);
}

/**
 * Finds the models of draws from the concatenation of all learned models, sorted by name.
 *
 * @yields after each batch read: the work of it
 * @returns their ids, in the order of the draws
 */
function* drawnModels({ store }: GradingSource, draws: readonly number[]): Generator<number, number[]> {
  const ascending = [...draws.keys()].sort((one, other) => (draws[one] ?? 0) - (draws[other] ?? 0));
  const drawn = new Array<number>(draws.length).fill(0);
  let before = 0;
  let next = 0;
  for (let after: string | undefined = ""; after !== undefined && next < draws.length; ) {
    const rows = store.knowledge.modelFrequencies(after, BATCH);
    for (const { id, frequency } of rows) {
      before += frequency;
      for (; next < draws.length; next++) {
        const draw = ascending[next] ?? 0;
        if ((draws[draw] ?? 0) >= before) break;
        drawn[draw] = id;
      }
    }
    after = rows.at(-1)?.name;
    yield BATCH_WORK;
  }
  return drawn;
}

/**
 * Grades a random sample of knowledge without a record, each sequence by all others. Nothing may be learned until it
 * has ended.
 *
 * @yields after each short part of the work: how much it was
 * @returns the record
 */
export function* gradeAll(source: GradingSource): Generator<number, ForecastRecord> {
  const { knowledge, settings = ESTIMATOR } = source;
  const learned = knowledge.totals.modelFrequencies;
  const gradings = new Gradings(source, EMPTY_RECORD, settings.mostLoadedSteps);
  if (learned === 0) return gradings.record;
  const draws = Array.from({ length: settings.loadedDraws }, (_, draw) => hashOf(draw + 1, 0) % learned);
  const drawn = yield* drawnModels(source, draws);
  for (const [draw, id] of drawn.entries()) {
    if (gradings.isOver) break;
    const before = gradings.spent;
    knowledge.tellMatcher();
    const came = gradings.occurrenceOf(id, (seed) => hashOf(seed + draw + 1, learned));
    if (came !== undefined && !isWindow(source, id, came)) gradings.grade(came);
    yield gradings.spent - before + SYMBOL_WORK * (came?.symbols.length ?? 0);
  }
  return gradings.record;
}

/** Number of gradings in a piece of the work: a split processor asks its parts for all of them at once. */
const GRADED_AT_ONCE = 16;

/** How far gradings have come. */
interface Graded {
  readonly count: number;
  /** As of {@link Gradings.spent}. */
  readonly spent: number;
  readonly record: ForecastRecord;
}

/**
 * The same gradings, a few at a time, for a processor whose questions take long. Later gradings take into account what
 * is learned in between, and each counts as a whole or not at all. A step returns new gradings and leaves these
 * unchanged, so that a verb that grades can be taken back.
 */
export class GradingsInPieces {
  readonly #learned: number;
  readonly #settings: EstimatorSettings;
  readonly #graded: Graded;
  #drawing: Generator<number, number[]> | undefined;
  #drawn: readonly number[] = [];

  /** @param before what was drawn and graded before */
  constructor(source: GradingSource, before?: { readonly gradings: GradingsInPieces; readonly graded: Graded }) {
    const { knowledge, settings = ESTIMATOR } = source;
    this.#settings = settings;
    this.#graded = before?.graded ?? { count: 0, spent: 0, record: EMPTY_RECORD };
    if (before !== undefined) {
      this.#learned = before.gradings.#learned;
      this.#drawn = before.gradings.#drawn;
      return;
    }
    this.#learned = knowledge.totals.modelFrequencies;
    if (this.#learned === 0) return;
    const draws = Array.from({ length: settings.loadedDraws }, (_, draw) => hashOf(draw + 1, 0) % this.#learned);
    this.#drawing = drawnModels(source, draws);
  }

  /** The record with all gradings. */
  get record(): ForecastRecord {
    return this.#graded.record;
  }

  /** Does the next ones. @returns the gradings including them; `undefined` when none were left */
  next(source: GradingSource): GradingsInPieces | undefined {
    if (this.#drawing === undefined) return this.#gradeNext(source);
    // This asks nothing and is not taken back.
    const { value, done } = this.#drawing.next();
    if (done) {
      this.#drawn = value;
      this.#drawing = undefined;
    }
    return this;
  }

  #gradeNext(source: GradingSource): GradingsInPieces | undefined {
    let { count, spent } = this.#graded;
    const { mostLoadedSteps } = this.#settings;
    const end = Math.min(this.#drawn.length, count + GRADED_AT_ONCE);
    if (count === end || spent >= mostLoadedSteps) return undefined;
    const gradings = new Gradings(source, this.record, mostLoadedSteps - spent);
    source.knowledge.tellMatcher();
    for (const id of this.#drawn.slice(count, end)) {
      if (gradings.isOver) break;
      const draw = ++count;
      const came = gradings.occurrenceOf(id, (seed) => hashOf(seed + draw, this.#learned));
      if (came !== undefined && !isWindow(source, id, came)) gradings.grade(came);
    }
    spent += gradings.spent;
    return new GradingsInPieces(source, { gradings: this, graded: { count, spent, record: gradings.record } });
  }
}
