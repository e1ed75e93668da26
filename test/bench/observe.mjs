/**
 * Benchmark of observe over HTTP, on one warm processor with 10,000 models of workload A and predictions on. Compares it with the floor
 * (floor/worker.js) in the same run: the two take turns, so that noise of the machine hits both, and each round gives a ratio.
 */

import { PROCESSOR } from "../../scripts/project.mjs";
import { call, callAt } from "./client.mjs";
import { postRequest } from "./connection.mjs";
import { genomeOf, manyProcessors } from "./many-processors.mjs";
import { measureRound } from "./round.mjs";
import { serveFloor, serveNoema } from "./served.mjs";
import { median, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const ROUNDS = 9;
const SHORT_MODELS = 100;
const SHORT_ROUNDS = 1;
/** The short form sends a tenth of the requests. */
const SHORT_PART = 10;
const PROCESSORS = 100;
/** The connections kept busy, the requests of a round, and the processors that get them. */
const LOADS = [
  { connections: 1, requests: 300, processors: 1 },
  { connections: 16, requests: 2_000, processors: 1 },
];
/** Many processors that have learned nothing. */
const SPREAD_LOAD = { connections: 16, requests: 2_000, processors: PROCESSORS };
/** Symbols of one observation. Working memory holds two observations. */
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

function pathsTo(processors) {
  return processors === 1 ? [`/${PROCESSOR}/observe`] : manyProcessors(processors).map((id) => `/${id}/observe`);
}

/** One round of one server. */
function measure(server, { connections, requests, processors }, texts) {
  const prepared = pathsTo(processors).flatMap((path) => texts.map((text) => postRequest(server.address, path, text)));
  // This step visits all processors and all bodies.
  const queue = Array.from(
    { length: requests / connections },
    (_, at) => prepared[(at * (texts.length + 1)) % prepared.length],
  );
  return measureRound(
    server,
    Array.from({ length: connections }, () => queue),
  );
}

/** Rounds of both servers in turns. The first round warms both up and does not count. */
async function rounds(floor, noema, load, texts, count) {
  const measured = [];
  for (let round = 0; round <= count; round++) {
    measured.push({ floor: await measure(floor, load, texts), noema: await measure(noema, load, texts) });
  }
  return measured.slice(1);
}

function rowsOf({ connections, processors }, measured) {
  const row = (server, ratios) => {
    const of = (member) => median(measured.map((round) => round[server][member]));
    const times = [of("p50").toFixed(2), of("p99").toFixed(2), of("rate").toFixed(0), of("cpu").toFixed(3)];
    return [`${connections}`, `${processors}`, server, ...times, ...ratios];
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

const COLUMNS = ["connections", "processors", "server", "p50 ms", "p99 ms", "requests/s", "CPU ms"];
const RATIOS = ["p50 / floor", "1/rate / floor", "CPU / floor"];

/** Throws if two processors share an object of the floor: then it does less than the server that is compared with it. */
async function checkSpread(floor) {
  const answers = await Promise.all(["first", "second"].map((name) => callAt(floor.address, `${name}/observe`, "{}")));
  const shared = answers.find((answer) => answer !== '{"count":1}');
  if (shared !== undefined) throw new Error(`the floor counted another processor's body: ${shared}`);
}

/** Loads the models, then measures one processor and many. Returns the rows of the table. */
async function rowsFor(floor, noema, workload, { models, rounds: count, part }) {
  const texts = bodies(workload);
  const generator = new workload.Generator(workload.A, SEED);
  await call(noema.address, "load_kb", workload.knowledgeBase(generator, models));
  await call(noema.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
  const rows = [];
  const partOf = (load) => ({ ...load, requests: load.requests / part });
  for (const load of LOADS) rows.push(...rowsOf(load, await rounds(floor, noema, partOf(load), texts, count)));
  await checkSpread(floor);
  await call(noema.address, "genome/hotswap", genomeOf(PROCESSORS, MEMORY_SYMBOLS));
  rows.push(...rowsOf(SPREAD_LOAD, await rounds(floor, noema, partOf(SPREAD_LOAD), texts, count)));
  return rows;
}

/**
 * Measures and prints the table.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few models, one round and a tenth of the requests
 */
export async function run(load, _large, short) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const size = short
    ? { models: SHORT_MODELS, rounds: SHORT_ROUNDS, part: SHORT_PART }
    : { models: MODELS, rounds: ROUNDS, part: 1 };
  const floor = await serveFloor();
  const noema = await serveNoema();
  try {
    const rows = await rowsFor(floor, noema, workload, size);
    const title = `observe over HTTP, one processor with ${size.models} models of A, or many with none; predictions on; medians of ${size.rounds} rounds, seed ${SEED}`;
    printTable(title, [...COLUMNS, ...RATIOS], rows);
  } finally {
    await noema.stop();
    await floor.stop();
  }
}
