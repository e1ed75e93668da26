/** Asks Noema and the baselines the same questions, and counts right answers. */

import type { Asker } from "./asking";
import { type Confusion, Tally } from "./confusion";
import { type Answerer, markovChain, markovWithBackOff, mostFrequent } from "./markov";
import type { Question } from "./questions";

/** How many questions are under way at a time. */
const LANES = 8;

/** What one method achieved. */
export interface Score {
  readonly method: "markov_1" | "markov_backoff" | "most_frequent" | "noema";
  readonly right: number;
  /** How many questions it answered at all. */
  readonly answered: number;
  /** The share of right answers among all questions, 0 to 1. */
  readonly accuracy: number;
}

/** What an evaluation found. */
export interface Evaluation {
  readonly questions: number;
  readonly scores: readonly Score[];
  /** The mean of -log2 of the probability that the right answer was given, in bits; absent where Noema only votes. */
  readonly log_loss?: number;
  /** What Noema answered for what. */
  readonly confusion: readonly Confusion[];
}

/** The questions of an evaluation. */
export interface Questions {
  /** What the baselines count. */
  readonly training: readonly Question[];
  readonly testing: readonly Question[];
  /** The most events of a context. */
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
      // By place: a sum depends on the order, and lanes end in any.
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
