/** One link: a WebSocket from its opening to its end, the messages on it, and why it ended. Knows no call. */

import type { Incident, Surprise } from "../gen/operations";
import type { Noema } from "../transport/connection";
import { exchange } from "../transport/exchange";
import { NoemaError } from "../transport/noema-error";
import { type Watch, watchOver } from "../transport/watch";
import type { Answer } from "./frame";
import { Pulse } from "./pulse";
import { OPERATION, openSocket, type Socket, type Target } from "./socket";

/** An event of a memory. */
export type StreamEvent = {
  /** The memory's time after it: how many events it had observed. */
  readonly interval: number;
  /** The session; `null` for the processor's own memory. */
  readonly session: string | null;
} & (
  | {
      readonly event: "observed";
      readonly symbols: string[];
      /** The identifier of the record. */
      readonly unique_id: string;
    }
  | {
      readonly event: "learned";
      /** As `MODEL|<hash>`. */
      readonly model: string;
    }
  | {
      readonly event: "surprise";
      /** The surprise of an observed record; `null` without an event, a memory before it, or knowledge. */
      readonly surprise: Surprise | null;
    }
  | {
      readonly event: "incident";
      /** The incident that has begun. */
      readonly incident: Incident;
    }
);

/** Receives messages of the server. */
export interface Listener {
  /**
   * The link is open.
   *
   * @param last the number of the last frame of the source that the server accepted; 0 for none
   * @param send sends a text; does nothing once the link has ended
   */
  welcome(last: number, send: (text: string) => void): void;
  answer(answer: Answer): void;
  /** @param renew whether it is the last event unless the client subscribes again */
  event(event: StreamEvent, renew: boolean): void;
  subscribed(): void;
}

/** The end of a link. */
export interface Ending {
  /** A NoemaError, or an error of the platform or the caller. */
  readonly error: unknown;
  /** Whether a new link would end in the same way. */
  readonly isFinal: boolean;
  /** Whether the server gave the reason, so that it need not be queried. */
  readonly wasSaid?: boolean;
  /** Whether the server was too slow to say anything: querying it for a reason would be no faster. */
  readonly wasSilent?: boolean;
}

/** Any message of the server. */
type Said = Answer &
  Partial<Omit<StreamEvent, "interval">> & {
    readonly welcome?: { readonly last: number };
    readonly renew?: boolean;
    readonly subscribed?: readonly string[];
  };

/**
 * Close codes after which a new link would not help: the key was revoked, a frame was too large, a
 * newer link has the source.
 */
const FINAL_CODES: readonly number[] = [1008, 1009, 4001];

const NORMAL_CLOSURE = 1000;
/** The platform's own code for a link that ended without a close frame: the reason is not from the server. */
const ABNORMAL = 1006;
const TOO_MANY_REQUESTS = 429;
const UPGRADE_REQUIRED = 426;
/** From this status on, the server or a proxy before it is temporarily unavailable. */
const BAD_GATEWAY = 502;

/**
 * Opens a link and listens until it ends.
 *
 * @param over ends it
 * @returns why it ended; never rejects
 */
export async function useLink(
  target: Target,
  listener: Listener,
  over: AbortSignal,
): Promise<Ending & { readonly isOpen: boolean; readonly wasUsed: boolean }> {
  const link = new Link(target, listener, over);
  const ending = await link.ending;
  const { isOpen, wasUsed } = link;
  // Browsers hide why the opening failed; an ordinary request shows it.
  const isClear = isOpen || ending.isFinal || ending.wasSaid === true || ending.wasSilent === true || over.aborted;
  return { ...(isClear ? ending : await whyNot(target, ending, over)), isOpen, wasUsed };
}

class Link {
  readonly ending: Promise<Ending>;
  /** Whether the server has said welcome. */
  isOpen = false;
  /** Whether anything was answered on it. */
  wasUsed = false;
  readonly #listener: Listener;
  readonly #watch: Watch;
  readonly #pulse: Pulse;
  /** Aborts the opening only: an open link ends with a close frame. */
  readonly #opening = new AbortController();
  #end: (ending: Ending) => void = () => {};
  #socket: Socket | undefined;
  #isOver = false;

  constructor(target: Target, listener: Listener, over: AbortSignal) {
    this.#listener = listener;
    this.ending = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#pulse = new Pulse(
      () => this.#send("ping"),
      () => this.#finish(lost("a ping was not answered within 10 s")),
    );
    this.#watch = watchOver(over, target.noema.timeout);
    const { signal } = this.#watch;
    const silent = () => this.#finish({ ...lost(this.#watch.silence ?? "it was ended"), wasSilent: true });
    signal.addEventListener("abort", silent, { once: true });
    const ears = {
      begun: (socket: Socket) => this.#begin(socket),
      message: (text: string) => this.#hear(text),
      ended: (code: number, reason: string) => this.#finish(endingOf(code, reason)),
    };
    openSocket(target, this.#opening.signal, ears).catch((error: unknown) => this.#finish({ error, isFinal: true }));
  }

  #begin(socket: Socket): void {
    this.#socket = socket;
    if (this.#isOver) close(socket);
  }

  #send(text: string): void {
    if (this.#isOver) return;
    try {
      this.#socket?.send(text);
    } catch (error) {
      this.#finish(lost(String(error)));
    }
  }

  #hear(text: string): void {
    if (this.#isOver) return;
    if (this.isOpen) this.#pulse.heard();
    if (text === "pong") this.wasUsed = true;
    else this.#read(text);
  }

  #read(text: string): void {
    let message: Said | undefined;
    try {
      message = JSON.parse(text);
    } catch {
      // Not a message of Noema.
    }
    if (typeof message !== "object" || message === null) this.#finish(lost("a message of the server is not JSON"));
    else if (message.welcome !== undefined) this.#welcome(message.welcome.last);
    else if (this.isOpen) this.#pass(message);
  }

  #welcome(last: number): void {
    this.isOpen = true;
    // From now on, the pulse detects silence.
    this.#watch.rest();
    this.#pulse.heard();
    this.#listener.welcome(last, (text) => this.#send(text));
  }

  #pass(said: Said): void {
    const { event, renew = false, subscribed, ...rest } = said;
    this.wasUsed ||= subscribed === undefined;
    if (event !== undefined) this.#listener.event({ event, ...rest } as unknown as StreamEvent, renew);
    else if (subscribed !== undefined) this.#listener.subscribed();
    else if (said.n !== undefined) this.#listener.answer(said);
  }

  #finish(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pulse.stop();
    this.#watch.end();
    if (this.#socket === undefined) this.#opening.abort();
    else close(this.#socket);
    this.#end(ending);
  }
}

function close(socket: Socket): void {
  try {
    socket.close(NORMAL_CLOSURE);
  } catch {
    // Already closed.
  }
}

function lost(reason: string, status = 0): Ending {
  return { error: new NoemaError(`the link was lost: ${reason}`, { operation: OPERATION, status }), isFinal: false };
}

function endingOf(code: number, reason: string): Ending {
  const cause = reason === "" ? `it was closed with code ${code}` : reason;
  if (!FINAL_CODES.includes(code)) return { ...lost(cause), wasSaid: reason !== "" && code !== ABNORMAL };
  const message = `the server ended the stream: ${cause}`;
  return { error: new NoemaError(message, { operation: OPERATION, status: code }), isFinal: true };
}

/** Queries the server for the reason why it opens no WebSocket. @param ending what is known so far */
async function whyNot({ noema, path }: Target, ending: Ending, signal: AbortSignal): Promise<Ending> {
  try {
    const upgrade = await refusalOf(noema, path, signal);
    // The server would accept a stream if the processor exists.
    const error = upgrade?.status === UPGRADE_REQUIRED ? await refusalOf(noema, pingPath(path), signal) : upgrade;
    if (error === undefined) return unexplained(ending);
    const { status } = error;
    return { error, isFinal: status !== 0 && status !== TOO_MANY_REQUESTS && status < BAD_GATEWAY };
  } catch (error) {
    return { error, isFinal: true };
  }
}

/** The server is back, or a proxy lets only other requests pass. */
function unexplained({ error }: Ending): Ending {
  const reason = error instanceof Error ? error.message : String(error);
  const hint =
    "the server answers other requests: is the processor not served elsewhere, does each proxy carry WebSockets, " +
    "and may this page open them?";
  return { error: new NoemaError(`${reason}; ${hint}`, { operation: OPERATION, status: 0 }), isFinal: false };
}

/** Why a path is refused; `undefined` if it is not. @throws the signal's reason */
async function refusalOf(noema: Noema, path: string, signal: AbortSignal): Promise<NoemaError | undefined> {
  const call = { operation: OPERATION, method: "GET", path, repeats: "once" } as const;
  try {
    await exchange(noema, call, { retries: 0, signal }, async (response, watch) => {
      watch.end();
      await response.body?.cancel();
    });
    return undefined;
  } catch (error) {
    if (error instanceof NoemaError) return error;
    throw error;
  }
}

/** The path of a processor's ping. @param path below the processor's */
function pingPath(path: string): string {
  return `${path.slice(0, path.indexOf("/", 1))}/ping`;
}
