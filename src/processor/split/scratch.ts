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
  /** As {@link Matcher.setSymbolFrequency}, of the symbols from 0 on. */
  setFirstFrequencies(frequencies: Float64Array): void;
}

/** How many places a table of symbols begins with: a power of 2. */
const FIRST_PLACES = 4_096;

/** 2^32 divided by the golden ratio: its multiples are spread evenly. */
const GOLDEN = 0x9e3779b1;

/** Dense numbers for symbols, so that the kernel needs no room for more symbols than it holds. */
export class ScratchSymbols {
  /** By place: the number of a symbol, plus 1; 0 where there is none. Half of the places or more are free. */
  #places = new Uint32Array(FIRST_PLACES);
  #symbols = new Uint32Array(FIRST_PLACES / 2);
  #count = 0;

  /** The number of a symbol; unknown symbols keep theirs. */
  numberOf(symbol: number): number {
    if (symbol >= UNKNOWN_SYMBOL_BASE) return symbol;
    const place = this.#placeOf(symbol);
    const known = this.#places[place] ?? 0;
    if (known > 0) return known - 1;
    const number = this.#count++;
    this.#symbols[number] = symbol;
    this.#places[place] = this.#count;
    if (this.#count === this.#symbols.length) this.#grow();
    return number;
  }

  /** Where a symbol is, or may be put. */
  #placeOf(symbol: number): number {
    const mask = this.#places.length - 1;
    let place = (Math.imul(symbol, GOLDEN) >>> 8) & mask;
    for (;;) {
      const held = this.#places[place] ?? 0;
      if (held === 0 || this.#symbols[held - 1] === symbol) return place;
      place = (place + 1) & mask;
    }
  }

  #grow(): void {
    const symbols = this.#symbols;
    this.#places = new Uint32Array(2 * this.#places.length);
    this.#symbols = new Uint32Array(2 * symbols.length);
    this.#symbols.set(symbols);
    for (const [number, symbol] of symbols.entries()) this.#places[this.#placeOf(symbol)] = number + 1;
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
    for (const length of lengths) batch.lengths[event++] = length;
    for (const symbol of held) batch.symbols[place++] = symbols.numberOf(symbol);
  }
  return batch;
}

const NONE = new Uint32Array();
