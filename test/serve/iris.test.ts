/** The iris demo, run as its user runs it. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const LONG_MS = 120_000;
/** What the reference agent reached. */
const REFERENCE_PERCENT = 93;

const run = promisify(execFile);

function iris(...args: string[]) {
  return run(process.execPath, ["scripts/iris.mjs", ...args]);
}

test("a server of its own learns 120 flowers and classifies 30, five times over", { timeout: LONG_MS }, async () => {
  const { stdout } = await iris();
  expect(stdout.match(/^Learned 120 flowers, classified 30 others: \d+ right\.$/gm)).toHaveLength(5);
  const percent = Number(/^Accuracy: ([\d.]+) % of 150\.$/m.exec(stdout)?.[1]);
  expect(percent).toBeGreaterThanOrEqual(REFERENCE_PERCENT);
});

test("a running server keeps what it has learned unless told to forget it", { timeout: LONG_MS }, async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  await ask(server, "POST observe", { data: { strings: ["dear", "memory"] } });
  await ask(server, "POST learn");
  await expect(iris(server.address)).rejects.toThrow(
    "The processor has learned already ({KB| objects: 1}). Pass --clear",
  );
  expect(await ask(server, "GET status")).toMatchObject({ models_kb: "{KB| objects: 1}", time: 1 });
  const { stdout } = await iris(server.address, "--clear");
  expect(stdout).toContain(`over HTTP at ${server.address}.`);
});
