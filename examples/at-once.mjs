/** Does some steps at once, as many visitors of a server do. */

/**
 * Does a step for every item, in their order.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} atOnce how many steps are under way at most
 * @param {(item: T, index: number) => Promise<void>} step
 * @throws what a step throws
 */
export async function forEachAtOnce(items, atOnce, step) {
  const rest = items.entries();
  const lane = async () => {
    for (const [index, item] of rest) await step(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
