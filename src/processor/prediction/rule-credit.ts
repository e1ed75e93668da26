/** What the record of forecasts says of the rules: which share of what came was each rule's, and how often its first symbol came. Counts what came. */

import { type ForecastQuery, RULES, type RuleTable } from "../ports/forecaster";

type Compare = ForecastQuery["compare"];

/** Shares are counted in so many parts. */
const SHARE_PARTS = 1024;

/** Where the hits begin among the numbers of one horizon. */
export const HITS = RULES;

/** Whether a rule takes part. */
export function isSpeaking({ speaking }: RuleTable, rule: number): boolean {
  return ((speaking >> rule) & 1) === 1;
}

/** How much of what came is each rule's: its share, and 1 for a start. */
export function sharesOf(table: RuleTable, numbers: readonly number[]): number[] {
  return Array.from({ length: RULES }, (_, rule) =>
    isSpeaking(table, rule) ? (numbers[rule] ?? 0) / SHARE_PARTS + 1 : 0,
  );
}

/** Adds to one of the numbers of a horizon. */
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

/** Counts which rules were right. */
export function addRules(numbers: number[], table: RuleTable, came: ReadonlySet<number>, compare: Compare): void {
  addShares(numbers, table, came);
  for (let rule = 0; rule < RULES; rule++) {
    const isRight = isSpeaking(table, rule) && came.has(firstOf(table, rule, compare));
    count(numbers, HITS + rule, isRight ? 1 : 0);
  }
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
