/**
 * Queries Noema for what comes next, and reduces the result to one answer. A question without vectors is asked without
 * observing; one with vectors is observed in a session first, because only the server can turn vectors into symbols.
 */

import {
  endSession,
  getForecast,
  getPredictions,
  type Memory,
  MOST_FORECAST_SYMBOLS,
  MOST_HORIZON,
  observeSequence,
  type Processor,
  type Schemas,
  session,
} from "../../client";
import type { Question } from "./questions";

type Voting = Pick<Schemas.Prediction, "frequency" | "future" | "snr">;

const FIELDS = ["frequency", "future", "snr"] as const;

/** Which event of the future holds the answer: the next one, or the last one, where a label stands. */
export type Deciding = "last" | "next";

/**
 * The answer that predictions vote for, each for every candidate in the event that decides. A prediction votes as
 * often as its model was learned, weighted by its snr to the fourth power: potential says how well a model fits,
 * and not how likely its future is, and models that explain little of the question are many. examples/web-shop
 * guesses in the same way.
 *
 * @param candidates the symbols that may be the answer
 * @param decides which event of a prediction's future that is
 * @returns `undefined` if none votes; of equals the one that the best prediction votes for
 */
export function answerOf(
  predictions: readonly Partial<Voting>[],
  candidates: ReadonlySet<string>,
  decides: Deciding,
): string | undefined {
  const votes = new Map<string, number>();
  for (const { future = [], frequency = 0, snr = 0 } of predictions) {
    const event = future.at(decides === "next" ? 0 : -1) ?? [];
    for (const symbol of event.filter((each) => candidates.has(each))) {
      votes.set(symbol, (votes.get(symbol) ?? 0) + frequency * snr ** 4);
    }
  }
  const [winner] = [...votes].sort(([, one], [, other]) => other - one);
  return winner?.[0];
}

/** What is said about a question. */
export interface Guessed {
  /** The answer; `undefined` if there is none. */
  readonly answer: string | undefined;
  /** How probable a symbol was held, above 0 and at most 1; absent where only votes are counted. */
  readonly probabilityOf?: (symbol: string) => number;
}

/** A way to guess. */
export interface Guess {
  /** What is said where nothing is known of the context. */
  readonly withoutContext: Guessed;
  /** Asks a memory what comes next; or what comes after `sequence`, if there is one. */
  ask(memory: Memory, sequence: string[][] | undefined, signal: AbortSignal): Promise<Guessed>;
}

/** Guesses what predictions vote for, as {@link answerOf} has it. */
export function guessByPredictions(candidates: ReadonlySet<string>, decides: Deciding): Guess {
  return {
    withoutContext: { answer: undefined },
    async ask(memory, sequence, signal) {
      const query = { fields: [...FIELDS], ...(sequence !== undefined && { sequence }) };
      return { answer: answerOf(await getPredictions(memory, query, { signal }), candidates, decides) };
    },
  };
}

/**
 * Guesses the most probable candidate: in the next event; or, where the last event decides, in any of the next 10,
 * because it is unknown how far ahead the last one is.
 */
export function guessByForecast(candidates: ReadonlySet<string>, decides: Deciding): Guess {
  const extent = { horizon: decides === "next" ? 1 : MOST_HORIZON, top: MOST_FORECAST_SYMBOLS };
  return {
    withoutContext: guessedFrom({ models: 0, within: [] }, candidates),
    async ask(memory, sequence, signal) {
      const query = { ...extent, ...(sequence !== undefined && { sequence }) };
      return guessedFrom(await getForecast(memory, query, { signal }), candidates);
    },
  };
}

/**
 * What a forecast says of candidates. One without a probability gets the share that surprise gives to what no model
 * said, of the candidates and one more: with m models and c candidates, 1 / ((m + 2) * (c + 1)).
 */
export function guessedFrom(
  { models, within }: { models: number; within: readonly Pick<Schemas.ForecastSymbol, "probability" | "symbol">[] },
  candidates: ReadonlySet<string>,
): Guessed {
  const least = 1 / ((models + 2) * (candidates.size + 1));
  const probabilities = new Map(within.map(({ symbol, probability }) => [symbol, probability]));
  return {
    answer: within.find(({ symbol }) => candidates.has(symbol))?.symbol,
    probabilityOf: (symbol) => probabilities.get(symbol) || least,
  };
}

/** Asks questions. Those of one lane come one after the other. */
export interface Asker {
  ask(question: Question, lane: number): Promise<Guessed>;
  /** Ends the sessions that it has made. */
  end(): Promise<void>;
}

/** Asks without observing. */
export function sequenceAsker(processor: Processor, guess: Guess, signal: AbortSignal): Asker {
  return {
    async ask({ context }) {
      const sequence = context.map(({ strings = [] }) => strings).filter((event) => event.length > 0);
      return sequence.length === 0 ? guess.withoutContext : guess.ask(processor, sequence, signal);
    },
    async end() {},
  };
}

/**
 * Observes the events of a question in a session of the lane, and asks there.
 *
 * @param name the beginning of the sessions' names
 */
export function observingAsker(processor: Processor, name: string, guess: Guess, signal: AbortSignal): Asker {
  const lanes = new Set<number>();
  const nameOf = (lane: number) => `${name} ${lane}`;
  return {
    async ask({ context }, lane) {
      lanes.add(lane);
      const memory = session(processor, nameOf(lane));
      await observeSequence(memory, { sequence: [...context], clear: true }, { signal });
      return guess.ask(memory, undefined, signal);
    },
    async end() {
      await Promise.all([...lanes].map((lane) => endSession(processor, nameOf(lane))));
    },
  };
}
