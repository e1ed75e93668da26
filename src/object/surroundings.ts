/** The ways from an object to its agent and to other processors. */

import { createEndpointTransport } from "../rpc/transport/endpoint-transport";
import { createUnaryTransport } from "../rpc/transport/unary-transport";
import type { ObjectEnv } from "./env";
import type { Surroundings } from "./postman";

/** The ways that an environment offers. */
export function surroundingsOf(env: ObjectEnv): Surroundings {
  const { AGENTS, PROCESSORS } = env;
  return {
    agent: (agent) => createUnaryTransport(() => AGENTS.getByName(agent)),
    processor: (agent, id, endpoint) =>
      endpoint === ""
        ? createUnaryTransport(() => PROCESSORS.getByName(`${agent}/${id}`))
        : createEndpointTransport(endpoint, id, env),
  };
}
