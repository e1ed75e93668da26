/** The genes of a processor. A refused gene is an error, although its answer is okay. */

import type { GeneChanges } from "./gen/operations";
import { envelope, type Message } from "./transport/call";
import type { Processor } from "./transport/connection";
import type { CallOptions, WriteOptions } from "./transport/exchange";
import { segment } from "./transport/names";
import { NoemaError } from "./transport/noema-error";

/**
 * One gene as text: numbers with a fraction have six decimals.
 *
 * @throws NoemaError if there is no such gene
 */
export async function getGene(processor: Processor, gene: string, options?: CallOptions): Promise<string> {
  const path = `gene/${segment("the name of a gene", gene)}`;
  const answer = await envelope(processor, { operation: "getGene", method: "GET", path, repeats: "read" }, options);
  return notFaulty(answer, "getGene").message;
}

/**
 * Changes genes, all or none. docs/genes.md has their meanings, units and ranges.
 *
 * @throws NoemaError if a name or a value is not accepted; then nothing has changed
 */
export async function changeGenes(
  processor: Processor,
  changes: GeneChanges,
  options?: WriteOptions,
): Promise<Message<"changeGenes">> {
  const [path, body] = ["genes/change", { data: changes }];
  const call = { operation: "changeGenes", method: "POST", path, repeats: "keyed", body } as const;
  return notFaulty(await envelope(processor, call, options), "changeGenes").message;
}

/** Checks an answer about genes: its status is okay even if nothing was done. */
function notFaulty<A extends { readonly message: unknown; readonly detail?: string }>(answer: A, operation: string): A {
  if (answer.message !== "faulty-genes-provided") return answer;
  throw new NoemaError(answer.detail ?? answer.message, { operation, status: 200 });
}
