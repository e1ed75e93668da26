/**
 * Evaluates alerts after a verb has changed a memory, and records their notices in the same verb. No verb
 * fails because of an alert.
 */

import type { ForecastSymbol, Surprise } from "../../../gen/plain";
import type { Mind } from "../../mind";
import type { AlertCondition, ToldEvent } from "../../ports/alert";
import { Fault } from "../../ports/fault";
import type { HeldAlert } from "../../processor-core";
import { type Noted, noteEvent, toldOf } from "../incidents/noting";

/** Maximum length of a notice's content, in UTF-16 units. */
const MAX_NOTICE_UNITS = 65_536;

/**
 * Steps, of those for alerts, charged for an event that passes an alert, or is compared with a self-adjusting one:
 * noting it takes about as long.
 */
export const PASSED_STEPS = 250;

type Watching = HeldAlert;

type Telling = Pick<HeldAlert, "name" | "delivers">;

type ForecastCondition = Extract<AlertCondition, { kind: "forecast" }>;

/** Notifies the listener and alerts that a memory has learned a model. @param model its name without prefix */
export function tellLearned(mind: Mind, model: string): void {
  for (const alert of mind.shared.alerts)
    if (alert.when.kind === "learned") tell(mind, alert, { kind: "learned", model });
}

/** Whether an alert needs the surprise of events. */
export function wantsSurprise({ shared }: Mind): boolean {
  return shared.alerts.some(({ when }) => when.kind === "surprise" || when.kind === "daily");
}

/**
 * Compares the surprise of an event with alerts: reports it, adds it to the incidents of its memory, and reports new
 * incidents. Call it before the event enters working memory.
 */
export function tellSurprise(mind: Mind, noted: Noted): void {
  const { surprise } = noted;
  const passed = surprise === undefined ? [] : passedAlerts(mind, surprise, noted);
  const compared = surprise === undefined ? 0 : passed.length + mind.shared.dailyAlerts.length;
  mind.steps.apart(() => mind.steps.spend(PASSED_STEPS * compared));
  for (const alert of passed) {
    if (surprise === undefined || alert.when.kind !== "surprise") continue;
    tell(mind, alert, { kind: "surprise", surprise: fitting(surprise) });
  }
  const { activityListener } = mind.shared;
  for (const { alert, row } of noteEvent(mind, noted, passed)) {
    tell(mind, alert, { kind: "incident", incident: toldOf(row) });
    if (!activityListener?.isListening) continue;
    const { evidence: _, thresholds: __, ...incident } = row;
    activityListener.notify({ kind: "incident", session: mind.session, interval: row.interval, incident });
  }
}

/** The alerts that an event passes. Self-adjusting ones take the event into account. */
function passedAlerts({ shared }: Mind, { bits }: Surprise, { event, isArrival }: Noted): HeldAlert[] {
  const dated = { bits, time: event.time, isArrival };
  return shared.alerts.filter(({ number, when }) => {
    if (when.kind === "surprise") return bits > when.above;
    return when.kind === "daily" && shared.thresholds.passes(number, when.perDay, dated);
  });
}

/**
 * Notifies alerts of each probability that has risen above its threshold, and records which ones are above. Call it
 * after an observation that updated the ensemble. Does nothing without an ensemble.
 */
export function tellForecasts(mind: Mind): void {
  const before = mind.state.risen;
  const alerts = mind.shared.alerts.filter(isForecast);
  if (alerts.length === 0 && before.length === 0) return;
  const chances = chancesOf(mind, alerts);
  if (chances === undefined) return;
  const above = alerts.filter(({ when }) => (chances.get(keyOf(when))?.probability ?? 0) > when.above);
  for (const alert of above) {
    const chance = chances.get(keyOf(alert.when));
    if (chance === undefined || before.includes(alert.number)) continue;
    const { models, probability, support, symbol } = chance;
    tell(mind, alert, {
      kind: "forecast",
      forecast: { horizon: alert.when.horizon, models, probability, support, symbol },
    });
  }
  const risen = above.map(({ number }) => number);
  if (risen.join() !== before.join()) mind.update({ risen });
}

/** Forgets which probabilities are above their thresholds, when memory is cleared. */
export function forgetRisen(mind: Mind): void {
  if (mind.state.risen.length > 0) mind.update({ risen: [] });
}

/**
 * Records a notice of an alert about a memory, if the alert delivers anything. @returns the identifier of the delivery
 */
export function tell({ session, shared, state, store }: Mind, { name, delivers }: Telling, told: ToldEvent): string {
  if (!delivers) return "";
  const webhookId = `msg_${crypto.randomUUID().replaceAll("-", "")}`;
  const notice = { alert: name, webhookId, told, session, interval: state.time, happenedAt: shared.now() };
  store.record({ kind: "alert-told", notice });
  return webhookId;
}

function isForecast(alert: Watching): alert is Watching & { when: ForecastCondition } {
  return alert.when.kind === "forecast";
}

/** A key that is equal for conditions that need the same query. */
function keyOf({ symbol, horizon }: Pick<ForecastCondition, "symbol" | "horizon">): string {
  return `${horizon} ${symbol}`;
}

/**
 * The probabilities of the alerts' symbols, by one query for all horizons; `undefined` if they cannot be computed.
 */
function chancesOf(
  mind: Mind,
  alerts: readonly { when: ForecastCondition }[],
): ReadonlyMap<string, ForecastSymbol> | undefined {
  const chances = new Map<string, ForecastSymbol>();
  const wanted = new Map<number, Set<string>>();
  for (const { when } of alerts) wanted.set(when.horizon, (wanted.get(when.horizon) ?? new Set()).add(when.symbol));
  if (wanted.size === 0) return chances;
  const found = unlessTooLarge(() => mind.steps.apart(() => mind.forecasts.chancesOf(wanted)));
  if (found === undefined) return undefined;
  for (const [horizon, ofHorizon] of found) {
    for (const [symbol, chance] of ofHorizon) chances.set(keyOf({ symbol, horizon }), chance);
  }
  return chances;
}

/** The result of a query; `undefined` if it takes too many steps, or parts of the processor cannot be reached. */
export function unlessTooLarge<Result>(ask: () => Result): Result | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Fault && (error.kind === "too-large" || error.kind === "unavailable")) return undefined;
    throw error;
  }
}

/** A surprise whose lists are emptied if too long: a delivery must fit into a row. */
function fitting({ bits, expected, probability, unexpected }: Surprise): Surprise {
  const lists = { expected: expected.map((one) => ({ probability: one.probability, symbol: one.symbol })), unexpected };
  const units = [...expected.map(({ symbol }) => symbol), ...unexpected].reduce((sum, { length }) => sum + length, 0);
  const isLong = units > MAX_NOTICE_UNITS || JSON.stringify(lists).length > MAX_NOTICE_UNITS;
  return isLong
    ? { bits, expected: [], probability, unexpected: [] }
    : { bits, expected: lists.expected, probability, unexpected };
}
