/** Converts stored alerts to messages and backup lines, and back with checks. */

import type { AlertRecord } from "../../../gen/plain";
import { excerpt } from "../../../text/excerpt";
import { thresholdOf } from "../../incidents/daily-threshold";
import type { AlertCondition, AlertFormat, RestoredAlert, StoredAlert } from "../../ports/alert";
import { Fault } from "../../ports/fault";
import type { KeptThreshold } from "../../ports/incident";
import { checkAlert } from "./alert-input";

/** The condition of an alert: exactly one of the members. */
export interface ConditionRecord {
  when:
    | { case: "surpriseAbove"; value: number }
    | { case: "forecast"; value: { symbol: string; above: number; horizon: number } }
    | { case: "learned"; value: boolean }
    | { case: "surprise"; value: { perDay: number } }
    // 0: expected.
    | { case: "silentFor"; value: number }
    | { case?: undefined };
}

/** A condition as a record. */
export function conditionRecord(when: AlertCondition): ConditionRecord {
  if (when.kind === "surprise") return { when: { case: "surpriseAbove", value: when.above } };
  if (when.kind === "learned") return { when: { case: "learned", value: true } };
  if (when.kind === "daily") return { when: { case: "surprise", value: { perDay: when.perDay } } };
  if (when.kind === "silent") {
    return { when: { case: "silentFor", value: when.after === "expected" ? 0 : when.after } };
  }
  const { symbol, above, horizon } = when;
  return { when: { case: "forecast", value: { symbol, above, horizon } } };
}

/** The condition of a record. @throws Fault `invalid` if it has none; its values are not checked */
export function conditionFrom(record: ConditionRecord | undefined): AlertCondition {
  const { when } = record ?? { when: {} };
  if (when.case === "surpriseAbove") return { kind: "surprise", above: when.value };
  if (when.case === "learned" && when.value) return { kind: "learned" };
  if (when.case === "forecast") {
    const { symbol, above, horizon } = when.value;
    return { kind: "forecast", symbol, above, horizon };
  }
  if (when.case === "surprise") return { kind: "daily", perDay: when.value.perDay };
  if (when.case === "silentFor") return { kind: "silent", after: when.value === 0 ? "expected" : when.value };
  throw new Fault(
    "invalid",
    "an alert's condition must be surprise_above, surprise, forecast, silent_for or learned: true",
  );
}

/** A format as a record. */
export function formatRecord(format: AlertFormat): string {
  return format === "standard" ? "" : format;
}

/** The format of a record. Its value is not checked. */
export function formatFrom(record: string): AlertFormat {
  return (record || "standard") as AlertFormat;
}

/** A stored alert as a line of a backup. @param kept its threshold, as its tracker stores it; absent for none */
export function alertRecord(
  { name, number, when, url, secret, format }: StoredAlert,
  kept?: KeptThreshold,
): AlertRecord {
  const threshold = kept?.numbers ?? [];
  return { name, number, when: conditionRecord(when), url, secret, format: formatRecord(format), threshold };
}

/**
 * The alert of a backup line.
 *
 * @throws Fault `invalid` naming the wrong value and the accepted ones, without quoting a secret
 */
export function alertFrom({
  name,
  number,
  when,
  url,
  secret,
  format = "",
  threshold = [],
}: AlertRecord): RestoredAlert {
  const kept = threshold.length === 0 ? undefined : threshold;
  if (kept !== undefined && thresholdOf(kept) === undefined) {
    throw new Fault("invalid", `the threshold of the alert ${excerpt(name)} must be a list of 9 numbers, or empty`);
  }
  const alert = { name, number, when: conditionFrom(when), url, secret, format: formatFrom(format), threshold: kept };
  checkAlert(alert);
  if (Number.isSafeInteger(number) && number >= 1) return alert;
  throw new Fault("invalid", `an alert's number must be a whole number of 1 or more, got ${excerpt(number)}`);
}
