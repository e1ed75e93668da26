/**
 * Baselines that only count: the most frequent answer, and Markov chains over whole events. They use the symbols of
 * events, but no vectors or emotives. In a tie, the first answer by code point is given.
 */

import { type Question, stateOf } from "./questions";

/** Answers questions; `undefined` for no answer. */
export type Answerer = (question: Question) => string | undefined;

type Counts = Map<string, number>;

/** The most frequent answer after a context. */
function best(counts: Counts | undefined): string | undefined {
  let [answer, most]: [string | undefined, number] = [undefined, 0];
  for (const [each, count] of counts ?? []) {
    if (count > most || (count === most && answer !== undefined && isBefore(each, answer)))
      [answer, most] = [each, count];
  }
  return answer;
}

function isBefore(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
}

function count(counts: Map<string, Counts>, key: string, answer: string): void {
  const followers = counts.get(key) ?? new Map();
  counts.set(key, followers.set(answer, (followers.get(answer) ?? 0) + 1));
}

/** The last `order` events of a context as one text; `undefined` if there are fewer events. */
function keyOf({ context }: Question, order: number): string | undefined {
  if (context.length < order) return undefined;
  return JSON.stringify(context.slice(context.length - order).map(stateOf));
}

/** Always gives the most frequent answer in training. */
export function mostFrequent(training: readonly Question[]): Answerer {
  return markovChain(training, 0);
}

/** Gives the most frequent answer after the last `order` events in training; none after events not seen in training. */
export function markovChain(training: readonly Question[], order: number): Answerer {
  const counts = new Map<string, Counts>();
  for (const question of training) {
    const key = keyOf(question, order);
    if (key !== undefined) count(counts, key, question.actual);
  }
  return (question) => best(counts.get(keyOf(question, order) ?? ""));
}

/**
 * Gives the answer of the longest chain that has one: of `most` events, then of one fewer, down to the most frequent
 * answer.
 */
export function markovWithBackOff(training: readonly Question[], most: number): Answerer {
  const chains = Array.from({ length: most + 1 }, (_, shorter) => markovChain(training, most - shorter));
  return (question) => {
    for (const chain of chains) {
      const answer = chain(question);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}
