/**
 * The open streams of one processor. A stream is a WebSocket that outlives the object's memory: the platform keeps it,
 * with its {@link Attachment}, and calls the object when a message comes. Each frame is one verb of the processor, in
 * one transaction.
 */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import {
  type Frame,
  type FrameAnswer,
  FrameAnswerSchema,
  type StreamEvent,
  StreamEventSchema,
} from "../../gen/noema/v1/frame_pb";
import type { Activity } from "../../processor/ports/activity";
import { Fault } from "../../processor/ports/fault";
import { toConnectError } from "../../rpc/services/connect-error";
import { incidentMessage } from "../../rpc/services/incident-service";
import { answerFrame } from "../../rpc/services/memory-service";
import { type StreamPlace, SUBPROTOCOL } from "../../rpc/transport/stream-upgrade";
import { jsonBytes } from "../../text/json-bytes";
import { streamCounts } from "../counts/counts";
import { Holdings } from "../holdings";
import type { StoredProcessor } from "../stored-processor";
import type { Turns } from "../turns/turns";
import { type Attachment, CLOSE, EVENTS_UNTIL_RENEWAL, Link } from "./link";
import type { StreamCodec, Subscription } from "./stream-codec";

/** Maximum size of a frame, in bytes of UTF-8. */
const MAX_FRAME_BYTES = 1_048_576;

/**
 * Maximum size of an event for subscribers, in bytes: as much as may wait for a client that does not read. A stream
 * that would get a larger event is closed.
 */
const MAX_EVENT_BYTES = 1_048_576;

/**
 * When frames of more streams than this wait, a stream with too many waiting frames is ended. With fewer streams, no
 * frame is read until one had its turn, and others wait at most for one of each.
 */
const MAX_AHEAD = 16;

/** The name of frames in the log. */
const FRAME_PATH = "/stream";

/** The name of frames in the counts of calls. */
const FRAME_KIND = "frame";

/** What streams need from their object. */
export interface StreamsParts {
  /** The object's own identifier; its open streams are counted by it. */
  readonly objectId: string;
  /** Keeps the sockets. */
  readonly sockets: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">;
  readonly processor: StoredProcessor;
  /** Decides when a frame has its turn. */
  readonly turns: Pick<Turns, "take" | "waiting">;
  /** Holds back input until one of the waiting frames and calls had its turn. */
  serveOne(): void;
  codec(): StreamCodec;
  /** Whether the processor is being restored: then it is unknown which memory a frame would be about. */
  isSealed(): boolean;
  /**
   * Runs a frame, and delivers its events to other processors.
   *
   * @param verb runs the frame
   * @returns what the verb returns, and what its answer must wait for; `undefined` for nothing
   */
  delivered<Reply>(verb: () => Reply): { readonly reply: Reply; readonly after: Promise<unknown> | undefined };
}

/** All streams of one processor. */
export class Streams {
  readonly #parts: StreamsParts;
  readonly #links = new WeakMap<WebSocket, Link>();
  readonly #gone = new WeakSet<WebSocket>();
  readonly #holdings = new Holdings(() => this.links());
  /** Number of open streams; `undefined` until one opens or closes in this life of the object. */
  #open: number | undefined;
  /** The streams with subscriptions. Read from the sockets when first needed. */
  #listening: Set<Link> | undefined;

  constructor(parts: StreamsParts) {
    this.#parts = parts;
  }

  /**
   * Opens a stream. An open stream of the same source is closed.
   *
   * @returns the response that hands over the socket
   * @throws ConnectError `FailedPrecondition` when the processor is not in service, `ResourceExhausted` when the server
   *   stops
   */
  open({ session, source, rights, keyId }: StreamPlace): Response {
    if (streamCounts.isStopping) {
      throw new ConnectError("the server stops: connect again in a few seconds", Code.ResourceExhausted);
    }
    const { sockets, processor } = this.#parts;
    const { interval, last } = processor.look(
      (memory) => ({ interval: memory.time, last: source === undefined ? 0 : memory.memory.lastNumber(source) }),
      session,
    );
    const tags = source === undefined ? [] : [tagOf(session, source)];
    for (const tag of tags) {
      for (const older of sockets.getWebSockets(tag)) {
        this.#end(older, CLOSE.taken, "a newer stream uses this source");
      }
    }
    const { 0: client, 1: server } = new WebSocketPair();
    sockets.acceptWebSocket(server, tags);
    const fresh = { last: 0, subscription: undefined, eventsLeft: 0 };
    const link = new Link(server, { session, source, rights, keyId, ...fresh }, this.#holdings);
    link.attach({});
    this.#links.set(server, link);
    this.#countOpen(1);
    link.send(this.#codec.welcome(interval, last));
    return new Response(null, { status: 101, webSocket: client, headers: { "sec-websocket-protocol": SUBPROTOCOL } });
  }

  /**
   * Whether streams of an earlier life of the object broke off: they were counted, but the platform no longer keeps
   * them.
   */
  get haveBroken(): boolean {
    if (this.#open !== undefined) return false;
    const { sockets, objectId } = this.#parts;
    return (streamCounts.open.get(objectId) ?? 0) > sockets.getWebSockets().length;
  }

  /** Handles a message in its turn. @returns resolves when its answer is sent; `undefined` if it is sent already */
  take(socket: WebSocket, message: string | ArrayBuffer): Promise<void> | undefined {
    const link = this.#linkOf(socket);
    if (link.isClosed) return undefined;
    if (isTooLarge(message)) {
      this.#end(socket, CLOSE.tooLarge, "a frame may have at most 1 MiB");
      return undefined;
    }
    if (link.isFull) {
      // The frame has had no effect.
      this.#end(socket, CLOSE.overload, "too many answers, or too large ones, wait for other processors");
      return undefined;
    }
    if (link.isAhead && this.#parts.turns.waiting > MAX_AHEAD) {
      this.#end(socket, CLOSE.overload, "too many frames, or too large ones, wait for their turn");
      return undefined;
    }
    const frame = { message };
    let isTaken = false;
    const answered = this.#parts.turns.take(link, () => {
      isTaken = true;
      link.frameTaken(frame);
      return this.#takeNow(link, frame.message);
    });
    if (isTaken) return answered;
    link.frameWaits(frame);
    if (link.isAhead) this.#parts.serveOne();
    return answered;
  }

  #takeNow(link: Link, message: string | ArrayBuffer): Promise<void> | undefined {
    if (link.isClosed || link.endsWith !== undefined) return undefined;
    if (this.#parts.isSealed()) {
      // The message had no effect, and it is unknown yet which memory it would be about.
      this.endAll(CLOSE.gone, "the processor is being restored");
      return undefined;
    }
    const codec = this.#codec;
    if (typeof message !== "string") return this.#refuse(link, codec.refuseBytes());
    const decoded = codec.read(message);
    if (decoded.kind === "refused") return this.#refuse(link, decoded.answer);
    if (decoded.kind === "subscribe") return this.#subscribe(link, decoded.subscription);
    return this.#takeFrame(link, decoded.frame, message.length);
  }

  /** Notes that a socket has closed. */
  closed(socket: WebSocket): void {
    if (!this.#gone.has(socket)) {
      this.#gone.add(socket);
      this.#countOpen(-1, socket);
    }
    const link = this.#links.get(socket);
    if (link === undefined) return;
    link.close(1000, "");
    this.#listening?.delete(link);
  }

  /** The open streams. */
  links(): Link[] {
    return this.#parts.sockets.getWebSockets().map((socket) => this.#linkOf(socket));
  }

  /** Whether any stream has subscriptions. */
  get isWatched(): boolean {
    return this.#listeners().size > 0;
  }

  /**
   * Whether a stream wants the surprise of a memory's records.
   *
   * @param session the session; empty for the processor's own memory
   */
  wantsSurprise(session: string): boolean {
    for (const { about } of this.#listeners()) if (wants(about, { kind: "surprise", session })) return true;
    return false;
  }

  /** Sends events to the streams that subscribed to them. */
  tell(activities: readonly Activity[]): void {
    for (const activity of activities) {
      // Streams retain nothing, so a verdict is no event of theirs.
      if (activity.kind === "judged") continue;
      let text: EventText | undefined;
      for (const link of this.#listeners()) {
        if (!wants(link.about, activity)) continue;
        text ??= new EventText(this.#codec, activity);
        this.#tellOne(link, text);
      }
    }
  }

  /** Closes all streams. */
  endAll(code: number, reason: string): void {
    for (const socket of this.#parts.sockets.getWebSockets()) this.#end(socket, code, reason);
  }

  /**
   * Counts a stream that has opened or closed. The first time in the object's life, it counts the streams that the
   * platform keeps, because some may have closed unnoticed in an earlier life.
   */
  #countOpen(change: 1 | -1, gone?: WebSocket): void {
    const { sockets, objectId } = this.#parts;
    this.#open =
      this.#open === undefined
        ? sockets.getWebSockets().filter((socket) => socket !== gone).length
        : Math.max(0, this.#open + change);
    if (this.#open === 0) streamCounts.open.delete(objectId);
    else streamCounts.open.set(objectId, this.#open);
  }

  get #codec(): StreamCodec {
    return this.#parts.codec();
  }

  /** @param characters length of the frame as received */
  #takeFrame(link: Link, frame: Frame, characters: number): Promise<void> | undefined {
    const codec = this.#codec;
    const { delivered } = this.#parts;
    let answered: { readonly reply: FrameAnswer | Promise<FrameAnswer>; readonly after: Promise<unknown> | undefined };
    try {
      assertRights(link.about, frame);
      answered = delivered(() => this.#run(link, frame));
    } catch (error) {
      return this.#said(link, frame, this.#refuse(link, codec.refusal(frame.n, toConnectError(error, FRAME_PATH))));
    }
    const { reply, after } = answered;
    if (reply instanceof Promise) {
      return this.#said(link, frame, link.answerLater(this.#later(frame, reply, after), characters));
    }
    return link.answer(this.#told(frame, reply), after);
  }

  /** Ends the stream once a frame has its answer, if it ends with that frame. @param said resolves when it has it */
  #said(link: Link, frame: Frame, said: Promise<void> | undefined): Promise<void> | undefined {
    const end = () => {
      if (link.endsWith === frame)
        link.close(CLOSE.overload, "a frame was refused for now: connect again and send it again");
    };
    if (said !== undefined) return said.then(end);
    end();
    return undefined;
  }

  /** The answer to a frame that waits for the processor's parts. */
  async #later(frame: Frame, reply: Promise<FrameAnswer>, after: Promise<unknown> | undefined) {
    try {
      return { text: this.#told(frame, await reply), after };
    } catch (error) {
      streamCounts.refused++;
      return { text: this.#codec.refusal(frame.n, toConnectError(error, FRAME_PATH)) };
    }
  }

  #told(frame: Frame, reply: FrameAnswer): string {
    if (reply.redelivered) streamCounts.redelivered++;
    else streamCounts.taken++;
    return this.#codec.answer(frame, reply);
  }

  #refuse(link: Link, answer: string): Promise<void> | undefined {
    streamCounts.refused++;
    return link.answer(answer);
  }

  #run(link: Link, frame: Frame): FrameAnswer | Promise<FrameAnswer> {
    if (isRepeated(link, frame)) return create(FrameAnswerSchema, { redelivered: true });
    const { processor } = this.#parts;
    const { session, source } = link.about;
    // Only a split processor refuses a frame for now, or takes it back to run it again.
    const mayBeRefusedForNow = source !== undefined && processor.isSplit;
    let hasBegun = false;
    const verb = (memory: FrameMemory) => {
      hasBegun = true;
      return runFrame(link, frame, memory, mayBeRefusedForNow);
    };
    let answer: FrameAnswer | Promise<FrameAnswer>;
    try {
      answer = processor.run(true, verb, session, FRAME_KIND);
    } catch (error) {
      if (mayBeRefusedForNow && !hasBegun) link.endsWith = frame;
      throw error;
    }
    if (source !== undefined) return answer;
    const taken = (done: FrameAnswer) => {
      link.attach({ last: Math.max(link.about.last, frame.n) });
      return done;
    };
    return answer instanceof Promise ? answer.then(taken) : taken(answer);
  }

  #subscribe(link: Link, subscription: Subscription): Promise<void> | undefined {
    const codec = this.#codec;
    const { rights } = link.about;
    if (rights !== undefined && !rights.includes("read")) {
      return this.#refuse(link, codec.refusal(null, lacks("read", "to subscribe")));
    }
    link.attach({ subscription, eventsLeft: EVENTS_UNTIL_RENEWAL });
    const listeners = this.#listeners();
    if (subscription.events.length > 0) listeners.add(link);
    else listeners.delete(link);
    return link.answer(codec.subscribed(subscription));
  }

  #tellOne(link: Link, event: EventText): void {
    const eventsLeft = link.about.eventsLeft - 1;
    const isLast = eventsLeft === 0;
    link.attach(isLast ? { subscription: undefined, eventsLeft } : { eventsLeft });
    if (isLast) this.#listeners().delete(link);
    streamCounts.events++;
    const text = event.text(isLast);
    if (text === undefined) link.close(CLOSE.overload, "an event takes more than 1 MiB");
    else link.tell(text);
    if (link.isClosed) this.#listeners().delete(link);
  }

  #listeners(): Set<Link> {
    if (this.#listening === undefined) {
      this.#listening = new Set(this.links().filter(({ about }) => about.subscription !== undefined));
    }
    return this.#listening;
  }

  #linkOf(socket: WebSocket): Link {
    const known = this.#links.get(socket);
    if (known !== undefined) return known;
    const link = new Link(socket, socket.deserializeAttachment() as Attachment, this.#holdings);
    this.#links.set(socket, link);
    return link;
  }

  #end(socket: WebSocket, code: number, reason: string): void {
    const link = this.#linkOf(socket);
    link.close(code, reason);
    this.#listening?.delete(link);
  }
}

/**
 * The tag by which the platform finds the sockets of a source. A tag may have 256 characters,
 * which two names can exceed.
 */
function tagOf(session: string, source: string): string {
  return bytesToHex(sha1(utf8ToBytes(JSON.stringify([session, source]))));
}

function isTooLarge(message: string | ArrayBuffer): boolean {
  if (typeof message !== "string") return message.byteLength > MAX_FRAME_BYTES;
  // A character takes one to three bytes.
  if (message.length > MAX_FRAME_BYTES) return true;
  return message.length * 3 > MAX_FRAME_BYTES && utf8ToBytes(message).length > MAX_FRAME_BYTES;
}

/** @throws ConnectError `PermissionDenied` when a frame asks for more than its key allows */
function assertRights({ rights }: Attachment, { learn, predictions, forecast, explain }: Frame): void {
  if (rights === undefined) return;
  if (learn && !rights.includes("learn")) throw lacks("learn", "for the member learn");
  if (rights.includes("read")) return;
  if (predictions !== undefined) throw lacks("read", "for the member predictions");
  if (forecast !== undefined) throw lacks("read", "for the member forecast");
  if (explain) throw lacks("read", "for the member explain");
}

function lacks(role: string, purpose: string): ConnectError {
  return new ConnectError(`the key needs the role ${role} ${purpose}`, Code.PermissionDenied);
}

/** What a stream can hear. */
type Heard = Exclude<Activity, { kind: "judged" }>;

function wants({ session, subscription }: Attachment, activity: Pick<Heard, "kind" | "session">): boolean {
  if (subscription === undefined || !subscription.events.includes(activity.kind)) return false;
  return activity.session === session || (session === "" && subscription.sessions);
}

/**
 * An activity as JSON, for a listener that is not a stream.
 *
 * @returns for a verdict, the incident that is the newest open one, or an empty text if none is open. `undefined` when
 *   the text exceeds the maximum size of an event
 */
export function eventText(codec: StreamCodec, activity: Activity): string | undefined {
  if (activity.kind === "judged") {
    const { newest, session, interval } = activity;
    return newest === undefined ? "" : eventText(codec, { kind: "incident", incident: newest, session, interval });
  }
  return new EventText(codec, activity).text(false);
}

/** The text of an event for its subscribers, written once for all of them. */
class EventText {
  readonly #codec: StreamCodec;
  readonly #activity: Heard;
  readonly #isTooLarge: boolean;
  readonly #texts = new Map<boolean, string>();

  constructor(codec: StreamCodec, activity: Heard) {
    this.#codec = codec;
    this.#activity = activity;
    // Checked before the text is built: an event may have as many symbols as working memory.
    this.#isTooLarge = activity.kind === "observed" && bytesOf(activity.symbols) > MAX_EVENT_BYTES;
  }

  /**
   * @param isLast whether it is the last of its subscription
   * @returns `undefined` when it exceeds the maximum size of an event
   */
  text(isLast: boolean): string | undefined {
    if (this.#isTooLarge) return undefined;
    const known = this.#texts.get(isLast);
    const text = known ?? this.#codec.event(eventOf(this.#activity), isLast);
    this.#texts.set(isLast, text);
    return text.length > MAX_EVENT_BYTES ? undefined : text;
  }
}

function bytesOf(symbols: readonly string[]): number {
  return symbols.reduce((sum, symbol) => sum + jsonBytes(symbol), 0);
}

function eventOf(activity: Heard): StreamEvent {
  const { session, interval } = activity;
  const place = { session, interval };
  switch (activity.kind) {
    case "learned":
      return create(StreamEventSchema, { ...place, happened: { case: "learnedModel", value: activity.model } });
    case "surprise": {
      const { surprise } = activity;
      const value = surprise === undefined ? {} : { surprise };
      return create(StreamEventSchema, { ...place, happened: { case: "surprise", value } });
    }
    case "incident": {
      const value = incidentMessage(activity.incident);
      return create(StreamEventSchema, { ...place, happened: { case: "incident", value } });
    }
    default: {
      const value = { symbols: [...activity.symbols], uniqueId: activity.uniqueId };
      return create(StreamEventSchema, { ...place, happened: { case: "observed", value } });
    }
  }
}

type FrameMemory = Parameters<typeof answerFrame>[0];

/** Whether a frame of a stream without a source has a number that the stream has taken. */
function isRepeated(link: Link, frame: Frame): boolean {
  return link.about.source === undefined && frame.n <= link.about.last;
}

/**
 * Runs a frame on its memory.
 *
 * @param mayBeRefusedForNow whether frames behind it must not be taken if it is refused for now
 * @throws Fault when the frame is refused, or its stream has ended
 */
function runFrame(link: Link, frame: Frame, memory: FrameMemory, mayBeRefusedForNow: boolean): FrameAnswer {
  // The frame may have waited: for the end of its stream, or for the frame before.
  if (link.undecided !== undefined && link.undecided !== frame) link.endsWith ??= frame;
  if (link.isClosed || link.endsWith !== undefined) {
    throw new Fault("unavailable", "the stream has ended; the frame had no effect");
  }
  if (isRepeated(link, frame)) return create(FrameAnswerSchema, { redelivered: true });
  if (mayBeRefusedForNow) link.undecided = frame;
  try {
    const answer = answerFrame(memory, frame, link.about.source);
    link.undecided = undefined;
    return answer;
  } catch (error) {
    // Noted here: the next frame may run before anything else hears of it.
    if (error instanceof Fault) {
      link.undecided = undefined;
      if (mayBeRefusedForNow && error.kind === "unavailable") link.endsWith = frame;
    }
    throw error;
  }
}
