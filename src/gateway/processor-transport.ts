/** Reaches agents and processors over the bridge: the bundled ones are Durable Objects of the same Worker. */

import { createUnaryTransport } from "../rpc/unary-transport";
import type { Switchboard } from "./agent";

/** An object that answers calls. */
type CallableObject = ReturnType<Parameters<typeof createUnaryTransport>[0]>;

/** The objects of one class, by name. Every name has one; asking for it creates nothing. */
interface Objects {
  getByName(name: string): CallableObject;
}

/** The part of the Worker's environment that leads to agents and processors. */
export interface BridgeEnv {
  /** One object per processor, named `<agent>/<processor id>`. */
  readonly PROCESSORS: Objects;
  /** One object per agent, named by it. */
  readonly AGENTS: Objects;
}

/** Reaches the Durable Objects of an environment. */
export function switchboardOf({ PROCESSORS, AGENTS }: BridgeEnv): Switchboard {
  return {
    agent: (agent) => createUnaryTransport(() => AGENTS.getByName(agent)),
    processor: (agent, id, { calledName }) => {
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
