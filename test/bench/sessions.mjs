/**
 * Benchmark of sessions: many devices observe over HTTP, each in a session of one processor, compared in turns with as many requests to the
 * processor's own memory. Fails if an observation is lost or counted twice, or if the isolate's memory grows from round to round.
 */

import { PROCESSOR } from "../../scripts/project.mjs";
import { call } from "./client.mjs";
import { postRequest } from "./connection.mjs";
import { IsolateMemory } from "./isolate-memory.mjs";
import { measureRound } from "./round.mjs";
import { serveNoema } from "./served.mjs";
import { median, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const SHORT_MODELS = 100;
const ROUNDS = 9;
const SHORT_ROUNDS = 2;
const SESSIONS = 1_000;
const SHORT_SESSIONS = 100;
const CONNECTIONS = 16;
/** The observes of each session, or of the memory in their place, in a round. */
const OBSERVES = 4;
const EVENT_SYMBOLS = 5;
const MEMORY_SYMBOLS = 10;
const BODIES = 16;
/** How much more the isolate may hold at rest at the end than after the first round, in bytes. */
const GROWTH_BYTES = 2_000_000;

function bodies({ Generator, A, symbolName }) {
  const generator = new Generator({ ...A, memory: EVENT_SYMBOLS }, SEED + 1);
  return Array.from({ length: BODIES }, () =>
    JSON.stringify({ data: { strings: Array.from(generator.memory(), symbolName) } }),
  );
}

/** The requests of a round in the order in which they are sent: each path once, then each once more, and so on. */
function requestsTo(address, paths, texts, count) {
  const requests = [];
  for (let observe = 0; observe < count; observe++) {
    const path = paths[observe % paths.length];
    requests.push(postRequest(address, path, texts[(observe * 7) % texts.length]));
  }
  return requests;
}

/** One round. All connections take from the same queue. */
function measure(server, requests) {
  const queue = requests.values();
  return measureRound(
    server,
    Array.from({ length: CONNECTIONS }, () => queue),
  );
}

/** The own memory and the sessions in turns. The first round warms up and does not count. */
async function rounds(server, own, sessions, count) {
  const measured = [];
  for (let round = 0; round <= count; round++) {
    measured.push({ own: await measure(server, own), sessions: await measure(server, sessions) });
  }
  return measured.slice(1);
}

/** Throws unless every session has taken all of its observations, and none twice. */
async function checkSessions(address, sessions, count) {
  const expected = OBSERVES * (count + 1);
  const { message } = JSON.parse(await call(address, `sessions?limit=${sessions}`, "", "GET"));
  const wrong = message.filter(({ time }) => time !== expected);
  if (message.length !== sessions || wrong.length > 0) {
    throw new Error(
      `${sessions} sessions with ${expected} observations each were expected, got ${message.length}, ${wrong.length} of them with others`,
    );
  }
}

function rowsOf(measured) {
  const row = (memory, ratios) => {
    const of = (member) => median(measured.map((round) => round[memory][member]));
    return [memory, of("p50").toFixed(2), of("p99").toFixed(2), of("rate").toFixed(0), of("cpu").toFixed(3), ...ratios];
  };
  const ratio = (of) => median(measured.map(of)).toFixed(2);
  return [
    row("own", ["1", "1", "1"]),
    row("sessions", [
      ratio((round) => round.sessions.p50 / round.own.p50),
      ratio((round) => round.sessions.rate / round.own.rate),
      ratio((round) => round.sessions.cpu / round.own.cpu),
    ]),
  ];
}

/** Fills the processor, and makes the requests to its own memory and to the sessions. */
async function prepare(server, workload, { models, sessions }) {
  const texts = bodies(workload);
  await call(server.address, "load_kb", workload.knowledgeBase(new workload.Generator(workload.A, SEED), models));
  await call(server.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
  const names = Array.from({ length: sessions }, (_, at) => `/${PROCESSOR}/sessions/device-${at}/observe`);
  const requests = (paths) => requestsTo(server.address, paths, texts, OBSERVES * sessions);
  return { own: requests([`/${PROCESSOR}/observe`]), sessions: requests(names) };
}

/** How many bytes the isolate holds at rest after one round and after some more; garbage is collected first. */
async function memoryOf(workload, size) {
  const { count } = size;
  const server = await serveNoema(true);
  try {
    const { sessions } = await prepare(server, workload, size);
    const memory = await IsolateMemory.open(server);
    await measure(server, sessions);
    const first = (await memory.live()).sum;
    for (let round = 1; round <= count; round++) await measure(server, sessions);
    const last = (await memory.live()).sum;
    memory.close();
    await checkSessions(server.address, size.sessions, count);
    if (last - first > GROWTH_BYTES)
      throw new Error(`the isolate grew from ${first} to ${last} bytes in ${count} rounds`);
    return { first, last };
  } finally {
    await server.stop();
  }
}

const COLUMNS = ["memory", "p50 ms", "p99 ms", "requests/s", "CPU ms", "p50 / own", "rate / own", "CPU / own"];

/**
 * Measures and prints the tables.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few models and rounds
 */
export async function run(load, _large, short) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const size = short
    ? { models: SHORT_MODELS, sessions: SHORT_SESSIONS, count: SHORT_ROUNDS }
    : { models: MODELS, sessions: SESSIONS, count: ROUNDS };
  const server = await serveNoema();
  try {
    const { own, sessions } = await prepare(server, workload, size);
    const measured = await rounds(server, own, sessions, size.count);
    await checkSessions(server.address, size.sessions, size.count);
    const title = `observe over HTTP in ${size.sessions} sessions of one processor with ${size.models} models of A, and in its own memory; ${CONNECTIONS} connections; predictions on; medians of ${size.count} rounds, seed ${SEED}`;
    printTable(title, COLUMNS, rowsOf(measured));
  } finally {
    await server.stop();
  }
  const { first, last } = await memoryOf(workload, size);
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  printTable(
    `the isolate's memory at rest with ${size.sessions} sessions, MB`,
    ["after 1 round", `after ${size.count + 1}`],
    [[megabytes(first), megabytes(last)]],
  );
}
