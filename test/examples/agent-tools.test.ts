/** The agent of examples/ is told of the calls that come out of order, before it makes them. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runExample } from "../support/examples/example-run";
import { Server } from "../support/server/server";

const COMMAND = [process.execPath, "examples/agent-tools/agent.mjs"] as const;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

test("prints what its README shows, also the second time", { timeout: 300_000 }, async () => {
  const [, shown = ""] = /^```text\n(.*?)^```/ms.exec(readFileSync("examples/agent-tools/README.md", "utf8")) ?? [];
  for (const _ of [1, 2]) {
    expect(await runExample(server.address, ...COMMAND)).toEqual({ code: 0, output: shown });
  }
});
