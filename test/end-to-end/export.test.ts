/** An export of a processor that learns all the time is of one moment, however long its reader takes, and never looks whole when it is not. */

import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const MODELS = 9000;
const EXPORTS = 5;
/** More readers than one processor allows at once. */
const READERS = 40;

interface KnowledgeBase {
  metadata: { total_model_frequencies: number; total_symbol_frequencies: number };
  models_kb: Record<string, { frequency: number; sequence: string[][] }>;
  symbols_kb: Record<string, { features: { frequency: number } }>;
}

let server: Server;

async function learn(from: number, count: number): Promise<void> {
  const sequence = Array.from({ length: count }, (_, at) => from + at).flatMap((at) => [
    { strings: [`symbol ${at} of a knowledge base`, "common"] },
    { strings: [`next ${at % 100}`] },
  ]);
  await ask(server, "POST sequence-observe", { data: { sequence } });
}

async function exported(path = "get_kb/raw"): Promise<string> {
  const { status, text } = await server.send({ method: "GET", path: `${PROCESSOR}/${path}` });
  if (status !== 200) throw new Error(text);
  return text;
}

async function statusOfExport(): Promise<number> {
  return (await server.send({ method: "GET", path: `${PROCESSOR}/get_kb/raw` })).status;
}

function sum(values: Iterable<number>): number {
  return Array.from(values).reduce((all, each) => all + each, 0);
}

/** Checks that symbols and counters are those of the models. */
function expectOneMoment({ metadata, models_kb, symbols_kb }: KnowledgeBase): void {
  const models = Object.values(models_kb);
  const symbols = new Map<string, number>();
  for (const { frequency, sequence } of models) {
    for (const symbol of sequence.flat()) symbols.set(symbol, (symbols.get(symbol) ?? 0) + frequency);
  }
  expect(metadata.total_model_frequencies).toBe(sum(models.map(({ frequency }) => frequency)));
  expect(metadata.total_symbol_frequencies).toBe(sum(symbols.values()));
  const said = Object.entries(symbols_kb).map(([name, { features }]) => [name, features.frequency] as const);
  expect(new Map(said)).toEqual(symbols);
}

beforeAll(async () => {
  server = await Server.start();
  await ask(server, "POST predicting/stop");
  await ask(server, "POST genes/change", { data: { max_sequence_length: 3 } });
  await ask(server, "POST autolearning/start");
  for (let from = 0; from < MODELS; from += 3000) await learn(from, 3000);
});

afterAll(() => server.discard());

test("every export is of one moment while the processor learns and forgets", async () => {
  let going = true;
  let learned = 0;
  const learning = (async () => {
    for (; going; learned++) {
      await learn(learned % 2 === 0 ? MODELS + learned * 5 : (learned * 97) % MODELS, 5);
      if (learned % 10 === 9) await ask(server, "DELETE symbols/remove", { data: [`next ${learned % 100}`] });
    }
  })();
  for (let count = 0; count < EXPORTS; count++) {
    const before = learned;
    await expect.poll(() => learned).toBeGreaterThan(before);
    const text = await exported();
    expect(text.length).toBeGreaterThan(1_500_000);
    expectOneMoment(JSON.parse(text));
  }
  going = false;
  await learning;
  const text = await exported();
  await ask(server, "POST load_kb", text);
  expect(await exported()).toBe(text);
});

test("readers that go away leave room for others, and readers that stall keep no other client waiting", async () => {
  const { hostname, port } = new URL(server.address);
  const request = `GET ${PROCESSOR}/get_kb HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ABCD-1234\r\n\r\n`;
  for (let count = 0; count < READERS; count++) {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.resetAndDestroy();
  }
  await expect.poll(statusOfExport, { interval: 500 }).toBe(200);
  const stalled = Array.from({ length: 8 }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    return socket.pause();
  });
  await sleep(500);
  await learn(0, 5);
  expectOneMoment(JSON.parse(await exported()));
  for (const socket of stalled) socket.destroy();
});
