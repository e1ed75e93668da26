/** What the two halves of the unary path agree on: how a call names its method, and what travels each way. */

import type { DescMethod } from "@bufbuild/protobuf";

/**
 * The answer to one call: the bytes of the response message, or an error as text, in Connect's JSON
 * (`{"code":…,"message":…,"details":[…]}`). It has no envelope, because the runtime carries bare
 * bytes several times as fast.
 */
export type UnaryReply = Uint8Array | string;

/** What lets a call be repeated: the first answer is kept, and its repetitions get that answer and have no effect. */
export interface Idempotency {
  /** The client's name for the request: 1 to 255 visible ASCII characters. */
  readonly key: string;
  /** Tells the request from every other request: a SHA-256 of all that the client sent. */
  readonly fingerprint: Uint8Array;
  /**
   * The identifier of the issued key that the request came with; absent for a configured one.
   * Answers are counted by it.
   */
  readonly keyId?: string | undefined;
}

/** What a call carries in addition to its method and message. */
export interface UnaryCall {
  /**
   * The friendly name that the caller used for the object, if it used one: an object with another name refuses
   * with `FailedPrecondition`.
   */
  readonly calledName?: string | undefined;
  /** The session whose memory the call is about; the processor's own memory when it is absent. Not empty. */
  readonly session?: string | undefined;
  /**
   * The identifier of the issued key with which the client asks, by which calls take turns;
   * absent for a configured one.
   */
  readonly keyId?: string | undefined;
  /** Set when the client may repeat the call. Only calls that change something use it. */
  readonly idempotency?: Idempotency | undefined;
}

/** An object that answers calls over the runtime's native RPC. */
export interface UnaryObject {
  /**
   * Answers one call. Never throws: an error is a reply.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
   * @param body the bytes of the request message
   * @param call what else the caller says; nothing when absent
   */
  unary(path: string, body: Uint8Array, call?: UnaryCall): Promise<UnaryReply>;
}

/** The path that names a method on every transport, for example `/noema.v1.MemoryService/Observe`. */
export function methodPath(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}
