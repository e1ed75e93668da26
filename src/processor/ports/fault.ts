/**
 * What can go wrong in a processor, as a closed set of kinds. Every refusal that a client may see is a Fault; anything else
 * that is thrown is a defect and reaches no client as text.
 */

/**
 * - `invalid`: a value is wrong; the message names it and says what is accepted. Nothing has changed.
 * - `unknown`: the thing addressed does not exist.
 * - `too-large`: the request is larger than a stated limit.
 * - `exhausted`: a budget (memory, work) is used up; nothing was lost, and the message says what frees it.
 * - `conflict`: what the request goes on from has changed meanwhile; begin again.
 * - `unsupported`: the request is well formed, and this processor does not have the feature.
 */
export type FaultKind = "invalid" | "unknown" | "too-large" | "exhausted" | "conflict" | "unsupported";

/** A refusal with a sentence for the client. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly kind: FaultKind;

  /**
   * @param kind what sort of refusal it is
   * @param message one sentence for the client: the value that was wrong, and what is accepted
   */
  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
