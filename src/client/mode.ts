/** The flags of a processor, its genes, and the target class of a memory. */

import type { GeneChanges, Genes } from "./gen/operations";
import { envelope, type Message, message } from "./transport/call";
import type { Memory, Processor } from "./transport/connection";
import type { CallOptions, WriteOptions } from "./transport/exchange";
import { segment } from "./transport/names";
import { NoemaError } from "./transport/noema-error";

/** Turns predictions on. */
export function startPredicting(processor: Processor, options?: WriteOptions): Promise<Message<"startPredicting">> {
  const path = "predicting/start";
  return message(processor, { operation: "startPredicting", method: "POST", path, repeats: "keyed" }, options);
}

/** Turns predictions off: observations take less time. */
export function stopPredicting(processor: Processor, options?: WriteOptions): Promise<Message<"stopPredicting">> {
  const path = "predicting/stop";
  return message(processor, { operation: "stopPredicting", method: "POST", path, repeats: "keyed" }, options);
}

/** Turns autolearning on: the genes auto_learn_metric and max_sequence_length decide when the processor learns. */
export function startAutolearning(processor: Processor, options?: WriteOptions): Promise<Message<"startAutolearning">> {
  const path = "autolearning/start";
  return message(processor, { operation: "startAutolearning", method: "POST", path, repeats: "keyed" }, options);
}

/** Turns autolearning off: the processor learns only on request. */
export function stopAutolearning(processor: Processor, options?: WriteOptions): Promise<Message<"stopAutolearning">> {
  const path = "autolearning/stop";
  return message(processor, { operation: "stopAutolearning", method: "POST", path, repeats: "keyed" }, options);
}

/** Clears the processor's own working memory, and ignores observations from now on. */
export function startSleeping(processor: Processor, options?: WriteOptions): Promise<Message<"startSleeping">> {
  const path = "sleeping/start";
  return message(processor, { operation: "startSleeping", method: "POST", path, repeats: "keyed" }, options);
}

/** Accepts observations again. */
export function stopSleeping(processor: Processor, options?: WriteOptions): Promise<Message<"stopSleeping">> {
  const path = "sleeping/stop";
  return message(processor, { operation: "stopSleeping", method: "POST", path, repeats: "keyed" }, options);
}

/** Limits predictions to models whose last event holds the symbol. */
export function setTargetClass(
  memory: Memory,
  symbol: string,
  options?: WriteOptions,
): Promise<Message<"setTargetClass">> {
  const [path, body] = ["set-target-class", { data: symbol }];
  return message(memory, { operation: "setTargetClass", method: "POST", path, repeats: "keyed", body }, options);
}

/** Removes the target class, so that every model can be predicted. */
export function clearTargetClass(memory: Memory, options?: WriteOptions): Promise<Message<"clearTargetClass">> {
  const path = "clear-target-class";
  return message(memory, { operation: "clearTargetClass", method: "POST", path, repeats: "keyed" }, options);
}

/**
 * Adds a number to the gene recall_threshold, which must stay between 0 and 1.
 *
 * @returns the new threshold, with six decimals
 * @throws NoemaError if the sum is out of range
 */
export function incrementRecallThreshold(
  processor: Processor,
  increment: number,
  options?: WriteOptions,
): Promise<Message<"incrementRecallThreshold">> {
  const [path, body] = ["gene/increment-recall-threshold", { increment }];
  const call = { operation: "incrementRecallThreshold", method: "POST", path, repeats: "keyed", body } as const;
  return message(processor, call, options);
}

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

/** All genes by name, SORT first. */
export async function getAllGenes(processor: Processor, options?: CallOptions): Promise<Genes> {
  const path = "all-genes";
  const { genes } = await message(
    processor,
    { operation: "getAllGenes", method: "GET", path, repeats: "read" },
    options,
  );
  return genes;
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
