/** Symbols, learned vectors and the blacklist of a processor. */

import type { ChangedModels, SymbolRecord, VectorRecord } from "./gen/operations";
import { type Message, message } from "./transport/call";
import type { Processor } from "./transport/connection";
import type { CallOptions, WriteOptions } from "./transport/exchange";
import { segment } from "./transport/names";

/**
 * The new name of each changed model by its old one: a hash, or `deleted` if no symbol was left. Empty
 * if no model has changed.
 */
export type Renamed = { readonly [hash: string]: string };

/**
 * A symbol with its counters, or `null` if the symbol is unknown.
 *
 * @throws TypeError if the symbol is empty, `.` or `..`: no path can carry these
 */
export async function getSymbol(
  processor: Processor,
  symbol: string,
  options?: CallOptions,
): Promise<SymbolRecord | null> {
  const path = `symbol/${segment("a symbol", symbol)}`;
  return message(processor, { operation: "getSymbol", method: "GET", path, repeats: "read" }, options);
}

/**
 * A learned vector.
 *
 * @param vector its name, `VECTOR|<hash>`
 */
export function getVector(
  processor: Processor,
  vector: string,
  options?: CallOptions,
): Promise<VectorRecord | Record<string, never>> {
  const path = `vector?data=${encodeURIComponent(vector)}`;
  const call = { operation: "getVector", method: "GET", path, repeats: "read" } as const;
  return message(processor, call, options) as Promise<VectorRecord | Record<string, never>>;
}

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

/** Blacklists symbols, at most 100,000: later observations drop them. */
export function addBlacklistedSymbols(
  processor: Processor,
  symbols: readonly string[],
  options?: WriteOptions,
): Promise<Message<"addBlacklistedSymbols">> {
  const [path, body] = ["blacklisted-symbols/add", { data: symbols }];
  const call = { operation: "addBlacklistedSymbols", method: "POST", path, repeats: "keyed", body } as const;
  return message(processor, call, options);
}

/** The blacklisted symbols in the order in which they were added. */
export function listBlacklistedSymbols(processor: Processor, options?: CallOptions): Promise<string[]> {
  const path = "list-blacklisted-symbols";
  return message(processor, { operation: "listBlacklistedSymbols", method: "GET", path, repeats: "read" }, options);
}

/**
 * Takes symbols off the blacklist. The answer says whether some were not on it; the others are removed all the same.
 */
export function removeBlacklistedSymbols(
  processor: Processor,
  symbols: readonly string[],
  options?: WriteOptions,
): Promise<Message<"removeBlacklistedSymbols">> {
  const [path, body] = ["blacklisted-symbols/remove", { data: symbols }];
  const call = { operation: "removeBlacklistedSymbols", method: "DELETE", path, repeats: "keyed", body } as const;
  return message(processor, call, options);
}

function renamedIn({ models = {} }: ChangedModels): Renamed {
  return models;
}
