/**
 * Benchmark of knowledge bases of several sizes: learn, load_kb and get_kb in models a second, the first prediction after a restart,
 * and the memory of the isolate meanwhile.
 */

import { PROCESSOR } from "../../scripts/project.mjs";
import { call } from "./client.mjs";
import { Connection, postRequest } from "./connection.mjs";
import { measureLists, printLists } from "./knowledge-lists.mjs";
import { measureRestart, measureReturn, measureStore, memoryCells, predict, printMemory } from "./knowledge-memory.mjs";
import { cpuMs } from "./process-usage.mjs";
import { serveNoema, serveNoemaWithin } from "./served.mjs";
import { measureShared, printShared } from "./shared-memory.mjs";
import { median, printTable, timed } from "./table.mjs";

const SEED = 1;
/** The stores to measure. A million models is loaded as any client would load it, and takes minutes. */
const STORES = [
  { workload: "A", models: 10_000 },
  { workload: "A", models: 100_000 },
];
const LARGE_STORES = [
  { workload: "C", models: 1_000_000 },
  { workload: "A", models: 1_000_000 },
];
/** Enough for more than one chunk of packed models, and some that are not packed. */
const SHORT_STORES = [{ workload: "A", models: 2_000, learned: 40, restarts: 1 }];
/** The number of models learned one by one after the load. */
const LEARNED = 400;
/** Models of each of two large processors of one isolate, and how many small processors there are beside them. */
const SHARED = { models: 100_000, small: 200 };
const LARGE_SHARED = { models: 1_000_000, small: 2_000 };
const SHORT_SHARED = { models: 2_000, small: 20 };
const RESTARTS = 3;
/** The number of predictions while memory is measured. */
const QUESTIONS = 30;
/** The memory of an isolate, and the part of it that buffers get. */
const ISOLATE_BYTES = 128e6;
const BUFFER_BYTES = 6e6;
const MEBIBYTE = 2 ** 20;

/** Learns models one by one. The request that observes each model is not timed. */
async function learnAll({ address, pid }, events) {
  const request = (operation, body) => postRequest(address, `/${PROCESSOR}/${operation}`, body);
  const connection = await Connection.open(address);
  const learn = request("learn", "");
  const ms = [];
  let cpu = 0;
  for (const sequence of events) {
    const data = { sequence: sequence.map((strings) => ({ strings })) };
    await connection.send(request("sequence-observe", JSON.stringify({ data })));
    const cpuBefore = cpuMs(pid);
    ms.push(await timed(() => connection.send(learn)));
    cpu += cpuMs(pid) - cpuBefore;
  }
  connection.close();
  return { p50: median(ms), cpu: cpu / events.length };
}

/** An answer without its time stamp. */
function predictionsIn(answer) {
  return answer.replace(/"time_stamp":\d+/, "");
}

/** Restarts the server and times the first prediction. Only the gateway was called before, by a ping. */
async function restartOnce(noema) {
  const restarted = await noema.restart();
  const cpuBefore = cpuMs(restarted.pid);
  let answer = "";
  const ms = await timed(async () => {
    answer = await call(restarted.address, "predictions");
  });
  return { restarted, ms, cpu: cpuMs(restarted.pid) - cpuBefore, predictions: predictionsIn(answer) };
}

/** Restarts several times. Throws when the processor predicts something else than before. */
async function restartRepeatedly(noema, before, restarts) {
  let server = noema;
  const starts = [];
  for (let i = 0; i < restarts; i++) {
    const { restarted, ...start } = await restartOnce(server);
    server = restarted;
    starts.push(start);
    if (start.predictions !== before) throw new Error("the processor predicts something else after a restart");
  }
  return { server, ms: median(starts.map(({ ms }) => ms)), cpu: median(starts.map(({ cpu }) => cpu)) };
}

/** A workload's knowledge base, models to learn in addition, and queries. */
function materialOf({ Generator, eventsOf, knowledgeText, symbolName, ...workloads }, store) {
  const { workload, models, learned = LEARNED } = store;
  const generator = new Generator(workloads[workload], SEED);
  return {
    text: knowledgeText(generator, models),
    learned: Array.from({ length: learned }, (_, at) => eventsOf(generator.model(models + at))),
    queries: Array.from({ length: QUESTIONS }, () => Array.from(generator.memory(), symbolName)),
  };
}

/** Measures one store with no limit on the heap. Returns the cells of both tables. */
async function measureFreely({ workload, models, restarts = RESTARTS }, { text, learned, queries }) {
  let noema = await serveNoema(true);
  try {
    const measured = await measureStore(noema, text, queries);
    noema = await noema.restart(true);
    const store = { workload, models, limit: "none" };
    const restart = await measureRestart(noema);
    const memory = memoryCells(store, measured, restart, await measureReturn(noema, restart.kernel));
    noema = await noema.restart();
    const learn = await learnAll(noema, learned);
    const start = await restartRepeatedly(noema, predictionsIn(await predict(noema, queries[0])), restarts);
    noema = start.server;
    const lists = await measureLists(noema, { workload, models });
    const perSecond = (ms) => ((1000 * models) / ms).toFixed(0);
    const loads = [perSecond(measured.loadMs), learn.p50.toFixed(2), learn.cpu.toFixed(2), perSecond(measured.readMs)];
    return {
      times: [workload, `${models}`, ...loads, start.ms.toFixed(0), start.cpu.toFixed(0)],
      memory,
      lists,
      kernel: restart.kernel,
    };
  } finally {
    await noema.stop();
  }
}

/**
 * The same without times, in a heap that fits into an isolate beside the kernel and buffers. Throws when the heap is too small: then
 * workerd ends.
 *
 * @param kernel bytes
 */
async function measureWithin({ workload, models }, { text, queries }, kernel) {
  const heapMebibytes = Math.floor((ISOLATE_BYTES - BUFFER_BYTES - kernel) / MEBIBYTE);
  let noema = await serveNoemaWithin(heapMebibytes);
  try {
    const measured = await measureStore(noema, text, queries);
    noema = await noema.restart(true);
    const store = { workload, models, limit: `${heapMebibytes} MiB` };
    const restart = await measureRestart(noema);
    return memoryCells(store, measured, restart, await measureReturn(noema, restart.kernel));
  } finally {
    await noema.stop();
  }
}

function sharedSize(large, short) {
  if (short) return SHORT_SHARED;
  return large ? LARGE_SHARED : SHARED;
}

const COLUMNS = [
  "workload",
  "models",
  "load_kb models/s",
  "learn p50 ms",
  "CPU ms",
  "get_kb models/s",
  "first prediction ms",
  "its CPU ms",
];

/**
 * Measures and prints the tables. Throws when models or predictions change, or the isolate needs too much memory.
 *
 * @param load loads a TypeScript module of this folder
 * @param large adds the stores of a million models
 * @param short measures only a small store
 */
export async function run(load, large, short) {
  const tools = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const times = [];
  const memory = [];
  const lists = [];
  const stores = short ? SHORT_STORES : STORES;
  for (const store of large ? [...stores, ...LARGE_STORES] : stores) {
    const material = materialOf(tools, store);
    const free = await measureFreely(store, material);
    times.push(free.times);
    lists.push(...free.lists);
    memory.push(free.memory, await measureWithin(store, material, free.kernel));
  }
  printTable(`knowledge over HTTP, seed ${SEED}`, COLUMNS, times);
  printLists(lists);
  printMemory(memory);
  printShared(await measureShared(tools, sharedSize(large, short)));
}
