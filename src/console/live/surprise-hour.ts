/**
 * The surprises of the last hour: the greatest in each slot of a second. Has no clock: times are
 * passed in, in milliseconds.
 */

/** Length of a slot, in milliseconds. */
export const SLOT_MS = 1000;

/** Number of slots: an hour. */
export const SLOTS = 3600;

/** An observation that was not expected. */
export interface Surprise {
  /** When it was received, in milliseconds since 1970. */
  readonly at: number;
  /** Surprise, in bits. */
  readonly bits: number;
  /** The symbols of the observation that no model expected. */
  readonly unexpected: readonly string[];
  /** The events before it and the observation itself, oldest first; empty if unknown. */
  readonly events: readonly (readonly string[])[];
}

/** The last hour. */
export class SurpriseHour {
  /** The greatest surprise of each slot, in a ring; `undefined` where nothing was observed. */
  readonly #slots: (Surprise | undefined)[] = new Array(SLOTS).fill(undefined);
  #newest = 0;

  /** Adds a surprise, which must not be older than the last one. */
  add(surprise: Surprise): void {
    this.#moveTo(surprise.at);
    const at = this.#newest % SLOTS;
    if ((this.#slots[at]?.bits ?? -1) < surprise.bits) this.#slots[at] = surprise;
  }

  /**
   * The slots of the hour that ends now, oldest first.
   *
   * @param now in milliseconds since 1970; not before the newest surprise
   */
  slots(now: number): (Surprise | undefined)[] {
    this.#moveTo(now);
    const first = this.#newest + 1;
    return Array.from({ length: SLOTS }, (_, at) => this.#slots[(first + at) % SLOTS]);
  }

  /** Empties the slots between the newest and that of this time. */
  #moveTo(time: number): void {
    const slot = Math.floor(time / SLOT_MS);
    if (slot <= this.#newest) return;
    const from = Math.max(this.#newest + 1, slot - SLOTS + 1);
    for (let one = from; one <= slot; one++) this.#slots[one % SLOTS] = undefined;
    this.#newest = slot;
  }
}
