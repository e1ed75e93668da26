/**
 * What a forecast, its explanation and a surprise answer, slow and obvious, written from docs/forecast.md and docs/surprise.md. Takes what the rules say
 * from their oracle. The processor must give exactly its numbers.
 */

import type { ForecastContext, RuleAnswers } from "../../src/processor/ports/forecaster";
import { log2 } from "../../src/processor/prediction/logarithms";
import { compareCodePoints } from "../../src/text/code-points";
import { OracleForecastRules } from "./forecast";

const RULE_COUNT = 6;
const BOUNDS = [0.03, 0.06, 0.12, 0.25, 0.45, 0.65, 0.85, 0.93, 0.98];
const NUMBERS = 2 * RULE_COUNT + 2 * (BOUNDS.length + 1);

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

/** The record's numbers of one horizon, by what they are. */
interface Trust {
  shares: number[];
  hits: number[];
  forecasts: number[];
  right: number[];
}

/** A symbol of a list. */
interface Entry {
  symbol: string;
  /** What each rule gives it. */
  given: number[];
  mixed: number;
  probability: number;
  support: number;
  models: string[];
}

/** A list as it is answered. */
interface List {
  /** How many events ahead, and whether it is about all of them. */
  horizon: number;
  within: boolean;
  entries: readonly Entry[];
}

/** What takes part in a list, before any symbol is named. */
interface Mix {
  takesPart: boolean[];
  weights: number[];
  isCrowded: boolean;
  entries: Entry[];
  /** The mix of the end. */
  end: number;
  /** What the rules leave. */
  rest: number;
}

function trustOf(record: KnownWorld["record"], horizon: number): Trust {
  const kept = record[horizon - 1] ?? [];
  const numbers = kept.length === 0 ? new Array<number>(NUMBERS).fill(0) : [...kept];
  const ranges = BOUNDS.length + 1;
  return {
    shares: numbers.splice(0, RULE_COUNT),
    hits: numbers.splice(0, RULE_COUNT),
    forecasts: numbers.splice(0, ranges),
    right: numbers.splice(0, ranges),
  };
}

/** The weights of the rules. */
function weightsFrom({ shares, hits }: Trust, takesPart: readonly boolean[], isCrowded: boolean): number[] {
  const came = shares.reduce((sum, share) => sum + share, 0) / 1024;
  const weights = takesPart.map((speaks, rule) => {
    if (!speaks) return 0;
    const isLenient = isCrowded || 2 * (hits[0] as number) >= came;
    const isClearlyOutdone = isLenient
      ? 20 * (hits[5] as number) < 19 * (hits[0] as number)
      : 5 * (hits[5] as number) < 6 * (hits[0] as number);
    if (rule === 5 && takesPart[0] === true && isClearlyOutdone) return 0;
    if (rule === 0 && takesPart[5] === true && isCrowded && !isClearlyOutdone) return 0;
    const s = (shares[rule] as number) / 1024 + 1;
    const g = (hits[rule] as number) + 0.5;
    return s * Math.sqrt(s) * g * g;
  });
  let sum = 0;
  for (const weight of weights) sum += weight;
  return weights.map((weight) => weight / sum);
}

function mixOf(weights: readonly number[], given: readonly number[]): number {
  let sum = 0;
  weights.forEach((weight, rule) => {
    sum += weight * (given[rule] as number);
  });
  return Math.min(1, sum);
}

/** Most probable first, ties by code point. */
function sorted(entries: readonly Entry[], by: (entry: Entry) => number): Entry[] {
  return [...entries].sort((one, other) => by(other) - by(one) || compareCodePoints(one.symbol, other.symbol));
}

/** The number of the range that a probability is in. A bound belongs to the range above it. */
function rangeOf(probability: number): number {
  return BOUNDS.filter((bound) => bound <= probability).length;
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
      const steps = Array.from({ length: horizon }, (_, at) => this.#step(answers, at + 1));
      const within = horizon === 1 ? (steps[0]?.entries ?? []) : this.#within(answers, horizon);
      return {
        context,
        models,
        steps: steps.map(({ none, entries }) => ({ none, symbols: entries.slice(0, top).map(answered) })),
        within: within.slice(0, top).map(answered),
      };
    });
  }

  /** The answer of forecast/explain, without words; `undefined` when no model speaks. */
  explain(events: readonly string[][], symbol: string, horizon: number, isWithin: boolean) {
    if (!this.#canSpeak(events)) return undefined;
    return this.#ask(events, 0, (answers) => {
      if (answers.models === 0) return undefined;
      const isWide = isWithin && horizon > 1;
      const lists = isWide ? this.#listsBefore(answers, horizon) : [];
      const mix = this.#mix(answers, isWide ? 1 : horizon, horizon);
      const { entries, correction, first } = this.#corrected(mix, horizon, !isWide);
      const entry = entries.find((one) => one.symbol === symbol);
      const given = entry?.given ?? mix.weights.map(() => 0);
      const isFirst = symbol === first;
      const raised = raisedBy(lists, symbol, entry?.probability ?? 0, isFirst);
      return {
        symbol,
        probability: raised.probability,
        context: events.slice(events.length - answers.context),
        models: answers.models,
        support: entry?.support ?? 0,
        strongest: entry?.models ?? [],
        rules: mix.weights.map((weight, rule) => {
          return { weight, probability: given[rule], takesPart: mix.takesPart[rule] };
        }),
        mixed: entry?.mixed ?? 0,
        ...(correction && { correction }),
        ...(raised.likeliestStep && { likeliestStep: raised.likeliestStep }),
      };
    });
  }

  /** How unexpected an event is, and why. There are events before it, and models. */
  surprise(events: readonly string[][], event: readonly string[]) {
    const symbols = [...new Set(event)];
    const { steps, models, context } = this.forecast(events, 1, Number.POSITIVE_INFINITY);
    const likely = steps[0]?.symbols ?? [];
    const givenTo = (symbol: string) => likely.find((one) => one.symbol === symbol)?.probability ?? 0;
    const rest = models === 0 ? 1 : this.#ask(events, 0, (answers) => this.#step(answers, 1).rest);
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

  #step(answers: RuleAnswers, ahead: number): { none: number; rest: number; entries: Entry[] } {
    const mix = this.#mix(answers, ahead, ahead);
    const { entries, times } = this.#corrected(mix, ahead, true);
    const rest = mix.rest * Math.min(1, times);
    if (mix.isCrowded) return { none: mix.end, rest, entries };
    let sum = 0;
    for (const { probability } of entries) sum += probability;
    return { none: Math.max(0, 1 - sum), rest, entries };
  }

  #within(answers: RuleAnswers, horizon: number, lists = this.#listsBefore(answers, horizon)): Entry[] {
    const { entries, first } = this.#corrected(this.#mix(answers, 1, horizon), horizon, false);
    const raised = entries.map((entry) => {
      const isFirst = entry.symbol === first;
      return { ...entry, ...raisedBy(lists, entry.symbol, entry.probability, isFirst) };
    });
    return sorted(raised, ({ probability }) => probability);
  }

  /** What the list within a horizon must not fall below: all steps up to there, and the lists within shorter horizons, the nearest first. */
  #listsBefore(answers: RuleAnswers, horizon: number): List[] {
    const lists: List[] = [];
    for (let ahead = 1; ahead <= horizon; ahead++) {
      lists.push({ horizon: ahead, within: false, entries: this.#step(answers, ahead).entries });
      if (ahead === 1 || ahead === horizon) continue;
      lists.push({ horizon: ahead, within: true, entries: this.#within(answers, ahead, [...lists]) });
    }
    return lists;
  }

  /** The list of the events from `first` to `last` ahead, before it is corrected. Symbols of probability 0 are left out. */
  #mix(answers: RuleAnswers, first: number, last: number): Mix {
    const table = answers.ahead(first, last);
    const takesPart = Array.from({ length: RULE_COUNT }, (_, rule) => Math.floor(table.speaking / 2 ** rule) % 2 === 1);
    const weights = weightsFrom(trustOf(this.#world.record, last), takesPart, table.isCrowded);
    const given = (at: number) => [...table.probabilities.subarray(at * RULE_COUNT, (at + 1) * RULE_COUNT)];
    const entries = [...table.symbols.keys()].slice(1).map((at) => {
      const number = table.symbols[at] as number;
      const mixed = mixOf(weights, given(at));
      const models = answers.strongest(number).map((id) => this.#nameOfModel(id));
      const symbol = this.#names[number] as string;
      return { symbol, given: given(at), mixed, probability: mixed, support: table.supports[at] as number, models };
    });
    const some = entries.filter(({ mixed }) => mixed > 0);
    let rest = 0;
    weights.forEach((weight, rule) => {
      rest += weight * (table.rests[rule] as number);
    });
    return { takesPart, weights, isCrowded: table.isCrowded, entries: some, end: mixOf(weights, given(0)), rest };
  }

  /** Gives the first symbol the probability that has proved true. @param isExclusive whether symbols exclude each other */
  #corrected({ entries, isCrowded }: Mix, horizon: number, isExclusive: boolean) {
    const [first, ...others] = sorted(entries, ({ mixed }) => mixed);
    if (first === undefined) return { entries: [], correction: undefined, first: undefined, times: 1 };
    if (isCrowded) return { entries: [first, ...others], correction: undefined, first: first.symbol, times: 1 };
    const { forecasts, right } = trustOf(this.#world.record, horizon);
    const p = first.mixed;
    const range = rangeOf(p);
    const [u, v] = [forecasts[range] as number, right[range] as number];
    const prior = 4 * this.#times();
    const q = (v + prior * p) / (u + prior);
    const times = isExclusive && p < 1 ? (1 - q) / (1 - p) : 1;
    const rest = others.map((entry) => {
      const own = entry.mixed * times;
      if (entry.mixed === p) return { ...entry, probability: Math.min(q, own) };
      return { ...entry, probability: own >= q ? q * (1 - 2 ** -53) : own };
    });
    const corrected = sorted([{ ...first, probability: q }, ...rest], ({ probability }) => probability);
    const bounds = { from: BOUNDS[range - 1] ?? 0, to: BOUNDS[range] ?? 1 };
    const counts = { forecasts: u, right: v, prior, proved: q };
    return {
      entries: corrected,
      correction: { first: first.symbol, mixed: p, ...bounds, ...counts, exclusive: isExclusive },
      first: first.symbol,
      times,
    };
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

/** What the lists of fewer events make of a symbol's probability in the list of all of them. */
function raisedBy(lists: readonly List[], symbol: string, own: number, isFirst: boolean) {
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

function answered({ symbol, probability, support, models }: Entry) {
  return { symbol, probability, support, models };
}
