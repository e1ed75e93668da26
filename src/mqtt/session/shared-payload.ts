/**
 * What a message for clients says. All queues that have the message share it, so that its bytes are held, counted and
 * stored once, however many sessions hear of one event.
 */

/** A payload, and how many queues have it. */
export class SharedPayload {
  readonly bytes: Uint8Array;
  /** Whether several queues may have it: then it is stored apart from them. */
  readonly isShared: boolean;
  #queues = 0;

  constructor(bytes: Uint8Array, isShared = false) {
    this.bytes = bytes;
    this.isShared = isShared;
  }

  /** A queue has it. @returns how many bytes more are held because of that */
  hold(): number {
    return this.#queues++ === 0 ? this.bytes.length : 0;
  }

  /** A queue has it no more. @returns how many bytes less are held because of that */
  release(): number {
    return --this.#queues === 0 ? this.bytes.length : 0;
  }
}

/** What a message says whose client has it already. */
export const NO_PAYLOAD = new SharedPayload(new Uint8Array());

/** What queues take together, in bytes, with a payload once that several of them have. */
export class QueuedBytes {
  held = 0;
}
