/**
 * Streams: many calls over one WebSocket, which is opened again when it is lost. Decides what is
 * sent, and settles the calls.
 */

import type { Gdf } from "../gen/operations";
import { pause, pauseAfter } from "../transport/backoff";
import type { Memory } from "../transport/connection";
import { checked, type Names } from "../transport/members";
import { nameSegment } from "../transport/names";
import { NoemaError } from "../transport/noema-error";
import {
  type Answer,
  type Call,
  callOf,
  type Frame,
  type FrameOptions,
  fittingCalls,
  frameOf,
  MAX_RECORDS,
  resolveCalls,
  type StreamAnswer,
} from "./frame";
import { type Ending, type Listener, type StreamEvent, useLink } from "./link";
import { OPERATION, type SocketClass, type Target } from "./socket";
import { WaitingCalls, withResolvers } from "./waiting-calls";

/** Options of a stream. */
export interface StreamOptions {
  /**
   * The name of the sender, 1 to 128 bytes of UTF-8, unique among the streams of this memory. With it, calls that were
   * unanswered when a link was lost are sent again, and each takes effect once. Without it they are rejected.
   */
  readonly source?: string;
  /**
   * Maximum number of records of different calls in one frame, 1 to 1000; 1000 if absent. With 1, every call has a
   * frame of its own.
   */
  readonly batch?: number;
  /** Maximum number of frames in flight, 1 to 256; 16 if absent. */
  readonly frames?: number;
  /** Number of waiting records at which the stream is full, 1 or more; 10,000 if absent. */
  readonly buffer?: number;
  /**
   * Number of failed links in a row after which the stream ends, 0 or more. `Infinity` if absent: then it retries until
   * it is closed or aborted.
   */
  readonly retries?: number;
  /** Ends the stream: every call that was not answered throws the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Called for each event of this memory, including those that other clients cause. Errors that it throws are not
   * caught.
   */
  readonly onEvent?: (event: StreamEvent) => void;
  /**
   * Which events to receive; `learned` and `observed` if absent. With `surprise`, each observation
   * costs the server a forecast.
   */
  readonly events?: readonly StreamEvent["event"][];
  /** Whether to receive the events of all sessions too, if the memory is a processor's own. */
  readonly sessions?: boolean;
  /** Called each time a link is open: from then on calls are sent and, with `onEvent`, events received. */
  readonly onOpen?: () => void;
  /** Called with the reason each time a link was lost or could not be opened, before the next attempt. */
  readonly onLost?: (error: NoemaError) => void;
  /** The WebSocket class, such as that of the package `ws`. The platform's own if absent. */
  readonly webSocket?: SocketClass;
}

/** A stream to a memory. Made by {@link stream}. */
export interface Stream {
  /**
   * Observes a record, or several: all or none. Clears before, and learns and predicts after, if the options say so.
   * Calls take effect in the order of calling.
   *
   * @param gdf one record, or at most 1,000; an empty list observes nothing. It may be changed afterwards.
   * @throws NoemaError with the status 400 if a value is not accepted, 403 if the key lacks the right, 413 if something
   *   is too large; with 0 if the link was lost and it is unknown whether the call took effect; and for any reason for
   *   which the stream ends
   * @throws TypeError if a record is not an object, the stream is closed, a record or the options have an unknown
   *   member, or a number is given where none is allowed
   * @throws RangeError if its number is not greater than that of the previous call
   */
  observe(gdf: Gdf | readonly Gdf[], options?: FrameOptions): Promise<StreamAnswer>;
  /** Whether the buffer is full. Further calls are still queued, and take more memory. */
  readonly isFull: boolean;
  /** Resolves when the stream is not full. Rejects when it ends. Await it before each call when making many. */
  readonly ready: Promise<void>;
  /** Resolves when the stream is closed. Rejects with the reason if it ends by itself. */
  readonly closed: Promise<void>;
  /**
   * Accepts no more calls, waits for the answers to those made, and closes the link. Never rejects: each
   * call has its own result.
   */
  close(): Promise<void>;
}

/** Maximum number of bytes in flight, which bounds what the platform buffers. */
const MAX_BYTES_UNDER_WAY = 4 * 1_048_576;

/**
 * A subscription ends after 1,000 events. The client renews it after this many, so that it does not run out meanwhile.
 */
const RENEW_AFTER = 100;

const MAX_FRAMES = 256;

/** The close code when a newer stream has taken the source. */
const SOURCE_TAKEN = 4001;

const DEFAULT_EVENTS: readonly StreamEvent["event"][] = ["learned", "observed"];

const OPTIONS: Names<StreamOptions> = {
  source: 1,
  batch: 1,
  frames: 1,
  buffer: 1,
  retries: 1,
  signal: 1,
  onEvent: 1,
  events: 1,
  sessions: 1,
  onOpen: 1,
  onLost: 1,
  webSocket: 1,
};

/**
 * Opens a stream to a memory: one WebSocket for many calls. It begins to open at once, and opens again when it is lost.
 *
 * @throws TypeError if there is no such option, the source is not a name, or there are `events` or
 *   `sessions` without `onEvent`
 * @throws RangeError if a number is out of range
 * @throws the signal's reason if it is aborted already
 */
export function stream(memory: Memory, options: StreamOptions = {}): Stream {
  if (memory?.kind !== "processor" && memory?.kind !== "session") {
    throw new TypeError("the first argument of stream must be what processor or session returns");
  }
  const {
    batch = MAX_RECORDS,
    frames = 16,
    buffer = 10_000,
    retries = Infinity,
  } = checked("stream", "option", options, OPTIONS);
  within("batch", batch, 1, MAX_RECORDS);
  within("frames", frames, 1, MAX_FRAMES);
  within("buffer", buffer, 1, Number.MAX_SAFE_INTEGER);
  if (retries !== Infinity) within("retries", retries, 0, Number.MAX_SAFE_INTEGER);
  for (const name of ["events", "sessions"] as const) {
    if (options[name] !== undefined && options.onEvent === undefined) throw new TypeError(`${name} needs onEvent`);
  }
  for (const name of ["onEvent", "onLost", "onOpen"] as const) {
    const hears = options[name];
    if (hears !== undefined && typeof hears !== "function")
      throw new TypeError(`${name} must be a function, got ${JSON.stringify(hears)}`);
  }
  options.signal?.throwIfAborted();
  const { source } = options;
  const query = source === undefined ? "" : `?source=${nameSegment("the name of a source", source)}`;
  const target = { noema: memory.noema, path: `${memory.path}/stream${query}`, webSocket: options.webSocket };
  return new OpenStream(target, { ...options, batch, frames, buffer, retries });
}

/** @throws RangeError unless the value is a whole number from `least` to `most` */
function within(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}, got ${value}`);
}

type Settings = StreamOptions & Required<Pick<StreamOptions, "batch" | "buffer" | "frames" | "retries">>;

class OpenStream implements Stream, Listener {
  readonly #settings: Settings;
  readonly #target: Target;
  readonly #waiting: WaitingCalls;
  /** The frames that were sent and not answered, by their numbers, in order. */
  readonly #underWay = new Map<number, Frame>();
  readonly #closed = withResolvers();
  /** Aborted when the stream has ended. */
  readonly #over = new AbortController();
  readonly #abort = () => this.#end(this.#settings.signal?.reason);
  /** The reason why it ended; `undefined` while it has not, and when it was closed. */
  #reason: unknown;
  /** Sends on the open link; `undefined` when there is none. */
  #send: ((text: string) => void) | undefined;
  #bytesUnderWay = 0;
  /**
   * Number of abandoned openings. The server may process one late, and then takes the source away from the open link.
   */
  #ghosts = 0;
  #lastNumber = 0;
  /** The number of the last call; `undefined` before the first call, `null` if calls have no numbers. */
  #lastGiven: number | null | undefined;
  #isClosing = false;
  #isPumpDue = false;
  /**
   * Whether the frame in flight has several calls. Nothing is sent after it, so that they keep their place if they must
   * be sent again one by one.
   */
  #isSharedUnderWay = false;
  #eventsHeard = 0;
  #isRenewing = false;
  /** Whether `onOpen` is still to be called for this link. */
  #isOpenUntold = false;

  constructor(target: Target, settings: Settings) {
    this.#target = target;
    this.#settings = settings;
    this.#waiting = new WaitingCalls(settings.buffer);
    settings.signal?.addEventListener("abort", this.#abort, { once: true });
    this.#keepOpen().catch((error: unknown) => this.#end(error));
  }

  get isFull(): boolean {
    return this.#waiting.isFull;
  }

  get ready(): Promise<void> {
    return this.#over.signal.aborted ? Promise.reject(this.#refusal()) : this.#waiting.room;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  observe(gdf: Gdf | readonly Gdf[], options: FrameOptions = {}): Promise<StreamAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosing || this.#over.signal.aborted) throw this.#refusal();
      const call = callOf(gdf, options, { resolve, reject });
      this.#noteNumber(call.number);
      this.#waiting.push(call);
      this.#pumpSoon();
    });
  }

  /**
   * @throws TypeError if numbers need a source, or only some calls have them; RangeError if this one is
   *   not greater than the last
   */
  #noteNumber(number: number | undefined): void {
    const last = this.#lastGiven;
    if (number !== undefined) {
      if (this.#settings.source === undefined) throw new TypeError("number needs a source");
      within("number", number, (last ?? 0) + 1, Number.MAX_SAFE_INTEGER);
    }
    if (last !== undefined && (last === null) !== (number === undefined)) {
      throw new TypeError("number all calls of a stream, or none");
    }
    this.#lastGiven = number ?? null;
  }

  close(): Promise<void> {
    this.#isClosing = true;
    this.#endIfDone();
    return this.#closed.promise.catch(() => {});
  }

  welcome(last: number, send: (text: string) => void): void {
    this.#send = send;
    this.#lastNumber = Math.max(this.#lastNumber, last);
    for (const frame of [...this.#underWay.values()]) {
      if (frame.n > last) send(frame.text);
      else this.#settle(frame, { n: frame.n, redelivered: true });
    }
    this.#isOpenUntold = true;
    this.#subscribe();
    if (!this.#isRenewing) this.#tellOpen();
    this.#pump();
    this.#endIfDone();
  }

  answer(answer: Answer): void {
    const { n, error } = answer;
    const frame = n === null ? undefined : this.#underWay.get(n);
    if (frame !== undefined) this.#settle(frame, answer);
    // Only a subscription is answered without a number.
    else if (error !== undefined && n === null) this.#end(errorOf(error));
    this.#pump();
    this.#endIfDone();
  }

  event(event: StreamEvent, renew: boolean): void {
    // An error it throws belongs to the program, not the link.
    queueMicrotask(() => this.#settings.onEvent?.(event));
    this.#eventsHeard++;
    if ((renew || this.#eventsHeard >= RENEW_AFTER) && !this.#isRenewing) this.#subscribe();
  }

  subscribed(): void {
    this.#isRenewing = false;
    this.#tellOpen();
  }

  #tellOpen(): void {
    if (this.#isOpenUntold) queueMicrotask(() => this.#settings.onOpen?.());
    this.#isOpenUntold = false;
  }

  #subscribe(): void {
    const { onEvent, events = DEFAULT_EVENTS, sessions = false } = this.#settings;
    if (onEvent === undefined) return;
    this.#eventsHeard = 0;
    this.#isRenewing = true;
    this.#send?.(JSON.stringify({ subscribe: events, ...(sessions && { sessions }) }));
  }

  /** Opens one link after another until the stream ends. */
  async #keepOpen(): Promise<void> {
    const { signal } = this.#over;
    const { retries, onLost } = this.#settings;
    for (let failures = 1; !signal.aborted; failures++) {
      const ending = await useLink(this.#target, this, signal);
      const { error, wasUsed } = ending;
      this.#send = undefined;
      if (signal.aborted) return;
      if (wasUsed) failures = 1;
      if (this.#isLast(ending) || !(error instanceof NoemaError) || failures > retries) return this.#end(error);
      if (this.#settings.source === undefined) this.#rejectUnderWay(error);
      this.#endIfDone();
      if (signal.aborted) return;
      queueMicrotask(() => onLost?.(error));
      await pause(this.#pauseAfter(failures, error.retryAfter), signal).catch(() => {});
    }
  }

  /** Whether to give up after this link. */
  #isLast({ error, isFinal, isOpen }: Ending & { readonly isOpen: boolean }): boolean {
    if (!isOpen) this.#ghosts++;
    const isTaken = error instanceof NoemaError && error.status === SOURCE_TAKEN;
    if (!isTaken || this.#ghosts === 0) return isFinal;
    this.#ghosts--;
    return false;
  }

  /** In milliseconds. */
  #pauseAfter(failures: number, retryAfter: number | undefined): number {
    const { noema } = this.#target;
    const asked = Math.min((retryAfter ?? 0) * 1000, 2 ** 31 - 1);
    // Honour a longer pause that the server asks for: no caller is waiting on this attempt.
    return pauseAfter(failures, retryAfter, noema) ?? asked;
  }

  /** Sends in a microtask, so that calls made in one go share a frame. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    queueMicrotask(() => {
      this.#isPumpDue = false;
      this.#pump();
      this.#endIfDone();
    });
  }

  /** Sends waiting calls, within the limits. */
  #pump(): void {
    const { batch, frames } = this.#settings;
    while (this.#send !== undefined && this.#waiting.length > 0 && this.#underWay.size < frames) {
      if (this.#isSharedUnderWay || this.#bytesUnderWay >= MAX_BYTES_UNDER_WAY) return;
      const calls = this.#waiting.take(fittingCalls(this.#waiting, batch));
      const n = calls[0]?.number ?? this.#lastNumber + 1;
      if (n <= this.#lastNumber) {
        for (const { resolve } of calls) resolve({ redelivered: true });
        continue;
      }
      this.#lastNumber = n;
      const frame = frameOf(n, calls);
      this.#underWay.set(frame.n, frame);
      this.#bytesUnderWay += frame.bytes;
      this.#isSharedUnderWay = frame.calls.length > 1;
      this.#send(frame.text);
    }
  }

  /** Settles the calls of a frame. */
  #settle(frame: Frame, answer: Answer): void {
    this.#forget(frame);
    if (answer.error === undefined) resolveCalls(frame, answer);
    else this.#refuse(frame.calls, errorOf(answer.error));
  }

  #forget(frame: Frame): void {
    this.#underWay.delete(frame.n);
    this.#bytesUnderWay -= frame.bytes;
    if (frame.calls.length > 1) this.#isSharedUnderWay = false;
  }

  /** Nothing of the frame took effect. Sends several calls again in frames of their own, to find the one at fault. */
  #refuse(calls: readonly Call[], error: NoemaError): void {
    if (calls.length > 1) this.#waiting.putBack(calls.map((call) => ({ ...call, isAlone: true })));
    else for (const { reject } of calls) reject(error);
  }

  #rejectUnderWay({ message }: NoemaError): void {
    const sentence = `it is unknown whether this took effect, and there is no source to ask for: ${message}`;
    const error = new NoemaError(sentence, { operation: OPERATION, status: 0 });
    for (const frame of [...this.#underWay.values()]) {
      this.#forget(frame);
      for (const { reject } of frame.calls) reject(error);
    }
  }

  #endIfDone(): void {
    if (this.#isClosing && this.#waiting.length === 0 && this.#underWay.size === 0) this.#end(undefined);
  }

  /** @param reason why; `undefined` when it was closed */
  #end(reason: unknown): void {
    const { signal } = this.#over;
    if (signal.aborted) return;
    this.#reason = reason;
    this.#over.abort();
    this.#settings.signal?.removeEventListener("abort", this.#abort);
    const calls = [...[...this.#underWay.values()].flatMap((frame) => frame.calls), ...this.#waiting.drop(reason)];
    this.#underWay.clear();
    for (const { reject } of calls) reject(reason);
    if (reason === undefined) this.#closed.resolve();
    else this.#closed.reject(reason);
  }

  /** Why it accepts no calls. */
  #refusal(): unknown {
    return this.#reason ?? new TypeError("the stream is closed");
  }
}

function errorOf({ code, message }: { readonly code: number; readonly message: string }): NoemaError {
  return new NoemaError(message, { operation: OPERATION, status: code });
}
