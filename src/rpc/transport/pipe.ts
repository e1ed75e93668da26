/**
 * Pipes: WebSockets between two objects of the deployment, over which the calls of one method go while they are
 * frequent. The runtime carries a message of an open WebSocket with a fraction of the work of a native call. An open
 * pipe keeps both objects in memory, so it is closed after a moment without a call.
 */

import type { UnaryCall, UnaryObject, UnaryReply } from "./unary";

/** Pause between two calls from which on they are not frequent, and after which a pipe is closed, in milliseconds. */
export const PAUSE_MS = 50;

/** Number of frequent calls after which a pipe is opened. */
export const CALLS_UNTIL_PIPE = 16;

/** Maximum size of a message of a call that goes over a pipe, in bytes. */
export const MAX_PIPED_BYTES = 65_536;

/** Close code for an object that could not answer a call. */
const FAILED = 1011;

const HEADER = "x-noema-pipe";

/** Bytes before the key identifier of a call: its number, and the length of the identifier. */
const CALL_HEAD_BYTES = 5;

/** Bytes before the message of a reply: the number of its call. */
const REPLY_HEAD_BYTES = 4;

/** Maximum length of a key identifier, in bytes. */
const MAX_KEY_BYTES = 255;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An object at which a pipe can be opened. */
export interface PipedObject extends UnaryObject {
  fetch(request: Request): Promise<Response>;
}

/** The method of the pipe that a request opens; `undefined` for any other request. */
export function pipedPathIn({ headers }: Request): string | undefined {
  return headers.get(HEADER) ?? undefined;
}

/**
 * Opens the answering end of a pipe.
 *
 * @param answer answers one call
 * @returns the response that hands over the other end
 */
export function answerPipe(
  answer: (body: Uint8Array, call: UnaryCall | undefined) => UnaryReply | Promise<UnaryReply>,
): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.binaryType = "arraybuffer";
  server.accept();
  // The caller hears that its calls are lost.
  const fail = () => server.close(FAILED, "a call failed");
  server.addEventListener("message", ({ data }) => {
    try {
      const { number, body, call } = callIn(data as ArrayBuffer);
      const send = (reply: UnaryReply) => server.send(replyOf(number, reply));
      const reply = answer(body, call);
      if (reply instanceof Promise) reply.then(send).catch(fail);
      else send(reply);
    } catch {
      fail();
    }
  });
  server.addEventListener("close", () => server.close());
  return new Response(null, { status: 101, webSocket: client });
}

/** The pipes of one object to others. */
export class Pipes {
  readonly #path: string;
  readonly #now: () => number;
  readonly #pipes = new Map<string, Pipe>();

  /**
   * @param path the method whose calls go over pipes
   * @param now the time in milliseconds
   */
  constructor(path: string, now = Date.now) {
    this.#path = path;
    this.#now = now;
  }

  /**
   * An object whose frequent calls go over a pipe.
   *
   * @param name unique among the objects
   * @param object returns the object's stub for one call
   */
  to(name: string, object: () => PipedObject): UnaryObject {
    return {
      unary: (path, body, call) => {
        if (typeof body === "string" || path !== this.#path || !fits(body, call))
          return object().unary(path, body, call);
        return this.#pipeTo(name).unary(object, path, body, call);
      },
    };
  }

  #pipeTo(name: string): Pipe {
    let pipe = this.#pipes.get(name);
    if (pipe === undefined) {
      for (const [other, { isIdle }] of this.#pipes) if (isIdle) this.#pipes.delete(other);
      pipe = new Pipe(this.#now);
      this.#pipes.set(name, pipe);
    }
    return pipe;
  }
}

/** A call on its way. */
interface Waiting {
  resolve(reply: UnaryReply): void;
  reject(error: Error): void;
}

/** The calls to one object. */
class Pipe {
  readonly #now: () => number;
  #socket: WebSocket | undefined;
  #isOpening = false;
  /** Number of calls so far without a {@link PAUSE_MS pause}. */
  #frequent = 0;
  /** When the last call began, in milliseconds. */
  #calledMs = 0;
  #number = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the last call began longer ago than a {@link PAUSE_MS pause}; the clock may have been set. */
  get #isPausing(): boolean {
    return Math.abs(this.#now() - this.#calledMs) > PAUSE_MS;
  }

  /** Whether nothing is lost with it. */
  get isIdle(): boolean {
    return this.#socket === undefined && !this.#isOpening && this.#isPausing;
  }

  unary(object: () => PipedObject, path: string, body: Uint8Array, call: UnaryCall | undefined): Promise<UnaryReply> {
    this.#frequent = this.#isPausing ? 1 : this.#frequent + 1;
    this.#calledMs = this.#now();
    if (this.#socket !== undefined) return this.#send(this.#socket, body, call);
    const stub = object();
    if (this.#frequent > CALLS_UNTIL_PIPE && !this.#isOpening) void this.#open(stub, path);
    return stub.unary(path, body, call);
  }

  #send(socket: WebSocket, body: Uint8Array, call: UnaryCall | undefined): Promise<UnaryReply> {
    this.#number = (this.#number + 1) >>> 0;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      try {
        socket.send(callOf(number, body, call));
      } catch {
        this.#lose(socket);
      }
    });
  }

  async #open(object: PipedObject, path: string): Promise<void> {
    this.#isOpening = true;
    try {
      // The address is never resolved.
      const request = new Request("https://object/pipe", { headers: { upgrade: "websocket", [HEADER]: path } });
      const { webSocket } = await object.fetch(request);
      if (webSocket !== null) this.#opened(webSocket);
    } catch {
      // Calls go on without it, and say themselves what is wrong.
      this.#frequent = 0;
    } finally {
      this.#isOpening = false;
    }
  }

  #opened(socket: WebSocket): void {
    socket.binaryType = "arraybuffer";
    socket.accept();
    socket.addEventListener("message", ({ data }) => this.#answered(data));
    socket.addEventListener("close", () => this.#lose(socket));
    socket.addEventListener("error", () => this.#lose(socket));
    this.#socket = socket;
    this.#closeLater(socket);
  }

  #answered(data: string | ArrayBuffer): void {
    const { number, reply } = replyIn(data);
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    waiting?.resolve(reply);
  }

  /** Closes it after a pause. One timer for all calls, because a timer a call costs more. */
  #closeLater(socket: WebSocket): void {
    setTimeout(() => {
      if (this.#socket !== socket) return;
      if (this.#waiting.size > 0 || !this.#isPausing) return this.#closeLater(socket);
      this.#socket = undefined;
      socket.close();
    }, PAUSE_MS);
  }

  /** The outcome of what was on its way is unknown. */
  #lose(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#frequent = 0;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(new Error("the pipe to the object was lost"));
  }
}

/** Whether a call may go over a pipe, which carries no parameter but the key. */
function fits({ byteLength }: Uint8Array, call: UnaryCall | undefined): boolean {
  if (byteLength > MAX_PIPED_BYTES) return false;
  if (call === undefined) return true;
  const { calledName, session, keyId = "", idempotency } = call;
  return (
    calledName === undefined && session === undefined && idempotency === undefined && keyId.length * 3 <= MAX_KEY_BYTES
  );
}

function callOf(number: number, body: Uint8Array, call: UnaryCall | undefined): Uint8Array {
  const key = call?.keyId === undefined ? undefined : encoder.encode(call.keyId);
  const keyBytes = key?.length ?? 0;
  const message = new Uint8Array(CALL_HEAD_BYTES + keyBytes + body.length);
  writeNumber(message, number);
  message[CALL_HEAD_BYTES - 1] = keyBytes;
  if (key !== undefined) message.set(key, CALL_HEAD_BYTES);
  message.set(body, CALL_HEAD_BYTES + keyBytes);
  return message;
}

/** Reads a message of the calling end. */
export function callIn(data: ArrayBuffer): {
  readonly number: number;
  readonly body: Uint8Array;
  readonly call: UnaryCall | undefined;
} {
  const message = new Uint8Array(data);
  const bodyAt = CALL_HEAD_BYTES + (message[CALL_HEAD_BYTES - 1] ?? 0);
  const keyId = bodyAt === CALL_HEAD_BYTES ? undefined : decoder.decode(message.subarray(CALL_HEAD_BYTES, bodyAt));
  return {
    number: readNumber(message),
    body: message.subarray(bodyAt),
    call: keyId === undefined ? undefined : { keyId },
  };
}

/** A reply as bytes, or an error as text after its number. */
function replyOf(number: number, reply: UnaryReply): Uint8Array | string {
  if (typeof reply === "string") return `${number} ${reply}`;
  const message = new Uint8Array(REPLY_HEAD_BYTES + reply.length);
  writeNumber(message, number);
  message.set(reply, REPLY_HEAD_BYTES);
  return message;
}

function replyIn(data: string | ArrayBuffer): { readonly number: number; readonly reply: UnaryReply } {
  if (typeof data === "string") {
    const blank = data.indexOf(" ");
    return { number: Number(data.slice(0, blank)), reply: data.slice(blank + 1) };
  }
  const message = new Uint8Array(data);
  return { number: readNumber(message), reply: message.subarray(REPLY_HEAD_BYTES) };
}

/** Writes a 32-bit number, the lowest byte first. */
function writeNumber(bytes: Uint8Array, number: number): void {
  for (let at = 0; at < 4; at++) bytes[at] = number >>> (8 * at);
}

function readNumber(bytes: Uint8Array): number {
  let number = 0;
  for (let at = 0; at < 4; at++) number |= (bytes[at] ?? 0) << (8 * at);
  return number >>> 0;
}
