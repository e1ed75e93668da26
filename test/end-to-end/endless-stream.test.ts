/**
 * Two hours of a machine that is measured once a second, over a stream, with rolling memory and a limit of models: it stays as large as it is,
 * every counter is what its models say, and a killed server goes on where it was. `npm run bench -- week` does it for a week.
 */

import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { wrongCounters } from "../support/sensor/recount";
import { ENCODERS, recordOf, Sensor, symbolsOf } from "../support/sensor/sensor";
import { PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir, Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

const LONG_MS = 300_000;
const READINGS = 7_200;
const TENTHS = 10;
const PER_FRAME = 60;
const MAX_MODELS = 500;
const WINDOW = 5;
const STREAM = `${PROCESSOR}/stream?source=machine`;

interface Usage {
  id: string;
  models: number;
  symbols: number;
  memory_bytes: number;
  storage_bytes: number;
}

async function usageOf(server: Server): Promise<Usage> {
  const usages = (await server.okay("GET /processors")).message as Usage[];
  const own = usages.find(({ id }) => PROCESSOR === `/${id}`);
  if (own === undefined) throw new Error("the processor is not listed");
  return own;
}

/** What the processor answers to reads that depend on its knowledge or its memory. */
async function readingsOf(server: Server): Promise<unknown[]> {
  const sensor = new Sensor(2);
  const answers: unknown[] = [];
  for (const read of ["status", "working-memory", "all-genes", "get_kb"]) {
    answers.push((await server.okay(`GET ${PROCESSOR}/${read}`)).message);
  }
  answers.push((await server.okay(`POST ${PROCESSOR}/predictions`)).message);
  for (let at = 0; at < 10; at++) {
    const sequence = [1, 2, 3].map(() => symbolsOf(sensor.next()));
    answers.push((await server.okay(`POST ${PROCESSOR}/predictions`, { data: { sequence } })).message);
  }
  return answers;
}

async function expectCountersRight(server: Server): Promise<void> {
  const knowledge = (await server.okay(`GET ${PROCESSOR}/get_kb`)).message;
  expect(wrongCounters(knowledge)).toEqual([]);
  expect(await usageOf(server)).toMatchObject({
    models: Object.keys(knowledge.models_kb).length,
    symbols: Object.keys(knowledge.symbols_kb).length,
  });
}

describe("a machine that never stops", () => {
  const stateDir = makeStateDir();
  const usages: Usage[] = [];
  let server: Server;
  let learned = 0;

  beforeAll(async () => {
    server = await Server.start(stateDir);
    const genes = { max_sequence_length: WINDOW, wm_resolution: "event", wm_mode: "rolling", max_models: MAX_MODELS };
    await server.okay(`POST ${PROCESSOR}/genes/change`, { data: genes });
    await server.okay(`POST ${PROCESSOR}/autolearning/start`);
    for (const [name, data] of Object.entries(ENCODERS)) {
      await server.okay(`PUT ${PROCESSOR}/encoders/${name}`, { data });
    }
    const sensor = new Sensor(1);
    const stream = await ServedStream.open(server.address, STREAM);
    await stream.next();
    let n = 0;
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      for (let sent = 0; sent < READINGS / TENTHS; sent += PER_FRAME) {
        const observe = Array.from({ length: PER_FRAME }, () => recordOf(sensor.next()));
        const { message } = await stream.ask({ n: ++n, observe });
        learned += message.observed.filter((each: { auto_learned_model: string }) => each.auto_learned_model).length;
      }
      usages.push(await usageOf(server));
    }
    stream.socket.close();
    return () => server.discard();
  }, LONG_MS);

  test("learns every reading once its window is full", () => {
    expect(learned).toBe(READINGS - WINDOW + 1);
  });

  test("stays as large as it is, in memory and on the disk", () => {
    const half = usages.slice(0, TENTHS / 2);
    const most = (member: "memory_bytes" | "storage_bytes" | "symbols") =>
      Math.max(...half.map((usage) => usage[member]));
    for (const usage of usages.slice(TENTHS / 2)) {
      expect(usage.models).toBe(MAX_MODELS);
      expect(usage.symbols).toBeLessThan(1.5 * most("symbols"));
      expect(usage.memory_bytes).toBeLessThan(1.25 * most("memory_bytes"));
      expect(usage.storage_bytes).toBeLessThan(1.25 * most("storage_bytes"));
    }
  });

  test("counts right, and counts its observations on", async () => {
    await expectCountersRight(server);
    const { message: status } = await server.okay(`GET ${PROCESSOR}/status`);
    expect(status).toMatchObject({ num_observe_call: READINGS, time: READINGS });
    expect((await server.okay(`GET ${PROCESSOR}/working-memory`)).message).toHaveLength(WINDOW - 1);
  });

  test("is the same when its server is killed and started again, and forgets on request", async () => {
    const before = await readingsOf(server);
    await server.kill();
    server = await Server.start(stateDir);
    expect(await readingsOf(server)).toEqual(before);
    const forget = async (data: Record<string, unknown>) =>
      (await server.okay(`POST ${PROCESSOR}/forget`, { data })).message.models as number;
    const seldom = await forget({ frequency_below: 2, dry_run: true });
    expect(await forget({ frequency_below: 2 })).toBe(seldom);
    expect(await forget({ frequency_below: 2 })).toBe(0);
    expect((await usageOf(server)).models).toBe(MAX_MODELS - seldom);
    await expectCountersRight(server);
    expect(await forget({ keep_at_most: 1 })).toBe(MAX_MODELS - seldom - 1);
    await expectCountersRight(server);
  });
});

test("forget refuses what it does not know, and changes nothing", async () => {
  const server = await Server.start();
  onTestFinished(() => server.discard());
  for (const symbols of ["ab", "cd"]) {
    await server.okay(`PUT ${PROCESSOR}/add-model`, { sequence: [...symbols].map((symbol) => [symbol]) });
  }
  const refused: [unknown, RegExp][] = [
    [undefined, /an object \{data/],
    [{ data: [] }, /^data must be an object/],
    [{ data: { frequency_below: "2" } }, /^data\.frequency_below must be a whole number from 0 to 9007199254740991/],
    [{ data: { frequency_below: 1.5 } }, /^data\.frequency_below must be a whole number/],
    [{ data: { frequency_below: null } }, /^data\.frequency_below must be a whole number/],
    [{ data: { keep_at_most: -1 } }, /^data\.keep_at_most must be a whole number/],
    [{ data: { keep_at_most: 2 ** 53 } }, /^data\.keep_at_most must be a whole number/],
    [{ data: { dry_run: "yes" } }, /^data\.dry_run must be true or false/],
    [{ data: { keep: 1 } }, /keep/],
  ];
  for (const [body, reason] of refused) {
    const { status, json } = await server.call(`POST ${PROCESSOR}/forget`, body);
    expect([status, json.message]).toEqual([400, expect.stringMatching(reason)]);
  }
  expect((await server.call(`GET ${PROCESSOR}/forget`)).status).toBe(405);
  expect((await server.call("POST /nobody/forget", { data: {} })).status).toBe(404);
  expect((await usageOf(server)).models).toBe(2);
  expect((await server.okay(`POST ${PROCESSOR}/forget`, { data: {} })).message).toEqual({ models: 0 });
});
