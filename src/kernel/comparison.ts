/** Compares a sequence with the models of one tenant in the kernel. */

import type { ComparedSequence, Comparison, Gathered, ModelTerms } from "../processor/ports/comparison";
import type { PartAnswers, PartQuestionOf } from "../processor/ports/parts";
import type { TenantMemory } from "./tenant-memory";

/** The kernel's number for a symbol that no model holds. */
const UNKNOWN = 2 ** 32 - 1;

/** A comparison that the kernel has begun. */
class KernelComparison implements Comparison {
  readonly having: Float64Array;
  readonly followers: Float64Array;
  readonly beginnings: Float64Array;
  readonly #memory: TenantMemory;
  readonly #numbers: number;
  /** How many parts were weighed. */
  #parts = 0;

  constructor(memory: TenantMemory, { begins, ids }: ComparedSequence) {
    const { exports, shared } = memory;
    this.#memory = memory;
    this.#numbers = ids.length;
    this.having = this.#column(exports.HELD_HAVING.value);
    const followers = exports.followersFound();
    this.followers = shared.readDoubles(followers, exports.followersCount() >>> 0);
    this.beginnings = shared.readDoubles(exports.beginningsStart(), begins ? exports.symbolsCompared() >>> 0 : 0);
  }

  weigh({ base, having, holding }: ModelTerms, visit: (weighed: Float64Array) => void): void {
    const { exports, shared } = this.#memory;
    const symbols = new Float64Array(holding.length === 0 ? 0 : exports.symbolsCompared() >>> 0);
    symbols.set(holding.subarray(0, symbols.length));
    shared.writeDoubles(having, symbols);
    exports.takeTerms(base);
    this.#parts = exports.segmentCount() >>> 0;
    for (let part = 0; part < this.#parts; part++) {
      const models = exports.weighPart(part) >>> 0;
      visit(this.#view(exports.weighedStart(), 2 * models));
    }
  }

  gather(least: number, weightOf: (units: number) => number): Gathered {
    const { exports, shared } = this.#memory;
    const width = exports.CHOSEN_WIDTH.value;
    let all = 0;
    for (let part = 0; part < this.#parts; part++) {
      const count = exports.choosePart(part, least) >>> 0;
      const chosen = this.#view(exports.chosenStart(), width * count);
      for (let at = 0; at < chosen.length; at += width) {
        const weight = weightOf(chosen[at] ?? 0) * (chosen[at + 1] ?? 0);
        chosen[at] = weight;
        all += weight;
      }
      if (count > 0) exports.gatherChosen(part);
    }
    return {
      having: this.#column(exports.HELD_HAVING.value),
      havingTimes: this.#column(exports.HELD_HAVING_TIMES.value),
      otherTimes: this.#column(exports.HELD_OTHER_TIMES.value),
      holding: shared.readDoubles(exports.holdingStart(), exports.symbolsCompared() >>> 0),
      all,
    };
  }

  /** Doubles of the kernel's memory, which does not grow while the view is used. */
  #view(start: number, length: number): Float64Array {
    return new Float64Array(this.#memory.exports.memory.buffer, start >>> 0, length);
  }

  /** One member of the sums for each number. @param offset of the member */
  #column(offset: number): Float64Array {
    const { exports } = this.#memory;
    const width = exports.HELD_BYTES.value / 8;
    const all = new Float64Array(exports.memory.buffer, exports.heldStart() >>> 0, width * this.#numbers);
    return Float64Array.from({ length: this.#numbers }, (_, number) => all[number * width + offset / 8] ?? 0);
  }
}

/**
 * Runs work while the kernel compares a sequence with its models.
 *
 * @param work called once the input is written
 */
function withSequence<Answer>(memory: TenantMemory, sequence: ComparedSequence, work: () => Answer): Answer {
  const { begins, complete, counts, ids, kindNumbers, kinds } = sequence;
  const symbols = Array.from(ids, (id) => (id < 0 ? UNKNOWN : id));
  const lengths = kindNumbers.map(({ length }) => length);
  const words = [...symbols, ...counts, ...kinds, ...lengths, ...kindNumbers.flat()];
  memory.shared.writeWords(words);
  const { exports } = memory;
  try {
    exports.beginComparison(ids.length, kinds.length, kindNumbers.length, words.length, complete, begins);
    return work();
  } finally {
    exports.endComparison();
  }
}

/** @param work queries the comparison */
export function compareWith<Answer>(
  memory: TenantMemory,
  sequence: ComparedSequence,
  work: (comparison: Comparison) => Answer,
): Answer {
  return withSequence(memory, sequence, () => {
    memory.exports.countCompared();
    return work(new KernelComparison(memory, sequence));
  });
}

/** Which symbols of a sequence the models of a part hold, how often and in which order. */
export function comparePart(memory: TenantMemory, sequence: ComparedSequence): PartAnswers["compare"] {
  return compareWith(memory, sequence, ({ having, followers, beginnings }) => ({
    having,
    followers,
    beginnings,
    steps: 0,
  }));
}

/** The logarithms of the models of a part. */
export function weighPart(memory: TenantMemory, { sequence, terms }: PartQuestionOf<"weigh">): PartAnswers["weigh"] {
  const sums = new Map<number, number>();
  let greatest = Number.NEGATIVE_INFINITY;
  withSequence(memory, sequence, () =>
    new KernelComparison(memory, sequence).weigh(terms, (weighed) => {
      for (let at = 0; at < weighed.length; at += 2) {
        const units = weighed[at] ?? 0;
        if (units > greatest) greatest = units;
        if (units >= greatest - terms.deepest) sums.set(units, (sums.get(units) ?? 0) + (weighed[at + 1] ?? 0));
      }
    }),
  );
  const units = Float64Array.from(sums.keys()).filter((one) => one >= greatest - terms.deepest);
  units.sort();
  return { units, frequencies: units.map((one) => sums.get(one) ?? 0), steps: 0 };
}

/** Weighted sums over what the models of a part hold. */
export function gatherPart(
  memory: TenantMemory,
  { sequence, terms, units, weights }: PartQuestionOf<"gather">,
): PartAnswers["gather"] {
  const weightOf = new Map(Array.from(units, (one, at) => [one, weights[at] ?? 0]));
  return withSequence(memory, sequence, () => {
    const comparison = new KernelComparison(memory, sequence);
    comparison.weigh(terms, () => {});
    const { all: _, ...gathered } = comparison.gather(
      units[0] ?? Number.POSITIVE_INFINITY,
      (one) => weightOf.get(one) ?? 0,
    );
    return { ...gathered, steps: 0 };
  });
}
