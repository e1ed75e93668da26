/**
 * The port through which a call with an idempotency key finds the answer kept from its first time, or has its answer
 * kept together with its effect.
 */

import type { Idempotency } from "../transport/unary";

/** A kept answer. */
export interface KeptAnswer {
  /** The bytes of the reply message. */
  reply: Uint8Array;
  /** Whether the call is done. False if only some of its parts are done: the same call resumes there. */
  isWhole: boolean;
}

/** Keeps the answers of one processor. Its methods are called inside the transaction of the call. */
export interface AnswerKeeper {
  /**
   * The kept answer of a call.
   *
   * @returns `undefined` for none
   * @throws Fault `key-reused` when the key was used for another request
   */
  find(idempotency: Idempotency): KeptAnswer | undefined;
  /**
   * Keeps the answer of a call, replacing an earlier one.
   *
   * @throws Fault `too-large` when the answer is too large to keep; the caller rolls back the call's effect
   */
  keep(idempotency: Idempotency, answer: KeptAnswer): void;
  /**
   * Refuses a call whose answer will be too large, before it has an effect.
   *
   * @param bytes size of the answer
   * @throws Fault `too-large`
   */
  assertFits(bytes: number): void;
}
