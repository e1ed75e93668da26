/**
 * A slow, obvious twin of the judge of whole sequences: the formulas of docs/sequences.md, model by model, over the knowledge as a list of
 * sequences that were learned so often.
 */

/** A learned sequence. */
export interface Learned {
  readonly events: readonly (readonly string[])[];
  readonly frequency: number;
}

type Events = readonly (readonly string[])[];

const END = "end";

function countIn(events: Events, symbol: string): number {
  return events.flat().filter((one) => one === symbol).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The twin over one knowledge. */
export class SequenceOracle {
  readonly #learned: readonly Learned[];
  readonly #all: number;
  readonly #known: readonly string[];

  constructor(learned: readonly Learned[]) {
    this.#learned = learned;
    this.#all = sum(learned.map(({ frequency }) => frequency));
    this.#known = [...new Set(learned.flatMap(({ events }) => events.flat()))];
  }

  /** −log2 of the probability of the counts. */
  counts(events: Events, complete: boolean): number {
    const chance = sum(
      this.#learned.map((model) => (model.frequency / this.#all) * this.#chanceBy(model, events, complete)),
    );
    const unknown = [...new Set(events.flat())].filter((symbol) => !this.#known.includes(symbol));
    return (
      -Math.log2(chance) +
      sum(unknown.map((symbol) => Math.log2(4 * this.#all) + Math.log2(1 + countIn(events, symbol))))
    );
  }

  /** The surprise of each event, and of the end when it is complete. */
  order(events: Events, complete: boolean): number[] {
    const places = complete ? [...events, [END]] : events;
    return places.map(
      (symbols, place) =>
        -sum(
          [...new Set(symbols)].map((one) =>
            Math.log2(this.#next(events, place, one, symbols[0] === END && place === events.length)),
          ),
        ),
    );
  }

  /** The verdict. */
  bits(events: Events, complete: boolean): number {
    const order = this.order(events, complete);
    const mean = sum(this.#learned.map((model) => model.frequency * model.events.flat().length)) / this.#all;
    return (
      this.counts(events, complete) / Math.sqrt(Math.min(events.flat().length, 4 * mean)) +
      0.2 * Math.max(...order) +
      (0.2 * sum(order)) / order.length
    );
  }

  /** The probability of each symbol that the sequence does not have. */
  missing(events: Events): Map<string, number> {
    const absent = this.#known.filter((symbol) => countIn(events, symbol) === 0);
    return new Map(
      absent.map((symbol) => {
        const weights = this.#learned.map((model) => model.frequency * this.#chanceBy(model, events, true, symbol));
        const holding = weights.filter((_, at) => countIn(this.#learned[at]?.events ?? [], symbol) > 0);
        return [symbol, sum(holding) / sum(weights)];
      }),
    );
  }

  /** How often a symbol comes in models, by the others. */
  expected(events: Events, symbol: string, complete: boolean): number {
    const weights = this.#learned.map((model) => model.frequency * this.#chanceBy(model, events, complete, symbol));
    const counts = this.#learned.map((model, at) => countIn(model.events, symbol) * (weights[at] ?? 0));
    return sum(counts) / sum(weights);
  }

  /** What a model makes of all counts, but for that of one symbol. */
  #chanceBy(model: Learned, events: Events, complete: boolean, without?: string): number {
    return this.#known
      .filter((symbol) => symbol !== without)
      .map((symbol) => {
        const count = countIn(events, symbol);
        const agrees = (other: Learned) => {
          const held = countIn(other.events, symbol);
          return complete ? held === count : held >= count;
        };
        if (!complete && count === 0) return 1;
        const share = sum(this.#learned.filter(agrees).map(({ frequency }) => frequency));
        const usual = (0.9 * share + 0.55 * (1 + count) ** -1.5) / this.#all;
        return 0.1 * usual + (agrees(model) ? 0.9 : 0);
      })
      .reduce((product, chance) => product * chance, 1);
  }

  #next(events: Events, place: number, symbol: string, isEnd: boolean): number {
    const one = this.#following(events, place, symbol, isEnd, 1);
    const chance = (one.held + 0.5 / (this.#known.length + 2)) / (one.total + 0.5);
    if (place === 0) return chance;
    const two = this.#following(events, place, symbol, isEnd, 2);
    return (two.held + chance) / (two.total + 1);
  }

  /** How often anything follows the last `depth` events, and how often the symbol, or the end, does. */
  #following(events: Events, place: number, symbol: string, isEnd: boolean, depth: number) {
    const places = this.#learned.flatMap(({ events: own, frequency }) =>
      Array.from({ length: own.length + 1 }, (_, at) => ({ before: own.slice(0, at), event: own[at], frequency })),
    );
    const last = (before: Events) =>
      JSON.stringify([[], [], ...before.map((event) => [...event].sort())].slice(-depth));
    const alike = places.filter(
      ({ before }) => before.length >= depth - 1 && last(before) === last(events.slice(0, place)),
    );
    const right = alike.filter(({ event }) => (event === undefined ? isEnd : !isEnd && event.includes(symbol)));
    return { total: sum(alike.map(({ frequency }) => frequency)), held: sum(right.map(({ frequency }) => frequency)) };
  }
}
