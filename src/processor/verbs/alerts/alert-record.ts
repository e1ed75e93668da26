/** Converts stored alerts to messages and backup lines, and back with checks. */

import { excerpt } from "../../../text/excerpt";
import type { Alert, AlertCondition, StoredAlert } from "../../ports/alert";
import { Fault } from "../../ports/fault";
import { checkAlert } from "./alert-input";

/** The condition of an alert: exactly one of the members. */
export interface ConditionRecord {
  when:
    | { case: "surpriseAbove"; value: number }
    | { case: "forecast"; value: { symbol: string; above: number; horizon: number } }
    | { case: "learned"; value: boolean }
    | { case?: undefined };
}

/** An alert with its secret. */
export interface AlertRecord {
  name: string;
  number: number;
  when?: ConditionRecord | undefined;
  url: string;
  secret: string;
}

/** A condition as a record. */
export function conditionRecord(when: AlertCondition): ConditionRecord {
  if (when.kind === "surprise") return { when: { case: "surpriseAbove", value: when.above } };
  if (when.kind === "learned") return { when: { case: "learned", value: true } };
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
  throw new Fault("invalid", "an alert's condition must be surprise_above, forecast or learned: true");
}

/** A stored alert as a line of a backup. */
export function alertRecord({ name, number, when, url, secret }: StoredAlert): AlertRecord {
  return { name, number, when: conditionRecord(when), url, secret };
}

/**
 * The alert in a line of a backup.
 *
 * @throws Fault `invalid` naming what is wrong and what is accepted; a secret is not quoted
 */
export function alertFrom({ name, number, when, url, secret }: AlertRecord): Alert & { number: number } {
  const alert = { name, number, when: conditionFrom(when), url, secret };
  checkAlert(alert);
  if (Number.isSafeInteger(number) && number >= 1) return alert;
  throw new Fault("invalid", `an alert's number must be a whole number of 1 or more, got ${excerpt(number)}`);
}
