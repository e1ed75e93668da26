/**
 * What a forecast, its explanation and a surprise answer, slow and obvious, written from docs/forecast.md and
 * docs/surprise.md. Takes what the rules say
 * from their oracle. The processor must give exactly its numbers.
 */

import type { ForecastContext, RuleAnswers, RuleTable } from "../../src/processor/ports/forecaster";
import { exp, log, log2 } from "../../src/processor/prediction/logarithms";
import { compareCodePoints } from "../../src/text/code-points";
import { OracleForecastRules } from "./forecast";

const RULE_COUNT = 4;
const ORDER = 0;
const ALIKE = 2;
const BOUNDS = [0.03, 0.06, 0.12, 0.25, 0.45, 0.65, 0.85, 0.93, 0.98];
const BUCKET_COUNT = 12;
/** The first and the last horizon of each part of the record. */
const PARTS = [
  [1, 1],
  [2, 3],
  [4, 6],
  [7, 10],
] as const;
const HAS_NO_ID = 0;
/** The pairs of rules, each with itself included. */
const PAIRS = [0, 1, 2, 3].flatMap((one) => [0, 1, 2, 3].filter((other) => other >= one).map((other) => [one, other]));
/** The same of the three terms of the next event's correction. */
const TERM_PAIRS = PAIRS.filter(([one = 0, other = 0]) => one < 3 && other < 3);
/** What is added to the curvature of each rule with itself. */
const PRIOR = 50;

/** The words of an explanation for the terms of the next event's correction. */
const TERM_WORDS = [
  { name: "odds", says: "the logarithm of its odds by the rules" },
  { name: "probability", says: "its probability by the rules" },
  { name: "behind", says: "how many events are left behind, at most 12, in fours" },
];

/** A model by its symbols' names. */
export interface KnownModel {
  id: number;
  name: string;
  frequency: number;
  events: string[][];
}

/** Everything that forecasts follow from, but the events before. */
export interface KnownWorld {
  /** Oldest first. */
  models: readonly KnownModel[];
  record: readonly (readonly number[])[];
  /** The target class; `undefined` without one. */
  target?: string;
}

/** The numbers of one part of the record, by what they are. */
interface Part {
  /** g, for each rule. */
  general: number[];
  buckets: { n: number; weights: number[] }[];
  forecasts: number[];
  right: number[];
  /** For each pair of rules, each with itself included, in the order 11, 12, 13, 14, 22, 23, 24, 33, 34, 44. */
  curvature: number[];
  /** c, for each term of the next event's correction, and for each pair of these, as above. */
  correction: number[];
  correctionCurvature: number[];
}

/** What a rule says of a symbol. */
interface RuleTerms {
  takesPart: boolean;
  weight: number;
  given: number;
  probability: number;
  evidence: number;
}

/** A symbol of a list. */
interface Entry {
  symbol: string;
  terms: RuleTerms[];
  share: number;
  /** How often it followed the longest order, in a list of a single event. */
  count?: number | undefined;
  mixed: number;
  probability: number;
  support: number;
  models: string[];
}

/** How the first symbol of a list is corrected. */
interface Correction {
  first: string;
  mixed: number;
  proved: number;
  exclusive: boolean;
  terms: object[];
}

/** The step or shorter list that raised a probability. */
interface LikelyStep {
  horizon: number;
  within: boolean;
  symbol: string;
  probability: number;
}

/** A symbol of a list as it is answered. */
interface AnsweredEntry extends Entry {
  likeliestStep?: LikelyStep | undefined;
  sumOfSteps?: number | undefined;
}

/** A list as it is answered. */
interface List {
  /** How many events ahead, and whether it is about all of them. */
  horizon: number;
  within: boolean;
  mix: Mix;
  /** Most probable first. */
  entries: readonly AnsweredEntry[];
  correction?: Correction | undefined;
  /** Of a step: what is left for an end or something unknown, and the probability of all that is not named. */
  none: number;
  rest: number;
}

/** A list before it is corrected. */
interface Mix {
  isCrowded: boolean;
  /** The terms of a symbol that no model holds. */
  terms: RuleTerms[];
  entries: Entry[];
  /** The probability that no event follows, where events hold several symbols. */
  end: number;
  /** The probability of all that is not named. */
  rest: number;
  /** Where events hold one symbol. */
  normalizer?: number;
  situation?: { behind: number; longestOrder: number; bucket: number };
  /** What the shares are updated by: how often anything followed the longest order, and what the shares are worth. */
  followed?: { of: number; prior: number };
}

/** The pool of a table: an outcome for each named symbol, and the last for all others. */
interface Pool {
  bucket: number;
  weights: number[];
  /** By outcome and rule. */
  probabilities: number[][];
  scores: number[];
  most: number;
  sum: number;
  shares: number[];
}

function partOf(horizon: number): number {
  return PARTS.findIndex(([first, last]) => horizon >= first && horizon <= last);
}

/** A part of the record; zeros where nothing was graded. */
function partFrom(record: KnownWorld["record"], horizon: number): Part {
  const numbers = [...(record[partOf(horizon)] ?? [])];
  const take = (count: number) => Array.from({ length: count }, () => numbers.shift() ?? 0);
  return {
    general: take(RULE_COUNT),
    buckets: Array.from({ length: BUCKET_COUNT }, () => ({ n: take(1)[0] ?? 0, weights: take(RULE_COUNT) })),
    forecasts: take(BOUNDS.length + 1),
    right: take(BOUNDS.length + 1),
    curvature: take(PAIRS.length),
    correction: take(3),
    correctionCurvature: take(TERM_PAIRS.length),
  };
}

function numbersFrom(part: Part): number[] {
  const { general, buckets, forecasts, right, curvature, correction, correctionCurvature } = part;
  const ofBuckets = buckets.flatMap(({ n, weights }) => [n, ...weights]);
  return [...general, ...ofBuckets, ...forecasts, ...right, ...curvature, ...correction, ...correctionCurvature];
}

/** The horizons of which a sequence is graded. */
function horizonsOf(roll: number, models: number): number[] {
  const bits = (from: number) => Math.floor(roll / 2 ** from);
  const further = PARTS.slice(1).map(([first, last]) => first + (bits(8) % (last - first + 1)));
  return [1, ...(models < 1024 ? further : [further[bits(20) % 3] as number])];
}

/** The record, where a shared end is left out: the first range of the next event, which has none, counts it. */
function withoutEnd(record: KnownWorld["record"], isLeftOut: boolean): KnownWorld["record"] {
  if (!isLeftOut) return record;
  const part = partFrom(record, 1);
  part.forecasts[0] = (part.forecasts[0] as number) + 1;
  return [numbersFrom(part), ...record.slice(1)];
}

/** What the first symbol of the next event goes by: the logarithm of its odds, p, and the events behind in fours. */
function termValues(p: number, { behind }: { behind: number }): number[] {
  const inside = Math.max(1e-6, Math.min(1 - 1e-6, p));
  return [log(inside) - log(1 - inside), p, Math.min(12, behind) / 4];
}

/** The probability that has proved true of the first symbol of the next event, and what its odds are multiplied by. */
function provedBy(p: number, values: readonly number[], weights: readonly number[]) {
  let exponent = 0;
  values.forEach((value, term) => {
    exponent += (weights[term] as number) * value;
  });
  const factor = exp(Math.max(-20, Math.min(20, exponent)));
  const odds = p * factor;
  return { factor, proved: odds / (odds + (1 - p)) };
}

function bucketOf({ behind, longestOrder }: RuleTable): number {
  const byBehind = [1.5, 4, 16].filter((bound) => bound <= behind).length;
  const byOrder = [2, 4].filter((bound) => bound <= longestOrder).length;
  return 3 * byBehind + byOrder;
}

/** Pools a table without several symbols in an event. */
function poolOf(table: RuleTable, part: Part): Pool {
  const places = [...table.symbols.keys()].slice(1);
  const rows = places.map((at) => [...table.probabilities.subarray(at * RULE_COUNT, (at + 1) * RULE_COUNT)]);
  rows.push([...table.rests]);
  const probabilities = rows.map((given) => {
    const base = 0.5 * ((given[ORDER] as number) + (given[ALIKE] as number));
    return given.map((own, rule) => {
      const takesPart = Math.floor(table.speaking / 2 ** rule) % 2 === 1;
      return Math.max(1e-6, rule === ORDER || !takesPart ? base : 0.8 * own + 0.2 * base);
    });
  });
  const bucket = bucketOf(table);
  const weights = part.general.map(
    (general, rule) => 1 / 4 + general + (part.buckets[bucket]?.weights[rule] as number),
  );
  const scores = probabilities.map((row) => {
    const [one, two, three, four] = row.map((probability, rule) => (weights[rule] as number) * log(probability));
    return (one as number) + (two as number) + (three as number) + (four as number);
  });
  const most = Math.max(...scores);
  let sum = 0;
  for (const score of scores) sum += exp(score - most);
  const shares = scores.map((score) => exp(score - most) / sum);
  return { bucket, weights, probabilities, scores, most, sum, shares };
}

/**
 * The probabilities of the outcomes of the next event: the shares, updated by how often each of them followed the
 * longest order. `undefined` if nothing did, or if no shared end was left out of the gradings.
 */
function updatedBy({ counts, counted }: RuleTable, { shares }: Pool, part: Part) {
  const leftOut = part.forecasts[0] as number;
  if (counted === 0 || leftOut === 0) return undefined;
  const gradings = part.buckets.reduce((sum, { n }) => sum + n, 0);
  const prior = (128 * (gradings + leftOut)) / leftOut;
  // The outcomes are the named symbols, and last all others, which the table has first.
  const inOrder = [...counts.slice(1), counts[0] as number];
  const singles = shares.map((share, outcome) => ((inOrder[outcome] as number) + prior * share) / (counted + prior));
  return { prior, singles, counts: inOrder };
}

/** The probability of each outcome in one event of the list within some events. */
function singlesOf(table: RuleTable, pool: Pool, part: Part, events: number): readonly number[] {
  return events > 1 ? pool.shares : (updatedBy(table, pool, part)?.singles ?? pool.shares);
}

/** The probability that something comes within some events that has this share in each. */
function within(share: number, events: number): number {
  let none = 1;
  for (let count = 0; count < events; count++) none *= 1 - share;
  return 1 - none;
}

/** Most probable first, ties by code point. */
function sorted(entries: readonly Entry[], by: (entry: Entry) => number): Entry[] {
  return [...entries].sort((one, other) => by(other) - by(one) || compareCodePoints(one.symbol, other.symbol));
}

/** The number of the range that a probability is in. A bound belongs to the range above it. */
function rangeOf(probability: number): number {
  return BOUNDS.filter((bound) => bound <= probability).length;
}

/** Counts the first symbol of a list within a horizon in its range. */
function countFirst({ forecasts, right }: Part, p: number, came: boolean, times: number): void {
  const range = rangeOf(p);
  forecasts[range] = (forecasts[range] as number) + times;
  if (came) right[range] = (right[range] as number) + times;
}

/** Forecasts of one world. */
export class OracleForecasts {
  readonly #world: KnownWorld;
  readonly #names: string[];
  readonly #frequencies: number[];
  readonly #rules: OracleForecastRules;
  /** N and F. */
  readonly #modelFrequencies: number;
  readonly #symbolFrequencies: number;

  constructor(world: KnownWorld) {
    this.#world = world;
    const { models } = world;
    this.#names = [...new Set(models.flatMap(({ events }) => events.flat()))];
    this.#frequencies = this.#names.map((name) => {
      const occurrences = models.map(
        ({ events, frequency }) => frequency * events.flat().filter((one) => one === name).length,
      );
      return occurrences.reduce((sum, count) => sum + count, 0);
    });
    this.#modelFrequencies = models.reduce((sum, { frequency }) => sum + frequency, 0);
    this.#symbolFrequencies = this.#frequencies.reduce((sum, frequency) => sum + frequency, 0);
    const numbered = models.map(({ id, frequency, events }) => ({ id, frequency, ...this.#numbered(events) }));
    this.#rules = new OracleForecastRules(
      () => numbered,
      (symbol) => this.#frequencies[symbol] ?? 0,
    );
  }

  /** The answer of forecast after some events. */
  forecast(events: readonly string[][], horizon: number, top: number) {
    const silence = { none: 1, symbols: [] };
    const nothing = { context: 0, models: 0, steps: Array.from({ length: horizon }, () => silence), within: [] };
    if (!this.#canSpeak(events)) return nothing;
    return this.#ask(events, 0, (answers) => {
      const { context, models } = answers;
      if (models === 0) return { ...nothing, context };
      const lists = this.#lists(answers, horizon);
      const steps = lists.filter((list) => !list.within);
      const within = lists.find((list) => list.within && list.horizon === horizon) ?? steps[0];
      return {
        context,
        models,
        steps: steps.map(({ none, entries }) => ({ none, symbols: entries.slice(0, top).map(answered) })),
        within: (within?.entries ?? []).slice(0, top).map(answered),
      };
    });
  }

  /** The answer of forecast/explain, without words; `undefined` when no model speaks. */
  explain(events: readonly string[][], symbol: string, horizon: number, isWithin: boolean) {
    if (!this.#canSpeak(events)) return undefined;
    return this.#ask(events, 0, (answers) => {
      if (answers.models === 0) return undefined;
      const isWide = isWithin && horizon > 1;
      const lists = this.#lists(answers, horizon);
      const { mix, correction, entries } = lists.find(
        (list) => list.within === isWide && list.horizon === horizon,
      ) as List;
      const entry = entries.find((one) => one.symbol === symbol);
      const probability = entry?.probability ?? 0;
      return {
        symbol,
        probability,
        context: events.slice(events.length - answers.context),
        models: answers.models,
        ...sayingOf(entry, probability),
        rules: entry?.terms ?? mix.terms,
        mixed: entry?.mixed ?? 0,
        ...pooledMembers(mix, entry),
        ...(correction && { correction }),
        ...(entry?.likeliestStep && { likeliestStep: entry.likeliestStep }),
        ...(isWide && !mix.isCrowded && { sumOfSteps: entry?.sumOfSteps ?? 0 }),
      };
    });
  }

  /**
   * The record after a sequence is learned: its gradings come before it counts.
   *
   * @param name the name of its model
   * @param before the name of the model that its memory learned last; empty for none
   */
  learned(name: string, events: readonly string[][], before = ""): KnownWorld["record"] {
    const { models } = this.#world;
    const N = this.#modelFrequencies;
    const seed = Number.parseInt(name.slice(0, 8), 16);
    let oneIn = 4;
    while (oneIn < models.length / 2048) oneIn *= 2;
    if (models.length === 0 || events.length < 2 || (seed + N) % oneIn !== 0) return this.#world.record;
    const grading = { record: this.#world.record };
    const earlier = models.find((model) => model.name === before) ?? models.at(-1);
    const overlap = overlapOf(earlier?.events ?? [], events);
    const roll = hashOf(seed, N);
    this.#gradeSequence(grading, { events, excluded: HAS_NO_ID, overlap, roll });
    if (overlap > 0 || models.length < 2 || models.length >= 1024) return grading.record;
    const all = models.flatMap((model) => Array.from({ length: model.frequency }, () => model));
    for (const draw of [1, 2, 3]) {
      const model = all[hashOf(roll, draw) % N] as KnownModel;
      const itsSeed = Number.parseInt(model.name.slice(0, 8), 16);
      const again = { events: model.events, excluded: model.id, overlap: 0, roll: hashOf(itsSeed + draw, N) };
      this.#gradeSequence(grading, again);
    }
    return grading.record;
  }

  /** The record of a knowledge that was never graded. */
  graded(): KnownWorld["record"] {
    const { models } = this.#world;
    const N = this.#modelFrequencies;
    const grading = { record: [[], [], [], []] as KnownWorld["record"] };
    const byName = models.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const all = byName.flatMap((model) => Array.from({ length: model.frequency }, () => model));
    const eventsOf = (id: number) => models.find((model) => model.id === id)?.events ?? [];
    for (let draw = 1; draw <= 512; draw++) {
      const { id, name, events } = all[hashOf(draw, 0) % N] as KnownModel;
      if (overlapOf(eventsOf(id - 1), events) > 0 || overlapOf(events, eventsOf(id + 1)) > 0) continue;
      const roll = hashOf(Number.parseInt(name.slice(0, 8), 16) + draw, N);
      this.#gradeSequence(grading, { events, excluded: id, overlap: 0, roll });
    }
    return grading.record;
  }

  /** Grades a sequence wherever it is to be. */
  #gradeSequence(
    grading: { record: KnownWorld["record"] },
    {
      events,
      excluded,
      overlap,
      roll,
    }: { events: readonly string[][]; excluded: number; overlap: number; roll: number },
  ): void {
    const E = events.length;
    const bits = (from: number) => Math.floor(roll / 2 ** from);
    const horizons = horizonsOf(roll, this.#world.models.length);
    const context = (from: number) => 3 + (bits(from) % 8);
    const grade = (
      horizon: number,
      place: number,
      most: number,
      { weight, correctionWeight = weight }: { weight: number; correctionWeight?: number },
      isEnd = false,
    ) => {
      const lists = new OracleForecasts({ models: this.#world.models, record: grading.record });
      grading.record = lists.#gradeAt(events, { horizon, place, most, weight, correctionWeight, isEnd, excluded });
    };
    const isShared = this.#isEndShared(events.at(-1) ?? [], excluded);
    // This comes first: the horizon 1 is the first.
    grading.record = withoutEnd(grading.record, isShared && overlap === 0 && E > 1);
    for (const h of horizons) {
      const weight = h === 1 ? 1 : 4;
      if (overlap > 0) {
        const places = E - h - overlap + 1;
        if (places > 0) grade(h, overlap + (bits(3) % places), context(12), { weight });
        continue;
      }
      if (E - h >= 1 && !isShared) grade(h, E - h, context(4), { weight }, true);
      if (E - h < 2) continue;
      const P = E - h - 1;
      const [N, F] = [this.#modelFrequencies, this.#symbolFrequencies];
      const weights = {
        weight: Math.min(4, P / Math.max(1, F / N - (h + 1))),
        correctionWeight: Math.min(4, (E * N) / F),
      };
      grade(h, 1 + (bits(3) % P), context(12), weights);
    }
  }

  /** Whether a quarter of the 64 newest models have a last event that holds all symbols of this one. */
  #isEndShared(end: readonly string[], excluded: number): boolean {
    const newest = this.#world.models.filter(({ id }) => id !== excluded).slice(-64);
    const sharing = newest.filter(({ events }) => end.every((symbol) => events.at(-1)?.includes(symbol)));
    return sharing.length >= newest.length / 4;
  }

  /** The record with one grading. */
  #gradeAt(
    events: readonly string[][],
    at: {
      horizon: number;
      place: number;
      most: number;
      weight: number;
      correctionWeight: number;
      isEnd: boolean;
      excluded: number;
    },
  ): KnownWorld["record"] {
    const { horizon, place, most, weight, correctionWeight, isEnd, excluded } = at;
    const { record } = this.#world;
    return this.#ask(events.slice(Math.max(0, place - most), place), excluded, (answers) => {
      if (answers.models === 0) return record;
      const table = answers.ahead(1, horizon);
      if (table.isCrowded) return record;
      const part = partFrom(record, horizon);
      const pool = poolOf(table, part);
      const came = events.slice(place, place + horizon).flat();
      const symbols = [...table.symbols].slice(1).map((number) => this.#names[number] as string);
      const singles = singlesOf(table, pool, part, horizon);
      const chances = symbols.map((symbol, outcome) => ({
        symbol,
        p: within(singles[outcome] as number, horizon),
      }));
      chances.sort((one, other) => other.p - one.p || compareCodePoints(one.symbol, other.symbol));
      const [first] = chances;
      if (first !== undefined && first.p > 0) {
        const times = this.#times() * correctionWeight * (isEnd ? 5 / 8 : 1);
        const isRight = came.includes(first.symbol);
        if (horizon === 1) this.#gradeCorrection(part, table, first.p, isRight, times);
        else countFirst(part, first.p, isRight, times);
      }
      const ofOutcome = (symbol: string) => (symbols.includes(symbol) ? symbols.indexOf(symbol) : symbols.length);
      const parts = pool.shares.map(
        (_, outcome) => came.filter((symbol) => ofOutcome(symbol) === outcome).length / horizon,
      );
      const bucket = part.buckets[pool.bucket] as Part["buckets"][number];
      const logsOf = (rule: number) => pool.probabilities.map((given) => log(given[rule] as number));
      const logs = [0, 1, 2, 3].map(logsOf);
      const sumOver = (term: (outcome: number) => number) =>
        pool.shares.reduce((sum, _, outcome) => sum + term(outcome), 0);
      const shareOf = (outcome: number) => pool.shares[outcome] as number;
      const logOf = (rule: number, outcome: number) => logs[rule]?.[outcome] as number;
      const gradients = logs.map(
        (_, rule) => weight * sumOver((at) => ((parts[at] as number) - shareOf(at)) * logOf(rule, at)),
      );
      const means = logs.map((_, rule) => sumOver((at) => shareOf(at) * logOf(rule, at)));
      part.curvature = PAIRS.map(([one = 0, other = 0], pair) => {
        const deviationOf = (rule: number, at: number) => logOf(rule, at) - (means[rule] as number);
        const covariance = sumOver((at) => shareOf(at) * deviationOf(one, at) * deviationOf(other, at));
        return (part.curvature[pair] as number) + weight * covariance;
      });
      bucket.n += weight;
      const gradings = part.buckets.reduce((sum, { n }) => sum + n, 0);
      part.general = part.general.map((g, rule) => g + (solved(part.curvature, 1, PRIOR, gradients)[rule] as number));
      const own = solved(part.curvature, bucket.n / gradings, PRIOR, gradients);
      bucket.weights = bucket.weights.map((w, rule) => w + (own[rule] as number));
      return PARTS.map((_, index) => (index === partOf(horizon) ? numbersFrom(part) : (record[index] ?? [])));
    });
  }

  /** Moves the weights of the next event's correction towards what came. */
  #gradeCorrection(part: Part, table: RuleTable, p: number, came: boolean, times: number): void {
    const values = termValues(p, table);
    const q = provedBy(p, values, part.correction).proved;
    const missed = times * (Number(came) - q);
    const bend = times * q * (1 - q);
    part.correctionCurvature = TERM_PAIRS.map(([one = 0, other = 0], pair) => {
      const by = bend * (values[one] as number) * (values[other] as number);
      return (part.correctionCurvature[pair] as number) + by;
    });
    const gradients = values.map((value) => missed * value);
    const steps = solved(part.correctionCurvature, 1, 4 * this.#times(), gradients);
    part.correction = part.correction.map((c, term) => c + (steps[term] as number));
  }

  /** How unexpected an event is, and why. There are events before it, and models. */
  surprise(events: readonly string[][], event: readonly string[]) {
    const symbols = [...new Set(event)];
    const { steps, models, context } = this.forecast(events, 1, Number.POSITIVE_INFINITY);
    const likely = steps[0]?.symbols ?? [];
    const givenTo = (symbol: string) => likely.find((one) => one.symbol === symbol)?.probability ?? 0;
    const rest = models === 0 ? 1 : this.#ask(events, 0, (answers) => this.#lists(answers, 1)[0]?.rest as number);
    const occurrences = this.#modelFrequencies + this.#symbolFrequencies;
    const unexpectedProbability = (0.5 * rest) / occurrences;
    const priorOf = (symbol: string) => (givenTo(symbol) === 0 ? unexpectedProbability : givenTo(symbol));
    const ordered = [...symbols].sort((one, other) => priorOf(one) - priorOf(other) || compareCodePoints(one, other));
    const factors = ordered.map((symbol, at) => {
      const levels = symbols.length === 1 || at >= 1024 ? [] : this.#levels(events, ordered.slice(0, at), symbol);
      let factor = priorOf(symbol);
      for (const { places, holding } of levels) factor = (holding + factor) / (places + 1);
      return { symbol, prior: priorOf(symbol), levels, factor };
    });
    let product = 1;
    for (const { factor } of factors) product *= factor;
    const probability = Math.min(1, Math.max(2 ** -1022, product));
    return {
      surprise: {
        bits: Math.max(0, -log2(probability)),
        probability,
        expected: likely.slice(0, 5).map(({ symbol, probability: chance }) => ({ symbol, probability: chance })),
        unexpected: symbols.filter((symbol) => givenTo(symbol) === 0),
      },
      context: events.slice(events.length - context),
      symbols: symbols.map((symbol) => ({ symbol, given: givenTo(symbol), probability: priorOf(symbol) })),
      factors,
      models,
      knownSymbols: this.#names.length,
      rest,
      occurrences,
      unexpectedProbability,
    };
  }

  /** What the levels say of a symbol whose event holds those before it: only levels with a place. */
  #levels(events: readonly string[][], before: readonly string[], symbol: string) {
    if (!this.#canSpeak(events)) return [];
    const numbers = Uint32Array.from([...before, symbol], (name) => this.#numberOf(name));
    const rows = this.#ask(events, 0, (answers) => [...answers.together(numbers)]);
    const cells = numbers.length + 1;
    const levels = Array.from({ length: 16 }, (_, at) => {
      const row = rows.slice(at * cells, (at + 1) * cells);
      return { level: at + 1, places: row[before.length] ?? 0, holding: row[before.length + 1] ?? 0 };
    });
    return levels.filter(({ places }) => places > 0);
  }

  /** All steps up to a horizon, and the lists within them, nearest first; each step before the list up to it. */
  #lists(answers: RuleAnswers, most: number): List[] {
    const next = this.#mix(answers, 1, 1);
    const { entries, correction, times } = this.#corrected(next, 1, true);
    const lists = [stepOf(1, next, { entries, correction, times })];
    for (let horizon = 2; horizon <= most; horizon++) {
      const mix = this.#mix(answers, 1, horizon);
      const own = this.#corrected(mix, horizon, false);
      const step = this.#mix(answers, horizon, horizon);
      const first = mix.isCrowded ? undefined : own.first;
      const within = first === undefined ? undefined : firstWithin(lists, own.entries, step, horizon, first);
      const agreed = stepOf(horizon, step, raisedStep(lists, step, first, within));
      const before = [...lists, agreed];
      const raised = own.entries.map((entry) => {
        const isFirst = entry.symbol === own.first;
        const sum = sumOver(before, entry.symbol);
        if (isFirst && within !== undefined) return { ...entry, ...within, sumOfSteps: sum };
        // Without a sum that limits it.
        if (mix.isCrowded) return { ...entry, ...raisedBy(before, entry, isFirst) };
        const limited = { ...entry, probability: Math.min(entry.probability, sum) };
        const { probability, likeliestStep } = raisedBy(before, limited, false);
        const isMore = probability > entry.probability;
        return { ...entry, probability, likeliestStep: isMore ? likeliestStep : undefined, sumOfSteps: sum };
      });
      const some = raised.filter(({ probability }) => probability > 0);
      const list = sorted(some, ({ probability }) => probability);
      lists.push(agreed, {
        horizon,
        within: true,
        mix,
        entries: list,
        correction: own.correction,
        none: 0,
        rest: 0,
      });
    }
    return lists;
  }

  /**
   * The list of the events from `first` to `last` ahead, before it is corrected. Symbols of probability 0 are left out.
   */
  #mix(answers: RuleAnswers, first: number, last: number): Mix {
    const table = answers.ahead(first, last);
    const places = [...table.symbols.keys()].slice(1);
    const named = (at: number) => {
      const number = table.symbols[at] as number;
      const models = answers.strongest(number).map((id) => this.#nameOfModel(id));
      return { symbol: this.#names[number] as string, support: table.supportOf(at), models };
    };
    const given = (at: number) => [...table.probabilities.subarray(at * RULE_COUNT, (at + 1) * RULE_COUNT)];
    if (table.isCrowded) {
      const termsOf = (row: number[]) =>
        row.map((own, rule) => {
          const isAlike = rule === ALIKE;
          const alone = { takesPart: isAlike, weight: isAlike ? 1 : 0, probability: isAlike ? own : 0, evidence: 0 };
          return { ...alone, given: own };
        });
      const entries = places.map((at) => {
        const mixed = given(at)[ALIKE] as number;
        return { ...named(at), terms: termsOf(given(at)), share: mixed, mixed, probability: mixed };
      });
      const end = given(0)[ALIKE] as number;
      const some = entries.filter(({ mixed }) => mixed > 0);
      return { isCrowded: true, terms: termsOf([0, 0, 0, 0]), entries: some, end, rest: table.rests[ALIKE] as number };
    }
    const part = partFrom(this.#world.record, last);
    const pool = poolOf(table, part);
    const takesPart = (rule: number) => Math.floor(table.speaking / 2 ** rule) % 2 === 1;
    const terms = pool.weights.map((weight, rule) => {
      return { takesPart: takesPart(rule), weight, given: 0, probability: 0, evidence: 0 };
    });
    const updated = last === 1 ? updatedBy(table, pool, part) : undefined;
    const singles = updated?.singles ?? pool.shares;
    const entries = places.map((at, outcome) => {
      const share = pool.shares[outcome] as number;
      const single = singles[outcome] as number;
      const mixed = first === last ? single : within(single, last - first + 1);
      const count = updated?.counts[outcome];
      const own = terms.map((term, rule) => {
        let mean = 0;
        pool.shares.forEach((other, place) => {
          mean += other * log(pool.probabilities[place]?.[rule] as number);
        });
        const probability = pool.probabilities[outcome]?.[rule] as number;
        const evidence = term.weight * (log(probability) - mean);
        return { ...term, given: given(at)[rule] as number, probability, evidence };
      });
      return { ...named(at), terms: own, share, count, mixed, probability: mixed };
    });
    return {
      isCrowded: false,
      terms,
      // A share may be so small that 1 minus it is 1: a step may give more.
      entries: entries.filter(({ share, mixed }) => share > 0 || mixed > 0),
      end: 0,
      rest: singles.at(-1) as number,
      ...(updated && { followed: { of: table.counted, prior: updated.prior } }),
      normalizer: pool.most + log(pool.sum),
      situation: { behind: table.behind, longestOrder: table.longestOrder, bucket: pool.bucket },
    };
  }

  /**
   * Gives the first symbol the probability that has proved true.
   *
   * @param isExclusive whether symbols exclude each other
   */
  #corrected({ entries, isCrowded, situation }: Mix, horizon: number, isExclusive: boolean) {
    const [first, ...others] = sorted(entries, ({ mixed }) => mixed);
    // A share may be so small that it gives no probability within a horizon.
    if (first === undefined || first.mixed === 0) return { entries, correction: undefined, first: undefined, times: 1 };
    // A step beyond the next event is as it is.
    if (isCrowded || (isExclusive && horizon > 1)) {
      return { entries: [first, ...others], correction: undefined, first: first.symbol, times: 1 };
    }
    const p = first.mixed;
    const proved = isExclusive ? this.#nextProved(p, situation?.behind ?? 0) : this.#tableProved(p, horizon);
    const q = proved.proved;
    const times = isExclusive && p < 1 ? (1 - q) / (1 - p) : 1;
    const rest = others.map((entry) => {
      const own = entry.mixed * times;
      if (entry.mixed === p) return { ...entry, probability: Math.min(q, own) };
      return { ...entry, probability: own >= q ? q * (1 - 2 ** -53) : own };
    });
    const corrected = sorted([{ ...first, probability: q }, ...rest], ({ probability }) => probability);
    return {
      entries: corrected,
      correction: { first: first.symbol, mixed: p, ...proved, exclusive: isExclusive },
      first: first.symbol,
      times,
    };
  }

  /** What has proved true of the first symbol of the next event. */
  #nextProved(p: number, behind: number) {
    const { correction } = partFrom(this.#world.record, 1);
    const values = termValues(p, { behind });
    const terms = values.map((value, term) => ({ ...TERM_WORDS[term], value, weight: correction[term] as number }));
    return { terms, ...provedBy(p, values, correction) };
  }

  /** The same within a horizon. */
  #tableProved(p: number, horizon: number) {
    const { forecasts, right } = partFrom(this.#world.record, horizon);
    const range = rangeOf(p);
    const [u, v] = [forecasts[range] as number, right[range] as number];
    const prior = 4 * this.#times();
    const bounds = { from: BOUNDS[range - 1] ?? 0, to: BOUNDS[range] ?? 1 };
    return { ...bounds, forecasts: u, right: v, prior, terms: [], proved: (v + prior * p) / (u + prior) };
  }

  /** w: how many times a forecast counts. */
  #times(): number {
    return Math.min(this.#modelFrequencies, 1024);
  }

  /** Whether a forecast can be computed at all. */
  #canSpeak(events: readonly string[][]): boolean {
    const { target, models } = this.#world;
    return events.length > 0 && models.length > 0 && (target === undefined || this.#names.includes(target));
  }

  #ask<Answer>(events: readonly string[][], excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const { target } = this.#world;
    const context: ForecastContext = {
      ...this.#numbered(events),
      target: target === undefined ? undefined : this.#numberOf(target),
      totals: {
        modelFrequencies: this.#modelFrequencies,
        symbolFrequencies: this.#symbolFrequencies,
        memberFrequencies: 0,
      },
      record: [],
      steps: Number.MAX_SAFE_INTEGER,
    };
    return this.#rules.ask(context, excluded, work);
  }

  #numbered(events: readonly string[][]): { symbols: Uint32Array; lengths: Uint32Array } {
    return {
      symbols: Uint32Array.from(events.flat(), (name) => this.#numberOf(name)),
      lengths: Uint32Array.from(events, ({ length }) => length),
    };
  }

  /** The number of a symbol; unknown ones have numbers of their own. */
  #numberOf(name: string): number {
    const known = this.#names.indexOf(name);
    if (known >= 0) return known;
    this.#unknown.add(name);
    return 0x8000_0000 + [...this.#unknown].indexOf(name);
  }

  readonly #unknown = new Set<string>();

  #nameOfModel(id: number): string {
    return this.#world.models.find((model) => model.id === id)?.name ?? "";
  }
}

/**
 * The x of (part · curvature + prior) · x = right, by elimination: from the first row on, each row below loses what
 * makes its first number 0. A pivot is the prior at least.
 */
function solved(curvature: readonly number[], part: number, prior: number, right: readonly number[]): number[] {
  const all = [...right.keys()];
  const pairs = PAIRS.filter(([one = 0, other = 0]) => one < right.length && other < right.length);
  const matrix = all.map((row) =>
    all.map((column) => {
      const pair = pairs.findIndex(([one, other]) => one === Math.min(row, column) && other === Math.max(row, column));
      return part * (curvature[pair] as number) + (row === column ? prior : 0);
    }),
  );
  const entry = (row: number, column: number) => matrix[row]?.[column] as number;
  const x = [...right];
  for (const row of all) {
    (matrix[row] as number[])[row] = Math.max(prior, entry(row, row));
    for (const below of all.filter((one) => one > row)) {
      const factor = entry(row, below) / entry(row, row);
      for (const column of all.filter((one) => one >= below)) {
        (matrix[below] as number[])[column] = entry(below, column) - factor * entry(row, column);
      }
      x[below] = (x[below] as number) - factor * (x[row] as number);
    }
  }
  for (const row of all.toReversed()) {
    let left = x[row] as number;
    for (const column of all.filter((one) => one > row)) left -= entry(row, column) * (x[column] as number);
    x[row] = left / entry(row, row);
  }
  return x;
}

/** MurmurHash3's finalizer, with whole numbers of any size. */
function finalized(number: number): number {
  const most = 2n ** 32n;
  let bits = BigInt(number) % most;
  bits = ((bits ^ (bits >> 16n)) * 0x85ebca6bn) % most;
  bits = ((bits ^ (bits >> 13n)) * 0xc2b2ae35n) % most;
  return Number(bits ^ (bits >> 16n));
}

function hashOf(one: number, other: number): number {
  return finalized(finalized(one) + other);
}

/**
 * The most events, fewer than the later sequence has, that end the earlier one and begin the later; 0 for less than
 * half of the later.
 */
function overlapOf(earlier: readonly string[][], later: readonly string[][]): number {
  for (let events = later.length - 1; 2 * events >= later.length; events--) {
    const [end, start] = [earlier.slice(-events), later.slice(0, events)];
    if (events > 0 && events <= earlier.length && JSON.stringify(end) === JSON.stringify(start)) return events;
  }
  return 0;
}

/** A step as it is answered. */
function stepOf(
  horizon: number,
  mix: Mix,
  { entries, correction, times }: { entries: Entry[]; correction: Correction | undefined; times: number },
): List {
  const list = sorted(
    entries.filter(({ probability }) => probability > 0),
    ({ probability }) => probability,
  );
  let sum = 0;
  for (const { probability } of list) sum += probability;
  const none = mix.isCrowded ? mix.end : Math.max(0, 1 - sum);
  return { horizon, within: false, mix, entries: list, correction, none, rest: mix.rest * times };
}

/** The sum of a symbol's probabilities in the steps, added from the nearest. */
function sumOver(lists: readonly List[], symbol: string): number {
  let sum = 0;
  for (const { within, entries } of lists) {
    if (!within) sum += entries.find((entry) => entry.symbol === symbol)?.probability ?? 0;
  }
  return sum;
}

/** The probability of the first symbol of a list within a horizon, which stays above all others. @param step as mixed */
function firstWithin(lists: readonly List[], own: readonly Entry[], step: Mix, horizon: number, first: string) {
  const entry = own.find(({ symbol }) => symbol === first) as Entry;
  const mixed = stepOf(horizon, step, { entries: step.entries, correction: undefined, times: 1 });
  return raisedBy([...lists, mixed], entry, true);
}

/**
 * A step that gives the first symbol of the list within its horizon what is missing, and the others the rest.
 *
 * @param within the first symbol's probability in that list
 */
function raisedStep(
  lists: readonly List[],
  { entries }: Mix,
  first: string | undefined,
  within: { probability: number } | undefined,
): { entries: Entry[]; correction: Correction | undefined; times: number } {
  const entry = entries.find(({ symbol }) => symbol === first);
  if (first === undefined || within === undefined || entry === undefined) {
    return { entries, correction: undefined, times: 1 };
  }
  const sumBefore = sumOver(lists, first);
  let q = within.probability - sumBefore;
  if (sumBefore + q < within.probability) q = Math.min(1, q / (1 - 2 ** -53));
  const p = entry.mixed;
  if (q <= p) return { entries, correction: undefined, times: 1 };
  const times = (1 - q) / (1 - p);
  const raised = entries.map((one) => ({ ...one, probability: one === entry ? q : one.mixed * times }));
  const sums = { within: within.probability, sumBefore };
  return { entries: raised, correction: { first, mixed: p, ...sums, proved: q, exclusive: true, terms: [] }, times };
}

/** What the lists of fewer events make of a symbol's probability in the list of all of them. */
function raisedBy(lists: readonly List[], { symbol, probability: own }: Entry, isFirst: boolean) {
  const all = lists.flatMap(({ horizon, within, entries }) => {
    return entries.map((entry) => ({ horizon, within, symbol: entry.symbol, probability: entry.probability }));
  });
  // Sorting keeps the nearer list first, and in a list the first by code point.
  all.sort((one, other) => other.probability - one.probability);
  const mine = all.find((step) => step.symbol === symbol);
  const rival = all.find((step) => step.symbol !== symbol);
  const raised = Math.max(own, mine?.probability ?? 0);
  if (isFirst && rival !== undefined && rival.probability >= raised) {
    return { probability: Math.min(1, rival.probability / (1 - 2 ** -53)), likeliestStep: rival };
  }
  return { probability: raised, likeliestStep: raised > own ? mine : undefined };
}

/** The models that say a symbol, if it has a probability. */
function sayingOf(entry: Entry | undefined, probability: number) {
  const isSaid = entry !== undefined && probability > 0;
  return isSaid ? { support: entry.support, strongest: entry.models } : { support: 0, strongest: [] };
}

/** What an explanation says of a pool. */
function pooledMembers({ isCrowded, normalizer, situation, followed }: Mix, entry: Entry | undefined) {
  if (isCrowded) return {};
  const own = followed === undefined ? {} : { followed: { count: entry?.count ?? 0, ...followed } };
  return {
    share: entry?.share ?? 0,
    ...own,
    normalizer,
    situation: { ...situation, says: wordsOf(situation?.bucket ?? -1) },
  };
}

/** A bucket in words. */
function wordsOf(bucket: number): string {
  const left = ["almost no event is", "few events are", "some events are", "many events are"][Math.floor(bucket / 3)];
  const match = ["at most one event matches", "two or three events match", "four or more events match"][bucket % 3];
  return `${left} left; ${match}`;
}

function answered({ symbol, probability, support, models }: Entry) {
  return { symbol, probability, support, models };
}
