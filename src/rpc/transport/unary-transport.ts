/**
 * The client half of the unary path: a Connect Transport that calls an object of the same deployment with the bytes of
 * one message, as one native call. It has the same codes, messages, details, deadlines and cancellation as the
 * library's transports. It carries no headers and no streams: everything besides the message is a parameter of the
 * call.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createContextValues, type Transport, type UnaryResponse } from "@connectrpc/connect";
import { runUnaryCall } from "@connectrpc/connect/protocol";
import { errorFromJson } from "@connectrpc/connect/protocol-connect";
import {
  type Carried,
  messageFromCarried,
  messageToBytes,
  messageToCarried,
  sizeOfCarried,
  UNREAD,
} from "./message-bytes";
import { type ObjectName, storageFailure } from "./storage-failure";
import { isErrorReply, methodPath, type UnaryCall, type UnaryObject, type UnaryReply } from "./unary";
import { LARGE_BYTES, yieldToEventLoop } from "./yield-to-event-loop";

/** Maximum number of attempts of a call without side effects, or with an idempotency key, if the object is lost. */
const MAX_ATTEMPTS = 3;

/** Maximum pause before another attempt, in milliseconds. The pause is random, so that callers spread. */
const MAX_PAUSE_MS = 50;

/** Base of the URL of a call, which is never resolved. */
const BASE_URL = "https://object";

/**
 * Creates a transport to one object.
 *
 * @param object returns the object's stub. Called before every attempt, because a stub outlives neither a failure of
 *   the object nor the request that created it
 * @param called the object's name, for the log
 * @param call parameters of every call besides its method and message; none if absent
 * @param encode how messages are carried to the object
 */
export function createUnaryTransport(
  object: () => UnaryObject,
  called: () => ObjectName,
  call?: UnaryCall,
  encode: Target["encode"] = messageToCarried,
): Transport {
  const target = { object, called, call, encode };
  return {
    unary(method, signal, timeoutMs, header, input, contextValues) {
      if (signal === undefined && timeoutMs === undefined) return callObject(target, method, input);
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
        next: (request) => untilAborted(request.signal, () => callObject(target, method, request.message)),
      });
    },
    stream(method) {
      const reason = `${methodPath(method)} is a stream, and objects of this deployment answer unary calls only`;
      return Promise.reject(new ConnectError(reason, Code.Unimplemented));
    },
  };
}

/** A response that creates its headers on access. */
class UnaryResult<Input extends DescMessage, Output extends DescMessage> implements UnaryResponse<Input, Output> {
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

/** The object of a transport. */
interface Target {
  readonly object: () => UnaryObject;
  readonly called: () => ObjectName;
  readonly call: UnaryCall | undefined;
  readonly encode: typeof messageToBytes | typeof messageToCarried;
}

async function callObject<Input extends DescMessage, Output extends DescMessage>(
  target: Target,
  method: DescMethodUnary<Input, Output>,
  message: MessageInitShape<Input>,
): Promise<UnaryResponse<Input, Output>> {
  const body = target.encode(method.input, message);
  const isRepeatable =
    method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS || target.call?.idempotency !== undefined;
  const path = methodPath(method);
  // The runtime goes on to the object at once, and to reading what others have sent only when both are done.
  if (sizeOfCarried(body) > LARGE_BYTES) await yieldToEventLoop();
  let reply: UnaryReply;
  try {
    reply = await call(target, path, body);
  } catch (error) {
    reply = await afterLoss(error, target, { path, body, attempts: isRepeatable ? MAX_ATTEMPTS - 1 : 0 });
  }
  if (!isErrorReply(reply)) return new UnaryResult(method, messageIn(reply, method.output));
  const error = errorFromReply(reply);
  if (typeof body !== "string" || !isUnread(error)) throw error;
  return callObject({ ...target, encode: messageToBytes }, method, message);
}

/** The message of a reply. @throws ConnectError `Internal` for bytes, and `Unknown` for text, that is no message */
function messageIn<Output extends DescMessage>(reply: Carried, desc: Output): MessageShape<Output> {
  try {
    return messageFromCarried(desc, reply);
  } catch (error) {
    throw typeof reply === "string" ? errorFromReply(reply) : error;
  }
}

/**
 * Whether an object could not read a message, and so has done nothing: while a release replaces another, an object of
 * the earlier one reads no text.
 */
function isUnread({ code, rawMessage }: ConnectError): boolean {
  return code === Code.Internal && rawMessage.startsWith(UNREAD);
}

function call({ object, call: about }: Target, path: string, body: Carried): Promise<UnaryReply> {
  const stub = object();
  return about === undefined ? stub.unary(path, body) : stub.unary(path, body, about);
}

/** A failed call, with the number of attempts left. */
interface Failed {
  readonly path: string;
  readonly body: Carried;
  readonly attempts: number;
}

/**
 * Calls the object again if it was lost and the runtime reports that another attempt may succeed.
 *
 * @param error why the last attempt failed
 */
async function afterLoss(error: unknown, target: Target, { path, body, attempts }: Failed): Promise<UnaryReply> {
  // A refusal before the call, such as too many live objects.
  if (error instanceof ConnectError) throw error;
  if (attempts === 0 || !isTransient(error)) throw (await storageFailure(error, target.called)) ?? objectLost(error);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));
  try {
    return await call(target, path, body);
  } catch (again) {
    return afterLoss(again, target, { path, body, attempts: attempts - 1 });
  }
}

/**
 * Whether the runtime reports that another attempt may succeed. Never for an overload, which another attempt makes
 * worse.
 */
function isTransient(error: unknown): boolean {
  return error instanceof Error && "retryable" in error && error.retryable === true && !isOverload(error);
}

function isOverload(error: Error): boolean {
  return "overloaded" in error && error.overloaded === true;
}

/** The object itself never throws: this error is the runtime's, which could not reach the object or keep it running. */
function objectLost(error: unknown): ConnectError {
  const reason =
    error instanceof Error && isOverload(error)
      ? "the object has more calls than it can answer; try again later"
      : "the object was lost during the call, which may or may not have taken place; try again";
  return new ConnectError(reason, Code.Unavailable, undefined, undefined, error);
}

/** The error in a reply. A reply that is not Connect's JSON yields an error that says so. */
export function errorFromReply(json: string): ConnectError {
  const unreadable = new ConnectError("the object answered with an error that cannot be read", Code.Unknown);
  try {
    return errorFromJson(JSON.parse(json), undefined, unreadable);
  } catch {
    // Either the library threw `unreadable`, or JSON.parse threw its own error, which adds nothing.
    return unreadable;
  }
}

/**
 * Makes a call, and stops waiting for the answer when `signal` aborts. The call itself continues, because the runtime
 * cannot cancel it.
 */
function untilAborted<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    call().then(resolve, reject);
  });
}
