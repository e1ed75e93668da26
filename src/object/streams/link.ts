/**
 * One WebSocket of a processor: the state that survives until its object is back in memory, and the order of its
 * answers.
 */

import type { HeldClient, Holdings } from "../holdings";
import { type BufferingSocket, Unread } from "../unread";
import type { Subscription } from "./stream-codec";

/** Close codes of streams. */
export const CLOSE = {
  /** The server is stopping. */
  stopping: 1001,
  /** The key is no longer valid. */
  key: 1008,
  tooLarge: 1009,
  failure: 1011,
  /** The processor was restored, or is gone. */
  gone: 1012,
  overload: 1013,
  /** A newer stream has the same source. */
  taken: 4001,
} as const;

/** Maximum number of answers waiting for deliveries to other processors. */
const MAX_WAITING = 1024;

/** Maximum number of waiting frames of a stream, and of their characters, before reading pauses. */
const MAX_WAITING_FRAMES = 1024;
const MAX_WAITING_FRAME_BYTES = 4_194_304;

/** Bytes of a waiting frame without its characters. */
const FRAME_BYTES = 256;

/** Number of events after which a client must subscribe again. */
export const EVENTS_UNTIL_RENEWAL = 1000;

/**
 * Maximum number of events waiting behind answers before the stream accepts no more frames. A client that renews in
 * time has fewer.
 */
const MAX_WAITING_EVENTS = 4 * EVENTS_UNTIL_RENEWAL;

/** Maximum characters of answers and events waiting for deliveries to other processors. */
const MAX_WAITING_CHARACTERS = 4_194_304;

/** What the platform keeps of a socket while the object is not in memory, at most 16 KB. */
export interface Attachment {
  /** Empty for the processor's own memory. */
  readonly session: string;
  /** The client's name for its frames; `undefined` for none. */
  readonly source: string | undefined;
  /** The number of the last frame accepted from a stream without a source. */
  readonly last: number;
  readonly subscription: Subscription | undefined;
  /** Number of events that may still be sent. */
  readonly eventsLeft: number;
  /** Operations that frames may do in addition to observing; all if `undefined`. */
  readonly rights: readonly string[] | undefined;
  /** The identifier of the issued key with which it was opened; `undefined` for a configured one. */
  readonly keyId: string | undefined;
}

/** A message waiting for its turn. */
export interface WaitingFrame {
  /** Emptied when its stream has ended. */
  message: string | ArrayBuffer;
}

/** A text waiting to be sent. */
interface Queued {
  text: string;
  /** Characters counted for it: its own, or the frame's until its text is known. */
  characters: number;
}

/** One open stream. */
export class Link implements HeldClient {
  readonly #socket: BufferingSocket;
  readonly #unread: Unread;
  #attachment: Attachment;
  #isClosed = false;
  readonly #holdings: Holdings;
  readonly #waiting = { answers: 0, events: 0, characters: 0 };
  readonly #frames = { waiting: new Set<WaitingFrame>(), bytes: 0 };
  #held = 0;
  readonly #queued = new Set<Queued>();
  #tail: Promise<void> | undefined;
  /**
   * A frame with a number of its source that was refused for now. Frames behind it must not be taken: their numbers
   * would say that it was taken, too. So the stream ends with the refusal.
   */
  endsWith: object | undefined;
  /**
   * A frame with a number of its source that has run and was taken back, and may run again. If a frame behind it runs
   * first, it was refused for now.
   */
  undecided: object | undefined;

  constructor(socket: WebSocket, attachment: Attachment, holdings: Holdings) {
    this.#socket = socket;
    this.#unread = new Unread(socket);
    this.#holdings = holdings;
    this.#attachment = attachment;
  }

  get about(): Attachment {
    return this.#attachment;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The key under which its frames take turns; empty for a configured key. */
  get keyId(): string {
    return this.#attachment.keyId ?? "";
  }

  /** The flow of its frames, which keeps them in order. */
  flow(): this {
    return this;
  }

  /** Whether the limit of waiting answers and events is reached, in number or size. */
  get isFull(): boolean {
    const { answers, events, characters } = this.#waiting;
    return answers >= MAX_WAITING || events >= MAX_WAITING_EVENTS || characters >= MAX_WAITING_CHARACTERS;
  }

  /** Whether the limit of waiting frames is reached, in number or size. */
  get isAhead(): boolean {
    const { waiting, bytes } = this.#frames;
    return waiting.size >= MAX_WAITING_FRAMES || bytes >= MAX_WAITING_FRAME_BYTES;
  }

  /** Counts a message that begins to wait for its turn. */
  frameWaits(frame: WaitingFrame): void {
    this.#frames.waiting.add(frame);
    this.#frames.bytes += sizeOf(frame);
    this.holding();
  }

  /** Counts a message that stops waiting. */
  frameTaken(frame: WaitingFrame): void {
    if (!this.#frames.waiting.delete(frame)) return;
    this.#frames.bytes -= sizeOf(frame);
    this.holding();
  }

  /**
   * What the server holds for the client: characters waiting for other processors, and bytes that the client has not
   * read. 0 when the stream is closed.
   */
  holding(): number {
    return this.#note(this.#isClosed ? 0 : this.#unread.bytes);
  }

  #note(buffered: number): number {
    const held = this.#waiting.characters + this.#frames.bytes + buffered;
    const difference = held - this.#held;
    this.#held = held;
    if (difference !== 0) this.#holdings.changed(difference);
    return held;
  }

  /** Changes the attachment that the platform keeps. */
  attach(change: Partial<Attachment>): void {
    this.#attachment = { ...this.#attachment, ...change };
    this.#socket.serializeAttachment(this.#attachment);
  }

  /**
   * Sends an answer after those before it.
   *
   * @param after what else it waits for; nothing if absent
   * @returns resolves when it is sent; `undefined` if it is sent already
   */
  answer(text: string, after?: Promise<unknown>): Promise<void> | undefined {
    return this.#inOrder("answers", text, after);
  }

  /**
   * Sends an answer that is not known yet after those before it.
   *
   * @param text its text, and what else it waits for
   * @param characters number of the frame's characters, which is held until then
   * @returns resolves when it is sent
   */
  answerLater(
    text: Promise<{ readonly text: string; readonly after?: Promise<unknown> | undefined }>,
    characters: number,
  ): Promise<void> {
    const queued = { text: "", characters };
    const known = text.then(async ({ text: found, after }) => {
      if (this.#queued.has(queued)) this.#isKnown(queued, found);
      await after;
    });
    return this.#enqueue("answers", queued, known);
  }

  #isKnown(queued: Queued, text: string): void {
    this.#waiting.characters += text.length - queued.characters;
    queued.text = text;
    queued.characters = text.length;
    this.holding();
  }

  /** Sends an event after the answers before it. */
  tell(text: string): void {
    // No call waits for it, so it may be sent later.
    void this.#inOrder("events", text);
  }

  #inOrder(kind: "answers" | "events", text: string, after?: Promise<unknown>): Promise<void> | undefined {
    if (after === undefined && this.#tail === undefined) {
      this.send(text);
      return undefined;
    }
    return this.#enqueue(kind, { text, characters: text.length }, after);
  }

  #enqueue(kind: "answers" | "events", queued: Queued, after?: Promise<unknown>): Promise<void> {
    this.#waiting[kind]++;
    this.#queued.add(queued);
    this.#waiting.characters += queued.characters;
    this.holding();
    const sent = Promise.all([this.#tail, after]).then(
      () => this.send(queued.text),
      () => this.close(CLOSE.failure, "the processor failed"),
    );
    const tail = sent.then(() => {
      this.#waiting[kind]--;
      if (this.#queued.delete(queued)) {
        this.#waiting.characters -= queued.characters;
        this.holding();
      }
      if (this.#tail === tail) this.#tail = undefined;
    });
    this.#tail = tail;
    return tail;
  }

  /** Sends a message at once. A client that does not read loses its stream. */
  send(text: string): void {
    if (this.#isClosed) return;
    try {
      this.#socket.send(text);
    } catch {
      // The client is gone, but the runtime has not reported it yet.
      this.#drop();
      return;
    }
    if (this.#unread.sent(text.length)) this.close(CLOSE.overload, "more than 1 MiB of answers was not read");
    else this.#note(this.#unread.bytes);
  }

  /** Nothing is sent any more: free what waits. */
  #drop(): void {
    this.#isClosed = true;
    for (const queued of this.#queued) queued.text = "";
    this.#queued.clear();
    this.#waiting.characters = 0;
    for (const frame of this.#frames.waiting) frame.message = "";
    this.#frames.waiting.clear();
    this.#frames.bytes = 0;
    this.#note(0);
  }

  overload(): void {
    this.close(
      CLOSE.overload,
      "the processor holds more than 16 MiB of answers for its clients, most of it for this one",
    );
  }

  /** Ends the stream. Nothing is sent after that. @param reason at most 123 bytes */
  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#drop();
    try {
      this.#socket.close(code, reason);
    } catch {
      // The client has already closed it.
    }
  }
}

/** Bytes of a waiting message. */
function sizeOf({ message }: WaitingFrame): number {
  return FRAME_BYTES + (typeof message === "string" ? message.length : message.byteLength);
}
