/** Decodes requests about the routes of MQTT. */

import { create } from "@bufbuild/protobuf";
import { type MqttRoute, MqttRouteSchema } from "../../gen/noema/v1/route_service_pb";
import { RouteFault, readRoute } from "../../mqtt/routes";
import { nameRefusal } from "../../text/chosen-names";
import type { Body } from "../json/body";
import { Refusal } from "../refusal";
import type { Address } from "../request-context";
import { dataOf, noteAll, wrong } from "./value";

/** Reads the name of the route from the path. @throws Refusal 400 when no route can have it */
export function decodeRouteName(body: Body, address: Address): string {
  noteAll(body);
  return nameIn(address);
}

/**
 * Reads the name of the route from the path, and the route from the body: `{data: {topic, processor, …}}`, or that
 * object alone.
 *
 * @throws Refusal 400 naming the wrong value and the accepted ones
 */
export function decodeRoute(body: Body, address: Address): MqttRoute {
  const name = nameIn(address);
  const { value, path } = dataOf(body, []);
  try {
    const route = readRoute(name, value, path);
    return create(MqttRouteSchema, { ...route, strings: [...route.strings], numbers: [...route.numbers] });
  } catch (error) {
    if (error instanceof RouteFault) throw new Refusal(400, error.message);
    throw error;
  }
}

function nameIn({ params: { route = "" } }: Address): string {
  const refusal = nameRefusal(route);
  if (refusal !== undefined) throw wrong("the route in the path", refusal, route);
  return route;
}
