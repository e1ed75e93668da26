/** Answers about alerts. A secret is only in the answer to the request that generated it. */

import { AlertConditionSchema } from "../../gen/noema/v1/alert_pb";
import {
  type Alert,
  AlertSchema,
  type GetAlertsResponse,
  type LastDelivery,
} from "../../gen/noema/v1/alert_service_pb";
import { number, object, record, text } from "../json/writer";
import { okay } from "./envelope";
import { membersOf, objectOf } from "./from-contract";

/** All alerts, by name. */
export function encodeAlerts(reply: GetAlertsResponse): string {
  return okay(reply, object(reply.alerts.map((alert) => [alert.name, alertObject(alert)])));
}

/** The requested alert. @throws Error when there is none: the processor should have refused */
export function encodeAlert(reply: GetAlertsResponse): string {
  const [alert] = reply.alerts;
  if (alert === undefined) throw new Error("a processor left out the alert");
  return okay(reply, alertObject(alert));
}

function alertObject(alert: Alert): string {
  const { lastDelivery } = alert;
  return object([
    ["last_delivery", lastDelivery === undefined ? "null" : deliveryObject(lastDelivery)],
    ["when", conditionObject(alert)],
    ...membersOf(AlertSchema, alert, ["last_delivery", "name", "when"]),
  ]);
}

function conditionObject({ name, when }: Alert): string {
  if (when === undefined) throw new Error(`a processor left out when the alert ${name} tells`);
  const { case: given, value } = when.when;
  return given === "silentFor" && value === 0 ? '{"silent_for":"expected"}' : objectOf(AlertConditionSchema, when);
}

function deliveryObject({ failure, status, time }: LastDelivery): string {
  return record([
    ["failure", failure === "" ? "null" : text(failure)],
    ["outcome", failure === "" ? '"delivered"' : '"failed"'],
    ["status", status === undefined ? "null" : number(status)],
    ["time", number(Math.floor(time))],
  ]);
}
