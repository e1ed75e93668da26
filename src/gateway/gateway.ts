/**
 * The tower that speaks HTTP and JSON to the world: checks the key, finds the operation, lets it answer, and turns whatever
 * goes wrong into a failed envelope. Holds the tower's one try and catch around a request.
 */

import { InspectionService } from "../gen/noema/v1/inspection_service_pb";
import type { Stamp } from "../gen/noema/v1/stamp_pb";
import { createTransports, type Transports, type TransportsEnv } from "../rpc/transport/transports";
import type { Agent } from "./agents/agent";
import { Agents, type AgentsEnv } from "./agents/agents";
import { epochSeconds, failed } from "./encode/envelope";
import { refusalOf } from "./failure";
import { drain } from "./json/body";
import type { Refusal } from "./json/refusal";
import { checkKey, type KeyEnv } from "./key";
import { JSON_TYPE, type MediaType, mediaType, SCRIPT_TYPE } from "./media-type";
import type { Operation } from "./operations/operation";
import { operations } from "./operations/table";
import { answerRpc, isRpc } from "./public-rpc";
import { RequestContext } from "./request-context";
import { type Match, routesOf } from "./routes";

/** The part of the Worker's environment that the gateway uses. */
export type GatewayEnv = KeyEnv & AgentsEnv & TransportsEnv;

/** Answers requests; never throws. */
export type Gateway = (request: Request) => Promise<Response>;

/**
 * Builds a gateway.
 *
 * @param env which keys are accepted, and which agents there are
 * @param transports how agents and processors are reached
 */
export function createGateway(env: KeyEnv & AgentsEnv, transports: Transports): Gateway {
  const agents = new Agents(env, transports);
  return async (request) => {
    const url = new URL(request.url);
    const agent = agents.at(url.hostname);
    if (isRpc(url)) return rpc(request, agent, env);
    let match: Match | undefined;
    try {
      checkKey(request, env, agent.name);
      agents.check();
      match = await route(request);
      const answer = await match.operation.answer(new RequestContext(request, agent, match.params, match.query));
      return new Response(answer, { headers: HEADERS[mediaType(request.headers.get("accept"))] });
    } catch (reason) {
      const refusal = refusalOf(reason);
      if (refusal.http === 500 && match !== undefined) {
        console.error(`${request.method} ${match.operation.path} failed:`, reason);
      }
      const stamp = isOwn(refusal, match)
        ? await stampOf(refusal, agent, wordIn(request, match))
        : refusal.extras.stamp;
      return failure(request, match?.operation, refusal, stamp);
    } finally {
      await drain(request);
    }
  };
}

async function rpc(request: Request, agent: Agent, env: KeyEnv): Promise<Response> {
  try {
    return await answerRpc(request, agent, () => checkKey(request, env, agent.name));
  } finally {
    await drain(request);
  }
}

const route = routesOf(operations);

/** The headers of an answer by its media type; every response copies them. */
const HEADERS: { readonly [Type in MediaType]: Headers } = {
  [JSON_TYPE]: new Headers({ "content-type": JSON_TYPE }),
  [SCRIPT_TYPE]: new Headers({ "content-type": SCRIPT_TYPE }),
};

/** The statuses with which the gateway refuses what it was sent, in a processor's place. */
const OWN_REFUSALS: readonly number[] = [400, 405, 413];

/** That of a path without an operation; when there is one, it means that there is no such processor to be asked. */
const NO_OPERATION = 404;

/** Whether the gateway refuses by itself, so that the processor knows nothing of it yet. */
function isOwn({ http }: Refusal, match: Match | undefined): boolean {
  return OWN_REFUSALS.includes(http) || (match === undefined && http === NO_OPERATION);
}

/** The path's word for the processor; empty or `undefined` when it has none. */
function wordIn(request: Request, match: Match | undefined): string | undefined {
  return match === undefined ? firstSegment(request.url) : match.params.id;
}

/**
 * Whose envelope a refusal of the gateway's own travels in. The processor that it refused for is asked who it is, because its time
 * stands in every envelope.
 *
 * @param word the path's word for the processor
 * @returns `undefined` when no processor is meant, or none can be asked
 */
async function stampOf({ extras }: Refusal, agent: Agent, word = ""): Promise<Stamp | undefined> {
  if (extras.stamp !== undefined || word === "") return extras.stamp;
  try {
    return (await agent.call(word, InspectionService.method.ping, {})).stamp;
  } catch {
    // Unknown or out of reach: what was refused first is what the client is told.
    return undefined;
  }
}

function failure(
  request: Request,
  operation: Operation | undefined,
  { http, message, extras }: Refusal,
  stamp: Stamp | undefined,
): Response {
  const text = failed({
    id: stamp?.id || firstSegment(request.url),
    interval: stamp?.time ?? 0,
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
    gateway = createGateway(env, createTransports(env));
    gateways.set(env, gateway);
  }
  return gateway(request);
}
