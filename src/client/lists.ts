/** Lists of models, symbols and learned vectors: sorted and searched by the processor, a page at a time. */

import type { ModelPage, SymbolPage, VectorPage } from "./gen/operations";
import { message } from "./transport/call";
import type { Processor } from "./transport/connection";
import type { CallOptions } from "./transport/exchange";
import { checked } from "./transport/members";

/** Which page of a list. */
export interface PageQuery {
  /** Whether the smallest or the greatest comes first; `desc` if absent. */
  readonly direction?: "asc" | "desc";
  /** The `next` or `previous` of another page in the same order; the first page if absent. */
  readonly cursor?: string;
  /** Maximum number of rows, 1 to 500; 50 if absent. */
  readonly limit?: number;
}

/** Filters for models, which must all hold. */
export interface ModelListQuery extends PageQuery {
  /** What to sort by; `order`, the order of learning, if absent. */
  readonly sort?: "order" | "learned_at" | "frequency" | "length" | "name";
  /** Prefix of the hash. */
  readonly name?: string;
  /** Symbols that a model holds, all of them. */
  readonly symbols?: readonly string[];
  /** Regular expressions as for Python's `re`. Each must match a whole symbol of the model. */
  readonly patterns?: readonly string[];
}

/** Filters for symbols, which must all hold. */
export interface SymbolListQuery extends PageQuery {
  /** What to sort by; `frequency` if absent. */
  readonly sort?: "frequency" | "model_member_frequency" | "name";
  /** Prefix of the symbol. */
  readonly name?: string;
  /** Regular expressions as for Python's `re`. Each must match the whole symbol. */
  readonly patterns?: readonly string[];
}

/** Which learned vectors to list. */
export interface VectorListQuery extends PageQuery {
  /** What to sort by; `order`, the order of learning, if absent. */
  readonly sort?: "order" | "frequency" | "name";
  /** Prefix of the hash. */
  readonly name?: string;
}

/** The members of every query. */
const PAGE = { direction: 1, cursor: 1, limit: 1 } as const;

/** Repeats a parameter for each of its values; leaves out absent ones. */
function path(list: string, values: { readonly [name: string]: string | number | readonly string[] | undefined }) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(name, String(each));
  }
  return query.size === 0 ? list : `${list}?${query}`;
}

/**
 * A page of the models, newest first unless `sort` and `direction` say otherwise.
 *
 * @throws NoemaError 400 if something in the query is not accepted, 413 if the search is too much work
 */
export async function listModels(
  processor: Processor,
  query: ModelListQuery = {},
  options?: CallOptions,
): Promise<ModelPage> {
  const names = { ...PAGE, sort: 1, name: 1, symbols: 1, patterns: 1 } as const;
  const { symbols, patterns, ...others } = checked("the query of listModels", "member", query, names);
  const asked = { ...others, symbol: symbols, pattern: patterns };
  const call = { operation: "listModels", method: "GET", path: path("models", asked), repeats: "read" } as const;
  return message(processor, call, options);
}

/**
 * A page of the symbols in models, the most frequent first unless `sort` and `direction` say otherwise.
 *
 * @throws NoemaError 400 if something in the query is not accepted, 413 if the search is too much work
 */
export async function listSymbols(
  processor: Processor,
  query: SymbolListQuery = {},
  options?: CallOptions,
): Promise<SymbolPage> {
  const names = { ...PAGE, sort: 1, name: 1, patterns: 1 } as const;
  const { patterns, ...others } = checked("the query of listSymbols", "member", query, names);
  const asked = { ...others, pattern: patterns };
  const call = { operation: "listSymbols", method: "GET", path: path("symbols", asked), repeats: "read" } as const;
  return message(processor, call, options);
}

/**
 * A page of the learned vectors, newest first unless `sort` and `direction` say otherwise.
 *
 * @throws NoemaError 400 if something in the query is not accepted
 */
export async function listVectors(
  processor: Processor,
  query: VectorListQuery = {},
  options?: CallOptions,
): Promise<VectorPage> {
  const asked = { ...checked("the query of listVectors", "member", query, { ...PAGE, sort: 1, name: 1 }) };
  const call = { operation: "listVectors", method: "GET", path: path("vectors", asked), repeats: "read" } as const;
  return message(processor, call, options);
}
