/**
 * The port through which a call with an idempotency key finds the answer that was kept when it came first, and has its
 * own answer kept together with its effect.
 */

import type { Idempotency } from "../transport/unary";

/** A kept answer. */
export interface KeptAnswer {
  /** The bytes of the reply message. */
  reply: Uint8Array;
  /** Whether the call is done. False while it has done some of its parts: the same call resumes there. */
  isWhole: boolean;
}

/** Keeps the answers of one processor. Its methods are called inside the transaction of the call. */
export interface AnswerKeeper {
  /**
   * The answer that is kept for a call.
   *
   * @returns `undefined` when none is kept
   * @throws Fault `key-reused` when the key was given with another request
   */
  find(idempotency: Idempotency): KeptAnswer | undefined;
  /**
   * Keeps the answer of a call, in place of what is kept for it.
   *
   * @throws Fault `too-large` when the answer is larger than what is kept; the caller rolls the call's effect back
   */
  keep(idempotency: Idempotency, answer: KeptAnswer): void;
  /**
   * Refuses a call whose answer will be too large, before it has an effect.
   *
   * @param bytes how many
   * @throws Fault `too-large`
   */
  assertFits(bytes: number): void;
}
