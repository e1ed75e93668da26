/**
 * A whole observe over HTTP, on one warm processor with 10,000 models of workload A and predictions on, against the floor, in the same
 * run. The two are measured in turns, so that noise of the machine hits both; each round gives a ratio.
 */

import { call, PROCESSOR } from "./client.mjs";
import { Connection } from "./connection.mjs";
import { cpuMs } from "./process-time.mjs";
import { serveFloor, serveNoema } from "./served.mjs";
import { median, percentile, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const ROUNDS = 9;
/** How many connections are kept busy, and how many requests a round has then. */
const LOADS = [
  { connections: 1, requests: 300 },
  { connections: 16, requests: 2_000 },
];
/** Symbols of one observation; working memory holds two. */
const EVENT_SYMBOLS = 5;
const MEMORY_SYMBOLS = 10;
const BODIES = 64;

function bodies({ Generator, A, symbolName }) {
  const generator = new Generator({ ...A, memory: EVENT_SYMBOLS }, SEED + 1);
  return Array.from({ length: BODIES }, () =>
    JSON.stringify({
      data: { strings: Array.from(generator.memory(), symbolName), vectors: [], emotives: {}, metadata: {} },
    }),
  );
}

/** One round of one server: times of a request in milliseconds, requests a second, milliseconds of the processor a request. */
async function measure({ address, pid }, { connections, requests }, texts) {
  const path = `/${PROCESSOR}/observe`;
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(address)));
  const times = [];
  const cpuBefore = cpuMs(pid);
  const start = performance.now();
  await Promise.all(
    opened.map(async (connection) => {
      const prepared = texts.map((text) => connection.post(path, text));
      for (let i = 0; i < requests / connections; i++) {
        const begun = performance.now();
        const { status, body } = await connection.send(prepared[i % prepared.length]);
        times.push(performance.now() - begun);
        if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const cpu = (cpuMs(pid) - cpuBefore) / times.length;
  for (const connection of opened) connection.close();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), rate: times.length / seconds, cpu };
}

/** Rounds of both servers in turns; the first warms both up and does not count. */
async function rounds(floor, noema, load, texts) {
  const measured = [];
  for (let round = 0; round <= ROUNDS; round++) {
    measured.push({ floor: await measure(floor, load, texts), noema: await measure(noema, load, texts) });
  }
  return measured.slice(1);
}

function rowsOf(connections, measured) {
  const row = (server, ratios) => {
    const of = (member) => median(measured.map((round) => round[server][member]));
    const times = [of("p50").toFixed(2), of("p99").toFixed(2), of("rate").toFixed(0), of("cpu").toFixed(3)];
    return [`${connections}`, server, ...times, ...ratios];
  };
  const ratio = (of) => median(measured.map(of)).toFixed(2);
  return [
    row("floor", ["1", "1", "1"]),
    row("noema", [
      ratio((round) => round.noema.p50 / round.floor.p50),
      ratio((round) => round.floor.rate / round.noema.rate),
      ratio((round) => round.noema.cpu / round.floor.cpu),
    ]),
  ];
}

const COLUMNS = ["connections", "server", "p50 ms", "p99 ms", "requests/s", "CPU ms"];
const RATIOS = ["p50 / floor", "1/rate / floor", "CPU / floor"];

/** Measures and prints the table. @param load loads a TypeScript module of this folder */
export async function run(load) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const texts = bodies(workload);
  const floor = await serveFloor();
  const noema = await serveNoema();
  try {
    const generator = new workload.Generator(workload.A, SEED);
    await call(noema.address, "load_kb", workload.knowledgeBase(generator, MODELS));
    await call(noema.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
    const rows = [];
    for (const each of LOADS) rows.push(...rowsOf(each.connections, await rounds(floor, noema, each, texts)));
    const title = `observe over HTTP, ${MODELS} models of A, predictions on; medians of ${ROUNDS} rounds, seed ${SEED}`;
    printTable(title, [...COLUMNS, ...RATIOS], rows);
  } finally {
    await noema.stop();
    await floor.stop();
  }
}
