/**
 * Finds the learned vectors that add up to a given one. An iterative deepening search: it allows one more member
 * at a time and tries members in the order of learning. So the first sum found has the fewest members and, among
 * those sums, the oldest ones.
 */

import { sixDecimals } from "../text/decimal";

/** Two numbers with the same six decimals differ by less than this, which includes a margin for rounding. */
const TOLERANCE = 1.5e-6;
/** Work limit of a search, counted in components; some tens of milliseconds. */
const MAX_WORK = 2_000_000;
/** The work counted for a member. A member counts for more than a component, to keep the recursion shallow. */
const MEMBER_WORK = 8;

/** Learned vectors of one dimensionality, indexed for searches. */
export class CompositionSearch {
  readonly #vectors: Float64Array[] = [];
  readonly #dimensionality: number;
  /** The least and the greatest value of each component over all vectors. */
  readonly #least: Float64Array;
  readonly #greatest: Float64Array;
  /** The component with the most distinct values when last chosen, and the positions of the vectors sorted by it. */
  #key = 0;
  #byKey: number[] = [];
  #work = 0;

  constructor(dimensionality: number) {
    this.#dimensionality = dimensionality;
    this.#least = new Float64Array(dimensionality).fill(Number.POSITIVE_INFINITY);
    this.#greatest = new Float64Array(dimensionality).fill(Number.NEGATIVE_INFINITY);
  }

  /** Adds a vector; it is the newest. */
  add(vector: Float64Array): void {
    const position = this.#vectors.push(vector) - 1;
    for (const [at, component] of vector.entries()) {
      this.#least[at] = Math.min(this.#least[at] ?? component, component);
      this.#greatest[at] = Math.max(this.#greatest[at] ?? component, component);
    }
    const isPowerOfTwo = (this.#vectors.length & position) === 0;
    if (isPowerOfTwo) this.#chooseKey();
    else this.#byKey.splice(this.#firstAfter(this.#keyOf(position)), 0, position);
  }

  /**
   * The positions of the members of the smallest sum that equals `target` to six decimals, oldest first.
   * @param most maximum number of members
   * @returns `undefined` when there is none, or the search exceeded its work limit
   */
  find(target: Float64Array, most: number): number[] | undefined {
    this.#work = MAX_WORK;
    for (let count = 1; count <= most && this.#work > 0; count++) {
      const found = this.#search(target, target, count, []);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Searches for `count` more members that add up to `rest`, none older than the last of `taken`. */
  #search(target: Float64Array, rest: Float64Array, count: number, taken: readonly number[]): number[] | undefined {
    this.#work -= this.#dimensionality + MEMBER_WORK * taken.length;
    if (this.#work <= 0 || !this.#isWithinReach(rest, count)) return undefined;
    if (count === 1) return this.#last(target, rest, taken);
    for (let position = taken.at(-1) ?? 0; position < this.#vectors.length && this.#work > 0; position++) {
      const found = this.#search(target, this.#without(rest, position), count - 1, [...taken, position]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether `count` vectors could add up to `rest`, component by component. */
  #isWithinReach(rest: Float64Array, count: number): boolean {
    return rest.every((component, at) => {
      const slack = TOLERANCE + 1e-12 * Math.abs(component);
      return (
        component >= count * (this.#least[at] ?? 0) - slack && component <= count * (this.#greatest[at] ?? 0) + slack
      );
    });
  }

  /** The oldest vector that completes the sum and is not older than the last of `taken`. */
  #last(target: Float64Array, rest: Float64Array, taken: readonly number[]): number[] | undefined {
    const oldest = taken.at(-1) ?? 0;
    const wanted = rest[this.#key] ?? 0;
    const slack = TOLERANCE + 1e-12 * Math.abs(wanted);
    let best: number | undefined;
    for (let at = this.#firstFrom(wanted - slack); at < this.#byKey.length; at++) {
      const position = this.#byKey[at] ?? 0;
      if (this.#keyOf(position) > wanted + slack || this.#work <= 0) break;
      const isCandidate = position >= oldest && (best === undefined || position < best);
      if (isCandidate && this.#completes(target, [...taken, position])) best = position;
    }
    return best === undefined || this.#work <= 0 ? undefined : [...taken, best];
  }

  /** Whether the members add up to the target, to six decimals. */
  #completes(target: Float64Array, members: readonly number[]): boolean {
    for (const [at, component] of target.entries()) {
      this.#work--;
      const sum = members.reduce((total, position) => total + (this.#vectors[position]?.[at] ?? 0), 0);
      if (Math.abs(sum - component) > TOLERANCE + 1e-12 * Math.abs(component)) return false;
      if (sum !== component && Number(sixDecimals(sum)) !== Number(sixDecimals(component))) return false;
    }
    return true;
  }

  #without(rest: Float64Array, position: number): Float64Array {
    const vector = this.#vectors[position];
    return rest.map((component, at) => component - (vector?.[at] ?? 0));
  }

  #keyOf(position: number): number {
    return this.#vectors[position]?.[this.#key] ?? 0;
  }

  /** Binary search in the order by key: the index of the first vector whose key passes. All after it must pass too. */
  #firstWhere(passes: (key: number) => boolean): number {
    let low = 0;
    let high = this.#byKey.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (passes(this.#keyOf(this.#byKey[middle] ?? 0))) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #firstFrom(key: number): number {
    return this.#firstWhere((other) => other >= key);
  }

  #firstAfter(key: number): number {
    return this.#firstWhere((other) => other > key);
  }

  #chooseKey(): void {
    const different = Array.from({ length: this.#dimensionality }, (_, at) => {
      return new Set(this.#vectors.map((vector) => vector[at])).size;
    });
    this.#key = different.indexOf(different.reduce((most, each) => Math.max(most, each), 0));
    this.#byKey = [...this.#vectors.keys()].sort((a, b) => this.#keyOf(a) - this.#keyOf(b) || a - b);
  }
}
