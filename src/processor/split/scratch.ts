/**
 * A small kernel in the head object, into which the neighbours of a forecast are loaded. The rules depend only on
 * these, on the frequencies of symbols and on totals, so they answer there as they would among all models.
 */

import type { ForecastRules } from "../ports/forecaster";
import { type Matcher, type ModelBatch, UNKNOWN_SYMBOL_BASE } from "../ports/matcher";
import type { ModelBody } from "../ports/parts";

/** A kernel with room for models. */
export interface ScratchKernel extends Pick<Matcher, "addBatch" | "clear" | "setSymbolFrequency"> {
  readonly forecastRules: ForecastRules;
}

/** Dense numbers for symbols, so that the kernel needs no room for more symbols than it holds. */
export class ScratchSymbols {
  readonly #numbers = new Map<number, number>();
  readonly #symbols: number[] = [];

  /** The number of a symbol; unknown symbols keep theirs. */
  numberOf(symbol: number): number {
    if (symbol >= UNKNOWN_SYMBOL_BASE) return symbol;
    const known = this.#numbers.get(symbol);
    if (known !== undefined) return known;
    const number = this.#symbols.push(symbol) - 1;
    this.#numbers.set(symbol, number);
    return number;
  }

  /** The numbers of some symbols. */
  numbersOf(symbols: ArrayLike<number>): Uint32Array {
    return Uint32Array.from(symbols, (symbol) => this.numberOf(symbol));
  }

  /** The symbol of a number. */
  symbolOf(number: number): number {
    return this.#symbols[number] ?? number;
  }

  /** All symbols, by number. */
  get all(): readonly number[] {
    return this.#symbols;
  }
}

/**
 * The neighbours as a batch.
 *
 * @param ids ascending
 * @param frequencies in their order, how often each counts
 * @param bodies in their order, their events
 */
export function batchOf(
  ids: Float64Array,
  frequencies: Float64Array,
  bodies: readonly ModelBody[],
  symbols: ScratchSymbols,
): ModelBatch {
  const sizeOf = (list: keyof ModelBody) => bodies.reduce((sum, body) => sum + body[list].length, 0);
  const batch = {
    ids,
    frequencies,
    eventCounts: Uint32Array.from(bodies, ({ lengths }) => lengths.length),
    lengths: new Uint32Array(sizeOf("lengths")),
    symbols: new Uint32Array(sizeOf("symbols")),
  };
  let event = 0;
  let symbol = 0;
  for (const body of bodies) {
    batch.lengths.set(body.lengths, event);
    event += body.lengths.length;
    for (const one of body.symbols) batch.symbols[symbol++] = symbols.numberOf(one);
  }
  return batch;
}
