/** Sends a request until it is answered. Repeats only what cannot take effect twice. Knows no operation. */

import { pause, pauseAfter, retryAfterIn } from "./backoff";
import { type Body, checkPatience, type Fetch, type Noema } from "./connection";
import { checked, type Names } from "./members";
import { NoemaError } from "./noema-error";
import { type Watch, watchOver } from "./watch";

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. If it was already sent, it may still take effect. */
  readonly signal?: AbortSignal;
  /** The longest silence of the server in one attempt, in milliseconds; 0 for no limit. The connection's if absent. */
  readonly timeout?: number;
  /** Maximum number of retries. The connection's if absent. */
  readonly retries?: number;
}

/** Options of a call that changes something. */
export interface WriteOptions extends CallOptions {
  /**
   * The key by which the server accepts the call once: 1 to 255 visible ASCII characters, unique among calls. Give one
   * to repeat a call after your program has ended. If absent, the client makes one, unless `retries` is 0.
   */
  readonly idempotencyKey?: string;
}

/**
 * When a call may be sent again: a `read` changes nothing, a `keyed` write takes effect once under its key, a
 * `numbered` one by its delivery number; any other goes out `once`.
 */
export type Repeats = "keyed" | "numbered" | "once" | "read";

/** A request, ready to be sent. */
export interface Outgoing {
  /** The name of the client's function, for errors. */
  readonly operation: string;
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly repeats: Repeats;
  /** The body, or a function that creates a stream of it and tells the watch when it waits for the server. */
  readonly body?: Body | ((watch: Watch) => ReadableStream<Uint8Array>) | undefined;
}

/** Reads a successful answer. Must end the watch if it returns before the body has been read. */
export type Reader<T> = (response: Response, watch: Watch) => Promise<T>;

/**
 * Checks the names of options.
 *
 * @param operation the function that takes them
 * @param own those that it takes in addition to the common ones
 * @returns the options
 * @throws TypeError as {@link checked}
 */
export function checkedOptions<O extends CallOptions>(
  operation: string,
  options: O,
  own: Names<Omit<O, keyof CallOptions>>,
): O {
  const names = { ...own, signal: 1, timeout: 1, retries: 1 };
  return checked<object>(operation, "option", options, names) as O;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
const KEY_BYTES = 16;
const TOO_MANY_REQUESTS = 429;
/** From this status on, the server or a proxy before it is temporarily unavailable. */
const BAD_GATEWAY = 502;

/**
 * Sends a request, repeats it after pauses while it may be repeated, and reads the answer.
 *
 * @throws NoemaError if the last attempt was refused or not answered
 * @throws TypeError or RangeError if an option is not accepted
 * @throws the signal's reason when it is aborted
 */
export async function exchange<T>(
  noema: Noema,
  outgoing: Outgoing,
  options: WriteOptions,
  read: Reader<T>,
): Promise<T> {
  const { operation, repeats } = outgoing;
  const isWrite = repeats === "keyed" || repeats === "numbered";
  checkedOptions<CallOptions>(operation, options, isWrite ? { idempotencyKey: 1 } : {});
  const { signal, retries = noema.retries, timeout = noema.timeout } = options;
  checkPatience(retries, timeout);
  signal?.throwIfAborted();
  const init = initOf(outgoing, idempotencyKey(outgoing, options, retries));
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(noema, outgoing, { init, signal, timeout }, read);
    } catch (error) {
      if (!(error instanceof NoemaError) || failures > retries || !mayRepeat(error, outgoing, init)) throw error;
      const ms = pauseAfter(failures, error.retryAfter, noema);
      if (ms === undefined) throw error;
      await pause(ms, signal);
    }
  }
}

/** The whole text of an answer. Each piece resets the silence. */
export async function textOf({ body }: Response, watch: Watch): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  for (let text = ""; ; watch.touch()) {
    const piece = await reader?.read();
    if (piece?.value === undefined) return text + decoder.decode();
    text += decoder.decode(piece.value, { stream: true });
  }
}

type Init = Omit<Parameters<Fetch>[1], "signal">;

const KEY_HEADER = "idempotency-key";

/** The key of a call; `undefined` for a call without one. */
function idempotencyKey({ repeats }: Outgoing, options: WriteOptions, retries: number): string | undefined {
  const { idempotencyKey: given } = options;
  if (given !== undefined) {
    if (KEY.test(given)) return given;
    throw new TypeError(`idempotencyKey must be 1 to 255 visible ASCII characters, got ${JSON.stringify(given)}`);
  }
  if (repeats !== "keyed" || retries === 0) return undefined;
  // randomUUID is missing on pages loaded over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function initOf({ method, body }: Outgoing, key: string | undefined): Init {
  const headers: Record<string, string> = { accept: "application/json" };
  if (key !== undefined) headers[KEY_HEADER] = key;
  if (body !== undefined) headers["content-type"] = "application/json";
  // A redirect would carry the key to another server.
  const init: Init = { method, headers, redirect: "manual" };
  if (typeof body === "function") init.duplex = "half";
  else if (body !== undefined) init.body = body;
  return init;
}

/** Whether a retry is safe, because it cannot take effect twice, and likely to help. */
function mayRepeat({ status }: NoemaError, { repeats, body }: Outgoing, { headers }: Init): boolean {
  if (typeof body === "function") return false;
  // A call refused for a rate limit had no effect.
  if (status === TOO_MANY_REQUESTS) return true;
  if (status > 0 && status < BAD_GATEWAY) return false;
  return repeats === "read" || repeats === "numbered" || headers[KEY_HEADER] !== undefined;
}

interface Attempt {
  readonly init: Init;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
}

async function attempt<T>(
  noema: Noema,
  { operation, path, body }: Outgoing,
  { init, signal, timeout }: Attempt,
  read: Reader<T>,
): Promise<T> {
  const watch = watchOver(signal, timeout);
  try {
    const stream = typeof body === "function" ? { body: body(watch) } : undefined;
    const response = await noema.fetch(noema.base + path, { ...init, ...stream, signal: watch.signal });
    watch.touch();
    if (!response.ok) throw await refusalIn(response, watch, operation);
    return await read(response, watch);
  } catch (cause) {
    watch.end();
    signal?.throwIfAborted();
    throw broken(operation, watch, cause);
  }
}

/** The error for an answer whose status is not a success. */
async function refusalIn(response: Response, watch: Watch, operation: string): Promise<NoemaError> {
  const { headers } = response;
  // Browsers hide the status of a redirect.
  const status = response.status || 302;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return new NoemaError("the server redirects; connect to the address that it redirects to", {
      operation,
      status,
    });
  }
  const message =
    sentenceIn(await textOf(response, watch)) ?? `the server answered HTTP ${status} without a message from Noema`;
  return new NoemaError(message, { operation, status, retryAfter: retryAfterIn(headers) });
}

/** The message of an envelope; `undefined` when the text is something else, such as the page of a proxy. */
function sentenceIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text);
    return typeof message === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a call without a complete answer. */
export function broken(operation: string, { silence, signal }: Watch, cause: unknown): unknown {
  if (cause instanceof NoemaError) return cause;
  if (signal.aborted && silence === undefined) return signal.reason;
  return new NoemaError(`there was no answer: ${silence ?? reasonOf(cause)}`, { operation, status: 0, cause });
}

/** The message of a failed fetch, which Node hides in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}
