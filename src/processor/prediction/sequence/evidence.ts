/**
 * What a sequence lacks compared with similar sequences, and what it holds too often: by all models, each weighted by
 * how well it fits the other symbols.
 */

import type { ExcessSymbol } from "../../../gen/plain";
import { compareCodePoints } from "../../../text/code-points";
import type { SymbolTable } from "../../knowledge/symbol-table";
import type { Comparison, Gathered } from "../../ports/comparison";
import { MAX_LISTED, MIN_EXCESS, MIN_MISSING, UNITS_PER_BIT } from "./constants";
import type { CountedModels } from "./counted-models";
import type { NumberedSequence } from "./numbered-sequence";

/** A symbol that should be there. */
export interface MissingSymbol {
  symbol: string;
  /** Probability that a sequence with the same other symbols holds it. */
  probability: number;
}

/** The weights sum to a whole number of at most 52 bits, so their sums are exact. */
const WEIGHT_BITS = 52;
/** The weight of the best model, learned once, has at most 30 bits. */
const MAX_BITS = 30;

/** Weighted sums over what all models hold. */
export class Evidence {
  readonly #counted: CountedModels;
  readonly #sequence: NumberedSequence;
  readonly #gathered: Gathered;
  readonly #all: number;

  /** @param frequencies of all models together */
  constructor(counted: CountedModels, sequence: NumberedSequence, frequencies: number, comparison: Comparison) {
    this.#counted = counted;
    this.#sequence = sequence;
    const bits = Math.max(0, Math.min(MAX_BITS, WEIGHT_BITS - Math.ceil(Math.log2(frequencies + 1))));
    const { greatest } = counted;
    this.#gathered = comparison.gather(greatest - bits * UNITS_PER_BIT, (units) =>
      Math.floor(2 ** ((units - greatest) / UNITS_PER_BIT + bits)),
    );
    this.#all = this.#gathered.all;
  }

  /** The missing symbols, most probable first. */
  missing(symbols: SymbolTable): MissingSymbol[] {
    const missing: MissingSymbol[] = [];
    for (const [id, holding] of this.#gathered.holding.entries()) {
      if (holding === 0) continue;
      const { equal, other } = this.#counted.absentTerms(symbols.memberFrequencyOf(id));
      // Remove the effect of the symbol's own absence on each model's weight.
      const held = holding * 2 ** (equal - other);
      const probability = held / (held + this.#all - holding);
      if (probability >= MIN_MISSING) missing.push({ symbol: symbols.nameOf(id), probability });
    }
    missing.sort((one, other) => other.probability - one.probability || compareCodePoints(one.symbol, other.symbol));
    return missing.slice(0, MAX_LISTED);
  }

  /** The symbols that occur too often, with their excess. */
  excess(): ExcessSymbol[] {
    const { counts, ids, names } = this.#sequence;
    const excess: ExcessSymbol[] = [];
    for (const [number, symbol] of names.entries()) {
      const count = counts[number] ?? 0;
      const expected = (ids[number] ?? -1) < 0 ? 0 : this.#expected(number);
      if (count - expected >= MIN_EXCESS) excess.push({ symbol, count, expected });
    }
    const excessOf = ({ count, expected }: ExcessSymbol) => count - expected;
    excess.sort((one, other) => excessOf(other) - excessOf(one) || compareCodePoints(one.symbol, other.symbol));
    return excess.slice(0, MAX_LISTED);
  }

  /** The mean count of a sequence symbol in models, weighted without its own count. */
  #expected(number: number): number {
    const { equal, other } = this.#counted.termsOf(number);
    const ratio = 2 ** (equal - other);
    const { having: havings, havingTimes, otherTimes } = this.#gathered;
    const having = havings[number] ?? 0;
    const others = ratio * (this.#all - having);
    const times = (havingTimes[number] ?? 0) + ratio * (otherTimes[number] ?? 0);
    return times / (having + others);
  }
}
