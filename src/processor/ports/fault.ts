/**
 * The refusals of a processor, as a closed set of kinds. Every refusal that a client may see is a Fault. Any other
 * error is a defect, and its text reaches no client.
 */

/**
 * - `invalid`: a value is wrong; the message names it and says what is accepted. Nothing has changed.
 * - `too-large`: the request is larger than a stated limit.
 * - `over-limit`: the maximum number of something is reached; the message says how to make room. Nothing has changed.
 * - `exhausted`: the memory for what the processor knows is used up; nothing has changed, and the message says what
 *   frees some. Waiting does not help.
 * - `damaged`: what is stored contradicts itself, or another release stored it; the message says how. Nothing can be
 *   done with it.
 * - `unknown`: nothing has the name given in the request. Nothing has changed.
 * - `key-reused`: the request's idempotency key belongs to another request. Nothing has changed.
 * - `conflict`: the state that the request builds on has changed meanwhile; begin again.
 * - `unavailable`: what the answer needs cannot be reached now, or is in use; nothing has changed, and the same request
 *   may succeed later.
 */
export type FaultKind =
  | "invalid"
  | "unknown"
  | "too-large"
  | "over-limit"
  | "exhausted"
  | "key-reused"
  | "conflict"
  | "unavailable"
  | "damaged";

/** A refusal with a sentence for the client. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly kind: FaultKind;

  /**
   * @param kind the kind of refusal
   * @param message one sentence for the client: the value that was wrong, and what is accepted
   */
  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
