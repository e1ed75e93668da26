/**
 * `npm run demo:mnist -- [address] [--clear] [--learn 8000] [--classify 1000]`: learns handwritten digits as [image][digit] over
 * HTTP, and classifies others by the futures of their predictions. Without an address it starts a temporary server and deletes the
 * state at the end. At an address the processor keeps what it learned, and the genes that the demo set.
 *
 * The images come from the npm package `mnist`: the first 10,000 of MNIST's training set, 28 x 28 greys from 0 to 1. Each is sent as
 * one vector of 784 numbers, in an order that only the seed decides. Learning an image takes three requests: observe the image,
 * observe the digit, learn. Classifying another takes three more: observe the image, read the predictions, clear working memory.
 * The event holds the image itself and the three nearest learned images. So the predictions come from the models of these three, and
 * from models of images that had one of them as a neighbour. Each prediction votes for the digit in its future, weighted with its
 * potential; the digit with the most votes is the answer. No image is seen twice, each request waits for the answer to the last
 * one, and nothing is tuned on the images to classify.
 */

import mnist from "mnist";
import { changeGenes, clearWorkingMemory, getPredictions, learn, observe } from "noema/client";
import { runDemo } from "./demo.mjs";
import { eachWithProgress } from "./progress.mjs";
import { shuffle } from "./shuffle.mjs";

const SEED = 1;
const GENES = { near_vector_count: 3, max_predictions: 5, recall_threshold: 0.1 };

/** All images in the seed's order. */
function images() {
  const all = mnist.flatMap(({ id, length, get }) =>
    Array.from({ length }, (_, index) => ({ pixels: get(index), digit: String(id) })),
  );
  return shuffle(all, SEED);
}

/** The images to learn, and those to classify. Throws when there are not enough. */
function split(all, { learn, classify }) {
  if (learn + classify > all.length) {
    throw new Error(`There are ${all.length} images; to learn ${learn} and classify ${classify} takes more.`);
  }
  return [all.slice(0, learn), all.slice(learn, learn + classify)];
}

async function learnImage(p1, { pixels, digit }) {
  await observe(p1, { vectors: [pixels] });
  await observe(p1, { strings: [digit] });
  await learn(p1);
}

/** The digit with the most votes; undefined without predictions. */
function winner(predictions) {
  const votes = new Map();
  for (const { future, potential } of predictions) {
    const digit = future.at(-1)?.[0];
    if (digit !== undefined) votes.set(digit, (votes.get(digit) ?? 0) + potential);
  }
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0];
}

async function classify(p1, { pixels }) {
  await observe(p1, { vectors: [pixels] });
  const predictions = await getPredictions(p1);
  await clearWorkingMemory(p1);
  return winner(predictions);
}

await runDemo({ learn: 8000, classify: 1000 }, async (p1, address, counts) => {
  const [known, others] = split(images(), counts);
  await changeGenes(p1, GENES);
  const learning = await eachWithProgress("Learning", known, (image) => learnImage(p1, image));
  let right = 0;
  const classifying = await eachWithProgress("Classifying", others, async (image) => {
    right += (await classify(p1, image)) === image.digit ? 1 : 0;
  });
  console.log(
    `Learned ${known.length} images, ${(known.length / learning).toFixed(0)} a second, over HTTP at ${address}.`,
  );
  console.log(`Classified ${others.length} others, ${(others.length / classifying).toFixed(0)} a second.`);
  console.log(`Accuracy: ${(right / others.length).toFixed(3)}, ${right} of ${others.length} right.`);
});
