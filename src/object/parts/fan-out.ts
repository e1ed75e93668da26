/**
 * Carries messages to many parts: from each object to at most six others at once, which carry them on. Six is the
 * platform's limit of an object's open connections.
 */

import type { PartDelivery, PartFamily, PartMessage, PartObject, PartOutcome } from "./messages";

/** Maximum number of concurrent calls of one object: the platform's limit of connections. */
export const MAX_OPEN_CALLS = 6;

/**
 * Milliseconds after which a part that has not answered counts as silent. A question takes a second at most, but parts
 * of one isolate answer one after the other.
 */
const MAX_ANSWER_MS = 10_000;

/**
 * How many milliseconds less those have to whom a part carries messages on: so a part that is silent at the end of the
 * way is named before those on the way count as silent.
 */
const LEVEL_MS = 500;

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
 * Spreads messages evenly over at most {@link MAX_OPEN_CALLS} deliveries; the first part of each carries the rest of
 * its share on.
 */
export function deliveriesOf(items: readonly PartItem[]): PartDelivery[] {
  const shares = Math.min(MAX_OPEN_CALLS, items.length);
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
  readonly #mostMs: number;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * @param call calls the part that a delivery is for
   * @param mostMs after how many milliseconds what has not come counts as lost, where a caller does not say
   */
  constructor(call: PartObject["part"], mostMs = MAX_ANSWER_MS) {
    this.#call = call;
    this.#mostMs = mostMs;
  }

  /**
   * Carries deliveries. Never rejects: what is lost has no reply.
   *
   * @param withinMs after how many milliseconds what has not come counts as lost, on all of the way
   */
  async carry(
    family: PartFamily,
    deliveries: readonly PartDelivery[],
    withinMs = this.#mostMs,
  ): Promise<PartOutcome[]> {
    const outcomes = await Promise.all(deliveries.map((delivery) => this.#carryOne(family, delivery, withinMs)));
    return outcomes.flat();
  }

  /** The time counts from now: what waits for others to end has less for itself. */
  #carryOne(family: PartFamily, delivery: PartDelivery, withinMs: number): Promise<PartOutcome[]> {
    return new Promise((resolve) => {
      let isOver = false;
      let give: (() => void) | undefined;
      const end = (outcomes: PartOutcome[]) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        give?.();
        resolve(outcomes);
      };
      // A call that never ends must not keep its place.
      const timer = setTimeout(() => end(lostOf(delivery, true)), withinMs);
      void this.#place().then((giveBack) => {
        if (isOver) return giveBack();
        give = giveBack;
        const called = this.#call(family, { ...delivery, withinMs: Math.max(0, withinMs - LEVEL_MS) });
        return called.then(end, () => end(lostOf(delivery, false)));
      });
    });
  }

  /** Waits for a place among the open calls. @returns gives it back */
  async #place(): Promise<() => void> {
    // The place of a call that has ended is handed on, so that no other call takes it first.
    if (this.#open >= MAX_OPEN_CALLS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#open++;
    fanOutCounts.calls++;
    fanOutCounts.mostOpen = Math.max(fanOutCounts.mostOpen, this.#open);
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#open--;
      else next();
    };
  }
}

/** No reply of any part of a delivery. Others than the first were not asked. */
function lostOf({ part, onwards }: PartDelivery, isSilent: boolean): PartOutcome[] {
  return [{ part, reply: undefined, isSilent }, ...onwards.flatMap((onward) => lostOf(onward, false))];
}
