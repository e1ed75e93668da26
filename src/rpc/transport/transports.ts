/**
 * How gateway and objects reach agents and processors: objects of the same deployment by native calls, processors on
 * other servers over HTTP. The only place that knows the bindings and names of objects.
 */

import type { Transport } from "@connectrpc/connect";
import { excerpt } from "../../text/excerpt";
import { type Place, type PlacementEnv, wrongPlacement } from "../../text/placement";
import { createEndpointTransport, type EndpointEnv, endpointsRefusal } from "./endpoint-transport";
import { type LiveObjectsEnv, liveObjectsOf } from "./live-objects";
import { messageToBytes } from "./message-bytes";
import type { PipedObject, Pipes } from "./pipe";
import type { Disk } from "./storage-failure";
import { openStreamAt, type StreamObject } from "./stream-client";
import type { StreamPlace } from "./stream-upgrade";
import type { UnaryCall, UnaryObject } from "./unary";
import { createUnaryTransport } from "./unary-transport";

/** The objects of one class. Every name has one; asking for it creates nothing. */
interface Objects {
  /** @param options where the platform creates the object if this is its first call */
  getByName(name: string, options?: { locationHint: DurableObjectLocationHint }): UnaryObject;
  /** The identifier of an object. */
  idFromName(name: string): { toString(): string };
  /**
   * The objects whose data never leaves a jurisdiction. A name means another object there.
   *
   * @throws Error if the platform has none
   */
  jurisdiction(jurisdiction: DurableObjectJurisdiction): Objects;
}

/** The part of the Worker's environment for reaching agents and processors. */
export interface TransportsEnv extends EndpointEnv, LiveObjectsEnv, PlacementEnv {
  /** One object for each processor, named `<agent>/<processor id>`. */
  readonly PROCESSORS: Objects;
  /** One object for each agent, named after it. */
  readonly AGENTS: Objects;
  /** The folder of their files; absent in a deployment. */
  readonly DISK?: Disk | null;
}

/** Where a processor is, in addition to its identifier. */
export interface ProcessorAddress {
  /** The URL of the server that has it; empty for an object of this deployment. */
  readonly endpoint: string;
  /** Where its object lives. */
  readonly place: Place;
}

/**
 * Creates transports to agents and processors. Request one within the request that uses it. Only transports to other
 * servers set a deadline: an object of this deployment fails together with its caller.
 */
export interface Transports {
  /**
   * What is wrong with the variables that place objects or allow other servers, in a sentence; `undefined` for nothing.
   */
  readonly refusal?: string | undefined;
  /**
   * The transport to an agent's own object.
   *
   * @param jurisdiction the object's; empty for none; the deployment's if absent
   */
  agent(agent: string, jurisdiction?: string): Transport;
  /**
   * The transport to a processor of an agent.
   *
   * @param call parameters of every call besides its method and message; none if absent. A processor on another server
   *   gets only the session
   */
  processor(agent: string, id: string, address: ProcessorAddress, call?: UnaryCall): Transport;
  /** The object with the MQTT connections and sessions of an agent. */
  mqtt(agent: string): MqttObject;
  /** The transport to the object for checking the storage. It does not count as a live object. */
  health(): Transport;
  /**
   * Opens a stream at a processor of this deployment.
   *
   * @param place of the processor's object
   * @throws ConnectError when the object refuses or cannot be reached
   */
  openStream(agent: string, id: string, place: Place, stream: StreamPlace): Promise<WebSocket>;
}

/**
 * Prefix of the name of the object with an agent's MQTT connections. No agent's name begins with it, because labels
 * have no blanks.
 */
export const MQTT = "~mqtt ";

/** Prefix of the name of a part of a processor. No agent's name begins with it, because labels have no blanks. */
export const PART = "~part ";

/** A processor whose models are split. */
interface SplitProcessor {
  readonly agent: string;
  readonly id: string;
  /** The jurisdiction of its object; empty for none. */
  readonly jurisdiction: string;
}

/** An event of a memory. */
interface ToldEvent {
  readonly kind: string;
  /** Empty for the processor's own memory. */
  readonly session: string;
  /** Its JSON. */
  readonly text: string;
}

/** The object with the MQTT connections and sessions of an agent. */
export interface MqttObject {
  /** Hands over a WebSocket: answers with its other end. */
  fetch(request: Request): Promise<Response>;
  /**
   * Sends events of a processor's memories.
   *
   * @returns the kinds of events that the object wants from then on
   */
  tell(processorId: string, events: readonly ToldEvent[]): Promise<readonly string[]>;
  /** Tells it that the agent's routes have changed. */
  routesChanged(): Promise<void>;
}

/** The name of the object for checking the storage. No agent has it, because it is not a label of a host. */
const HEALTH = "~health";

/**
 * The transports that an environment's bindings allow.
 *
 * @param pipes over which frequent calls of processors go; native calls only if absent
 */
export function createTransports(env: TransportsEnv, pipes?: Pipes): Transports {
  const { PROCESSORS, AGENTS, DISK: disk } = env;
  const own = env.NOEMA_JURISDICTION || "";
  const live = liveObjectsOf(env);
  const counted = (kind: string, name: string, object: () => UnaryObject) =>
    live === undefined ? object : () => live.counted(`${kind} ${name}`, object);
  const processorAt = (agent: string, id: string, place: Place) => {
    const name = `${agent}/${id}`;
    const processors = () => within(PROCESSORS, place.jurisdiction || own);
    return {
      name,
      object: () => objectAt(processors(), name, place.locationHint),
      called: () => ({ name: `processor ${name}`, id: `${processors().idFromName(name)}`, disk }),
    };
  };
  return {
    get refusal() {
      return placementRefusal(env) ?? endpointsRefusal(env);
    },
    agent: (agent, jurisdiction = own) => {
      const agents = () => within(AGENTS, jurisdiction);
      const object = counted("agent", agent, () => objectAt(agents(), agent, env.NOEMA_LOCATION_HINT || ""));
      return createUnaryTransport(object, () => ({
        name: `agent ${agent}`,
        id: `${agents().idFromName(agent)}`,
        disk,
      }));
    },
    processor: (agent, id, { endpoint, place }, call) => {
      if (endpoint !== "") return createEndpointTransport(endpoint, id, env, call?.session);
      const { name, object, called } = processorAt(agent, id, place);
      // Every object of the class can be called over a pipe.
      const piped = pipes && (() => pipes.to(name, object as () => PipedObject));
      const about = saysAnything(call) ? call : undefined;
      const counting = counted("processor", name, piped ?? object);
      // A message of a WebSocket is bytes anyway.
      return createUnaryTransport(counting, called, about, piped && messageToBytes);
    },
    openStream: (agent, id, place, stream) => {
      const { name, object, called } = processorAt(agent, id, place);
      // Every object of the class has it.
      const open = () => openStreamAt(object() as UnaryObject & StreamObject, called, stream);
      return live === undefined ? open() : live.during(`processor ${name}`, open);
    },
    mqtt: (agent) => {
      const object = objectAt(within(AGENTS, own), `${MQTT}${agent}`, env.NOEMA_LOCATION_HINT || "");
      // Every object of the class has them.
      return object as unknown as MqttObject;
    },
    health: () => {
      const agents = () => within(AGENTS, own);
      const object = () => objectAt(agents(), HEALTH, env.NOEMA_LOCATION_HINT || "");
      return createUnaryTransport(object, () => ({ name: "GET /health", id: `${agents().idFromName(HEALTH)}`, disk }));
    },
  };
}

/**
 * Calls the object of a part of a split processor.
 *
 * @param part its number, from 0 on
 * @param call calls it. `Part` is the method that every object of the class has for that
 * @throws as the object's own calls, and ConnectError `ResourceExhausted` when too many objects are live
 */
export function callPart<Part, Answer>(
  env: TransportsEnv,
  { agent, id, jurisdiction }: SplitProcessor,
  part: number,
  call: (object: Part) => Promise<Answer>,
): Promise<Answer> {
  const name = `${PART}${part} ${agent}/${id}`;
  const live = liveObjectsOf(env);
  const calling = () => call(within(env.PROCESSORS, jurisdiction).getByName(name) as unknown as Part);
  return live === undefined ? calling() : live.during(`processor ${name}`, calling);
}

/**
 * Why objects cannot live in a jurisdiction; `undefined` if they can.
 *
 * @returns the end of a sentence about the jurisdiction, or `undefined`
 */
export function jurisdictionRefusal(jurisdiction: string, env: TransportsEnv): string | undefined {
  try {
    within(env.PROCESSORS, jurisdiction);
    return undefined;
  } catch (error) {
    return `the platform refuses it: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function placementRefusal(env: TransportsEnv): string | undefined {
  const wrong = wrongPlacement(env);
  const { NOEMA_JURISDICTION: jurisdiction } = env;
  if (wrong !== undefined || !jurisdiction) return wrong;
  const refusal = jurisdictionRefusal(jurisdiction, env);
  return refusal && `the variable NOEMA_JURISDICTION is ${excerpt(jurisdiction)}; ${refusal}`;
}

function within(objects: Objects, jurisdiction: string): Objects {
  // The platform's types may know fewer than the platform.
  return jurisdiction === "" ? objects : objects.jurisdiction(jurisdiction as DurableObjectJurisdiction);
}

function objectAt(objects: Objects, name: string, locationHint: string): UnaryObject {
  if (locationHint === "") return objects.getByName(name);
  return objects.getByName(name, { locationHint: locationHint as DurableObjectLocationHint });
}

function saysAnything(call: UnaryCall = {}): boolean {
  return Object.values(call).some((said) => said !== undefined);
}
