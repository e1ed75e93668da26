/** InspectionService: a processor's reports about itself. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { InspectionService } from "../../gen/noema/v1/inspection_service_pb";
import type { ProcessorHost, Serve } from "./serve";

const { method } = InspectionService;

/** The build of the running software. */
export interface Build {
  /** Semantic version, for example `1.0.0`. */
  version: string;
  /** When it was built, ISO 8601. */
  date: string;
  /** The build number, as text. */
  number: string;
}

/** Implements the service by the processor's verbs. */
export function inspectionService(
  serve: Serve,
  host: ProcessorHost,
  build: Build,
): ServiceImpl<typeof InspectionService> {
  const ofProcessor = serve(method.getUsage, (processor) => processor.inspection.getUsage());
  const info = serve(method.getInfo, (processor) => ({ ...processor.inspection.getInfo(), ...about }));
  const infoWithParts: typeof info = async (request, context) => {
    // First, because the total bytes are those last reported.
    const parts = (await host.parts?.()) ?? [];
    return Object.assign(await info(request, context), { parts: [...parts] });
  };
  const noLinks = serve(method.getLinks, () => ({}));
  const about = { version: build.version, buildDate: build.date, buildNumber: build.number };
  return {
    ping: serve(method.ping, () => ({})),
    getStatus: serve(method.getStatus, (processor) => processor.inspection.getStatus()),
    getUsage: (request, context) => usageOf(host) ?? ofProcessor(request, context),
    getLinks: (request, context) => linksOf(host) ?? noLinks(request, context),
    getInfo: (request, context) => (host.isSplit ? infoWithParts(request, context) : info(request, context)),
  };
}

/** A host's answer without the processor; `undefined` if it has none. */
function usageOf(host: ProcessorHost): MessageInitShape<typeof method.getUsage.output> | undefined {
  const usage = host.usage?.();
  if (usage === undefined) return undefined;
  const { memoryBytes, ...rest } = usage;
  return memoryBytes === undefined ? rest : { ...rest, memoryBytes };
}

function linksOf(host: ProcessorHost): MessageInitShape<typeof method.getLinks.output> | undefined {
  const toldOthers = host.toldOthers?.();
  return toldOthers === undefined ? undefined : { ...toldOthers, links: [...toldOthers.links] };
}
