/**
 * The evidence of an incident, within bounds: the first events that passed with the events between them, and the worst.
 */

import type { Cause, ExpectedSymbol, SeenEvent, SurpriseFactor } from "../../gen/plain";
import { compareCodePoints } from "../../text/code-points";
import {
  EVENT_UNITS,
  INTERVALS_APART,
  type IncidentRow,
  MAX_CAUSES,
  MAX_EVIDENCE,
  type RunningIncident,
} from "../ports/incident";
import { log2 } from "../prediction/logarithms";

/** Maximum number of first events kept that passed, and of worst ones kept later. */
const MAX_FIRST_EVENTS = 10;
const MAX_WORST_EVENTS = 20;

/** Maximum number of events kept before the first that passed. */
export const MAX_PRECEDING_EVENTS = INTERVALS_APART;

/** Maximum size of an event's causes and of its expected symbols, in UTF-16 units of JSON. */
const MAX_NAMED_UNITS = 1_024;

/** The sizes of events. Each is computed once, even if several incidents keep the event. */
const sizes = new WeakMap<object, number>();

/** The size of an event as evidence. */
export function unitsOf(event: Pick<SeenEvent, "symbols">): number {
  const known = sizes.get(event);
  if (known !== undefined) return known;
  const units = EVENT_UNITS + JSON.stringify(event.symbols).length;
  sizes.set(event, units);
  return units;
}

/** The size of some events as evidence. */
export function evidenceUnits(events: readonly SeenEvent[]): number {
  return events.reduce((sum, event) => sum + unitsOf(event), 0);
}

/** The symbols that share in an event's bits, largest share first, as many as fit. */
export function causesOf(factors: readonly SurpriseFactor[]): Cause[] {
  const causes = factors.map(({ symbol, factor }) => ({ symbol, bits: Math.max(0, -log2(factor)) }));
  causes.sort((one, other) => other.bits - one.bits || compareCodePoints(one.symbol, other.symbol));
  return fitting(causes.slice(0, MAX_CAUSES));
}

/** The most probable symbols, as many as fit. */
export function expectedOf(expected: readonly ExpectedSymbol[]): ExpectedSymbol[] {
  return fitting(expected.map(({ symbol, probability }) => ({ symbol, probability })));
}

function fitting<Said extends object>(list: readonly Said[]): Said[] {
  let units = 0;
  return list.filter((said) => {
    units += JSON.stringify(said).length;
    return units <= MAX_NAMED_UNITS;
  });
}

/** The evidence with which an incident begins: its first event, and as many before it as fit. */
export function firstEvidence(
  before: readonly SeenEvent[],
  first: SeenEvent,
): { evidence: SeenEvent[]; units: number } {
  const evidence: SeenEvent[] = [];
  let units = 0;
  for (const event of [first, ...before.slice(-MAX_PRECEDING_EVENTS).reverse()]) {
    units += unitsOf(event);
    if (units > MAX_EVIDENCE) return { evidence, units: units - unitsOf(event) };
    evidence.unshift(event);
  }
  return { evidence, units };
}

/** The events that an incident keeps after one more event. */
type Kept = Pick<RunningIncident, "first" | "worst" | "units">;

/**
 * Adds an event to the evidence of a running incident, if it belongs there and fits.
 *
 * @param passed number of events that passed before it
 * @param passes whether it passes
 * @param room the memory's remaining space for evidence, in UTF-16 units
 */
export function withEvent(kept: Kept, event: SeenEvent, how: { passed: number; passes: boolean; room: number }): Kept {
  const size = unitsOf(event);
  const room = Math.min(how.room, MAX_EVIDENCE - kept.units);
  if (how.passed < MAX_FIRST_EVENTS) {
    if (size > room) return kept;
    return { ...kept, first: [...kept.first, event], units: kept.units + size };
  }
  return how.passes ? withWorst(kept, event, size, room) : kept;
}

function withWorst(kept: Kept, event: SeenEvent, size: number, room: number): Kept {
  const { worst, units } = kept;
  if (worst.length < MAX_WORST_EVENTS && size <= room)
    return { ...kept, worst: [...worst, event], units: units + size };
  const least = leastOf(worst);
  if (least === undefined || (event.bits ?? 0) <= (least.bits ?? 0)) return kept;
  const freed = unitsOf(least);
  if (size > room + freed) return kept;
  return { ...kept, worst: [...worst.filter((one) => one !== least), event], units: units + size - freed };
}

/** The least surprising of some events; the first among equals. */
function leastOf([first, ...others]: readonly SeenEvent[]): SeenEvent | undefined {
  return others.reduce((least, event) => ((event.bits ?? 0) < (least?.bits ?? 0) ? event : least), first);
}

/** All evidence of an incident, in order. @param lasting what its memory knows; absent if the incident is over */
export function evidenceOf(row: Pick<IncidentRow, "evidence">, lasting?: RunningIncident): SeenEvent[] {
  if (lasting === undefined) return row.evidence;
  const { first, last, worst } = lasting;
  return [...row.evidence, ...first.filter(({ interval = 0 }) => interval <= last), ...worst];
}
