/** A small run of the demo of a machine, as the guide shows it; and that its processor sees what its Markov chains see. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { connect, getWorkingMemory, processor } from "noema/client";
import { expect, onTestFinished, test } from "vitest";
import { judgeReadings, learnReadings, symbolsOf } from "../../scripts/demos/machine-observer.mjs";
import { PER_DAY, readingsOf } from "../../scripts/demos/machine-telemetry.mjs";
import { PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const LONG_MS = 300_000;

const run = promisify(execFile);

test("the demo watches a machine, and tells of what surprises it", { timeout: LONG_MS }, async () => {
  const { stdout } = await run(process.execPath, ["scripts/demos/machine.mjs", "--learn", "4", "--watch", "1"]);
  expect(stdout).toMatch(/^Learned 4 days, 1152 readings, over a stream at http:\S+\.$/m);
  expect(stdout).toMatch(/^The threshold is [\d.]+ bits: on a normal day, one reading is more surprising\.$/m);
  expect(stdout).toMatch(/^day 1, \d\d:\d\d {2}[\d.]+ bits .+, where \w+ was expected \(fault: \w+\)$/m);
  const percent = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
  expect(percent(/^The next state: ([\d.]+) % right, log loss [\d.]+ bits\.$/m)).toBeGreaterThan(80);
  expect(percent(/precision ([\d.]+) %, recall [\d.]+ %, area under/)).toBeGreaterThan(30);
  expect(stdout).toMatch(/^ {2}Markov chains of order \d+, \w+: \d+ alarms, precision/m);
});

test("the processor sees the symbols that the Markov chains see", { timeout: LONG_MS }, async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  const p1 = processor(connect({ address: server.address, key: "ABCD-1234" }), PROCESSOR.slice(1));
  await learnReadings(p1, readingsOf(20, 1), () => {});
  const readings = readingsOf(PER_DAY, 2).slice(90, 100);
  for await (const { surprise } of judgeReadings(p1, readings)) {
    if (surprise !== null) expect(surprise.bits).toBeGreaterThan(0);
  }
  const memory = await getWorkingMemory(p1);
  expect(memory).toEqual(readings.map((reading) => symbolsOf(reading).sort()));
});
