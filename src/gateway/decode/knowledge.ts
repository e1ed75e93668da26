/**
 * Turns the JSON of short requests about knowledge into messages: lists of symbols or patterns,
 * names of symbols and vectors.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetSymbolRequestSchema, GetVectorRequestSchema } from "../../gen/noema/v1/knowledge_service_pb";
import { memberPath } from "../../text/located";
import { VECTOR_PREFIX, withoutPrefix } from "../../text/names";
import type { Body } from "../json/body";
import type { Address } from "../request-context";
import { asFlag, asObject, asString, asStrings, dataOf, noteAll, UNIQUE_ID } from "./value";

/**
 * Reads `{data: [symbol, …]}`, or the list alone.
 *
 * @throws Refusal 400 when it is not a list of strings
 */
export function decodeSymbols(body: Body): { symbols: string[] } {
  return { symbols: listOf(body) };
}

/**
 * Reads `{data: [pattern, …]}`, or the list alone.
 *
 * @throws Refusal 400 when it is not a list of strings
 */
export function decodePatterns(body: Body): { patterns: string[] } {
  return { patterns: listOf(body) };
}

function listOf(body: Body): string[] {
  const data = dataOf(body);
  return asStrings(data.value, data.path);
}

/** Reads the name of the symbol from the rest of the path, because symbols may contain slashes. */
export function decodeGetSymbol(body: Body, { params }: Address): MessageInitShape<typeof GetSymbolRequestSchema> {
  noteAll(body);
  return { name: params.symbol ?? "" };
}

/**
 * Reads the name of a vector from the body, `{data: "VECTOR|hash"}` or the string alone, or from the query's `data`.
 *
 * @throws Refusal 400 when there is none, or it is not a string
 */
export function decodeGetVector(body: Body, { query }: Address): MessageInitShape<typeof GetVectorRequestSchema> {
  const data = body.value === undefined ? { value: query.data, path: "data" } : dataOf(body);
  return { name: withoutPrefix(asString(data.value, data.path), VECTOR_PREFIX) };
}

/**
 * Reads the body of get_kb: nothing, or `{data: {lines: bool}}`.
 *
 * @returns whether the client asks for lines
 * @throws Refusal 400 when lines is neither true nor false
 */
export function decodeLines(body: Body): boolean {
  if (body.value === undefined) return false;
  const data = asObject(dataOf(body), "an object {data: {lines: bool}}, or absent");
  body.unknown.note(data, ["lines"], UNIQUE_ID);
  return Object.hasOwn(data.value, "lines") && asFlag(data.value.lines, memberPath(data.path, "lines"));
}
