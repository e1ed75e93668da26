/** The rows of routes, which turn MQTT messages into records of a memory. */

import { RouteService } from "../../gen/noema/v1/route_service_pb";
import { excerpt } from "../../text/excerpt";
import type { Agent } from "../agents/agent";
import { decodeRoute, decodeRouteName } from "../decode/mqtt-route";
import { noteAll, refuseUnknown } from "../decode/value";
import { agentEnvelope } from "../encode/envelope";
import { routeJson, routesJson } from "../encode/mqtt-route";
import { rolesFor } from "../keys/role";
import { Refusal } from "../refusal";
import type { RequestContext } from "../request-context";
import type { Operation } from "./operation";

const { getRoutes, putRoute, deleteRoute } = RouteService.method;

async function answerList(context: RequestContext): Promise<string> {
  const body = await context.body();
  noteAll(body);
  refuseUnknown(body);
  return agentEnvelope(routesJson((await context.agent.ask(getRoutes, {})).routes));
}

async function answerOne(context: RequestContext): Promise<string> {
  const body = await context.body();
  const name = decodeRouteName(body, context);
  refuseUnknown(body);
  const { routes } = await context.agent.ask(getRoutes, {});
  const route = routes.find((one) => one.name === name);
  if (route !== undefined) return agentEnvelope(routeJson(route));
  throw new Refusal(404, `there is no route ${excerpt(name)}; GET mqtt/routes lists them`);
}

async function answerPut(context: RequestContext): Promise<string> {
  const body = await context.body();
  const route = decodeRoute(body, context);
  refuseUnknown(body);
  await checkProcessor(route.processor, context.agent);
  await context.agent.ask(putRoute, { route });
  return agentEnvelope(routeJson(route));
}

async function answerDelete(context: RequestContext): Promise<string> {
  const body = await context.body();
  const name = decodeRouteName(body, context);
  refuseUnknown(body);
  await context.agent.ask(deleteRoute, { name });
  return agentEnvelope('"route-deleted"');
}

/** @throws Refusal 400 for a processor that the agent does not have: no message would arrive */
async function checkProcessor(processor: string, agent: Agent): Promise<void> {
  // The topic decides which one it is.
  if (/\{\d+\}/.test(processor)) return;
  const { byIdOrName } = (await agent.genome()).topology;
  if (byIdOrName.has(processor)) return;
  throw new Refusal(
    400,
    `data.processor must be the id or name of a processor, got ${excerpt(processor)}; the agent has no such processor`,
  );
}

/** They come before the rows of processors: `mqtt` in a path is not a processor. */
export const mqttRouteOperations: readonly Operation[] = [
  {
    methods: ["GET"],
    path: "/mqtt/routes",
    roles: rolesFor(getRoutes),
    rpcs: [getRoutes],
    isOwn: true,
    answer: answerList,
    summary: "Returns all routes by name.",
  },
  {
    methods: ["GET"],
    path: "/mqtt/routes/:route",
    roles: rolesFor(getRoutes),
    rpcs: [getRoutes],
    isOwn: true,
    answer: answerOne,
    summary: "Returns one route.",
  },
  {
    methods: ["PUT"],
    path: "/mqtt/routes/:route",
    roles: rolesFor(putRoute),
    rpcs: [putRoute],
    isOwn: true,
    answer: answerPut,
    summary: "Adds a route, which makes records of the messages of some topics, or replaces it.",
  },
  {
    methods: ["DELETE"],
    path: "/mqtt/routes/:route",
    roles: rolesFor(deleteRoute),
    rpcs: [deleteRoute],
    isOwn: true,
    answer: answerDelete,
    summary: "Deletes a route.",
  },
];
