/** GeneService: the configuration of a processor. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { GeneSchema } from "../../gen/noema/v1/gene_pb";
import { GeneService } from "../../gen/noema/v1/gene_service_pb";
import type { Gene, GeneValue } from "../../processor/genes/genes";
import { GENES, type GeneDeclaration, type GeneName, genomeSettingOf } from "../../processor/genes/table";
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
    getGenes: serve(method.getGenes, (processor, { name }) => {
      const { genes, refusal } = processor.genes.get(name);
      return { genes: genes.map(withGenomeSetting), refusal };
    }),
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

/** A gene with its setting in a genome, where a switch is true or false whatever words it is printed with. */
function withGenomeSetting(gene: Gene): MessageInitShape<typeof GeneSchema> {
  const name = gene.name as GeneName;
  const declaration: GeneDeclaration = GENES[name];
  const { value } = gene.value.value;
  const isWord = declaration.kind === "flag" && typeof value === "string";
  const genomeValue: GeneValue = isWord ? { value: { case: "flag", value: value === declaration.on } } : gene.value;
  return { ...gene, genomeName: genomeSettingOf(name), genomeValue };
}
