/**
 * The port by which a processor's object reads and writes the JSON of streams. The gateway implements it: it owns
 * all JSON of the interface.
 */

import type { ConnectError } from "@connectrpc/connect";
import type { Frame, FrameAnswer, StreamEvent } from "../../gen/noema/v1/frame_pb";

/** What a stream can subscribe to. */
export const EVENT_KINDS = ["incident", "learned", "observed", "surprise"] as const;

/** One of them. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** What a client subscribes to. */
export interface Subscription {
  readonly events: readonly EventKind[];
  /** Whether to receive the events of the processor's sessions, too. A session's stream receives only its own. */
  readonly sessions: boolean;
}

/** What a client says in one message. */
export type Incoming =
  | { readonly kind: "frame"; readonly frame: Frame }
  | { readonly kind: "subscribe"; readonly subscription: Subscription }
  /** It says nothing that is accepted; `answer` is the whole answer. */
  | { readonly kind: "refused"; readonly answer: string };

/** Decodes messages of clients and encodes those to them. All texts are whole JSON messages. */
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
   * The answer to a message of which nothing happened.
   *
   * @param n the frame's number; `null` for a message that is no frame
   */
  refusal(n: number | null, reason: ConnectError): string;
  /** The answer to a message that is not text. */
  refuseBytes(): string;
  subscribed(subscription: Subscription): string;
  /** @param renew whether it is the last of its subscription */
  event(event: StreamEvent, renew: boolean): string;
}
