/**
 * Carries messages to many parts: from each object to at most six others at once, which carry them on. Six is the
 * platform's limit of an object's open connections.
 */

import type { PartDelivery, PartFamily, PartMessage, PartObject, PartOutcome } from "./messages";

/** Maximum number of concurrent calls of one object: the platform's limit of connections. */
export const MOST_OPEN_CALLS = 6;

/** Milliseconds after which a part counts as lost. A question takes a second at most. */
const LOST_MS = 30_000;

/** Counters of the isolate. */
export const fanOutCounts = {
  /** The greatest number of concurrent calls that one object has had. */
  mostOpen: 0,
  /** Calls to parts. */
  calls: 0,
};

/** A message for a part. */
export interface PartItem {
  /** The part, numbered from 0. */
  readonly part: number;
  readonly message: PartMessage;
}

/**
 * Spreads messages evenly over at most {@link MOST_OPEN_CALLS} deliveries; the first part of each carries the rest of
 * its share on.
 */
export function deliveriesOf(items: readonly PartItem[]): PartDelivery[] {
  const shares = Math.min(MOST_OPEN_CALLS, items.length);
  return Array.from({ length: shares }, (_, share) => {
    const from = Math.floor((share * items.length) / shares);
    const to = Math.floor(((share + 1) * items.length) / shares);
    const [first, ...rest] = items.slice(from, to);
    if (first === undefined) throw new Error("a share of messages is empty");
    return { ...first, onwards: deliveriesOf(rest) };
  });
}

/** The calls from one object to parts. */
export class FanOut {
  readonly #call: PartObject["part"];
  readonly #lostMs: number;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * @param call calls the part that a delivery is for
   * @param lostMs milliseconds after which a call counts as lost
   */
  constructor(call: PartObject["part"], lostMs = LOST_MS) {
    this.#call = call;
    this.#lostMs = lostMs;
  }

  /** Carries deliveries. Never rejects: a lost part has no reply. */
  async carry(family: PartFamily, deliveries: readonly PartDelivery[]): Promise<PartOutcome[]> {
    const outcomes = await Promise.all(deliveries.map((delivery) => this.#carryOne(family, delivery)));
    return outcomes.flat();
  }

  async #carryOne(family: PartFamily, delivery: PartDelivery): Promise<PartOutcome[]> {
    // Hand the place of a finished call on, so that no other call takes it first.
    if (this.#open >= MOST_OPEN_CALLS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#open++;
    fanOutCounts.calls++;
    fanOutCounts.mostOpen = Math.max(fanOutCounts.mostOpen, this.#open);
    try {
      return await withinMs(this.#call(family, delivery), this.#lostMs);
    } catch {
      return lostOf(delivery);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#open--;
      else next();
    }
  }
}

/** The outcomes of a lost delivery: no part of it has a reply. */
function lostOf({ part, onwards }: PartDelivery): PartOutcome[] {
  return [{ part, reply: undefined }, ...onwards.flatMap(lostOf)];
}

/** @throws Error when the answer takes longer */
function withinMs<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("a part did not answer in time")), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
