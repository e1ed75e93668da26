/**
 * Joins events that pass alerts into incidents, in the verb that observes them. An incident writes a row when it
 * begins, and again when it ends if more than one event has passed. In between, it is part of its memory's state.
 */

import type { SeenEvent, Surprise, SurpriseFactor } from "../../../gen/plain";
import { endIncident, recordIncident } from "../../incidents/ending";
import { causesOf, expectedOf, firstEvidence, MAX_PRECEDING_EVENTS, withEvent } from "../../incidents/evidence";
import type { Mind } from "../../mind";
import {
  INTERVALS_APART,
  type IncidentRow,
  type IncidentSummary,
  type KeptThreshold,
  type RunningIncident,
  type ShownIncident,
} from "../../ports/incident";
import type { HeldAlert } from "../../processor-core";

/** Maximum size of the evidence of all running incidents of a memory, in the units of one incident's. */
const MAX_RUNNING_EVIDENCE = 32_768;

/** An alert that an event passes. */
export type Passed = Pick<HeldAlert, "delivers" | "name" | "number">;

/** An event that was just observed. */
export interface Noted {
  readonly event: SeenEvent & { interval: number; time: number };
  /** Whether its time is when it arrived, because its sender said none. */
  readonly isArrival: boolean;
  readonly surprise: Surprise | undefined;
  /** The factors of its probability. */
  readonly factors: readonly SurpriseFactor[];
}

/**
 * Adds an observed event to the incidents of its memory. Call it before the event enters working memory.
 *
 * @param passed the alerts that it passes
 * @returns the incidents that it begins, with their alerts
 */
export function noteEvent(mind: Mind, noted: Noted, passed: readonly Passed[]): { alert: Passed; row: IncidentRow }[] {
  const { running } = mind.state;
  if (running.length === 0 && passed.length === 0) return [];
  const { interval } = noted.event;
  const numbers = new Set(mind.shared.alerts.map(({ number }) => number));
  const lasts = ({ alert, last }: RunningIncident) =>
    interval - last < INTERVALS_APART && interval > last && numbers.has(alert);
  for (const one of running) if (!lasts(one)) endIncident(mind.shared, one);
  const lasting = running.filter(lasts);
  const room = MAX_RUNNING_EVIDENCE - lasting.reduce((sum, { units }) => sum + units, 0);
  const grown = lasting.map((one) => {
    const passes = passed.some(({ number }) => number === one.alert);
    return withNoted(one, noted, passes, Math.floor(room / lasting.length));
  });
  const fresh = passed.filter(({ number }) => !lasting.some(({ alert }) => alert === number));
  const thresholds = fresh.length === 0 ? [] : mind.shared.thresholds.copies(mind.shared.dailyAlerts);
  const begun = fresh.map((alert) => ({ alert, ...begin(mind, alert, noted, thresholds) }));
  mind.update({ running: [...grown, ...begun.map(({ lasting: one }) => one)] });
  return begun.map(({ alert, row }) => ({ alert, row }));
}

function withNoted(one: RunningIncident, noted: Noted, passes: boolean, room: number): RunningIncident {
  const { event } = noted;
  const limits = { passed: one.events, passes, room };
  const kept = event.symbols.length === 0 ? {} : withEvent(one, event, limits);
  if (!passes) return { ...one, ...kept };
  const worse = (event.bits ?? 0) > one.bits ? sayingOf(noted) : {};
  return { ...one, ...kept, ...worse, events: one.events + 1, to: event.time, last: event.interval };
}

/** The description of the worst event. */
function sayingOf({ event, surprise, factors }: Noted): Pick<IncidentRow, "bits" | "causes" | "expected"> {
  return { bits: event.bits ?? 0, causes: causesOf(factors), expected: expectedOf(surprise?.expected ?? []) };
}

function begin(
  mind: Mind,
  { name, number }: Passed,
  noted: Noted,
  thresholds: KeptThreshold[],
): { row: IncidentRow; lasting: RunningIncident } {
  const { event } = noted;
  const { shared, session } = mind;
  const id = shared.store.incidents.last() + 1;
  const { evidence, units } = firstEvidence(eventsBefore(mind), event);
  const progress = { events: 1, to: event.time, ...sayingOf(noted) };
  const row: IncidentRow = {
    id,
    alert: name,
    session,
    verdict: undefined,
    note: "",
    isLearned: false,
    isRunning: true,
    from: event.time,
    interval: event.interval,
    ...progress,
    evidence,
    thresholds,
  };
  recordIncident(shared, row);
  const lasting = { id, alert: number, last: event.interval, ...progress, first: [], worst: [], units };
  return { row, lasting };
}

/** The latest events: from the history if the memory keeps one, else from working memory if it could be read. */
function eventsBefore({ memory, state }: Mind): SeenEvent[] {
  if (state.history.length > 0) {
    const latest = state.history.slice(-MAX_PRECEDING_EVENTS);
    return latest.map(({ interval, time, bits, symbols }) => ({ interval, time, bits, symbols }));
  }
  return memory
    .latest(MAX_PRECEDING_EVENTS)
    .map(({ symbols, time }) => ({ symbols, ...(time !== undefined && { time }) }));
}

/** Ends the incidents of a memory that starts over. */
export function endIncidents(mind: Mind): void {
  for (const lasting of mind.state.running) endIncident(mind.shared, lasting);
  mind.update({ running: [] });
}

/** An incident as notices and streams show it. */
export function toldOf({ bits, causes, events, expected, from, id, to }: IncidentSummary): ShownIncident {
  return { bits, causes, events, expected, from, id, to };
}
