/**
 * The surprise of each place of a sequence, by what followed its previous event, and its previous two, in the models.
 */

import { log2 } from "../logarithms";
import { SHORTER_WEIGHT, UNSEEN_NEXT } from "./constants";
import type { NumberedSequence } from "./numbered-sequence";

/**
 * The probability of what follows, from how often it did and how often anything did. @param symbols number of known
 * symbols
 */
function afterOne(count: number, total: number, symbols: number): number {
  // Besides the known symbols, the end and anything unknown may follow.
  return (count + UNSEEN_NEXT / (symbols + 2)) / (total + UNSEEN_NEXT);
}

/**
 * The surprise of each place in bits: of each event, and finally of the end. A symbol's probability is the one after
 * the previous two events, smoothed with the one after the previous event.
 *
 * @param followers as in the comparison
 * @param symbols number of known symbols
 */
export function surprisesOf({ events }: NumberedSequence, followers: Float64Array, symbols: number): number[] {
  let at = 0;
  const next = () => followers[at++] ?? 0;
  return Array.from({ length: events.length + 1 }, (_, place) => {
    const [total, totalOfTwo] = [next(), next()];
    let bits = 0;
    for (let symbol = events[place]?.length ?? 1; symbol > 0; symbol--) {
      const [count, countOfTwo] = [next(), next()];
      const chance = afterOne(count, total, symbols);
      bits -= log2(place === 0 ? chance : (countOfTwo + SHORTER_WEIGHT * chance) / (totalOfTwo + SHORTER_WEIGHT));
    }
    return bits;
  });
}
