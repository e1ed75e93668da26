/** GeneService: the configuration of a processor. */

import type { ServiceImpl } from "@connectrpc/connect";
import { GeneService } from "../gen/noema/v1/gene_service_pb";
import type { Serve } from "./serve";

const { method } = GeneService;

/** Implements the service by the processor's verbs. */
export function geneService(serve: Serve): ServiceImpl<typeof GeneService> {
  return {
    getGenes: serve(method.getGenes, (processor, { name }) => processor.getGenes(name)),
    changeGenes: serve(method.changeGenes, (processor, { changes }) => processor.changeGenes(changes)),
    incrementRecallThreshold: serve(method.incrementRecallThreshold, (processor, { increment }) =>
      processor.incrementRecallThreshold(increment),
    ),
  };
}
