/** InspectionService: what a processor says about itself. */

import type { ServiceImpl } from "@connectrpc/connect";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import type { Serve } from "./serve";

const { method } = InspectionService;

/** The build of the software that is running. */
export interface Build {
  /** Semantic version, for example `0.1.0`. */
  version: string;
  /** When it was built, ISO 8601. */
  date: string;
  /** The build number, as text. */
  number: string;
}

/** Implements the service by the processor's verbs. */
export function inspectionService(serve: Serve, build: Build): ServiceImpl<typeof InspectionService> {
  const about = { version: build.version, buildDate: build.date, buildNumber: build.number };
  return {
    ping: serve(method.ping, () => ({})),
    getStatus: serve(method.getStatus, (processor) => processor.inspection.getStatus()),
    getInfo: serve(method.getInfo, (processor) => ({ ...processor.inspection.getInfo(), ...about })),
  };
}
