/**
 * Benchmark of MQTT beside streams: publish to PUBACK at QoS 1 beside a frame, with one and with 64 under way, into the same kind of
 * memory; what idle clients take beside idle streams; and what it costs to answer a PINGREQ. Fails if a record is lost or doubled.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../../scripts/project.mjs";
import { call } from "./client.mjs";
import { MqttConnection } from "./mqtt-connection.mjs";
import { cpuMs, openFiles, residentMegabytes } from "./process-usage.mjs";
import { serveNoema } from "./served.mjs";
import { StreamConnection } from "./stream-connection.mjs";
import { median, percentile, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const ROUNDS = 5;
const CLIENTS = 1_000;
/** The short form sends a tenth of the records. */
const SHORT = { models: 100, rounds: 1, clients: 20, part: 10, isShort: true };
/** Symbols of one record. A memory holds two records. */
const EVENT_SYMBOLS = 5;
const MEMORY_SYMBOLS = 10;
const RECORDS = 64;
/** The ways to send records, one in each message, and how many a round sends. Each has a memory of its own. */
const WAYS = [
  { name: "stream, 1 under way", count: 320, underWay: 1 },
  { name: "QoS 1, 1 under way", count: 320, underWay: 1, mqtt: "clean" },
  { name: "QoS 1 of a kept session, 1 under way", count: 320, underWay: 1, mqtt: "kept" },
  { name: "stream, 64 under way", count: 3_200, underWay: 64 },
  { name: "QoS 1, 64 under way", count: 3_200, underWay: 64, mqtt: "clean" },
  { name: "QoS 1 of a kept session, 64 under way", count: 3_200, underWay: 64, mqtt: "kept" },
];
/** How many connections are opened at a time. */
const AT_ONCE = 16;
/** An object sleeps after 10 s without a message. */
const SLEEP_MS = 14_000;
/** How many times each client asks while the endpoint is awake. */
const PINGS = 20;
/** How many wakes from sleep are measured. */
const WAKES = 3;

/** The records as JSON text. */
function records({ Generator, A, symbolName }) {
  const generator = new Generator({ ...A, memory: EVENT_SYMBOLS }, SEED + 1);
  return Array.from({ length: RECORDS }, () =>
    JSON.stringify({ strings: Array.from(generator.memory(), symbolName), vectors: [], emotives: {}, metadata: {} }),
  );
}

/** Where a way's records go. */
const memoryOf = (at) => `way-${at}`;

/** Opens what a way sends with. @returns sends records and says how long each took */
async function senderOf(server, way, at) {
  if (way.mqtt === undefined) {
    const stream = await StreamConnection.open(
      server.address,
      `/${PROCESSOR}/sessions/${memoryOf(at)}/stream?source=bench`,
    );
    return {
      send: (texts) =>
        stream.send(
          texts.map((each) => `"observe":${each},"brief":true`),
          way.underWay,
        ),
      close: () => stream.close(),
    };
  }
  const client = await MqttConnection.open(server.address, `bench-${at}`, way.mqtt === "kept");
  const topic = `noema/${PROCESSOR}/sessions/${memoryOf(at)}/observe`;
  return { send: (texts) => client.publish(topic, texts, way.underWay), close: () => client.close() };
}

/** One round of a way. Processor time is that of a record. */
async function measure(server, sender, texts, count) {
  const sent = Array.from({ length: count }, (_, at) => texts[at % texts.length]);
  const [cpuBefore, start] = [cpuMs(server.pid), performance.now()];
  const times = await sender.send(sent);
  const seconds = (performance.now() - start) / 1000;
  const cpu = (cpuMs(server.pid) - cpuBefore) / count;
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), rate: count / seconds, cpu };
}

/** All ways in turns. The first round warms up and does not count. */
async function rounds(server, texts, count, part) {
  const senders = await Promise.all(WAYS.map((way, at) => senderOf(server, way, at)));
  const measured = [];
  for (let round = 0; round <= count; round++) {
    const one = [];
    for (const [at, way] of WAYS.entries()) one.push(await measure(server, senders[at], texts, way.count / part));
    measured.push(one);
  }
  await Promise.all(senders.map((sender) => sender.close()));
  return measured.slice(1);
}

/** Throws unless every record that was sent was observed once. */
async function checkCounts(server, count, part) {
  for (const [at, way] of WAYS.entries()) {
    const { time } = JSON.parse(await call(server.address, `sessions/${memoryOf(at)}/status`, "", "GET")).message;
    const sent = ((count + 1) * way.count) / part;
    if (time !== sent) throw new Error(`${way.name}: ${sent} records were sent, and ${time} observed`);
  }
}

function rowsOf(measured) {
  return WAYS.map(({ name, underWay }, at) => {
    const stream = WAYS.findIndex((way) => way.mqtt === undefined && way.underWay === underWay);
    const of = (member) => median(measured.map((round) => round[at][member]));
    const against = (member) => median(measured.map((round) => round[at][member] / round[stream][member])).toFixed(2);
    return [
      name,
      of("p50").toFixed(2),
      of("p99").toFixed(2),
      of("rate").toFixed(0),
      of("cpu").toFixed(3),
      against("p50"),
      against("rate"),
      against("cpu"),
    ];
  });
}

/** Opens connections, some at a time. */
async function openAll(count, open) {
  const all = [];
  const queue = Array.from({ length: count }, (_, at) => at).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const at of queue) all.push(await open(at));
    }),
  );
  return all;
}

/** What connections without work take. @returns a row, and the connections with their server */
async function idle(name, count, isShort, open) {
  const server = await serveNoema();
  await call(server.address, "ping", "", "GET");
  const before = residentMegabytes(server.pid);
  const opened = cpuMs(server.pid);
  const all = await openAll(count, (at) => open(server, at));
  const cpu = (cpuMs(server.pid) - opened) / count;
  const awake = residentMegabytes(server.pid);
  await sleep(isShort ? 0 : SLEEP_MS);
  const asleep = residentMegabytes(server.pid);
  const kib = (megabytes) => (((megabytes - before) * 1024) / count).toFixed(0);
  const row = [
    name,
    cpu.toFixed(2),
    awake.toFixed(0),
    kib(awake),
    asleep.toFixed(0),
    kib(asleep),
    String(openFiles(server.pid)),
  ];
  return { row, server, all };
}

const IDLE = ["connections", "CPU ms to open one", "MB awake", "KiB of each", "MB asleep", "KiB of each", "files"];

/** What PINGREQ costs: of clients one after the other while the endpoint is awake, and the first after it slept. */
async function pings({ server, all }, isShort) {
  const wakes = [];
  for (let wake = 0; wake < (isShort ? 1 : WAKES); wake++) {
    // It sleeps from the measurement before on.
    if (wake > 0) await sleep(SLEEP_MS);
    const [cpu, start] = [cpuMs(server.pid), performance.now()];
    await all[wake].ping();
    wakes.push({ ms: performance.now() - start, cpu: cpuMs(server.pid) - cpu });
  }
  const [cpu, start] = [cpuMs(server.pid), performance.now()];
  for (let round = 0; round < PINGS; round++) for (const client of all) await client.ping();
  const count = PINGS * all.length;
  const awake = { ms: (performance.now() - start) / count, cpu: (cpuMs(server.pid) - cpu) / count };
  return [
    ["awake", awake.ms.toFixed(2), awake.cpu.toFixed(3)],
    [
      "the first after sleep",
      median(wakes.map(({ ms }) => ms)).toFixed(2),
      median(wakes.map((each) => each.cpu)).toFixed(0),
    ],
  ];
}

/** What idle connections take. */
async function measureIdle(clients, isShort) {
  const streams = await idle("streams", clients, isShort, ({ address }, at) =>
    StreamConnection.open(address, `/${PROCESSOR}/sessions/device-${at}/stream?source=d${at}`),
  );
  await streams.server.stop();
  const clean = await idle("MQTT clients", clients, isShort, ({ address }, at) =>
    MqttConnection.open(address, `c${at}`),
  );
  const asked = await pings(clean, isShort);
  await clean.server.stop();
  const kept = await idle("MQTT clients with kept sessions", clients, isShort, ({ address }, at) =>
    MqttConnection.open(address, `c${at}`, true),
  );
  await kept.server.stop();
  printTable(`what ${clients} connections without work take of workerd`, IDLE, [streams.row, clean.row, kept.row]);
  printTable(`PINGREQ, beside ${clients} clients`, ["endpoint", "ms", "CPU ms"], asked);
}

const COLUMNS = ["way", "p50 ms", "p99 ms", "a second", "CPU ms", "p50 / stream", "rate / stream", "CPU / stream"];

/**
 * Measures and prints the tables.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few models and clients, and one round
 */
export async function run(load, _large, short) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const long = { models: MODELS, rounds: ROUNDS, clients: CLIENTS, part: 1, isShort: false };
  const { models, rounds: count, clients, part, isShort } = short ? SHORT : long;
  const texts = records(workload);
  const server = await serveNoema();
  try {
    await call(server.address, "load_kb", workload.knowledgeBase(new workload.Generator(workload.A, SEED), models));
    await call(server.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
    const measured = await rounds(server, texts, count, part);
    await checkCounts(server, count, part);
    const title = `records by MQTT and over a stream, one a message, brief; one processor with ${models} models of A, predictions on; medians of ${count} rounds, seed ${SEED}`;
    printTable(title, COLUMNS, rowsOf(measured));
  } finally {
    await server.stop();
  }
  await measureIdle(clients, isShort);
}
