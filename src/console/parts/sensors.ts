/** Symbols by the sensor that they are of. */

/** The sensor that a symbol is of: what stands before its last `=`; empty for a symbol without one. */
export function sensorOf(symbol: string): string {
  return symbol.slice(0, Math.max(0, symbol.lastIndexOf("=")));
}

/** Whether the value of a symbol is a word rather than a number. */
function isWord(symbol: string): boolean {
  return Number.isNaN(Number(symbol.slice(symbol.lastIndexOf("=") + 1)));
}

/** Symbols in the order in which people read them: words such as a state first, then numbers. */
export function wordsFirst(symbols: readonly string[]): readonly string[] {
  return [...symbols.filter(isWord), ...symbols.filter((symbol) => !isWord(symbol))];
}

/**
 * The sensors of events, each of which can have a column of its own; of symbols without one, such as a state, the first
 * column is.
 *
 * @param most maximum number of columns
 * @returns in the order of their names; `undefined` where an event has two symbols without a sensor, or there are one
 *   or too many
 */
export function sensorColumns(events: readonly (readonly string[])[], most: number): readonly string[] | undefined {
  const names = new Set(events.flat().map(sensorOf));
  const isAmbiguous = events.some((event) => event.filter((symbol) => sensorOf(symbol) === "").length > 1);
  return isAmbiguous || names.size < 2 || names.size > most ? undefined : [...names].sort();
}

/** What was expected of the sensor of a symbol; everything that was expected if nothing was expected of it. */
export function expectedOf<S extends { readonly symbol: string }>(
  symbol: string,
  expected: readonly S[],
): readonly S[] {
  const sensor = sensorOf(symbol);
  const same = expected.filter((one) => sensorOf(one.symbol) === sensor);
  return same.length > 0 ? same : expected;
}
