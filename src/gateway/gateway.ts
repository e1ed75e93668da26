/**
 * The tower that speaks HTTP and JSON to the world: checks the key, finds the operation, lets it answer, and turns whatever
 * goes wrong into a failed envelope. Holds the tower's one try and catch around a request.
 */

import { Agent, type Switchboard } from "./agent";
import { epochSeconds, failed } from "./envelope";
import { Exchange } from "./exchange";
import { refusalOf } from "./failure";
import { drain } from "./input";
import { checkKey, type KeyEnv } from "./key";
import { mediaType } from "./media-type";
import type { Operation } from "./operation";
import { operations } from "./operations";
import { type BridgeEnv, switchboardOf } from "./processor-transport";
import { routesOf } from "./routes";

/** The part of the Worker's environment that the gateway uses. */
export type GatewayEnv = KeyEnv & BridgeEnv;

/** The agent that requests are for. */
const DEFAULT_AGENT = "simple";

/** Answers requests; never throws. */
export type Gateway = (request: Request) => Promise<Response>;

/**
 * Builds a gateway.
 *
 * @param keys which keys are accepted
 * @param switchboard how agents and processors are reached
 */
export function createGateway(keys: KeyEnv, switchboard: Switchboard): Gateway {
  const agent = new Agent(DEFAULT_AGENT, switchboard);
  return async (request) => {
    let operation: Operation | undefined;
    try {
      await checkKey(request, keys);
      const match = await route(request);
      operation = match.operation;
      const answer = await operation.answer(new Exchange(request, agent, match.params, match.query));
      return new Response(answer, { headers: { "content-type": mediaType(request.headers.get("accept")) } });
    } catch (reason) {
      return failure(request, operation, reason);
    } finally {
      await drain(request);
    }
  };
}

const route = routesOf(operations);

function failure(request: Request, operation: Operation | undefined, reason: unknown): Response {
  const { http, message, extras } = refusalOf(reason);
  if (http === 500 && operation !== undefined) {
    console.error(`${request.method} ${operation.path} failed:`, reason);
  }
  const text = failed({
    id: extras.stamp?.id || firstSegment(request.url),
    interval: extras.stamp?.time ?? 0,
    message,
    timeStamp: extras.timeStamp ?? operation?.failureTimeStamp ?? epochSeconds(),
  });
  const headers: Record<string, string> = { "content-type": mediaType(request.headers.get("accept")) };
  if (extras.allow !== undefined) headers.allow = extras.allow;
  return new Response(text, { status: http, headers });
}

/** The path's word for the processor; empty when the path has one segment or none. */
function firstSegment(url: string): string {
  const [, first = "", ...rest] = new URL(url).pathname.split("/");
  if (rest.length === 0) return "";
  try {
    return decodeURIComponent(first);
  } catch {
    // A broken escape is shown as it came.
    return first;
  }
}

/** One gateway for each environment of the isolate. */
const gateways = new WeakMap<GatewayEnv, Gateway>();

/** Answers a request to the Worker. */
export function handle(request: Request, env: GatewayEnv, _ctx: ExecutionContext): Promise<Response> {
  let gateway = gateways.get(env);
  if (gateway === undefined) {
    gateway = createGateway(env, switchboardOf(env));
    gateways.set(env, gateway);
  }
  return gateway(request);
}
