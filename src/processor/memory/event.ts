/** Events as they travel, and the way from numbers to symbols, which every prediction goes many times: plain loops. */

import type { Sequence } from "../ports/matcher";

/** Symbols observed at one moment. */
export interface Event {
  symbols: string[];
}

/**
 * The symbols behind the numbers from index `from` to `to`.
 * @param nameOf the symbol behind a number
 */
export function symbolsBehind(
  ids: Uint32Array,
  nameOf: (id: number) => string,
  from = 0,
  to: number = ids.length,
): string[] {
  const symbols: string[] = [];
  for (let at = from; at < to; at++) symbols.push(nameOf(ids[at] ?? 0));
  return symbols;
}

/** The events of a sequence. @param nameOf the symbol behind a number */
export function eventsBehind({ symbols, lengths }: Sequence, nameOf: (id: number) => string): Event[] {
  const events: Event[] = [];
  let from = 0;
  for (const length of lengths) {
    events.push({ symbols: symbolsBehind(symbols, nameOf, from, from + length) });
    from += length;
  }
  return events;
}
