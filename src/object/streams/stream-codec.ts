/**
 * The port through which a processor's object reads and writes the JSON of streams. Implemented by the gateway, which
 * owns all JSON of the interface.
 */

import type { ConnectError } from "@connectrpc/connect";
import type { Frame, FrameAnswer, StreamEvent } from "../../gen/noema/v1/frame_pb";

/** The kinds of events that a stream can subscribe to. */
export const EVENT_KINDS = ["incident", "learned", "observed", "surprise"] as const;

/** One of {@link EVENT_KINDS}. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** A client's subscription. */
export interface Subscription {
  readonly events: readonly EventKind[];
  /** Whether to include the events of the processor's sessions. A session's stream receives only its own. */
  readonly sessions: boolean;
}

/** One message of a client, decoded. */
export type Incoming =
  | { readonly kind: "frame"; readonly frame: Frame }
  | { readonly kind: "subscribe"; readonly subscription: Subscription }
  /** The message is malformed; `answer` is the whole answer. */
  | { readonly kind: "refused"; readonly answer: string };

/** Decodes clients' messages, and encodes those to them. All texts are whole JSON messages. */
export interface StreamCodec {
  /** Never throws. */
  read(text: string): Incoming;
  /**
   * The first message.
   *
   * @param interval the time of the memory
   * @param last the number of the source's last frame; 0 for none
   */
  welcome(interval: number, last: number): string;
  answer(frame: Frame, answer: FrameAnswer): string;
  /**
   * The answer to a message that had no effect.
   *
   * @param n the frame's number; `null` for a message that is not a frame
   */
  refusal(n: number | null, reason: ConnectError): string;
  /** The answer to a message that is not text. */
  refuseBytes(): string;
  subscribed(subscription: Subscription): string;
  /** @param renew whether it is the last of its subscription */
  event(event: StreamEvent, renew: boolean): string;
}
