/**
 * What past forecasts tell of the rules: how much each weighs, and what a forecast that is compared with what came adds. Owns what the numbers of a horizon
 * are, as docs/forecast.md states them.
 */

import {
  CONFIDENCE_BOUNDS,
  type ForecastGrade,
  type ForecastQuery,
  type ForecastRecord,
  RECORD_NUMBERS,
  RULES,
  type RuleTable,
} from "../ports/forecaster";

/** Shares are counted in so many parts. */
const SHARE_PARTS = 1024;

/** Two rules that go by what the latest events were, by their places among the rules: the same events in the same order, and ones that are alike. */
const ORDER = 0;
const ALIKE = 5;
/** The rule that goes by how often symbols occur at all. */
const FREQUENCY = 4;

/** Where the parts of the numbers of one horizon begin. */
const HITS = RULES;
/** Where the forecasts of the ranges begin, and where those in which the first symbol came. */
export const FORECASTS = 2 * RULES;
export const RIGHT = FORECASTS + CONFIDENCE_BOUNDS.length + 1;

type Compare = ForecastQuery["compare"];

/** The numbers of one horizon; zeros where nothing is known. */
export function numbersOf(record: ForecastRecord, horizon: number): readonly number[] {
  const numbers = record[horizon - 1];
  return numbers === undefined || numbers.length !== RECORD_NUMBERS
    ? new Array<number>(RECORD_NUMBERS).fill(0)
    : numbers;
}

/** Whether a rule has anything to go by. */
export function isSpeaking({ speaking }: RuleTable, rule: number): boolean {
  return ((speaking >> rule) & 1) === 1;
}

/** How much of what came is each rule's: its share, and 1 for a start. */
function sharesOf(table: RuleTable, numbers: readonly number[]): number[] {
  return Array.from({ length: RULES }, (_, rule) =>
    isSpeaking(table, rule) ? (numbers[rule] ?? 0) / SHARE_PARTS + 1 : 0,
  );
}

/**
 * The rule that would only blur what another says: what is alike, where it is clearly less often right than what is the same; else, where events hold
 * several symbols, what is the same, because one noisy symbol of many hides it.
 */
function blurredRule(table: RuleTable, numbers: readonly number[]): number | undefined {
  if (!(isSpeaking(table, ORDER) && isSpeaking(table, ALIKE))) return undefined;
  const [order, alike] = [numbers[HITS + ORDER] ?? 0, numbers[HITS + ALIKE] ?? 0];
  const came = numbers.slice(0, HITS).reduce((sum, share) => sum + share, 0) / SHARE_PARTS;
  // Where both are mostly right, or an event has regular symbols, alike places need not be better; elsewhere chance must not let them speak.
  const isClose = table.isCrowded || 2 * order >= came;
  const [times, most] = isClose ? [20, 19] : [5, 6];
  if (times * alike < most * order) return ALIKE;
  return table.isCrowded ? ORDER : undefined;
}

/** The weights of the rules that speak; their sum is 1. */
export function weightsOf(table: RuleTable, numbers: readonly number[]): number[] {
  const blurred = blurredRule(table, numbers);
  const weights = sharesOf(table, numbers).map((share, rule) => {
    const hits = (numbers[HITS + rule] ?? 0) + 0.5;
    return rule === blurred ? 0 : share * Math.sqrt(share) * hits * hits;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The range of a probability. */
export function rangeOf(probability: number): number {
  const range = CONFIDENCE_BOUNDS.findIndex((bound) => probability < bound);
  return range < 0 ? CONFIDENCE_BOUNDS.length : range;
}

/** Adds to one of the numbers. */
export function count(numbers: number[], at: number, times: number): void {
  numbers[at] = (numbers[at] ?? 0) + times;
}

/** The first symbol of one rule. */
function firstOf({ symbols, probabilities }: RuleTable, rule: number, compare: Compare): number {
  let first = -1;
  let greatest = 0;
  for (let at = 1; at < symbols.length; at++) {
    const probability = probabilities[at * RULES + rule] ?? 0;
    const symbol = symbols[at] ?? 0;
    if (probability > greatest || (probability === greatest && greatest > 0 && compare(symbol, first) < 0)) {
      first = symbol;
      greatest = probability;
    }
  }
  return first;
}

/**
 * Counts which rules were right.
 *
 * @returns whether one was right, and whether one that takes part was wrong. What occurs most often in all models does not count, because it is mostly wrong.
 */
export function addRules(
  numbers: number[],
  table: RuleTable,
  came: ReadonlySet<number>,
  compare: Compare,
): Omit<ForecastGrade, "record"> {
  addShares(numbers, table, came);
  let [someRight, someWrong] = [false, false];
  for (let rule = 0; rule < RULES; rule++) {
    if (!isSpeaking(table, rule)) continue;
    const isRight = came.has(firstOf(table, rule, compare));
    count(numbers, HITS + rule, isRight ? 1 : 0);
    if (rule === FREQUENCY) continue;
    someRight ||= isRight;
    someWrong ||= !isRight;
  }
  return { someRight, someWrong };
}

/** Divides each symbol that came among the rules that expected it, by what they gave it. */
function addShares(numbers: number[], table: RuleTable, came: ReadonlySet<number>): void {
  const shares = sharesOf(table, numbers);
  for (let at = 1; at < table.symbols.length; at++) {
    if (!came.has(table.symbols[at] ?? 0)) continue;
    const given = shares.map((share, rule) => share * (table.probabilities[at * RULES + rule] ?? 0));
    const sum = given.reduce((total, part) => total + part, 0);
    given.forEach((part, rule) => {
      numbers[rule] = (numbers[rule] ?? 0) + Math.round((SHARE_PARTS * part) / sum);
    });
  }
}
