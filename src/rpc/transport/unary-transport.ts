/**
 * The client half of the unary path: a Connect Transport whose unary calls go to an object of the same deployment as the bytes
 * of one message over one native call, and whose streams go over the library's own HTTP transport. Same codes, messages,
 * details, deadlines and cancellation as the library's transports; headers do not travel.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createContextValues, type Transport, type UnaryResponse } from "@connectrpc/connect";
import { runUnaryCall } from "@connectrpc/connect/protocol";
import { errorFromJson } from "@connectrpc/connect/protocol-connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { messageFromBytes, messageToBytes } from "./message-bytes";
import { methodPath } from "./method-path";
import type { UnaryObject, UnaryReply } from "./unary";

/** How often a call that changes nothing is tried when the object was lost in between. */
const MAX_ATTEMPTS = 3;

/** The longest pause before another attempt, in milliseconds; the real one is drawn at random, so that callers spread. */
const MAX_PAUSE_MS = 50;

/** Where URLs of calls over HTTP begin; the object looks only at the path. */
const BASE_URL = "https://object";

/**
 * Makes a transport to one object.
 *
 * @param object gives the object's stub, asked anew for every attempt: a stub does not outlive the object's failure, nor the
 *   request that made it
 */
export function createUnaryTransport(object: () => UnaryObject): Transport {
  let http: Transport | undefined;
  return {
    unary(method, signal, timeoutMs, header, input, contextValues) {
      if (signal === undefined && timeoutMs === undefined) return exchange(object, method, input);
      return runUnaryCall({
        ...(signal === undefined ? {} : { signal }),
        // As in the library's transports, a deadline of 0 or less is none.
        ...(timeoutMs === undefined || timeoutMs <= 0 ? {} : { timeoutMs }),
        req: {
          stream: false,
          service: method.parent,
          method,
          requestMethod: "POST",
          url: BASE_URL + methodPath(method),
          header: new Headers(header),
          contextValues: contextValues ?? createContextValues(),
          message: input,
        },
        next: (request) => unlessAborted(request.signal, () => exchange(object, method, request.message)),
      });
    },
    stream(method, signal, timeoutMs, header, input, contextValues) {
      http ??= createConnectTransport({
        baseUrl: BASE_URL,
        useBinaryFormat: true,
        // The runtime refuses the redirect mode that the library asks for.
        fetch: (url, init) => object().fetch(String(url), { ...init, redirect: "manual" }),
      });
      return http.stream(method, signal, timeoutMs, header, input, contextValues);
    },
  };
}

/** A response; its headers are made only when somebody looks. */
class UnaryAnswer<Input extends DescMessage, Output extends DescMessage> implements UnaryResponse<Input, Output> {
  readonly stream = false;
  readonly method: DescMethodUnary<Input, Output>;
  readonly message: MessageShape<Output>;
  #header: Headers | undefined;
  #trailer: Headers | undefined;

  constructor(method: DescMethodUnary<Input, Output>, message: MessageShape<Output>) {
    this.method = method;
    this.message = message;
  }

  get service() {
    return this.method.parent;
  }

  get header(): Headers {
    this.#header ??= new Headers();
    return this.#header;
  }

  get trailer(): Headers {
    this.#trailer ??= new Headers();
    return this.#trailer;
  }
}

async function exchange<Input extends DescMessage, Output extends DescMessage>(
  object: () => UnaryObject,
  method: DescMethodUnary<Input, Output>,
  message: MessageInitShape<Input>,
): Promise<UnaryResponse<Input, Output>> {
  const body = messageToBytes(method.input, message);
  const repeatable = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  const reply = await attempt(object, methodPath(method), body, repeatable ? MAX_ATTEMPTS : 1);
  if (typeof reply === "string") throw replyError(reply);
  return new UnaryAnswer(method, messageFromBytes(method.output, reply));
}

/** Calls the object, again while it is lost on the way, and the runtime calls that worth another attempt. */
async function attempt(
  object: () => UnaryObject,
  path: string,
  body: Uint8Array,
  attempts: number,
): Promise<UnaryReply> {
  try {
    return await object().unary(path, body);
  } catch (error) {
    // A refusal before the call, as of too many live objects.
    if (error instanceof ConnectError) throw error;
    if (attempts <= 1 || !isTransient(error)) throw lost(error);
  }
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));
  return attempt(object, path, body, attempts - 1);
}

/** Whether the runtime marked an error as passing, and the object as not overloaded: another attempt makes an overload worse. */
function isTransient(error: unknown): boolean {
  return error instanceof Error && "retryable" in error && error.retryable === true && !isOverload(error);
}

function isOverload(error: Error): boolean {
  return "overloaded" in error && error.overloaded === true;
}

/** The object never throws by itself: what arrives here is the runtime's own failure to reach it or to keep it. */
function lost(error: unknown): ConnectError {
  const reason =
    error instanceof Error && isOverload(error)
      ? "the object has more calls than it can answer; try again later"
      : "the object was lost during the call, which may or may not have taken place; try again";
  return new ConnectError(reason, Code.Unavailable, undefined, undefined, error);
}

/** The error of a reply; what is not Connect's JSON becomes an error of its own. */
function replyError(json: string): ConnectError {
  const unreadable = new ConnectError("the object answered with an error that cannot be read", Code.Unknown);
  try {
    return errorFromJson(JSON.parse(json), undefined, unreadable);
  } catch {
    // The library throws the fallback, and JSON.parse its own complaint: both say no more than `unreadable`.
    return unreadable;
  }
}

/** A native call cannot be taken back: when `signal` aborts, its answer is no longer waited for. */
function unlessAborted<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    call().then(resolve, reject);
  });
}
