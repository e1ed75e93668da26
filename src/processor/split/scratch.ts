/**
 * A small kernel in the head object, into which the neighbours of a forecast are loaded. The rules depend only on
 * these, on the frequencies of symbols and on totals, so they answer there as they would among all models.
 */

import type { ForecastRules } from "../ports/forecaster";
import { type Matcher, type ModelBatch, UNKNOWN_SYMBOL_BASE, type Unsigned } from "../ports/matcher";
import type { PartAnswers } from "../ports/parts";

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

/** One model: its events. */
interface Body {
  id: number;
  symbols: Unsigned;
  lengths: Unsigned;
}

/** The models of a part. */
function* bodiesOf({ ids, eventCounts, lengths, symbols }: PartAnswers["bodies"]["bodies"]): Generator<Body> {
  let event = 0;
  let symbol = 0;
  for (const [at, id] of ids.entries()) {
    const own = lengths.subarray(event, event + (eventCounts[at] ?? 0));
    let count = 0;
    for (const length of own) count += length;
    yield { id, symbols: symbols.subarray(symbol, symbol + count), lengths: own };
    event += own.length;
    symbol += count;
  }
}

/**
 * The neighbours as a batch.
 *
 * @param frequencies by id, how often each neighbour counts
 * @throws Error when a neighbour is missing
 */
export function batchOf(
  bodies: readonly PartAnswers["bodies"]["bodies"][],
  frequencies: ReadonlyMap<number, number>,
  symbols: ScratchSymbols,
): ModelBatch {
  const all = bodies.flatMap((part) => [...bodiesOf(part)]).sort((one, other) => one.id - other.id);
  if (all.length !== frequencies.size) {
    throw new Error(`the parts have ${all.length} of the ${frequencies.size} models that they named before`);
  }
  const sizeOf = (list: "lengths" | "symbols") => all.reduce((sum, body) => sum + body[list].length, 0);
  const batch = {
    ids: Float64Array.from(all, ({ id }) => id),
    frequencies: Float64Array.from(all, ({ id }) => frequencies.get(id) ?? 0),
    eventCounts: Uint32Array.from(all, ({ lengths }) => lengths.length),
    lengths: new Uint32Array(sizeOf("lengths")),
    symbols: new Uint32Array(sizeOf("symbols")),
  };
  let event = 0;
  let symbol = 0;
  for (const body of all) {
    batch.lengths.set(body.lengths, event);
    event += body.lengths.length;
    for (const one of body.symbols) batch.symbols[symbol++] = symbols.numberOf(one);
  }
  return batch;
}
