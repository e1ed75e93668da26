/** Turns the small bodies of set-target-class and clear-all-memory into messages. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ClearAllMemoryRequestSchema } from "../../gen/noema/v1/memory_service_pb";
import type { SetTargetClassRequestSchema } from "../../gen/noema/v1/mode_service_pb";
import { memberPath } from "../../text/located";
import type { Body } from "../json/body";
import { asFlag, asObject, asString, dataOf } from "./value";

/**
 * Reads the body of set-target-class: `{data: symbol}`, or the string by itself.
 *
 * @throws Refusal 400 when it is no string
 */
export function decodeSetTargetClass(body: Body): MessageInitShape<typeof SetTargetClassRequestSchema> {
  const data = dataOf(body);
  return { target: asString(data.value, data.path) };
}

/**
 * Reads the body of clear-all-memory: nothing, or `{data: {clear_blacklist: bool}}`; true when absent.
 *
 * @throws Refusal 400 when clear_blacklist is neither true nor false
 */
export function decodeClearAllMemory(body: Body): MessageInitShape<typeof ClearAllMemoryRequestSchema> {
  if (body.value === undefined) return {};
  const data = asObject(dataOf(body), "an object {data: {clear_blacklist: bool}}, or absent");
  if (!Object.hasOwn(data.value, "clear_blacklist")) return {};
  return { keepBlacklist: !asFlag(data.value.clear_blacklist, memberPath(data.path, "clear_blacklist")) };
}
