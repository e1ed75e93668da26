/**
 * Splits groups at random into those to learn and those to ask about. The same seed gives the same split on every
 * machine.
 */

import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** The two parts. Both keep the order of the table. */
export interface Holdout<T> {
  readonly training: readonly T[];
  readonly testing: readonly T[];
}

/**
 * Splits a list.
 *
 * @param fraction of the list to hold out, above 0 and below 1. Both parts get at least one item
 * @param seed an integer
 * @throws Error if there are fewer than two items
 */
export function holdOut<T>(all: readonly T[], share: number, seed: number): Holdout<T> {
  if (all.length < 2)
    throw new Error(`there are ${all.length} groups; to learn some and ask about others takes 2 or more`);
  const count = Math.min(all.length - 1, Math.max(1, Math.round(share * all.length)));
  const order = all.map((_, index) => index);
  const random = xoroshiro128plus(seed);
  // A Fisher–Yates shuffle, only as far as needed.
  for (let at = 0; at < count; at++) {
    const other = uniformInt(random, at, order.length - 1);
    [order[at], order[other]] = [order[other] ?? at, order[at] ?? other];
  }
  const held = new Set(order.slice(0, count));
  return {
    training: all.filter((_, index) => !held.has(index)),
    testing: all.filter((_, index) => held.has(index)),
  };
}
