/** The iris demo, run from the command line. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

/** What the reference agent reached. */
const REFERENCE_PERCENT = 93;

const run = promisify(execFile);

function iris(...args: string[]) {
  return run(process.execPath, ["scripts/demos/iris.mjs", ...args]);
}

test("without an address it starts a server, learns 120 flowers and classifies 30, five times over", async () => {
  const { stdout } = await iris();
  expect(stdout.match(/^Learned 120 flowers, classified 30 others: \d+ right\.$/gm)).toHaveLength(5);
  const percent = Number(/^Accuracy: ([\d.]+) % of 150\.$/m.exec(stdout)?.[1]);
  expect(percent).toBeGreaterThanOrEqual(REFERENCE_PERCENT);
});

test("at an address it refuses a processor that has learned, unless --clear tells it to forget", async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  await ask(server, "POST observe", { data: { strings: ["dear", "memory"] } });
  await ask(server, "POST learn");
  await expect(iris(server.address)).rejects.toThrow(
    "The processor has learned already ({KB| objects: 1}). Pass --clear",
  );
  expect(await ask(server, "GET status")).toMatchObject({ models_kb: "{KB| objects: 1}", time: 1 });
  const { stdout } = await iris(server.address, "--clear");
  expect(stdout).toContain(`over a stream at ${server.address}.`);
});
