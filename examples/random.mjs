/** Random numbers with a seed: the examples generate their data with them, the same on every machine and at every run. */

const MODULUS = 2 ** 31 - 1;
const MULTIPLIER = 48271;

/** The "minimal standard" generator of Park and Miller, 1988. */
export class Random {
  #state;

  /** @param {number} seed a whole number from 1 to 2^31 - 2 */
  constructor(seed) {
    this.#state = seed;
    // The first numbers of small seeds are small.
    for (let i = 0; i < 10; i++) this.fraction();
  }

  /** A number from 0 to 1, both exclusive. */
  fraction() {
    this.#state = (this.#state * MULTIPLIER) % MODULUS;
    return this.#state / MODULUS;
  }

  /** True with this probability. */
  happens(probability) {
    return this.fraction() < probability;
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound) {
    return Math.floor(this.fraction() * bound);
  }

  /**
   * One of the values, each as likely as the others.
   *
   * @template T
   * @param {readonly T[]} values
   * @returns {T}
   */
  pick(values) {
    return values[this.below(values.length)];
  }
}
