/**
 * The surprise of an event, by the forecast just before it. The event's probability is the product of its symbols',
 * each given those before it: the forecast's probabilities, corrected by how often the symbols came together
 * (docs/decisions/061). A symbol without a probability in the forecast gets a small one.
 */

import type { ExpectedSymbol, Surprise, SurpriseFactor, SurpriseLevel } from "../../gen/plain";
import { compareCodePoints } from "../../text/code-points";
import { LEVELS } from "../ports/forecaster";
import { log2 } from "./logarithms";

/** Minimum probability of an event: the least double of full precision, so a surprise has at most 1022 bits. */
const MIN_PROBABILITY = 2 ** -1022;

/** Maximum number of corrected factors of an event, which bounds the counting. */
export const MAX_CORRECTED_FACTORS = 1024;

/** The inputs for an unexpected symbol's probability. */
export interface Rest {
  /**
   * The probability left by the rules, of 1, to divide among all symbols in proportion to how often they occur; 1 when
   * no model counts.
   */
  rest: number;
  /** Occurrences of sequences and symbols in all models: the sum of both frequencies. Above 0. */
  occurrences: number;
}

/** Pseudo-count of a symbol that never occurred, or that no model predicts. */
const UNEXPECTED_OCCURRENCES = 0.5;

/**
 * Queries how often symbols came together.
 *
 * @param symbols distinct, in the order of counting
 * @returns a row for each level, as in the port of forecasts; empty when no model counts
 */
export type AskTogether = (symbols: readonly string[]) => ArrayLike<number>;

/**
 * The factor, 1 or more, by which a symbol without a probability in the forecast is less probable because of what it
 * stands for.
 */
export type RemotenessOf = (symbol: string) => number;

/**
 * The probability of a symbol that has none in the forecast: its share, as if it had occurred half a time, of what the
 * rules leave to divide by occurrences. So it is less than that of any symbol with a probability, and least when all
 * similar places were followed by the same symbol.
 */
export function unexpectedProbability({ rest, occurrences }: Rest): number {
  return (UNEXPECTED_OCCURRENCES * rest) / occurrences;
}

/**
 * The factors of an event's probability, least probable symbol first, ties by code point. An event of one symbol needs
 * no query.
 *
 * @param symbols the distinct symbols of the event, not empty
 * @param probabilities the forecast's for each of them; 0 for none
 * @param remotenessOf what the probability of a symbol without one in the forecast is divided by
 */
export function factorsOf(
  symbols: readonly string[],
  probabilities: ArrayLike<number>,
  rest: Rest,
  ask: AskTogether,
  remotenessOf: RemotenessOf = () => 1,
): SurpriseFactor[] {
  const floor = unexpectedProbability(rest);
  const priors = symbols
    .map((symbol, at) => ({ symbol, prior: probabilities[at] || floor / remotenessOf(symbol) }))
    .sort((one, other) => one.prior - other.prior || compareCodePoints(one.symbol, other.symbol));
  const together = priors.slice(0, MAX_CORRECTED_FACTORS);
  const rows = priors.length === 1 ? [] : ask(together.map(({ symbol }) => symbol));
  return priors.map(({ symbol, prior }, at) => {
    const levels = at < together.length ? levelsOf(rows, together.length + 1, at) : [];
    const factor = levels.reduce((chance, { places, holding }) => (holding + chance) / (places + 1), prior);
    return { symbol, prior, levels, factor };
  });
}

/** The levels of the symbol after the first `at`. */
function levelsOf(rows: ArrayLike<number>, row: number, at: number): SurpriseLevel[] {
  const levels: SurpriseLevel[] = [];
  for (let level = 1; level <= LEVELS; level++) {
    const cell = (level - 1) * row + at;
    const places = rows[cell] ?? 0;
    if (places > 0) levels.push({ level, places, holding: rows[cell + 1] ?? 0 });
  }
  return levels;
}

/**
 * @param symbols the distinct symbols of the event, not empty
 * @param probabilities the forecast's for each of them; 0 for none
 * @param factors from {@link factorsOf}
 * @param expected the most probable symbols
 */
export function surpriseFrom(
  symbols: readonly string[],
  probabilities: ArrayLike<number>,
  factors: readonly SurpriseFactor[],
  expected: ExpectedSymbol[],
): Surprise {
  const unexpected = symbols.filter((_, at) => (probabilities[at] ?? 0) === 0);
  const product = factors.reduce((chance, { factor }) => chance * factor, 1);
  const probability = Math.min(1, Math.max(MIN_PROBABILITY, product));
  return { bits: Math.max(0, -log2(probability)), probability, expected, unexpected };
}
