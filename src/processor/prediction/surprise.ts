/**
 * How unexpected an event was, by the forecast just before it. The event's probability is the product of its symbols', each given those before it: from the
 * forecast's, corrected by how often they came together (docs/decisions/061). A symbol that the forecast gives none has a small one.
 */

import { compareCodePoints } from "../../text/code-points";
import type { Surprise } from "../ports/activity";
import type { ExpectedSymbol } from "../ports/expected-symbol";
import { LEVELS } from "../ports/forecaster";
import { log2 } from "./logarithms";

/** The least probability of an event: the least double of full precision. A surprise has at most 1022 bits. */
const LEAST_PROBABILITY = 2 ** -1022;

/** How many factors of an event are corrected at most, so that counting has a bound. */
export const MOST_TOGETHER = 1024;

/** What the probability of an unexpected symbol follows from. */
export interface Rest {
  /** What the rules leave, of 1, to be divided as often as symbols occur at all; 1 when no model speaks. */
  rest: number;
  /** How often sequences and symbols occur in all models: the sum of the frequencies of both. Above 0. */
  occurrences: number;
}

/** What never was, or what no model says, counts as if it occurred this often. */
const UNEXPECTED_OCCURRENCES = 0.5;

/** What was counted at the places of one level. */
export interface FactorLevel {
  /** 1 to 16. */
  level: number;
  /** The frequencies of the places whose next event holds all symbols before this one; above 0. */
  places: number;
  /** Of those among them whose next event holds this one, too. */
  holding: number;
}

/** One factor of the product: a symbol, given those of the factors before. */
export interface Factor {
  symbol: string;
  /** The probability that it begins with: the forecast's, or that of an unexpected symbol. */
  prior: number;
  /** What corrects it, the lowest level first. Empty for an event of one symbol. */
  levels: FactorLevel[];
  /** Above 0, at most 1. */
  factor: number;
}

/**
 * Asks how often symbols came together.
 *
 * @param symbols distinct, in the order in which they are counted
 * @returns a row for each level, as the port of forecasts has it; empty where no model speaks
 */
export type AskTogether = (symbols: readonly string[]) => ArrayLike<number>;

/**
 * The probability of a symbol that the forecast gives none: its part of what the rules leave to symbols by how often they occur, as if it had occurred half
 * a time. So it is less than that of any symbol that has one, and least where all alike places were followed by the same.
 */
export function unexpectedProbability({ rest, occurrences }: Rest): number {
  return (UNEXPECTED_OCCURRENCES * rest) / occurrences;
}

/**
 * The factors of an event's probability: the least probable symbol first, of equals the first by code point. An event of one symbol asks nothing.
 *
 * @param symbols the distinct symbols of the event, not empty
 * @param probabilities what the forecast gives each of them; 0 for none
 */
export function factorsOf(
  symbols: readonly string[],
  probabilities: ArrayLike<number>,
  rest: Rest,
  ask: AskTogether,
): Factor[] {
  const floor = unexpectedProbability(rest);
  const priors = symbols
    .map((symbol, at) => ({ symbol, prior: probabilities[at] || floor }))
    .sort((one, other) => one.prior - other.prior || compareCodePoints(one.symbol, other.symbol));
  const together = priors.slice(0, MOST_TOGETHER);
  const rows = priors.length === 1 ? [] : ask(together.map(({ symbol }) => symbol));
  return priors.map(({ symbol, prior }, at) => {
    const levels = at < together.length ? levelsOf(rows, together.length + 1, at) : [];
    const factor = levels.reduce((chance, { places, holding }) => (holding + chance) / (places + 1), prior);
    return { symbol, prior, levels, factor };
  });
}

/** What the levels say of the symbol after the first `at`. */
function levelsOf(rows: ArrayLike<number>, row: number, at: number): FactorLevel[] {
  const levels: FactorLevel[] = [];
  for (let level = 1; level <= LEVELS; level++) {
    const cell = (level - 1) * row + at;
    const places = rows[cell] ?? 0;
    if (places > 0) levels.push({ level, places, holding: rows[cell + 1] ?? 0 });
  }
  return levels;
}

/**
 * @param symbols the distinct symbols of the event, not empty
 * @param probabilities what the forecast gives each of them; 0 for none
 * @param factors what {@link factorsOf} makes of them
 * @param expected the most probable symbols
 */
export function surpriseFrom(
  symbols: readonly string[],
  probabilities: ArrayLike<number>,
  factors: readonly Factor[],
  expected: ExpectedSymbol[],
): Surprise {
  const unexpected = symbols.filter((_, at) => (probabilities[at] ?? 0) === 0);
  const product = factors.reduce((chance, { factor }) => chance * factor, 1);
  const probability = Math.min(1, Math.max(LEAST_PROBABILITY, product));
  return { bits: Math.max(0, -log2(probability)), probability, expected, unexpected };
}
