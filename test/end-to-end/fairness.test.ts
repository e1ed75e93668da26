/** One key makes a processor work for as long as the limits allow, and others are served all the same. Bounds count work, not time. */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

/** This many equal symbols in memory and in a model take some 50 ms to match. */
const SYMBOLS = 3000;

/** This many take more steps than a request may take: it ends after some 300 ms. */
const MANY_SYMBOLS = 8000;

/** Maximum number of frames that are answered while another client waits for an answer; all that came, before. A second has 20. */
const MAX_FRAMES = 40;

/** The same for calls: with 16 connections, it was 16. */
const MAX_CALLS = 8;

const CONNECTIONS = 16;
const ASKED = 3;

let server: Server;
let attacker: string;
let other: string;

beforeAll(async () => {
  server = await Server.start();
  const nodes = ["worker", "deep", "other"].map((id) => ({ data: { type: "primitive", name: id, id } }));
  await server.okay("POST /genome/hotswap", { agent: "fair", description: "", elements: { nodes, edges: [] } });
  for (const [id, symbols] of [
    ["worker", SYMBOLS],
    ["deep", MANY_SYMBOLS],
  ] as const) {
    await server.okay(`POST /${id}/genes/change`, { data: { max_sequence_length: symbols } });
    await server.okay(`PUT /${id}/add-model`, { sequence: [Array(symbols).fill("a"), ["b"]] });
  }
  await server.okay("POST /worker/predicting/stop");
  await server.okay("POST /worker/sequence-observe", { data: { sequence: Array(SYMBOLS).fill({ strings: ["a"] }) } });
  await server.okay("POST /worker/predicting/start");
  attacker = (await server.okay("POST /keys", { data: { name: "attacker", roles: ["observe", "read"] } })).message.key;
  other = (await server.okay("POST /keys", { data: { name: "other", roles: ["observe"] } })).message.key;
}, 300_000);

afterAll(() => server.discard());

/** Asks what others ask, one after the other, and says how much work of the attacker was answered during the longest wait. */
async function others(answered: () => number): Promise<number> {
  let most = 0;
  for (let count = 0; count < ASKED; count++) {
    for (const ask of [
      () => server.call("GET /health"),
      () => server.call("POST /other/observe", { data: { strings: ["o"] } }),
      () => server.call("POST /worker/sessions/s/observe", { data: { strings: ["o"] } }, { key: other }),
      () => server.call("POST /deep/sessions/s/observe", { data: { strings: ["o"] } }, { key: other }),
    ]) {
      const before = answered();
      const { status, text } = await ask();
      expect(status, text).toBe(200);
      most = Math.max(most, answered() - before);
    }
  }
  return most;
}

test.each([
  // The contract allows 256 frames under way.
  [2, 250],
  [60, 10],
])(
  "%d streams with %d frames under way, 50 ms each, take turns with all others, and keep their order",
  async (count, underWay) => {
    const headers = { "x-api-key": attacker };
    const streams = await Promise.all(
      Array.from({ length: count }, () => ServedStream.open(server.address, "/worker/stream", { headers })),
    );
    const numbers: number[][] = streams.map(() => []);
    const failures: unknown[] = [];
    let going = true;
    const floods = streams.map(async (stream, at) => {
      await stream.next();
      let sent = 0;
      while (going) {
        const own = numbers[at] ?? [];
        while (sent < own.length + underWay) {
          const asked = { predictions: { top: 1, fields: ["name"] }, brief: true };
          stream.send({ n: ++sent, observe: { strings: ["a"] }, ...asked });
        }
        const said = await stream.next();
        if (said.error !== undefined) failures.push(said);
        own.push(said.n);
      }
    });
    const answered = () => numbers.reduce((sum, own) => sum + own.length, 0);
    await expect.poll(answered).toBeGreaterThan(4);
    const most = await others(answered);
    const before = answered();
    await expect.poll(answered).toBeGreaterThan(before + 4);
    going = false;
    expect(streams.filter(({ closed }) => closed !== undefined)).toEqual([]);
    for (const { socket } of streams) socket.terminate();
    await Promise.allSettled(floods);
    expect(failures).toEqual([]);
    expect(most).toBeLessThanOrEqual(MAX_FRAMES);
    // Both have their turns, and each gets its answers in order.
    for (const own of numbers) expect(own).toEqual(own.map((_, at) => at + 1));
    expect(Math.min(...numbers.map(({ length }) => length))).toBeGreaterThanOrEqual(Math.floor(answered() / count / 2));
  },
  300_000,
);

test("16 connections of calls that end at the budget of steps leave others their turns", async () => {
  const data = { sequence: [Array(MANY_SYMBOLS).fill("a")], top: 1, fields: ["name"] };
  const statuses: number[] = [];
  let going = true;
  const calls = Array.from({ length: CONNECTIONS }, async () => {
    while (going) {
      const { status } = await server.call("POST /deep/predictions", { data }, { key: attacker });
      statuses.push(status);
      if (status === 503) await sleep(1000);
    }
  });
  const answered = () => statuses.length;
  await expect.poll(answered).toBeGreaterThan(0);
  const most = await others(answered);
  going = false;
  await Promise.all(calls);
  expect(statuses.filter((status) => status !== 413 && status !== 503)).toEqual([]);
  expect(statuses.filter((status) => status === 413).length).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(MAX_CALLS);
}, 300_000);
