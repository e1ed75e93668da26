/** A small run of the mnist demo from the command line, with the same images in the same order as the full run. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const LONG_MS = 240_000;

const run = promisify(execFile);

function mnist(...args: string[]) {
  return run(process.execPath, ["scripts/demos/mnist.mjs", ...args]);
}

test("500 images are learned and 100 others classified", { timeout: LONG_MS }, async () => {
  const { stdout } = await mnist("--learn", "500", "--classify", "100");
  expect(stdout).toMatch(/^Learning 500\/500, \d+\/s$/m);
  expect(stdout).toMatch(/^Learned 500 images, \d+ a second, over HTTP at http:\S+\.$/m);
  expect(stdout).toMatch(/^Classified 100 others, \d+ a second\.$/m);
  // No clock and no chance is involved, so every run on every machine gives the same answers.
  expect(stdout).toMatch(/^Accuracy: 0\.850, 85 of 100 right\.$/m);
});

test("impossible counts are refused with a sentence", { timeout: LONG_MS }, async () => {
  await expect(mnist("--learn", "1e9", "--classify", "few")).rejects.toThrow(
    '--classify is "few"; accepted is a whole number from 1.',
  );
  await expect(mnist("--learn", "9500")).rejects.toThrow(
    "There are 10000 images; to learn 9500 and classify 1000 takes",
  );
});
