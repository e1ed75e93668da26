/**
 * Counts what the body of a call of a service holds, in each of the protocols that are served, before the library makes a message of it: of
 * a few bytes it makes an object, and it makes all of them before anybody else is served.
 */

import type { DescMessage } from "@bufbuild/protobuf";
import { messageValues } from "../../rpc/transport/message-bytes";
import { MAX_JSON_VALUES } from "../../text/json-depth";
import { checkExcess } from "../json/parser";
import { Refusal } from "../refusal";

/** Smaller bodies cannot hold too much. */
const SMALL_BYTES = 65_536;

/** The most frames in which gRPC-Web may send the one message of a call, empty ones and trailers too. */
const MOST_FRAMES = 16;

/** What stands before a frame: flags, of which the lowest bit says that it is compressed, and its length. */
const FRAME_HEAD_BYTES = 5;

const WHAT = "the body";

const decoder = new TextDecoder();

/**
 * Makes sure that a body may be decoded. What is wrong about it otherwise is left to the library.
 *
 * @param wanted the message that the method takes
 * @param headers those of the request. Compressed bodies are not looked at: the library accepts none
 * @throws Refusal 413 when it holds more than MAX_JSON_VALUES values or MAX_JSON_MEMBERS different members, or more than MOST_FRAMES frames; 400 when
 *   it is nested too deeply
 */
export function checkServiceBody(wanted: DescMessage, headers: Headers, body: Uint8Array): void {
  if (body.byteLength <= SMALL_BYTES) return;
  const type = (headers.get("content-type") ?? "").toLowerCase();
  const check = type.includes("json") ? checkJson : (bytes: Uint8Array) => checkMessage(wanted, bytes);
  if (!type.startsWith("application/grpc-web")) {
    if (!isCompressed(headers)) check(body);
    return;
  }
  let frames = 0;
  for (let at = 0; at + FRAME_HEAD_BYTES <= body.byteLength; ) {
    frames += 1;
    if (frames > MOST_FRAMES)
      throw new Refusal(413, `${WHAT} has more than ${MOST_FRAMES} frames; a call has one message`);
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

function checkJson(bytes: Uint8Array): void {
  // Bytes that are no UTF-8 change nothing about brackets, commas and quotation marks.
  checkExcess(decoder.decode(bytes), WHAT);
}

function checkMessage(wanted: DescMessage, bytes: Uint8Array): void {
  if (messageValues(wanted, bytes, MAX_JSON_VALUES) <= MAX_JSON_VALUES) return;
  throw new Refusal(413, `${WHAT} holds more than ${MAX_JSON_VALUES} values, which is all that is accepted`);
}
