/** What a forecast's rules say, slow and obvious, written from docs/forecast.md. The kernel must give exactly its numbers. */

import type { ForecastContext, ForecastRules, RuleAnswers, RuleTable } from "../../src/processor/ports/forecaster";
import { RULES } from "../../src/processor/ports/forecaster";
import type { MatchableModel, Sequence } from "../../src/processor/ports/matcher";
import { log2 } from "../../src/processor/prediction/logarithms";

const END = 2 ** 32 - 1;
const MOST_ORDER = 10;
const MOST_LEVEL = 16;
/** Stands for all symbols that are not named. */
const OTHERS = -1;
const MOST_NAMED = 8_190;
const MOST_OF_NEWEST = 4_096;
const MOST_NEWEST_HEARD = 1_024;
const MOST_OTHERS_HEARD = 512;
const MOST_HEARD_SYMBOLS = 524_288;
const AGE_WEIGHTS = [64, 49, 38, 29, 23, 17, 13, 10, 8, 5];

/** A model that speaks. */
interface Speaker {
  model: MatchableModel;
  events: number[][];
  likeness: number;
  weight: number;
}

/** Places of one kind, by order or by level, and what they say. */
interface Ladder {
  places: number[];
  /** By rung and symbol. */
  counts: Map<number, number>[];
}

/** What has been counted of one list. */
interface Tally {
  orders: Ladder;
  levels: Ladder;
  /** By rule 2, 3 and 4 and symbol. */
  given: Map<number, number>[];
  sums: number[];
  saidBy: Map<number, Set<Speaker>>;
  isCrowded: boolean;
  /** The symbols that can be named; all others count as one. */
  named: ReadonlySet<number>;
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
    taken.unshift(taken.length === 0 ? event.slice(0, MOST_OF_NEWEST) : event);
  }
  return taken;
}

/** Counts over all models. */
export class OracleForecastRules implements ForecastRules {
  readonly steps = 0;
  readonly #models: () => readonly MatchableModel[];
  readonly #frequencyOf: (symbol: number) => number;

  /** @param models oldest first @param frequencyOf how often a symbol occurs in all models */
  constructor(models: () => readonly MatchableModel[], frequencyOf: (symbol: number) => number) {
    this.#models = models;
    this.#frequencyOf = frequencyOf;
  }

  ask<Answer>(asked: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const context = contextOf(asked);
    const speakers = this.#speakers(context, asked, excluded);
    const heard = heardOf(speakers, context.at(-1) ?? []);
    let tally: Tally | undefined;
    return work({
      context: context.length,
      models: speakers.length,
      ahead: (first, last) => {
        tally = this.#tally(heard, context, first, last);
        return this.#table(tally, asked, last - first + 1);
      },
      together: (symbols) => togetherOf(heard, context, [...symbols]),
      strongest: (symbol) => {
        const said = tally?.saidBy.get(symbol) ?? new Set<Speaker>();
        const sorted = [...said].sort((one, other) => other.likeness - one.likeness || other.model.id - one.model.id);
        return sorted.slice(0, 5).map(({ model }) => model.id);
      },
    });
  }

  #speakers(context: number[][], { target, totals }: ForecastContext, excluded: number): Speaker[] {
    const N = totals.modelFrequencies;
    const symbols = [...new Set(context.flat())];
    const weightOf = (symbol: number) =>
      1 + Math.floor(8 * log2((N + 1) / (Math.min(this.#frequencyOf(symbol), N) + 1)) + 0.5);
    const speakers = this.#models().flatMap((model) => {
      const shared = symbols.filter((symbol) => model.symbols.includes(symbol));
      const events = eventsOf(model);
      const isAdmitted = target === undefined || events.at(-1)?.includes(target) === true;
      if (shared.length === 0 || !isAdmitted || model.id === excluded) return [];
      return [{ model, events, likeness: Math.min(4_095, sumOf(shared.map(weightOf))), weight: 0 }];
    });
    const greatest = Math.max(...speakers.map(({ likeness }) => likeness));
    for (const speaker of speakers) {
      const less = greatest - speaker.likeness;
      const roots = [1048576, 961548, 881743, 808562, 741455, 679917, 623487, 571740];
      speaker.weight = less >= 80 ? 0 : Math.floor((roots[less % 8] ?? 0) / 2 ** Math.floor(less / 8));
    }
    return speakers;
  }

  #tally(speakers: Speaker[], context: number[][], first: number, last: number): Tally {
    const tally: Tally = {
      orders: ladder(MOST_ORDER),
      levels: ladder(MOST_LEVEL),
      given: [new Map(), new Map(), new Map()],
      sums: [0, 0, 0],
      saidBy: new Map(),
      isCrowded: false,
      named: namedOf(speakers),
    };
    for (const speaker of speakers) {
      this.#countPlaces(tally, speaker, context, first, last);
      if (speaker.weight > 0) this.#countBehind(tally, speaker, context, first, last);
    }
    return tally;
  }

  #say(tally: Tally, speaker: Speaker, symbols: Iterable<number>): void {
    for (const symbol of symbols) {
      tally.saidBy.set(symbol, (tally.saidBy.get(symbol) ?? new Set<Speaker>()).add(speaker));
    }
  }

  #window(tally: Tally, { events }: Speaker, from: number, to: number): Set<number> | undefined {
    const window = events.slice(from, to + 1);
    if (window.length === 0) return undefined;
    tally.isCrowded ||= window.some(({ length }) => length > 1);
    return new Set(window.flat().map((symbol) => (tally.named.has(symbol) ? symbol : OTHERS)));
  }

  #countPlaces(tally: Tally, speaker: Speaker, context: number[][], first: number, last: number): void {
    speaker.events.forEach((_, at) => {
      const order = orderAt(speaker.events, at, context);
      const level = levelAt(speaker.events, at, context);
      if (order + level === 0) return;
      const said = this.#window(tally, speaker, at + first, at + last);
      if (said === undefined) return;
      if (order > 0) countPlace(tally.orders, order, said, speaker.model.frequency);
      if (level > 0) countPlace(tally.levels, level, said, speaker.model.frequency);
      this.#say(tally, speaker, said);
    });
  }

  #countBehind(tally: Tally, speaker: Speaker, context: number[][], first: number, last: number): void {
    const { events, weight, model } = speaker;
    const shares = (symbols: number[]) =>
      events.findLastIndex((event) => event.some((symbol) => symbols.includes(symbol)));
    const shared = shares(context.flat());
    const give = (rule: number, symbol: number, by: number) => add(tally.given[rule] ?? new Map(), symbol, by);
    const follows = weight * 2 ** Math.min(4, orderAt(events, shared, context)) * model.frequency;
    for (const symbol of this.#window(tally, speaker, shared + first, shared + last) ?? [END]) {
      give(0, symbol, follows);
    }
    tally.sums[0] = (tally.sums[0] ?? 0) + follows;
    [shared, shares(context.at(-1) ?? [])].forEach((at, newest) => {
      if (at < 0) return;
      const rule = 1 + newest;
      tally.sums[rule] = (tally.sums[rule] ?? 0) + weight * model.frequency;
      const behind = events.slice(at + 1);
      if (behind.length < first) {
        give(rule, END, weight * model.frequency);
        return;
      }
      tally.isCrowded ||= behind.some(({ length }) => length > 1);
      const share = Math.floor((weight * Math.min(last - first + 1, behind.length)) / behind.length);
      const said = behind.flat().map((symbol) => (tally.named.has(symbol) ? symbol : OTHERS));
      for (const symbol of said) give(rule, symbol, share * model.frequency);
      this.#say(tally, speaker, said);
    });
  }

  #table(tally: Tally, { totals }: ForecastContext, width: number): RuleTable {
    const { given, sums, saidBy, orders, levels, isCrowded } = tally;
    const symbols = [END, ...[...saidBy.keys()].filter((symbol) => symbol !== OTHERS)];
    const all = totals.modelFrequencies + totals.symbolFrequencies;
    const byFrequency = new Map(
      symbols.map((symbol) => {
        const frequency = symbol === END ? totals.modelFrequencies : this.#frequencyOf(symbol);
        return [symbol, Math.min(1, (width * frequency) / all)];
      }),
    );
    const { given: byOrder, left: afterOrders } = chain(orders, byFrequency, 0);
    const { given: byLevel, left: afterLevels } = chain(levels, byFrequency, 3);
    const rows = symbols.map((symbol) => [
      byOrder.get(symbol) ?? 0,
      ...[0, 1, 2].map((rule) => {
        const sum = sums[rule] ?? 0;
        return sum > 0 ? Math.min(1, (given[rule]?.get(symbol) ?? 0) / sum) : 0;
      }),
      byFrequency.get(symbol) ?? 0,
      byLevel.get(symbol) ?? 0,
    ]);
    const speaking = [
      sumOf(orders.places) > 0,
      ...sums.map((sum) => sum > 0),
      (sums[1] ?? 0) > 0,
      sumOf(levels.places) > 0,
    ];
    return {
      speaking: speaking.reduce((bits, speaks, rule) => bits + (speaks ? 2 ** rule : 0), 0),
      isCrowded,
      rests: Float64Array.of(afterOrders, 0, 0, 0, 1, afterLevels),
      symbols: Uint32Array.from(symbols),
      supports: Uint32Array.from(symbols, (symbol) => saidBy.get(symbol)?.size ?? 0),
      probabilities: Float64Array.from({ length: symbols.length * RULES }, (_, at) => {
        return rows[Math.floor(at / RULES)]?.[at % RULES] ?? 0;
      }),
    };
  }
}

/** The models that are heard: of those that hold a symbol of the newest event, and of the others. */
function heardOf(speakers: Speaker[], newest: number[]): Speaker[] {
  const holds = ({ model }: Speaker) => newest.some((symbol) => model.symbols.includes(symbol));
  const others = speakers.filter((speaker) => !holds(speaker) && speaker.weight > 0);
  const groups = [
    { group: speakers.filter(holds), most: MOST_NEWEST_HEARD },
    { group: others, most: MOST_OTHERS_HEARD },
  ];
  return groups.flatMap(({ group, most }) => {
    const inOrder = group.toSorted((one, other) => other.likeness - one.likeness || other.model.id - one.model.id);
    let symbols = 0;
    const end = inOrder.findIndex(({ model }, at) => {
      symbols += model.symbols.length;
      return at > 0 && (at >= most || symbols > MOST_HEARD_SYMBOLS);
    });
    return end < 0 ? inOrder : inOrder.slice(0, end);
  });
}

/** The first different symbols that the models hold, the most alike model's first. */
function namedOf(speakers: Speaker[]): ReadonlySet<number> {
  const inOrder = speakers.toSorted((one, other) => other.likeness - one.likeness || other.model.id - one.model.id);
  const symbols = new Set(inOrder.flatMap(({ model }) => [...model.symbols]));
  return new Set([...symbols].slice(0, MOST_NAMED));
}

/** How many different symbols the context's event has, and how many places of an event hold one of them, not more than that. */
function sharedBetween(event: number[] = [], ofContext: number[] = []): { wanted: number; shared: number } {
  const wanted = new Set(ofContext);
  return { wanted: wanted.size, shared: Math.min(wanted.size, event.filter((symbol) => wanted.has(symbol)).length) };
}

/** Where the newest event of the context lies on an event of the model: how many events match. */
function orderAt(events: number[][], at: number, context: number[][]): number {
  let order = 0;
  while (order < context.length && order <= at) {
    const { wanted, shared } = sharedBetween(events[at - order], context[context.length - 1 - order]);
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

/** By level and number of first symbols: the frequencies of the places whose next event holds so many of them. */
function togetherOf(speakers: Speaker[], context: number[][], symbols: number[]): Float64Array {
  const rows = Array.from({ length: MOST_LEVEL }, () => new Array<number>(symbols.length + 1).fill(0));
  for (const { events, model } of speakers) {
    events.slice(0, -1).forEach((_, at) => {
      const row = rows[levelAt(events, at, context) - 1] ?? [];
      row.forEach((_, count) => {
        const firsts = symbols.slice(0, count);
        if (firsts.every((symbol) => events[at + 1]?.includes(symbol)))
          row[count] = (row[count] ?? 0) + model.frequency;
      });
    });
  }
  return Float64Array.from(rows.flat());
}

function ladder(rungs: number): Ladder {
  return {
    places: new Array<number>(rungs + 1).fill(0),
    counts: Array.from({ length: rungs + 1 }, () => new Map<number, number>()),
  };
}

function countPlace({ places, counts }: Ladder, rung: number, said: Set<number>, frequency: number): void {
  places[rung] = (places[rung] ?? 0) + frequency;
  for (const symbol of said) add(counts[rung] ?? new Map(), symbol, frequency);
}

/** What a ladder gives each symbol, and what it leaves. @param more how many places more each rung counts with */
function chain({ places, counts }: Ladder, byFrequency: Map<number, number>, more: number) {
  const result = new Map<number, number>();
  const longer = new Set<number>();
  let left = 1;
  for (let rung = counts.length - 1; rung >= 1; rung--) {
    const own = counts[rung] ?? new Map<number, number>();
    if (own.size === 0) continue;
    const k = new Map(own);
    for (const symbol of longer) add(k, symbol, 1);
    const unknown = (more * sumOf(own.values())) / (places[rung] ?? 0);
    const all = sumOf(own.values()) + longer.size + unknown;
    const scale = (all * (places[rung] ?? 0)) / sumOf(own.values());
    for (const [symbol, count] of k) add(result, symbol, (left * (count - discount(count))) / scale);
    const number = (wanted: (count: number) => boolean) => [...k.values()].filter(wanted).length;
    const ones = number((count) => count === 1);
    const twos = number((count) => count === 2);
    const mores = number((count) => count > 2);
    left *= Math.min(1, (unknown + 0.8 * ones + 1.1 * twos + 1.4 * mores) / all);
    for (const symbol of own.keys()) longer.add(symbol);
  }
  if (sumOf(places) === 0) return { given: result, left };
  for (const [symbol, probability] of byFrequency) {
    result.set(symbol, Math.min(1, (result.get(symbol) ?? 0) + left * probability));
  }
  return { given: result, left };
}
