/**
 * How gateway and objects reach agents and processors: objects of the same deployment by native calls, processors elsewhere over HTTP.
 * The one place that knows which binding holds which object and under which name.
 */

import type { Transport } from "@connectrpc/connect";
import { createEndpointTransport, type EndpointEnv } from "./endpoint-transport";
import { type LiveObjectsEnv, liveObjectsOf } from "./live-objects";
import type { UnaryCall, UnaryObject } from "./unary";
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

/** Where a processor is, besides its identifier, and what the calls say. A processor elsewhere is not told the name. */
export interface ProcessorAddress extends UnaryCall {
  /** The URL that serves it; empty when it is an object of this deployment. */
  readonly endpoint: string;
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
    processor: (agent, id, { endpoint, ...call }) => {
      if (endpoint !== "") return createEndpointTransport(endpoint, id, env, call.session);
      const name = `${agent}/${id}`;
      const object = counted("processor", name, () => PROCESSORS.getByName(name));
      const called = () => ({ name: `processor ${name}`, id: `${PROCESSORS.idFromName(name)}` });
      return createUnaryTransport(object, called, saysAnything(call) ? call : undefined);
    },
  };
}

function saysAnything(call: UnaryCall): boolean {
  return Object.values(call).some((said) => said !== undefined);
}
