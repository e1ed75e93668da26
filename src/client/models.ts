/**
 * Learned models: reading, changing and finding them. A model is named by its hash, with `MODEL|` before it or without.
 */

import type { Forgetting, Model, ModelChange, ModelHash, ModelToAdd, Prediction } from "./gen/operations";
import { type Message, message } from "./transport/call";
import type { Processor } from "./transport/connection";
import type { CallOptions, WriteOptions } from "./transport/exchange";
import { checked } from "./transport/members";
import { segment } from "./transport/names";

const pathOf = (model: string) => `model/${segment("the name of a model", model)}`;

/** A model, or an empty object if there is none with this name. */
export async function getModel(
  processor: Processor,
  model: string,
  options?: CallOptions,
): Promise<Model | Record<string, never>> {
  const call = { operation: "getModel", method: "GET", path: pathOf(model), repeats: "read" } as const;
  return message(processor, call, options) as Promise<Model | Record<string, never>>;
}

/** Deletes a model. Answers `"model-not-found"` if there is none with this name. */
export async function deleteModel(
  processor: Processor,
  model: string,
  options?: WriteOptions,
): Promise<Message<"deleteModel">> {
  const path = pathOf(model);
  return message(processor, { operation: "deleteModel", method: "DELETE", path, repeats: "keyed" }, options);
}

/**
 * Replaces members of a model. A new sequence gives it a new name.
 *
 * @returns its new hash, or `"failed-to-update-model"` if there is none with this name
 * @throws NoemaError 400 if a value is not accepted, 413 if the sequence has more than 250,000 symbols and events
 */
export async function updateModel(
  processor: Processor,
  model: string,
  change: ModelChange,
  options?: WriteOptions,
): Promise<Message<"updateModel">> {
  checked("updateModel", "member", change, {
    sequence: 1,
    frequency: 1,
    emotives: 1,
    metadata: 1,
    length: 1,
    name: 1,
    predecessor_model: 1,
  });
  const [path, body] = [pathOf(model), { model: change }];
  return message(processor, { operation: "updateModel", method: "PUT", path, repeats: "keyed", body }, options);
}

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
 * Forgets rarely learned models: first those learned fewer than `frequency_below` times, then the least frequent of the
 * others, oldest first among equals, until `keep_at_most` are left.
 *
 * @returns the number forgotten, or with `dry_run` the number that would be
 * @throws NoemaError 400 if a value is not accepted
 */
export async function forgetModels(processor: Processor, which: Forgetting, options?: WriteOptions): Promise<number> {
  checked("forgetModels", "member", which, { frequency_below: 1, keep_at_most: 1, dry_run: 1 });
  const [path, body] = ["forget", { data: which }];
  const call = { operation: "forgetModels", method: "POST", path, repeats: "keyed", body } as const;
  return (await message(processor, call, options)).models;
}

/** The hashes of the models that hold all of the symbols, at most 250,000. */
export async function findModelsWithSymbols(
  processor: Processor,
  symbols: readonly string[],
  options?: CallOptions,
): Promise<ModelHash[]> {
  const [path, body] = ["get-models-with-symbols", { data: symbols }];
  const call = { operation: "findModelsWithSymbols", method: "POST", path, repeats: "read", body } as const;
  return (await message(processor, call, options)).model_list;
}

/**
 * The hashes of the models in which every pattern matches a whole symbol, at most 250,000.
 *
 * @param patterns regular expressions as for Python's `re`, 1 to 256
 */
export async function findModelsWithPatterns(
  processor: Processor,
  patterns: readonly string[],
  options?: CallOptions,
): Promise<ModelHash[]> {
  const [path, body] = ["get-models-with-patterns", { data: patterns }];
  const call = { operation: "findModelsWithPatterns", method: "POST", path, repeats: "read", body } as const;
  return (await message(processor, call, options)).model_list;
}

/** What would be predicted if the model's sequence were in working memory, best first. */
export async function getPredictionsForModel(
  processor: Processor,
  model: string,
  options?: CallOptions,
): Promise<Prediction[]> {
  const path = `prediction-ensemble-for-model/${segment("the name of a model", model)}`;
  return message(processor, { operation: "getPredictionsForModel", method: "GET", path, repeats: "read" }, options);
}
