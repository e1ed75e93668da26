/** A small run of the mnist demo from the command line, with the same images in the same order as the full run. */

import { execFile } from "node:child_process";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { changeGenes, clearAllMemory, connect, getWorkingMemory, processor } from "noema/client";
import { expect, onTestFinished, test } from "vitest";
import { GENES, images } from "../../scripts/demos/mnist-images.mjs";
import { requestTeacher, streamTeacher } from "../../scripts/demos/mnist-teacher.mjs";
import { PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const LONG_MS = 240_000;

const run = promisify(execFile);

function mnist(...args: string[]) {
  return run(process.execPath, ["scripts/demos/mnist.mjs", ...args]);
}

test("500 images are learned and 100 others classified", { timeout: LONG_MS }, async () => {
  const { stdout } = await mnist("--learn", "500", "--classify", "100");
  expect(stdout).toMatch(/^Learning 500\/500, \d+\/s$/m);
  expect(stdout).toMatch(/^Learned 500 images, \d+ a second, over a stream at http:\S+\.$/m);
  expect(stdout).toMatch(/^Classified 100 others, \d+ a second\.$/m);
  // No clock and no chance is involved, so every run on every machine gives the same answers.
  expect(stdout).toMatch(/^Accuracy: 0\.850, 85 of 100 right\.$/m);
});

test("a stream gives each image the same model and the same predictions as requests do", {
  timeout: LONG_MS,
}, async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  const p1 = processor(connect({ address: server.address, key: "ABCD-1234" }), PROCESSOR.slice(1));
  await changeGenes(p1, GENES);
  const [known, others] = [images().slice(0, 200), images().slice(200, 240)];
  const answersOf = async (teacherOf: typeof requestTeacher) => {
    const { atOnce, learnImage, predict, end } = teacherOf(p1);
    const each = { concurrency: atOnce };
    const models = await Readable.from(known).map(learnImage, each).toArray();
    const predictions = await Readable.from(others).map(predict, each).toArray();
    await end();
    expect(await getWorkingMemory(p1)).toEqual([]);
    await clearAllMemory(p1);
    return { atOnce, models, predictions };
  };
  const requested = await answersOf(requestTeacher);
  const streamed = await answersOf(streamTeacher);
  expect([requested.atOnce, streamed.atOnce]).toEqual([1, 16]);
  expect(new Set(requested.models).size).toBe(known.length);
  expect(streamed.models).toEqual(requested.models);
  expect(requested.predictions.flat().length).toBeGreaterThan(others.length);
  expect(streamed.predictions).toEqual(requested.predictions);
});

test("impossible counts are refused with a sentence", { timeout: LONG_MS }, async () => {
  await expect(mnist("--learn", "1e9", "--classify", "few")).rejects.toThrow(
    '--classify is "few"; accepted is a whole number from 1.',
  );
  await expect(mnist("--learn", "9500")).rejects.toThrow(
    "There are 10000 images; to learn 9500 and classify 1000 takes",
  );
});
