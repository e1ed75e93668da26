/**
 * Divides groups at random into those to learn and those to ask about. The same seed divides the same groups
 * the same way, everywhere.
 */

import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Groups, divided. Both keep the order of the table. */
export interface Holdout<T> {
  readonly training: readonly T[];
  readonly testing: readonly T[];
}

/**
 * Divides a list.
 *
 * @param share of the list to hold out, above 0 and below 1. At least one is held out, and at least one is not
 * @param seed a whole number
 * @throws Error if there are fewer than two
 */
export function holdOut<T>(all: readonly T[], share: number, seed: number): Holdout<T> {
  if (all.length < 2)
    throw new Error(`there are ${all.length} groups; to learn some and ask about others takes 2 or more`);
  const count = Math.min(all.length - 1, Math.max(1, Math.round(share * all.length)));
  const order = all.map((_, index) => index);
  const random = xoroshiro128plus(seed);
  // Fisher and Yates, as far as groups are wanted.
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
