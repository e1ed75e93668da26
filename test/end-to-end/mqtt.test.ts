/** MQTT clients at `npm start`: publishing, hearing, keys, wills, and packets that are none. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { openMqttGate } from "../../src/serve/mqtt-gate.mjs";
import { serve } from "../../src/serve/serve.mjs";
import { connect, packet, publish, TYPE, text, two } from "../support/mqtt/packets.mjs";
import { RawClient, type Received } from "../support/mqtt/raw-client";
import { floodBesideHealth } from "../support/server/flood";
import { exchange } from "../support/server/http-exchange";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const ID = PROCESSOR.slice(1);

let server: Server;

beforeAll(async () => {
  server = await Server.start(undefined, { MQTT_PORT: "0" });
}, 300_000);

afterAll(() => server?.discard());

const session = () => `s-${crypto.randomUUID()}`;

const mqttAddress = () => `${server.address.replace("http", "ws")}/mqtt`;

const options = (others: IClientOptions): IClientOptions => ({
  protocolVersion: 5,
  username: "device",
  password: "ABCD-1234",
  reconnectPeriod: 0,
  ...others,
});

async function client(others: IClientOptions = {}): Promise<MqttClient> {
  const connected = await mqtt.connectAsync(mqttAddress(), options(others));
  onTestFinished(async () => {
    await connected.endAsync(true);
  });
  return connected;
}

/** What a client hears, in order. */
function heardBy(listener: MqttClient) {
  const heard: { topic: string; text: string; qos: number; retain: boolean }[] = [];
  let wake = () => {};
  listener.on("message", (topic, payload, { qos, retain }) => {
    heard.push({ topic, text: payload.toString(), qos, retain });
    wake();
  });
  return async () => {
    for (;;) {
      const next = heard.shift();
      if (next !== undefined) return next;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

/** The codes with which SUBSCRIBE is refused. */
async function refusedBy(listener: MqttClient, filter: string): Promise<unknown> {
  const refusal = await listener.subscribeAsync(filter).catch((error) => error);
  return refusal.packet?.granted;
}

async function memoryOf(name: string): Promise<unknown> {
  return ask(server, `GET sessions/${name}/working-memory`);
}

test.each([
  4, 5,
] as const)("MQTT.js with protocol level %d publishes with each QoS, and hears what happens", async (version) => {
  const name = session();
  const device = await client({ protocolVersion: version });
  const next = heardBy(device);
  const topics = ["observed", "learned"].map((event) => `noema/${ID}/sessions/${name}/${event}`);
  await device.subscribeAsync(topics, { qos: 1 });
  for (const qos of [0, 1, 2] as const) {
    await device.publishAsync(`noema/${ID}/sessions/${name}/observe`, JSON.stringify({ strings: [`q${qos}`] }), {
      qos,
    });
    const { topic, text: event } = await next();
    expect(topic).toBe(topics[0]);
    expect(JSON.parse(event)).toMatchObject({ event: "observed", session: name, symbols: [`q${qos}`] });
  }
  await device.publishAsync(`noema/${ID}/sessions/${name}/observe`, "21.5", { qos: 1 });
  expect(JSON.parse((await next()).text)).toMatchObject({ symbols: ["21.5"] });
  const list = JSON.stringify([{ strings: ["b", "a"] }, { strings: ["c"] }]);
  await device.publishAsync(`noema/${ID}/sessions/${name}/observe`, list, { qos: 2, retain: true });
  expect(JSON.parse((await next()).text)).toMatchObject({ symbols: ["a", "b"] });
  expect(JSON.parse((await next()).text)).toMatchObject({ symbols: ["c"] });
  expect(await memoryOf(name)).toEqual([["q0"], ["q1"], ["q2"], ["21.5"], ["a", "b"], ["c"]]);
  await device.publishAsync(`noema/${ID}/sessions/${name}/learn`, "", { qos: 2 });
  expect(JSON.parse((await next()).text)).toMatchObject({ event: "learned", session: name });
  await device.publishAsync(`noema/${ID}/sessions/${name}/observe`, "again", { qos: 1 });
  await device.publishAsync(`noema/${ID}/sessions/${name}/clear`, "", { qos: 1 });
  expect(await memoryOf(name)).toEqual([]);
});

test("the latest forecast and the newest open incident are retained, by wildcards too", async () => {
  const name = session();
  await ask(server, `POST sessions/${name}/observe`, { data: { strings: ["x"] } });
  const listener = await client({ protocolVersion: 5 });
  const next = heardBy(listener);
  await listener.subscribeAsync(`noema/+/sessions/${name}/#`, { qos: 2, rap: true });
  const forecast = await next();
  expect(forecast).toMatchObject({ topic: `noema/${ID}/sessions/${name}/forecast`, retain: true, qos: 2 });
  expect(JSON.parse(forecast.text)).toMatchObject({ event: "forecast", session: name, interval: 1 });
  expect(await next()).toEqual({ topic: `noema/${ID}/sessions/${name}/incident`, text: "", retain: true, qos: 2 });
  await ask(server, `POST sessions/${name}/observe`, { data: { strings: ["y"] } });
  const events = [await next(), await next(), await next()].map((each) => JSON.parse(each.text).event);
  expect(events.sort()).toEqual(["forecast", "observed", "surprise"]);
});

test("what is refused has no effect, and says why to version 5", async () => {
  const name = session();
  const device = await client({ protocolVersion: 5 });
  const refusals = [
    ["devices/7", "1", 0x90],
    [`noema/${ID}/observed`, "1", 0x90],
    ["noema/nobody/observe", "1", 0x90],
    [`noema/${ID}/sessions/%zz/observe`, "1", 0x90],
    [`noema/${ID}/sessions/${name}/observe`, "{", 0x99],
    [`noema/${ID}/sessions/${name}/observe`, '{"sting": ["a"]}', 0x99],
    [`noema/${ID}/sessions/${name}/observe`, '{"numbers": {"celsius": 1}}', 0x99],
    [`noema/${ID}/sessions/${name}/observe`, JSON.stringify(Array(1001).fill({ strings: ["a"] })), 0x97],
  ] as const;
  for (const [topic, payload, code] of refusals) {
    for (const qos of [1, 2] as const) {
      await expect(device.publishAsync(topic, payload, { qos }), `${topic} ${qos}`).rejects.toMatchObject({ code });
    }
  }
  const older = await client({ protocolVersion: 4 });
  for (const [topic, payload] of refusals)
    for (const qos of [1, 2] as const) await older.publishAsync(topic, payload, { qos });
  expect(await memoryOf(name)).toEqual([]);
  expect(await refusedBy(device, "$share/g/noema/#")).toEqual([0x9e]);
  expect(await refusedBy(device, "other/#")).toEqual([0x8f]);
});

/** The reason for which the client of a removed key was disconnected: it takes up to 30 s, while other tests run. */
let expelled: Promise<unknown>;

/** An issued key. */
async function keyWith(rights: object): Promise<{ id: string; key: string }> {
  const { json } = await server.call("POST /keys", { data: { name: "test", ...rights } });
  return (json as { message: { id: string; key: string } }).message;
}

test("keys do what their rights say, and no more once they are removed", async () => {
  const name = session();
  const observing = await keyWith({ roles: ["observe"], sessions: [name] });
  const device = await mqtt.connectAsync(mqttAddress(), options({ password: observing.key, clientId: "same" }));
  await device.publishAsync(`noema/${ID}/sessions/${name}/observe`, "a", { qos: 1 });
  for (const topic of [`noema/${ID}/observe`, `noema/${ID}/sessions/${name}/learn`]) {
    await expect(device.publishAsync(topic, "a", { qos: 1 })).rejects.toMatchObject({ code: 0x87 });
  }
  expect(await refusedBy(device, `noema/${ID}/sessions/${name}/observed`)).toEqual([0x87]);
  const reading = await keyWith({ roles: ["read"], sessions: [`${name}*`] });
  // Another key's client is another one, with the same identifier.
  const listener = await client({ protocolVersion: 5, password: reading.key, clientId: "same" });
  const next = heardBy(listener);
  await listener.subscribeAsync("noema/+/sessions/+/observed", { qos: 1 });
  await ask(server, "POST observe", { data: { strings: ["own"] } });
  await ask(server, `POST sessions/${session()}/observe`, { data: { strings: ["other"] } });
  await device.publishAsync(`noema/${ID}/sessions/${name}/observe`, "b", { qos: 1 });
  expect(JSON.parse((await next()).text)).toMatchObject({ symbols: ["b"], session: name });
  expelled = new Promise((resolve) => {
    device.once("disconnect", ({ reasonCode }) => resolve(reasonCode));
  });
  await server.call(`DELETE /keys/${observing.id}`);
  await expect(client({ protocolVersion: 4, password: "wrong" })).rejects.toMatchObject({ code: 4 });
});

test("a will is published when its client is lost, and not when it says goodbye", async () => {
  const name = session();
  const listener = await client({ protocolVersion: 5 });
  const next = heardBy(listener);
  await listener.subscribeAsync(`noema/${ID}/sessions/${name}/observed`, { qos: 1 });
  const will = (payload: string) => ({
    will: {
      topic: `noema/${ID}/sessions/${name}/observe`,
      payload: Buffer.from(payload),
      qos: 1 as const,
      retain: false,
    },
  });
  await (await client({ protocolVersion: 4, ...will("never") })).endAsync();
  (await client({ protocolVersion: 5, ...will("lost") })).stream.destroy();
  expect(JSON.parse((await next()).text)).toMatchObject({ symbols: ["lost"] });
  const silent = connect({ clientId: "silent", keepAlive: 1 });
  const { client: quiet } = { client: await RawClient.open(server.address) };
  quiet.send(silent);
  const all = await quiet.rest();
  expect(all.map(({ type }) => type)).toEqual([TYPE.connack, TYPE.disconnect]);
  expect(all[1]?.body[0]).toBe(0x8d);
  const older = await client({ protocolVersion: 5, clientId: "twin", ...will("taken over") });
  const reason = new Promise((resolve) => {
    older.once("disconnect", (said) => resolve(said.reasonCode));
  });
  await client({ protocolVersion: 5, clientId: "twin" });
  expect(await reason).toBe(0x8e);
  expect(JSON.parse((await next()).text)).toMatchObject({ symbols: ["taken over"] });
});

/** A CONNECT of version 5 whose flags, keep alive, properties and rest are given. */
const hello = (flags: number, ...rest: (Buffer | number[])[]) =>
  packet(0x10, text("MQTT"), [5, flags], two(60), ...rest);

const PUB = (first: number, ...rest: (Buffer | number[])[]) => packet(first, text(`noema/${ID}/observe`), ...rest);

/** What comes instead of CONNECT, and the reason code of CONNACK; `undefined` where the connection ends without one. */
const WRONG_CONNECTS: readonly (readonly [what: string, bytes: Buffer, code?: number])[] = [
  ["PINGREQ", packet(0xc0)],
  ["reserved flags", packet(0x11, text("MQTT"), [5, 2], two(60), [0], text("a"))],
  ["another protocol", packet(0x10, text("HTTP"), [5, 2], two(60), [0], text("a")), 0x84],
  ["MQTT 3.1", packet(0x10, text("MQIsdp"), [3, 2], two(60), text("a")), 0x01],
  ["version 6", packet(0x10, text("MQTT"), [6, 2], two(60), [0], text("a")), 0x84],
  ["the reserved flag", hello(0x03, [0], text("a")), 0x81],
  ["QoS 3 of the will", hello(0x1e, [0], text("a"), [0], text("t"), text("p")), 0x81],
  ["QoS without a will", hello(0x0a, [0], text("a")), 0x81],
  ["cut short", hello(0x02, [0], [0, 9, 97]), 0x81],
  ["bytes too many", hello(0x02, [0], text("a"), [1]), 0x81],
  ["no UTF-8", hello(0x02, [0], text(Buffer.from([0xff]))), 0x81],
  ["U+0000", hello(0x02, [0], text("a\0b")), 0x81],
  ["a surrogate", hello(0x02, [0], text(Buffer.from([0xed, 0xa0, 0x80]))), 0x81],
  ["an unknown property", hello(0x02, [2, 0x7f, 0], text("a")), 0x81],
  ["a property of another packet", hello(0x02, [3, 0x23, 0, 1], text("a")), 0x81],
  ["a property twice", hello(0x02, [6, 0x21, 0, 1, 0x21, 0, 1], text("a")), 0x82],
  ["receive maximum 0", hello(0x02, [3, 0x21, 0, 0], text("a")), 0x82],
  ["authentication data alone", hello(0x02, [4, 0x16, 0, 1, 1], text("a")), 0x82],
  ["enhanced authentication", hello(0x02, [8, 0x15, ...text("SCRAM")], text("a")), 0x8c],
  ["no password", hello(0x02, [0], text("a")), 0x87],
  ["a wrong password", hello(0xc2, [0], text("a"), text("u"), text("wrong")), 0x86],
  ["a password that is no text", hello(0xc2, [0], text("a"), text("u"), text(Buffer.of(0xff))), 0x86],
  ["a long identifier", hello(0xc2, [0], text("a".repeat(300)), text("u"), text("ABCD-1234")), 0x85],
  ["a length without end", Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 1])],
  ["too long", Buffer.from([0x10, 0x80, 0x80, 0x08])],
];

test("what is no CONNECT ends the connection, and says why where it can", async () => {
  for (const [what, bytes, code] of WRONG_CONNECTS) {
    const raw = await RawClient.open(server.address);
    raw.send(bytes);
    const all = await raw.rest();
    expect(
      all.map(({ type, body }) => [type, body[1]]),
      what,
    ).toEqual(code === undefined ? [] : [[TYPE.connack, code]]);
  }
});

/** What comes after CONNECT, and the reason code of DISCONNECT. */
const WRONG_PACKETS: readonly (readonly [what: string, bytes: Buffer, code: number])[] = [
  ["a second CONNECT", connect(), 0x82],
  ["CONNACK", packet(0x20, [0, 0, 0]), 0x82],
  ["type 0", packet(0x00), 0x81],
  ["AUTH", packet(0xf0, [0x18, 0]), 0x82],
  ["QoS 3", PUB(0x36, two(1), [0]), 0x81],
  ["DUP with QoS 0", PUB(0x38, [0]), 0x81],
  ["packet identifier 0", PUB(0x32, two(0), [0]), 0x82],
  ["a topic with +", packet(0x30, text("noema/+/observe"), [0]), 0x90],
  ["no topic", packet(0x30, text(""), [0]), 0x82],
  ["alias 0", packet(0x30, text(""), [3, 0x23, 0, 0]), 0x94],
  ["alias 33", PUB(0x30, [3, 0x23, 0, 33]), 0x94],
  ["an alias that was never set", packet(0x30, text(""), [3, 0x23, 0, 1]), 0x82],
  ["a subscription identifier", PUB(0x30, [2, 0x0b, 1]), 0x82],
  ["a payload that is no text", PUB(0x30, [2, 0x01, 1], [0xff]), 0x99],
  ["payload format 2", PUB(0x30, [2, 0x01, 2]), 0x82],
  ["properties cut short", PUB(0x30, [9, 0x23]), 0x81],
  ["a length of properties in too many bytes", PUB(0x30, [0x80, 0x00]), 0x81],
  ["flags of PUBREL", packet(0x60, two(1)), 0x81],
  ["a reason code of PUBACK", packet(0x40, two(1), [0x55, 0]), 0x81],
  ["SUBSCRIBE without a filter", packet(0x82, two(1), [0]), 0x82],
  ["flags of SUBSCRIBE", packet(0x80, two(1), [0], text("noema/#"), [0]), 0x81],
  ["QoS 3 of a subscription", packet(0x82, two(1), [0], text("noema/#"), [3]), 0x82],
  ["reserved options", packet(0x82, two(1), [0], text("noema/#"), [0x40]), 0x81],
  ["retain handling 3", packet(0x82, two(1), [0], text("noema/#"), [0x30]), 0x82],
  ["a shared subscription with No Local", packet(0x82, two(1), [0], text("$share/a/noema/#"), [4]), 0x82],
  ["subscription identifier 0", packet(0x82, two(1), [2, 0x0b, 0], text("noema/#"), [0]), 0x82],
  ["UNSUBSCRIBE without a filter", packet(0xa2, two(1), [0]), 0x82],
  ["PINGREQ with a body", packet(0xc0, [1]), 0x81],
  ["a reason code of DISCONNECT", packet(0xe0, [0x01]), 0x81],
  ["an expiry where none was", packet(0xe0, [0, 5, 0x11, 0, 0, 0, 9]), 0x82],
  ["more than 1 MiB", Buffer.from([0x30, 0x80, 0x80, 0x80, 0x01]), 0x95],
  [
    "more under way than may be",
    Buffer.concat(
      Array.from({ length: 257 }, (_, at) => publish(5, `noema/${ID}/sessions/flood/observe`, "a", 2, at + 1)),
    ),
    0x93,
  ],
];

test("packets that are none end only their own connection, with the reason code of MQTT 5", async () => {
  const { client: other } = await RawClient.connected(server.address, { clientId: "other" });
  for (const [what, bytes, code] of WRONG_PACKETS) {
    const { client: raw } = await RawClient.connected(server.address, { clientId: "wrong" });
    raw.send(bytes);
    const last = (await raw.rest()).at(-1);
    expect([last?.type, last?.body[0]], what).toEqual([TYPE.disconnect, code]);
  }
  const said: Received[] = [];
  const { client: older } = await RawClient.connected(server.address, { clientId: "older", version: 4 });
  older.send(packet(0x36, text("a"), two(1)));
  said.push(...(await older.rest()));
  expect(said).toEqual([]);
  const { client: typing } = await RawClient.connected(server.address, { clientId: "typing" });
  typing.sendText("hello");
  expect((await typing.rest()).at(-1)?.body[0]).toBe(0x82);
  other.send(packet(0xc0));
  expect((await other.next()).type).toBe(TYPE.pingresp);
  other.drop();
});

test("packets may be split over WebSocket frames, and share them", async () => {
  const raw = await RawClient.open(server.address);
  const name = session();
  const topic = `noema/${ID}/sessions/${name}/observe`;
  const all = Buffer.concat([
    connect({ clientId: "split" }),
    publish(5, topic, "a", 1, 1),
    packet(0x32, text(topic), two(2), [3, 0x23, 0, 7], Buffer.from("b")),
    packet(0x32, text(""), two(3), [3, 0x23, 0, 7], Buffer.from("c")),
    packet(0xc0),
    packet(0xe0),
  ]);
  for (let at = 0; at < all.length; at += 7) raw.send(all.subarray(at, at + 7));
  const types = (await raw.rest()).map(({ type }) => type);
  expect(types).toEqual([TYPE.connack, TYPE.puback, TYPE.puback, TYPE.puback, TYPE.pingresp]);
  expect(await memoryOf(name)).toEqual([["a"], ["b"], ["c"]]);
});

test.each(["HEAD", "OPTIONS", "POST"])("%s of the endpoint is refused, and the methods are named", async (method) => {
  const { status, headers } = await exchange(server.address, { method, path: "/mqtt" });
  expect([status, headers.allow]).toEqual([405, "GET"]);
});

test("the upgrade needs a WebSocket, the subprotocol mqtt, and a page that may call", async () => {
  const answer = async (headers: Record<string, string>) =>
    (await exchange(server.address, { method: "GET", path: "/mqtt", headers })).status;
  const upgrade = {
    connection: "upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
  };
  expect(await answer({})).toBe(426);
  expect(await answer({ ...upgrade, "sec-websocket-protocol": "noema.v1" })).toBe(400);
  expect(await answer({ ...upgrade, "sec-websocket-protocol": "mqtt", origin: "https://evil.example" })).toBe(403);
});

test("a route takes what devices publish, from the moment that it is put", async () => {
  const name = session();
  const device = await client();
  const topic = `plant/${name}/state`;
  await expect(device.publishAsync(topic, '{"door": "open"}', { qos: 1 })).rejects.toMatchObject({ code: 0x90 });
  await server.okay(`PUT /mqtt/routes/${name}`, {
    data: { topic: `plant/${name}/+`, processor: ID, session: "{2}", strings: ["door"] },
  });
  await device.publishAsync(topic, '{"door": "open", "signal": 60}', { qos: 2 });
  await expect(device.publishAsync(topic, '{"door": ["open"]}', { qos: 1 })).rejects.toMatchObject({ code: 0x99 });
  expect(await memoryOf(name)).toEqual([["door=open"]]);
  // The connection has used the route, and a changed one counts at once nevertheless.
  const changed = { topic: `plant/${name}/+`, processor: ID, session: "{2}", strings: ["light"] };
  await server.okay(`PUT /mqtt/routes/${name}`, { data: changed });
  await device.publishAsync(topic, '{"door": "shut", "light": "on"}', { qos: 1 });
  expect(await memoryOf(name)).toEqual([["door=open"], ["light=on"]]);
  const reading = await keyWith({ roles: ["read"] });
  const reader = await client({ password: reading.key });
  await expect(reader.publishAsync(topic, '{"door": "open"}', { qos: 1 })).rejects.toMatchObject({ code: 0x87 });
  await server.okay(`DELETE /mqtt/routes/${name}`);
  await expect(device.publishAsync(topic, '{"light": "off"}', { qos: 1 })).rejects.toMatchObject({ code: 0x90 });
});

/** Where the server takes MQTT over TCP. */
const tcp = () => /^MQTT: (mqtt:\/\/\S+)$/m.exec(server.greeting)?.[1] ?? "";

test("over TCP, and over TLS, any piece of bytes comes through", async () => {
  const name = session();
  const topic = `noema/${ID}/sessions/${name}/observe`;
  const folder = mkdtempSync(join(tmpdir(), "noema-mqtt-"));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  execFileSync(
    "openssl",
    [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost".split(" "),
      ...["-keyout", key, "-out", cert],
    ],
    { stdio: "ignore" },
  );
  const gate = await openMqttGate({ host: "127.0.0.1", port: 0, cert, key }, () => server.address);
  const warnings: string[] = [];
  const warn = ({ name }: Error) => warnings.push(name);
  process.on("warning", warn);
  onTestFinished(() => {
    process.off("warning", warn);
    gate.close();
    rmSync(folder, { recursive: true });
  });
  for (const address of [tcp(), gate.address]) {
    const device = await mqtt.connectAsync(address, options({ rejectUnauthorized: false }));
    const large = JSON.stringify({ strings: ["a"], metadata: { note: "x".repeat(200_000) } });
    await device.publishAsync(topic, large, { qos: 1 });
    await Promise.all(Array.from({ length: 50 }, (_, at) => device.publishAsync(topic, `b${at}`, { qos: 2 })));
    await device.endAsync();
  }
  expect(await ask(server, `GET sessions/${name}/time`)).toBe("102");
  expect(warnings).not.toContain("MaxListenersExceededWarning");
  await expect(openMqttGate({ host: "127.0.0.1", port: 0, cert: "/nowhere", key }, () => "")).rejects.toThrow(
    "MQTT_TLS_CERT",
  );
});

test("the port of MQTT is taken before anything is served, and its connections are closed until then", async () => {
  const gate = await openMqttGate({ host: "127.0.0.1", port: 0, cert: undefined, key: undefined }, () => undefined);
  onTestFinished(() => gate.close());
  const { port } = new URL(gate.address);
  await once(createConnection(Number(port), "127.0.0.1"), "close");
  const home = mkdtempSync(join(tmpdir(), "noema-mqtt-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const server = { env: { PORT: "0", MQTT_PORT: port }, home, bundle: join(home, "none") };
  await expect(serve(server, new AbortController().signal)).rejects.toThrow(
    `Cannot listen for MQTT on 127.0.0.1:${port} (EADDRINUSE)`,
  );
});

/** The first of some commands that can be run here and, where it is a check, succeeds. */
function firstOf(what: string, commands: readonly (readonly string[])[], isCheck: boolean): string | undefined {
  const works = ([program = "", ...args]: readonly string[]) => {
    const { error, status } = spawnSync(program, args);
    return error === undefined && (!isCheck || status === 0);
  };
  const found = commands.find(works)?.[0];
  if (found === undefined) process.stderr.write(`left out: ${what} is not installed (apt-get install ${what})\n`);
  return found;
}

const MOSQUITTO = firstOf("mosquitto-clients", [["mosquitto_pub", "--help"]], false);
const PYTHON = firstOf(
  "python3-paho-mqtt",
  ["python3", "/usr/bin/python3"].map((program) => [program, "-c", "import paho.mqtt.client"]),
  true,
);

test.skipIf(MOSQUITTO === undefined)("mosquitto_pub publishes with each QoS", async () => {
  const name = session();
  const { port } = new URL(tcp());
  for (const version of ["mqttv311", "mqttv5"]) {
    for (const qos of ["0", "1", "2"]) {
      const who = ["-p", port, "-u", "device", "-P", "ABCD-1234", "-V", version, "-q", qos];
      execFileSync("mosquitto_pub", [...who, "-t", `noema/${ID}/sessions/${name}/observe`, "-m", `${version} ${qos}`]);
    }
  }
  const observed = ["mqttv311", "mqttv5"].flatMap((version) => ["0", "1", "2"].map((qos) => [`${version} ${qos}`]));
  await expect.poll(() => memoryOf(name)).toEqual(observed);
});

test.skipIf(MOSQUITTO === undefined)(
  "mosquitto_sub hears what is observed",
  async () => {
    const name = session();
    const who = ["-p", new URL(tcp()).port, "-u", "screen", "-P", "ABCD-1234"];
    // It writes to a pipe only when it ends: after one message.
    const listener = spawn("mosquitto_sub", [...who, "-t", `noema/+/sessions/${name}/observed`, "-C", "1", "-W", "30"]);
    let heard = "";
    listener.stdout.on("data", (piece) => {
      heard += piece;
    });
    const ended = once(listener, "close");
    // When it has subscribed is not told.
    const observing = setInterval(() => {
      server.call(`POST /P1/sessions/${name}/observe`, { data: { strings: ["a"] } }).catch(() => {});
    }, 200);
    await ended;
    clearInterval(observing);
    expect(JSON.parse(heard)).toMatchObject({ event: "observed", session: name, symbols: ["a"] });
  },
  60_000,
);

/** A line of docs/mqtt.md as it would be typed, with the port at which this server takes MQTT. */
function lineOf(program: string): string {
  const line = readFileSync("docs/mqtt.md", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${program} `));
  if (line === undefined) throw new Error(`docs/mqtt.md has no line that begins with ${program}`);
  expect(line).toContain(" -p 1883 ");
  return line.replace(" -p 1883 ", ` -p ${new URL(tcp()).port} `);
}

test.skipIf(MOSQUITTO === undefined)("the commands of docs/mqtt.md do what it says", async () => {
  // mosquitto_sub writes to a pipe only when it ends: after one message.
  const listener = spawn("sh", ["-c", `exec ${lineOf("mosquitto_sub")} -C 1 -W 50`]);
  let heard = "";
  listener.stdout.on("data", (piece) => {
    heard += piece;
  });
  const ended = once(listener, "close");
  await vi.waitFor(
    () => {
      execFileSync("sh", ["-c", lineOf("mosquitto_pub")]);
      expect(listener.exitCode).toBe(0);
    },
    { timeout: 50_000, interval: 200 },
  );
  await ended;
  const said = heard.split("\n").map((each) => each && JSON.parse(each));
  expect(said).toContainEqual(expect.objectContaining({ event: "observed", session: "press-7", symbols: ["running"] }));
  const page = readFileSync("docs/mqtt.md", "utf8");
  const put = /^curl -X PUT .*\\\n.*$/m.exec(page)?.[0] ?? "";
  const env = { ...process.env, KEY: "ABCD-1234", SERVER: server.address };
  const answer = execFileSync("sh", ["-c", `${put.replace("curl ", "curl -s -f ")}`], { env }).toString();
  expect(JSON.parse(answer)).toMatchObject({ status: "okay" });
  const device = await client();
  const reading = device.publishAsync("zigbee2mqtt/kitchen", '{"occupancy": true, "temperature": 21.5}', { qos: 1 });
  // The route takes it; the default processor has no encoder for temperatures.
  await expect(reading).rejects.toMatchObject({ code: 0x99 });
});

const PAHO = `
import sys, paho.mqtt.client as mqtt
def made(**more):
    try: return mqtt.Client(mqtt.CallbackAPIVersion.VERSION1, **more)
    except AttributeError: return mqtt.Client(**more)
client = made(client_id="paho", protocol=mqtt.MQTTv311, clean_session=False)
client.username_pw_set("device", "ABCD-1234")
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_start()
for qos in (0, 1, 2):
    client.publish(sys.argv[2], "q%d" % qos, qos).wait_for_publish()
client.disconnect()
client.loop_stop()
`;

test.skipIf(PYTHON === undefined)("paho publishes with each QoS", async () => {
  const name = session();
  execFileSync(PYTHON ?? "", ["-c", PAHO, new URL(tcp()).port, `noema/${ID}/sessions/${name}/observe`], {
    timeout: 30_000,
  });
  expect(await memoryOf(name)).toEqual([["q0"], ["q1"], ["q2"]]);
});

test("clients that always have messages under way make no other request wait until they end", async () => {
  const MOST = 4_000;
  const devices = await Promise.all([client(), client()]);
  const topic = `noema/${ID}/sessions/${session()}/observe`;
  let [sent, acknowledged, isAnswered] = [0, 0, false];
  const publishing = devices.map(async (device) => {
    const worker = async () => {
      for (; sent < MOST && !isAnswered; acknowledged++) {
        sent++;
        await device.publishAsync(topic, "on", { qos: 1 });
      }
    };
    await Promise.all(Array.from({ length: 64 }, worker));
  });
  await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(200), { timeout: 60_000 });
  await ask(server, "GET time");
  isAnswered = true;
  await Promise.all(publishing);
  expect(sent).toBeLessThan(MOST);
});

test("the connection of a key ends within 30 s after the key was removed", async () => {
  expect(await expelled).toBe(0x87);
}, 60_000);

test("others are answered while clients fill their connections with tiny packets", async () => {
  const FRAMES = 200_000;
  // PINGREQ in a masked binary frame, whose answer is PINGRESP in a frame of four bytes.
  const flood = Buffer.alloc(FRAMES * 8, Buffer.of(0x82, 0x82, 0, 0, 0, 0, 0xc0, 0));
  const sockets: WebSocket[] = [];
  for (const clientId of ["flood-0", "flood-1", "flood-2"]) {
    const socket = new WebSocket(mqttAddress(), "mqtt");
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    socket.send(connect({ clientId, keepAlive: 0 }));
    await once(socket, "message");
    sockets.push(socket);
  }
  const answersIn = (bytes: Buffer) => bytes.length / 4;
  const { healthMs, allMs } = await floodBesideHealth(server.address, sockets, flood, answersIn, FRAMES);
  expect(healthMs).toBeLessThan(allMs / 2);
});
