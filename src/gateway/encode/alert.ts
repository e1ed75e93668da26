/** Answers about alerts. None holds a secret but the one that makes it. */

import type { AlertCondition } from "../../gen/noema/v1/alert_pb";
import type {
  Alert,
  GetAlertsResponse,
  LastDelivery,
  PutAlertResponse,
  TestAlertResponse,
} from "../../gen/noema/v1/alert_service_pb";
import { number, object, record, text } from "../json/writer";
import { okay } from "./envelope";

/** All alerts, by name. */
export function encodeAlerts(reply: GetAlertsResponse): string {
  return okay(reply, object(reply.alerts.map((alert) => [alert.name, alertObject(alert)])));
}

/** The one that was asked for. @throws Error when there is none: the processor should have refused */
export function encodeAlert(reply: GetAlertsResponse): string {
  const [alert] = reply.alerts;
  if (alert === undefined) throw new Error("a processor left out the alert");
  return okay(reply, alertObject(alert));
}

/** The secret, if it was made. */
export function encodePutAlert(reply: PutAlertResponse): string {
  return okay(reply, record(reply.secret === "" ? [] : [["secret", text(reply.secret)]]));
}

/** Which delivery was queued. */
export function encodeTestAlert(reply: TestAlertResponse): string {
  return okay(reply, record([["webhook_id", text(reply.webhookId)]]));
}

function alertObject({ lastDelivery, url, waiting, when }: Alert): string {
  return record([
    ["last_delivery", lastDelivery === undefined ? "null" : deliveryObject(lastDelivery)],
    ["url", text(url)],
    ["waiting", number(waiting)],
    ["when", conditionObject(when)],
  ]);
}

function deliveryObject({ failure, status, time }: LastDelivery): string {
  return record([
    ["failure", failure === "" ? "null" : text(failure)],
    ["outcome", failure === "" ? '"delivered"' : '"failed"'],
    ["status", status === undefined ? "null" : number(status)],
    ["time", number(Math.floor(time))],
  ]);
}

function conditionObject(condition: AlertCondition | undefined): string {
  const when = condition?.when;
  switch (when?.case) {
    case "surpriseAbove":
      return record([["surprise_above", number(when.value)]]);
    case "learned":
      return record([["learned", "true"]]);
    case "forecast": {
      const { above, horizon, symbol } = when.value;
      const members = [
        ["above", number(above)],
        ["horizon", number(horizon)],
        ["symbol", text(symbol)],
      ] as const;
      return record([["forecast", record(members)]]);
    }
    default:
      throw new Error("an alert has no condition");
  }
}
