/** The size of a memory's history. */

import { EVENT_UNITS } from "../ports/incident";
import type { HistoryEvent } from "../ports/store";

/** UTF-16 units of a number besides its name, and of a symbol besides its characters. */
const NUMBER_UNITS = 24;
const SYMBOL_UNITS = 4;

/** The sizes of events: each is counted once. */
const sizes = new WeakMap<HistoryEvent, number>();

/** Size of an event, in UTF-16 units. */
export function historyEventUnits(event: HistoryEvent): number {
  const known = sizes.get(event);
  if (known !== undefined) return known;
  const symbols = event.symbols.reduce((sum, { length }) => sum + length + SYMBOL_UNITS, 0);
  const numbers = event.numbers.reduce((sum, { name }) => sum + name.length + NUMBER_UNITS, 0);
  const size = EVENT_UNITS + symbols + numbers;
  sizes.set(event, size);
  return size;
}

/** The sizes of histories, cached: adding an event then measures only that event. */
const histories = new WeakMap<readonly HistoryEvent[], number>();

/** Size of a history, in UTF-16 units. */
export function historyUnits(history: readonly HistoryEvent[]): number {
  const known = histories.get(history);
  if (known !== undefined) return known;
  const units = history.reduce((sum, event) => sum + historyEventUnits(event), 0);
  histories.set(history, units);
  return units;
}

/**
 * A history with one more event; the oldest events beyond the limits are dropped.
 *
 * @param limits maximum number of events, 1 or more, and maximum size in UTF-16 units
 */
export function historyWith(
  history: readonly HistoryEvent[],
  event: HistoryEvent,
  limits: { readonly events: number; readonly units: number },
): HistoryEvent[] {
  let units = historyUnits(history) + historyEventUnits(event);
  let from = 0;
  while (from < history.length && (history.length + 1 - from > limits.events || units > limits.units)) {
    units -= historyEventUnits(history[from++] as HistoryEvent);
  }
  const isTooLarge = units > limits.units;
  const kept = isTooLarge ? [] : [...history.slice(from), event];
  histories.set(kept, isTooLarge ? 0 : units);
  return kept;
}
