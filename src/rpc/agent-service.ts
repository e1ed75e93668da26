/** AgentService: an agent's genome. */

import type { ServiceImpl } from "@connectrpc/connect";
import { AgentService } from "../gen/noema/v1/agent_service_pb";
import { methodPath } from "./method-path";
import { travelling } from "./serve";

const { method } = AgentService;

/** Holds one agent's genome. */
export interface GenomeKeeper {
  /** The genome as JSON text. Its processors are in service when this resolves. */
  genome(): Promise<string>;
}

/** Implements the service by what owns the genome. */
export function agentService(keeper: GenomeKeeper): ServiceImpl<typeof AgentService> {
  return {
    getGenome: async () => {
      try {
        return { genomeJson: await keeper.genome() };
      } catch (error) {
        throw travelling(error, methodPath(method.getGenome), () => undefined);
      }
    },
  };
}
