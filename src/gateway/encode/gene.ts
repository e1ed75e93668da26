/** Writes genes as JSON text. */

import type { GeneValue } from "../../gen/noema/v1/gene_pb";
import type { ChangeGenesResponse, GetGenesResponse } from "../../gen/noema/v1/gene_service_pb";
import { number, object, text } from "../json/writer";
import { okay, type Stamped } from "./envelope";

/** The message of the original agent, with status okay, for a gene that it does not know or a value that it refuses. */
const FAULTY = "faulty-genes-provided";

/** The answer to genes that the processor refuses. The reason is a member beside the message. */
export function encodeFaultyGenes(reply: Stamped, reason: string): string {
  return okay(reply, text(FAULTY), { detail: text(reason) });
}

/** The answer of genes/change. */
export function encodeChangeGenes(reply: ChangeGenesResponse): string {
  return reply.refusal === "" ? okay(reply, '"updated-genes"') : encodeFaultyGenes(reply, reply.refusal);
}

/**
 * The answer of gene/<gene>: the value as a string.
 *
 * @throws Error when the processor sends neither the gene nor a reason
 */
export function encodeGene(reply: GetGenesResponse): string {
  if (reply.refusal !== "") return encodeFaultyGenes(reply, reply.refusal);
  const [gene] = reply.genes;
  if (gene === undefined) throw new Error("a processor answered neither with the gene nor with a refusal");
  return okay(reply, text(gene.text));
}

/** The answer of all-genes. */
export function encodeAllGenes(reply: GetGenesResponse): string {
  const genes = object(reply.genes.map((gene) => [gene.name, geneValue(gene.value)]));
  return okay(reply, `{"genes":${genes}}`);
}

/**
 * The value of a gene.
 *
 * @throws Error when there is none
 */
export function geneValue(value: Pick<GeneValue, "value"> | undefined): string {
  const given = value?.value;
  switch (given?.case) {
    case "flag":
      return String(given.value);
    case "number":
      return number(given.value);
    case "text":
      return text(given.value);
    default:
      throw new Error("a processor named a gene without its value");
  }
}
