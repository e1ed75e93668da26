/**
 * The port for forecasts: `Forecaster` computes the probabilities of what comes next from all models that share a
 * symbol with the query. Symbols and models are numbers here. Implemented by the kernel, and by a slow oracle in tests.
 */

import { GetForecastRequest } from "../../gen/limits";
import type { Sequence, Totals } from "./matcher";

/** Maximum number of events ahead in a forecast. */
export const MAX_HORIZON = GetForecastRequest.horizon.most;

/** Maximum number of symbols in a list of a forecast. */
export const MAX_TOP = GetForecastRequest.top.most;

/** Maximum number of events of a forecast's context: the newest ones count. The kernel has the same bound. */
export const CONTEXT_EVENTS = 10;

/**
 * Bounds of the nearest models: those that hold a symbol of the context's newest event, those that do not, and the
 * symbols of either group. The kernel has the same bounds.
 */
export const MAX_NEWEST_NEIGHBOURS = 1024;
export const MAX_OTHER_NEIGHBOURS = 512;
export const MAX_NEIGHBOUR_SYMBOLS = 2 ** 19;

/**
 * Of the models that hold no symbol of the newest event, only those are neighbours whose similarity is less than the
 * greatest one by less than this: others have no weight. The kernel has the same bound.
 */
export const SIMILARITY_SPREAD = 80;

/** Maximum number of models listed for each symbol. */
export const MAX_FORECAST_MODELS = 5;

/** Number of rules that give probabilities, in this order: order, behind, alike, near. See docs/forecast.md. */
export const RULES = 4;

/** Index of each rule. */
export const ORDER = 0;
export const BEHIND = 1;
export const ALIKE = 2;
export const NEAR = 3;

/**
 * The confidence ranges by which the first symbol of a list within a horizon is counted: below the first bound, between
 * two neighbours, or from the last one on.
 */
export const CONFIDENCE_BOUNDS = [0.03, 0.06, 0.12, 0.25, 0.45, 0.65, 0.85, 0.93, 0.98] as const;

/** The last horizon of each part of the record. A part covers the horizons after the part before it. */
export const PART_ENDS = [1, 3, 6, MAX_HORIZON] as const;

/** Number of kinds of situation. A part of the record has separate weights for each. */
export const BUCKETS = 12;

/** Numbers of a bucket: the total weight of its gradings, then a weight for each rule. */
export const BUCKET_NUMBERS = 1 + RULES;

/** Number of pairs of rules, including each rule with itself: the size of a symmetric matrix. */
export const RULE_PAIRS = (RULES * (RULES + 1)) / 2;

/** Number of terms that correct the odds of the next event: the log odds, the probability, the events behind. */
export const CORRECTION_TERMS = 3;

/** Number of pairs of these terms, as {@link RULE_PAIRS}. */
export const TERM_PAIRS = (CORRECTION_TERMS * (CORRECTION_TERMS + 1)) / 2;

/**
 * Numbers of one part of the record: a weight for each rule; the {@link BUCKET_NUMBERS} of each bucket; then, for each
 * range of {@link CONFIDENCE_BOUNDS}, the number of forecasts, and the number of those whose first symbol came; the
 * curvature of each of {@link RULE_PAIRS}, row by row from the diagonal on; a weight for each of {@link
 * CORRECTION_TERMS}, and the curvature of each of {@link TERM_PAIRS}. In the part of the next event the ranges are 0;
 * in the other parts the last nine numbers are.
 */
export const RECORD_NUMBERS =
  RULES + BUCKETS * BUCKET_NUMBERS + 2 * (CONFIDENCE_BOUNDS.length + 1) + RULE_PAIRS + CORRECTION_TERMS + TERM_PAIRS;

/**
 * The results of past forecasts: for each part of {@link PART_ENDS} a list of {@link RECORD_NUMBERS} numbers, or an
 * empty list if nothing was graded. Without any list, the knowledge was never graded, such as an earlier release's, and
 * has to be.
 */
export type ForecastRecord = readonly (readonly number[])[];

/** The record of knowledge that has nothing to grade. */
export const EMPTY_RECORD: ForecastRecord = PART_ENDS.map(() => []);

/**
 * Number of levels of similarity between a place of a model and the context; level 1 is the least similar. See
 * docs/forecast.md.
 */
export const LEVELS = 16;

/** The context of a forecast. */
export interface ForecastContext extends Sequence {
  /** Only models whose last event holds this symbol count; all do if `undefined`. */
  target: number | undefined;
  /** The counters of the whole knowledge base. */
  totals: Totals;
  /** The results of past forecasts. */
  record: ForecastRecord;
  /** The maximum number of steps. The steps that a forecast takes depend on knowledge and query alone. */
  steps: number;
}

/**
 * A query for what follows these events. The events are oldest first, and may include unknown symbols; there may be
 * none.
 */
export interface ForecastQuery extends ForecastContext {
  /** How many events ahead, 1 to {@link MAX_HORIZON}. */
  horizon: number;
  /** Maximum number of symbols in each list, 1 to {@link MAX_TOP}. */
  top: number;
  /**
   * Orders symbols of equal probability: negative when the first comes first. Must be a strict order of all symbols.
   */
  compare: (one: number, other: number) => number;
  /** Whether to omit the models of each symbol: their lists are empty then, and their numbers undefined. */
  isWithoutModels?: boolean;
  /** Horizons, each 1 to {@link horizon}, whose lists within them are also wanted. */
  shorter?: ReadonlySet<number>;
  /** Number of nearest models to list; none if absent. */
  mostNearest?: number;
  /**
   * Symbols whose probabilities in the next event are wanted, even if they are not among the most probable; none if
   * absent.
   */
  wanted?: Uint32Array;
}

/** A symbol that may come. */
export interface ForecastSymbol {
  symbol: number;
  /** Above 0, at most 1. */
  probability: number;
  /** Number of models that predict it; 0 if its probability comes from the knowledge as a whole. */
  support: number;
  /**
   * The ids of the models that predict it most strongly, at most {@link MAX_FORECAST_MODELS}; strongest first, ties
   * newest first.
   */
  models: number[];
}

/** The forecast of one event ahead. */
export interface ForecastStep {
  /** The probability of the end, or of nothing known; 0 to 1. */
  none: number;
  /** The probability of all symbols that none of the counted models holds; 1 when no model counts. */
  rest: number;
  /** Most probable first. */
  symbols: ForecastSymbol[];
}

/** A forecast. */
export interface Forecast {
  /** Number of the query's newest events taken into account. */
  context: number;
  /**
   * Number of models that count: those that share a symbol with the events taken into account and are admitted by the
   * target.
   */
  models: number;
  /** One for each event ahead, nearest first; `horizon` in all. */
  steps: ForecastStep[];
  /**
   * Symbols by the probability that at least one of the `horizon` events ahead holds them, most probable first. It is
   * never less than the symbol's probability in a single step or within a shorter horizon; where symbols exclude each
   * other, it is never more than the sum of the symbol's probabilities in the steps.
   */
  within: ForecastSymbol[];
  /** By horizon: the same list for each horizon of `shorter`; absent if none was wanted, or no model counts. */
  withinShorter?: ReadonlyMap<number, ForecastSymbol[]>;
  /** If requested: the ids of the nearest models that hold a symbol of the newest event, nearest first. */
  nearest?: number[];
  /**
   * The probabilities of the wanted symbols in the next event, in their order; absent if none was wanted, or no model
   * counts.
   */
  wanted?: Float64Array;
}

/** A query for why a symbol has its probability. */
export interface ForecastDoubt extends ForecastContext {
  /** The symbol. */
  symbol: number;
  /** How many events ahead, 1 to {@link MAX_HORIZON}. */
  horizon: number;
  /** If set, the symbol may come in any event up to the horizon; else only in the one at the horizon. */
  isWithin: boolean;
  /** As in {@link ForecastQuery}. */
  compare: (one: number, other: number) => number;
}

/** One term of the next event's correction. */
export interface CorrectionTerm {
  /** The term's value here. The terms are those of {@link CORRECTION_TERMS}. */
  value: number;
  /** The term's weight; may be negative. */
  weight: number;
}

/**
 * How the pooled probabilities of a list are corrected by past results: the next event by a logistic calibration, lists
 * within a horizon by the calibration table of their part of the record, and a step beyond the next event by the list
 * up to it.
 */
export interface ForecastCorrection {
  /**
   * The symbol that the pool makes most probable, and its probability before the correction. For a step beyond the next
   * event the first symbol of the list within its horizon, and its probability in the step.
   */
  first: number;
  mixed: number;
  /**
   * Within a horizon: the confidence range of that probability, `from` inclusive and `below` exclusive; the number of
   * past forecasts whose first symbol was in this range, and of those whose first symbol came; and the number of
   * pseudo-forecasts, which are right as often as they claim. Absent for a step.
   */
  from?: number;
  to?: number;
  forecasts?: number;
  right?: number;
  prior?: number;
  /** For the next event: the factor of its odds, e^Σ value · weight, and these terms. Absent for others. */
  factor?: number;
  terms: CorrectionTerm[];
  /**
   * For a step beyond the next event: the probability of the first symbol within its horizon, and the sum of its
   * probabilities in the steps before, added from the nearest. Absent for others.
   */
  within?: number;
  sumBefore?: number;
  /**
   * The corrected probability of the first symbol: for the next event factor · mixed / (factor · mixed + 1 − mixed),
   * within a horizon (right + prior · mixed) / (forecasts + prior). For a step beyond the next event what is missing,
   * within − sumBefore, or the next number above if sumBefore and that are less than within.
   */
  proved: number;
  /**
   * Whether every other probability is multiplied by (1 − proved) / (1 − mixed). None may exceed `proved`, except in a
   * step beyond the next event.
   */
  isExclusive: boolean;
}

/** The probability of a symbol in one event ahead, or within a shorter horizon. */
export interface LikelyStep {
  /** How many events ahead, 1 to {@link MAX_HORIZON}. */
  horizon: number;
  /** If set, in any event up to the horizon; else only in the one at the horizon. */
  isWithin: boolean;
  symbol: number;
  /** Above 0, at most 1. */
  probability: number;
}

/** One rule's contribution to a symbol. */
export interface ExplainedRule {
  /** Whether the rule has any evidence here. */
  takesPart: boolean;
  /** Its exponent in the pool; may be negative. */
  weight: number;
  /** The rule's own probability of the symbol, 0 to 1. */
  given: number;
  /**
   * Its probability in the pool, smoothed by the rules that are always defined; above 0, at most 1. 0 for a symbol that
   * no model holds.
   */
  probability: number;
  /**
   * The weight times (ln probability − its mean over all outcomes). Positive if the rule favours the symbol more than
   * the average outcome.
   */
  evidence: number;
}

/** The situation that selects the weights of a list. */
export interface Situation {
  /** Mean number of events behind the last shared one in the models that count; 0 or more. */
  behind: number;
  /** The longest order with a place; 0 without one. */
  longestOrder: number;
  /** The number of the bucket, 0 to {@link BUCKETS} − 1. */
  bucket: number;
}

/** How often a symbol followed the longest order, which updates its share of the pool. */
export interface Followed {
  /** How often the symbol followed, and how often any symbol did: frequencies of learned sequences. */
  count: number;
  of: number;
  /** The number of occurrences that the share is worth, above 0. */
  prior: number;
}

/** Why a symbol has its probability: what each rule gives it, the pool, and the correction. */
export interface ExplainedForecast {
  /** As in {@link Forecast}. */
  context: number;
  models: number;
  /** As in {@link ForecastSymbol}; 0 or empty for a symbol without a probability. */
  probability: number;
  support: number;
  strongest: number[];
  /** One for each rule, in their order. */
  rules: ExplainedRule[];
  /** The pooled probability before correction. */
  mixed: number;
  /**
   * The symbol's share of the pool. In a single event, `mixed` is the share updated by `followed`; within a horizon h
   * it is 1 − (1 − share)^h. Absent if one of the counted events holds several symbols.
   */
  share?: number;
  /** Absent as `share`, within a horizon of 2 or more, and if no order has an occurrence: then `mixed` is `share`. */
  followed?: Followed;
  /**
   * The logarithm that normalizes the shares to a sum of 1: ln share = Σ weight · ln probability − normalizer. Absent
   * as `share`.
   */
  normalizer?: number;
  /** The situation that the weights depend on. Absent as `share`. */
  situation?: Situation;
  /**
   * Absent when no symbol has a probability, if one of the counted events holds several symbols, and for steps beyond
   * the next event whose sum is enough.
   */
  correction?: ForecastCorrection;
  /**
   * The nearest step up to the horizon, or list within a shorter one, that gives the symbol its greatest probability,
   * if that exceeds the list's own corrected one: then the list takes it over. For the first symbol it may be a step
   * that gives another symbol as much or more, the one at the horizon before any correction; then the first gets the
   * next number above.
   */
  likeliestStep?: LikelyStep;
  /**
   * For a list within a horizon of 2 or more: the sum of the symbol's probabilities in the steps, added from the
   * nearest, 0 or more. It limits the list's own corrected probability. Absent as `share`, too.
   */
  sumOfSteps?: number;
}

/** An outcome, to be compared with its forecast. */
export interface ForecastOutcome extends ForecastContext {
  /** Number of events ahead, 1 to {@link MAX_HORIZON}: the list within this horizon is graded. */
  horizon: number;
  /** The symbols that came in these events, with repeats. */
  came: Uint32Array;
  /** The weight of the grading in the pool, above 0. */
  weight: number;
  /** Its weight in the correction, above 0. */
  correctionWeight: number;
  /** Whether the outcome ends its sequence. */
  isEnd: boolean;
  /** The id of a model to count one occurrence less of, because that occurrence is the outcome; 0 for none. */
  excluded: number;
  /** As in {@link ForecastQuery}. */
  compare: (one: number, other: number) => number;
}

/**
 * The probabilities that the rules give to symbols, for some events ahead. In a table that is not whole, those of the
 * rule alike alone are defined where it {@link isCrowded}, and nothing else about the other rules is; its symbols are
 * in any order then.
 */
export interface RuleTable {
  /** Bit n: rule n has an answer. */
  speaking: number;
  /** Whether one of the counted events holds more than one symbol. */
  isCrowded: boolean;
  /**
   * Mean number of events behind the last one that a model shares with the context; 0 when the rule behind counts no
   * model.
   */
  behind: number;
  /** The longest order with a place; 0 without one. */
  longestOrder: number;
  /**
   * The counts of the longest order, for each symbol, and for the first entry of all that the table does not name;
   * empty without one. They are frequencies of learned sequences.
   */
  counts: Float64Array;
  /** Their sum. */
  counted: number;
  /** The symbols. The first entry stands for the end, whatever its number. */
  symbols: Uint32Array;
  /** The number of models that predict the symbol of an entry. Valid as long as the table, and only if requested. */
  supportOf(entry: number): number;
  /** By rule: the probability left, of 1, to divide among all symbols in proportion to how often they occur. */
  rests: Float64Array;
  /** {@link RULES} probabilities for each symbol, one symbol after the other. */
  probabilities: Float64Array;
  /** If present, the probabilities by the rule alike, one for each symbol, and {@link probabilities} are undefined. */
  alikeAlone?: Float64Array;
}

/** What a caller wants from a table. */
export interface TableWishes {
  /** Distinct symbols that {@link RuleAnswers.together} will be asked about, in any order, to be counted on the way. */
  wanted?: Uint32Array | undefined;
  /**
   * Whether to compute all rules, even where the table is crowded; true if absent. A forecast pools nothing there and
   * needs none.
   */
  isWhole?: boolean;
  /**
   * Whether to find the models that predict a symbol; true if absent. If not, {@link RuleTable.supportOf} and {@link
   * RuleAnswers.strongest} are undefined, and overlapping windows can be counted together.
   */
  isSupported?: boolean;
}

/** The rules' answers for one context. Valid only inside {@link ForecastRules.ask}. */
export interface RuleAnswers {
  /** How many of the newest events are taken into account. */
  readonly context: number;
  /** Number of models that count. */
  readonly models: number;
  /**
   * The rules' answers for the events from `first` to `last` ahead, 1 or more. The table is valid until the next query
   * other than {@link strongest}.
   */
  ahead(first: number, last: number, wishes?: TableWishes): RuleTable;
  /**
   * How often symbols came together. Invalidates the tables of {@link ahead}.
   *
   * @param symbols distinct, in the order of counting; an unknown symbol is in no event
   * @returns for each level from 1 on, a row of `symbols.length` + 1 numbers: the frequency of its places; that of its
   *   places whose next event holds the first symbol; that with the first two symbols; and so on
   */
  together(symbols: Uint32Array): Float64Array;
  /**
   * The ids of the models that predict a symbol of the latest table most strongly, at most {@link
   * MAX_FORECAST_MODELS}; ties newest first.
   */
  strongest(symbol: number): number[];
  /** The ids of the neighbours that hold a symbol of the newest event, nearest first; at most `most`. */
  nearest(most: number): number[];
}

/** Compares models with a context, and computes each rule's answer. */
export interface ForecastRules {
  /**
   * Asks about a context.
   *
   * @param excluded the id of a model to count one occurrence less of; 0 for none. It counts with its frequency − 1, so
   *   not at all if it was learned once
   * @param work queries the answers
   */
  ask<Answer>(context: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer;
  /** As {@link Forecaster.series}. */
  series<Answer>(work: () => Answer): Answer;
  /**
   * Number of steps of the latest query. If it exceeds the context's, the query ended early and the answer is wrong.
   */
  readonly steps: number;
  /**
   * Number of those steps that read the neighbours. The same for models in one kernel or in several, and whatever was
   * forgotten before.
   */
  readonly neighbourSteps: number;
}

/** Forecasts what comes next. */
export interface Forecaster {
  /**
   * Runs several queries on one knowledge whose contexts are neighbouring places of one sequence, so that they can
   * share work. The answers do not depend on it.
   *
   * @param work makes the queries, and uses the knowledge for nothing else
   */
  series<Answer>(work: () => Answer): Answer;
  /** Forecasts what follows. If {@link steps} exceeds the query's limit, it ended early and the answer is wrong. */
  forecast(query: ForecastQuery): Forecast;
  /**
   * A forecast and {@link together}, with one comparison of the models with the context.
   *
   * @param work receives the forecast, and a function for {@link together} that it may call once
   */
  consider<Answer>(
    query: ForecastQuery,
    work: (forecast: Forecast, together: (symbols: Uint32Array) => Float64Array) => Answer,
  ): Answer;
  /**
   * The probabilities that {@link forecast} would give to symbols in the next event, in their order; 0 for symbols that
   * are unknown or get no probability. Ends early as {@link forecast} does.
   */
  probabilities(context: ForecastContext, symbols: Uint32Array): Float64Array;
  /**
   * How often symbols came together, as {@link RuleAnswers.together} has it; zeros when no model counts. Ends early as
   * {@link forecast} does.
   */
  together(context: ForecastContext, symbols: Uint32Array): Float64Array;
  /**
   * Why {@link forecast} gives a symbol its probability; `undefined` when no model counts. Ends early as {@link
   * forecast} does.
   */
  explain(doubt: ForecastDoubt): ExplainedForecast | undefined;
  /**
   * Compares a forecast with its outcome.
   *
   * @returns the record with the grading; the same record if nothing can be graded
   */
  grade(outcome: ForecastOutcome): ForecastRecord;
  /** Number of steps of the latest query. */
  readonly steps: number;
  /** As {@link ForecastRules.neighbourSteps}. */
  readonly neighbourSteps: number;
}
