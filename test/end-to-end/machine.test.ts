/** Small runs of the demo of a machine. Takes 30 s: it learns four days of readings and watches a fifth, twice. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const LONG_MS = 300_000;

const run = promisify(execFile);

const play = async (...args: string[]) =>
  (await run(process.execPath, ["scripts/demos/machine.mjs", "--learn", "4", "--watch", "1", ...args])).stdout;

const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);

/** What every run says. */
function expectWhole(stdout: string): void {
  expect(stdout).toMatch(/^Learned 4 days, 1152 readings, over a stream at http:\S+\.$/m);
  expect(stdout).toMatch(/^The threshold is [\d.]+ bits: on a normal day, one reading is more surprising\.$/m);
  const surprises = stdout.match(/^day 1, \d\d:\d\d {2}[\d.]+ bits .+, where \w+ was expected \(.+\)$/gm) ?? [];
  expect(surprises.length).toBeGreaterThan(0);
  expect(stdout).toMatch(/^ {2}webhook: (?:a surprise|\d+ surprises, the last) of [\d.]+ bits$/m);
  expect(stdout).toMatch(
    new RegExp(
      `^The webhook heard of all ${surprises.length} surprises in \\d+ deliveries; every signature was right\\.$`,
      "m",
    ),
  );
  expect(numberIn(stdout, /^The next state: ([\d.]+) % right, log loss [\d.]+ bits\.$/m)).toBeGreaterThan(70);
  expect(stdout).toMatch(/^Readings with faults: \d+ alarms, precision [\d.]+ %, recall [\d.]+ %, area under/m);
  expect(stdout).toMatch(/^ {2}Markov chains of order \d+, \w+: \d+ alarms, precision/m);
}

test("the demo watches a machine, and tells a webhook of what surprises it", { timeout: LONG_MS }, async () => {
  expectWhole(await play());
});

test("with each reading as one symbol it finds faults", { timeout: LONG_MS }, async () => {
  const stdout = await play("--joint");
  expectWhole(stdout);
  expect(stdout).toMatch(/^day 1, .+\(fault: \w+\)$/m);
  expect(numberIn(stdout, /precision ([\d.]+) %, recall [\d.]+ %, area under/)).toBeGreaterThan(30);
});
