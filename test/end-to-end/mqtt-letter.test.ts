/** What MQTT 5 says of sessions, wills, subscriptions, limits and acknowledgements, byte by byte, at `npm start`. */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  bytesOf,
  connectMutants,
  type Mutant,
  packetMutants,
  soundConnect,
  soundPackets,
} from "../support/mqtt/mutants";
import { four, packet, properties, publish, pubrel, TYPE, text, two } from "../support/mqtt/packets.mjs";
import { RawClient, type Received } from "../support/mqtt/raw-client";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const ID = PROCESSOR.slice(1);
const KEY = "ABCD-1234";

let server: Server;

beforeAll(async () => {
  server = await Server.start();
}, 300_000);

/** Every connection that was made, to be ended. */
const clients: RawClient[] = [];

afterAll(async () => {
  for (const client of clients) client.drop();
  await server?.discard();
});

const name = () => `s-${crypto.randomUUID()}`;

const topicOf = (memory: string, verb = "observe") => `noema/${ID}/sessions/${memory}/${verb}`;

const expiry = (seconds: number) => Buffer.concat([Buffer.from([0x11]), four(seconds)]);

interface Greeting {
  readonly clientId?: string;
  readonly isClean?: boolean;
  readonly keepAlive?: number;
  readonly its?: (Buffer | number[])[];
  readonly will?: { readonly memory: string; readonly payload: string; readonly delay?: number };
  readonly key?: string;
}

/** A CONNECT of MQTT 5 with any properties. */
function greeting({ clientId = name(), isClean = true, keepAlive = 60, its = [], will, key = KEY }: Greeting): Buffer {
  const delay = will?.delay === undefined ? [] : [Buffer.concat([Buffer.from([0x18]), four(will.delay)])];
  const willFields = will ? [properties(...delay), text(topicOf(will.memory)), text(will.payload)] : [];
  const flags = 0xc0 + (isClean ? 2 : 0) + (will ? 4 : 0);
  const fields = [properties(...its), text(clientId), ...willFields, text("u"), text(key)];
  return packet(0x10, text("MQTT"), [5, flags], two(keepAlive), ...fields);
}

async function open(): Promise<RawClient> {
  const client = await RawClient.open(server.address);
  clients.push(client);
  return client;
}

/** A connection, and what CONNACK says. */
async function greet(how: Greeting): Promise<{ client: RawClient; isPresent: boolean; said: Buffer }> {
  const client = await open();
  client.send(greeting(how));
  const { type, body } = await client.next();
  expect([type, body[1]]).toEqual([TYPE.connack, 0]);
  return { client, isPresent: body[0] === 1, said: body.subarray(3) };
}

const kept = (clientId: string, seconds = 3600): Greeting => ({ clientId, isClean: false, its: [expiry(seconds)] });

async function memoryOf(memory: string): Promise<unknown> {
  return ask(server, `GET sessions/${memory}/working-memory`);
}

/** Observes over HTTP. */
async function observe(memory: string, symbol: string): Promise<void> {
  await ask(server, `POST sessions/${memory}/observe`, { data: { strings: [symbol] } });
}

/** A message of the server, taken apart. */
function messageIn({ type, flags, body }: Received) {
  expect(type).toBe(TYPE.publish);
  const qos = (flags >> 1) & 3;
  let at = 2 + body.readUInt16BE(0);
  const topic = body.subarray(2, at).toString();
  const id = qos > 0 ? body.readUInt16BE(at) : 0;
  at += qos > 0 ? 2 : 0;
  const end = at + 1 + (body[at] ?? 0);
  const its = body.subarray(at + 1, end).toString("hex");
  return { topic, id, its, isRetained: (flags & 1) === 1, qos, payload: body.subarray(end).toString() };
}

const symbolsIn = (received: Received) => JSON.parse(messageIn(received).payload).symbols;

/** SUBSCRIBE to one filter. @returns the code of SUBACK */
async function subscribe(client: RawClient, filter: string, options: number, its: Buffer | number[] = []) {
  client.send(packet(0x82, two(77), properties(its), text(filter), [options]));
  const { type, body } = await client.next();
  expect(type).toBe(TYPE.suback);
  return body.at(-1);
}

/** That nothing comes before the answer to PINGREQ. */
async function nothingFor(client: RawClient): Promise<void> {
  client.send(packet(0xc0));
  expect((await client.next()).type).toBe(TYPE.pingresp);
}

test.concurrent("CONNACK gives an identifier, a keep alive and an expiry where it does not take the client's", async () => {
  const { said } = await greet({ clientId: "", keepAlive: 0, its: [expiry(0xffff_ffff)] });
  const [, assigned = ""] = said.toString("hex").split("12002a");
  expect(Buffer.from(assigned, "hex").subarray(0, 42).toString()).toMatch(/^noema-[0-9a-f-]{36}$/);
  expect(said.toString("hex")).toContain("1304b0");
  expect(said.toString("hex")).toContain("1100093a80");
  const { said: plain } = await greet({ clientId: name(), keepAlive: 60 });
  expect(plain.toString("hex")).toBe("2101002700100000220020" + "2a00");
});

test.concurrent("DISCONNECT may make the session stay longer, or shorter", async () => {
  const [longer, shorter] = [name(), name()];
  const { client: one } = await greet(kept(longer, 1));
  const { client: other } = await greet(kept(shorter, 3600));
  one.send(packet(0xe0, [0], properties(expiry(3600))));
  other.send(packet(0xe0, [0], properties(expiry(1))));
  await Promise.all([one.rest(), other.rest()]);
  await sleep(1200);
  expect((await greet(kept(longer))).isPresent).toBe(true);
  expect((await greet(kept(shorter))).isPresent).toBe(false);
});

test.concurrent("a packet identifier in use stands for its own message alone", async () => {
  const [memory, clientId] = [name(), name()];
  const { client } = await greet(kept(clientId));
  const topic = topicOf(memory);
  client.send(publish(5, topic, "a", 2, 7));
  expect((await client.next()).type).toBe(TYPE.pubrec);
  client.send(publish(5, topic, "b", 1, 7));
  const refused = await client.next();
  expect([refused.type, refused.body[2]]).toEqual([TYPE.puback, 0x91]);
  client.send(publish(5, topic, "a", 2, 7, true));
  const again = await client.next();
  expect([again.type, again.body.toString("hex")]).toEqual([TYPE.pubrec, "0007"]);
  client.send(pubrel(7));
  expect((await client.next()).body.toString("hex")).toBe("0007");
  // Where no session was resumed, PUBREL of none is told so; afterwards it may be one whose PUBCOMP was lost.
  client.send(pubrel(7));
  expect((await client.next()).body.toString("hex").slice(0, 6)).toBe("000792");
  client.send(packet(0x50, two(99)));
  const pubrelBody = await client.next();
  expect([pubrelBody.type, pubrelBody.body.toString("hex").slice(0, 6)]).toEqual([TYPE.pubrel, "006392"]);
  // Acknowledgements of nothing change nothing.
  client.send(packet(0x40, two(98)), packet(0x70, two(97)));
  await nothingFor(client);
  client.drop();
  const { client: next, isPresent } = await greet(kept(clientId));
  expect(isPresent).toBe(true);
  next.send(pubrel(7));
  expect((await next.next()).body.toString("hex")).toBe("0007");
  // Two messages at once with one identifier: each does its work.
  next.send(Buffer.concat([publish(5, topic, "c", 1, 9), publish(5, topic, "d", 1, 9)]));
  expect([(await next.next()).type, (await next.next()).type]).toEqual([TYPE.puback, TYPE.puback]);
  expect(await memoryOf(memory)).toEqual([["a"], ["c"], ["d"]]);
});

test.concurrent("what answers a message otherwise than its QoS says ends the connection", async () => {
  const memory = name();
  for (const [options, answer] of [
    [2, 0x40],
    [2, 0x70],
    [1, 0x50],
    [1, 0x70],
  ] as const) {
    const { client } = await greet({});
    expect(await subscribe(client, topicOf(memory, "observed"), options)).toBe(options);
    await observe(memory, "x");
    const { id } = messageIn(await client.next());
    client.send(packet(answer, two(id)));
    const last = (await client.rest()).at(-1);
    expect([last?.type, last?.body[0]], `${options} ${answer}`).toEqual([TYPE.disconnect, 0x82]);
  }
});

test.concurrent("a message comes once to overlapping subscriptions, with the identifiers of all", async () => {
  const memory = name();
  const { client } = await greet({});
  expect(await subscribe(client, topicOf(memory, "observed"), 0x04, [0x0b, 5])).toBe(0);
  expect(await subscribe(client, `noema/+/sessions/${memory}/observed`, 1, [0x0b, 6])).toBe(1);
  await observe(memory, "x");
  const { its, qos } = messageIn(await client.next());
  expect([its, qos]).toEqual(["0b050b06", 1]);
  await nothingFor(client);
  // In the place of the subscription: another QoS and no identifier.
  expect(await subscribe(client, topicOf(memory, "observed"), 2)).toBe(2);
  await observe(memory, "y");
  const second = messageIn(await client.next());
  expect([second.its, second.qos]).toEqual(["0b06", 2]);
  client.send(packet(0xa2, two(1), [0], text(topicOf(memory, "observed")), text("a"), text("a/#/b")));
  expect((await client.next()).body.toString("hex")).toBe("000100" + "00118f");
});

test.concurrent("retained messages come as retain handling says, and keep RETAIN where the client wants it", async () => {
  const memory = name();
  await observe(memory, "x");
  const { client } = await greet({});
  const filter = topicOf(memory, "forecast");
  expect(await subscribe(client, filter, 0x20)).toBe(0);
  await nothingFor(client);
  expect(await subscribe(client, filter, 0x00)).toBe(0);
  expect(messageIn(await client.next()).isRetained).toBe(true);
  expect(await subscribe(client, filter, 0x10)).toBe(0);
  await nothingFor(client);
  await observe(memory, "y");
  expect(messageIn(await client.next()).isRetained).toBe(false);
  expect(await subscribe(client, filter, 0x28)).toBe(0);
  await observe(memory, "z");
  expect(messageIn(await client.next()).isRetained).toBe(true);
  const { client: fresh } = await greet({});
  expect(await subscribe(fresh, filter, 0x10)).toBe(0);
  expect(messageIn(await fresh.next()).isRetained).toBe(true);
});

test.concurrent("filters that cannot be served are refused, each by its code, and the others are granted", async () => {
  const { client } = await greet({});
  const filters = ["$share/g/noema/#", "other/#", "noema/#/x", "", `noema/${ID}/observed`];
  client.send(packet(0x82, two(1), [0], ...filters.flatMap((filter) => [text(filter), [1]])));
  expect([...(await client.next()).body.subarray(-5)]).toEqual([0x9e, 0x8f, 0x8f, 0x8f, 1]);
  const { client: older } = await RawClient.connected(server.address, { version: 4, clientId: name() });
  older.send(packet(0x82, two(1), ...filters.flatMap((filter) => [text(filter), [1]])));
  expect([...(await older.next()).body]).toEqual([0, 1, 0x80, 0x80, 0x80, 0x80, 1]);
  older.drop();
});

test.concurrent("a client gets no packet larger than it takes, no reasons it does not want, and not more than it takes at once", async () => {
  const memory = name();
  const small = await greet({ its: [[0x27, 0, 0, 1, 44]] });
  expect(await subscribe(small.client, topicOf(memory, "observed"), 1)).toBe(1);
  small.client.send(publish(5, "nowhere", "x", 1, 1));
  expect((await small.client.next()).body.toString()).toContain("nowhere");
  await observe(memory, "x".repeat(300));
  await observe(memory, "y");
  expect(symbolsIn(await small.client.next())).toEqual(["y"]);
  const { client: smallest } = await greet({ its: [[0x27, 0, 0, 0, 20]] });
  smallest.send(publish(5, "nowhere", "x", 1, 1));
  expect((await smallest.next()).body.toString("hex")).toBe("000190");
  const silent = await greet({ its: [[0x17, 0]] });
  silent.client.send(publish(5, "nowhere", "x", 2, 1));
  expect((await silent.client.next()).body.toString("hex")).toBe("000190");
  const { client: talked } = await greet({});
  talked.send(publish(5, "nowhere", "x", 1, 1));
  expect((await talked.next()).body.toString()).toContain("nowhere");
  const slow = await greet({ its: [[0x21, 0, 1]] });
  expect(await subscribe(slow.client, topicOf(memory, "observed"), 1)).toBe(1);
  await observe(memory, "first");
  await observe(memory, "second");
  const first = await slow.client.next();
  expect(symbolsIn(first)).toEqual(["first"]);
  await nothingFor(slow.client);
  slow.client.send(packet(0x40, two(messageIn(first).id)));
  expect(symbolsIn(await slow.client.next())).toEqual(["second"]);
});

test.concurrent("everything that PUBLISH and CONNECT may say is taken", async () => {
  const memory = name();
  const client = await open();
  client.send(bytesOf(soundConnect(5, topicOf(memory), KEY, name())));
  expect((await client.next()).body[1]).toBe(0);
  const [zero, one, two_] = soundPackets(5, topicOf(memory), topicOf(memory, "observed"));
  if (zero === undefined || one === undefined || two_ === undefined) throw new Error("there are three");
  client.send(bytesOf(zero), bytesOf(one), bytesOf({ ...two_, first: 0x35 }));
  expect([(await client.next()).type, (await client.next()).type]).toEqual([TYPE.puback, TYPE.pubrec]);
  expect(await memoryOf(memory)).toEqual([["p"], ["p"], ["p"]]);
  client.drop();
});

test.concurrent("a will waits for its delay, or for the end of the session, and not longer", async () => {
  const memory = name();
  const will = (payload: string, delay: number) => ({ memory, payload, delay });
  const { client: listener } = await greet({});
  await subscribe(listener, topicOf(memory, "observed"), 0);
  const [back, late, ending] = [name(), name(), name()];
  const gone = [
    await greet({ ...kept(back), will: will("never: it came back", 60) }),
    await greet({ ...kept(late), will: will("after its delay", 2) }),
    await greet({ ...kept(ending, 1), will: will("at the end of the session", 60) }),
  ];
  const began = Date.now();
  for (const { client } of gone) client.drop();
  // Its session ends with a reason to publish a will, and the one of before is none any more.
  const { client: returned } = await greet(kept(back));
  returned.send(packet(0xe0, [0x04], properties(expiry(0))));
  await returned.rest();
  const said = await greet({ its: [expiry(3600)], will: will("with DISCONNECT 0x04", 0) });
  said.client.send(packet(0xe0, [0x04]));
  expect(symbolsIn(await listener.next())).toEqual(["with DISCONNECT 0x04"]);
  const [first, firstMs] = [symbolsIn(await listener.next()), Date.now() - began];
  const [second, secondMs] = [symbolsIn(await listener.next()), Date.now() - began];
  expect([first, second].sort()).toEqual([["after its delay"], ["at the end of the session"]]);
  expect(firstMs).toBeGreaterThanOrEqual(950);
  expect(secondMs).toBeGreaterThanOrEqual(1950);
  // A clean start ends the session, and so the delay.
  const fresh = name();
  const { client: lost } = await greet({ ...kept(fresh), will: will("its session was ended", 60) });
  lost.drop();
  await greet({ clientId: fresh });
  expect(symbolsIn(await listener.next())).toEqual(["its session was ended"]);
  // A packet that is none is no farewell.
  const { client: wrong } = await greet({ will: { memory, payload: "a fault" } });
  wrong.send(packet(0x36, text("a"), two(1), [0]));
  expect(symbolsIn(await listener.next())).toEqual(["a fault"]);
  await nothingFor(listener);
});

/** Every seventh. */
const some = (mutants: readonly Mutant[]) => mutants.filter((_, at) => at % 7 === 3);

/** What a server says wrong of packets with a fault. @param at where the reason code stands in the body of its answer */
async function wrongOf(mutants: readonly Mutant[], connected: () => Promise<RawClient>, type: number, at: number) {
  const wrong: string[] = [];
  for (const { what, bytes, code } of mutants) {
    const client = await connected();
    client.send(bytes);
    const said = (await client.rest()).map((each) => `${each.type} ${each.body[at]}`).join();
    if (said !== (code === undefined ? "" : `${type} ${code}`)) wrong.push(`${what}: ${said}, not ${code}`);
  }
  return wrong;
}

test.concurrent.each([
  4, 5,
] as const)("with protocol level %d a packet with a fault ends its own connection alone, by its reason, and changes nothing", async (version) => {
  const memory = name();
  const { client: other } = await greet({});
  const filter = topicOf(memory, "observed");
  await subscribe(other, filter, 0);
  const hello = { version, clientId: name(), isClean: false, expiry: 3600 };
  const connected = async () => (await RawClient.connected(server.address, hello)).client;
  const packets = some(packetMutants(version, topicOf(memory), filter));
  expect(await wrongOf(packets, connected, TYPE.disconnect, 0)).toEqual([]);
  const connects = some(connectMutants(version, topicOf(memory), KEY));
  expect(await wrongOf(connects, () => RawClient.open(server.address), TYPE.connack, 1)).toEqual([]);
  expect(await memoryOf(memory)).toEqual([]);
  const { client, isPresent } = await RawClient.connected(server.address, hello);
  clients.push(client);
  expect(isPresent).toBe(true);
  await observe(memory, "x");
  expect(symbolsIn(await other.next())).toEqual(["x"]);
  await nothingFor(client);
}, 300_000);
