/** Markov chains over pages, to compare with: what came next most often after the same last pages. */

/**
 * Counts what followed what in the visits.
 *
 * @param {readonly { pages: readonly string[] }[]} visits
 * @param {number} order how many last pages count; 0: none, so that the most popular pages are the guesses
 * @returns {(pages: readonly string[]) => string[]} the guesses after these pages, best first. After last pages that never came, and after
 *   the guesses that all of them give, it goes on with one page less
 */
export function markovChain(visits, order) {
  const followers = new Map();
  for (const { pages } of visits) {
    for (let next = 1; next < pages.length; next++) {
      for (const context of contextsOf(pages.slice(0, next), order)) {
        const counts = followers.get(context) ?? new Map();
        followers.set(context, counts.set(pages[next], (counts.get(pages[next]) ?? 0) + 1));
      }
    }
  }
  return (pages) => {
    const counts = contextsOf(pages, order).map((context) => [...(followers.get(context) ?? [])]);
    return [...new Set(counts.flatMap((each) => each.sort(([, a], [, b]) => b - a).map(([page]) => page)))];
  };
}

/** The last pages, as many as the order says, then ever fewer. */
function contextsOf(pages, order) {
  const longest = Math.min(order, pages.length);
  return Array.from({ length: longest + 1 }, (_, fewer) => pages.slice(pages.length - longest + fewer).join(" "));
}
