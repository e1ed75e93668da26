/** GeneService and EncoderService: the configuration of a processor. */

import type { DescMethod } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { EncoderService } from "../../gen/noema/v1/encoder_service_pb";
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
    getGenes: serve(method.getGenes, (processor, { name, complete }) => processor.genes.get(name, complete)),
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

/** Implements the service by the processor's verbs. */
export function encoderService(serve: Serve): ServiceImpl<typeof EncoderService> {
  const { getEncoders, putEncoder, deleteEncoder } = EncoderService.method;
  return {
    getEncoders: serve(getEncoders, (processor, { name }) => processor.encoders.get(name)),
    putEncoder: serve(putEncoder, (processor, { name, encoderJson }) => processor.encoders.put(name, encoderJson)),
    deleteEncoder: serve(deleteEncoder, (processor, { name }) => processor.encoders.delete(name)),
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
