/** The newest events of a memory, kept for display as the gene `history` says. They have no row of their own. */

import type { Gdf, SeenEvent } from "../../../gen/plain";
import { historyWith } from "../../memory/history-size";
import type { Mind } from "../../mind";

/** Maximum size of a memory's history, in UTF-16 units as history-size.ts counts it. */
export const MAX_HISTORY_UNITS = 262_144;

/**
 * Keeps an observed event, and drops the oldest ones beyond the limits. A record with neither symbols nor numbers is no
 * event.
 */
export function noteHistory(
  mind: Mind,
  event: SeenEvent & { interval: number; time: number },
  { numbers }: Pick<Gdf, "numbers">,
): void {
  const { history } = mind.state;
  const { history: most } = mind.genes;
  const isEvent = event.symbols.length > 0 || numbers.length > 0;
  if (most === 0 || !isEvent) {
    if (history.length > most) mind.update({ history: most === 0 ? [] : history.slice(-most) });
    return;
  }
  const limits = { events: most, units: MAX_HISTORY_UNITS };
  mind.update({ history: historyWith(history, { ...event, numbers }, limits) });
}
