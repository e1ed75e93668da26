/**
 * The payload of a message for clients. All queues with the message share it, so that its bytes are held, counted and
 * stored once, however many sessions get the event.
 */

/** A payload, and the number of queues that have it. */
export class SharedPayload {
  readonly bytes: Uint8Array;
  /** Whether several queues may have it: then it is stored separately. */
  readonly isShared: boolean;
  #queues = 0;

  constructor(bytes: Uint8Array, isShared = false) {
    this.bytes = bytes;
    this.isShared = isShared;
  }

  /** Adds it to a queue. @returns the increase of held bytes */
  hold(): number {
    return this.#queues++ === 0 ? this.bytes.length : 0;
  }

  /** Removes it from a queue. @returns the decrease of held bytes */
  release(): number {
    return --this.#queues === 0 ? this.bytes.length : 0;
  }
}

/** The payload of a message that the client already has. */
export const NO_PAYLOAD = new SharedPayload(new Uint8Array());

/** The bytes of all queues together; a payload in several of them counts once. */
export class QueuedBytes {
  held = 0;
}
