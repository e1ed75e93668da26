/** What came after what: the surprise of each place of a sequence, by what followed its last event and its last two in the models. */

import { log2 } from "../logarithms";
import { SHORTER_WEIGHT, UNSEEN_NEXT } from "./constants";
import type { NumberedSequence } from "./numbered-sequence";

/** The probability of what follows, by how often it did, and how often anything did. @param symbols how many are known */
function afterOne(count: number, total: number, symbols: number): number {
  // Besides the known symbols there are the end and whatever is unknown.
  return (count + UNSEEN_NEXT / (symbols + 2)) / (total + UNSEEN_NEXT);
}

/**
 * The surprise of each place in bits: of its event, and last of the end behind all events. The probability of a symbol
 * is that after the last two events, corrected towards that after the last one.
 *
 * @param followers as the comparison has them
 * @param symbols how many symbols are known
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
