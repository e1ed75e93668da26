/**
 * Baselines that only count: the most frequent answer, and Markov chains over whole events. They see the symbols of
 * events, no vectors and no emotives. Of answers that are as frequent, the first one by code point is given.
 */

import { type Question, stateOf } from "./questions";

/** Answers questions; `undefined` where it has no answer. */
export type Answerer = (question: Question) => string | undefined;

type Counts = Map<string, number>;

/** The answers that came after a context, with how often each came. */
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
  const of = counts.get(key) ?? new Map();
  counts.set(key, of.set(answer, (of.get(answer) ?? 0) + 1));
}

/** The last `order` events of a context as one text; `undefined` if there are fewer. */
function keyOf({ context }: Question, order: number): string | undefined {
  if (context.length < order) return undefined;
  return JSON.stringify(context.slice(context.length - order).map(stateOf));
}

/** Always gives the answer that was most frequent in training. */
export function mostFrequent(training: readonly Question[]): Answerer {
  return markovChain(training, 0);
}

/**
 * Gives the answer that came most often after the last `order` events in training; none after
 * events that it has not seen.
 */
export function markovChain(training: readonly Question[], order: number): Answerer {
  const counts = new Map<string, Counts>();
  for (const question of training) {
    const key = keyOf(question, order);
    if (key !== undefined) count(counts, key, question.actual);
  }
  return (question) => best(counts.get(keyOf(question, order) ?? ""));
}

/**
 * Gives the answer of the longest chain that has one: of `most` events, else of one fewer, down to
 * the most frequent answer.
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
