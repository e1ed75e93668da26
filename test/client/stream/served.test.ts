/** The client's streams against Noema itself, as `npm start` serves it, and as tests of others run it. */

import { readFileSync } from "node:fs";
import { Miniflare } from "miniflare";
import { startNoema } from "noema/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import {
  connect,
  getTime,
  getWorkingMemory,
  type Processor,
  processor,
  type StreamEvent,
  session,
  stream,
} from "../../../src/client";
import { gdf, sleep, symbols } from "../../support/client/test-streams";
import { eventually } from "../../support/eventually";
import { freePort } from "../../support/server/free-port";
import { Server } from "../../support/server/server";

/** A Worker that streams, with the client as others get it. */
const WORKER = `
  import { connect, processor, session, stream } from "./client.js";

  export default {
    async fetch(request, { ADDRESS: address }) {
      const p1 = processor(connect({ address, key: "ABCD-1234" }), "P1");
      const events = [];
      const link = stream(session(p1, "worker"), { source: "s", onEvent: ({ event }) => events.push(event) });
      await link.observe([{ strings: ["hello"] }, { strings: ["world"] }], { learn: true });
      const { predictions } = await link.observe({ strings: ["hello"] }, { predictions: { top: 1, fields: ["future"] } });
      const refused = await link.observe({ strings: [7] }).catch(({ status }) => status);
      while (events.length < 4) await new Promise((later) => setTimeout(later, 10));
      await link.close();
      const wrongKey = await stream(processor(connect({ address, key: "wrong" }), "P1")).closed.catch(({ status }) => status);
      return Response.json({ future: predictions[0].future, events, refused, wrongKey });
    },
  };
`;

describe("a server", () => {
  let server: Server;
  let p1: Processor;

  beforeAll(async () => {
    server = await Server.start(undefined, { PORT: String(await freePort()) });
    p1 = processor(connect({ address: server.address, key: "ABCD-1234", firstPause: 10, longestPause: 200 }), "P1");
  });

  afterAll(() => server.discard());

  test.each([
    ["the package ws", {}],
    ["a class that can set no headers", { webSocket: WebSocket }],
  ])("observes, learns, predicts and reports it, with %s", async (name, options) => {
    const memory = session(p1, name);
    const heard: StreamEvent[] = [];
    const link = stream(memory, { ...options, onEvent: (event) => heard.push(event) });
    expect(await link.observe([gdf("hello"), gdf("world")], { learn: true, brief: true })).toEqual({
      interval: 2,
      learned: expect.stringMatching(/^MODEL\|[0-9a-f]{40}$/),
      redelivered: false,
    });
    const predictions = { top: 1, fields: ["future"] as const };
    expect(await link.observe(gdf("hello"), { predictions })).toMatchObject({
      observed: [{ status: "observed" }],
      predictions: [{ future: [["world"]] }],
    });
    await expect(link.observe({ strings: [7] } as never)).rejects.toMatchObject({
      status: 400,
      message: "observe.strings[0] must be a string, got 7",
    });
    const kinds = ["observed", "observed", "learned", "observed"];
    await eventually(() => expect(heard.map(({ event }) => event)).toEqual(kinds));
    await link.close();
    expect(heard[0]).toMatchObject({ session: name, interval: 1, symbols: ["hello"] });
  });

  test("reports all sessions where it is asked to", async () => {
    const heard: StreamEvent[] = [];
    const link = stream(p1, { onEvent: (event) => heard.push(event), events: ["observed"], sessions: true });
    await link.observe(gdf("own"), { learn: true });
    const other = stream(session(p1, "told of"));
    await other.observe(gdf("theirs"));
    await other.close();
    await eventually(() => expect(heard).toHaveLength(2));
    expect(heard).toMatchObject([{ session: null }, { session: "told of", symbols: ["theirs"] }]);
    await link.close();
  });

  test("refuses a wrong key and a processor that there is not, and the stream ends", async () => {
    const wrongKey = processor(connect({ address: server.address, key: "wrong" }), "P1");
    await expect(stream(wrongKey).closed).rejects.toMatchObject({ status: 500 });
    await expect(stream(processor(p1.noema, "P9")).closed).rejects.toMatchObject({ status: 404 });
  });

  test("gives a source to the newer stream", async () => {
    const memory = session(p1, "taken over");
    const older = stream(memory, { source: "s" });
    await older.observe(gdf("a"));
    const newer = stream(memory, { source: "s" });
    await newer.observe(gdf("b"));
    await expect(older.closed).rejects.toMatchObject({ status: 4001 });
    await newer.close();
    expect(await getWorkingMemory(memory)).toEqual([["a"], ["b"]]);
  });

  test("is reached from a Worker, whose WebSocket can set no headers", async () => {
    const worker = new Miniflare({
      cf: false,
      compatibilityDate: "2026-04-01",
      modules: [
        { type: "ESModule", path: "worker.js", contents: WORKER },
        { type: "ESModule", path: "client.js", contents: readFileSync("dist/client/index.js", "utf8") },
      ],
      bindings: { ADDRESS: server.address },
    });
    onTestFinished(() => worker.dispose());
    const answer = await worker.dispatchFetch("http://worker/");
    expect(await answer.json()).toEqual({
      future: [["world"]],
      events: ["observed", "observed", "learned", "observed"],
      refused: 400,
      wrongKey: 500,
    });
  });

  test("takes each record once and in order, though it is killed again and again", async () => {
    const memory = session(p1, "killed");
    let lost = 0;
    const link = stream(memory, { source: "s", batch: 5, onLost: () => lost++ });
    const names = symbols(0, 300);
    const answers = [];
    for (const [i, name] of names.entries()) {
      answers.push(link.observe(gdf(name)));
      await sleep(2);
      if (i % 100 === 50) {
        await server.kill();
        server = await Server.start(server.stateDir, { PORT: new URL(server.address).port });
      }
    }
    await Promise.all(answers);
    await link.close();
    expect(lost).toBeGreaterThanOrEqual(3);
    expect(await getWorkingMemory(memory)).toEqual(names.map((name) => [name]));
  });
});

test("an agent inside a test serves streams without a port, and they outlive its evictions and restarts", async () => {
  const noema = await startNoema();
  onTestFinished(() => noema.stop());
  const p1 = processor(noema.client, "P1");
  const link = stream(p1, { source: "s" });
  await link.observe(gdf("a"));
  await noema.evict("P1");
  await link.observe(gdf("b"));
  await noema.restart();
  await link.observe(gdf("c"));
  await link.close();
  expect(await getWorkingMemory(p1)).toEqual([["a"], ["b"], ["c"]]);
  expect(await getTime(p1)).toBe(3);
  await expect(stream(processor(noema.client, "P9")).closed).rejects.toMatchObject({ status: 404 });
});
