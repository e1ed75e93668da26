/**
 * The gateway's half of MQTT: checks keys and rights, turns payloads into messages for processors, and their events
 * into JSON. One for each agent's endpoint.
 */

import type { DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import { type Code, ConnectError } from "@connectrpc/connect";
import type { FrameSchema } from "../../gen/noema/v1/frame_pb";
import type { Gdf } from "../../gen/noema/v1/gdf_pb";
import { IncidentService } from "../../gen/noema/v1/incident_service_pb";
import { MemoryService, ObserveSequenceRequestSchema } from "../../gen/noema/v1/memory_service_pb";
import { PublicationService } from "../../gen/noema/v1/publication_service_pb";
import { type MqttRoute, RouteService } from "../../gen/noema/v1/route_service_pb";
import { REASON } from "../../mqtt/packets/packet";
import { type Observations, observationsIn, PayloadFault } from "../../mqtt/payload";
import {
  type Holder,
  ISSUED,
  type MqttPort,
  type Named,
  type Numbered,
  type Publication,
  Refused,
  type Taken,
} from "../../mqtt/port";
import { isOwnTopic, type Route, RouteFault, recordOf, routeOf } from "../../mqtt/routes";
import { SharedAnswers } from "../../mqtt/shared-answers";
import { type Asked, type Place, type PublishVerb, parsePublishTopic, TopicFault } from "../../mqtt/topics";
import { Pipes } from "../../rpc/transport/pipe";
import { createTransports, type Transports, type TransportsEnv } from "../../rpc/transport/transports";
import { methodPath } from "../../rpc/transport/unary";
import { budgetsOf } from "../../text/budgets";
import { excerpt } from "../../text/excerpt";
import type { Agent, Genome } from "../agents/agent";
import { Agents, type AgentsEnv } from "../agents/agents";
import type { Primitive, Topology } from "../agents/topology";
import { MAX_RECORDS } from "../decode/frame";
import { objectExcess } from "../decode/list-bounds";
import { decodeGdf } from "../decode/memory";
import { refuseUnknown } from "../decode/value";
import { encodeForecastEvent, encodeIncidentEvent } from "../encode/frame";
import { Body } from "../json/body";
import { Authentication } from "../keys/authentication";
import { configuredRef, isConfiguredRef, type KeyEnv } from "../keys/configured-keys";
import { partsOfKey } from "../keys/new-key";
import { ALL_RIGHTS, checkRole, opens, type Rights } from "../keys/rights";
import { type Role, rolesFor, rolesForObserving } from "../keys/role";
import { Refusal, refusalOf } from "../refusal";

/** Routes older than this are requested again, in milliseconds. Normally a change is reported at once. */
const ROUTES_FRESH_MS = 10_000;

/** Time after which an unknown key is looked up once more, in milliseconds. */
const NEW_KEY_MS = 1_050;

/** Prefix of references to configured keys. */
const CONFIGURED = "configured:";

/** A payload of at most this many bytes cannot contain too long lists. */
const SMALL_PAYLOAD_BYTES = 65_536;

/** The calls equivalent to a message: its key needs one of their roles, and must open the memory. */
const CALLS: Readonly<Record<PublishVerb, DescMethod>> = {
  observe: MemoryService.method.observe,
  learn: MemoryService.method.learn,
  clear: MemoryService.method.clearWorkingMemory,
};

/** A key with its rights. */
interface RightsHolder extends Holder {
  readonly rights: Rights;
}

/** The part of the environment that an endpoint uses. */
type PortEnv = KeyEnv & AgentsEnv & Parameters<typeof budgetsOf>[0];

/** The gateway, for one agent's endpoint. */
export class AgentPort implements MqttPort {
  readonly #env: PortEnv;
  readonly #agents: Agents;
  readonly #name: string;
  readonly #authentication: Authentication;
  readonly #genomes = new SharedAnswers<Genome>();
  #routes: readonly Route[] = [];
  #routesRevision: number | undefined;
  /** When the agent was last asked for its routes. */
  #routesAsOfMs = Number.NEGATIVE_INFINITY;
  /** Number of reported changes of routes. */
  #routesChanges = 0;

  constructor(env: PortEnv, transports: Transports, agent: string) {
    this.#env = env;
    this.#agents = new Agents(env, transports);
    this.#name = agent;
    this.#authentication = new Authentication(env, (name) => this.#agents.find(name));
  }

  async admit(host: string, password: string): Promise<Holder> {
    if (password === "") throw new Refused(REASON.notAuthorized, "CONNECT needs a key as password");
    try {
      return await this.#admitted(host, password);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== REASON.badPassword || partsOfKey(password) === undefined)
        throw error;
    }
    // The key may be newer than the last query of the agent's keys, which happens at most once a second.
    await new Promise((resolve) => setTimeout(resolve, NEW_KEY_MS));
    return this.#admitted(host, password);
  }

  async #admitted(host: string, key: string): Promise<Holder> {
    try {
      const rights = await this.#authentication.rightsOfKey(key, this.#name, host, "password of CONNECT");
      this.#agents.named(this.#name);
      return holderOf(rights === ALL_RIGHTS ? CONFIGURED + configuredRef(key) : ISSUED + rights.keyId, rights);
    } catch (error) {
      throw keyRefused(error);
    }
  }

  async holder(keyRef: string): Promise<Holder | undefined> {
    if (keyRef.startsWith(CONFIGURED)) {
      const isValid = isConfiguredRef(keyRef.slice(CONFIGURED.length), this.#env, this.#name);
      return isValid ? holderOf(keyRef, ALL_RIGHTS) : undefined;
    }
    try {
      const rights = await this.#authentication.rightsOfId(keyRef.slice(ISSUED.length), this.#name);
      return rights && holderOf(keyRef, rights);
    } catch (error) {
      throw keyRefused(error);
    }
  }

  async validOf(keyRefs: readonly string[]): Promise<ReadonlySet<string>> {
    const isAnyIssued = keyRefs.some((ref) => ref.startsWith(ISSUED));
    const issued = new Map<string, number>();
    if (isAnyIssued) {
      const { keys } = await this.#asked(() => this.#agent.askKeys());
      for (const { id, rights } of keys) issued.set(ISSUED + id, rights?.expires ?? Number.POSITIVE_INFINITY);
    }
    const now = Date.now() / 1000;
    const isValid = (ref: string) =>
      ref.startsWith(CONFIGURED)
        ? isConfiguredRef(ref.slice(CONFIGURED.length), this.#env, this.#name)
        : (issued.get(ref) ?? 0) > now;
    return new Set(keyRefs.filter(isValid));
  }

  async prepare(holder: Holder, topic: string, payload: Uint8Array): Promise<Publication> {
    const { rights } = holder as RightsHolder;
    const { place, needs, work } = publishedTo(topic, payload, this.#env) ?? (await this.#routed(topic, payload));
    const primitive = await this.#place(rights, needs, place);
    return { processorId: primitive.id, session: place.session ?? "", work: work(), bytes: payload.length };
  }

  async take(processorId: string, source: string, messages: readonly Numbered[], { keyRef }: Holder): Promise<Taken> {
    const publications = messages.map(({ publication: { session, work }, number }) => {
      return { session, frame: { ...(work as Work), n: number } };
    });
    const keyId = keyRef.startsWith(ISSUED) ? keyRef.slice(ISSUED.length) : undefined;
    const { takePublications } = PublicationService.method;
    const outcomes: (Refused | undefined)[] = [];
    try {
      while (outcomes.length < messages.length) {
        const rest = { source, publications: publications.slice(outcomes.length) };
        const reply = await this.#agent.call(processorId, takePublications, rest, { keyId }, true);
        outcomes.push(...reply.outcomes.map(({ code, reason }) => (code === 0 ? undefined : refusedBy(code, reason))));
        const isRefused = reply.reason !== "" || reply.outcomes.length === 0;
        if (isRefused && outcomes.length < messages.length) {
          return { outcomes, later: new Refused(REASON.serverBusy, reply.reason, false) };
        }
      }
      return { outcomes };
    } catch (error) {
      const refusal = refusedFor(error);
      if (!refusal.isFinal) return { outcomes, later: refusal };
      return { outcomes: messages.map((_, at) => (at < outcomes.length ? outcomes[at] : refusal)) };
    }
  }

  async settle(processorId: string, session: string, source: string, number: number): Promise<number> {
    const { settleSource } = PublicationService.method;
    try {
      return (await this.#agent.call(processorId, settleSource, { source, session, number }, {}, true)).last;
    } catch (error) {
      const refusal = refusedFor(error);
      // The processor no longer exists, so it has accepted nothing.
      if (refusal.isFinal) return 0;
      throw new Refused(REASON.serverUnavailable, refusal.message, false);
    }
  }

  async endSources(processorIds: readonly string[], sources: readonly string[]): Promise<void> {
    for (const id of processorIds) {
      try {
        await this.#agent.call(id, PublicationService.method.endSources, { sources: [...sources] }, {}, true);
      } catch (error) {
        const refusal = refusedFor(error);
        // Otherwise only a few bytes are left that nothing reads.
        if (!refusal.isFinal)
          console.error(`a processor keeps numbers of an MQTT session that has ended: ${refusal.message}`);
      }
    }
  }

  async heard(holder: Holder, asked: readonly Asked[]): Promise<(readonly Named[] | Refused)[]> {
    const { rights } = holder as RightsHolder;
    // One query for all filters, and for all clients that ask meanwhile: a thousand clients may have a hundred filters
    // each.
    const { topology } = await this.#asked(() => this.#genomes.to("", () => this.#agent.genome()));
    return asked.map((each) => {
      try {
        this.#checkRole(rights, ["read"], "to subscribe");
        return heardOf(rights, topology, each);
      } catch (error) {
        return refusedFor(error);
      }
    });
  }

  mayHear(holder: Holder, processorId: string, session: string): boolean {
    const { rights } = holder as RightsHolder;
    if (rights === ALL_RIGHTS) return true;
    const mayRead = rights.roles.some((role) => role === "read" || role === "admin");
    return mayRead && opens(rights, processorId, session === "" ? undefined : session);
  }

  async nameOf(processorId: string): Promise<string | undefined> {
    try {
      return (await this.#agent.find(processorId)).name;
    } catch (error) {
      refusedFor(error);
      return undefined;
    }
  }

  watch(processorId: string, events: readonly string[], revision: number): Promise<number> {
    const { watchEvents } = PublicationService.method;
    return this.#asked(async () => {
      // A processor on another server reports no events.
      if ((await this.#agent.find(processorId)).endpoint !== "") return revision;
      return (await this.#agent.call(processorId, watchEvents, { events: [...events], revision }, {}, true)).revision;
    });
  }

  forecast(processorId: string, session: string): Promise<string> {
    return this.#asked(async () => {
      const { getForecast } = MemoryService.method;
      const reply = await this.#agent.call(processorId, getForecast, {}, { session }, true);
      return encodeForecastEvent(reply.forecast, session, reply.stamp?.time ?? 0);
    });
  }

  incident(processorId: string, session: string): Promise<string> {
    return this.#asked(async () => {
      const { listIncidents } = IncidentService.method;
      const wanted = { limit: 1, session, verdict: "open" };
      const reply = await this.#agent.call(processorId, listIncidents, wanted, {}, true);
      const [newest] = reply.incidents;
      return newest === undefined ? "" : encodeIncidentEvent(newest);
    });
  }

  sessions(processorId: string, most: number): Promise<string[]> {
    return this.#asked(async () => {
      const { listSessions } = MemoryService.method;
      const { sessions } = await this.#agent.call(processorId, listSessions, { limit: most }, {}, true);
      return sessions.map(({ name }) => name);
    });
  }

  /**
   * Converts a message by a route.
   *
   * @throws Refused when no route matches the topic, or a route cannot convert the payload
   */
  async #routed(topic: string, payload: Uint8Array): Promise<Published> {
    const now = Date.now();
    let route = now - this.#routesAsOfMs > ROUTES_FRESH_MS ? null : routeOf(this.#routes, topic);
    if (route === null) {
      // A new route should count at once. The agent sends routes only if they have changed.
      await this.#askRoutes(now);
      route = routeOf(this.#routes, topic);
    }
    if (route === null) throw noRoute(topic);
    return routedBy(route, topic, payload, this.#env);
  }

  routesChanged(): void {
    this.#routesAsOfMs = Number.NEGATIVE_INFINITY;
    this.#routesChanges++;
  }

  async #askRoutes(now: number): Promise<void> {
    const { getRoutes } = RouteService.method;
    const changes = this.#routesChanges;
    const known = this.#routesRevision;
    const asked = known === undefined ? {} : { knownRevision: known };
    const { revision, routes } = await this.#asked(() => this.#agent.ask(getRoutes, asked));
    if (revision !== known) this.#routes = routes.map(routeFrom);
    this.#routesRevision = revision;
    // The answer may be older than a change reported meanwhile.
    if (changes === this.#routesChanges) this.#routesAsOfMs = now;
  }

  /** @throws Refusal when the agent no longer exists */
  get #agent(): Agent {
    return this.#agents.named(this.#name);
  }

  async #asked<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      throw refusedFor(error);
    }
  }

  async #place(rights: Rights, needs: Published["needs"], { processor, session }: Place): Promise<Primitive> {
    for (const roles of needs) this.#checkRole(rights, roles, "to publish this");
    const primitive = await this.#find(rights, processor);
    if (!opens(rights, primitive.id, session ?? undefined)) {
      throw new Refused(REASON.notAuthorized, "the key does not open this memory");
    }
    if (primitive.endpoint !== "") {
      throw new Refused(REASON.implementationSpecific, "the processor is served elsewhere, and MQTT does not reach it");
    }
    return primitive;
  }

  #checkRole(rights: Rights, roles: readonly Role[], what: string): void {
    try {
      checkRole(rights, { roles, what });
    } catch (error) {
      throw refusedFor(error);
    }
  }

  async #find(rights: Rights, idOrName: string): Promise<Primitive> {
    try {
      return await this.#agent.find(idOrName);
    } catch (error) {
      const refusal = refusedFor(error);
      throw refusal.code === REASON.badTopic ? noProcessor(rights, idOrName, REASON.badTopic) : refusal;
    }
  }
}

/** The port of an agent's endpoint. */
export function agentPort(env: PortEnv & TransportsEnv, agent: string): AgentPort {
  const pipes = new Pipes(methodPath(PublicationService.method.takePublications));
  return new AgentPort(env, createTransports(env, pipes), agent);
}

function holderOf(keyRef: string, rights: Rights): RightsHolder {
  return { keyRef, rights };
}

/** Whether a key opens any sessions of a processor. */
function opensSome({ processors }: Rights, id: string): boolean {
  return processors === undefined || processors.includes(id);
}

/** The processors of a subscription. @throws Refused when there is no such processor */
function heardOf(rights: Rights, topology: Topology, { processor, session }: Asked): readonly Named[] {
  const isOpen = ({ id }: Named) =>
    opens(rights, id, session ?? undefined) || (session === null && opensSome(rights, id));
  if (processor === null) return topology.primitives.filter(isOpen);
  const primitive = topology.byIdOrName.get(processor);
  if (primitive === undefined) throw noProcessor(rights, processor, REASON.badFilter);
  return isOpen(primitive) ? [primitive] : [];
}

/** @param code the reason code for a missing processor */
function noProcessor({ processors }: Rights, idOrName: string, code: number): Refused {
  // The holder of a limited key may not learn whether another processor exists.
  if (processors !== undefined) return new Refused(REASON.notAuthorized, "the key does not open this memory");
  return new Refused(code, `there is no processor ${excerpt(idOrName)}`);
}

/** The effect of a message, without its number. The transport needs no message of the library's. */
type Work = Omit<MessageInitShape<typeof FrameSchema>, "$typeName" | "$unknown">;

/** The effect of a message, and its memory. */
interface Published {
  readonly place: Place;
  /** The key needs one role of each. */
  readonly needs: readonly (readonly Role[])[];
  /** Reads the payload. @throws Refused when it is not a record */
  work(): Work;
}

/**
 * The effect of a message on one of Noema's own topics; `undefined` for other topics. @throws Refused for a wrong topic
 */
function publishedTo(topic: string, payload: Uint8Array, env: PortEnv): Published | undefined {
  try {
    const published = parsePublishTopic(topic);
    if (published !== null) {
      const { place, verb } = published;
      return { place, needs: [rolesFor(CALLS[verb])], work: () => frameOf(verb, payload, env) };
    }
  } catch (error) {
    if (error instanceof TopicFault) throw new Refused(REASON.badTopic, error.message);
    throw error;
  }
  if (isOwnTopic(topic)) throw noRoute(topic);
  return undefined;
}

function noRoute(topic: string): Refused {
  return new Refused(
    REASON.badTopic,
    `no route takes the topic ${excerpt(topic)}; Noema's own are ` +
      "noema/<processor>[/sessions/<session>]/{observe|learn|clear}",
  );
}

/** The effect of a message by a route. @throws Refused when the route cannot make a record of it */
function routedBy(route: Route, topic: string, payload: Uint8Array, env: PortEnv): Published {
  try {
    const { place, record, learn } = recordOf(route, topic, payload);
    const needs = [rolesFor(CALLS.observe), ...rolesForObserving({ learn }).map((role) => [role])];
    return {
      place,
      needs,
      work: () => observing({ value: record, json: JSON.stringify(record) }, learn, payload, env),
    };
  } catch (error) {
    if (error instanceof RouteFault) throw new Refused(REASON.badPayload, error.message);
    throw error;
  }
}

function routeFrom({ name, topic, processor, session, strings, numbers, time, learn }: MqttRoute): Route {
  const optional = { ...(session !== undefined && { session }), ...(time !== undefined && { time }) };
  return { name, topic, processor, strings, numbers, learn, ...optional };
}

/** The effect of a message, as a frame without its number. @throws Refused when the payload is not a record */
function frameOf(verb: PublishVerb, payload: Uint8Array, env: PortEnv): Work {
  if (verb === "learn") return { learn: true };
  if (verb === "clear") return { clear: true };
  try {
    return observing(observationsIn(payload), false, payload, env);
  } catch (error) {
    if (error instanceof PayloadFault) throw new Refused(REASON.badPayload, error.message);
    throw refusedFor(error);
  }
}

/** @throws Refused when one is not a GDF, or a list is too long */
function observing({ value, json }: Observations, learn: boolean, payload: Uint8Array, env: PortEnv): Work {
  try {
    const budgets = large(payload) ? budgetsOf(env) : undefined;
    const body = new Body(json, 0, "", budgets, value);
    const gdfs = gdfsOf(body);
    // Before the message is made: the processor would say the same, after ten times as long.
    const excess = budgets && objectExcess(ObserveSequenceRequestSchema, { sequence: gdfs }, budgets);
    if (excess !== undefined) throw new Refusal(413, excess);
    return { observe: { gdfs }, brief: true, learn };
  } catch (error) {
    throw refusedFor(error);
  }
}

function large(payload: Uint8Array): boolean {
  return payload.length > SMALL_PAYLOAD_BYTES;
}

function gdfsOf(body: Body): Gdf[] {
  const { value } = body;
  const records = Array.isArray(value) ? (value as unknown[]) : [value];
  if (records.length > MAX_RECORDS) {
    throw new Refusal(413, `a message may have ${MAX_RECORDS} records, got ${records.length}`);
  }
  const gdfs =
    records === value
      ? records.map((each, at) => decodeGdf(body, { value: each, way: [at], path: `[${at}]` }))
      : [decodeGdf(body, body.root())];
  refuseUnknown(body);
  return gdfs;
}

/** The refusal of a message for anything thrown. */
function refusedFor(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const { http, message } = refusalOf(error);
  switch (http) {
    case 400:
    case 422:
      return new Refused(REASON.badPayload, message);
    case 403:
      return new Refused(REASON.notAuthorized, message);
    case 404:
      return new Refused(REASON.badTopic, message);
    case 413:
      return new Refused(REASON.quota, message);
    default:
      if (!(error instanceof Refusal || error instanceof ConnectError)) console.error(error);
      return new Refused(REASON.serverBusy, message, false);
  }
}

/** The refusal of a message by the processor. @param code of Connect */
function refusedBy(code: number, reason: string): Refused {
  return refusedFor(new ConnectError(reason, code as Code));
}

/** The refusal of a connection because of its key. */
function keyRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const { http, message, extras } = refusalOf(error);
  if (extras.isOfKey) return new Refused(REASON.badPassword, message);
  if (http === 429) return new Refused(REASON.connectionRate, message);
  return new Refused(REASON.serverUnavailable, message, false);
}
