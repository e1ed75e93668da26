/**
 * A forecaster that mixes what the rules say, as docs/forecast.md states: rules that were right in past forecasts weigh more, and the first
 * symbol gets a probability that has proved true. Knows nothing of how the rules count.
 */

import {
  CONFIDENCE_BOUNDS,
  type ExplainedForecast,
  type Forecast,
  type ForecastContext,
  type ForecastCorrection,
  type ForecastDoubt,
  type Forecaster,
  type ForecastGrade,
  type ForecastOutcome,
  type ForecastQuery,
  type ForecastRules,
  type ForecastSymbol,
  type LikelyStep,
  RULES,
  type RuleAnswers,
  type RuleTable,
} from "../ports/forecaster";
import { addRules, count, FORECASTS, isSpeaking, numbersOf, RIGHT, rangeOf, weightsOf } from "./rule-credit";

/** A range of probabilities counts as if there had been so many forecasts in it, right as often as they said. */
const PRIOR_FORECASTS = 4;

/** In a range, a forecast counts as many times as there were models, at most so many: first symbols come more often the more is known. */
const MOST_COUNTED = 1024;

/** A number times this is the next one below it. */
const NEXT_BELOW = 1 - 2 ** -53;

type Compare = ForecastQuery["compare"];

/** What a list gives every symbol. */
interface Chances {
  /** The place in the table of the most probable symbol, of equals the first in order; 0 when no symbol has a probability. */
  first: number;
  /** By place in the table; 0 for symbols that are left out, and for the end. */
  probabilities: Float64Array;
}

/** How many times a forecast counts in its range. */
function timesCounted({ totals }: ForecastContext): number {
  return Math.min(totals.modelFrequencies, MOST_COUNTED);
}

/** The mixed probability of an entry. */
function mixed({ probabilities }: RuleTable, weights: readonly number[], at: number): number {
  let sum = 0;
  for (let rule = 0; rule < RULES; rule++) sum += (weights[rule] ?? 0) * (probabilities[at * RULES + rule] ?? 0);
  return Math.min(1, sum);
}

/** The mixed probabilities of all symbols. A loop over thousands of symbols: it makes nothing but the answer. */
function chancesOf(table: RuleTable, weights: readonly number[], compare: Compare): Chances {
  const { symbols, probabilities: given } = table;
  const probabilities = new Float64Array(symbols.length);
  const parts = Float64Array.from(weights);
  let first = 0;
  let greatest = 0;
  for (let at = 1; at < symbols.length; at++) {
    let sum = 0;
    for (let rule = 0; rule < RULES; rule++) sum += (parts[rule] ?? 0) * (given[at * RULES + rule] ?? 0);
    // Not above 0 without a rule that speaks: then there is no sum.
    if (!(sum > 0)) continue;
    const probability = sum > 1 ? 1 : sum;
    probabilities[at] = probability;
    const isFirst = probability === greatest && compare(symbols[at] ?? 0, symbols[first] ?? 0) < 0;
    if (probability > greatest || isFirst) {
      first = at;
      greatest = probability;
    }
  }
  return { first, probabilities };
}

/** By what the symbols but the first are multiplied. */
function scaleOf({ mixed, proved, isExclusive }: Pick<ForecastCorrection, "mixed" | "proved" | "isExclusive">): number {
  return isExclusive && mixed < 1 ? (1 - proved) / (1 - mixed) : 1;
}

/**
 * Gives the first symbol the probability that has proved true; where one symbol excludes the others, these share what is left. Not where events hold
 * several symbols: there the first one is that of the most regular sensor, and says nothing of the others.
 *
 * @param times how many times a forecast counts in its range
 * @returns what it took; `undefined` where nothing is corrected
 */
function correct(
  { first, probabilities }: Chances,
  { symbols, isCrowded }: RuleTable,
  numbers: readonly number[],
  times: number,
  isExclusive: boolean,
): ForecastCorrection | undefined {
  if (first === 0 || isCrowded) return undefined;
  const mixed = probabilities[first] ?? 0;
  const range = rangeOf(mixed);
  const forecasts = numbers[FORECASTS + range] ?? 0;
  const right = numbers[RIGHT + range] ?? 0;
  const prior = PRIOR_FORECASTS * times;
  const proved = (right + prior * mixed) / (forecasts + prior);
  const scale = scaleOf({ mixed, proved, isExclusive });
  const others = proved * NEXT_BELOW;
  for (let at = 1; at < probabilities.length; at++) {
    const probability = probabilities[at] ?? 0;
    probabilities[at] = Math.min(probability === mixed ? proved : others, probability * scale);
  }
  probabilities[first] = proved;
  const [from, to] = [CONFIDENCE_BOUNDS[range - 1] ?? 0, CONFIDENCE_BOUNDS[range] ?? 1];
  return { first: symbols[first] ?? 0, mixed, from, to, forecasts, right, prior, proved, isExclusive };
}

/** What the rules leave, of 1, to be divided as often as symbols occur at all. It grows with no correction, so that whatever a model says gets more of it. */
function restOf({ rests }: RuleTable, weights: readonly number[], correction: ForecastCorrection | undefined): number {
  const rest = weights.reduce((sum, weight, rule) => sum + weight * (rests[rule] ?? 0), 0);
  return correction === undefined ? rest : rest * Math.min(1, scaleOf(correction));
}

/** The places in the table of the best `top` symbols, in order. */
function best(probabilities: Float64Array, { symbols }: RuleTable, top: number, compare: Compare): number[] {
  const order = (one: number, other: number) =>
    (probabilities[other] ?? 0) - (probabilities[one] ?? 0) || compare(symbols[one] ?? 0, symbols[other] ?? 0);
  const taken: number[] = [];
  // So many are put in order at a time; what comes after the best of them needs no look.
  const most = 2 * top + 64;
  let least = Number.MIN_VALUE;
  for (let at = 1; at < probabilities.length; at++) {
    if ((probabilities[at] ?? 0) < least) continue;
    taken.push(at);
    if (taken.length < most) continue;
    taken.sort(order).length = top;
    least = probabilities[taken[top - 1] ?? 0] ?? 0;
  }
  return taken.sort(order).slice(0, top);
}

/** What is left of 1 for an end or something unknown where one symbol excludes the others. Added from the greatest on, so no order matters. */
function noneOf({ probabilities }: Chances): number {
  const ascending = probabilities.toSorted();
  return Math.max(0, 1 - ascending.reduceRight((sum, probability) => sum + probability, 0));
}

/** See the head of the file. */
export class MixingForecaster implements Forecaster {
  readonly #rules: ForecastRules;

  /** @param rules what is mixed */
  constructor(rules: ForecastRules) {
    this.#rules = rules;
  }

  get steps(): number {
    return this.#rules.steps;
  }

  forecast(query: ForecastQuery): Forecast {
    const { horizon, top, compare } = query;
    return this.#rules.ask(query, 0, (answers) => {
      const { context, models } = answers;
      const greatest = new Map<number, number>();
      const steps = Array.from({ length: horizon }, (_, at) => {
        if (models === 0) return { none: 1, rest: 1, symbols: [] };
        const { table, probabilities, none, rest } = stepOf(answers, query, at + 1, compare);
        if (horizon > 1) noteGreatest(greatest, probabilities, table);
        return { none, rest, symbols: named(probabilities, best(probabilities, table, top, compare), table, answers) };
      });
      const within = horizon === 1 ? (steps[0]?.symbols ?? []) : withinOf(answers, query, greatest);
      return { context, models, steps, within };
    });
  }

  probabilities(context: ForecastContext, symbols: Uint32Array): Float64Array {
    return this.#rules.ask(context, 0, (answers) => {
      if (answers.models === 0) return new Float64Array(symbols.length);
      const { table, probabilities } = stepOf(answers, context, 1, (one, other) => one - other);
      const wanted = new Set(symbols);
      const given = new Map<number, number>();
      table.symbols.forEach((symbol, at) => {
        if (at > 0 && wanted.has(symbol)) given.set(symbol, probabilities[at] ?? 0);
      });
      return Float64Array.from(symbols, (symbol) => given.get(symbol) ?? 0);
    });
  }

  together(context: ForecastContext, symbols: Uint32Array): Float64Array {
    return this.#rules.ask(context, 0, (answers) => answers.together(symbols));
  }

  explain(doubt: ForecastDoubt): ExplainedForecast | undefined {
    return this.#rules.ask(doubt, 0, (answers) => (answers.models === 0 ? undefined : explained(answers, doubt)));
  }

  grade(outcome: ForecastOutcome): ForecastGrade {
    const { horizon, record, came, excluded, again, compare } = outcome;
    return this.#rules.ask(outcome, excluded, (answers) => {
      if (answers.models === 0) return { record, someRight: false, someWrong: false };
      const table = answers.ahead(1, horizon);
      const before = numbersOf(record, horizon);
      const numbers = [...before];
      const told = again ? { someRight: false, someWrong: false } : addRules(numbers, table, came, compare);
      const { first, probabilities } = chancesOf(table, weightsOf(table, before), compare);
      if (first > 0 && !table.isCrowded) {
        const range = rangeOf(probabilities[first] ?? 0);
        const times = timesCounted(outcome);
        count(numbers, FORECASTS + range, times);
        count(numbers, RIGHT + range, came.has(table.symbols[first] ?? 0) ? times : 0);
      }
      const longer = Array.from({ length: Math.max(record.length, horizon) }, (_, at) =>
        at === horizon - 1 ? numbers : (record[at] ?? []),
      );
      return { record: longer, ...told };
    });
  }
}

/** What one event ahead may hold. The table is valid until the next is asked for. */
function stepOf(answers: RuleAnswers, context: ForecastContext, ahead: number, compare: Compare) {
  const table = answers.ahead(ahead, ahead);
  const numbers = numbersOf(context.record, ahead);
  const weights = weightsOf(table, numbers);
  const chances = chancesOf(table, weights, compare);
  const rest = restOf(table, weights, correct(chances, table, numbers, timesCounted(context), true));
  const none = table.isCrowded ? mixed(table, weights, 0) : noneOf(chances);
  return { table, probabilities: chances.probabilities, none, rest };
}

/** Notes what a step gives symbols, where no step before it gave them as much. */
function noteGreatest(greatest: Map<number, number>, probabilities: Float64Array, { symbols }: RuleTable): void {
  for (let at = 1; at < symbols.length; at++) {
    const [symbol, probability] = [symbols[at] ?? 0, probabilities[at] ?? 0];
    if (probability > (greatest.get(symbol) ?? 0)) greatest.set(symbol, probability);
  }
}

/** What any of the events up to the horizon may hold. @param greatest the most that a step up to there gives each symbol */
function withinOf(answers: RuleAnswers, query: ForecastQuery, greatest: ReadonlyMap<number, number>): ForecastSymbol[] {
  const { record, top, compare, horizon } = query;
  if (answers.models === 0) return [];
  const table = answers.ahead(1, horizon);
  const numbers = numbersOf(record, horizon);
  const chances = chancesOf(table, weightsOf(table, numbers), compare);
  correct(chances, table, numbers, timesCounted(query), false);
  const { first, probabilities } = chances;
  let rival = 0;
  for (let at = 1; at < probabilities.length; at++) {
    const byStep = greatest.get(table.symbols[at] ?? 0) ?? 0;
    probabilities[at] = Math.max(probabilities[at] ?? 0, byStep);
    if (at !== first) rival = Math.max(rival, byStep);
  }
  if (rival > 0 && rival >= (probabilities[first] ?? 0)) probabilities[first] = justAbove(rival);
  return named(probabilities, best(probabilities, table, top, compare), table, answers);
}

/** The next number above a probability, at most 1. */
function justAbove(probability: number): number {
  return Math.min(1, probability / NEXT_BELOW);
}

/** What a step up to the horizon gives most to a symbol that is admitted, of equals the nearest; `undefined` where none gives anything. */
function likeliest(
  answers: RuleAnswers,
  doubt: ForecastDoubt,
  isAdmitted: (symbol: number) => boolean,
): LikelyStep | undefined {
  let found: LikelyStep | undefined;
  for (let horizon = 1; horizon <= doubt.horizon; horizon++) {
    const { table, probabilities } = stepOf(answers, doubt, horizon, doubt.compare);
    const places = best(probabilities, table, probabilities.length, doubt.compare);
    const at = places.find((place) => isAdmitted(table.symbols[place] ?? 0)) ?? 0;
    const probability = probabilities[at] ?? 0;
    if (probability > (found?.probability ?? 0)) found = { horizon, symbol: table.symbols[at] ?? 0, probability };
  }
  return found;
}

/** How steps raise the probability of a symbol in the list of them all. @param isFirst whether it is the first symbol of that */
function raisedBySteps(
  answers: RuleAnswers,
  doubt: ForecastDoubt,
  own: number,
  isFirst: boolean,
): Pick<ExplainedForecast, "likeliestStep" | "probability"> {
  const mine = likeliest(answers, doubt, (symbol) => symbol === doubt.symbol);
  const raised = Math.max(own, mine?.probability ?? 0);
  const rival = isFirst ? likeliest(answers, doubt, (symbol) => symbol !== doubt.symbol) : undefined;
  if (rival !== undefined && rival.probability >= raised) {
    return { probability: justAbove(rival.probability), likeliestStep: rival };
  }
  return { probability: raised, ...(mine !== undefined && raised > own && { likeliestStep: mine }) };
}

/** What a forecast gives a symbol, and why. */
function explained(answers: RuleAnswers, doubt: ForecastDoubt): ExplainedForecast {
  const { record, horizon, isWithin, symbol, compare } = doubt;
  const isWide = isWithin && horizon > 1;
  const table = answers.ahead(isWide ? 1 : horizon, horizon);
  const numbers = numbersOf(record, horizon);
  const weights = weightsOf(table, numbers);
  const chances = chancesOf(table, weights, compare);
  const correction = correct(chances, table, numbers, timesCounted(doubt), !isWide);
  const entry = table.symbols.indexOf(symbol, 1);
  const probability = entry < 0 ? 0 : (chances.probabilities[entry] ?? 0);
  const alone = {
    context: answers.context,
    models: answers.models,
    probability,
    support: probability > 0 ? (table.supports[entry] ?? 0) : 0,
    strongest: probability > 0 ? answers.strongest(symbol) : [],
    rules: termsOf(table, weights, entry),
    mixed: entry < 0 ? 0 : mixed(table, weights, entry),
    ...(correction !== undefined && { correction }),
  };
  const isFirst = entry > 0 && entry === chances.first;
  return isWide && entry > 0 ? { ...alone, ...raisedBySteps(answers, doubt, probability, isFirst) } : alone;
}

/** What each rule gives an entry. @param entry below 0 for a symbol that no model says */
function termsOf(table: RuleTable, weights: readonly number[], entry: number): ExplainedForecast["rules"] {
  return weights.map((weight, rule) => {
    const probability = entry < 0 ? 0 : (table.probabilities[entry * RULES + rule] ?? 0);
    return { weight, probability, takesPart: isSpeaking(table, rule) };
  });
}

/** The symbols of some places of the table. */
function named(
  probabilities: Float64Array,
  places: readonly number[],
  { symbols, supports }: RuleTable,
  answers: RuleAnswers,
): ForecastSymbol[] {
  return places.map((at) => {
    const symbol = symbols[at] ?? 0;
    const models = answers.strongest(symbol);
    return { symbol, probability: probabilities[at] ?? 0, support: supports[at] ?? 0, models };
  });
}
