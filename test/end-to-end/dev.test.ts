/** `npm run dev`: wrangler's own server reads bodies with every method, as a deployment does, and ends when npm gets a signal. */

import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, processor, session, stream } from "../../src/client";
import { type Answer, exchange } from "../support/server/http-exchange";
import { NpmRun } from "../support/server/npm-run";
import { PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir } from "../support/server/server";

const READY = /Ready on (http:\S+)\s/;
/** SHA-1 of `[1.000000, 2.000000]`. */
const VECTOR = "VECTOR|35c150a74c97744bec564b4348a394a4059377e2";

const stateDir = makeStateDir();
let dev: NpmRun;

async function message(method: string, path: string, body?: unknown): Promise<unknown> {
  const { status, text }: Answer = await exchange(dev.address, { method, path: PROCESSOR + path, body });
  expect([status, text]).toEqual([200, expect.stringContaining('"status":"okay"')]);
  return JSON.parse(text).message;
}

beforeAll(async () => {
  const args = ["--persist-to", stateDir, "--var", "NOEMA_SESION:secret-1"];
  dev = await NpmRun.start(["dev", "--", ...args], { NOEMA_ALOW_ORIGINS: "secret-2", NOEMA_KEYS: "5" }, READY);
});

afterAll(async () => {
  await dev.end();
  rmSync(stateDir, { recursive: true, force: true });
});

describe("bodies", () => {
  test("are read from GET and DELETE; a query or a POST can name a vector too", async () => {
    await message("POST", "/observe", { data: { strings: ["a", "b"], vectors: [[1, 2]] } });
    await message("POST", "/learn");
    const vector = await message("GET", "/vector", { data: VECTOR });
    expect(vector).toMatchObject({ name: VECTOR, vector: [1, 2] });
    expect(await message("POST", "/vector", { data: VECTOR })).toEqual(vector);
    expect(await message("GET", `/vector?data=${encodeURIComponent(VECTOR)}`)).toEqual(vector);
    const lines = (await message("GET", "/get_kb", { data: { lines: true } })) as object[];
    expect(lines.map((line) => "kind" in line && line.kind).sort()).toEqual([
      "metadata",
      "model",
      "symbol",
      "symbol",
      "symbol",
      "vector",
    ]);
    expect(await message("DELETE", "/symbols/remove", { data: ["a"] })).toHaveProperty("models");
    expect(await message("DELETE", "/patterns/remove", { data: ["VEC.*"] })).toHaveProperty("models");
    expect(await message("DELETE", "/blacklisted-symbols/remove", { data: ["a"] })).toBe("removed-blacklisted-symbols");
  });
});

test("streams are opened, and tell of events", async () => {
  const memory = session(processor(connect({ address: dev.address, key: "ABCD-1234" }), "P1"), "streamed");
  const events: string[] = [];
  const link = stream(memory, { source: "s", onEvent: ({ event }) => events.push(event) });
  await link.observe([{ strings: ["hello"] }, { strings: ["world"] }], { learn: true });
  const asked = { predictions: { top: 1, fields: ["future"] as const }, brief: true };
  expect(await link.observe({ strings: ["hello"] }, asked)).toMatchObject({ predictions: [{ future: [["world"]] }] });
  await expect.poll(() => events).toEqual(["observed", "observed", "learned", "observed"]);
  await link.close();
});

test("the reference is served", async () => {
  for (const encoding of ["gzip", "identity"]) {
    const response = await fetch(`${dev.address}/docs`, { headers: { "accept-encoding": encoding } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await response.text()).toContain("<h1>Reference</h1>");
  }
});

test("variables without an effect are named: of the environment at once, and the Worker's own in its log, once", async () => {
  expect(dev.output).toContain(
    "The variable NOEMA_ALOW_ORIGINS is unknown and has no effect; did you mean NOEMA_ALLOW_ORIGINS?\n",
  );
  expect(dev.output).toContain("npm run dev does not read NOEMA_KEYS from the environment: write it into .dev.vars.\n");
  const own =
    '"event":"unknown-variable","message":"The variable NOEMA_SESION is unknown and has no effect; did you mean NOEMA_SESSIONS?"';
  await expect.poll(() => dev.output).toContain(own);
  expect(dev.output.split(own)).toHaveLength(2);
  // Wrangler lists the Worker's own with their values; what it does not read is shown nowhere.
  expect(dev.output).not.toContain("secret-2");
});

test("a signal to npm ends every process", async () => {
  await dev.end();
  await expect(exchange(dev.address, { method: "GET", path: "/agent/ping" })).rejects.toThrow("ECONNREFUSED");
});
