/**
 * Distance of a bin in which nothing was learned from those in which something was. A number just beyond all learned
 * ones is odd, and one far beyond is odder, though neither bin has a symbol that a model holds (docs/surprise.md).
 */

/** Number of bins on either side among which a learned one is searched; beyond them, the next one counts as learned. */
const MAX_BINS = 32;

/** The greatest distance that counts, in widths of the bin next to the learned one. */
const MAX_DISTANCE = 2 ** 16;

/** Whether any model holds a number of a bin. Bin 0 lies below the first edge, bin n begins at edge n. */
export type IsLearned = (bin: number) => boolean;

/**
 * The distance of a bin from the next learned one in a direction: 1 for a neighbour, 2 if the bins between are as wide
 * as the first of them, and so on.
 *
 * @param towards -1 for lower bins, 1 for higher ones
 * @returns `undefined` if there is no learned bin
 */
function distance(edges: readonly number[], bin: number, towards: -1 | 1, isLearned: IsLearned): number | undefined {
  const edge = (at: number) => edges[at] ?? Number.NaN;
  for (let away = 1; away <= MAX_BINS; away++) {
    const other = bin + towards * away;
    if (other < 0 || other > edges.length) return undefined;
    if (away < MAX_BINS && !isLearned(other)) continue;
    if (away === 1) return 1;
    const between = towards < 0 ? edge(bin - 1) - edge(other) : edge(other - 1) - edge(bin);
    const first = towards < 0 ? edge(other + 1) - edge(other) : edge(other - 1) - edge(other - 2);
    const widths = 1 + between / first;
    // Also if both differences are infinite.
    return widths < MAX_DISTANCE ? widths : MAX_DISTANCE;
  }
  return undefined;
}

/**
 * What the probability of a bin in which nothing was learned is divided by: the fourth power of its distance from the
 * nearest learned one.
 *
 * @param edges rising
 * @returns 1 or more; 1 next to a learned bin, and if no bin is learned
 */
export function remoteness(edges: readonly number[], bin: number, isLearned: IsLearned): number {
  const distances = [distance(edges, bin, -1, isLearned), distance(edges, bin, 1, isLearned)];
  const known = distances.filter((one) => one !== undefined);
  return known.length === 0 ? 1 : Math.min(...known) ** 4;
}
