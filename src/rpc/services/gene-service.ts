/** GeneService: the configuration of a processor. */

import type { DescMethod } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import { methodPath } from "../transport/unary";
import { toConnectError } from "./connect-error";
import type { ProcessorHost, Serve } from "./serve";

const { method } = GeneService;

/** Implements the service by the processor's verbs. */
export function geneService(serve: Serve, host: ProcessorHost): ServiceImpl<typeof GeneService> {
  const change = serve(method.changeGenes, (processor, { changes }) => processor.genes.change(changes));
  const increment = serve(method.incrementRecallThreshold, (processor, request) =>
    processor.genes.incrementRecallThreshold(request.increment),
  );
  return {
    getGenes: serve(method.getGenes, (processor, { name }) => processor.genes.get(name)),
    changeGenes: async (request, context) => {
      await prepareTuning(host, method.changeGenes);
      return change(request, context);
    },
    incrementRecallThreshold: async (request, context) => {
      await prepareTuning(host, method.incrementRecallThreshold);
      return increment(request, context);
    },
  };
}

/** Waits until the host allows genes to change. */
async function prepareTuning(host: ProcessorHost, rpc: DescMethod): Promise<void> {
  try {
    await host.beforeTuning?.();
  } catch (error) {
    throw toConnectError(error, methodPath(rpc));
  }
}
