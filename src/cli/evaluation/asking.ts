/**
 * Asks Noema what comes next, and makes one answer of its predictions. A question without vectors is asked without observing; one with
 * vectors is observed in a session first, because only the server can turn vectors into symbols.
 */

import { endSession, getPredictions, observeSequence, type Processor, type Schemas, session } from "../../client";
import type { Question } from "./questions";

type Voting = Pick<Schemas.Prediction, "frequency" | "future" | "snr">;

const FIELDS = ["frequency", "future", "snr"] as const;

/**
 * The answer that predictions vote for, each for every candidate in the event that decides. A prediction votes as often as its model was
 * learned, weighted by its snr to the fourth power: potential says how well a model fits, and not how likely its future is, and models that
 * explain little of the question are many. examples/web-shop guesses in the same way.
 *
 * @param candidates the symbols that may be the answer
 * @param decides which event of a prediction's future that is: the next one, or the last one, where a label stands
 * @returns `undefined` if none votes; of equals the one that the best prediction votes for
 */
export function answerOf(
  predictions: readonly Partial<Voting>[],
  candidates: ReadonlySet<string>,
  decides: "last" | "next",
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

/** Asks questions. Those of one lane come one after the other. */
export interface Asker {
  ask(question: Question, lane: number): Promise<readonly Partial<Voting>[]>;
  /** Ends the sessions that it has made. */
  end(): Promise<void>;
}

/** Asks without observing. */
export function sequenceAsker(processor: Processor, signal: AbortSignal): Asker {
  return {
    async ask({ context }) {
      const sequence = context.map(({ strings = [] }) => strings).filter((event) => event.length > 0);
      if (sequence.length === 0) return [];
      return getPredictions(processor, { sequence, fields: [...FIELDS] }, { signal });
    },
    async end() {},
  };
}

/**
 * Observes the events of a question in a session of the lane, and asks there.
 *
 * @param name the beginning of the sessions' names
 */
export function observingAsker(processor: Processor, name: string, signal: AbortSignal): Asker {
  const lanes = new Set<number>();
  const nameOf = (lane: number) => `${name} ${lane}`;
  return {
    async ask({ context }, lane) {
      lanes.add(lane);
      const memory = session(processor, nameOf(lane));
      await observeSequence(memory, { sequence: [...context], clear: true }, { signal });
      return getPredictions(memory, { fields: [...FIELDS] }, { signal });
    },
    async end() {
      await Promise.all([...lanes].map((lane) => endSession(processor, nameOf(lane))));
    },
  };
}
