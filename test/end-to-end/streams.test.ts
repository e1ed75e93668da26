/**
 * Streams as a device has them: over real sockets, at the bundle that is deployed. Takes 45 s: an object leaves memory after 10 s, and
 * streams ask for their keys every 20 s.
 */

import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { PROCESSOR } from "../support/server/processor-calls";
import { closeCode, openDeaf, rawFrame } from "../support/server/raw-stream";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

const MS_PER_SECOND = 1000;

let server: Server;
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server.discard());

const gdf = (...strings: string[]) => ({ strings });
const keyProtocol = (key: string) => `noema.key.${Buffer.from(key).toString("base64url")}`;
const open = (path: string, opening?: Parameters<typeof ServedStream.open>[2]) =>
  ServedStream.open(server.address, PROCESSOR + path, opening);

/** The symbols of a session's working memory, event by event. */
async function memoryOf(session: string): Promise<string[][]> {
  return (await server.okay(`GET ${PROCESSOR}/sessions/${session}/working-memory`)).message as string[][];
}

describe("a stream opens", () => {
  test("with the key in a header or in a subprotocol, and speaks noema.v1 alone", async () => {
    const byHeader = await open("/sessions/keys/stream");
    const bySubprotocol = await open("/sessions/keys/stream", {
      headers: {},
      protocols: ["noema.v1", keyProtocol("ABCD-1234")],
    });
    for (const stream of [byHeader, bySubprotocol]) {
      expect(stream.socket.protocol).toBe("noema.v1");
      expect(await stream.next()).toEqual({ welcome: { interval: 0, last: 0 } });
      stream.socket.close();
    }
  });

  test.each([
    ["without a key", "/stream", { headers: {} }, 500],
    ["with a wrong key in a subprotocol", "/stream", { headers: {}, protocols: ["noema.v1", keyProtocol("no")] }, 500],
    ["without the subprotocol", "/stream", { protocols: ["other"] }, 400],
    ["with a key in its address", "/stream?key=ABCD-1234", {}, 400],
    ["with an empty source", "/stream?source=", {}, 400],
    [
      "from a page of another origin",
      "/stream",
      { headers: { "x-api-key": "ABCD-1234", origin: "https://evil.example" } },
      403,
    ],
    ["in no session", "/sessions/%00/stream", {}, 400],
  ])("not %s", async (_, path, opening, status) => {
    await expect(open(path, opening)).rejects.toThrow(new RegExp(`^${status} .*"status":"failed"`));
  });

  test.each([`${PROCESSOR}/stream`, "/mqtt"])("at %s without compression, whatever its client offers", async (path) => {
    const protocol = path === "/mqtt" ? "mqtt" : "noema.v1";
    const address = server.address.replace(/^http/, "ws") + path;
    const socket = new WebSocket(address, protocol, { headers: { "x-api-key": "ABCD-1234" }, perMessageDeflate: true });
    await once(socket, "open");
    expect(socket.extensions).toBe("");
    socket.terminate();
  });

  test("from a page of its own origin", async () => {
    const stream = await open("/stream", { headers: { "x-api-key": "ABCD-1234", origin: server.address } });
    expect(await stream.next()).toHaveProperty("welcome");
    stream.socket.close();
  });

  test("not as a plain request, and not at a processor that does not exist", async () => {
    expect(await server.call(`GET ${PROCESSOR}/stream`)).toMatchObject({ status: 426 });
    await expect(ServedStream.open(server.address, "/nobody/stream")).rejects.toThrow(/^404 /);
  });
});

describe("frames", () => {
  test("sent without waiting are taken and answered in order, each once", async () => {
    const stream = await open("/sessions/order/stream?source=device");
    await stream.next();
    const count = 1000;
    for (let n = 1; n <= count; n++) stream.send({ n, observe: gdf(`e${n}`), brief: true });
    const answered = [];
    for (let n = 1; n <= count; n++) answered.push(await stream.next());
    expect(answered).toEqual(
      Array.from({ length: count }, (_, i) => ({ n: i + 1, interval: i + 1, message: { observed: 1 } })),
    );
    expect(await memoryOf("order")).toEqual(Array.from({ length: count }, (_, i) => [`e${i + 1}`]));
    stream.socket.close();
  });

  test("that were answered survive a kill, and what is sent again counts once", async () => {
    const own = await Server.start();
    let running = own;
    onTestFinished(() => running.discard());
    const path = `${PROCESSOR}/sessions/killed/stream?source=device`;
    let stream = await ServedStream.open(running.address, path);
    expect(await stream.next()).toEqual({ welcome: { interval: 0, last: 0 } });
    for (let n = 1; n <= 300; n++) stream.send({ n, observe: gdf(`e${n}`), brief: true });
    let answered = 0;
    while (answered < 40) answered = (await stream.next()).n;
    await running.kill();
    running = await Server.start(running.stateDir);
    stream = await ServedStream.open(running.address, path);
    const { last } = (await stream.next()).welcome;
    expect(last).toBeGreaterThanOrEqual(answered);
    for (let n = last - 5; n <= 310; n++) stream.send({ n, observe: gdf(`e${n}`), brief: true });
    for (let n = last - 5; n <= last; n++) expect(await stream.next()).toEqual({ n, redelivered: true });
    for (let n = last + 1; n <= 310; n++) expect(await stream.next()).toMatchObject({ n, message: { observed: 1 } });
    const { message } = await running.okay(`GET ${PROCESSOR}/sessions/killed/working-memory`);
    expect(message).toEqual(Array.from({ length: 310 }, (_, i) => [`e${i + 1}`]));
  });

  test("of a client that does not read end its stream, so that what waits for it does not grow without bound", async () => {
    const socket = await openDeaf(server.address, `${PROCESSOR}/sessions/deaf/stream`);
    // Each answer repeats 50 identifiers: 100 KB. All of them together are more than the system takes in for a socket.
    const records = Array.from({ length: 50 }, () => ({ ...gdf("x"), unique_id: "u".repeat(2000) }));
    const frames = 300;
    for (let n = 1; n <= frames; n++) socket.write(rawFrame(JSON.stringify({ n, clear: true, observe: records })));
    await expect.poll(hasSettled, { timeout: 30_000, interval: 200 }).toBe(true);
    const { message: time } = await server.okay(`GET ${PROCESSOR}/sessions/deaf/time`);
    expect(Number(time)).toBeLessThan(frames * records.length);
    // The close frame comes last.
    let end = Buffer.alloc(0);
    socket.on("data", (part: Buffer) => {
      end = Buffer.concat([end, part]).subarray(-200);
    });
    socket.resume();
    await expect.poll(() => end.includes(closeCode(1013))).toBe(true);
    socket.destroy();
  });
});

test("a flood of frames does not shut out who comes later", { timeout: 300_000 }, async () => {
  // As long as workerd has anything to do, it looks at no socket but the 16 or so with which it is busy.
  const streams = await Promise.all(Array.from({ length: 48 }, (_, at) => open(`/sessions/flood/stream?source=${at}`)));
  const frames = 100;
  let answered = 0;
  let hasCome = false;
  const all = streams.map(async (stream) => {
    await stream.next();
    const send = (n: number) => stream.send({ n, clear: true, observe: gdf("a"), brief: true });
    for (let n = 1; n <= frames; n++) send(n);
    let sent = frames;
    for (let n = 1; n <= sent; n++) {
      expect(await stream.next()).toMatchObject({ n });
      answered++;
      // The flood goes on until the late one is in, however long a busy machine takes.
      if (!hasCome) send(++sent);
    }
  });
  await expect.poll(() => answered).toBeGreaterThan(200);
  const late = await open("/sessions/late/stream");
  expect(await late.next()).toEqual({ welcome: { interval: 0, last: 0 } });
  hasCome = true;
  await Promise.all(all);
  for (const stream of [...streams, late]) stream.socket.close();
});

/** Whether the memory of the client that does not read has stopped to change: many looks see the same, for a server that pauses shows it, too. */
async function hasSettled(): Promise<boolean> {
  const times = new Set<string>();
  for (let look = 0; look < 10; look++) {
    times.add((await server.okay(`GET ${PROCESSOR}/sessions/deaf/time`)).message);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return times.size === 1 && !times.has("0");
}

describe("a stream that sleeps", () => {
  test("wakes with its memory, its source and its subscription", async () => {
    const stream = await open("/sessions/asleep/stream?source=device");
    await stream.next();
    await stream.ask({ subscribe: ["observed"] });
    await stream.ask({ n: 1, observe: gdf("before"), brief: true });
    await stream.next();
    // An object leaves memory after 10 s without a message.
    await new Promise((resolve) => setTimeout(resolve, 13 * MS_PER_SECOND));
    await server.okay(`POST ${PROCESSOR}/sessions/asleep/observe`, { data: gdf("meanwhile") });
    expect(await stream.next()).toMatchObject({
      event: "observed",
      interval: 2,
      session: "asleep",
      symbols: ["meanwhile"],
    });
    expect(await stream.ask("ping")).toBe("pong");
    expect(await stream.ask({ n: 1, observe: gdf("again") })).toEqual({ n: 1, redelivered: true });
    expect(await memoryOf("asleep")).toEqual([["before"], ["meanwhile"]]);
    stream.socket.close();
  });
});

describe("a key that is removed", () => {
  test("ends its streams within 30 s, and no others; until then its roles hold", async () => {
    const data = { name: "device", roles: ["observe"], sessions: ["device-*"] };
    const { id, key } = (await server.okay("POST /keys", { data })).message as { id: string; key: string };
    const headers = { "x-api-key": key };
    await expect(open("/stream", { headers })).rejects.toThrow(/^403 /);
    const stream = await open("/sessions/device-1/stream", { headers });
    const other = await open("/sessions/device-1/stream");
    await stream.next();
    await other.next();
    expect(await stream.ask({ n: 1, observe: gdf("a"), brief: true })).toMatchObject({ message: { observed: 1 } });
    expect(await stream.ask({ n: 2, learn: true })).toMatchObject({ error: { code: 403 } });
    expect(await stream.ask({ subscribe: ["observed"] })).toMatchObject({ error: { code: 403 } });
    const removed = Date.now();
    await server.okay(`DELETE /keys/${id}`);
    expect(await stream.untilClosed()).toBe(1008);
    expect(Date.now() - removed).toBeLessThan(30 * MS_PER_SECOND);
    expect(await other.ask("ping")).toBe("pong");
    other.socket.close();
  });
});

test("256 frames may be under way while their events wait for another processor, too", {
  timeout: 300_000,
}, async () => {
  const forwarding = await Server.start();
  onTestFinished(() => forwarding.discard());
  const chain = [
    primitive("p1", { manipulatives: ["m1"] }),
    manipulative("m1", "p1", ["p2"], ["name"]),
    primitive("p2"),
  ];
  await forwarding.okay("POST /genome/hotswap", JSON.parse(genomeText(...chain)));
  await forwarding.okay("PUT /p1/add-model", { sequence: [["known"], ["then"]] });
  const stream = await ServedStream.open(forwarding.address, "/p1/stream");
  await stream.next();
  await stream.ask({ subscribe: ["observed"] });
  const records = ["known", "a", "b", "c", "d"].map((symbol) => gdf(symbol));
  for (let n = 1; n <= 256; n++) stream.send({ n, clear: true, observe: records, brief: true });
  const answered: number[] = [];
  let events = 0;
  while (answered.length < 256) {
    const said = await stream.next();
    if (said.event === undefined) answered.push(said.n);
    else events++;
  }
  expect(answered).toEqual(Array.from({ length: 256 }, (_, i) => i + 1));
  expect(events).toBe(1000);
  stream.socket.close();
});
