/** AgentService and RosterService: an agent's genome, and what processors tell their agent. */

import type { ServiceImpl } from "@connectrpc/connect";
import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import { RosterService } from "../../gen/noema/v1/provisioning_service_pb";
import { methodPath } from "../transport/method-path";
import type { Registrar } from "./host";
import { travelling } from "./serve";

/** A genome as an agent has it. */
export interface GenomeReading {
  /** JSON text. */
  json: string;
  /** Grows with every genome that the agent is given; at least 1. */
  revision: number;
  /** The identifiers of processors whose genes may differ from what their nodes say. */
  tuned: string[];
}

/** Holds one agent's genome. */
export interface GenomeKeeper {
  /**
   * The genome. Its processors are in service when this resolves, but for those of a large one that nobody has wanted yet.
   *
   * @param wanted the identifier or friendly name of a processor that is to be in service, when the genome has it
   */
  genome(wanted?: string): Promise<GenomeReading>;
  /**
   * Replaces the genome. Its processors are in service, and those that went are not, when this resolves.
   *
   * @param purge delete the data of processors that went, now or before
   * @returns the genome's revision
   * @throws Fault `invalid` when it is no genome; nothing has changed
   */
  hotswap(json: string, purge: boolean): Promise<number>;
  /** Notes that the genes of a processor are about to differ from what its node says. */
  noteTuned(id: string): void;
  /**
   * Where a processor is served, empty for an object of the deployment, which is in service when this resolves; `undefined` when the
   * genome has none of this identifier.
   */
  endpointOf(id: string): Promise<string | undefined>;
}

/** Registers the services of an agent. */
export function registerAgent(registrar: Registrar, keeper: GenomeKeeper): void {
  registrar.service(AgentService, agentService(keeper));
  registrar.service(RosterService, rosterService(keeper));
}

/** Implements AgentService by what owns the genome. */
export function agentService(keeper: GenomeKeeper): ServiceImpl<typeof AgentService> {
  const { method } = AgentService;
  return {
    getGenome: ({ knownRevision, wanted }) =>
      guarded(methodPath(method.getGenome), async () => {
        const { json, revision, tuned } = await keeper.genome(wanted);
        return { genomeJson: revision === knownRevision ? "" : json, revision, tuned };
      }),
    hotswap: ({ genomeJson, purge }) =>
      guarded(methodPath(method.hotswap), async () => ({ revision: await keeper.hotswap(genomeJson, purge) })),
  };
}

function rosterService(keeper: GenomeKeeper): ServiceImpl<typeof RosterService> {
  const { method } = RosterService;
  return {
    noteTuned: ({ id }) =>
      guarded(methodPath(method.noteTuned), async () => {
        keeper.noteTuned(id);
        return {};
      }),
    findProcessor: ({ id }) =>
      guarded(methodPath(method.findProcessor), async () => {
        const endpoint = await keeper.endpointOf(id);
        return { found: endpoint !== undefined, endpoint: endpoint ?? "" };
      }),
  };
}

async function guarded<Reply>(path: string, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    throw travelling(error, path, () => undefined);
  }
}
