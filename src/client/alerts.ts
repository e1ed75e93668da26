/**
 * Alerts: webhooks that a processor calls on surprises, forecasts or learned models. All
 * functions need the role manage.
 */

import type { Alert, Alerts, NewAlert, QueuedDelivery, SetAlert } from "./gen/operations";
import { message } from "./transport/call";
import type { Processor } from "./transport/connection";
import type { CallOptions, WriteOptions } from "./transport/exchange";
import { checked } from "./transport/members";
import { segment } from "./transport/names";

/** All alerts by name, without their secrets. */
export function listAlerts(processor: Processor, options?: CallOptions): Promise<Alerts> {
  return message(processor, { operation: "listAlerts", method: "GET", path: "alerts", repeats: "read" }, options);
}

/**
 * An alert without its secret, and the outcome of its last delivery.
 *
 * @throws NoemaError 404 if none has the name
 */
export function getAlert(processor: Processor, name: string, options?: CallOptions): Promise<Alert> {
  return message(processor, { operation: "getAlert", method: "GET", path: pathOf(name), repeats: "read" }, options);
}

/**
 * Adds or replaces an alert.
 *
 * @returns the secret, if none was given: no later answer has it
 * @throws NoemaError 400 if a member is wrong or the deployment does not deliver to that host, 429 if the processor has
 *   the maximum number of alerts
 */
export async function setAlert(
  processor: Processor,
  name: string,
  alert: NewAlert,
  options?: WriteOptions,
): Promise<SetAlert> {
  checked("an alert", "member", alert, { when: 1, url: 1, format: 1, secret: 1 });
  const [path, body] = [pathOf(name), { data: alert }];
  return message(processor, { operation: "setAlert", method: "PUT", path, repeats: "keyed", body }, options);
}

/** Deletes an alert, if there is one, and its waiting deliveries. */
export async function deleteAlert(processor: Processor, name: string, options?: WriteOptions): Promise<void> {
  const path = pathOf(name);
  await message(processor, { operation: "deleteAlert", method: "DELETE", path, repeats: "keyed" }, options);
}

/**
 * Queues a test delivery without content; {@link getAlert} tells whether it arrived.
 *
 * @returns the value of its header `webhook-id`
 * @throws NoemaError 404 if no alert has the name
 */
export function testAlert(processor: Processor, name: string, options?: WriteOptions): Promise<QueuedDelivery> {
  const path = `${pathOf(name)}/test`;
  return message(processor, { operation: "testAlert", method: "POST", path, repeats: "keyed" }, options);
}

function pathOf(name: string): string {
  return `alerts/${segment("the name of an alert", name)}`;
}
