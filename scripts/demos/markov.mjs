/**
 * Markov chains with back-off, to compare forecasts with. A chain of order k knows what came after the last k values.
 * With little data it mixes in the distribution of order k - 1, with the weight of Witten and Bell (The Zero-Frequency
 * Problem, 1991): after n values, d of them distinct, the weight is d / (n + d). The chain of order 0 backs off to a
 * uniform distribution over all values seen so far and one unseen value.
 */

/** A chain of an order, with those below it. */
export class MarkovChain {
  #order;
  /** What came after each context: how often each value, and how often anything. */
  #tables;
  #past = [];

  /** @param {number} order how many values it looks back, 0 or more */
  constructor(order) {
    this.#order = order;
    this.#tables = Array.from({ length: order + 1 }, () => new Map());
  }

  /** Forgets the latest values, but not what it has learned. */
  begin() {
    this.#past = [];
  }

  /** Takes in the value that came. @param {string} value @param {boolean} learn whether to learn from it */
  add(value, learn) {
    if (learn) {
      for (const [order, table] of this.#tables.entries()) {
        if (order > this.#past.length) break;
        const key = this.#key(order);
        const seen = table.get(key) ?? { counts: new Map(), all: 0 };
        seen.counts.set(value, (seen.counts.get(value) ?? 0) + 1);
        seen.all++;
        table.set(key, seen);
      }
    }
    this.#past.push(value);
    if (this.#past.length > this.#order) this.#past.shift();
  }

  /**
   * The probabilities of all values that were ever learned, and what is left for others.
   *
   * @returns {{ values: Map<string, number>, rest: number }}
   */
  forecast() {
    const known = this.#tables[0].get("[]")?.counts ?? new Map();
    const even = 1 / (known.size + 1);
    let values = new Map([...known.keys()].map((value) => [value, even]));
    let rest = even;
    for (const [order, table] of this.#tables.entries()) {
      const seen = order > this.#past.length ? undefined : table.get(this.#key(order));
      if (seen === undefined) break;
      const { counts, all } = seen;
      const sum = all + counts.size;
      values = new Map([...values].map(([value, p]) => [value, ((counts.get(value) ?? 0) + counts.size * p) / sum]));
      rest *= counts.size / sum;
    }
    return { values, rest };
  }

  #key(order) {
    return JSON.stringify(order === 0 ? [] : this.#past.slice(-order));
  }
}

/** The most probable value of a forecast; undefined when nothing was learned. */
export function likeliest({ values }) {
  let [best, most] = [undefined, 0];
  for (const [value, probability] of values) if (probability > most) [best, most] = [value, probability];
  return best;
}
