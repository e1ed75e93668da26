/**
 * A forecaster that pools the answers of the rules (docs/forecast.md): rules that were right in past forecasts weigh
 * more, and the first symbol's probability is corrected by past results. Knows nothing of how the rules count.
 */

import {
  ALIKE,
  type ExplainedForecast,
  type ExplainedRule,
  type Forecast,
  type ForecastContext,
  type ForecastCorrection,
  type ForecastDoubt,
  type Forecaster,
  type ForecastOutcome,
  type ForecastQuery,
  type ForecastRecord,
  type ForecastRules,
  type ForecastStep,
  type ForecastSymbol,
  PART_ENDS,
  RULES,
  type RuleAnswers,
  type RuleTable,
} from "../../ports/forecaster";
import { calibrate, countFirst, scaleOf } from "./calibration";
import { type Chances, type Compare, GrowingList, type Grown, type GrownList } from "./growing-list";
import { teachCorrection } from "./logistic-calibration";
import {
  bucketOf,
  isSpeaking,
  isUpdated,
  numbersOf,
  type Pooled,
  partOf,
  pooled,
  priorOf,
  smoothedOf,
  teach,
  updatedBy,
  withinEvents,
} from "./pool";
import { ESTIMATOR, type EstimatorSettings } from "./settings";

/** A list, with its correction if it has one. The table is valid until the next one is requested. */
interface List {
  table: RuleTable;
  /** Absent if a counted event holds several symbols: then the rule "alike" gives each its probability. */
  pool?: Pooled;
  /** The probability of each outcome in one event. Absent as the pool. */
  single?: Float64Array;
  /** What the shares are worth, if what followed the longest order updates them. */
  prior?: number;
  chances: Chances;
  correction?: ForecastCorrection;
  /** The probability of all unnamed symbols. */
  rest: number;
}

/** The range of a list, the events from `first` to `last` ahead, and whether an explanation of it is wanted. */
interface Asked {
  first: number;
  last: number;
  compare: Compare;
  isExplained?: boolean;
  /** Whether to list the models of the symbols; true if absent. */
  isSupported?: boolean;
  /** Symbols about to be passed to {@link RuleAnswers.together}. */
  wanted?: Uint32Array | undefined;
}

/**
 * The probability of each entry of a table in one event. Plain data and not a function, because it is read for
 * thousands of symbols.
 */
interface Column {
  numbers: Float64Array;
  /** Index of the first entry's number, and the distance between neighbours. */
  from: number;
  stride: number;
}

/** The first symbol and the probabilities of all symbols: in any of `events` events, or in the column's own event. */
function chancesOf(
  { symbols }: RuleTable,
  compare: Compare,
  { numbers, from, stride }: Column,
  events?: number,
): Chances {
  const probabilities = new Float64Array(symbols.length);
  let first = 0;
  let greatest = 0;
  for (let at = 1, place = from + stride; at < symbols.length; at++, place += stride) {
    const given = numbers[place] ?? 0;
    const probability = events === undefined ? given : withinEvents(given, events);
    if (!(probability > 0)) continue;
    probabilities[at] = probability;
    const isFirst = probability === greatest && compare(symbols[at] ?? 0, symbols[first] ?? 0) < 0;
    if (probability > greatest || isFirst) {
      first = at;
      greatest = probability;
    }
  }
  return { first, probabilities };
}

function columnOf(numbers: Float64Array): Column {
  return { numbers, from: 0, stride: 1 };
}

/** The probabilities by the rule "alike". The symbols of one event do not exclude each other, so nothing is pooled. */
function alikeOf({ probabilities, alikeAlone }: RuleTable, at: number): number {
  return alikeAlone?.[at] ?? probabilities[at * RULES + ALIKE] ?? 0;
}

/** {@link chancesOf} a crowded table. */
function alikeChancesOf(table: RuleTable, compare: Compare): Chances {
  const { alikeAlone } = table;
  if (alikeAlone === undefined) {
    return chancesOf(table, compare, { numbers: table.probabilities, from: ALIKE, stride: RULES });
  }
  const probabilities = alikeAlone.slice();
  probabilities[0] = 0;
  return {
    // A getter, because few ask for it and it takes a look at thousands of symbols.
    get first() {
      return best(probabilities, table, 1, compare)[0] ?? 0;
    },
    probabilities,
  };
}

/** The places in the table of the `top` best symbols, in order. */
function best(probabilities: Float64Array, { symbols }: RuleTable, top: number, compare: Compare): number[] {
  const order = (one: number, other: number) =>
    (probabilities[other] ?? 0) - (probabilities[one] ?? 0) || compare(symbols[one] ?? 0, symbols[other] ?? 0);
  const taken: number[] = [];
  // Sort only this many candidates at a time; the rest usually needs no look.
  const most = 2 * top + 8;
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

/**
 * What is left of 1 for the end or something unknown, if one symbol excludes the others. Summed from the greatest on,
 * so that the order of symbols does not matter.
 */
function noneOf({ probabilities }: Chances): number {
  const ascending = probabilities.toSorted();
  return Math.max(0, 1 - ascending.reduceRight((sum, probability) => sum + probability, 0));
}

/** The probabilities of symbols in a list, in their order; 0 for symbols that the list does not name. */
function givenTo(symbols: Uint32Array, table: RuleTable, { probabilities }: Chances): Float64Array {
  const places = new Map<number, number>();
  for (const symbol of symbols) places.set(symbol, 0);
  for (let at = 1; at < table.symbols.length; at++) {
    const symbol = table.symbols[at] ?? 0;
    if (places.has(symbol)) places.set(symbol, at);
  }
  return Float64Array.from(symbols, (symbol) => probabilities[places.get(symbol) ?? 0] ?? 0);
}

/** {@link givenTo} as a part of an answer, if requested. */
function wantedOf(symbols: Uint32Array | undefined, table: RuleTable, chances: Chances): Pick<Forecast, "wanted"> {
  return symbols === undefined ? {} : { wanted: givenTo(symbols, table, chances) };
}

/** See the head of the file. */
export class PoolingForecaster implements Forecaster {
  readonly #rules: ForecastRules;
  readonly #settings: EstimatorSettings;

  /** @param rules whose answers are pooled @param settings the constants; a bench varies them */
  constructor(rules: ForecastRules, settings: EstimatorSettings = ESTIMATOR) {
    this.#rules = rules;
    this.#settings = settings;
  }

  get steps(): number {
    return this.#rules.steps;
  }

  get neighbourSteps(): number {
    return this.#rules.neighbourSteps;
  }

  series<Answer>(work: () => Answer): Answer {
    return this.#rules.series(work);
  }

  forecast(query: ForecastQuery): Forecast {
    return this.consider(query, (forecast) => forecast);
  }

  consider<Answer>(
    query: ForecastQuery,
    work: (forecast: Forecast, together: (symbols: Uint32Array) => Float64Array) => Answer,
  ): Answer {
    return this.#rules.ask(query, 0, (answers) =>
      work(this.#forecast(answers, query), (symbols) => answers.together(symbols)),
    );
  }

  probabilities(context: ForecastContext, symbols: Uint32Array): Float64Array {
    return this.#rules.ask(context, 0, (answers) => {
      if (answers.models === 0) return new Float64Array(symbols.length);
      const asked = { first: 1, last: 1, compare: (one: number, other: number) => one - other, isSupported: false };
      const { table, chances } = this.#list(answers, context, asked);
      return givenTo(symbols, table, chances);
    });
  }

  together(context: ForecastContext, symbols: Uint32Array): Float64Array {
    return this.#rules.ask(context, 0, (answers) => answers.together(symbols));
  }

  explain(doubt: ForecastDoubt): ExplainedForecast | undefined {
    return this.#rules.ask(doubt, 0, (answers) => (answers.models === 0 ? undefined : this.#explained(answers, doubt)));
  }

  grade(outcome: ForecastOutcome): ForecastRecord {
    const { horizon, record, excluded } = outcome;
    return this.#rules.ask(outcome, excluded, (answers) => {
      if (answers.models === 0) return record;
      const table = answers.ahead(1, horizon, { isWhole: false, isSupported: false });
      if (table.isCrowded) return record;
      const numbers = [...numbersOf(record, horizon)];
      this.#gradeList(numbers, table, outcome);
      const graded = partOf(horizon);
      return PART_ENDS.map((_, part) => (part === graded ? numbers : (record[part] ?? [])));
    });
  }

  /** Adds the grading of a list to the numbers of a part. */
  #gradeList(numbers: number[], table: RuleTable, outcome: ForecastOutcome): void {
    const { horizon, came, weight, correctionWeight, isEnd, compare, totals } = outcome;
    const settings = this.#settings;
    const pool = pooled(table, numbers, settings, true);
    const column = columnOf(horizon === 1 ? updatedBy(table, pool, numbers, settings) : pool.shares);
    const { first, probabilities } = chancesOf(table, compare, column, horizon);
    const sequences = Math.min(totals.modelFrequencies, settings.mostCounted);
    const times = sequences * correctionWeight * (isEnd ? settings.endPart : 1);
    if (first > 0) {
      const mixed = probabilities[first] ?? 0;
      const isRight = came.includes(table.symbols[first] ?? 0);
      if (horizon === 1) teachCorrection(numbers, { mixed, came: isRight, times, sequences }, table, settings);
      else countFirst(numbers, mixed, isRight, times);
    }
    teach(numbers, bucketOf(table), pool, partsOf(table, came, horizon), weight, settings);
  }

  /** A list as answered, before the list within a horizon takes over greater probabilities from others. */
  #list(
    answers: RuleAnswers,
    { record, totals }: ForecastContext,
    { first, last, compare, isExplained = false, isSupported = true, wanted }: Asked,
  ): List {
    const table = answers.ahead(first, last, { wanted, isWhole: isExplained, isSupported });
    if (table.isCrowded) {
      return { table, chances: alikeChancesOf(table, compare), rest: table.rests[ALIKE] ?? 0 };
    }
    const settings = this.#settings;
    const numbers = numbersOf(record, last);
    const pool = pooled(table, numbers, settings, isExplained);
    const width = last - first + 1;
    const single = last === 1 ? updatedBy(table, pool, numbers, settings) : pool.shares;
    const chances = chancesOf(table, compare, columnOf(single), width === 1 ? undefined : width);
    const rest = single[0] ?? 0;
    // A step beyond the next event is never graded on its own.
    if (width === 1 && last > 1) return { table, pool, single, chances, rest };
    const times = Math.min(totals.modelFrequencies, settings.mostCounted);
    const correction = calibrate(chances, table, numbers, times, width === 1, settings);
    const isPrior = last === 1 && isUpdated(table, numbers);
    const list = { table, pool, single, chances, ...(isPrior && { prior: priorOf(numbers, settings) }) };
    if (correction === undefined) return { ...list, rest };
    return { ...list, correction, rest: rest * scaleOf(correction) };
  }

  #forecast(answers: RuleAnswers, query: ForecastQuery): Forecast {
    const { context, models } = answers;
    const { mostNearest = 0 } = query;
    const nearest = mostNearest > 0 ? { nearest: answers.nearest(mostNearest) } : {};
    if (models > 0) return { context, models, ...this.#expected(answers, query), ...nearest };
    const steps = Array.from({ length: query.horizon }, () => ({ none: 1, rest: 1, symbols: [] }));
    return { context, models, steps, within: [] };
  }

  /** The steps up to the horizon, and the list within it. */
  #expected(
    answers: RuleAnswers,
    query: ForecastQuery,
  ): Pick<Forecast, "steps" | "wanted" | "within" | "withinShorter"> {
    const { horizon, top, compare, isWithoutModels = false, shorter, wanted } = query;
    const modelsOf = (symbol: number) => (isWithoutModels ? [] : answers.strongest(symbol));
    const symbolsOf = (probabilities: Float64Array, table: RuleTable) =>
      named(probabilities, best(probabilities, table, top, compare), table, modelsOf);
    const steps: ForecastStep[] = [];
    const lists = new Map<number, ForecastSymbol[]>();
    const add = ({ table, chances, rest }: List, raise?: ForecastCorrection) => {
      const crowdedNone = table.isCrowded ? alikeOf(table, 0) : undefined;
      steps.push({
        // A getter, because surprise does not need it and it takes a sort of thousands of symbols.
        get none() {
          return crowdedNone ?? noneOf(chances);
        },
        rest: raise === undefined ? rest : rest * scaleOf(raise),
        symbols: symbolsOf(chances.probabilities, table),
      });
    };
    const isSupported = !isWithoutModels;
    const next = this.#list(answers, query, { first: 1, last: 1, compare, isSupported, wanted });
    add(next);
    const given = wantedOf(wanted, next.table, next.chances);
    lists.set(1, steps[0]?.symbols ?? []);
    // The next event alone has nothing to agree with.
    const growing = horizon > 1 ? new GrowingList(compare, grownOf(next)) : undefined;
    for (let ahead = 2; growing !== undefined && ahead <= horizon; ahead++) {
      const list = held(this.#list(answers, query, { first: 1, last: ahead, compare }));
      const step = this.#list(answers, query, { first: ahead, last: ahead, compare });
      add(step, growing.grow(ahead, list, grownOf(step), list.isExclusive).raise);
      if (ahead < horizon && shorter?.has(ahead) !== true) continue;
      const table = answers.ahead(1, ahead, { isWhole: false, isSupported });
      lists.set(ahead, symbolsOf(growing.probabilitiesOf(table), table));
    }
    const within = lists.get(horizon) ?? [];
    return { steps, within, ...given, ...(shorter !== undefined && { withinShorter: lists }) };
  }

  /** The probability of a symbol, and why. */
  #explained(answers: RuleAnswers, doubt: ForecastDoubt): ExplainedForecast {
    const { horizon, isWithin, symbol, compare } = doubt;
    const growing = horizon > 1 ? this.#grownBefore(answers, doubt) : undefined;
    const isWide = isWithin && growing !== undefined;
    const first = isWide ? 1 : horizon;
    const other = isWide ? horizon : 1;
    const beside = growing && held(this.#list(answers, doubt, { first: other, last: horizon, compare }));
    const list = this.#list(answers, doubt, { first, last: horizon, compare, isExplained: true });
    const { table, chances } = list;
    const entry = table.symbols.indexOf(symbol, 1);
    const ownOf = () => (entry < 0 ? 0 : (chances.probabilities[entry] ?? 0));
    const own = ownOf();
    const [wide, step] = isWide ? [held(list), beside] : [beside, grownOf(list)];
    const grown = growing && wide && step ? growing.grow(horizon, wide, step, wide.isExclusive) : {};
    const correction = list.correction ?? (isWide ? undefined : grown.raise);
    const raised = isWide ? raisedBy(growing, grown, doubt, list, own) : { probability: ownOf() };
    return {
      context: answers.context,
      models: answers.models,
      support: raised.probability > 0 ? table.supportOf(entry) : 0,
      strongest: raised.probability > 0 ? answers.strongest(symbol) : [],
      ...termsOf(list, entry, horizon - first + 1, this.#settings),
      ...(correction !== undefined && { correction }),
      ...raised,
    };
  }

  /** Everything before the horizon. */
  #grownBefore(answers: RuleAnswers, doubt: ForecastDoubt): GrowingList {
    const { compare, horizon } = doubt;
    const growing = new GrowingList(compare, grownOf(this.#list(answers, doubt, { first: 1, last: 1, compare })));
    for (let ahead = 2; ahead < horizon; ahead++) {
      const list = held(this.#list(answers, doubt, { first: 1, last: ahead, compare }));
      const step = this.#list(answers, doubt, { first: ahead, last: ahead, compare });
      growing.grow(ahead, list, grownOf(step), list.isExclusive);
    }
    return growing;
  }
}

/** A list by its symbols, as long as its table is valid. */
function grownOf({ table, chances }: Pick<List, "table" | "chances">): GrownList {
  return { symbols: table.symbols, chances };
}

/** A list by its symbols, valid for good; and whether these exclude each other. */
function held({ table, chances }: List): GrownList & { isExclusive: boolean } {
  const { first, probabilities } = chances;
  // The first symbol is found here: of equal ones it depends on the symbols of the table.
  return { symbols: table.symbols.slice(), chances: { first, probabilities }, isExclusive: !table.isCrowded };
}

/** By outcome, the fraction of the events in which it came; at place 0, the outcomes that the table does not name. */
function partsOf({ symbols }: RuleTable, came: Uint32Array, events: number): Float64Array {
  const places = new Map<number, number>();
  for (let at = 1; at < symbols.length; at++) places.set(symbols[at] ?? 0, at);
  const parts = new Float64Array(symbols.length);
  for (const symbol of came) parts[places.get(symbol) ?? 0] = (parts[places.get(symbol) ?? 0] ?? 0) + 1;
  for (let at = 0; at < parts.length; at++) parts[at] = (parts[at] ?? 0) / events;
  return parts;
}

/**
 * The part of an explanation that follows from one list.
 *
 * @param entry negative for a symbol that no model holds
 * @param width number of events in the list
 */
function termsOf(
  { table, pool, single, prior }: List,
  entry: number,
  width: number,
  settings: EstimatorSettings,
): Pick<ExplainedForecast, "rules" | "mixed" | "share" | "followed" | "normalizer" | "situation"> {
  if (pool === undefined) {
    const given = entry < 0 ? 0 : alikeOf(table, entry);
    const alone = (rule: number) => (rule === ALIKE ? 1 : 0);
    const rules = Array.from({ length: RULES }, (_, rule) => ({
      takesPart: rule === ALIKE,
      weight: alone(rule),
      given: givenBy(table, entry, rule),
      probability: alone(rule) * given,
      evidence: 0,
    }));
    return { rules, mixed: given };
  }
  const { behind, longestOrder, counts, counted } = table;
  const of = (numbers: Float64Array | undefined) => (entry < 0 ? 0 : (numbers?.[entry] ?? 0));
  return {
    rules: Array.from({ length: RULES }, (_, rule) => pooledTerms(table, pool, entry, rule, settings)),
    mixed: width === 1 ? of(single) : withinEvents(of(single), width),
    share: of(pool.shares),
    ...(prior !== undefined && { followed: { count: of(counts), of: counted, prior } }),
    normalizer: pool.normalizer,
    situation: { behind, longestOrder, bucket: bucketOf(table) },
  };
}

/** The probability of an entry by one rule. @param entry negative for a symbol that no model holds */
function givenBy({ probabilities }: RuleTable, entry: number, rule: number): number {
  return entry < 0 ? 0 : (probabilities[entry * RULES + rule] ?? 0);
}

/** The contribution of each rule to an entry of the pool. */
function pooledTerms(
  table: RuleTable,
  { weights, shares, logs }: Pooled,
  entry: number,
  rule: number,
  settings: EstimatorSettings,
): ExplainedRule {
  const weight = weights[rule] ?? 0;
  const takesPart = isSpeaking(table, rule);
  if (entry < 0) return { takesPart, weight, given: 0, probability: 0, evidence: 0 };
  const logOf = (at: number) => logs[at * RULES + rule] ?? 0;
  let mean = 0;
  for (let at = 1; at < shares.length; at++) mean += (shares[at] ?? 0) * logOf(at);
  mean += (shares[0] ?? 0) * logOf(0);
  const probability = smoothedOf(table, entry, rule, settings);
  return {
    takesPart,
    weight,
    given: givenBy(table, entry, rule),
    probability,
    evidence: weight * (logOf(entry) - mean),
  };
}

/**
 * How other steps and lists raise or limit a symbol's own estimate within a horizon.
 *
 * @param growing up to this horizon
 * @param grown what became of the list there
 */
function raisedBy(
  growing: GrowingList,
  { rival }: Grown,
  { symbol }: ForecastDoubt,
  { table, chances }: Pick<List, "table" | "chances">,
  own: number,
): Pick<ExplainedForecast, "likeliestStep" | "probability" | "sumOfSteps"> {
  const probability = growing.probabilityOf(symbol);
  const numbers = { probability, ...(!table.isCrowded && { sumOfSteps: growing.sumOf(symbol) }) };
  const isFirst = table.symbols[chances.first] === symbol;
  if (isFirst && rival !== undefined) return { ...numbers, likeliestStep: rival };
  const likeliestStep = probability > own ? growing.likeliestOf(symbol) : undefined;
  return { ...numbers, ...(likeliestStep !== undefined && { likeliestStep }) };
}

/** The symbols at some places of the table. */
function named(
  probabilities: Float64Array,
  places: readonly number[],
  table: RuleTable,
  modelsOf: (symbol: number) => number[],
): ForecastSymbol[] {
  return places.map((at) => {
    const symbol = table.symbols[at] ?? 0;
    const models = modelsOf(symbol);
    return { symbol, probability: probabilities[at] ?? 0, support: table.supportOf(at), models };
  });
}
