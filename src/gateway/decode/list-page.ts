/**
 * Turns the query of a list into a message: the page, the order, and the filters. The processor checks cursors, names
 * and patterns.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ListModelsRequestSchema,
  ListPageSchema,
  type ListSymbolsRequestSchema,
  type ListVectorsRequestSchema,
} from "../../gen/noema/v1/knowledge_service_pb";
import { MODEL_PREFIX, VECTOR_PREFIX, withoutPrefix } from "../../text/names";
import type { Body } from "../json/body";
import type { Address, Query } from "../request-context";
import { asBounded, noteAll, wrong } from "./value";

/** The query parameters of every list. */
export const PAGE_QUERY: readonly string[] = ["sort", "direction", "cursor", "limit"];

/** The sort keys of each list. */
const SORTS = {
  models: ["order", "learned_at", "frequency", "length", "name"],
  symbols: ["frequency", "model_member_frequency", "name"],
  vectors: ["order", "frequency", "name"],
} as const;

/** A parameter that may be given once, or `undefined`. @throws Refusal 400 when it is given more than once */
function once(query: Query, name: string): string | undefined {
  const value = query[name];
  if (typeof value === "object") throw wrong(`${name} in the query`, "given once", value);
  return value;
}

/** A parameter that may be given several times. */
function all(query: Query, name: string): string[] {
  const value = query[name] ?? [];
  return typeof value === "string" ? [value] : value;
}

/** A parameter with one of some words, or `undefined`. @throws Refusal 400 for another word */
function word(query: Query, name: string, words: readonly string[]): string | undefined {
  const value = once(query, name);
  if (value === undefined || words.includes(value)) return value;
  throw wrong(`${name} in the query`, `one of ${words.join(", ")}`, value);
}

/** @throws Refusal 400 naming the wrong parameter */
function pageOf(query: Query, list: keyof typeof SORTS): MessageInitShape<typeof ListPageSchema> {
  const page = {
    sort: word(query, "sort", SORTS[list]) ?? "",
    descending: word(query, "direction", ["asc", "desc"]) !== "asc",
    cursor: once(query, "cursor") ?? "",
  };
  const limit = once(query, "limit");
  if (limit === undefined) return page;
  const isDecimal = /^\d{1,4}$/.test(limit);
  return {
    ...page,
    limit: asBounded(isDecimal ? Number(limit) : limit, "limit in the query", ListPageSchema.field.limit),
  };
}

/** Reads the query of the list of models. @throws Refusal 400 naming the wrong parameter */
export function decodeListModels(body: Body, { query }: Address): MessageInitShape<typeof ListModelsRequestSchema> {
  noteAll(body);
  return {
    page: pageOf(query, "models"),
    name: withoutPrefix(once(query, "name") ?? "", MODEL_PREFIX),
    symbols: all(query, "symbol"),
    patterns: all(query, "pattern"),
  };
}

/** Reads the query of the list of symbols. @throws Refusal 400 naming the wrong parameter */
export function decodeListSymbols(body: Body, { query }: Address): MessageInitShape<typeof ListSymbolsRequestSchema> {
  noteAll(body);
  return { page: pageOf(query, "symbols"), name: once(query, "name") ?? "", patterns: all(query, "pattern") };
}

/** Reads the query of the list of vectors. @throws Refusal 400 naming the wrong parameter */
export function decodeListVectors(body: Body, { query }: Address): MessageInitShape<typeof ListVectorsRequestSchema> {
  noteAll(body);
  return { page: pageOf(query, "vectors"), name: withoutPrefix(once(query, "name") ?? "", VECTOR_PREFIX) };
}
