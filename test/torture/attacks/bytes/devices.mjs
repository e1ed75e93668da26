/**
 * Sends the MQTT endpoint what costs most to take in, to hold and to tell: packets of very many parts, clients without a key, messages that
 * make a processor work, and subscribers that do not read or are away.
 */

import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { constants, deflateRawSync } from "node:zlib";
import { WebSocket } from "ws";
import {
  connect,
  packet,
  ping,
  properties,
  publish,
  subscribe,
  text,
  two,
  variable,
} from "../../../support/mqtt/packets.mjs";
import { PROCESSOR } from "../../client.mjs";
import { slowness } from "../../waiting.mjs";
import { LIMIT_MS, WAIT_MS } from "./target.mjs";

const MEBIBYTE = 2 ** 20;
/** Almost as much as a packet may have. */
const PACKET = MEBIBYTE - 100;
const CONNECT = 0x10;
const PUBLISH = 0x30;
const SUBSCRIBE = 0x82;
const UNSUBSCRIBE = 0xa2;
const USER_PROPERTY = 38;
/** How long a session is kept whose client is away, in seconds. */
const KEPT_S = 65_535;

/** A message of QoS 0. @param {Buffer} [own] its properties */
const message = (topic, payload, own = Buffer.alloc(0)) =>
  packet(PUBLISH, text(topic), properties(own), Buffer.from(payload));

/** A SUBSCRIBE to filters. */
const hear = (...filters) => subscribe(5, 1, 1, ...filters);

/** A part, repeated until there are about `bytes` bytes. */
const filled = (part, bytes) => Buffer.concat(Array(Math.floor(bytes / part.length)).fill(part));

/** Opens a connection. What comes is counted, and not answered. */
async function open(server) {
  const socket = new WebSocket(`${server.address.replace(/^http/, "ws")}/mqtt`, "mqtt");
  const client = { socket, received: 0, isClosed: false };
  socket.on("error", () => {});
  socket.on("message", () => client.received++);
  socket.on("close", () => {
    client.isClosed = true;
  });
  await once(socket, "open");
  return client;
}

/** Waits until something holds or the connection is closed. */
async function until(client, holds) {
  for (const end = performance.now() + LIMIT_MS; !holds() && !client.isClosed && performance.now() < end; )
    await sleep(10);
}

async function connected(server, clientId, { isKept = false } = {}) {
  const client = await open(server);
  client.socket.send(connect({ clientId, isClean: !isKept, keepAlive: 0, expiry: isKept ? KEPT_S : 0 }));
  await until(client, () => client.received > 0);
  return client;
}

/** Opens many, a few at a time. */
async function many(count, make) {
  const clients = [];
  while (clients.length < count) {
    const next = Array.from({ length: Math.min(50, count - clients.length) }, (_, at) => make(clients.length + at));
    clients.push(...(await Promise.all(next)));
  }
  return clients;
}

const end = (clients) => {
  for (const { socket } of clients) socket.terminate();
};

const OBSERVE = `noema/${PROCESSOR}/observe`;
const filters = (bytes, part) => packet(SUBSCRIBE, two(1), properties(), filled(part, bytes));
const json = (open, part, close, bytes) =>
  open + part.repeat(Math.floor((bytes - open.length - close.length) / part.length) - 1) + close;
const numbered = (count, make) => `{${Array.from({ length: count }, (_, at) => make(at)).join(",")}}`;

/** Packets that cost much: their names and bytes. */
const PACKETS = [
  [
    "user properties",
    () => message(OBSERVE, "x", filled(Buffer.concat([Buffer.of(USER_PROPERTY), text(""), text("")]), PACKET)),
  ],
  ["filters that are none", () => filters(PACKET, Buffer.concat([text(""), Buffer.of(0)]))],
  ["filters of no one", () => hear(...Array.from({ length: 1000 }, (_, at) => `noema/unknown-${at}/#`))],
  ["filters of all", () => hear(...Array.from({ length: 90 }, (_, at) => `noema/+/sessions/s-${at}/#`))],
  ["no filters", () => packet(UNSUBSCRIBE, two(1), properties(), filled(text("a"), PACKET))],
  ["a filter of many levels", () => hear("/".repeat(65_000), `noema/${"%41".repeat(21_000)}/#`)],
  ["pings", () => filled(ping(), PACKET)],
  ["numbers", () => message(OBSERVE, json('{"numbers":[', '{"a":1},', '{"a":1}]}', PACKET))],
  ["symbols", () => message(OBSERVE, json('{"strings":[', '"a",', '"a"]}', PACKET))],
  ["records", () => message(OBSERVE, json("[", "{},", "{}]", PACKET))],
  [
    "records of many symbols",
    () =>
      message(
        OBSERVE,
        `[${Array(1000)
          .fill(`{"strings":[${Array(250).fill('"a"').join(",")}]}`)
          .join(",")}]`,
      ),
  ],
  ["lists in lists", () => message(OBSERVE, "[".repeat(PACKET / 2))],
  [
    "members",
    () =>
      message(
        OBSERVE,
        numbered(90_000, (at) => `"m${at}":1`),
      ),
  ],
  ["emotives", () => message(OBSERVE, `{"emotives":${numbered(70_000, (at) => `"m${at}":1`)}}`)],
  ["a long text", () => message(OBSERVE, "x".repeat(PACKET - 100))],
  ["components", () => message(OBSERVE, json('{"vectors":[[', "1,", "1]]}", PACKET))],
  ["a topic of many levels", () => message("a/".repeat(32_000), "x")],
];

/** Sends packets one after another, four of each at once, and judges how long others wait for each. */
async function packets(target) {
  const { server, others } = target;
  for (const [name, make] of PACKETS) {
    const bytes = make();
    const client = await connected(server, "attacker");
    const slow = slowness();
    await sleep(100);
    others.longest();
    const used = server.processorMs();
    for (let at = 0; at < 4; at++) client.socket.send(bytes);
    client.socket.send(ping());
    const before = client.received;
    await until(client, () => client.received > before);
    await sleep(200);
    const { clock, counts } = others.longest();
    const times = `${clock.toFixed(0)}, ${(server.processorMs() - used).toFixed(0)}`;
    target.figure(`${name}: others wait at most (ms), processor time (ms), closed`, `${times}, ${client.isClosed}`);
    target.expect(counts <= WAIT_MS * slow, `${name}: others wait`, `${counts} ms, of ${WAIT_MS * slow}`);
    end([client]);
  }
}

/** Clients without a key: packets that never end, messages that never end, and CONNECTs of many parts. A client with a key stays. */
async function strangers(target) {
  const { server, sizes } = target;
  const client = await connected(server, "known");
  const opened = await many(sizes.clients, () => open(server));
  for (const { socket } of opened)
    socket.send(Buffer.concat([Buffer.of(CONNECT), variable(65_000), Buffer.alloc(64_000)]));
  for (const { socket } of opened) socket.send(Buffer.alloc(MEBIBYTE, 0x10), { fin: false });
  const odd = await many(20, () => open(server));
  for (const { socket } of odd)
    socket.send(connect({ clientId: "odd", key: "none", own: filled(Buffer.of(USER_PROPERTY, 0, 0, 0, 0), 60_000) }));
  await sleep(sizes.watch * 1000);
  target.expect(!client.isClosed, "a client with a key lost its connection");
  target.figure("strangers that are still connected", opened.filter(({ isClosed }) => !isClosed).length);
  end([client, ...opened, ...odd]);
}

/** A message of a WebSocket that says it is compressed: small as it is sent, and 31 MiB of zeros when it is unpacked. */
function packedMessage() {
  const packed = deflateRawSync(Buffer.alloc(31 * MEBIBYTE), { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
  const head = Buffer.alloc(14);
  head.writeUInt16BE(0xc2ff);
  head.writeUInt32BE(packed.length, 6);
  return Buffer.concat([head, packed]);
}

/** Clients without a key that send one each. */
async function compressed(target) {
  const { server, sizes } = target;
  const message = packedMessage();
  const opened = await many(sizes.clients, () => open(server));
  for (const { socket } of opened) socket._socket.write(message);
  await Promise.all(opened.map((client) => until(client, () => false)));
  target.figure("bytes of a message", message.length);
  end(opened);
}

/** Messages that make the processor work, as many as may be under way, while their sender hears how unexpected each was. */
async function work(target) {
  const { server, sizes } = target;
  const client = await connected(server, "worker");
  client.socket.send(hear(`noema/${PROCESSOR}/surprise`, `noema/${PROCESSOR}/forecast`));
  let id = 0;
  const stop = performance.now() + sizes.watch * 1000;
  while (performance.now() < stop && !client.isClosed) {
    const before = client.received;
    const batch = Array.from({ length: 200 }, () => publish(5, OBSERVE, '{"strings":["a"]}', 1, (id++ % 60_000) + 1));
    client.socket.send(Buffer.concat(batch));
    await until(client, () => client.received >= before + 200);
  }
  target.figure("messages of the attacker a second", id / sizes.watch);
  target.expect(!client.isClosed, "the connection was closed");
  end([client]);
}

/** Makes the surprise of each record expensive. */
async function prepare(target) {
  await target.succeed("POST", "genes/change", { data: { max_sequence_length: 3000 } });
  await target.succeed("PUT", "add-model", { sequence: [Array(3000).fill("a"), ["b"]] });
  await target.succeed("POST", "predicting/stop");
  await target.succeed("POST", "sequence-observe", { data: { sequence: Array(3000).fill({ strings: ["a"] }) } });
  await target.succeed("POST", "predicting/start");
}

/** Kept sessions with as many subscriptions as they may have, whose clients are away or do not read, and events for all of them. */
async function listeners(target) {
  const { server, sizes, others } = target;
  const waited = (when) => {
    const { clock, counts } = others.longest();
    target.figure(`others wait at most (ms; as it counts) ${when}`, `${clock.toFixed(0)}, ${counts.toFixed(0)}`);
  };
  const clients = await many(sizes.clients, (at) => connected(server, `listener-${at}`, { isKept: true }));
  waited("while they connect");
  const unknown = Array.from({ length: 90 }, (_, at) => `noema/+/sessions/unknown-${at}/observed`);
  for (const { socket } of clients) socket.send(hear("noema/#", ...unknown));
  await Promise.all(clients.map((client) => until(client, () => client.received > 1)));
  waited("while they subscribe");
  end(clients.slice(0, clients.length / 2));
  for (const { socket } of clients.slice(clients.length / 2)) socket.pause();
  const symbol = "x".repeat(sizes.symbol);
  for (let at = 0; at < sizes.events; at++) {
    await target.call("POST", "observe", { data: { strings: [symbol + at] } });
    if (at % 20 === 0) await target.call("POST", "working-memory/clear");
  }
  await sleep(1000);
  waited("while they are told");
  const back = await connected(server, "listener-0", { isKept: true });
  await until(back, () => back.received > 2);
  target.expect(back.received > 2, "a session that was kept hears nothing");
  end([back, ...clients]);
}

/** The attacks of this file. */
export const devices = [
  { name: "mqtt-packets", attack: packets },
  { name: "mqtt-strangers", attack: strangers },
  { name: "mqtt-compressed", attack: compressed },
  { name: "mqtt-work", prepare, attack: work, withSession: true },
  { name: "mqtt-listeners", attack: listeners },
];
