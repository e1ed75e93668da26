/**
 * Asks Noema what comes next, and reduces the result to one answer. A question without vectors is asked without
 * observing; one with vectors is observed in a session first, because only the server can turn vectors into symbols.
 */

import {
  endSession,
  getForecast,
  getPredictions,
  MAX_FORECAST_SYMBOLS,
  MAX_HORIZON,
  type Memory,
  observeSequence,
  type Processor,
  type Schemas,
  session,
} from "../../client";
import type { Question } from "./questions";

type Voting = Pick<Schemas.Prediction, "frequency" | "future" | "snr">;

const FIELDS = ["frequency", "future", "snr"] as const;

/** Which future event holds the answer: the next one, or the last one, which holds a label. */
export type Deciding = "last" | "next";

/**
 * The answer with the most votes of predictions. A prediction votes for every candidate in the deciding event. Its
 * weight is the model's frequency times its snr to the fourth power: potential measures how well a model fits, and not
 * how probable its future is, and there are many models that explain little of the question. examples/web-shop guesses
 * in the same way.
 *
 * @param candidates the symbols that may be the answer
 * @param decides which event of a prediction's future decides
 * @returns `undefined` without votes; in a tie, the answer of the best prediction
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

/** The answer to a question. */
export interface Guessed {
  /** The answer; `undefined` if there is none. */
  readonly answer: string | undefined;
  /** The probability given to a symbol, above 0 and at most 1; absent if only votes are counted. */
  readonly probabilityOf?: (symbol: string) => number;
}

/** A way of answering. */
export interface Guess {
  /** The answer when nothing is known of the context. */
  readonly withoutContext: Guessed;
  /** Asks a memory what comes next, or what comes after `sequence` if given. */
  ask(memory: Memory, sequence: string[][] | undefined, signal: AbortSignal): Promise<Guessed>;
}

/** Answers with the votes of predictions; see {@link answerOf}. */
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
 * Answers with the most probable candidate: in the next event; or, if the last event decides, in any of the next 10,
 * because it is unknown how many events away the last one is.
 */
export function guessByForecast(candidates: ReadonlySet<string>, decides: Deciding): Guess {
  const extent = { horizon: decides === "next" ? 1 : MAX_HORIZON, top: MAX_FORECAST_SYMBOLS };
  return {
    withoutContext: guessedFrom({ models: 0, within: [] }, candidates),
    async ask(memory, sequence, signal) {
      const query = { ...extent, ...(sequence !== undefined && { sequence }) };
      return guessedFrom(await getForecast(memory, query, { signal }), candidates);
    },
  };
}

/**
 * The answer from a forecast. A candidate without a probability gets the share that surprise gives to symbols that no
 * model predicted, divided among the candidates and one more: with m models and c candidates, 1 / ((m + 2) * (c + 1)).
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

/** Asks questions. Questions in one lane are asked one after the other. */
export interface Asker {
  ask(question: Question, lane: number): Promise<Guessed>;
  /** Ends the sessions that the asker has made. */
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
 * Observes the events of a question in the lane's session, and asks that session.
 *
 * @param name prefix of the sessions' names
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
