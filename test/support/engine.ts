/** Which engine a test runs in, for tests that run in two. */

/** Node 20 has none. */
const { navigator } = globalThis as { navigator?: { readonly userAgent: string } };
/** Where the project `everywhere` runs tests that run in plain Node, too. */
const IS_WORKERD = navigator?.userAgent === "Cloudflare-Workers";

/** How often a test does something: as often as it says in Node, and less often inside workerd, for the same reason as with seeds. */
export function timesHere(inNode: number, inWorkerd: number): number {
  return IS_WORKERD ? inWorkerd : inNode;
}

/**
 * The seeds of a test: all of them in Node, and inside workerd the first only. Which inputs a mistake needs is found out by all
 * seeds; whether the other engine gives the same numbers, by any of them.
 */
export function seedsHere(first: number, ...others: readonly number[]): readonly number[] {
  return IS_WORKERD ? [first] : [first, ...others];
}

/** Whether {@link seedsHere} gives all seeds: what these must reach together is asked only then. */
export const HAS_ALL_SEEDS = !IS_WORKERD;
