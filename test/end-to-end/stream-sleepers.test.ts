/**
 * A thousand streams that sleep: their processors leave memory, and each stream wakes with all that it had, and with no more rights. Takes
 * 45 s: streams ask for their keys every 20 s, the first time while they sleep and the second time after the key was deleted.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { genomeText, primitive } from "../support/object/genomes";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

/** The streams of one processor, each in a session of its own. */
const SLEEPERS = 940;

/** Processors with one stream each. */
const OTHERS = 60;

/** An object leaves memory after 10 s without a message. Streams with an issued key wake it every 20 s, to ask for the keys. */
const ASLEEP_MS = 21_000;

let server: Server;
let key: { readonly id: string; readonly key: string };
beforeAll(async () => {
  server = await Server.start();
  const ids = ["p", ...Array.from({ length: OTHERS }, (_, at) => `q${at}`)];
  await server.okay("POST /genome/hotswap", JSON.parse(genomeText(...ids.map((id) => primitive(id)))));
  key = (await server.okay("POST /keys", { data: { name: "sleeper", roles: ["observe", "read"] } })).message;
});
afterAll(() => server.discard());

/** The paths of all memories, and the session as events name it. */
const MEMORIES = Array.from({ length: SLEEPERS + OTHERS }, (_, at) => {
  if (at >= SLEEPERS) return { path: `/q${at - SLEEPERS}`, session: null };
  return { path: `/p/sessions/s${at}`, session: `s${at}` };
});

function open(path: string): Promise<ServedStream> {
  return ServedStream.open(server.address, `${path}/stream?source=device`, { headers: { "x-api-key": key.key } });
}

async function sleepersInMemory(): Promise<string[]> {
  const { message } = await server.okay("GET /processors");
  return message
    .filter((each: { memory_bytes: unknown }) => each.memory_bytes !== null)
    .map(({ id }: { id: string }) => id);
}

test("each wakes with its memory, source, subscription and roles, and a deleted key ends all of them", {
  timeout: 300_000,
}, async () => {
  // All are opened at the same moment.
  const streams = await Promise.all(MEMORIES.map(({ path }) => open(path)));
  const each = (work: (stream: ServedStream, at: number) => Promise<void>) => Promise.all(streams.map(work));
  await each(async (stream, at) => {
    const { session } = MEMORIES[at] ?? {};
    expect(await stream.next()).toEqual({ welcome: { interval: 0, last: 0 } });
    expect(await stream.ask({ subscribe: ["observed"] })).toEqual({ subscribed: ["observed"] });
    stream.send({ n: at + 1, observe: { strings: [`before ${at}`] }, brief: true });
    expect(await stream.next()).toMatchObject({ event: "observed", session });
    expect(await stream.next()).toMatchObject({ n: at + 1, interval: 1 });
  });
  // On a busy machine some sleep again before the last has observed.
  await server.okay("GET /p/working-memory");
  expect(await sleepersInMemory()).toContain("p");
  await sleep(ASLEEP_MS);
  // Who looks too often keeps them awake.
  await expect.poll(sleepersInMemory, { interval: ASLEEP_MS, timeout: 3 * ASLEEP_MS }).toEqual([]);
  const awake = Date.now();
  await each(async (stream, at) => {
    const { session } = MEMORIES[at] ?? {};
    const n = at + 1;
    expect(await stream.ask({ n, observe: { strings: ["again"] } })).toEqual({ n, redelivered: true });
    expect(await stream.ask({ n: n + 1, learn: true })).toMatchObject({ n: n + 1, error: { code: 403 } });
    stream.send({ n: n + 2, observe: { strings: ["after"] }, brief: true });
    expect(await stream.next()).toMatchObject({ event: "observed", session, symbols: ["after"] });
    expect(await stream.next()).toEqual({ n: n + 2, interval: 2, message: { observed: 1 } });
  });
  for (const at of [0, SLEEPERS - 1, SLEEPERS, SLEEPERS + OTHERS - 1]) {
    const { message } = await server.okay(`GET ${MEMORIES[at]?.path}/working-memory`);
    expect(message).toEqual([[`before ${at}`], ["after"]]);
  }
  // They ask for their keys every 20 s; a busy machine takes long to close a thousand, as it did to make each observe.
  const within = Math.max(30_000, 20_000 + (Date.now() - awake));
  const deleted = Date.now();
  await server.okay(`DELETE /keys/${key.id}`);
  // They sleep again before anybody asks.
  expect(await Promise.all(streams.map((stream) => stream.untilClosed()))).toEqual(streams.map(() => 1008));
  expect(Date.now() - deleted).toBeLessThan(within);
});
