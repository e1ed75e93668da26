/** Reaches agents and processors over the bridge: Durable Objects of the same Worker, and processors that are served elsewhere. */

import { createEndpointTransport, type EndpointEnv } from "../../rpc/transport/endpoint-transport";
import { createUnaryTransport } from "../../rpc/transport/unary-transport";
import type { Switchboard } from "./agent";

/** An object that answers calls. */
type CallableObject = ReturnType<Parameters<typeof createUnaryTransport>[0]>;

/** The objects of one class, by name. Every name has one; asking for it creates nothing. */
interface Objects {
  getByName(name: string): CallableObject;
}

/** The part of the Worker's environment that leads to agents and processors. */
export interface BridgeEnv extends EndpointEnv {
  /** One object per processor, named `<agent>/<processor id>`. */
  readonly PROCESSORS: Objects;
  /** One object per agent, named by it. */
  readonly AGENTS: Objects;
}

/** Reaches what an environment leads to. */
export function switchboardOf(env: BridgeEnv): Switchboard {
  const { PROCESSORS, AGENTS } = env;
  return {
    agent: (agent) => createUnaryTransport(() => AGENTS.getByName(agent)),
    processor: (agent, id, { endpoint, calledName }) => {
      if (endpoint !== "") return createEndpointTransport(endpoint, id, env);
      const object = () => PROCESSORS.getByName(`${agent}/${id}`);
      return createUnaryTransport(calledName === undefined ? object : () => named(object(), calledName));
    },
  };
}

/** An object that is told under which name it was looked for. */
function named(object: CallableObject, calledName: string): CallableObject {
  return {
    unary: (path, body) => object.unary(path, body, calledName),
    fetch: (url, init) => object.fetch(url, init),
  };
}
