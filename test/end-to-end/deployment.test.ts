/** The bundle as a deployment runs it: workerd alone, with an empty environment. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../support/server/http-exchange";
import { makeStateDir, Server } from "../support/server/server";

/** The package exports the path of the program. */
const workerd: string = createRequire(import.meta.url)("workerd").default;
const stateDir = makeStateDir();
let child: ChildProcess;
let address: string;

beforeAll(async () => {
  // `npm start` builds the bundle when it is stale.
  await (await Server.start()).discard();
  const args = [
    "serve",
    "dist/workerd.capnp",
    "--socket-addr=http=127.0.0.1:0",
    `--directory-path=objects=${stateDir}`,
  ];
  child = spawn(workerd, [...args, "--control-fd=3"], { env: {}, stdio: ["ignore", "inherit", "inherit", "pipe"] });
  const [line] = await once(createInterface({ input: child.stdio[3] as Readable }), "line");
  address = `http://127.0.0.1:${JSON.parse(line).port}`;
});

afterAll(async () => {
  const ended = once(child, "exit");
  child.kill();
  await ended;
  rmSync(stateDir, { recursive: true, force: true });
});

describe("a deployment without a configured key refuses every call and says how to set one", () => {
  const calls = [
    ["GET", "/agent/ping"],
    ["GET", "/connect"],
    ["GET", "/p46b6b076c/status"],
    ["POST", "/p46b6b076c/learn"],
    ["GET", "/nowhere"],
  ] as const;

  test.each(
    calls.flatMap(([method, path]) => [null, "", "ABCD-1234", "null"].map((key) => ({ method, path, key }))),
  )("$method $path with key $key", async (outgoing) => {
    const { status, text } = await exchange(address, outgoing);
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({
      status: "failed",
      message: expect.stringContaining("npx wrangler secret put API_KEYS"),
    });
  });
});
