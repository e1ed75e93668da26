/** The services of a processor as one: whoever owns a processor registers them all. */

import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../../gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../gen/noema/v1/memory_service_pb";
import { ModeService } from "../../gen/noema/v1/mode_service_pb";
import { useQuickTextEncoding } from "../transport/text-encoding";
import { geneService } from "./gene-service";
import type { ProcessorHost, Registrar } from "./host";
import { type Build, inspectionService } from "./inspection-service";
import { knowledgeService } from "./knowledge-service";
import { memoryService } from "./memory-service";
import { modeService } from "./mode-service";
import { serveOn } from "./serve";

// Wherever a processor is served: the library's own decoder drops the first character of a text that is a byte order mark.
useQuickTextEncoding();

/**
 * Registers every service of a processor but provisioning, which is its owner's.
 *
 * @param host owns the processor
 * @param build what the processor says of its software
 */
export function registerProcessor(registrar: Registrar, host: ProcessorHost, build: Build): void {
  const serve = serveOn(host);
  registrar.service(MemoryService, memoryService(serve));
  registrar.service(GeneService, geneService(serve, host));
  registrar.service(ModeService, modeService(serve));
  registrar.service(InspectionService, inspectionService(serve, build));
  registrar.service(KnowledgeService, knowledgeService(serve));
}
