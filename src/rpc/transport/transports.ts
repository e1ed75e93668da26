/**
 * How gateway and objects reach agents and processors: objects of the same deployment by native calls, processors elsewhere over HTTP.
 * The one place that knows which binding holds which object and under which name.
 */

import type { Transport } from "@connectrpc/connect";
import { createEndpointTransport, type EndpointEnv } from "./endpoint-transport";
import { type LiveObjectsEnv, liveObjectsOf } from "./live-objects";
import type { UnaryObject } from "./unary";
import { createUnaryTransport } from "./unary-transport";

/** The objects of one class. Every name has one; asking for it creates nothing. */
interface Objects {
  getByName(name: string): UnaryObject;
  /** The identifier of an object. */
  idFromName(name: string): { toString(): string };
}

/** The part of the Worker's environment that leads to agents and processors. */
export interface TransportsEnv extends EndpointEnv, LiveObjectsEnv {
  /** One object per processor, named `<agent>/<processor id>`. */
  readonly PROCESSORS: Objects;
  /** One object per agent, named after it. */
  readonly AGENTS: Objects;
}

/** Where a processor is, besides its identifier. */
export interface ProcessorAddress {
  /** The URL that serves it; empty when it is an object of this deployment. */
  readonly endpoint: string;
  /** The friendly name that a request used. A processor of this deployment that has another name by now refuses the call. */
  readonly calledName?: string | undefined;
}

/**
 * Makes transports to agents and processors. Ask for one within the request that uses it. Only transports to processors
 * elsewhere set a deadline: an object of this deployment fails together with its caller.
 */
export interface Transports {
  /** The transport to an agent's own object. */
  agent(agent: string): Transport;
  /** The transport to a processor of an agent. */
  processor(agent: string, id: string, address: ProcessorAddress): Transport;
}

/** The transports that an environment's bindings allow. */
export function createTransports(env: TransportsEnv): Transports {
  const { PROCESSORS, AGENTS } = env;
  const live = liveObjectsOf(env);
  const counted = (kind: string, name: string, object: () => UnaryObject) =>
    live === undefined ? object : () => live.counted(`${kind} ${name}`, object);
  return {
    agent: (agent) => {
      const object = counted("agent", agent, () => AGENTS.getByName(agent));
      return createUnaryTransport(object, () => ({ name: `agent ${agent}`, id: `${AGENTS.idFromName(agent)}` }));
    },
    processor: (agent, id, { endpoint, calledName }) => {
      if (endpoint !== "") return createEndpointTransport(endpoint, id, env);
      const name = `${agent}/${id}`;
      const object = counted("processor", name, () => PROCESSORS.getByName(name));
      const named = calledName === undefined ? object : () => withName(object(), calledName);
      return createUnaryTransport(named, () => ({ name: `processor ${name}`, id: `${PROCESSORS.idFromName(name)}` }));
    },
  };
}

/** The object, told with every call which name the caller used. */
function withName(object: UnaryObject, calledName: string): UnaryObject {
  return { unary: (path, body) => object.unary(path, body, calledName) };
}
