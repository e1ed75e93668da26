/** Finds the surprise of the events in working memory, which holds symbols only. Asks nothing; knows no view. */

import type { Schemas } from "../../client";
import type { HeldEvent } from "./held-events";

/** Number of newest events by which memory and history may differ: one of the two is read later. */
const MAX_LAG_EVENTS = 20;

/**
 * The bits of each event in memory; `undefined` where they are unknown.
 *
 * @param held the events in memory, oldest first
 * @param kept the memory's history, newest first
 * @param heard the bits that the stream has reported, by the memory's time after the event
 */
export function bitsInMemory(
  held: readonly HeldEvent[],
  kept: readonly Schemas.HistoryEvent[],
  heard: ReadonlyMap<number, number>,
): readonly (number | undefined)[] {
  const bits = held.map(({ time }) => heard.get(time));
  const [last, first] = joined(held, kept);
  for (let at = last; at >= 0; at--) {
    const event = kept[first + last - at];
    if (event === undefined || textOf(event.symbols) !== textOf(held[at]?.symbols ?? [])) break;
    bits[at] ??= event.bits ?? undefined;
  }
  return bits;
}

/** The newest event in memory that is in the history, too: its places in both. @returns -1 and 0 if there is none */
function joined(held: readonly HeldEvent[], kept: readonly Schemas.HistoryEvent[]): readonly [number, number] {
  for (let back = 0; back < Math.min(MAX_LAG_EVENTS, held.length); back++) {
    const at = held.length - 1 - back;
    const { time = 0 } = held[at] ?? {};
    // The time of events that were there before the stream is unknown: they are compared by their symbols.
    const found =
      time > 0
        ? kept.findIndex(({ interval }) => interval === time)
        : kept.slice(0, MAX_LAG_EVENTS).findIndex((_, place) => isRun(held, at, kept, place));
    if (found >= 0) return [at, found];
  }
  return [-1, 0];
}

/** Number of equal events that tell a place in a history from another one. */
const DISTINCTIVE_RUN = 4;

function isRun(held: readonly HeldEvent[], at: number, kept: readonly Schemas.HistoryEvent[], place: number): boolean {
  const length = Math.min(DISTINCTIVE_RUN, at + 1, kept.length - place);
  for (let back = 0; back < length; back++) {
    if (textOf(held[at - back]?.symbols ?? []) !== textOf(kept[place + back]?.symbols ?? [])) return false;
  }
  return true;
}

const TEXTS = new WeakMap<readonly string[], string>();

/** The symbols in one text: an order among them means nothing. */
function textOf(symbols: readonly string[]): string {
  const known = TEXTS.get(symbols) ?? JSON.stringify([...symbols].sort());
  TEXTS.set(symbols, known);
  return known;
}
