/**
 * The gateway's half of streams: decodes clients' messages, and encodes those to clients as JSON. Used by the
 * processor's object.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import type { Frame } from "../../gen/noema/v1/frame_pb";
import { decodeFrame, decodeNumber, decodeSubscription, isSubscription, messageIn, numberIn } from "../decode/frame";
import { encodeAnswer, encodeEvent, encodeRefusal, encodeSubscribed, encodeWelcome } from "../encode/frame";
import { Body } from "../json/body";
import { refusalOf } from "../refusal";

/** A decoded message of a client. */
type Said =
  | { readonly kind: "frame"; readonly frame: Frame }
  | { readonly kind: "subscribe"; readonly subscription: ReturnType<typeof decodeSubscription> }
  | { readonly kind: "refused"; readonly answer: string };

/** Reads a message. Never throws. */
function read(message: string): Said {
  let n: number | null = null;
  try {
    const body = new Body(message);
    const object = messageIn(body);
    if (isSubscription(object)) return { kind: "subscribe", subscription: decodeSubscription(body, object) };
    n = decodeNumber(object);
    return { kind: "frame", frame: decodeFrame(body, object, n) };
  } catch (reason) {
    return { kind: "refused", answer: refusal(n ?? numberIn(message), reason) };
  }
}

function refusal(n: number | null, reason: unknown): string {
  // The same status as over HTTP, where the gateway itself checks the key.
  if (reason instanceof ConnectError && reason.code === Code.PermissionDenied) {
    return encodeRefusal(n, 403, reason.rawMessage);
  }
  const { http, message } = refusalOf(reason);
  return encodeRefusal(n, http, message);
}

/** The answer to a client that sends bytes. */
const NO_TEXT = encodeRefusal(null, 400, "a message must be text: JSON in a text frame, got a binary frame");

/** See the port of the same name in `object/streams`. */
export const streamCodec = {
  read,
  welcome: encodeWelcome,
  answer: encodeAnswer,
  refusal,
  refuseBytes: () => NO_TEXT,
  subscribed: ({ events }: { readonly events: readonly string[] }) => encodeSubscribed(events),
  event: encodeEvent,
};
