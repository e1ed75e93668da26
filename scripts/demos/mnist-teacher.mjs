/**
 * How the mnist demo teaches a processor, and asks it: over a stream, with many images under way, or with HTTP
 * requests, each of which waits for the answer to the last one. Both give the same answers, image for image.
 */

import { clearWorkingMemory, getPredictions, learn, observe, stream } from "noema/client";

/** How many images are under way on a stream. */
const AT_ONCE = 16;

/** With a name for what sends, frames whose answers were lost are sent again, and each takes effect once. */
const SOURCE = "demo-mnist";

/**
 * @typedef {object} Image
 * @property {number[]} pixels 784 greys, 0 to 1
 * @property {string} digit what it shows
 *
 * @typedef {object} Teacher
 * @property {string} way how it speaks, as the demo prints it
 * @property {number} atOnce how many images it may be given before it has answered
 * @property {(image: Image) => Promise<string>} learnImage learns [image][digit]. Returns the model's label
 * @property {(image: Image) => Promise<import("noema/client").PartialPrediction[]>} predict what the
 *   processor expects after an image
 * @property {() => Promise<void>} end leaves working memory empty
 */

/**
 * Teaches over a stream. To learn an image takes one frame, and to predict takes another.
 *
 * @param {import("noema/client").Processor} p1
 * @returns {Teacher}
 */
export function streamTeacher(p1) {
  const open = stream(p1, { source: SOURCE, frames: AT_ONCE });
  return {
    way: "over a stream",
    atOnce: AT_ONCE,
    async learnImage({ pixels, digit }) {
      const { learned } = await open.observe([{ vectors: [pixels] }, { strings: [digit] }], {
        learn: true,
        brief: true,
      });
      return learned;
    },
    async predict({ pixels }) {
      const { predictions } = await open.observe([{ vectors: [pixels] }], {
        clear: true,
        predictions: true,
        brief: true,
      });
      return predictions;
    },
    async end() {
      await open.observe([], { clear: true });
      await open.close();
    },
  };
}

/**
 * Teaches with HTTP requests: three to learn an image, and three to predict.
 *
 * @param {import("noema/client").Processor} p1
 * @returns {Teacher}
 */
export function requestTeacher(p1) {
  return {
    way: "with HTTP requests",
    atOnce: 1,
    async learnImage({ pixels, digit }) {
      await observe(p1, { vectors: [pixels] });
      await observe(p1, { strings: [digit] });
      return learn(p1);
    },
    async predict({ pixels }) {
      await observe(p1, { vectors: [pixels] });
      const predictions = await getPredictions(p1);
      await clearWorkingMemory(p1);
      return predictions;
    },
    async end() {},
  };
}
