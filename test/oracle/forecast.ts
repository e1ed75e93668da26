/**
 * What a forecast's rules give, slow and obvious, written from docs/forecast.md. The kernel must give exactly its
 * numbers.
 */

import type { ForecastContext, ForecastRules, RuleAnswers, RuleTable } from "../../src/processor/ports/forecaster";
import type { MatchableModel, Sequence } from "../../src/processor/ports/matcher";
import { log2 } from "../../src/processor/prediction/logarithms";

const END = 2 ** 32 - 1;
const MAX_ORDER = 10;
const MAX_LEVEL = 16;
/** Stands for all symbols that are not named. */
const OTHERS = -1;
const MAX_NAMED = 8_190;
const MAX_OF_NEWEST = 4_096;
const MAX_NEWEST_NEIGHBOURS = 1_024;
const MAX_OTHER_NEIGHBOURS = 512;
const MAX_NEIGHBOUR_SYMBOLS = 524_288;
const AGE_WEIGHTS = [64, 49, 38, 29, 23, 17, 13, 10, 8, 5];
const ROOTS = [1048576, 961548, 881743, 808562, 741455, 679917, 623487, 571740];
/** What each rule that backs off leaves for the base in any case. */
const BASE_LEFT = 0.005;

/** A model that shares a symbol with the context. */
interface Candidate {
  model: MatchableModel;
  events: number[][];
  /** How many of its occurrences count. */
  frequency: number;
  likeness: number;
  /** W. */
  weight: number;
}

/** Occurrences of the context by order, or by level of agreement, and their continuations. */
interface Levels {
  /** By level: the frequencies of the occurrences. */
  occurrences: number[];
  /** By level and symbol. */
  counts: Map<number, number>[];
}

/** What has been counted of one list. */
interface Tally {
  orders: Levels;
  agreements: Levels;
  /** By symbol. */
  behind: Map<number, number>;
  /** ΣW · n, and ΣW · n · r. */
  behindSum: number;
  behindEvents: number;
  supporters: Map<number, Set<Candidate>>;
  isCrowded: boolean;
}

/** The events of a model, whose sequence never changes. */
const eventsOfModels = new WeakMap<MatchableModel, number[][]>();

function eventsOfModel(model: MatchableModel): number[][] {
  const events = eventsOfModels.get(model) ?? eventsOf(model);
  eventsOfModels.set(model, events);
  return events;
}

function eventsOf({ symbols, lengths }: Sequence): number[][] {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return Array.from(symbols.subarray(at - length, at));
  });
}

function add(counts: Map<number, number>, symbol: number, by: number): void {
  counts.set(symbol, (counts.get(symbol) ?? 0) + by);
}

function sumOf(counts: Iterable<number>): number {
  return [...counts].reduce((sum, count) => sum + count, 0);
}

function discount(count: number): number {
  if (count === 1) return 0.8;
  return count === 2 ? 1.1 : 1.4;
}

/** The newest events, the newest last. */
function contextOf(sequence: Sequence): number[][] {
  const events = eventsOf(sequence);
  const taken: number[][] = [];
  for (const event of events.toReversed().slice(0, 10)) {
    if (taken.length > 0 && taken.flat().length + event.length > 256) break;
    taken.unshift(taken.length === 0 ? event.slice(0, MAX_OF_NEWEST) : event);
  }
  return taken;
}

/** Counts over all models. */
export class OracleForecastRules implements ForecastRules {
  readonly steps = 0;
  readonly neighbourSteps = 0;
  readonly #models: () => readonly MatchableModel[];
  readonly #frequencyOf: (symbol: number) => number;

  /** @param models oldest first @param frequencyOf how often a symbol occurs in all models */
  constructor(models: () => readonly MatchableModel[], frequencyOf: (symbol: number) => number) {
    this.#models = models;
    this.#frequencyOf = frequencyOf;
  }

  series<Answer>(work: () => Answer): Answer {
    return work();
  }

  ask<Answer>(asked: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const context = contextOf(asked);
    const candidates = this.#candidates(context, asked, excluded);
    const neighbours = neighboursOf(candidates, context.at(-1) ?? []);
    const named = namedOf(neighbours);
    const near = nearOf(neighbours, context, new Set(named));
    const isUnknown = (event: number[]) => event.every((symbol) => this.#frequencyOf(symbol) === 0);
    let places: Place[][] | undefined;
    const tallies = new Map<string, Tally>();
    let supporters = new Map<number, Set<Candidate>>();
    return work({
      context: context.length,
      models: candidates.length,
      ahead: (first, last) => {
        places ??= neighbours.map((neighbour) => placesOf(neighbour, context, isUnknown));
        const window = `${first} ${last}`;
        const tally =
          tallies.get(window) ?? tallyOf(neighbours, places, { context, named: new Set(named), first, last });
        tallies.set(window, tally);
        ({ supporters } = tally);
        return this.#table(tally, { named, near, totals: asked.totals, width: last - first + 1 });
      },
      together: (symbols) => togetherOf(neighbours, context, [...symbols]),
      nearest: (most) => {
        const newest = context.at(-1) ?? [];
        const holding = neighbours.filter(({ model }) => newest.some((symbol) => model.symbols.includes(symbol)));
        return holding.slice(0, most).map(({ model }) => model.id);
      },
      strongest: (symbol) => {
        const ofSymbol = [...(supporters.get(symbol) ?? [])];
        const sorted = ofSymbol.sort((one, other) => other.likeness - one.likeness || other.model.id - one.model.id);
        return sorted.slice(0, 5).map(({ model }) => model.id);
      },
    });
  }

  #candidates(context: number[][], { target, totals }: ForecastContext, excluded: number): Candidate[] {
    const N = totals.modelFrequencies;
    const symbols = [...new Set(context.flat())];
    const weightOf = (symbol: number) =>
      1 + Math.floor(8 * log2((N + 1) / (Math.min(this.#frequencyOf(symbol), N) + 1)) + 0.5);
    const candidates = this.#models().flatMap((model) => {
      const shared = symbols.filter((symbol) => model.symbols.includes(symbol));
      const events = eventsOfModel(model);
      const isAdmitted = target === undefined || events.at(-1)?.includes(target) === true;
      const frequency = model.id === excluded ? model.frequency - 1 : model.frequency;
      if (shared.length === 0 || !isAdmitted || frequency === 0) return [];
      return [{ model, events, frequency, likeness: Math.min(4_095, sumOf(shared.map(weightOf))), weight: 0 }];
    });
    const greatest = Math.max(...candidates.map(({ likeness }) => likeness));
    for (const candidate of candidates) {
      const less = greatest - candidate.likeness;
      candidate.weight = less >= 80 ? 0 : Math.floor((ROOTS[less % 8] ?? 0) / 2 ** Math.floor(less / 8));
    }
    return candidates;
  }

  #table(tally: Tally, asked: { named: number[]; near: Near; totals: ForecastContext["totals"]; width: number }) {
    const { named, near, totals, width } = asked;
    const { behind, behindSum, supporters } = tally;
    const all = totals.modelFrequencies + totals.symbolFrequencies;
    const expected = (symbol: number) =>
      Math.min(all, width * (symbol === END ? totals.modelFrequencies : this.#frequencyOf(symbol)));
    const symbols = [END, ...named];
    const base = new Map(symbols.map((symbol) => [symbol, expected(symbol) / all]));
    const order = backOff(tally.orders, base, 0);
    // This number of occurrences is unknown, on each level of agreement.
    const digits = totals.modelFrequencies.toString(2).length;
    const alike = backOff(tally.agreements, base, digits);
    const unnamed = Math.max(0, 1 - sumOf(named.map(expected)) / all);
    const { occurrences, counts } = tally.orders;
    const longestOrder = Math.max(
      0,
      occurrences.findLastIndex((count) => count > 0),
    );
    const followers = counts[longestOrder] ?? new Map<number, number>();
    const share = (votes: Map<number, number>, sum: number, symbol: number) =>
      sum > 0 ? Math.min(1, (votes.get(symbol) ?? 0) / sum) : 0;
    return {
      speaking: 1 + (behindSum > 0 ? 2 : 0) + 4 + (near.sum > 0 ? 8 : 0),
      isCrowded: tally.isCrowded,
      behind: behindSum > 0 ? tally.behindEvents / behindSum : 0,
      longestOrder,
      counts: Float64Array.from(followers.size === 0 ? [] : [OTHERS, ...named], (symbol) => followers.get(symbol) ?? 0),
      counted: sumOf(followers.values()),
      rests: Float64Array.of(order.left * unnamed, 0, alike.left * unnamed, 0),
      symbols: Uint32Array.from(symbols),
      supportOf: (entry) => supporters.get(symbols[entry] ?? END)?.size ?? 0,
      probabilities: Float64Array.from(
        symbols.flatMap((symbol) => [
          order.given.get(symbol) ?? 0,
          share(behind, behindSum, symbol),
          alike.given.get(symbol) ?? 0,
          share(near.votes, near.sum, symbol),
        ]),
      ),
    } satisfies RuleTable;
  }
}

/** The nearest of the candidates: of those that hold a symbol of the newest event, and of the others. */
function neighboursOf(candidates: Candidate[], newest: number[]): Candidate[] {
  const holds = ({ model }: Candidate) => newest.some((symbol) => model.symbols.includes(symbol));
  const others = candidates.filter((candidate) => !holds(candidate) && candidate.weight > 0);
  const groups = [
    { group: candidates.filter(holds), most: MAX_NEWEST_NEIGHBOURS },
    { group: others, most: MAX_OTHER_NEIGHBOURS },
  ];
  const chosen = groups.flatMap(({ group, most }) => {
    const inOrder = group.toSorted(byNearness);
    let symbols = 0;
    const end = inOrder.findIndex(({ model }, at) => {
      symbols += model.symbols.length;
      return at > 0 && (at >= most || symbols > MAX_NEIGHBOUR_SYMBOLS);
    });
    return end < 0 ? inOrder : inOrder.slice(0, end);
  });
  return chosen.sort(byNearness);
}

/** The greatest likeness first, of equals the most frequent, of equals the newest. */
function byNearness(one: Candidate, other: Candidate): number {
  return other.likeness - one.likeness || other.frequency - one.frequency || other.model.id - one.model.id;
}

/** The first different symbols that the neighbours hold, in their order. */
function namedOf(neighbours: Candidate[]): number[] {
  return [...new Set(neighbours.flatMap(({ model }) => [...model.symbols]))].slice(0, MAX_NAMED);
}

/** What the neighbours vote for, by symbol. */
interface Near {
  votes: Map<number, number>;
  sum: number;
}

/** Each neighbour's vote, for each different symbol that it holds. */
function nearOf(neighbours: Candidate[], context: number[][], named: ReadonlySet<number>): Near {
  const votes = new Map<number, number>();
  for (const { model, frequency } of neighbours) {
    const held = new Set(model.symbols);
    const backs = context
      .toReversed()
      .flatMap((event, back) => (event.some((symbol) => held.has(symbol)) ? [back] : []));
    const value = sumOf(backs.map((back) => context.length - back)) * (10 - Math.min(...backs));
    for (const symbol of namesOf(held, named)) add(votes, symbol, value * frequency);
  }
  return { votes, sum: sumOf(votes.values()) };
}

/** The different symbols, those that are not named as one. */
function namesOf(symbols: Iterable<number>, named: ReadonlySet<number>): Set<number> {
  return new Set([...symbols].map((symbol) => (named.has(symbol) ? symbol : OTHERS)));
}

function tallyOf(neighbours: Candidate[], places: Place[][], asked: Asked): Tally {
  const tally: Tally = {
    orders: levelsUpTo(MAX_ORDER),
    agreements: levelsUpTo(MAX_LEVEL),
    behind: new Map(),
    behindSum: 0,
    behindEvents: 0,
    supporters: new Map(),
    isCrowded: false,
  };
  for (const [at, neighbour] of neighbours.entries()) {
    countOccurrences(tally, neighbour, places[at] ?? [], asked);
    if (neighbour.weight > 0) countBehind(tally, neighbour, asked);
  }
  return tally;
}

/** Whether no model holds a symbol of an event. */
type IsUnknown = (event: number[]) => boolean;

/** What a tally is about. */
interface Asked {
  context: number[][];
  named: ReadonlySet<number>;
  first: number;
  last: number;
}

function support(tally: Tally, supporter: Candidate, symbols: Iterable<number>): void {
  for (const symbol of symbols) {
    tally.supporters.set(symbol, (tally.supporters.get(symbol) ?? new Set<Candidate>()).add(supporter));
  }
}

/** An event of a model on which the newest event of the context lies. */
interface Place {
  at: number;
  order: number;
  level: number;
}

/** The places of a model where the context agrees at all. They are the same for each window ahead. */
function placesOf({ events }: Candidate, context: number[][], isUnknown: IsUnknown): Place[] {
  return events.flatMap((_, at) => {
    const level = levelAt(events, at, context);
    return level === 0 ? [] : [{ at, order: orderAt(events, at, context, isUnknown), level }];
  });
}

function countOccurrences(tally: Tally, neighbour: Candidate, places: Place[], { named, first, last }: Asked): void {
  const { events, frequency } = neighbour;
  for (const { at, order, level } of places) {
    const window = events.slice(at + first, at + last + 1);
    if (window.length === 0) continue;
    tally.isCrowded ||= window.some(({ length }) => length > 1);
    const continuation = namesOf(window.flat(), named);
    if (order > 0) countOccurrence(tally.orders, order, continuation, frequency);
    countOccurrence(tally.agreements, level, continuation, frequency);
    support(tally, neighbour, continuation);
  }
}

function countBehind(tally: Tally, neighbour: Candidate, { context, named, first, last }: Asked): void {
  const { events, weight, frequency } = neighbour;
  const symbols = context.flat();
  const behind = events.slice(events.findLastIndex((event) => event.some((symbol) => symbols.includes(symbol))) + 1);
  tally.behindSum += weight * frequency;
  tally.behindEvents += weight * frequency * behind.length;
  if (behind.length < first) {
    add(tally.behind, END, weight * frequency);
    return;
  }
  tally.isCrowded ||= behind.some(({ length }) => length > 1);
  const share = Math.floor((weight * Math.min(last - first + 1, behind.length)) / behind.length);
  for (const symbol of behind.flat()) add(tally.behind, named.has(symbol) ? symbol : OTHERS, share * frequency);
  support(tally, neighbour, behind.flat());
}

/** The different symbols of an event that never changes. */
const symbolsOfEvents = new WeakMap<number[], ReadonlySet<number>>();

function symbolsOfEvent(event: number[]): ReadonlySet<number> {
  const symbols = symbolsOfEvents.get(event) ?? new Set(event);
  symbolsOfEvents.set(event, symbols);
  return symbols;
}

/**
 * How many different symbols the context's event has, and how many places of an event hold one of them, not more than
 * that.
 */
function sharedBetween(event: number[] = [], ofContext: number[] = []): { wanted: number; shared: number } {
  const wanted = symbolsOfEvent(ofContext);
  return { wanted: wanted.size, shared: Math.min(wanted.size, event.filter((symbol) => wanted.has(symbol)).length) };
}

/**
 * Where the newest event of the context lies on an event of the model: how many events match, up to the first that does
 * not. Any event matches an unknown one, which does not count.
 */
function orderAt(events: number[][], at: number, context: number[][], isUnknown: IsUnknown): number {
  let order = 0;
  for (let back = 0; back < context.length && back <= at; back++) {
    const event = context[context.length - 1 - back] ?? [];
    if (isUnknown(event)) continue;
    const { wanted, shared } = sharedBetween(events[at - back], event);
    if (shared < wanted) break;
    order++;
  }
  return order;
}

/** There: how much all of them agree. */
function levelAt(events: number[][], at: number, context: number[][]): number {
  const agreements = AGE_WEIGHTS.slice(0, Math.min(context.length, at + 1)).map((weight, back) => {
    const { wanted, shared } = sharedBetween(events[at - back], context[context.length - 1 - back]);
    return Math.floor((weight * shared) / wanted);
  });
  return Math.floor(sumOf(agreements) / 16);
}

/**
 * By level and number of first symbols: the frequencies of the occurrences whose next event holds these first symbols.
 */
function togetherOf(neighbours: Candidate[], context: number[][], symbols: number[]): Float64Array {
  const rows = Array.from({ length: MAX_LEVEL }, () => new Array<number>(symbols.length + 1).fill(0));
  for (const { events, frequency } of neighbours) {
    events.slice(0, -1).forEach((_, at) => {
      const row = rows[levelAt(events, at, context) - 1] ?? [];
      row.forEach((_, count) => {
        const firsts = symbols.slice(0, count);
        if (firsts.every((symbol) => events[at + 1]?.includes(symbol))) row[count] = (row[count] ?? 0) + frequency;
      });
    });
  }
  return Float64Array.from(rows.flat());
}

function levelsUpTo(most: number): Levels {
  return {
    occurrences: new Array<number>(most + 1).fill(0),
    counts: Array.from({ length: most + 1 }, () => new Map<number, number>()),
  };
}

function countOccurrence({ occurrences, counts }: Levels, level: number, symbols: Set<number>, by: number): void {
  occurrences[level] = (occurrences[level] ?? 0) + by;
  for (const symbol of symbols) add(counts[level] ?? new Map(), symbol, by);
}

/**
 * What back-off gives each symbol, and what it leaves in the end.
 *
 * @param base what is given below the lowest level @param pseudoCount how many occurrences more each level counts with
 */
function backOff({ occurrences, counts }: Levels, base: ReadonlyMap<number, number>, pseudoCount: number) {
  const given = new Map<number, number>();
  const higher = new Set<number>();
  let left = 1 - BASE_LEFT;
  for (let level = counts.length - 1; level >= 1; level--) {
    const own = counts[level] ?? new Map<number, number>();
    if (own.size === 0) continue;
    const k = new Map(own);
    for (const symbol of higher) add(k, symbol, 1);
    const unknown = (pseudoCount * sumOf(own.values())) / (occurrences[level] ?? 0);
    const all = sumOf(own.values()) + higher.size + unknown;
    const scale = (all * (occurrences[level] ?? 0)) / sumOf(own.values());
    for (const [symbol, count] of k) add(given, symbol, (left * (count - discount(count))) / scale);
    const number = (wanted: (count: number) => boolean) => [...k.values()].filter(wanted).length;
    const ones = number((count) => count === 1);
    const twos = number((count) => count === 2);
    const mores = number((count) => count > 2);
    left *= Math.min(1, (unknown + 0.8 * ones + 1.1 * twos + 1.4 * mores) / all);
    for (const symbol of own.keys()) higher.add(symbol);
  }
  left += BASE_LEFT;
  for (const [symbol, probability] of base) {
    given.set(symbol, Math.min(1, (given.get(symbol) ?? 0) + left * probability));
  }
  return { given, left };
}
