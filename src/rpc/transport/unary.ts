/** What travels between the two halves of the unary path. Both towers and both halves agree on this file and nothing else. */

/**
 * The answer to one call: the bytes of the response message, or as text the error in Connect's JSON
 * (`{"code":…,"message":…,"details":[…]}`). Nothing is around them, because the runtime carries bare bytes several times as fast.
 */
export type UnaryReply = Uint8Array | string;

/** An object that answers calls over native RPC, and all others over HTTP. */
export interface UnaryObject {
  /**
   * Answers one call. Never throws: an error is a reply.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
   * @param body the bytes of the request message
   * @param calledName the friendly name under which the caller looked for the object, if it did: one that is called otherwise
   *   refuses with `FailedPrecondition`
   */
  unary(path: string, body: Uint8Array, calledName?: string): Promise<UnaryReply>;
  /** Serves Connect over HTTP. */
  fetch(url: string, init: RequestInit): Promise<Response>;
}
