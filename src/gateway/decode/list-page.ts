/** Turns the query of a list into a message: which page, in which order, and what is sought. The processor checks what the words mean. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListModelsRequestSchema,
  ListPageSchema,
  ListSymbolsRequestSchema,
  ListVectorsRequestSchema,
} from "../../gen/noema/v1/knowledge_service_pb";
import { MODEL_PREFIX, VECTOR_PREFIX, withoutPrefix } from "../../text/names";
import type { Body } from "../json/body";
import type { Address, Query } from "../request-context";
import { noteAll, wrong } from "./value";

/** The parameters of the query that every list knows. */
export const PAGE_QUERY: readonly string[] = ["sort", "direction", "cursor", "limit"];

/** A parameter that is given once; empty when it is absent. @throws Refusal 400 when it is given more than once */
function once(query: Query, name: string): string {
  const value = query[name] ?? "";
  if (typeof value !== "string") throw wrong(`${name} in the query`, "given once", value);
  return value;
}

/** A parameter that may be given several times. */
function all(query: Query, name: string): string[] {
  const value = query[name] ?? [];
  return typeof value === "string" ? [value] : value;
}

/** @throws Refusal 400 naming the parameter that is wrong */
function pageOf(query: Query): MessageInitShape<typeof ListPageSchema> {
  const direction = once(query, "direction");
  if (!["", "asc", "desc"].includes(direction)) throw wrong("direction in the query", "asc or desc", direction);
  const page = { sort: once(query, "sort"), descending: direction !== "asc", cursor: once(query, "cursor") };
  const limit = once(query, "limit");
  if (limit === "") return page;
  if (!/^\d{1,6}$/.test(limit)) throw wrong("limit in the query", "a whole number from 1 to 500", limit);
  return { ...page, limit: Number(limit) };
}

/** Reads the query of the list of models. @throws Refusal 400 naming the parameter that is wrong */
export function decodeListModels(body: Body, { query }: Address): MessageInitShape<typeof ListModelsRequestSchema> {
  noteAll(body);
  return {
    page: pageOf(query),
    name: withoutPrefix(once(query, "name"), MODEL_PREFIX),
    symbols: all(query, "symbol"),
    patterns: all(query, "pattern"),
  };
}

/** Reads the query of the list of symbols. @throws Refusal 400 naming the parameter that is wrong */
export function decodeListSymbols(body: Body, { query }: Address): MessageInitShape<typeof ListSymbolsRequestSchema> {
  noteAll(body);
  return { page: pageOf(query), name: once(query, "name"), patterns: all(query, "pattern") };
}

/** Reads the query of the list of vectors. @throws Refusal 400 naming the parameter that is wrong */
export function decodeListVectors(body: Body, { query }: Address): MessageInitShape<typeof ListVectorsRequestSchema> {
  noteAll(body);
  return { page: pageOf(query), name: withoutPrefix(once(query, "name"), VECTOR_PREFIX) };
}
