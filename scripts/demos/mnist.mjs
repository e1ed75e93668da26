/**
 * `npm run demo:mnist -- [address] [--clear] [--learn 8000] [--classify 1000] [--requests]`: learns handwritten digits
 * as [image][digit] over a stream, and classifies others by the futures of their predictions. With `--requests` it does
 * so with HTTP requests, and gets the same answers. Without an address it starts a temporary server and deletes the
 * state at the end. At an address the processor keeps what it learned, and the genes that the demo set.
 *
 * The images come from the npm package `mnist`: the first 10,000 of MNIST's training set, 28 x 28 greys from 0
 * to 1. Each is sent as one vector of 784 numbers, in an order that only the seed decides. The event holds the
 * image itself and the three nearest learned images. So the predictions come from the models of these three, and
 * from models of images that had one of them as a neighbour. Each prediction votes for the digit in its future,
 * weighted with its potential; the digit with the most votes is the answer. No image is seen twice, and nothing is
 * tuned on the images to classify.
 */

import { changeGenes } from "noema/client";
import { runDemo } from "./demo.mjs";
import { GENES, images } from "./mnist-images.mjs";
import { requestTeacher, streamTeacher } from "./mnist-teacher.mjs";
import { eachWithProgress } from "./progress.mjs";

/** The images to learn, and those to classify. Throws when there are not enough. */
function split(all, { learn, classify }) {
  if (learn + classify > all.length) {
    throw new Error(`There are ${all.length} images; to learn ${learn} and classify ${classify} takes more.`);
  }
  return [all.slice(0, learn), all.slice(learn, learn + classify)];
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

await runDemo({ learn: 8000, classify: 1000, requests: false }, async (p1, address, { requests, ...counts }) => {
  const [known, others] = split(images(), counts);
  await changeGenes(p1, GENES);
  const teacher = requests ? requestTeacher(p1) : streamTeacher(p1);
  const { way, atOnce } = teacher;
  const learning = await eachWithProgress("Learning", known, atOnce, (image) => teacher.learnImage(image));
  let right = 0;
  const classifying = await eachWithProgress("Classifying", others, atOnce, async (image) => {
    if (winner(await teacher.predict(image)) === image.digit) right++;
  });
  await teacher.end();
  console.log(
    `Learned ${known.length} images, ${(known.length / learning).toFixed(0)} a second, ${way} at ${address}.`,
  );
  console.log(`Classified ${others.length} others, ${(others.length / classifying).toFixed(0)} a second.`);
  console.log(`Accuracy: ${(right / others.length).toFixed(3)}, ${right} of ${others.length} right.`);
});
