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
  type ForecastStep,
  type ForecastSymbol,
  RULES,
  type RuleAnswers,
  type RuleTable,
} from "../ports/forecaster";
import { type Chances, type Compare, GrowingList, NEXT_BELOW } from "./growing-list";
import { addRules, count, FORECASTS, isSpeaking, numbersOf, RIGHT, rangeOf, weightsOf } from "./rule-credit";

/** A range of probabilities counts as if there had been so many forecasts in it, right as often as they said. */
const PRIOR_FORECASTS = 4;

/** In a range, a forecast counts as many times as there were models, at most so many: first symbols come more often the more is known. */
const MOST_COUNTED = 1024;

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
    return this.#rules.ask(query, 0, (answers) => {
      const { context, models } = answers;
      if (models > 0) return { context, models, ...expected(answers, query) };
      const steps = Array.from({ length: query.horizon }, () => ({ none: 1, rest: 1, symbols: [] }));
      return { context, models, steps, within: [] };
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

/** The list of the events from `first` to `last` ahead, corrected. The table is valid until the next is asked for. */
function listOf(answers: RuleAnswers, context: ForecastContext, first: number, last: number, compare: Compare) {
  const table = answers.ahead(first, last);
  const numbers = numbersOf(context.record, last);
  const weights = weightsOf(table, numbers);
  const chances = chancesOf(table, weights, compare);
  const correction = correct(chances, table, numbers, timesCounted(context), first === last);
  return { table, weights, chances, correction };
}

/** What one event ahead may hold. The table is valid until the next is asked for. */
function stepOf(answers: RuleAnswers, context: ForecastContext, ahead: number, compare: Compare) {
  const { table, weights, chances, correction } = listOf(answers, context, ahead, ahead, compare);
  const rest = restOf(table, weights, correction);
  const none = table.isCrowded ? mixed(table, weights, 0) : noneOf(chances);
  return { table, probabilities: chances.probabilities, none, rest };
}

/** What may be in each event up to the horizon, and in any of them. */
function expected(answers: RuleAnswers, query: ForecastQuery): Pick<Forecast, "steps" | "within"> {
  const { horizon, top, compare } = query;
  const symbolsOf = (probabilities: Float64Array, table: RuleTable) =>
    named(probabilities, best(probabilities, table, top, compare), table, answers);
  const growing = new GrowingList(compare);
  const steps: ForecastStep[] = [];
  let within: ForecastSymbol[] = [];
  for (let ahead = 1; ahead <= horizon; ahead++) {
    const { table, probabilities, none, rest } = stepOf(answers, query, ahead, compare);
    const symbols = symbolsOf(probabilities, table);
    steps.push({ none, rest, symbols });
    if (horizon > 1) growing.takeStep(ahead, table, probabilities);
    if (ahead === 1) {
      within = symbols;
      continue;
    }
    const list = listOf(answers, query, 1, ahead, compare);
    growing.takeList(ahead, list.table, list.chances);
    if (ahead === horizon) within = symbolsOf(growing.probabilitiesOf(list.table), list.table);
  }
  return { steps, within };
}

/** What a forecast gives a symbol, and why. */
function explained(answers: RuleAnswers, doubt: ForecastDoubt): ExplainedForecast {
  const { horizon, isWithin, symbol, compare } = doubt;
  const growing = isWithin && horizon > 1 ? grownBefore(answers, doubt) : undefined;
  const list = listOf(answers, doubt, growing === undefined ? horizon : 1, horizon, compare);
  const { table, weights, chances, correction } = list;
  const entry = table.symbols.indexOf(symbol, 1);
  const own = entry < 0 ? 0 : (chances.probabilities[entry] ?? 0);
  const raised = growing === undefined ? { probability: own } : raisedBy(growing, doubt, list, own);
  return {
    context: answers.context,
    models: answers.models,
    support: raised.probability > 0 ? (table.supports[entry] ?? 0) : 0,
    strongest: raised.probability > 0 ? answers.strongest(symbol) : [],
    rules: termsOf(table, weights, entry),
    mixed: entry < 0 ? 0 : mixed(table, weights, entry),
    ...(correction !== undefined && { correction }),
    ...raised,
  };
}

/** All that the list within a horizon takes in before its own estimate. */
function grownBefore(answers: RuleAnswers, { compare, ...doubt }: ForecastDoubt): GrowingList {
  const growing = new GrowingList(compare);
  for (let ahead = 1; ahead <= doubt.horizon; ahead++) {
    const { table, probabilities } = stepOf(answers, doubt, ahead, compare);
    growing.takeStep(ahead, table, probabilities);
    if (ahead === 1 || ahead === doubt.horizon) continue;
    const list = listOf(answers, doubt, 1, ahead, compare);
    growing.takeList(ahead, list.table, list.chances);
  }
  return growing;
}

/** What becomes of a symbol's own estimate within a horizon. @param growing before it has taken that */
function raisedBy(
  growing: GrowingList,
  { symbol, horizon }: ForecastDoubt,
  { table, chances }: { table: RuleTable; chances: Chances },
  own: number,
): Pick<ExplainedForecast, "likeliestStep" | "probability"> {
  const rival = growing.takeList(horizon, table, chances);
  const probability = growing.probabilityOf(symbol);
  const isFirst = table.symbols[chances.first] === symbol;
  if (isFirst && rival !== undefined) return { probability, likeliestStep: rival };
  const likeliestStep = probability > own ? growing.likeliestOf(symbol) : undefined;
  return { probability, ...(likeliestStep !== undefined && { likeliestStep }) };
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
