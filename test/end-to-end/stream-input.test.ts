/** Streams and what no client should send: each is answered or refused by name, changes nothing, and leaves the server as it was. */

import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { floodBesideHealth } from "../support/server/flood";
import { PROCESSOR } from "../support/server/processor-calls";
import { closeCode, OPCODE, openDeaf, rawFrame } from "../support/server/raw-stream";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

let server: Server;
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server.discard());

let sessions = 0;

/** A stream of a memory of its own. */
async function opened(query = ""): Promise<{ stream: ServedStream; path: string }> {
  const path = `${PROCESSOR}/sessions/input-${++sessions}`;
  const stream = await ServedStream.open(server.address, `${path}/stream${query}`);
  await stream.next();
  return { stream, path };
}

const time = async (path: string) => Number((await server.okay(`GET ${path}/time`)).message);

describe("a frame", () => {
  const nested = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  test.each([
    ["nothing", "", null],
    ["half of a frame", '{"n": 1, "observe": {"strings": ["a', null],
    ["two frames", '{"n": 1}{"n": 2}', null],
    ["deep nesting", nested, null],
    ["deep nesting in a record", `{"n": 1, "observe": ${nested}}`, null],
    ["no n", '{"observe": {"strings": ["a"]}}', null],
    ["n as text", '{"n": "1"}', null],
    ["n in a list", '{"n": [1]}', null],
    ["n null", '{"n": null}', null],
    ["n true", '{"n": true}', null],
    ["n below 1", '{"n": 0}', null],
    ["n minus", '{"n": -1}', null],
    ["n a fraction", '{"n": 1.5}', null],
    ["n too large", '{"n": 9007199254740992}', null],
    ["n endless", '{"n": 1e999}', null],
    ["a lone surrogate", '{"n": 1, "observe": {"strings": ["\\ud800"]}}', 1],
    ["an unknown member", '{"n": 1, "observe": {"strings": ["a"]}, "lern": true}', 1],
    ["an unknown member of a record", '{"n": 1, "observe": {"strings": ["a"], "string": []}}', 1],
    ["learn as text", '{"n": 1, "learn": "true"}', 1],
    ["a member named __proto__", '{"n": 1, "__proto__": {"learn": true}}', 1],
    ["an endless emotive", '{"n": 1, "observe": {"strings": ["a"], "emotives": {"joy": 1e999}}}', 1],
    ["a subscription with a number", '{"subscribe": ["observed"], "n": 1}', null],
    ["a subscription to nothing known", '{"subscribe": ["everything"]}', null],
  ])("with %s is refused, and the next is taken", async (_, text, n) => {
    const { stream, path } = await opened("?source=s");
    const answer = await stream.ask(text);
    expect(answer).toMatchObject({ n, error: { code: 400, message: expect.stringMatching(/\w+ \w+/) } });
    expect(await time(path)).toBe(0);
    expect(await stream.ask({ n: 2, observe: { strings: ["a"] }, brief: true })).toMatchObject({ n: 2, interval: 1 });
    stream.socket.close();
  });

  test("names unknown members, and of members that are doubled the last counts, as in any JSON here", async () => {
    const { stream } = await opened();
    expect((await stream.ask('{"n": 1, "lern": true}')).error.message).toContain("lern");
    expect(await stream.ask('{"n": 2, "n": 3, "learn": true, "learn": false}')).toMatchObject({ n: 3, message: {} });
    stream.socket.close();
  });

  test("of JSON is refused under its number, also where its text is not well-formed", async () => {
    const { stream } = await opened();
    expect(await stream.ask('{"n": 1, "observe": {"strings": ["\\ud800"]}}')).toMatchObject({
      n: 1,
      error: { code: 400, message: expect.stringContaining("observe.strings[0]") },
    });
    for (const wrong of ['{"n": 1, "observe": "\\ud800"', '{"n": "\\ud800"}', '["\\ud800"]', "[".repeat(500_000)]) {
      expect(await stream.ask(wrong)).toMatchObject({ n: null, error: { code: 400 } });
    }
    expect(await stream.ask({ n: 1 })).toMatchObject({ n: 1, message: {} });
    stream.socket.close();
  });

  test("with a number that falls, or stays, is redelivered and changes nothing", async () => {
    const { stream, path } = await opened("?source=s");
    await stream.ask({ n: 9, observe: { strings: ["a"] }, brief: true });
    for (const n of [9, 8, 1]) {
      expect(await stream.ask({ n, observe: { strings: ["b"] }, learn: true })).toEqual({ n, redelivered: true });
    }
    expect(await time(path)).toBe(1);
    stream.socket.close();
  });

  test("of 1,000 records is taken, of 1,001 refused with 413", async () => {
    const { stream, path } = await opened();
    const records = (count: number) => Array.from({ length: count }, () => ({ strings: ["a"] }));
    expect(await stream.ask({ n: 1, observe: records(1001), brief: true })).toMatchObject({
      n: 1,
      error: { code: 413 },
    });
    expect(await stream.ask({ n: 2, observe: records(1000), brief: true })).toMatchObject({
      message: { observed: 1000 },
    });
    expect(await time(path)).toBe(1000);
    stream.socket.close();
  });

  test("of 1 MiB is taken; one byte more closes the stream with 1009", async () => {
    const { stream, path } = await opened();
    const records = Array.from({ length: 1000 }, () => ({ strings: ["x".repeat(1000)] }));
    const frame = (n: number, bytes: number) => JSON.stringify({ n, brief: true, observe: records }).padEnd(bytes);
    expect(await stream.ask(frame(1, 1_048_576))).toMatchObject({ n: 1, message: { observed: 1000 } });
    stream.send(frame(2, 1_048_577));
    expect(await stream.untilClosed()).toBe(1009);
    expect(await time(path)).toBe(1000);
  });

  test("in bytes is refused; a flood of pings is answered, and the stream goes on", async () => {
    const { stream } = await opened();
    stream.socket.send(Buffer.from('{"n": 1}') as never);
    expect(await stream.next()).toMatchObject({ n: null, error: { code: 400 } });
    const pings = 20_000;
    for (let i = 0; i < pings; i++) stream.send("ping");
    for (let i = 0; i < pings; i++) if ((await stream.next()) !== "pong") throw new Error("that was no pong");
    expect(await stream.ask({ n: 1 })).toMatchObject({ n: 1, message: {} });
    stream.socket.close();
  });
});

describe("bytes that are no WebSocket", () => {
  const text = '{"n": 1, "observe": {"strings": ["a"]}}';
  test.each<[string, Buffer[], number]>([
    ["a frame with bits of an extension", [rawFrame(text, { reserved: 0x40 })], 1002],
    ["an unknown kind of frame", [rawFrame(text, { opcode: 3 })], 1002],
    ["a continuation of nothing", [rawFrame(text, { opcode: OPCODE.continuation })], 1002],
    ["a text within a text", [rawFrame(text.slice(0, 9), { isLast: false }), rawFrame(text)], 1002],
    ["a ping in pieces", [rawFrame("a", { opcode: OPCODE.ping, isLast: false })], 1002],
    ["a frame that claims 2^63 bytes", [rawFrame(text, { length: 1n << 63n })], 1009],
    ["a frame of 40 MiB", [rawFrame(Buffer.alloc(40 * 1_048_576, "x"))], 1009],
  ])("%s ends the stream, changes nothing, and disturbs no other", async (_, frames, code) => {
    const { stream, path } = await opened();
    const socket = await openDeaf(server.address, `${path}/stream`);
    let heard = Buffer.alloc(0);
    socket.on("data", (part: Buffer) => {
      heard = Buffer.concat([heard, part]);
    });
    socket.resume();
    for (const frame of frames) socket.write(frame);
    await expect.poll(() => heard.includes(closeCode(code))).toBe(true);
    expect(await time(path)).toBe(0);
    expect(await stream.ask({ n: 1, observe: { strings: ["b"] }, brief: true })).toMatchObject({ interval: 1 });
    stream.socket.close();
  });

  test("a text in pieces is whole, also where a piece ends within a character; what is no UTF-8 is read as U+FFFD", async () => {
    const { stream, path } = await opened();
    const frame = Buffer.from('{"n": 1, "brief": true, "observe": {"strings": ["€"]}}');
    const within = frame.indexOf("€") + 1;
    const { continuation } = OPCODE;
    const socket = await openDeaf(server.address, `${path}/stream`);
    socket.write(rawFrame(frame.subarray(0, within), { isLast: false }));
    socket.write(rawFrame(frame.subarray(within), { opcode: continuation }));
    // The next frame, with a character of which only the first byte is there.
    frame.write("2", frame.indexOf("1"));
    frame.write("  ", within);
    socket.write(rawFrame(frame));
    await expect.poll(() => time(path)).toBe(2);
    expect((await server.okay(`GET ${path}/working-memory`)).message).toEqual([["€"], ["\ufffd  "]]);
    stream.socket.close();
  });

  test("half a frame, and silence delay no other client", async () => {
    const { stream, path } = await opened();
    for (let at = 0; at < 50; at++) {
      const socket = await openDeaf(server.address, `${path}/stream`);
      if (at % 2 === 0) socket.write(rawFrame(text, { length: 1000n }));
    }
    expect(await stream.ask({ n: 1, observe: { strings: ["b"] }, brief: true })).toMatchObject({ interval: 1 });
    stream.socket.close();
  });
});

describe("a source on two connections", () => {
  test("is the newer one's; the older is closed with 4001 and told why", async () => {
    const { stream, path } = await opened("?source=s");
    await stream.ask({ n: 1, observe: { strings: ["a"] }, brief: true });
    const newer = await ServedStream.open(server.address, `${path}/stream?source=s`);
    expect(await newer.next()).toEqual({ welcome: { interval: 1, last: 1 } });
    expect(await stream.untilClosed()).toBe(4001);
    expect(stream.reason).toMatch(/newer/);
    expect(await newer.ask({ n: 2, observe: { strings: ["b"] }, brief: true })).toMatchObject({ interval: 2 });
    newer.socket.close();
  });
});

describe("an opening", () => {
  const upgrade = { headers: { "x-api-key": "ABCD-1234" } };
  test.each([
    ["to a path without streams", `${PROCESSOR}/observe`, 405],
    ["to a path that nothing answers", `${PROCESSOR}/sessions/a/streams`, 404],
    ["with an unknown query", `${PROCESSOR}/stream?sources=a`, 400],
    ["with two sources", `${PROCESSOR}/stream?source=a&source=b`, 400],
    ["with a source of 129 bytes", `${PROCESSOR}/stream?source=${"a".repeat(129)}`, 400],
    ["with the source ..", `${PROCESSOR}/stream?source=..`, 400],
    ["with a source that is no UTF-8", `${PROCESSOR}/stream?source=%ff`, 400],
    ["with a source that is not percent-encoded", `${PROCESSOR}/stream?source=50%`, 400],
  ])("%s is refused, and says why", async (_, path, status) => {
    await expect(ServedStream.open(server.address, path, upgrade)).rejects.toThrow(
      new RegExp(`^${status} .*"status":"failed"`),
    );
  });

  test("with a key of another role, or of other sessions is refused with 403, and counts as one call", async () => {
    const keyOf = async (data: object) => (await server.okay("POST /keys", { data })).message.key as string;
    const reading = await keyOf({ name: "a", roles: ["read", "learn", "manage"] });
    const door = await keyOf({ name: "b", roles: ["observe"], sessions: ["door-*"] });
    const rare = await keyOf({ name: "c", roles: ["observe"], per_minute: 1 });
    const openWith = (key: string, session = "") =>
      ServedStream.open(server.address, `${PROCESSOR}${session}/stream`, { headers: { "x-api-key": key } });
    await expect(openWith(reading)).rejects.toThrow(/^403 .*observe/);
    await expect(openWith(door)).rejects.toThrow(/^403 /);
    await expect(openWith(door, "/sessions/window-1")).rejects.toThrow(/^403 /);
    const atDoor = await openWith(door, "/sessions/door-1");
    expect(await atDoor.next()).toEqual({ welcome: { interval: 0, last: 0 } });
    atDoor.socket.close();
    const stream = await openWith(rare);
    await stream.next();
    for (let n = 1; n <= 50; n++) expect(await stream.ask({ n })).toMatchObject({ n, message: {} });
    await expect(openWith(rare)).rejects.toThrow(/^429 /);
    stream.socket.close();
  });
});

describe("a frame's parts", () => {
  const PARTS = [
    [{ observe: { strings: ["a"] }, brief: true }, "observe"],
    [{ clear: true }, "observe"],
    [{ learn: true }, "learn"],
    [{ predictions: true }, "read"],
    [{ forecast: true }, "read"],
    [{ observe: { strings: ["a"] }, explain: true }, "read"],
  ] as const;

  test.each([
    ["observe"],
    ["observe", "learn"],
    ["observe", "read"],
    ["observe", "manage"],
    ["admin"],
  ])("need their roles, with a key of %s %s", async (...given) => {
    const roles = given.filter((role) => role !== undefined);
    const { message } = await server.okay("POST /keys", { data: { name: "roles", roles } });
    const stream = await ServedStream.open(server.address, `${PROCESSOR}/sessions/roles-${roles.join("-")}/stream`, {
      headers: { "x-api-key": message.key },
    });
    await stream.next();
    for (const [at, [part, role]] of PARTS.entries()) {
      const answer = await stream.ask({ n: at + 1, ...part });
      const isAllowed = roles.includes("admin") || roles.includes(role);
      if (isAllowed) expect(answer, role).toMatchObject({ n: at + 1, message: {} });
      else expect(answer, role).toMatchObject({ error: { code: 403, message: expect.stringContaining(role) } });
    }
    const heard = await stream.ask({ subscribe: ["observed"] });
    if (roles.includes("admin") || roles.includes("read")) expect(heard).toEqual({ subscribed: ["observed"] });
    else expect(heard).toMatchObject({ n: null, error: { code: 403 } });
    stream.socket.close();
  });
});

test("others are answered while a few streams are full of tiny frames", async () => {
  const FRAMES = 20_000;
  const flood = Buffer.alloc(FRAMES * 7, Buffer.of(0x81, 0x81, 0, 0, 0, 0, 0x78));
  const sockets: WebSocket[] = [];
  for (const session of ["flood-0", "flood-1", "flood-2"]) {
    const headers = { "X-API-KEY": "ABCD-1234" };
    const path = `${PROCESSOR}/sessions/${session}/stream`;
    const socket = new WebSocket(`ws://${new URL(server.address).host}${path}`, "noema.v1", { headers });
    onTestFinished(() => socket.terminate());
    await once(socket, "message");
    sockets.push(socket);
  }
  const answersIn = (bytes: Buffer) => bytes.filter((byte) => byte === 0x81).length;
  const { healthMs, allMs } = await floodBesideHealth(server.address, sockets, flood, answersIn, FRAMES);
  expect(healthMs).toBeLessThan(allMs / 2);
});
