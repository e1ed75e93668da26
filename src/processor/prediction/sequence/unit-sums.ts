/**
 * Sums of frequencies by units of logarithm, of the models that are not too far below the best: a map where there are
 * few models, and a place for each unit where there are many.
 */

/** Up to this number of models, a map takes less time than examining each place. */
const FEW_MODELS = 2_048;

/** What has been summed up. */
export interface UnitSums {
  /** The greatest units; −∞ before there are any. */
  readonly greatest: number;
  /** Adds frequencies. @param weighed pairs of units, a whole number, and a frequency */
  add(weighed: Float64Array): void;
  /** Visits the sums, the greatest units first. */
  visit(work: (units: number, sum: number) => void): void;
}

/**
 * No sums yet.
 *
 * @param deepest models that are below the best by more units are left out; 0 or more
 * @param models their approximate number
 */
export function unitSums(deepest: number, models: number): UnitSums {
  return models > FEW_MODELS ? new DenseSums(deepest) : new SparseSums(deepest);
}

class SparseSums implements UnitSums {
  readonly #deepest: number;
  readonly #sums = new Map<number, number>();
  #greatest = Number.NEGATIVE_INFINITY;

  constructor(deepest: number) {
    this.#deepest = deepest;
  }

  get greatest(): number {
    return this.#greatest;
  }

  add(weighed: Float64Array): void {
    for (let at = 0; at < weighed.length; at += 2) {
      const units = weighed[at] ?? 0;
      if (units < this.#greatest - this.#deepest) continue;
      if (units > this.#greatest) this.#greatest = units;
      this.#sums.set(units, (this.#sums.get(units) ?? 0) + (weighed[at + 1] ?? 0));
    }
  }

  visit(work: (units: number, sum: number) => void): void {
    for (const units of [...this.#sums.keys()].sort((one, other) => other - one)) {
      if (units < this.#greatest - this.#deepest) return;
      work(units, this.#sums.get(units) ?? 0);
    }
  }
}

/**
 * Units that are far apart share a place: sums that are too far below the best are dropped when their place is needed.
 */
class DenseSums implements UnitSums {
  readonly #deepest: number;
  readonly #mask: number;
  readonly #sums: Float64Array;
  #greatest = Number.NEGATIVE_INFINITY;

  constructor(deepest: number) {
    this.#deepest = deepest;
    this.#sums = new Float64Array(2 ** Math.ceil(Math.log2(deepest + 1)));
    this.#mask = this.#sums.length - 1;
  }

  get greatest(): number {
    return this.#greatest;
  }

  add(weighed: Float64Array): void {
    const sums = this.#sums;
    const mask = this.#mask;
    let least = this.#greatest - this.#deepest;
    for (let at = 0; at < weighed.length; at += 2) {
      const units = weighed[at] ?? 0;
      if (units > this.#greatest) {
        this.#rise(units);
        least = units - this.#deepest;
      }
      if (units < least) continue;
      const place = units & mask;
      sums[place] = (sums[place] ?? 0) + (weighed[at + 1] ?? 0);
    }
  }

  visit(work: (units: number, sum: number) => void): void {
    for (let less = 0; less <= this.#deepest; less++) {
      const units = this.#greatest - less;
      const sum = this.#sums[units & this.#mask] ?? 0;
      if (sum > 0) work(units, sum);
    }
  }

  /** Makes room for greater units; before any were added, there is room. */
  #rise(units: number): void {
    const before = this.#greatest;
    this.#greatest = units;
    if (units - before >= this.#sums.length) {
      if (before > Number.NEGATIVE_INFINITY) this.#sums.fill(0);
      return;
    }
    for (let unit = before + 1; unit <= units; unit++) this.#sums[unit & this.#mask] = 0;
  }
}
