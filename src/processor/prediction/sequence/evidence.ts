/** What sequences like one hold and it does not, and what it holds more often: by all models, each weighed by what it makes of the other symbols. */

import { compareCodePoints } from "../../../text/code-points";
import type { SymbolTable } from "../../knowledge/symbol-table";
import { LEAST_EXCESS, LEAST_MISSING, MOST_LISTED, UNITS } from "./constants";
import type { CountedModels } from "./counted-models";
import type { ReadModel } from "./learned-models";
import type { NumberedSequence } from "./numbered-sequence";

/** A symbol that should be there. */
export interface MissingSymbol {
  symbol: string;
  /** That a sequence with the same other symbols holds it. */
  probability: number;
}

/** A symbol that comes too often. */
export interface ExcessSymbol {
  symbol: string;
  /** How often it comes. */
  count: number;
  /** How often it comes in sequences with the same other symbols, on average. */
  expected: number;
}

/** Weights are whole numbers of at most so many bits together: their sums are exact. */
const WEIGHT_BITS = 52;
/** A weight of the best model that was learned once has at most so many. */
const MOST_BITS = 30;

/** Weighs all models. Call {@link add} for each. */
export class Evidence {
  readonly #counted: CountedModels;
  readonly #sequence: NumberedSequence;
  readonly #bits: number;
  #all = 0;
  /** By number: the weights of the models that have the count, and weights times counts of those that do and do not. */
  readonly #having: Float64Array;
  readonly #havingTimes: Float64Array;
  readonly #otherTimes: Float64Array;
  /** By the table's number: the weights of the models that hold a symbol that the sequence does not have. */
  readonly #holding = new Map<number, number>();

  /** @param frequencies of all models together */
  constructor(counted: CountedModels, sequence: NumberedSequence, frequencies: number) {
    const { length } = sequence.names;
    this.#counted = counted;
    this.#sequence = sequence;
    this.#bits = Math.max(0, Math.min(MOST_BITS, WEIGHT_BITS - Math.ceil(Math.log2(frequencies + 1))));
    this.#having = new Float64Array(length);
    this.#havingTimes = new Float64Array(length);
    this.#otherTimes = new Float64Array(length);
  }

  /** Adds a model. */
  add(model: ReadModel): void {
    const less = (this.#counted.unitsOf(model) - this.#counted.greatest) / UNITS;
    const weight = Math.floor(2 ** (less + this.#bits)) * model.frequency;
    if (weight === 0) return;
    this.#all += weight;
    for (const id of model.others) this.#holding.set(id, (this.#holding.get(id) ?? 0) + weight);
    for (const number of model.shared) {
      const count = model.counts[number] ?? 0;
      if (this.#counted.has(number, model.counts)) {
        this.#having[number] = (this.#having[number] ?? 0) + weight;
        this.#havingTimes[number] = (this.#havingTimes[number] ?? 0) + weight * count;
      } else this.#otherTimes[number] = (this.#otherTimes[number] ?? 0) + weight * count;
    }
  }

  /** What is missing, most probable first. */
  missing(symbols: SymbolTable): MissingSymbol[] {
    const missing: MissingSymbol[] = [];
    for (const [id, holding] of this.#holding) {
      const { equal, other } = this.#counted.absentTerms(symbols.memberFrequencyOf(id));
      // Without what the symbol's own absence says of each model.
      const held = holding * 2 ** (equal - other);
      const probability = held / (held + this.#all - holding);
      if (probability >= LEAST_MISSING) missing.push({ symbol: symbols.nameOf(id), probability });
    }
    missing.sort((one, other) => other.probability - one.probability || compareCodePoints(one.symbol, other.symbol));
    return missing.slice(0, MOST_LISTED);
  }

  /** What comes too often, by how much. */
  excess(): ExcessSymbol[] {
    const { counts, ids, names } = this.#sequence;
    const excess: ExcessSymbol[] = [];
    for (const [number, symbol] of names.entries()) {
      const count = counts[number] ?? 0;
      const expected = (ids[number] ?? -1) < 0 ? 0 : this.#expected(number);
      if (count - expected >= LEAST_EXCESS) excess.push({ symbol, count, expected });
    }
    const by = ({ count, expected }: ExcessSymbol) => count - expected;
    excess.sort((one, other) => by(other) - by(one) || compareCodePoints(one.symbol, other.symbol));
    return excess.slice(0, MOST_LISTED);
  }

  /** How often a symbol of the sequence comes in models, weighed without what they make of its own count. */
  #expected(number: number): number {
    const { equal, other } = this.#counted.termsOf(number);
    const ratio = 2 ** (equal - other);
    const having = this.#having[number] ?? 0;
    const others = ratio * (this.#all - having);
    const times = (this.#havingTimes[number] ?? 0) + ratio * (this.#otherTimes[number] ?? 0);
    return times / (having + others);
  }
}
