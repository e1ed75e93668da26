/** How much the history of a memory takes. */

import { EVENT_UNITS } from "../ports/incident";
import type { HistoryEvent } from "../ports/store";

/** What a number takes in addition to its name, and a symbol to its characters. */
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

/** Size of a history, in UTF-16 units. */
export function historyUnits(history: readonly HistoryEvent[]): number {
  return history.reduce((sum, event) => sum + historyEventUnits(event), 0);
}
