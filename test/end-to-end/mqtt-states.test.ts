/**
 * Packets with a fault in every state of a connection, and packets in a wrong order: each ends its own connection by its
 * reason, what came before it has its effect once, what comes behind it has none, and the session goes on where it was.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mutant, packetMutants } from "../support/mqtt/mutants";
import {
  acknowledge,
  connect,
  disconnect,
  packet,
  ping,
  properties,
  publish,
  pubrel,
  subscribe,
  TYPE,
  text,
  two,
} from "../support/mqtt/packets.mjs";
import { RawClient, type Received } from "../support/mqtt/raw-client";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

let server: Server;

beforeAll(async () => {
  server = await Server.start();
}, 300_000);

afterAll(() => server?.discard());

const name = () => `s-${crypto.randomUUID()}`;

const topicOf = (memory: string, verb = "observe") => `noema/${PROCESSOR.slice(1)}/sessions/${memory}/${verb}`;

const memoryOf = (memory: string) => ask(server, `GET sessions/${memory}/working-memory`);

/** The first byte and the whole body of a packet, as text. */
const seen = ({ type, flags, body }: Received) => `${type}.${flags} ${body.toString("hex")}`;

const expectAnswer = async (client: RawClient, type: number, id: number) => {
  const { type: got, body } = await client.next();
  expect([got, body.readUInt16BE(0), body[2] ?? 0]).toEqual([type, id, 0]);
};

/** Every how many faults one is tried in each state; at the codec they all are. */
const EVERY = { 4: 23, 5: 89 } as const;

const faultsOf = (version: 4 | 5) =>
  packetMutants(version, topicOf("fault"), topicOf("fault", "observed")).filter((_, at) => at % EVERY[version] === 5);

/** What is wrong with how a connection ends after a fault. */
async function endingOf(client: RawClient, { what, code }: Mutant): Promise<string[]> {
  const last = (await client.rest()).map(({ type, body }) => `${type} ${body[0]}`).join();
  const wanted = code === undefined ? "" : `${TYPE.disconnect} ${code}`;
  return last === wanted ? [] : [`${what}: ${last}, not ${wanted}`];
}

/** Begins a kept session, and goes on with it. */
function sessionOf(version: 4 | 5) {
  const hello = { version, clientId: name(), isClean: false, expiry: 3600 };
  let isFirst = true;
  return async (): Promise<RawClient> => {
    const { client, isPresent } = await RawClient.connected(server.address, hello);
    expect(isPresent).toBe(!isFirst);
    isFirst = false;
    return client;
  };
}

test.concurrent.each([
  4, 5,
] as const)("with protocol level %d, a message of QoS 2 that waits for PUBREL is known after any fault", async (version) => {
  const [memory, reconnected] = [name(), sessionOf(version)];
  const message = (isRepeated: boolean) => publish(version, topicOf(memory), "once", 2, 7, isRepeated);
  let client = await reconnected();
  client.send(message(false));
  await expectAnswer(client, TYPE.pubrec, 7);
  const wrong: string[] = [];
  for (const fault of faultsOf(version)) {
    client.send(fault.bytes);
    wrong.push(...(await endingOf(client, fault)));
    client = await reconnected();
    client.send(message(true));
    await expectAnswer(client, TYPE.pubrec, 7);
  }
  expect(wrong).toEqual([]);
  client.send(pubrel(7));
  await expectAnswer(client, TYPE.pubcomp, 7);
  expect(await memoryOf(memory)).toEqual([["once"]]);
  client.drop();
}, 300_000);

test.concurrent.each([
  4, 5,
] as const)("with protocol level %d, a message that waits for PUBREC comes again after any fault", async (version) => {
  const [memory, reconnected] = [name(), sessionOf(version)];
  let client = await reconnected();
  client.send(subscribe(version, 3, 2, topicOf(memory, "observed")));
  expect((await client.next()).type).toBe(TYPE.suback);
  await ask(server, `POST sessions/${memory}/observe`, { data: { strings: ["x"] } });
  const first = await client.next();
  expect([first.type, first.flags]).toEqual([TYPE.publish, 4]);
  const wrong: string[] = [];
  for (const fault of faultsOf(version)) {
    client.send(fault.bytes);
    wrong.push(...(await endingOf(client, fault)));
    client = await reconnected();
    const again = await client.next();
    if (seen(again) !== seen({ ...first, flags: 0x0c })) wrong.push(`${fault.what}: ${seen(again)}`);
  }
  expect(wrong).toEqual([]);
  const id = first.body.readUInt16BE(2 + first.body.readUInt16BE(0));
  client.send(acknowledge(TYPE.pubrec, id));
  await expectAnswer(client, TYPE.pubrel, id);
  client.send(acknowledge(TYPE.pubcomp, id), ping());
  expect((await client.next()).type).toBe(TYPE.pingresp);
  client.drop();
}, 300_000);

test.concurrent.each([
  4, 5,
] as const)("with protocol level %d, what is sent before a fault has its effect, and what is behind it has none", async (version) => {
  const wrong: string[] = [];
  for (const fault of faultsOf(version)) {
    const memory = name();
    const { client } = await RawClient.connected(server.address, { version, clientId: name() });
    const one = (payload: string, id: number) => publish(version, topicOf(memory), payload, 1, id);
    client.send(Buffer.concat([one("a", 1), one("b", 2), fault.bytes, one("c", 3)]));
    for (const id of [1, 2]) await expectAnswer(client, TYPE.puback, id);
    wrong.push(...(await endingOf(client, fault)));
    const events = JSON.stringify(await memoryOf(memory));
    if (events !== '[["a"],["b"]]') wrong.push(`${fault.what}: ${events} was observed`);
  }
  expect(wrong).toEqual([]);
}, 300_000);

test.concurrent("a packet that comes byte by byte is the same packet, sound or not", async () => {
  const { client } = await RawClient.connected(server.address, { clientId: name() });
  const memory = name();
  for (const byte of publish(5, topicOf(memory), "slowly", 1, 1)) client.send(Buffer.of(byte));
  await expectAnswer(client, TYPE.puback, 1);
  expect(await memoryOf(memory)).toEqual([["slowly"]]);
  for (const byte of packet(0x36, text(topicOf(memory)), two(2), [0])) client.send(Buffer.of(byte));
  expect((await client.rest()).map(({ type, body }) => [type, body[0]])).toEqual([[TYPE.disconnect, 0x81]]);
});

/** A PUBLISH of QoS 1 with a topic alias. */
const aliased = (topic: string, alias: number, id: number) =>
  packet(0x32, text(topic), two(id), properties([0x23], two(alias)), Buffer.from(`m${id}`));

test.concurrent("a topic alias stands for the topic that it was given last, and for none on another connection", async () => {
  const [one, other, reconnected] = [name(), name(), sessionOf(5)];
  let client = await reconnected();
  client.send(aliased(topicOf(one), 32, 1), aliased("", 32, 2), aliased(topicOf(other), 32, 3), aliased("", 32, 4));
  for (const id of [1, 2, 3, 4]) await expectAnswer(client, TYPE.puback, id);
  expect([await memoryOf(one), await memoryOf(other)]).toEqual([
    [["m1"], ["m2"]],
    [["m3"], ["m4"]],
  ]);
  for (const [bytes, code] of [
    [aliased("", 31, 5), 0x82],
    [aliased(topicOf(one), 0, 5), 0x94],
    [aliased(topicOf(one), 33, 5), 0x94],
    [aliased(topicOf(one), 0xffff, 5), 0x94],
  ] as const) {
    client.send(bytes);
    expect((await client.rest()).map(({ type, body }) => [type, body[0]])).toEqual([[TYPE.disconnect, code]]);
    client = await reconnected();
  }
  client.send(aliased("", 32, 6));
  expect((await client.rest()).at(-1)?.body[0]).toBe(0x82);
  expect([await memoryOf(one), await memoryOf(other)]).toEqual([
    [["m1"], ["m2"]],
    [["m3"], ["m4"]],
  ]);
});

test.concurrent("more messages under way than the receive maximum end the connection, and none is taken twice", async () => {
  const [memory, reconnected] = [name(), sessionOf(5)];
  const client = await reconnected();
  const all = Array.from({ length: 257 }, (_, at) => publish(5, topicOf(memory, "learn"), "", 2, at + 1));
  client.send(Buffer.concat(all));
  const said = await client.rest();
  expect(said.slice(0, -1).every(({ type }) => type === TYPE.pubrec)).toBe(true);
  expect([said.at(-1)?.type, said.at(-1)?.body[0]]).toEqual([TYPE.disconnect, 0x93]);
  const again = await reconnected();
  again.send(publish(5, topicOf(memory, "learn"), "", 2, 1, true), pubrel(1));
  await expectAnswer(again, TYPE.pubrec, 1);
  await expectAnswer(again, TYPE.pubcomp, 1);
  again.drop();
});

test.concurrent("packets in a wrong order end the connection", async () => {
  const hello = connect({ clientId: name() });
  const twice = await RawClient.open(server.address);
  twice.send(Buffer.concat([hello, hello]));
  expect((await twice.rest()).map(({ type, body }) => [type, body.at(type === TYPE.connack ? 1 : 0)])).toEqual([
    [TYPE.connack, 0],
    [TYPE.disconnect, 0x82],
  ]);
  for (const early of [ping(), disconnect(), pubrel(1), subscribe(5, 1, 0, "noema/#"), publish(5, "a", "b")]) {
    const client = await RawClient.open(server.address);
    client.send(Buffer.concat([early, hello]));
    expect(await client.rest()).toEqual([]);
  }
  const memory = name();
  const left = await RawClient.open(server.address);
  left.send(Buffer.concat([connect({ clientId: name() }), disconnect(), publish(5, topicOf(memory), "late", 1, 1)]));
  expect((await left.rest()).map(({ type }) => type)).toEqual([TYPE.connack]);
  expect(await memoryOf(memory)).toEqual([]);
  const texts = (await RawClient.connected(server.address, { clientId: name() })).client;
  texts.sendText("MQTT");
  expect((await texts.rest()).map(({ type, body }) => [type, body[0]])).toEqual([[TYPE.disconnect, 0x82]]);
});

test.concurrent("a client may send everything at once, before it has CONNACK", async () => {
  const [memory, filter] = [name(), name()];
  const client = await RawClient.open(server.address);
  client.send(
    Buffer.concat([
      connect({ clientId: name() }),
      subscribe(5, 1, 1, topicOf(filter, "observed")),
      publish(5, topicOf(memory), "early", 2, 1),
      pubrel(1),
      ping(),
    ]),
  );
  const types: number[] = [];
  while (types.at(-1) !== TYPE.pingresp) types.push((await client.next()).type);
  expect(types).toEqual([TYPE.connack, TYPE.suback, TYPE.pubrec, TYPE.pubcomp, TYPE.pingresp]);
  expect(await memoryOf(memory)).toEqual([["early"]]);
  client.drop();
});
