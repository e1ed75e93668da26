/** The ways from an object to its agent and to other processors. */

import { createUnaryTransport } from "../rpc/unary-transport";
import type { ObjectEnv } from "./env";
import type { Surroundings } from "./postman";

/** The ways that an environment offers. */
export function surroundingsOf({ AGENTS, PROCESSORS }: ObjectEnv): Surroundings {
  return {
    agent: (agent) => createUnaryTransport(() => AGENTS.getByName(agent)),
    processor: (agent, id) => createUnaryTransport(() => PROCESSORS.getByName(`${agent}/${id}`)),
  };
}
