/** Answers that would be large: refused before they are made, or whole; and one that breaks off says so. */

import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_MODEL_BYTES, modelBytes } from "../../src/processor/knowledge/counting";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

/** More than the system's buffers of a connection hold, so that a reader who pauses stops the server. */
const LARGE_MODELS = 16;

const LONG = "x".repeat(1_500_000);

let server: Server;

beforeAll(async () => {
  server = await Server.start(undefined, { NOEMA_EXPORT_BYTES: "1" });
});

afterAll(() => server.discard());

/** Reads the beginning of an answer, pauses while something is done, and reads the rest. @returns the whole text */
function pausing(path: string, work: () => Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(`${server.address}${path}`, { headers: { "x-api-key": "ABCD-1234" } }, (answer) => {
      const parts: Buffer[] = [];
      answer.once("data", (part: Buffer) => {
        answer.pause();
        parts.push(part);
        work().then(() => {
          answer.on("data", (next: Buffer) => parts.push(next));
          answer.resume();
        }, reject);
      });
      answer.on("error", reject);
      answer.on("end", () => resolve(Buffer.concat(parts).toString()));
    });
    asked.on("error", reject);
    asked.end();
  });
}

const large = async (count: number) => {
  for (let at = 0; at < count; at++) await ask(server, "PUT add-model", { sequence: [[`${at}${LONG}`], ["end"]] });
};

test.each([
  "/backup",
  `${PROCESSOR}/get_kb`,
])("%s that breaks off ends with the reason, and has a line in the log", async (path) => {
  await ask(server, "POST clear-all-memory");
  await large(LARGE_MODELS);
  const text = await pausing(path, () => ask(server, "PUT add-model", { sequence: [["new"], [path]] }));
  expect(text.slice(-600)).toMatch(/\n\nTHIS ANSWER IS NOT COMPLETE: the (backup|export) was lost .*; begin again\n$/);
  const place = path.split("/").at(-1) ?? "";
  const isLogged = (line: string) =>
    line.includes('"event":"broken"') && line.includes(place) && line.includes('"status":409');
  await expect.poll(() => server.output.split("\n").some(isLogged)).toBe(true);
});

describe("a long symbol in many models", () => {
  beforeAll(async () => {
    await ask(server, "POST clear-all-memory");
    for (let at = 0; at < LARGE_MODELS; at++) await ask(server, "PUT add-model", { sequence: [[LONG], [`${at}`]] });
    await ask(server, "POST observe", { data: { strings: [LONG] } });
  });

  test.each([
    ["POST predictions", undefined],
    ["GET cognition-data", undefined],
    ["POST /noema.v1.MemoryService/GetPredictions", {}],
  ])("%s is refused with how to ask for less", async (call, body) => {
    const [method = "", place = ""] = call.split(" ");
    const path = place.startsWith("/") ? place : `${PROCESSOR}/${place}`;
    const headers = { "x-processor-id": "P1" };
    const { status, text } = await server.send({ method, path, body, headers });
    expect(text).toMatch(/the answer would take \d{8} bytes as JSON, and it may take 31457280; ask for .*fields/);
    expect([413, 400]).toContain(status);
  });

  test("is answered where less is asked for", async () => {
    const names = (await ask(server, "POST predictions", { data: { fields: ["name", "future"] } })) as unknown[];
    expect(names.length).toBe(LARGE_MODELS);
    expect(((await ask(server, "POST predictions", { data: { top: 2 } })) as unknown[]).length).toBe(2);
  });

  test("makes an error of a frame that asks for it, of which nothing happens", async () => {
    const time = await ask(server, "GET time");
    const stream = await ServedStream.open(server.address, `${PROCESSOR}/stream`);
    await stream.next();
    stream.send({ n: 1, observe: { strings: ["end"] }, predictions: true });
    stream.send({ n: 2, observe: { strings: ["end"] }, predictions: { fields: ["name"] }, brief: true });
    const [refused, answered] = [await stream.next(), await stream.next()];
    expect(refused).toMatchObject({
      n: 1,
      error: { code: 413, message: expect.stringContaining("may take 1048576; ask") },
    });
    expect(answered).toMatchObject({ n: 2, interval: Number(time) + 1 });
    stream.socket.close();
  });
});

describe("a model", () => {
  /** A sequence whose model takes this many bytes: one symbol, which is stored once, as often as it takes. */
  const sequenceOf = (bytes: number): string[][] => {
    const part = modelBytes({ events: [["a".repeat(999_959)]], emotives: [], metadata: ["{}"] });
    const count = Math.floor(bytes / part) - 1;
    const rest = bytes - count * part - modelBytes({ events: [[""]], emotives: [], metadata: ["{}"] });
    return [...Array<string[]>(count).fill(["a".repeat(999_959)]), ["b".repeat(rest)]];
  };

  test("of the most bytes is answered, listed, exported, loaded, backed up and restored", {
    timeout: 60_000,
  }, async () => {
    await ask(server, "POST clear-all-memory");
    const sequence = sequenceOf(MAX_MODEL_BYTES);
    const { name } = (await ask(server, "PUT add-model", { sequence })) as { name: string };
    const model = async () => ((await ask(server, `GET model/${name}`)) as { sequence: unknown }).sequence;
    expect(await model()).toEqual(sequence);
    expect(JSON.stringify(await ask(server, "GET models")).length).toBeGreaterThan(14_000_000);
    const file = (await server.send({ method: "GET", path: `${PROCESSOR}/get_kb/raw?order=true` })).text;
    const copy = (await server.send({ method: "GET", path: "/backup" })).text;
    for (const [path, body] of [
      [`${PROCESSOR}/load_kb`, file],
      [`${PROCESSOR}/load_kb?mode=merge`, file],
      ["/restore", copy],
    ] as const) {
      await ask(server, "POST clear-all-memory");
      const { status, text } = await server.send({ method: "POST", path, body });
      expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
      expect(await model()).toEqual(sequence);
    }
  });

  test("of one byte more is refused, and changes nothing", { timeout: 300_000 }, async () => {
    await ask(server, "POST clear-all-memory");
    const sequence = sequenceOf(MAX_MODEL_BYTES + 1);
    const added = await server.send({ method: "PUT", path: `${PROCESSOR}/add-model`, body: { sequence } });
    expect([added.status, added.json.message]).toEqual([413, expect.stringContaining("a model may take 14680064")]);
    expect(await ask(server, "GET status")).toMatchObject({ models_kb: "{KB| objects: 0}" });
  });
});
