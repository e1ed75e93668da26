/** GeneService: the configuration of a processor. */

import type { ServiceImpl } from "@connectrpc/connect";
import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { methodPath } from "../transport/method-path";
import type { ProcessorHost } from "./host";
import { type Serve, travelling } from "./serve";

const { method } = GeneService;

/** Implements the service by the processor's verbs. */
export function geneService(serve: Serve, host: ProcessorHost): ServiceImpl<typeof GeneService> {
  const change = serve(method.changeGenes, (processor, { changes }) => processor.genes.change(changes));
  const increment = serve(method.incrementRecallThreshold, (processor, request) =>
    processor.genes.incrementRecallThreshold(request.increment),
  );
  return {
    getGenes: serve(method.getGenes, (processor, { name }) => processor.genes.get(name)),
    changeGenes: async (request) => {
      await prepared(host, methodPath(method.changeGenes));
      return change(request);
    },
    incrementRecallThreshold: async (request) => {
      await prepared(host, methodPath(method.incrementRecallThreshold));
      return increment(request);
    },
  };
}

async function prepared(host: ProcessorHost, path: string): Promise<void> {
  try {
    await host.beforeTuning?.();
  } catch (error) {
    throw travelling(error, path, () => undefined);
  }
}
