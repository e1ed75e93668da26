/** One link: a WebSocket from its opening to its end, what is heard on it, and why it ended. Knows no call. */

import type { Surprise } from "../gen/operations";
import type { Noema } from "../transport/connection";
import { exchange } from "../transport/exchange";
import { NoemaError } from "../transport/noema-error";
import { type Watch, watchOver } from "../transport/watch";
import type { Answer } from "./frame";
import { Pulse } from "./pulse";
import { OPERATION, openSocket, type Socket, type Target } from "./socket";

/** What happened in a memory. */
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
      /** How unexpected an observed record was; `null` without an event, a memory before it, or knowledge. */
      readonly surprise: Surprise | null;
    }
);

/** Hears what the server says. */
export interface Listener {
  /**
   * The link is open.
   *
   * @param last the number of the last frame that the server took of the source; 0 for none
   * @param send sends a text; does nothing once the link has ended
   */
  welcome(last: number, send: (text: string) => void): void;
  answer(answer: Answer): void;
  /** @param renew whether it is the last unless the client subscribes anew */
  event(event: StreamEvent, renew: boolean): void;
  subscribed(): void;
}

/** Why a link ended. */
export interface Ending {
  /** A NoemaError, unless the platform or the caller says something else. */
  readonly error: unknown;
  /** Whether another link would end in the same way. */
  readonly isFinal: boolean;
  /** Whether the server has said why: then it is not asked. */
  readonly wasSaid?: boolean;
  /** Whether the server was too slow to say anything: then it is not asked for a reason either. */
  readonly wasSilent?: boolean;
}

/** Everything that the server may say. */
type Said = Answer &
  Partial<Omit<StreamEvent, "interval">> & {
    readonly welcome?: { readonly last: number };
    readonly renew?: boolean;
    readonly subscribed?: readonly string[];
  };

/**
 * Close codes after which a new link would not help: the key counts no longer, a frame was too large, a
 * newer link has the source.
 */
const FINAL_CODES: readonly number[] = [1008, 1009, 4001];

const NORMAL = 1000;
/** The platform's own code for a link that ended without a close frame: what it says then is not the server's. */
const ABNORMAL = 1006;
const TOO_MANY_REQUESTS = 429;
const UPGRADE_REQUIRED = 426;
/** From here on a status says that the server or something before it is not there for now. */
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
  // Browsers do not say why an opening failed; an ordinary request does.
  const isClear = isOpen || ending.isFinal || ending.wasSaid === true || ending.wasSilent === true || over.aborted;
  return { ...(isClear ? ending : await whyNot(target, ending, over)), isOpen, wasUsed };
}

class Link {
  readonly ending: Promise<Ending>;
  /** Whether the server has said welcome. */
  isOpen = false;
  /** Whether it was of use: something was answered on it. */
  wasUsed = false;
  readonly #listener: Listener;
  readonly #watch: Watch;
  readonly #pulse: Pulse;
  /** Ends the opening, and nothing more: what is open ends with a close frame. */
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
    let said: Said | undefined;
    try {
      said = JSON.parse(text);
    } catch {
      // Whatever it is, it is not from Noema.
    }
    if (typeof said !== "object" || said === null) this.#finish(lost("what it said is not JSON"));
    else if (said.welcome !== undefined) this.#welcome(said.welcome.last);
    else if (this.isOpen) this.#pass(said);
  }

  #welcome(last: number): void {
    this.isOpen = true;
    // From now on, the pulse tells of silence.
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
    socket.close(NORMAL);
  } catch {
    // It is closed already.
  }
}

function lost(reason: string, status = 0): Ending {
  return { error: new NoemaError(`the link was lost: ${reason}`, { operation: OPERATION, status }), isFinal: false };
}

function endingOf(code: number, reason: string): Ending {
  const said = reason === "" ? `it was closed with code ${code}` : reason;
  if (!FINAL_CODES.includes(code)) return { ...lost(said), wasSaid: reason !== "" && code !== ABNORMAL };
  const message = `the server ended the stream: ${said}`;
  return { error: new NoemaError(message, { operation: OPERATION, status: code }), isFinal: true };
}

/** Asks the server why it opens no WebSocket. @param ending what is known so far */
async function whyNot({ noema, path }: Target, ending: Ending, signal: AbortSignal): Promise<Ending> {
  try {
    const upgrade = await refusalOf(noema, path, signal);
    // The server would take a stream, if there is such a processor.
    const error = upgrade?.status === UPGRADE_REQUIRED ? await refusalOf(noema, pingPath(path), signal) : upgrade;
    if (error === undefined) return unexplained(ending);
    const { status } = error;
    return { error, isFinal: status !== 0 && status !== TOO_MANY_REQUESTS && status < BAD_GATEWAY };
  } catch (error) {
    return { error, isFinal: true };
  }
}

/** The server is there again, or something lets other requests pass alone. */
function unexplained({ error }: Ending): Ending {
  const reason = error instanceof Error ? error.message : String(error);
  const hint =
    "the server answers other requests: is the processor not served elsewhere, does each proxy carry WebSockets, and may this page open them?";
  return { error: new NoemaError(`${reason}; ${hint}`, { operation: OPERATION, status: 0 }), isFinal: false };
}

/** Why a path is not answered; `undefined` when it is. @throws the signal's reason */
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

/** The path at which a processor says that it is there. @param path below the processor's */
function pingPath(path: string): string {
  return `${path.slice(0, path.indexOf("/", 1))}/ping`;
}
