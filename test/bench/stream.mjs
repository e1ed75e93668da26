/**
 * Benchmark of a stream beside observe over HTTP, in turns on one warm processor with 10,000 models of workload A and predictions on. Both
 * ways observe the same records into a memory of the same length. First it checks that they get the same answers and predictions.
 */

import { PROCESSOR } from "../../scripts/project.mjs";
import { call } from "./client.mjs";
import { postRequest } from "./connection.mjs";
import { cpuMs } from "./process-usage.mjs";
import { measureRound } from "./round.mjs";
import { serveNoema } from "./served.mjs";
import { StreamConnection } from "./stream-connection.mjs";
import { median, percentile, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const ROUNDS = 9;
const SHORT_MODELS = 100;
const SHORT_ROUNDS = 1;
/** The short form sends a fifth of the records. */
const SHORT_PART = 5;
/** Symbols of one record. Working memory holds two records. */
const EVENT_SYMBOLS = 5;
const MEMORY_SYMBOLS = 10;
/** A multiple of the records of a frame. */
const RECORDS = 64;
const RECORDS_A_FRAME = 32;
/** The ways to send records, and how many a round sends. */
const WAYS = [
  { name: "HTTP, 1 connection", records: 320, connections: 1 },
  { name: "HTTP, 16 connections", records: 2_000, connections: 16 },
  { name: "stream, 1 a frame, 1 under way", records: 320, perFrame: 1, underWay: 1 },
  { name: "stream, 32 a frame, 16 under way", records: 12_800, perFrame: RECORDS_A_FRAME, underWay: 16 },
  { name: "the same, brief", records: 12_800, perFrame: RECORDS_A_FRAME, underWay: 16, brief: true },
];

/** The records as JSON text. */
function records({ Generator, A, symbolName }) {
  const generator = new Generator({ ...A, memory: EVENT_SYMBOLS }, SEED + 1);
  return Array.from({ length: RECORDS }, () =>
    JSON.stringify({ strings: Array.from(generator.memory(), symbolName), vectors: [], emotives: {}, metadata: {} }),
  );
}

/** The frames that carry this many records, as `StreamConnection` takes them. */
function frames(texts, { records: count, perFrame, brief = false }) {
  return Array.from({ length: count / perFrame }, (_, frame) => {
    const own = Array.from({ length: perFrame }, (__, at) => texts[(frame * perFrame + at) % texts.length]);
    return `"observe":${perFrame === 1 ? own[0] : `[${own.join(",")}]`}${brief ? ',"brief":true' : ""}`;
  });
}

/** One round over HTTP. */
async function measureHttp(server, texts, { records: count, connections }) {
  const prepared = texts.map((text) => postRequest(server.address, `/${PROCESSOR}/observe`, `{"data":${text}}`));
  const queue = Array.from({ length: count / connections }, (_, at) => prepared[at % prepared.length]);
  const queues = Array.from({ length: connections }, () => queue);
  const own = process.cpuUsage();
  const measured = await measureRound(server, queues);
  return { ...measured, client: ownMs(own) / count };
}

/** One round over a stream. Times are those of a frame, processor time is that of a record. */
async function measureStream(server, stream, texts, way) {
  const bodies = frames(texts, way);
  const [own, cpuBefore, start] = [process.cpuUsage(), cpuMs(server.pid), performance.now()];
  const times = await stream.send(bodies, way.underWay);
  const seconds = (performance.now() - start) / 1000;
  const cpu = (cpuMs(server.pid) - cpuBefore) / way.records;
  const client = ownMs(own) / way.records;
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), rate: way.records / seconds, cpu, client };
}

/** The processor time of this process since `before`, in milliseconds. */
function ownMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** All ways in turns. The first round warms up and does not count. */
async function rounds(server, stream, texts, { ways, rounds: count }) {
  const measured = [];
  for (let round = 0; round <= count; round++) {
    const one = new Map();
    for (const way of ways) {
      one.set(
        way,
        await (way.connections ? measureHttp(server, texts, way) : measureStream(server, stream, texts, way)),
      );
    }
    measured.push(one);
  }
  return measured.slice(1);
}

/** What every record was answered, and what is predicted in the end, without identifiers and times. */
async function answersOver(server, send) {
  await call(server.address, "working-memory/clear");
  const observed = await send();
  const { message: memory } = JSON.parse(await call(server.address, "working-memory", "", "GET"));
  const { message: predictions } = JSON.parse(await call(server.address, "predictions"));
  const answers = observed.map(({ unique_id: _, ...answer }) => answer);
  return JSON.stringify({ answers, memory, predictions });
}

/** Throws unless both ways give the same answers, memory and predictions. */
async function checkAnswers(server, stream, texts) {
  const overHttp = await answersOver(server, async () => {
    const answers = [];
    for (const text of texts)
      answers.push(JSON.parse(await call(server.address, "observe", `{"data":${text}}`)).message);
    return answers;
  });
  for (const perFrame of [1, RECORDS_A_FRAME]) {
    const overStream = await answersOver(server, async () => {
      const answers = [];
      const bodies = frames(texts, { records: RECORDS, perFrame });
      await stream.send(bodies, bodies.length, (data) => answers.push(...JSON.parse(data).message.observed));
      return answers;
    });
    if (overStream !== overHttp)
      throw new Error(`a stream with ${perFrame} records a frame gives other answers than HTTP`);
  }
}

/** Throws unless every record that was sent was observed once. */
async function checkCount(server, { ways, rounds: count }) {
  const { time } = JSON.parse(await call(server.address, "status", "", "GET")).message;
  const sent = RECORDS * 3 + (count + 1) * ways.reduce((sum, { records: one }) => sum + one, 0);
  if (time !== sent) throw new Error(`${sent} records were sent, and ${time} observed`);
}

const COLUMNS = ["way", "p50 ms", "p99 ms", "records/s", "CPU ms", "client's CPU ms", "p50 / HTTP 1", "rate / HTTP 16"];

function rowsOf(measured, ways) {
  const [http1, http16] = ways;
  return ways.map((way) => {
    const of = (member) => median(measured.map((round) => round.get(way)[member]));
    const against = (other, member) =>
      median(measured.map((round) => round.get(way)[member] / round.get(other)[member])).toFixed(2);
    return [
      way.name,
      of("p50").toFixed(2),
      of("p99").toFixed(2),
      of("rate").toFixed(0),
      of("cpu").toFixed(3),
      of("client").toFixed(3),
      against(http1, "p50"),
      against(http16, "rate"),
    ];
  });
}

/**
 * Measures and prints the table.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few models, one round and a fifth of the records
 */
export async function run(load, _large, short) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const [models, count, part] = short ? [SHORT_MODELS, SHORT_ROUNDS, SHORT_PART] : [MODELS, ROUNDS, 1];
  const ways = WAYS.map((way) => ({ ...way, records: way.records / part }));
  const texts = records(workload);
  const server = await serveNoema();
  try {
    await call(server.address, "load_kb", workload.knowledgeBase(new workload.Generator(workload.A, SEED), models));
    await call(server.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
    const stream = await StreamConnection.open(server.address, `/${PROCESSOR}/stream?source=bench`);
    await checkAnswers(server, stream, texts);
    const measured = await rounds(server, stream, texts, { ways, rounds: count });
    await checkCount(server, { ways, rounds: count });
    await stream.close();
    const title = `records over a stream and over HTTP, one processor with ${models} models of A; predictions on; p50 and p99 of a request or frame, CPU of a record; medians of ${count} rounds, seed ${SEED}`;
    printTable(title, COLUMNS, rowsOf(measured, ways));
  } finally {
    await server.stop();
  }
}
