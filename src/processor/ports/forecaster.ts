/**
 * The port through which the processor asks what comes next: `Forecaster` answers with probabilities, over all models
 * that share a symbol with the query. Symbols and models are numbers here. Implemented by the kernel, and by a slow
 * oracle in tests.
 */

import { GetForecastRequest } from "../../gen/limits";
import type { Sequence, Totals } from "./matcher";

/** The most events ahead that a forecast looks. */
export const MOST_HORIZON = GetForecastRequest.horizon.most;

/** The most symbols that a list of a forecast has. */
export const MOST_TOP = GetForecastRequest.top.most;

/** Maximum number of events that a forecast takes into account: the newest ones. The kernel's own bound is the same. */
export const CONTEXT_EVENTS = 10;

/**
 * The most neighbours of a context that hold a symbol of its newest event, the most that do not, and the most symbols
 * of either group. The kernel's own bounds are the same.
 */
export const MOST_NEWEST_NEIGHBOURS = 1024;
export const MOST_OTHER_NEIGHBOURS = 512;
export const MOST_NEIGHBOUR_SYMBOLS = 2 ** 19;

/** Maximum number of models that a list names for each symbol. */
export const MOST_FORECAST_MODELS = 5;

/** How many rules give probabilities, in this order: order, behind, alike, near. See docs/forecast.md. */
export const RULES = 4;

/** The places of the rules among them. */
export const ORDER = 0;
export const BEHIND = 1;
export const ALIKE = 2;
export const NEAR = 3;

/**
 * A most probable symbol of a list within a horizon is counted by its probability: below the first of these bounds,
 * between two of them, or from the last one on.
 */
export const CONFIDENCE_BOUNDS = [0.03, 0.06, 0.12, 0.25, 0.45, 0.65, 0.85, 0.93, 0.98] as const;

/** The horizons of one part of the record: those up to this one that no part before has. */
export const PART_ENDS = [1, 3, 6, MOST_HORIZON] as const;

/** The kinds of situation for which a part of the record has weights of their own. */
export const BUCKETS = 12;

/** How many numbers a bucket has: how many gradings it has seen, by their weight; and a weight for each rule. */
export const BUCKET_NUMBERS = 1 + RULES;

/** The pairs of rules, each rule with itself included: the numbers of a symmetric matrix. */
export const RULE_PAIRS = (RULES * (RULES + 1)) / 2;

/** What the odds of the next event are corrected by: the log odds, the probability, the events behind. */
export const CORRECTION_TERMS = 3;

/** The pairs of these, as {@link RULE_PAIRS}. */
export const TERM_PAIRS = (CORRECTION_TERMS * (CORRECTION_TERMS + 1)) / 2;

/**
 * The numbers of one part of the record: a weight for each rule; the {@link BUCKET_NUMBERS} of each bucket; then, for
 * each range of {@link CONFIDENCE_BOUNDS}, how many forecasts there were, and in how many of them the first symbol
 * came; the curvature of each of {@link RULE_PAIRS}, row by row from the diagonal on; a weight for each of
 * {@link CORRECTION_TERMS}, and the curvature of each of {@link TERM_PAIRS}. The ranges are zeros in the part of the
 * next event, and the last nine numbers in the others.
 */
export const RECORD_NUMBERS =
  RULES + BUCKETS * BUCKET_NUMBERS + 2 * (CONFIDENCE_BOUNDS.length + 1) + RULE_PAIRS + CORRECTION_TERMS + TERM_PAIRS;

/**
 * What past forecasts tell: for each part of {@link PART_ENDS} a list of {@link RECORD_NUMBERS} numbers, or an empty
 * one where nothing was graded. No part at all: the knowledge was never graded, as one of a former release, and is to
 * be.
 */
export type ForecastRecord = readonly (readonly number[])[];

/** The record of a knowledge of which nothing was graded because there was nothing to grade. */
export const EMPTY_RECORD: ForecastRecord = PART_ENDS.map(() => []);

/** The levels on which a place of a model can be like the context, 1 the least alike: see docs/forecast.md. */
export const LEVELS = 16;

/** What a forecast is about. */
export interface ForecastContext extends Sequence {
  /** Only models whose last event holds this symbol speak; all do when it is `undefined`. */
  target: number | undefined;
  /** The counters of the whole knowledge base. */
  totals: Totals;
  /** What past forecasts tell. */
  record: ForecastRecord;
  /** How many steps the forecaster may take. The count is a function of knowledge and question alone. */
  steps: number;
}

/**
 * The question: what follows these events? The events are oldest first, and may hold unknown symbols; none at all is
 * allowed.
 */
export interface ForecastQuery extends ForecastContext {
  /** How many events ahead, 1 to {@link MOST_HORIZON}. */
  horizon: number;
  /** The most symbols of each list, 1 to {@link MOST_TOP}. */
  top: number;
  /**
   * Orders symbols of equal probability: below 0 when the first comes first. It must be a strict order of all symbols.
   */
  compare: (one: number, other: number) => number;
  /** Whether the models that say a symbol are not asked for: their lists are empty then. */
  isWithoutModels?: boolean;
  /** Horizons, each 1 to {@link horizon}: the lists within them are wanted, too. */
  shorter?: ReadonlySet<number>;
  /** How many of the nearest models the answer lists; none if absent. */
  mostNearest?: number;
  /** Symbols whose probabilities in the next event are wanted, however many are more probable; none if absent. */
  wanted?: Uint32Array;
}

/** A symbol that may come. */
export interface ForecastSymbol {
  symbol: number;
  /** Above 0, at most 1. */
  probability: number;
  /** How many models say so; 0 when it has its probability from the knowledge as a whole. */
  support: number;
  /**
   * The ids of the models that say so most strongly, at most {@link MOST_FORECAST_MODELS}; strongest first, ties newest
   * first.
   */
  models: number[];
}

/** What may be in one event ahead. */
export interface ForecastStep {
  /** The probability of an end, or of nothing that is known; 0 to 1. */
  none: number;
  /** The probability of all symbols that no model that was heard holds; 1 when no model speaks. */
  rest: number;
  /** Most probable first. */
  symbols: ForecastSymbol[];
}

/** The answer. */
export interface Forecast {
  /** How many of the newest events of the query were taken into account. */
  context: number;
  /**
   * How many models spoke: those that share a symbol with the events taken into account, and that the target admits.
   */
  models: number;
  /** One for each event ahead, the nearest first; `horizon` of them. */
  steps: ForecastStep[];
  /**
   * Symbols by the probability that at least one of the `horizon` events ahead holds them, most probable first. No step
   * gives a symbol more, and no forecast with a shorter horizon does.
   */
  within: ForecastSymbol[];
  /** By horizon, the same within each that was wanted; missing where none was, or no model speaks. */
  withinShorter?: ReadonlyMap<number, ForecastSymbol[]>;
  /** The ids of the nearest models that hold a symbol of the newest event, the nearest first, if asked for. */
  nearest?: number[];
  /** What the next event gives the wanted symbols, in their order; missing where none are, or no model speaks. */
  wanted?: Float64Array;
}

/** The question: why has a symbol its probability? */
export interface ForecastDoubt extends ForecastContext {
  /** The symbol. */
  symbol: number;
  /** How many events ahead, 1 to {@link MOST_HORIZON}. */
  horizon: number;
  /** Whether in one or more of the events up to the horizon, and not in the one at the horizon. */
  isWithin: boolean;
  /** As in {@link ForecastQuery}. */
  compare: (one: number, other: number) => number;
}

/** What the correction of the next event goes by. */
export interface CorrectionTerm {
  /** What it is here: one of {@link CORRECTION_TERMS}. */
  value: number;
  /** What that weighs; may be negative. */
  weight: number;
}

/**
 * How the pooled probabilities of a list are corrected by what has proved true: the next event by a logistic
 * calibration, lists within a horizon by the calibration table of their part of the record.
 */
export interface ForecastCorrection {
  /** The symbol that the pool makes most probable, and its probability before the correction. */
  first: number;
  mixed: number;
  /**
   * Within a horizon: the range of probabilities that this is in, from one bound to below the other; how many past
   * forecasts had their first symbol in this range, and in how many of them it came; and the number of
   * pseudo-forecasts, right as often as they said. Missing for the next event.
   */
  from?: number;
  to?: number;
  forecasts?: number;
  right?: number;
  prior?: number;
  /**
   * For the next event: what its odds are multiplied by, e^Σ value · weight, and these terms. Within a horizon there is
   * no factor, and no term.
   */
  factor?: number;
  terms: CorrectionTerm[];
  /**
   * The probability of the first symbol: for the next event factor · mixed / (factor · mixed + 1 − mixed), within a
   * horizon (right + prior · mixed) / (forecasts + prior).
   */
  proved: number;
  /** Whether each other probability is multiplied by (1 − proved) / (1 − mixed). None becomes greater than `proved`. */
  isExclusive: boolean;
}

/** What one event ahead, or all up to there, give a symbol. */
export interface LikelyStep {
  /** How many events ahead, 1 to {@link MOST_HORIZON}. */
  horizon: number;
  /** Whether in one or more of the events up to the horizon, and not in the one at the horizon. */
  isWithin: boolean;
  symbol: number;
  /** Above 0, at most 1: what a forecast gives the symbol there. */
  probability: number;
}

/** What one rule says of a symbol. */
export interface ExplainedRule {
  /** Whether it has anything to go by here. */
  takesPart: boolean;
  /** Its exponent in the pool; may be negative. */
  weight: number;
  /** What the rule gives the symbol, 0 to 1. */
  given: number;
  /**
   * What of that counts in the pool: smoothed by the rules that are always defined; above 0, at most 1. 0 for a symbol
   * that no model holds.
   */
  probability: number;
  /**
   * The weight times (ln probability − the mean of that over all outcomes): above 0 it speaks for the symbol more than
   * for what is expected anyway.
   */
  evidence: number;
}

/** What the weights of a list depend on. */
export interface Situation {
  /** How many events stand behind the last shared one in the models that are heard, on average; 0 or more. */
  behind: number;
  /** The longest order that has a place; 0 without one. */
  longestOrder: number;
  /** The number of the bucket, 0 to {@link BUCKETS} − 1. */
  bucket: number;
}

/** The answer: what each rule gives the symbol, the pool, and its correction. */
export interface ExplainedForecast {
  /** As in {@link Forecast}. */
  context: number;
  models: number;
  /** As in {@link ForecastSymbol}; all are 0 or empty for a symbol that has no probability. */
  probability: number;
  support: number;
  strongest: number[];
  /** One for each rule, in their order. */
  rules: ExplainedRule[];
  /** The list's probability before it is corrected. */
  mixed: number;
  /**
   * The symbol's share of the pool; within a horizon h, `mixed` is 1 − (1 − share)^h. Missing where an event that was
   * counted holds several symbols.
   */
  share?: number;
  /** The logarithm by which shares sum to 1: ln share = Σ weight · ln probability − normalizer. Missing as `share`. */
  normalizer?: number;
  /** What the weights depend on. Missing as `share`. */
  situation?: Situation;
  /**
   * Missing when no symbol has a probability, for steps beyond the next event, and where an event that was counted
   * holds several symbols.
   */
  correction?: ForecastCorrection;
  /**
   * The nearest step up to the horizon, or list within a shorter one, that gives the symbol most, where that is more
   * than the list's own, corrected: then that is its probability. Of the first symbol it may be one that gives another
   * symbol as much or more: then its probability is the next number above.
   */
  likeliestStep?: LikelyStep;
}

/** What came, to be compared with what a forecast says. */
export interface ForecastOutcome extends ForecastContext {
  /** How many events ahead, 1 to {@link MOST_HORIZON}: the list within this horizon is graded. */
  horizon: number;
  /** The symbols that came in these events; a symbol that came twice stands there twice. */
  came: Uint32Array;
  /** How much the grading counts, above 0. */
  weight: number;
  /** Whether what came ends its sequence. */
  isEnd: boolean;
  /** The id of a model of which one occurrence is left out, because it is what came; 0 for none. */
  excluded: number;
  /** As in {@link ForecastQuery}. */
  compare: (one: number, other: number) => number;
}

/** What each rule gives each symbol, for some events ahead. */
export interface RuleTable {
  /** Bit n: rule n says something. */
  speaking: number;
  /** Whether an event that was counted holds more than one symbol. */
  isCrowded: boolean;
  /**
   * How many events stand behind the last one that a model shares with the context, on average; 0 when the rule behind
   * counts no model.
   */
  behind: number;
  /** The longest order that has a place; 0 when there is none. */
  longestOrder: number;
  /** The symbols. The first entry stands for the end, whatever its number. */
  symbols: Uint32Array;
  /** How many models say the symbol of an entry. Valid as the table is. */
  supportOf(entry: number): number;
  /** What each rule leaves, of 1, to be divided as often as symbols occur at all, whether or not a model says them. */
  rests: Float64Array;
  /** {@link RULES} probabilities for each symbol, one symbol after the other. */
  probabilities: Float64Array;
}

/** What the rules say of one context. Valid inside {@link ForecastRules.ask} only. */
export interface RuleAnswers {
  /** How many of the newest events are taken into account. */
  readonly context: number;
  /** How many models speak. */
  readonly models: number;
  /**
   * What the rules say of the events from `first` to `last` ahead, 1 or more. The table is valid until something else
   * is asked, {@link strongest} excepted.
   *
   * @param wanted distinct symbols that {@link together} will be asked about, in whatever order: then it may be counted
   *   on the way
   */
  ahead(first: number, last: number, wanted?: Uint32Array): RuleTable;
  /**
   * How often symbols came together. What was asked ahead before is no longer valid.
   *
   * @param symbols distinct, in the order in which they are counted; an unknown symbol is in no event
   * @returns for each level from 1 on, a row of `symbols.length` + 1 numbers: the frequencies of its places, then of
   *   those among them whose next event
   * holds the first symbol, then of those that hold the first two, and so on
   */
  together(symbols: Uint32Array): Float64Array;
  /**
   * The ids of the models that say a symbol of the table asked for last most strongly, at most {@link
   * MOST_FORECAST_MODELS}; ties newest first.
   */
  strongest(symbol: number): number[];
  /** The ids of the neighbours that hold a symbol of the newest event, the nearest first; at most `most`. */
  nearest(most: number): number[];
}

/** Counts what the models say, and what each rule makes of it. */
export interface ForecastRules {
  /**
   * Asks about a context.
   *
   * @param excluded the id of a model of which one occurrence is left out; 0 for none. It counts with its frequency −
   *   1, and not at all when that is 0
   * @param work asks what it needs
   */
  ask<Answer>(context: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer;
  /** As {@link Forecaster.series}. */
  series<Answer>(work: () => Answer): Answer;
  /**
   * How many of its steps the last question took. More than the context allows: it ended early, and the answer is
   * wrong.
   */
  readonly steps: number;
  /**
   * How many of these it took to read the neighbours: as many wherever the models are, in one kernel or in several, and
   * whatever was forgotten before.
   */
  readonly neighbourSteps: number;
}

/** Answers what comes next. */
export interface Forecaster {
  /**
   * Asks several questions of one knowledge, each about the events of the one before and the next: they may share what
   * they have in common. The answers are the same.
   *
   * @param work asks them, and nothing else of this knowledge
   */
  series<Answer>(work: () => Answer): Answer;
  /** What follows. Ends early, and the answer is wrong, when {@link steps} is more than the query allows. */
  forecast(query: ForecastQuery): Forecast;
  /**
   * The same, and how often symbols came together: the models are compared with the context once for both.
   *
   * @param work gets the forecast and what asks the latter, at most once, as {@link together} has it
   */
  consider<Answer>(
    query: ForecastQuery,
    work: (forecast: Forecast, together: (symbols: Uint32Array) => Float64Array) => Answer,
  ): Answer;
  /**
   * The probabilities that {@link forecast} would give some symbols in the event that comes next, in their order; 0 for
   * those that it gives none, unknown ones among them. Ends early as {@link forecast} does.
   */
  probabilities(context: ForecastContext, symbols: Uint32Array): Float64Array;
  /**
   * How often symbols came together, as {@link RuleAnswers.together} has it; zeros when no model speaks. Ends early as
   * {@link forecast} does.
   */
  together(context: ForecastContext, symbols: Uint32Array): Float64Array;
  /**
   * Why {@link forecast} gives a symbol its probability; `undefined` when no model speaks. Ends early as {@link
   * forecast} does.
   */
  explain(doubt: ForecastDoubt): ExplainedForecast | undefined;
  /**
   * Compares what a forecast would have said with what came.
   *
   * @returns the record with it; the same one where nothing can be graded
   */
  grade(outcome: ForecastOutcome): ForecastRecord;
  /** How many of its steps the last question took. */
  readonly steps: number;
  /** As {@link ForecastRules.neighbourSteps}. */
  readonly neighbourSteps: number;
}
