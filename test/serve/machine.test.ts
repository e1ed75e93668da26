/** A small run of the demo of a machine. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const LONG_MS = 300_000;

const run = promisify(execFile);

test("the demo watches a machine, and tells of what surprises it", { timeout: LONG_MS }, async () => {
  const { stdout } = await run(process.execPath, ["scripts/demos/machine.mjs", "--learn", "4", "--watch", "1"]);
  expect(stdout).toMatch(/^Learned 4 days, 1152 readings, over a stream at http:\S+\.$/m);
  expect(stdout).toMatch(/^The threshold is [\d.]+ bits: on a normal day, one reading is more surprising\.$/m);
  expect(stdout).toMatch(/^day 1, \d\d:\d\d {2}[\d.]+ bits .+, where \w+ was expected \(fault: \w+\)$/m);
  const percent = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
  expect(percent(/^The next state: ([\d.]+) % right, log loss [\d.]+ bits\.$/m)).toBeGreaterThan(70);
  expect(percent(/precision ([\d.]+) %, recall [\d.]+ %, area under/)).toBeGreaterThan(30);
  expect(stdout).toMatch(/^ {2}Markov chains of order \d+, \w+: \d+ alarms, precision/m);
});
