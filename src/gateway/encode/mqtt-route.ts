/** Writes the routes of MQTT as JSON text. */

import { type MqttRoute, MqttRouteSchema } from "../../gen/noema/v1/route_service_pb";
import { object } from "../json/writer";
import { objectOf } from "./from-contract";

/** Routes by name. */
export function routesJson(routes: readonly MqttRoute[]): string {
  return object(routes.map((route) => [route.name, routeJson(route)]));
}

/** A route without its name. */
export function routeJson(route: MqttRoute): string {
  return objectOf(MqttRouteSchema, route, ["name"]);
}
