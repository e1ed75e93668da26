/**
 * The contract between the two halves of the unary path: how a call names its method, and the messages in each
 * direction.
 */

import type { DescMethod } from "@bufbuild/protobuf";
import type { Carried } from "./message-bytes";

/**
 * The answer to one call: the response message, as text only if the request's was; or an error as text, in Connect's
 * JSON (`{"code":…,"message":…,"details":[…]}`). It has no envelope, because the runtime carries bare bytes and texts
 * several times as fast.
 */
export type UnaryReply = Carried;

/** The first character of an error. No message begins with this byte: it would be a group, which protobuf 3 has not. */
const ERROR_BEGIN = "{";

/** Whether a reply is an error. */
export function isErrorReply(reply: UnaryReply): reply is string {
  return typeof reply === "string" && reply.startsWith(ERROR_BEGIN);
}

/** Allows a call to be repeated: the first answer is kept, and its repetitions get that answer and have no effect. */
export interface Idempotency {
  /** The client's name for the request: 1 to 255 visible ASCII characters. */
  readonly key: string;
  /** Distinguishes the request from every other: a SHA-256 of everything that the client sent. */
  readonly fingerprint: Uint8Array;
  /**
   * The identifier of the issued key that the request came with; absent for a configured one.
   * Answers are counted by it.
   */
  readonly keyId?: string | undefined;
}

/** Parameters of a call besides its method and message. */
export interface UnaryCall {
  /**
   * The friendly name that the caller used for the object, if it used one: an object with another name refuses
   * with `FailedPrecondition`.
   */
  readonly calledName?: string | undefined;
  /** The session whose memory the call is about; the processor's own memory if absent. Not empty. */
  readonly session?: string | undefined;
  /** The identifier of the client's issued key, by which calls take turns; absent for a configured one. */
  readonly keyId?: string | undefined;
  /** Set if the client may repeat the call. Only calls that change something use it. */
  readonly idempotency?: Idempotency | undefined;
}

/** An object that answers calls over the runtime's native RPC. */
export interface UnaryObject {
  /**
   * Answers one call. Never throws: an error is a reply.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
   * @param body the request message
   * @param call the caller's other parameters; none if absent
   */
  unary(path: string, body: Carried, call?: UnaryCall): Promise<UnaryReply>;
}

/** The path that names a method on every transport, for example `/noema.v1.MemoryService/Observe`. */
export function methodPath(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}
