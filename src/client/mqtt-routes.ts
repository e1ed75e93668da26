/** The routes of an agent: they turn MQTT messages into records of a memory. docs/mqtt.md explains them. */

import type { MqttRoute, MqttRoutes, NewMqttRoute } from "./gen/operations";
import { message } from "./transport/call";
import type { Noema } from "./transport/connection";
import type { CallOptions } from "./transport/exchange";
import { checked } from "./transport/members";
import { nameSegment } from "./transport/names";

const NAME = "the name of a route";

/** All routes by name. */
export function listMqttRoutes(noema: Noema, options?: CallOptions): Promise<MqttRoutes> {
  return message(noema, { operation: "listMqttRoutes", method: "GET", path: "mqtt/routes", repeats: "read" }, options);
}

/** One route. @throws NoemaError 404 if none has the name */
export function getMqttRoute(noema: Noema, name: string, options?: CallOptions): Promise<MqttRoute> {
  const path = `mqtt/routes/${nameSegment(NAME, name)}`;
  return message(noema, { operation: "getMqttRoute", method: "GET", path, repeats: "read" }, options);
}

/**
 * Adds a route, or replaces the one with its name.
 *
 * @returns the route
 * @throws NoemaError 400 if a member is wrong, 403 if the role manage is missing, 429 if the agent already has the
 *   maximum number of routes
 */
export async function putMqttRoute(
  noema: Noema,
  name: string,
  route: NewMqttRoute,
  options?: CallOptions,
): Promise<MqttRoute> {
  checked("a route", "member", route, {
    topic: 1,
    processor: 1,
    session: 1,
    strings: 1,
    numbers: 1,
    time: 1,
    learn: 1,
  });
  const path = `mqtt/routes/${nameSegment(NAME, name)}`;
  // Idempotent.
  const call = { operation: "putMqttRoute", method: "PUT", path, repeats: "read", body: { data: route } } as const;
  return message(noema, call, options);
}

/** Deletes the route with the name, if there is one. */
export async function deleteMqttRoute(noema: Noema, name: string, options?: CallOptions): Promise<void> {
  const path = `mqtt/routes/${nameSegment(NAME, name)}`;
  // Idempotent.
  await message(noema, { operation: "deleteMqttRoute", method: "DELETE", path, repeats: "read" }, options);
}
