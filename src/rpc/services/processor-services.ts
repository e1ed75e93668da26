/** Registers the services of a processor, all at once. */

import { EncoderService } from "../../gen/noema/v1/encoder_service_pb";
import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { IncidentService } from "../../gen/noema/v1/incident_service_pb";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../../gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../gen/noema/v1/memory_service_pb";
import { ModeService } from "../../gen/noema/v1/mode_service_pb";
import { useFastTextEncoding } from "../transport/text-encoding";
import { encoderService, geneService } from "./configuration-services";
import { incidentService } from "./incident-service";
import { type Build, inspectionService } from "./inspection-service";
import { knowledgeService } from "./knowledge-service";
import { memoryService } from "./memory-service";
import { modeService } from "./mode-service";
import { type ProcessorHost, type Registrar, serveOn } from "./serve";

// Even without a unary path, because the library's own decoder drops a byte order mark at the start of a text.
useFastTextEncoding();

/**
 * Registers every service of a processor except ProvisioningService, which the owner of the processor registers.
 *
 * @param host owns the processor
 * @param build the build of the software, for GetInfo
 */
export function registerProcessor(registrar: Registrar, host: ProcessorHost, build: Build): void {
  const serve = serveOn(host);
  registrar.service(MemoryService, memoryService(serve));
  registrar.service(GeneService, geneService(serve, host));
  registrar.service(EncoderService, encoderService(serve));
  registrar.service(ModeService, modeService(serve));
  registrar.service(InspectionService, inspectionService(serve, host, build));
  registrar.service(IncidentService, incidentService(serve, host));
  registrar.service(KnowledgeService, knowledgeService(serve, host));
}
