/**
 * The port through which the processor asks what comes next: `Forecaster` answers with probabilities, over all models that share a symbol
 * with the query. Symbols and models are numbers here. Implemented by the kernel, and by a slow oracle in tests.
 */

import type { Sequence } from "./matcher";

/** The most events ahead that a forecast looks. */
export const MOST_HORIZON = 10;

/** The most symbols that a list of a forecast has. */
export const MOST_TOP = 1000;

/** A list names at most so many models for each symbol. */
export const MOST_FORECAST_MODELS = 5;

/** What a forecast is about. */
export interface ForecastContext extends Sequence {
  /** Only models whose last event holds this symbol speak; all do when it is `undefined`. */
  target: number | undefined;
  /** How many steps the forecaster may take. The count is a function of knowledge and question alone. */
  steps: number;
}

/** The question: what follows these events? The events are oldest first, and may hold unknown symbols; none at all is allowed. */
export interface ForecastQuery extends ForecastContext {
  /** How many events ahead, 1 to {@link MOST_HORIZON}. */
  horizon: number;
  /** The most symbols of each list, 1 to {@link MOST_TOP}. */
  top: number;
  /** Orders symbols of equal probability: below 0 when the first comes first. It must be a strict order of all symbols. */
  compare: (one: number, other: number) => number;
}

/** A symbol that may come. */
export interface ForecastSymbol {
  symbol: number;
  /** Above 0, at most 1. */
  probability: number;
  /** How many models say so; 0 when it has its probability from the knowledge as a whole. */
  support: number;
  /** The ids of the models that say so most strongly, at most {@link MOST_FORECAST_MODELS}; strongest first, ties newest first. */
  models: number[];
}

/** What may be in one event ahead. */
export interface ForecastStep {
  /** The probability of an end, or of nothing that is known; 0 to 1. */
  none: number;
  /** Most probable first. */
  symbols: ForecastSymbol[];
}

/** The answer. */
export interface Forecast {
  /** How many of the newest events of the query were taken into account. */
  context: number;
  /** How many models spoke: those that share a symbol with the events taken into account, and that the target admits. */
  models: number;
  /** One for each event ahead, the nearest first; `horizon` of them. */
  steps: ForecastStep[];
  /** Symbols by the probability that at least one of the `horizon` events ahead holds them, most probable first. */
  within: ForecastSymbol[];
}

/** Answers what comes next. */
export interface Forecaster {
  /** What follows. Ends early, and the answer is wrong, when {@link steps} is more than the query allows. */
  forecast(query: ForecastQuery): Forecast;
  /**
   * The probabilities that {@link forecast} would give some symbols in the event that comes next, in their order; 0 for those that it
   * gives none, unknown ones among them. Ends early as {@link forecast} does.
   */
  probabilities(context: ForecastContext, symbols: Uint32Array): Float64Array;
  /** How many of its steps the last question took. */
  readonly steps: number;
}
