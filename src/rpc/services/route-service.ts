/** RouteService: the routes by which MQTT messages become records of an agent's processors. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type MqttRoute, type MqttRouteSchema, RouteService } from "../../gen/noema/v1/route_service_pb";
import type { Route } from "../../mqtt/routes";
import { withConnectErrors } from "./agent-service";
import type { Registrar } from "./serve";

/** Owns the routes of one agent. */
export interface RouteHost {
  /**
   * Adds a route, or replaces the one with its name.
   *
   * @throws Fault `invalid` when the route is wrong, `over-limit` when there would be too many
   */
  put(route: Route): Promise<void>;
  /** Removes a route, if there is one with the name. */
  delete(name: string): Promise<void>;
  /** The revision of the routes, which grows with every change; 0 if there never was one. Writes nothing. */
  revision(): number;
  /** All routes by name, in the order of bytes. */
  all(): readonly Route[];
}

/** Registers the service. */
export function registerRoutes(registrar: Registrar, host: RouteHost): void {
  const { method } = RouteService;
  const service: ServiceImpl<typeof RouteService> = {
    getRoutes: ({ knownRevision }) =>
      withConnectErrors(method.getRoutes, async () => {
        const revision = host.revision();
        return revision === knownRevision ? { revision } : { revision, routes: host.all().map(routeMessage) };
      }),
    putRoute: ({ route }) =>
      withConnectErrors(method.putRoute, async () => {
        if (route === undefined) throw new Error("a route that is put is missing");
        await host.put(routeIn(route));
        return {};
      }),
    deleteRoute: ({ name }) =>
      withConnectErrors(method.deleteRoute, async () => {
        await host.delete(name);
        return {};
      }),
  };
  registrar.service(RouteService, service);
}

/** A route as a message. */
export function routeMessage(route: Route): MessageInitShape<typeof MqttRouteSchema> {
  return { ...route, strings: [...route.strings], numbers: [...route.numbers] };
}

/** The route in a message. Unchecked. */
export function routeIn({ name, topic, processor, session, strings, numbers, time, learn }: MqttRoute): Route {
  const optional = { ...(session !== undefined && { session }), ...(time !== undefined && { time }) };
  return { name, topic, processor, strings, numbers, learn, ...optional };
}
