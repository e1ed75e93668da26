/**
 * The tower that speaks HTTP and JSON to the world: checks the key, finds the operation, lets it answer, and turns
 * every error into a failed answer. Holds the only try and catch of the gateway around a request.
 */

import { InspectionService } from "../gen/noema/v1/inspection_service_pb";
import type { Stamp } from "../gen/noema/v1/stamp_pb";
import { RETRY_AFTER_HEADER, SESSION_HEADER } from "../rpc/transport/endpoint-transport";
import { MQTT_SUBPROTOCOL } from "../rpc/transport/mqtt-upgrade";
import { SUBPROTOCOL } from "../rpc/transport/stream-upgrade";
import { createTransports, type Transports, type TransportsEnv } from "../rpc/transport/transports";
import { type BudgetsEnv, budgetsOf, budgetsRefusal } from "../text/budgets";
import { excerpt } from "../text/excerpt";
import { type AlertHostsEnv, alertHostsRefusal, withoutRootDot } from "../text/hosts";
import { Admission, type Turn } from "./admission";
import type { Agent } from "./agents/agent";
import { Agents, type AgentsEnv } from "./agents/agents";
import { arrivals } from "./arrivals";
import { CrossOrigin, type CrossOriginEnv, originsRefusal } from "./cross-origin";
import { epochSeconds, failed } from "./encode/envelope";
import { keyIn, REPLAYED_HEADER } from "./idempotency";
import { REST_WITH_KEY, REST_WITHOUT_KEY, readRest } from "./json/body-bytes";
import { Authentication } from "./keys/authentication";
import type { KeyEnv } from "./keys/configured-keys";
import type { Lifetime } from "./keys/issued-keys";
import { isLimited, type Rights } from "./keys/rights";
import { answerMcp, MCP_PATH, notPosted, refusedMcp } from "./mcp/endpoint";
import { mediaType } from "./media-type";
import { isMqtt, MQTT_PATH, mqttOperation, openMqtt } from "./mqtt/open-mqtt";
import type { Operation } from "./operations/operation";
import { streamOperations } from "./operations/streams";
import { operations } from "./operations/table";
import { type AssetsEnv, pageAt } from "./pages";
import { permitted } from "./permission";
import { answerRpc, type Entrance, isRpc } from "./public-rpc";
import { isOverload, Refusal, refusalOf } from "./refusal";
import { type Address, type Answer, RequestContext } from "./request-context";
import { noTarget, RequestTarget, targetOf } from "./request-target";
import { checkQuery, type Match, routesOf } from "./routes";
import { checkUpgrade, foreignOrigin } from "./streams/upgrade";
import { HEALTH_PATH, HealthCheck } from "./watching/health";
import { metrics, type ObjectMetrics } from "./watching/metrics";
import { warnOfUnknown } from "./watching/unknown-variables";
import { NO_STORE, WatchedRequest, type WatchingEnv, type WatchingSettings } from "./watching/watched-request";

/** The variables and secrets that the gateway reads, and the files of its pages. */
type GatewaySettings = KeyEnv & AgentsEnv & AlertHostsEnv & AssetsEnv & BudgetsEnv & CrossOriginEnv & WatchingEnv;

/** The part of the Worker's environment that the gateway uses. */
export type GatewayEnv = GatewaySettings & TransportsEnv;

/**
 * The variables that a Worker reads, and whether users set them. The type makes the compiler check that none is
 * missing.
 */
export const VARIABLES = {
  AGENT_KEYS: true,
  API_KEYS: true,
  NOEMA_AGENTS: true,
  NOEMA_ALERT_HOSTS: true,
  NOEMA_ALLOW_ORIGINS: true,
  NOEMA_ANALYTICS: true,
  NOEMA_BURST_CALLS: true,
  NOEMA_DELIVERIES: true,
  NOEMA_DOMAIN: true,
  NOEMA_ENDPOINT_HOSTS: true,
  NOEMA_ENDPOINT_KEYS: true,
  NOEMA_EXPORT_BYTES: true,
  NOEMA_JURISDICTION: true,
  NOEMA_KEYS: true,
  NOEMA_PARTS: true,
  NOEMA_LIVE_OBJECTS: false,
  NOEMA_LOCAL: false,
  NOEMA_LOCATION_HINT: true,
  NOEMA_MATCHING_STEPS: true,
  NOEMA_MEMORY_BYTES: true,
  NOEMA_MEMORY_SYMBOLS: true,
  NOEMA_PATTERN_STEPS: true,
  NOEMA_PROCESSOR_WAIT_MS: true,
  NOEMA_PUBLIC_URL: true,
  NOEMA_SEQUENCE_RECORDS: true,
  NOEMA_SERVER_WAIT_MS: true,
  NOEMA_SESSIONS: true,
  NOEMA_SESSION_BYTES: true,
  NOEMA_SLOW_MS: true,
  NOEMA_START_ID: false,
  NOEMA_STORAGE_BYTES: true,
} satisfies { [Name in Extract<keyof GatewayEnv, `${string}_KEYS` | `NOEMA_${string}`>]: boolean };

/** Answers requests; never throws. The lifetime keeps work running after the answer was sent. */
export type Gateway = (request: Request, lifetime?: Lifetime) => Promise<Response>;

/** Answers requests, with their record for logs and metrics. */
type Answering = (request: Request, watched: WatchedRequest, lifetime?: Lifetime) => Promise<Response>;

/**
 * Builds a gateway.
 *
 * @param env the accepted keys, the names of the agents, their domain and their place, the budgets, the origins of
 *   pages that may call
 * @param transports the ways to agents and processors
 */
export function createGateway(env: GatewaySettings, transports: Transports): Gateway {
  const agents = new Agents(env, transports);
  const wrongSetting = budgetsRefusal(env) ?? transports.refusal ?? originsRefusal(env) ?? alertHostsRefusal(env);
  const budgets = budgetsOf(env);
  const admission = new Admission(budgets);
  metrics.callsUnderWay = () => admission.underWay;
  const authentication = new Authentication(env, (name) => agents.find(name));
  const crossOrigin = new CrossOrigin(env);
  const agentNamed = (name: string): Agent => agentIn(agents, name, wrongSetting);
  const answerAt = async (
    target: RequestTarget,
    request: Request,
    watched: WatchedRequest,
    lifetime?: Lifetime,
    known?: Rights,
  ) => {
    const next = arrivals.next();
    const look = typeof next === "number" ? next : await next;
    const host = withoutRootDot(target.hostname);
    const name = agents.nameAt(host);
    watched.host = name;
    const rightsOf = () => known ?? authentication.rightsOf(request, name, host, lifetime);
    if (isRpc(target)) {
      const admit = async () => ({ rights: await rightsOf(), agent: agentNamed(name) });
      return rpc(request, { url: target.url, admit, admission, budgets, look, watched });
    }
    let rights: Rights | undefined;
    let agent: Agent | undefined;
    let match: Match | undefined;
    let turn: Turn | undefined;
    let context: RequestContext | undefined;
    try {
      const checked = rightsOf();
      // A configured key needs no waiting.
      rights = checked instanceof Promise ? await checked : checked;
      agent = agentNamed(name);
      watched.agent = agent;
      const found = route({ method: request.method, url: target.text });
      match = found instanceof Promise ? await found : found;
      const { operation } = match;
      watched.asksFor(operation, () => nameOf(operation));
      watched.processor = match.params.id;
      const allowed = permitted(rights, match, request.method, agent);
      match = allowed instanceof Promise ? await allowed : allowed;
      checkAsked(match, request, target, crossOrigin);
      const counted = countedAs(match, agent);
      const arrived = { request, target, agent, rights, watched, budgets };
      const begin = () => {
        turn = admission.begin(counted, look, rights?.keyId);
      };
      context = new RequestContext(arrived, match, keyIn(request, operation), begin);
      return responseOf(await operation.answer(context), context, operation, watched);
    } catch (reason) {
      return await refused(reason, { request, target, agent, rights, match, watched });
    } finally {
      admission.end(turn);
      context?.end();
      const rest = restOf(request, agent);
      if (rest !== undefined) await rest;
    }
  };
  const settings = watchingOf(env, budgets.slowMs);
  const mcp = mcpWith({ agents, authentication, crossOrigin, agentNamed, answerAt, settings });
  const mqtt = { agentAt: (host: string) => agentNamed(agents.nameAt(host)), transports, origins: crossOrigin };
  const answer = toEndpoints({ env, crossOrigin, health: new HealthCheck(transports), mcp, mqtt, answerAt });
  return watchedBy(settings, crossOrigin.isClosed ? answer : withOrigins(answer, crossOrigin));
}

/** The handlers of a gateway's requests. */
interface Endpoints {
  readonly env: AssetsEnv;
  readonly crossOrigin: CrossOrigin;
  readonly health: HealthCheck;
  mcp(target: RequestTarget, ...request: Parameters<Answering>): Promise<Response>;
  readonly mqtt: MqttParts;
  answerAt(target: RequestTarget, ...request: Parameters<Answering>): Promise<Response>;
}

/** Passes each request to its handler: refused preflights, pages, health, the protocols, and the operations. */
function toEndpoints({ env, crossOrigin, health, mcp, mqtt, answerAt }: Endpoints): Answering {
  return (request, watched, lifetime) => {
    const target = targetOf(request);
    if (target === undefined) return afterRest(request, untargeted(request, watched));
    const barred = crossOrigin.preflightRefusal(request);
    if (barred !== undefined) return refused(barred, { request, target, match: undefined, watched });
    if (target.pathname === MCP_PATH) {
      const unposted = notPosted(request);
      return unposted === undefined ? mcp(target, request, watched, lifetime) : afterRest(request, unposted);
    }
    const page = pageAt(request, target, env);
    if (page !== undefined) {
      const about = { request, target, match: undefined, watched };
      return afterRest(
        request,
        page.catch((reason) => refused(reason, about)),
      );
    }
    if (isMqtt(target)) return afterRest(request, mqttAt(request, target, watched, mqtt));
    if (!isHealthCheck(request, target)) return answerAt(target, request, watched, lifetime);
    watched.asksFor(health, () => `GET ${HEALTH_PATH}`);
    return afterRest(request, health.answer());
  };
}

/** What the endpoint of the Model Context Protocol needs from a gateway. */
interface McpParts {
  readonly agents: Agents;
  readonly authentication: Authentication;
  readonly crossOrigin: CrossOrigin;
  readonly settings: WatchingSettings;
  agentNamed(name: string): Agent;
  answerAt(
    target: RequestTarget,
    request: Request,
    watched: WatchedRequest,
    lifetime: Lifetime | undefined,
    known: Rights,
  ): Promise<Response>;
}

/**
 * Answers requests of the Model Context Protocol. The requests that it derives from them are watched like any other.
 */
function mcpWith({ agents, authentication, crossOrigin, settings, agentNamed, answerAt }: McpParts) {
  return async ({ url }: RequestTarget, ...[request, watched, lifetime]: Parameters<Answering>) => {
    watched.asksFor(MCP, () => `POST ${MCP_PATH}`);
    let agent: Agent | undefined;
    try {
      checkPage(request, url, crossOrigin);
      const host = withoutRootDot(url.hostname);
      watched.host = agents.nameAt(host);
      const rightsOf = () => authentication.rightsOf(request, watched.host, host, lifetime);
      const rights = await rightsOf();
      agent = agentNamed(watched.host);
      watched.agent = agent;
      const ask = async (inner: Request) => {
        const within = new WatchedRequest(inner, settings);
        const target = new RequestTarget(inner.url, new URL(inner.url));
        return within.end(await answerAt(target, inner, within, lifetime, rights));
      };
      const count = async () => {
        await rightsOf();
      };
      return await answerMcp(request, { agent, rights, origin: url.origin, ask, count });
    } catch (reason) {
      const refusal = refusalOf(reason);
      watched.failed(reason, refusal.message, { isOverload: isOverload(refusal), isOfKey: refusal.extras.isOfKey });
      return refusedMcp(refusal);
    } finally {
      const rest = restOf(request, agent);
      if (rest !== undefined) await rest;
    }
  };
}

/** Stands for the requests of the Model Context Protocol among the operations. */
const MCP = {};

/** Opens connections of MQTT clients. */
interface MqttParts {
  agentAt(host: string): Agent;
  readonly transports: Transports;
  readonly origins: CrossOrigin;
}

/** Opens a connection of an MQTT client. */
async function mqttAt(
  request: Request,
  target: RequestTarget,
  watched: WatchedRequest,
  parts: MqttParts,
): Promise<Response> {
  watched.asksFor(mqttOperation, () => `GET ${MQTT_PATH}`);
  try {
    const host = withoutRootDot(target.hostname);
    const webSocket = await openMqtt(request, target.url, { agent: parts.agentAt(host).name, host }, parts);
    return new Response(null, { status: 101, webSocket, headers: { "sec-websocket-protocol": MQTT_SUBPROTOCOL } });
  } catch (reason) {
    return await refused(reason, { request, target, match: undefined, watched });
  }
}

/** The agent of a name. @throws Refusal 500 when a setting is wrong, 404 when there is no such agent */
function agentIn(agents: Agents, name: string, wrongSetting: string | undefined): Agent {
  if (wrongSetting !== undefined) throw new Refusal(500, wrongSetting);
  return agents.named(name);
}

/** The variables of an environment for watching requests, which include no key. */
function watchingOf({ NOEMA_ANALYTICS, NOEMA_START_ID }: WatchingEnv, slowMs: number): WatchingSettings {
  return { slowMs, NOEMA_ANALYTICS, NOEMA_START_ID };
}

/** A gateway whose requests are watched. */
function watchedBy(settings: WatchingSettings, answer: Answering): Gateway {
  return (request, lifetime) => {
    const watched = new WatchedRequest(request, settings);
    return answer(request, watched, lifetime).then((response) => watched.end(response));
  };
}

function isHealthCheck({ method }: Request, { pathname }: RequestTarget): boolean {
  return (method === "GET" || method === "HEAD") && pathname === HEALTH_PATH;
}

/** The name of an operation in metrics and in the log: methods and path, as in the OpenAPI document. */
function nameOf({ methods, path }: Operation): string {
  return `${methods.join(", ")} ${path.replace(/:(\w+)\+?/g, "{$1}")}`;
}

/** A gateway that tells browsers which origins may call. */
function withOrigins(answer: Answering, crossOrigin: CrossOrigin): Answering {
  return async (request, watched, lifetime) => {
    const preflight = crossOrigin.preflight(request);
    if (preflight !== undefined) return afterRest(request, preflight);
    return crossOrigin.mark(request, await answer(request, watched, lifetime));
  };
}

/** The object that counts a request; `undefined` for a request that calls no object. */
function countedAs({ operation, params }: Match, agent: Agent): object | undefined {
  return operation.rpcs.length === 0 ? undefined : agent.countedAs(params.id ?? "");
}

/** Reads the rest of a body; `undefined` for none. @param agent `undefined` if the key was not accepted */
function restOf(request: Request, agent: Agent | undefined): Promise<unknown> | undefined {
  return readRest(request, agent === undefined ? REST_WITHOUT_KEY : REST_WITH_KEY);
}

/** Responds after reading the rest of the request, which the response does not depend on. */
async function afterRest(request: Request, response: Response | Promise<Response>): Promise<Response> {
  await readRest(request, REST_WITHOUT_KEY);
  return response;
}

async function rpc(request: Request, entrance: Entrance): Promise<Response> {
  let rest = REST_WITHOUT_KEY;
  const admit = async () => {
    const admitted = await entrance.admit();
    rest = REST_WITH_KEY;
    return admitted;
  };
  try {
    const response = await answerRpc(request, { ...entrance, admit });
    response.headers.set("cache-control", NO_STORE);
    return response;
  } finally {
    await readRest(request, rest);
  }
}

/** The response with an operation's answer. */
function responseOf(
  answer: Answer,
  { request, isReplayed }: RequestContext,
  operation: Operation,
  watched: WatchedRequest,
): Response {
  const type = operation.mediaType ?? mediaType(request.headers.get("accept"));
  if (isSocket(answer)) {
    const { "content-type": _type, "cache-control": _cache, ...others } = watched.headers(type);
    const upgraded = { ...others, "sec-websocket-protocol": SUBPROTOCOL };
    return new Response(null, { status: 101, webSocket: answer, headers: upgraded });
  }
  const response = watched.answer(answer, type);
  if (isReplayed) response.headers.set(REPLAYED_HEADER, "true");
  return response;
}

function isSocket(answer: Answer): answer is WebSocket {
  return typeof answer !== "string" && !(answer instanceof ReadableStream);
}

/** @throws Refusal 403 for a request of a web page that may not call */
function checkPage({ headers }: Request, url: URL, crossOrigin: CrossOrigin): void {
  const origin = foreignOrigin(headers, url, crossOrigin);
  if (origin === undefined) return;
  throw new Refusal(
    403,
    `pages of the origin ${excerpt(origin)} may not call; NOEMA_ALLOW_ORIGINS names those that may`,
  );
}

/** @throws Refusal 400 for parameters that the operation of a request does not take */
function checkAsked(match: Match, request: Request, target: RequestTarget, crossOrigin: CrossOrigin): void {
  refuseSessionHeader(request);
  checkQuery(match);
  if (match.operation.opensStream) checkUpgrade(request, target.url, crossOrigin);
}

/** @throws Refusal 400 when a header names a session: the request would use another memory than its sender intends */
function refuseSessionHeader({ headers }: Request): void {
  if (!headers.has(SESSION_HEADER)) return;
  throw new Refusal(
    400,
    "the header X-Session is for calls of the services; here the path names the session, " +
      "as in /P1/sessions/<session>/observe",
  );
}

/** The answer to a request that names no URL. */
function untargeted(request: Request, watched: WatchedRequest): Response {
  return failure({ request, target: undefined, match: undefined, watched }, noTarget(), undefined);
}

/** A refused request, and what was found out about it before. */
interface Refused {
  readonly request: Request;
  readonly target: RequestTarget | undefined;
  /** `undefined` if the key was not accepted. */
  readonly agent?: Agent | undefined;
  /** `undefined` if the key was not accepted. */
  readonly rights?: Rights | undefined;
  /** `undefined` if the path has no operation. */
  readonly match: Match | undefined;
  readonly watched: WatchedRequest;
}

/** The failed answer to anything thrown. */
async function refused(reason: unknown, about: Refused): Promise<Response> {
  const { target, agent, rights, match, watched } = about;
  const refusal = refusalOf(reason);
  watched.failed(reason, refusal.message, { isOverload: isOverload(refusal), isOfKey: refusal.extras.isOfKey });
  // A limited key may not open the processor that the path names.
  const isToBeAsked = isOwn(refusal, match) && !(rights !== undefined && isLimited(rights));
  const stamp = isToBeAsked
    ? await stampOf(refusal, agent, match ?? { params: { id: firstSegment(target) }, session: refusal.extras.session })
    : refusal.extras.stamp;
  return failure(about, refusal, stamp);
}

const route = routesOf([...operations, ...streamOperations]);

/** Seconds after which a client should try again if it is unknown when the answer may change. */
const RETRY_LATER_S = 5;

/** The statuses with which the gateway refuses a request before it calls a processor. */
const OWN_REFUSALS: readonly number[] = [400, 405, 413];

/** The status of a path without an operation. On a path with one, it means that there is no such processor to ask. */
const NO_OPERATION = 404;

/** Whether the gateway refuses a request that no processor has seen. */
function isOwn({ http }: Refusal, match: Match | undefined): boolean {
  return OWN_REFUSALS.includes(http) || (match === undefined && http === NO_OPERATION);
}

/**
 * The stamp for the answer when the gateway itself refuses. Asks the processor that the path names, because every
 * answer carries the processor's time.
 *
 * @param agent `undefined` if the host names no existing agent
 * @param place the processor and the session in the path
 * @returns `undefined` if the path names no processor, or it does not answer
 */
async function stampOf(
  { extras }: Refusal,
  agent: Agent | undefined,
  { params: { id = "" }, session }: Omit<Address, "query">,
): Promise<Stamp | undefined> {
  if (extras.stamp !== undefined || agent === undefined || id === "") return extras.stamp;
  try {
    return (await agent.call(id, InspectionService.method.ping, {}, { session })).stamp;
  } catch {
    // There is no such processor, or it cannot be reached: the client gets the first refusal.
    return undefined;
  }
}

function failure(
  { request, target, match, watched }: Refused,
  { http, message, extras }: Refusal,
  stamp: Stamp | undefined,
): Response {
  const text = failed({
    id: stamp?.id || firstSegment(target),
    interval: stamp?.time ?? 0,
    message,
    timeStamp: match?.operation.failureTimeStamp ?? epochSeconds(),
  });
  const headers = watched.headers(mediaType(request.headers.get("accept")));
  if (extras.allow !== undefined) headers.allow = extras.allow;
  if (extras.upgrade !== undefined) headers.upgrade = extras.upgrade;
  const retryAfterS = extras.retryAfterS ?? (http === 503 && !extras.isLasting ? RETRY_LATER_S : undefined);
  if (retryAfterS !== undefined) headers[RETRY_AFTER_HEADER] = String(retryAfterS);
  return new Response(text, { status: http, headers });
}

/** The first segment of a path, percent-decoded; empty when the path has one segment or none. */
function firstSegment(target: RequestTarget | undefined): string {
  const [, first = "", ...rest] = target?.pathname.split("/") ?? [];
  if (rest.length === 0) return "";
  try {
    return decodeURIComponent(first);
  } catch {
    // Show a broken escape as received.
    return first;
  }
}

/**
 * Lets `GET /metrics` report what the objects of this isolate count.
 *
 * @param measure what they have counted so far
 */
export function reportObjects(measure: () => ObjectMetrics): void {
  metrics.objects = measure;
}

/** The gateway of each environment in this isolate. */
const gateways = new WeakMap<GatewayEnv, Gateway>();

/** Answers a request to the Worker. */
export function handle(request: Request, env: GatewayEnv, ctx: ExecutionContext): Promise<Response> {
  let gateway = gateways.get(env);
  if (gateway === undefined) {
    warnOfUnknown(env, VARIABLES);
    gateway = createGateway(env, createTransports(env));
    gateways.set(env, gateway);
  }
  return gateway(request, ctx);
}
