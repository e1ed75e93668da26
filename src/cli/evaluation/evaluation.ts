/** Asks Noema and the baselines the same questions, and counts right answers. */

import type { Asker } from "./asking";
import { type Confusion, Tally } from "./confusion";
import { type Answerer, markovChain, markovWithBackOff, mostFrequent } from "./markov";
import type { Question } from "./questions";

/** Number of questions in progress at a time. */
const LANES = 8;

/** The result of one method. */
export interface Score {
  readonly method: "markov_1" | "markov_backoff" | "most_frequent" | "noema";
  readonly right: number;
  /** The number of questions that the method answered. */
  readonly answered: number;
  /** The share of right answers among all questions, 0 to 1. */
  readonly accuracy: number;
}

/** The results of an evaluation. */
export interface Evaluation {
  readonly questions: number;
  readonly scores: readonly Score[];
  /** The mean of -log2 of the probability given to the right answer, in bits; absent if Noema only votes. */
  readonly log_loss?: number;
  /** Which answers Noema gave for which right answers. */
  readonly confusion: readonly Confusion[];
}

/** The questions of an evaluation. */
export interface Questions {
  /** The questions that the baselines learn from. */
  readonly training: readonly Question[];
  readonly testing: readonly Question[];
  /** Maximum number of events in a context. */
  readonly most: number;
}

/**
 * Asks all questions.
 *
 * @param onAsked called after each
 */
export async function evaluate(
  { training, testing, most }: Questions,
  asker: Asker,
  signal: AbortSignal,
  onAsked: (asked: number) => void,
): Promise<Evaluation> {
  const noema = new Tally();
  const losses: number[] = [];
  const pending = testing.entries();
  const askOn = async (lane: number) => {
    for (const [at, question] of pending) {
      signal.throwIfAborted();
      const { answer, probabilityOf } = await asker.ask(question, lane);
      noema.add(question.actual, answer);
      // By index: a sum of floating-point numbers depends on the order, and lanes finish in any order.
      if (probabilityOf !== undefined) losses[at] = -Math.log2(probabilityOf(question.actual));
      onAsked(noema.asked);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => askOn(lane)));
  return {
    questions: testing.length,
    scores: [
      scoreOf("noema", noema),
      scoreOf("markov_backoff", counted(markovWithBackOff(training, most), testing)),
      scoreOf("markov_1", counted(markovChain(training, 1), testing)),
      scoreOf("most_frequent", counted(mostFrequent(training), testing)),
    ],
    ...(losses.length > 0 && { log_loss: losses.reduce((sum, loss) => sum + loss, 0) / losses.length }),
    confusion: noema.confusions,
  };
}

function counted(answerer: Answerer, questions: readonly Question[]): Tally {
  const tally = new Tally();
  for (const question of questions) tally.add(question.actual, answerer(question));
  return tally;
}

function scoreOf(method: Score["method"], { right, answered, accuracy }: Tally): Score {
  return { method, right, answered, accuracy };
}
