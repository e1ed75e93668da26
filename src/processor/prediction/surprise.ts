/**
 * How unexpected an event was, by the forecast just before it. The event's probability is that of its least probable symbol. A
 * symbol that the forecast gives none has a small one, so that it is never 0 (docs/decisions/061, 065).
 */

import type { ExpectedSymbol, Surprise } from "../ports/witness";
import { log2 } from "./logarithms";

/** The least probability of an event: the least double of full precision. A surprise has at most 1022 bits. */
const LEAST_PROBABILITY = 2 ** -1022;

/** What the probability of an unexpected symbol follows from. */
export interface Rest {
  /** How many models spoke. */
  models: number;
  /** How many symbols are known. */
  symbols: number;
}

/**
 * The probability of a symbol that the forecast gives none. None of the models that spoke said it: Laplace's rule of succession gives such a thing
 * 1 / (models + 2). All known symbols, and one place for all others, share that evenly.
 */
export function unexpectedProbability({ models, symbols }: Rest): number {
  return 1 / ((models + 2) * (symbols + 1));
}

/**
 * @param symbols the distinct symbols of the event, not empty
 * @param probabilities what the forecast gives each of them; 0 for none
 * @param expected the most probable symbols
 */
export function surpriseFrom(
  symbols: readonly string[],
  probabilities: ArrayLike<number>,
  expected: ExpectedSymbol[],
  rest: Rest,
): Surprise {
  const floor = unexpectedProbability(rest);
  const unexpected: string[] = [];
  let least = 1;
  for (const [at, symbol] of symbols.entries()) {
    const probability = probabilities[at] ?? 0;
    if (probability === 0) unexpected.push(symbol);
    least = Math.min(least, probability === 0 ? floor : probability);
  }
  const probability = Math.max(LEAST_PROBABILITY, least);
  return { bits: Math.max(0, -log2(probability)), probability, expected, unexpected };
}
