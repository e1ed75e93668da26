/** Small runs of the demo of a machine. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const LONG_MS = 300_000;

const run = promisify(execFile);

const play = async (...args: string[]) =>
  (await run(process.execPath, ["scripts/demos/machine.mjs", "--learn", "4", "--watch", "1", ...args])).stdout;

const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);

/** What was printed of surprises. */
const surprisesIn = (stdout: string) =>
  stdout.match(/^day 1, \d\d:\d\d {2}[\d.]+ bits .+, where \w+ was expected \(.+\)$/gm) ?? [];

/** What a run says of its webhook, when so many readings exceeded the threshold. */
const heardOf = (surprises: number) =>
  surprises === 0
    ? "\nNothing exceeded the threshold, so the webhook heard nothing.\n"
    : `\nThe webhook heard of all ${surprises} surprises in `;

/** What every run says. */
function expectWhole(stdout: string): void {
  expect(stdout).toMatch(/^Learned 4 days, 1152 readings, over a stream at http:\S+\.$/m);
  expect(stdout).toMatch(/^The threshold is [\d.]+ bits: on a normal day, one reading is more surprising\.$/m);
  expect(stdout).toContain(heardOf(surprisesIn(stdout).length));
  expect(numberIn(stdout, /^The next state: ([\d.]+) % right, log loss [\d.]+ bits\.$/m)).toBeGreaterThan(70);
  expect(stdout).toMatch(/^Readings with faults: \d+ alarms, precision [\d.]+ %, recall [\d.]+ %, area under/m);
  expect(stdout).toMatch(/^ {2}Markov chains of order \d+, \w+: \d+ alarms, precision/m);
}

test("the demo watches a machine of several sensors, and forecasts its next state", { timeout: LONG_MS }, async () => {
  expectWhole(await play());
});

test("with each reading as one symbol it finds faults, and tells a webhook of them", { timeout: LONG_MS }, async () => {
  const stdout = await play("--joint");
  expectWhole(stdout);
  expect(surprisesIn(stdout).length).toBeGreaterThan(0);
  expect(stdout).toMatch(/^ {2}webhook: (?:a surprise|\d+ surprises, the last) of [\d.]+ bits$/m);
  expect(stdout).toMatch(/^The webhook heard of all .+; every signature was right\.$/m);
  expect(stdout).toMatch(/^day 1, .+\(fault: \w+\)$/m);
  expect(numberIn(stdout, /precision ([\d.]+) %, recall [\d.]+ %, area under/)).toBeGreaterThan(30);
});
