/**
 * The discrete view of vectors: a vector as a sum of learned ones. An iterative deepening search, one member more at a time, over
 * members in the order of learning, so that the first sum found is a smallest one and, among those, the one of the oldest members.
 */

import { sixDecimals } from "../text/decimal";

/** Two numbers with the same six decimals differ by less than this; wider, to be safe from rounding. */
const TOLERANCE = 1.5e-6;
/** Steps, of a component or a member each, that a search may take; some tens of milliseconds. */
const WORK = 2_000_000;
/** A member costs more than a component, which keeps the recursion shallow. */
const MEMBER_WORK = 8;

/** Learned vectors of one dimensionality, at least one, made ready for searches. */
export class CompositionSearch {
  readonly #vectors: Float64Array[] = [];
  readonly #dimensionality: number;
  /** The least and the greatest that each component is in any vector. */
  readonly #least: Float64Array;
  readonly #greatest: Float64Array;
  /** The component with the most different values when it was last chosen, and the positions of the vectors in its order. */
  #key = 0;
  #byKey: number[] = [];
  #work = 0;

  constructor(dimensionality: number) {
    this.#dimensionality = dimensionality;
    this.#least = new Float64Array(dimensionality).fill(Number.POSITIVE_INFINITY);
    this.#greatest = new Float64Array(dimensionality).fill(Number.NEGATIVE_INFINITY);
  }

  /** Adds a vector, newer than all before. */
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
   * The positions of the members of a smallest sum that equals `target` to six decimals, oldest first.
   * @param most how many members it may have
   * @returns `undefined` when there is none, or it was not found within the bound on work
   */
  find(target: Float64Array, most: number): number[] | undefined {
    this.#work = WORK;
    for (let count = 1; count <= most && this.#work > 0; count++) {
      const found = this.#search(target, target, count, []);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Searches `count` more members whose sum is `rest`, none older than the last taken. */
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

  /** The oldest vector, not older than the last taken, that completes the sum. */
  #last(target: Float64Array, rest: Float64Array, taken: readonly number[]): number[] | undefined {
    const oldest = taken.at(-1) ?? 0;
    const wished = rest[this.#key] ?? 0;
    const slack = TOLERANCE + 1e-12 * Math.abs(wished);
    let best: number | undefined;
    for (let at = this.#firstFrom(wished - slack); at < this.#byKey.length; at++) {
      const position = this.#byKey[at] ?? 0;
      if (this.#keyOf(position) > wished + slack || this.#work <= 0) break;
      const worthwhile = position >= oldest && (best === undefined || position < best);
      if (worthwhile && this.#completes(target, [...taken, position])) best = position;
    }
    return best === undefined || this.#work <= 0 ? undefined : [...taken, best];
  }

  /** Whether the members add up to the target to six decimals. */
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

  /** Index in the order by key of the first vector whose key passes a test that all after it pass too. */
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
