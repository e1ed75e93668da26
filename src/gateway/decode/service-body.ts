/**
 * Counts the content of a service call's body, in each of the protocols, before the library decodes it: the library
 * turns every few bytes into an object, and creates all of them before other requests are served.
 */

import type { DescMessage } from "@bufbuild/protobuf";
import { messageValues } from "../../rpc/transport/message-bytes";
import type { Budgets } from "../../text/budgets";
import { MAX_JSON_VALUES } from "../../text/json-depth";
import { SMALL_BODY_BYTES } from "../json/body";
import { checkExcess } from "../json/parser";
import { Refusal } from "../refusal";
import { binaryExcess, hasBounds, objectExcess } from "./list-bounds";

/** Maximum number of frames in which gRPC-Web may send the one message of a call, including empty ones and trailers. */
const MAX_FRAMES = 16;

/** Bytes before a frame: flags, whose lowest bit means that it is compressed, and its length. */
const FRAME_HEAD_BYTES = 5;

const SUBJECT = "the body";

const decoder = new TextDecoder();

/**
 * Makes sure that a body is small enough to decode. Other errors are left to the library.
 *
 * @param wanted the message that the method takes
 * @param headers of the request. Compressed bodies are not checked, because the library accepts none
 * @param budgets the bounds of its lists
 * @throws Refusal 413 when a list is too long, in the words of a processor; 413 when it holds more than MAX_JSON_VALUES
 *   values or MAX_JSON_MEMBERS distinct members, or more than MAX_FRAMES frames; 400 when it is nested too deeply
 */
export function checkServiceBody(wanted: DescMessage, headers: Headers, body: Uint8Array, budgets: Budgets): void {
  if (body.byteLength <= SMALL_BODY_BYTES) return;
  const type = (headers.get("content-type") ?? "").toLowerCase();
  const checkBytes = type.includes("json") ? checkJson : checkMessage;
  const check = (bytes: Uint8Array) => checkBytes(wanted, bytes, budgets);
  if (!type.startsWith("application/grpc-web")) {
    if (!isCompressed(headers)) check(body);
    return;
  }
  let frames = 0;
  for (let at = 0; at + FRAME_HEAD_BYTES <= body.byteLength; ) {
    frames += 1;
    if (frames > MAX_FRAMES)
      throw new Refusal(413, `${SUBJECT} has more than ${MAX_FRAMES} frames; a call has one message`);
    const { flags, length } = frameHead(body, at);
    at += FRAME_HEAD_BYTES;
    if (flags % 2 === 0) check(body.subarray(at, at + length));
    at += length;
  }
}

function isCompressed(headers: Headers): boolean {
  const encoding = headers.get("content-encoding");
  return encoding !== null && encoding !== "identity";
}

function frameHead(body: Uint8Array, at: number): { readonly flags: number; readonly length: number } {
  const head = new DataView(body.buffer, body.byteOffset + at, FRAME_HEAD_BYTES);
  return { flags: head.getUint8(0), length: head.getUint32(1) };
}

function checkJson(wanted: DescMessage, bytes: Uint8Array, budgets: Budgets): void {
  // Bytes that are not UTF-8 do not affect brackets, commas and quotation marks.
  const text = decoder.decode(bytes);
  checkExcess(text, SUBJECT);
  if (hasBounds(wanted)) refuse(objectExcess(wanted, parsed(text), budgets));
}

/** Parses a text; `undefined` if it is not JSON, which the library will report. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkMessage(wanted: DescMessage, bytes: Uint8Array, budgets: Budgets): void {
  if (messageValues(wanted, bytes, MAX_JSON_VALUES) > MAX_JSON_VALUES) {
    throw new Refusal(413, `${SUBJECT} holds more than ${MAX_JSON_VALUES} values, the maximum`);
  }
  refuse(binaryExcess(wanted, bytes, budgets));
}

/** @throws Refusal 413 when something exceeds a bound */
function refuse(excess: string | undefined): void {
  if (excess !== undefined) throw new Refusal(413, excess, { isOfProcessor: true });
}
