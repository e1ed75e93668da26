/**
 * A small kernel in the head object, into which the neighbours of a forecast are loaded. The rules depend only on
 * these, on the frequencies of symbols and on totals, so they answer there as they would among all models.
 */

import type { ForecastRules } from "../ports/forecaster";
import { type Matcher, type ModelBatch, UNKNOWN_SYMBOL_BASE } from "../ports/matcher";
import type { ModelBody } from "../ports/parts";

/** A kernel with room for models. */
export interface ScratchKernel extends Pick<Matcher, "addBatch" | "clear"> {
  readonly forecastRules: ForecastRules;
  /** As {@link Matcher.setSymbolFrequency}, for the symbols from 0 on. */
  setFirstFrequencies(frequencies: Float64Array): void;
}

/** Initial capacity of the tables, in symbols: a power of 2. */
const FIRST_SYMBOLS = 4_096;

/**
 * Dense numbers for symbols, so that the kernel needs no room for more symbols than it holds. Takes 4 to 8 bytes for
 * each symbol of the knowledge, far less than the head's table of symbols.
 */
export class ScratchSymbols {
  /** By symbol: its number, plus 1; 0 for none. */
  #numbers = new Uint32Array(FIRST_SYMBOLS);
  /** By number. */
  #symbols = new Uint32Array(FIRST_SYMBOLS);
  #count = 0;

  /** Bytes of the tables. */
  get bytes(): number {
    return this.#numbers.byteLength + this.#symbols.byteLength;
  }

  /** Forgets all numbers. */
  clear(): void {
    for (let number = 0; number < this.#count; number++) this.#numbers[this.#symbols[number] ?? 0] = 0;
    this.#count = 0;
  }

  /** The number of a symbol; unknown symbols keep theirs. */
  numberOf(symbol: number): number {
    if (symbol >= UNKNOWN_SYMBOL_BASE) return symbol;
    const known = this.#numbers[symbol] ?? 0;
    if (known > 0) return known - 1;
    if (symbol >= this.#numbers.length) this.#numbers = grown(this.#numbers, symbol + 1);
    if (this.#count === this.#symbols.length) this.#symbols = grown(this.#symbols, this.#count + 1);
    const number = this.#count++;
    this.#symbols[number] = symbol;
    this.#numbers[symbol] = this.#count;
    return number;
  }

  /** The numbers of some symbols. */
  numbersOf(symbols: ArrayLike<number>): Uint32Array {
    return Uint32Array.from(symbols, (symbol) => this.numberOf(symbol));
  }

  /** The symbols of some numbers. */
  symbolsOf(numbers: Uint32Array): Uint32Array {
    const symbols = new Uint32Array(numbers.length);
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] ?? 0;
      symbols[at] = number < this.#count ? (this.#symbols[number] ?? 0) : number;
    }
    return symbols;
  }

  /** All symbols, by number. */
  get all(): Uint32Array {
    return this.#symbols.subarray(0, this.#count);
  }
}

/** A copy with room for at least this many numbers. */
function grown(numbers: Uint32Array, count: number): Uint32Array<ArrayBuffer> {
  let { length } = numbers;
  while (length < count) length *= 2;
  const copy = new Uint32Array(length);
  copy.set(numbers);
  return copy;
}

/**
 * The neighbours as a batch.
 *
 * @param ids ascending
 * @param frequencies the frequency of each, in the same order
 * @param bodies the events of each, in the same order
 */
export function batchOf(
  ids: Float64Array,
  frequencies: Float64Array,
  bodies: readonly ModelBody[],
  symbols: ScratchSymbols,
): ModelBatch {
  let events = 0;
  let all = 0;
  for (const body of bodies) {
    events += body.lengths.length;
    all += body.symbols.length;
  }
  const batch = {
    ids,
    frequencies,
    eventCounts: new Uint32Array(bodies.length),
    lengths: new Uint32Array(events),
    symbols: new Uint32Array(all),
  };
  let event = 0;
  let place = 0;
  for (let at = 0; at < bodies.length; at++) {
    const { lengths = NONE, symbols: held = NONE } = bodies[at] ?? {};
    batch.eventCounts[at] = lengths.length;
    batch.lengths.set(lengths, event);
    event += lengths.length;
    for (const symbol of held) batch.symbols[place++] = symbols.numberOf(symbol);
  }
  return batch;
}

const NONE = new Uint32Array();
