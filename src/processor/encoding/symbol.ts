/** The symbols that encoders make. */

import { compareCodePoints } from "../../text/code-points";

/**
 * The symbol of the bin that begins at an edge: the edge as its shortest decimal.
 *
 * @param name the encoder's
 * @param from finite, or -Infinity below all edges
 */
export function symbolOf(name: string, from: number): string {
  return `${name}=${Number.isFinite(from) ? String(from) : "-inf"}`;
}

/** The name of the encoder that made a symbol: edges hold no equals sign. */
function nameIn(symbol: string): string {
  return symbol.slice(0, symbol.lastIndexOf("="));
}

/** Symbols of encoders in the order of the encoders' names. */
export function byEncoder(symbols: readonly string[]): string[] {
  return [...symbols].sort((a, b) => compareCodePoints(nameIn(a), nameIn(b)));
}
