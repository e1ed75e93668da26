/**
 * What forecasts are measured beside: interpolated back-off, and nearest neighbours of a visit. Both know the sequences
 * and nothing of the processor.
 */

/** What a predictor says of the symbol that comes next. */
export interface Said {
  /** Most probable first. */
  symbols: readonly { symbol: string; probability: number }[];
  /** The probability of a symbol that is not among them; 0 where probabilities are no part of the answer. */
  other: number;
}

/** What learns sequences and says what comes next. */
export interface Peer {
  learn(sequence: readonly string[]): void;
  ask(context: readonly string[]): Said;
}

/** What followed a context, and the contexts that are one symbol longer. */
interface Place {
  total: number;
  followers: Map<string, number>;
  longer: Map<string, Place> | undefined;
}

function emptyPlace(): Place {
  return { total: 0, followers: new Map(), longer: undefined };
}

/** Of each count this much goes to the shorter contexts. */
const DISCOUNT = 0.8;

function byProbability(
  one: { symbol: string; probability: number },
  other: { symbol: string; probability: number },
): number {
  return other.probability - one.probability || (one.symbol < other.symbol ? -1 : 1);
}

/**
 * Interpolated back-off with an absolute discount: each order gives what it takes off its counts to the next shorter
 * one, and the shortest to all symbols alike, one that was never seen among them.
 */
export class BackOff implements Peer {
  readonly #order: number;
  readonly #root = emptyPlace();

  /** @param order the most symbols before the next one that count */
  constructor(order: number) {
    this.#order = order;
  }

  learn(sequence: readonly string[]): void {
    sequence.forEach((symbol, at) => {
      let place = this.#root;
      for (let back = 0; ; back++) {
        place.total++;
        place.followers.set(symbol, (place.followers.get(symbol) ?? 0) + 1);
        const before = sequence[at - back - 1];
        if (back === this.#order || before === undefined) return;
        place.longer ??= new Map();
        const next = place.longer.get(before) ?? emptyPlace();
        place.longer.set(before, next);
        place = next;
      }
    });
  }

  ask(context: readonly string[]): Said {
    const places = [this.#root];
    for (let back = 1; back <= this.#order; back++) {
      const next = places.at(-1)?.longer?.get(context[context.length - back] ?? "");
      if (next === undefined) break;
      places.push(next);
    }
    const chances = new Map<string, number>();
    let left = 1;
    for (const { total, followers } of places.reverse()) {
      for (const [symbol, count] of followers) {
        chances.set(symbol, (chances.get(symbol) ?? 0) + (left * (count - DISCOUNT)) / total);
      }
      left *= (DISCOUNT * followers.size) / total;
    }
    const other = left / (this.#root.followers.size + 1);
    const symbols = [...chances].map(([symbol, chance]) => ({ symbol, probability: chance + other }));
    return { symbols: symbols.sort(byProbability), other };
  }
}

/** Of the visits that share an item, this many of the newest are looked at, and this many of the most alike count. */
const NEWEST_VISITS = 1_000;
const NEAREST_VISITS = 100;

/**
 * V-SKNN, vector multiplication session-based k nearest neighbours (M. Ludewig, D. Jannach, Evaluation of session-based
 * recommendation algorithms, 2018): a visit is alike by the items it shares, the latest of them weighing most, and
 * gives its likeness to its items, less the longer ago the latest shared one was.
 */
export class VisitNeighbours implements Peer {
  readonly #visits: Set<string>[] = [];
  readonly #visitsOf = new Map<string, number[]>();

  learn(sequence: readonly string[]): void {
    const items = new Set(sequence);
    for (const item of items) {
      const visits = this.#visitsOf.get(item);
      if (visits === undefined) this.#visitsOf.set(item, [this.#visits.length]);
      else visits.push(this.#visits.length);
    }
    this.#visits.push(items);
  }

  /** The numbers that it gives items are scores, of which only the order counts. */
  ask(context: readonly string[]): Said {
    const weights = new Map(context.map((item, at) => [item, (at + 1) / context.length]));
    const sharing = new Set([...weights.keys()].flatMap((item) => this.#visitsOf.get(item) ?? []));
    const newest = [...sharing].sort((one, other) => other - one).slice(0, NEWEST_VISITS);
    const alike = newest.map((visit) => {
      const items = this.#visits[visit] ?? new Set<string>();
      let likeness = 0;
      for (const [item, weight] of weights) if (items.has(item)) likeness += weight;
      return { items, likeness: likeness / weights.size };
    });
    alike.sort((one, other) => other.likeness - one.likeness);
    const scores = new Map<string, number>();
    for (const { items, likeness } of alike.slice(0, NEAREST_VISITS)) {
      const back = context.toReversed().findIndex((item) => items.has(item));
      for (const item of items) scores.set(item, (scores.get(item) ?? 0) + likeness / (back + 1));
    }
    const symbols = [...scores].map(([symbol, probability]) => ({ symbol, probability }));
    return { symbols: symbols.sort(byProbability), other: 0 };
  }
}
