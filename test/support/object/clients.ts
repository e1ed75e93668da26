/** Clients of the objects over the unary path, for tests inside workerd. */

import { env } from "cloudflare:test";
import { type Client, createClient } from "@connectrpc/connect";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { AlertService } from "../../../src/gen/noema/v1/alert_service_pb";
import { GeneService } from "../../../src/gen/noema/v1/gene_service_pb";
import { IncidentService } from "../../../src/gen/noema/v1/incident_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { KnowledgeSection, KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../../src/gen/noema/v1/mode_service_pb";
import { ProvisioningService } from "../../../src/gen/noema/v1/provisioning_service_pb";
import { createUnaryTransport } from "../../../src/rpc/transport/unary-transport";

/** The services of one processor. */
export interface ProcessorClient {
  /** The object's name. */
  name: string;
  alerts: Client<typeof AlertService>;
  genes: Client<typeof GeneService>;
  incidents: Client<typeof IncidentService>;
  inspection: Client<typeof InspectionService>;
  knowledge: Client<typeof KnowledgeService>;
  memory: Client<typeof MemoryService>;
  modes: Client<typeof ModeService>;
  provisioning: Client<typeof ProvisioningService>;
}

/** A processor's object by name; it has not been provisioned. @param session the session that calls are about, if any */
export function processorNamed(name: string, session?: string): ProcessorClient {
  const transport = createUnaryTransport(
    () => env.PROCESSORS.getByName(name),
    () => ({ name, id: "" }),
    session === undefined ? undefined : { session },
  );
  return {
    name,
    alerts: createClient(AlertService, transport),
    genes: createClient(GeneService, transport),
    incidents: createClient(IncidentService, transport),
    inspection: createClient(InspectionService, transport),
    knowledge: createClient(KnowledgeService, transport),
    memory: createClient(MemoryService, transport),
    modes: createClient(ModeService, transport),
    provisioning: createClient(ProvisioningService, transport),
  };
}

/** The same processor in a session: calls that are about one memory are about the session's. */
export function inSession(own: ProcessorClient, session: string): ProcessorClient {
  const { inspection, memory, modes } = processorNamed(own.name, session);
  return {
    ...own,
    inspection: { ...own.inspection, getStatus: inspection.getStatus },
    memory: { ...memory, clearAllMemory: own.memory.clearAllMemory },
    modes: { ...own.modes, setTargetClass: modes.setTargetClass },
  };
}

/** A processor in service, in an object of its own. */
export async function newProcessor(): Promise<ProcessorClient> {
  const processor = processorNamed(`test/${crypto.randomUUID()}`);
  await processor.provisioning.provision({ id: "p1", name: "P1" });
  return processor;
}

/** An agent by name. */
export function agentNamed(name: string): Client<typeof AgentService> {
  return createClient(
    AgentService,
    createUnaryTransport(
      () => env.AGENTS.getByName(name),
      () => ({ name, id: "" }),
    ),
  );
}

/** Everything that the services show of a processor. */
export async function viewOf({ genes, inspection, knowledge, memory }: ProcessorClient) {
  return {
    status: await inspection.getStatus({}),
    // How many bytes are held depends on how the processor came into memory: spare room of what grew one by one is different.
    info: { ...(await inspection.getInfo({})), memoryBytes: 0 },
    genes: await genes.getGenes({}),
    workingMemory: await memory.getWorkingMemory({}),
    percept: await memory.getPercept({}),
    cognition: await memory.getCognition({}),
    predictions: await memory.getPredictions({}),
    models: await knowledge.exportKnowledge({ section: KnowledgeSection.MODELS }),
    symbols: await knowledge.exportKnowledge({ section: KnowledgeSection.SYMBOLS }),
    vectors: await knowledge.exportKnowledge({ section: KnowledgeSection.VECTORS }),
    blacklist: await knowledge.listBlacklistedSymbols({}),
  };
}
