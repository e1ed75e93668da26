/** Makes the client's calls for the examples of operations, and says what they resolve to. */

import { CALLS } from "../../../scripts/openapi/operation-calls";
import type { Json } from "../../../scripts/openapi/reference/entry";
import { entryOf } from "../../../scripts/openapi/sections";
import * as client from "../../../src/client";

const functions = client as unknown as { readonly [name: string]: (...given: readonly unknown[]) => Promise<unknown> };

/** Where the examples call, on a server. */
export function placesOn(noema: client.Noema) {
  return { noema, p1: client.processor(noema, "p46b6b076c") };
}

/** What the call for the example of an operation resolves to; of a stream, its text. */
export async function callExample(operation: string, places: { readonly [place: string]: unknown }): Promise<unknown> {
  const { name, place, args } = callOf(operation);
  const value = await functions[name]?.(places[place], ...args);
  if (!(value instanceof ReadableStream)) return value;
  const text = await new Response(value).text();
  return operation === "exportKnowledgeBase" ? JSON.parse(text) : text;
}

/** What it must resolve to, from the example's answer. */
export function exampleResult(operation: string): unknown {
  const { row, result } = callOf(operation);
  const { response } = entryOf(row).example;
  const { message, learned_model } = response as Readonly<Record<string, Json>>;
  if (operation === "observeSequence") return { observed: message, learned: learned_model };
  if (operation === "getTime") return Number(message);
  if (result === "none") return undefined;
  if (result === "whole") return response;
  return result === "message" ? message : (message as Readonly<Record<string, Json>>)[result.member];
}

function callOf(operation: string) {
  const call = CALLS[operation];
  if (call === undefined) throw new Error(`${operation} has no call`);
  return call;
}
