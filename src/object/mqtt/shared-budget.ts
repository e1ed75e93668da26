/**
 * Bounds what all sessions of an agent use together, and what those of one key use, so that no key uses up what others
 * need.
 */

/** A budget of an agent, and of each key. */
export class SharedBudget {
  readonly #most: number;
  readonly #mostOfAKey: number;
  readonly #ofKeys = new Map<string, number>();
  #used = 0;

  /**
   * @param most maximum for all keys together
   * @param mostOfAKey maximum for one key
   */
  constructor(most: number, mostOfAKey: number) {
    this.#most = most;
    this.#mostOfAKey = mostOfAKey;
  }

  /** Whether a key may use more. @param by the additional amount, 0 or more */
  allows(keyRef: string, by: number): boolean {
    return this.#used + by <= this.#most && (this.#ofKeys.get(keyRef) ?? 0) + by <= this.#mostOfAKey;
  }

  /** Notes that a key uses more, or less. Stored use counts even if it exceeds the budget. */
  use(keyRef: string, by: number): void {
    if (by === 0) return;
    const used = (this.#ofKeys.get(keyRef) ?? 0) + by;
    this.#used += by;
    if (used === 0) this.#ofKeys.delete(keyRef);
    else this.#ofKeys.set(keyRef, used);
  }
}
