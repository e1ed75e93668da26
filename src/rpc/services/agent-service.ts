/** AgentService and RosterService: an agent's genome, and the calls of processors to their agent. */

import type { DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { AgentService, type GenomeChangeSchema } from "../../gen/noema/v1/agent_service_pb";
import { RosterService } from "../../gen/noema/v1/provisioning_service_pb";
import type { Place } from "../../text/placement";
import { methodPath } from "../transport/unary";
import { toConnectError } from "./connect-error";
import type { Registrar } from "./serve";

/** An agent's genome at one revision. */
export interface GenomeReading {
  /** JSON text, byte for byte as given. */
  json: string;
  /** Grows with every genome given to the agent; at least 1. */
  revision: number;
  /** The identifiers of the processors whose genes may differ from their nodes. */
  tuned: string[];
  /** The places of processors that have one, by identifier. */
  places: ReadonlyMap<string, Place>;
}

/** Where a processor of an agent is. */
export interface ProcessorLocation extends Place {
  /** The URL of the server that has it; empty for an object of this deployment. */
  endpoint: string;
}

/** The effect of a change of genomes on the agent's processors. */
type ProcessorChanges = MessageInitShape<typeof GenomeChangeSchema>;

/** The result of a hotswap. */
export interface HotswapOutcome {
  /** The genome's revision. */
  revision: number;
  change: ProcessorChanges;
}

/** Owns one agent's genome. */
export interface AgentHost {
  /**
   * The genome. When this resolves, its processors are in service, except processors of a large genome that were never
   * called.
   *
   * @param wanted the identifier or friendly name of a processor to put into service too, if the genome has it
   * @throws ConnectError `NotFound` when there is no such agent
   */
  genome(wanted?: string): Promise<GenomeReading>;
  /**
   * Replaces the genome. When this resolves, its processors are in service, and those that it dropped are not.
   *
   * @param purge whether to delete the data of processors that it drops, and of those dropped earlier
   * @throws Fault `invalid` when the text is not a genome; nothing has changed
   */
  hotswap(json: string, purge: boolean): Promise<HotswapOutcome>;
  /**
   * Says what `hotswap` would do, and changes nothing.
   *
   * @throws Fault `invalid` when the text is not a genome
   */
  previewHotswap(json: string, purge: boolean): Promise<ProcessorChanges>;
  /** Notes that the genes of a processor are about to differ from its node. */
  noteTuned(id: string): Promise<void>;
  /**
   * Where a processor is; an object of this deployment is in service when this resolves. `undefined` if the genome has
   * no processor with this identifier.
   */
  locate(id: string): Promise<ProcessorLocation | undefined>;
  /**
   * Notes that the agent of this name lives in a jurisdiction.
   *
   * @throws ConnectError `FailedPrecondition` when it lives elsewhere
   */
  noteJurisdiction(jurisdiction: string): void;
}

/** Registers the services of an agent. */
export function registerAgent(registrar: Registrar, host: AgentHost): void {
  registrar.service(AgentService, agentService(host));
  registrar.service(RosterService, rosterService(host));
}

function agentService(host: AgentHost): ServiceImpl<typeof AgentService> {
  const { method } = AgentService;
  return {
    getGenome: ({ knownRevision, wanted }) =>
      withConnectErrors(method.getGenome, async () => {
        const { json, revision, tuned, places } = await host.genome(wanted);
        if (revision === knownRevision) return { genomeJson: "", revision, tuned };
        const placed = Array.from(places, ([id, place]) => ({ id, ...place }));
        return { genomeJson: json, revision, tuned, placed };
      }),
    hotswap: ({ genomeJson, purge }) => withConnectErrors(method.hotswap, () => host.hotswap(genomeJson, purge)),
    previewHotswap: ({ genomeJson, purge }) =>
      withConnectErrors(method.previewHotswap, async () => ({ change: await host.previewHotswap(genomeJson, purge) })),
  };
}

function rosterService(host: AgentHost): ServiceImpl<typeof RosterService> {
  const { method } = RosterService;
  return {
    noteTuned: ({ id }) =>
      withConnectErrors(method.noteTuned, async () => {
        await host.noteTuned(id);
        return {};
      }),
    findProcessor: ({ id }) =>
      withConnectErrors(method.findProcessor, async () => {
        const address = await host.locate(id);
        return { found: address !== undefined, ...address };
      }),
    noteJurisdiction: ({ jurisdiction }) =>
      withConnectErrors(method.noteJurisdiction, async () => {
        host.noteJurisdiction(jurisdiction);
        return {};
      }),
  };
}

/** Answers a call of `rpc`, and converts anything thrown into the caller's error. */
export async function withConnectErrors<Reply>(rpc: DescMethod, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    throw toConnectError(error, methodPath(rpc));
  }
}
