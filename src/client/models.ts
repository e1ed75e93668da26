/** Adding models, and removing symbols from all of them. */

import type { ChangedModels, Model, ModelHash, ModelToAdd } from "./gen/operations";
import { message } from "./transport/call";
import type { Processor } from "./transport/connection";
import type { WriteOptions } from "./transport/exchange";
import { checked } from "./transport/members";

/**
 * Adds a model as if the processor had learned it.
 *
 * @returns its hash
 * @throws NoemaError 400 if a value is not accepted, 413 if the sequence has more than 250,000 symbols and events
 */
export async function addModel(processor: Processor, model: ModelToAdd, options?: WriteOptions): Promise<ModelHash> {
  // Accept all members of a model read elsewhere, although the others follow from its sequence.
  checked<ModelToAdd | Model>("a model", "member", model, {
    sequence: 1,
    vector: 1,
    frequency: 1,
    emotives: 1,
    metadata: 1,
    length: 1,
    name: 1,
    predecessor_model: 1,
  });
  const call = { operation: "addModel", method: "PUT", path: "add-model", repeats: "keyed", body: model } as const;
  return (await message(processor, call, options)).name;
}

/**
 * The new name of each changed model by its old one: a hash, or `deleted` if no symbol was left. Empty
 * if no model has changed.
 */
export type Renamed = { readonly [hash: string]: string };

/**
 * Removes symbols, at most 100,000, from all models, and blacklists them.
 *
 * @throws NoemaError 413 if more than about 12,000 models would change; with `retries: 0` they can
 */
export async function removeSymbols(
  processor: Processor,
  symbols: readonly string[],
  options?: WriteOptions,
): Promise<Renamed> {
  const [path, body] = ["symbols/remove", { data: symbols }];
  const call = { operation: "removeSymbols", method: "POST", path, repeats: "keyed", body } as const;
  return renamedIn(await message(processor, call, options));
}

/**
 * Removes the symbols that the patterns match from all models, without blacklisting them.
 *
 * @param patterns regular expressions as for Python's `re`, 1 to 256; each must match a whole symbol
 * @throws NoemaError 413 if more than about 12,000 models would change; with `retries: 0` they can
 */
export async function removePatterns(
  processor: Processor,
  patterns: readonly string[],
  options?: WriteOptions,
): Promise<Renamed> {
  const [path, body] = ["patterns/remove", { data: patterns }];
  const call = { operation: "removePatterns", method: "DELETE", path, repeats: "keyed", body } as const;
  return renamedIn(await message(processor, call, options));
}

function renamedIn({ models = {} }: ChangedModels): Renamed {
  return models;
}
