/**
 * `npm run demo:mnist -- [address] [--clear] [--learn 8000] [--classify 1000]`: learns handwritten digits as [image][digit] over
 * HTTP and classifies others by the futures of their predictions. Without an address it starts a server of its own, with state
 * that it deletes again; at an address it leaves behind what it has learned, and the genes that it has set.
 *
 * The images are those of the npm package `mnist`: the first 10,000 of MNIST's training set, 28 x 28 greys from 0 to 1, sent as one
 * vector of 784 numbers, in an order that depends on nothing but a seed. To learn one takes three requests: observe the image,
 * observe the digit, learn. To classify one that was never learned takes three more: observe the image, read the predictions,
 * clear working memory. The three nearest learned images stand in the event beside the image itself, so what is predicted are the
 * models of these and of images whose neighbours they were. Each prediction votes for the digit in its future with its potential as
 * weight; the digit with most is the answer. No image is seen twice, no request is sent before the last one is answered, and
 * nothing is tuned on the images that are classified.
 */

import mnist from "mnist";
import { runDemo } from "./demo.mjs";
import { eachWithProgress } from "./progress.mjs";
import { shuffle } from "./shuffle.mjs";

const SEED = 1;
const GENES = { near_vector_count: 3, max_predictions: 5, recall_threshold: 0.1 };

/** All images in the order of the seed. */
function images() {
  const all = mnist.flatMap(({ id, length, get }) =>
    Array.from({ length }, (_, index) => ({ pixels: get(index), digit: String(id) })),
  );
  return shuffle(all, SEED);
}

/** Throws when there are not as many images as asked for. */
function split(all, { learn, classify }) {
  if (learn + classify > all.length) {
    throw new Error(`There are ${all.length} images; to learn ${learn} and classify ${classify} takes more.`);
  }
  return [all.slice(0, learn), all.slice(learn, learn + classify)];
}

async function learn(device, { pixels, digit }) {
  await device.observe({ vectors: [pixels] });
  await device.observe({ strings: [digit] });
  await device.learn();
}

/** The digit with most votes; undefined when nothing is predicted. */
function winner(predictions) {
  const votes = new Map();
  for (const { future, potential } of predictions) {
    const digit = future.at(-1)?.[0];
    if (digit !== undefined) votes.set(digit, (votes.get(digit) ?? 0) + potential);
  }
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0];
}

async function classify(device, { pixels }) {
  await device.observe({ vectors: [pixels] });
  const predictions = await device.predictions();
  await device.clearWorkingMemory();
  return winner(predictions);
}

await runDemo({ learn: 8000, classify: 1000 }, async (device, address, counts) => {
  const [known, others] = split(images(), counts);
  await device.changeGenes(GENES);
  const learning = await eachWithProgress("Learning", known, (image) => learn(device, image));
  let right = 0;
  const classifying = await eachWithProgress("Classifying", others, async (image) => {
    right += (await classify(device, image)) === image.digit ? 1 : 0;
  });
  console.log(
    `Learned ${known.length} images, ${(known.length / learning).toFixed(0)} a second, over HTTP at ${address}.`,
  );
  console.log(`Classified ${others.length} others, ${(others.length / classifying).toFixed(0)} a second.`);
  console.log(`Accuracy: ${(right / others.length).toFixed(3)}, ${right} of ${others.length} right.`);
});
