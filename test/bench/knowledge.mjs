/**
 * Growing, loading, reading and waking up, at stores of several sizes: learn and load_kb in models a second, get_kb, the first
 * prediction of a processor that was evicted, and what the isolate holds meanwhile.
 */

import { call, PROCESSOR } from "./client.mjs";
import { Connection, postRequest } from "./connection.mjs";
import { memoryCells, predict, printMemory, watchReturning, watchStore, watchWaking } from "./knowledge-memory.mjs";
import { cpuMs } from "./process-time.mjs";
import { serveNoema, serveNoemaWithin } from "./served.mjs";
import { median, printTable, timed } from "./table.mjs";

const SEED = 1;
/** Which stores are measured. The millions are loaded as any client would load them, and take minutes. */
const STORES = [
  { workload: "A", models: 10_000 },
  { workload: "A", models: 100_000 },
];
const LARGE_STORES = [
  { workload: "C", models: 1_000_000 },
  { workload: "A", models: 1_000_000 },
];
/** More than one chunk of packed models, and some that are not packed. */
const SHORT_STORES = [{ workload: "A", models: 5_000 }];
/** Models learned one by one after the load. */
const LEARNED = 400;
const WAKE_UPS = 3;
/** Memories for which is predicted while the isolate is watched. */
const QUESTIONS = 30;
/** What an isolate may hold, and how much of it is left to buffers. */
const ISOLATE_BYTES = 128e6;
const BUFFER_BYTES = 6e6;
const MEBIBYTE = 2 ** 20;

/** Learns models one by one, each observed in a request of its own that is not counted. */
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

/** An answer without the time at which it was given. */
function predictionsIn(answer) {
  return answer.replace(/"time_stamp":\d+/, "");
}

/** The first prediction of a server that was just started and has answered only a ping of the gateway. */
async function wakeUp(noema) {
  const restarted = await noema.restart();
  const cpuBefore = cpuMs(restarted.pid);
  let answer = "";
  const ms = await timed(async () => {
    answer = await call(restarted.address, "predictions");
  });
  return { restarted, ms, cpu: cpuMs(restarted.pid) - cpuBefore, predictions: predictionsIn(answer) };
}

/** Wakes a processor up several times. Throws when it predicts something else than before. */
async function wakeUps(noema, before) {
  let server = noema;
  const wakes = [];
  for (let i = 0; i < WAKE_UPS; i++) {
    const { restarted, ...wake } = await wakeUp(server);
    server = restarted;
    wakes.push(wake);
    if (wake.predictions !== before) throw new Error("a processor that was woken up predicts something else");
  }
  return { server, ms: median(wakes.map(({ ms }) => ms)), cpu: median(wakes.map(({ cpu }) => cpu)) };
}

/** A workload's knowledge base, models to be learned on top of it, and memories. */
function materialOf({ Generator, eventsOf, knowledgeText, symbolName, ...workloads }, { workload, models }) {
  const generator = new Generator(workloads[workload], SEED);
  return {
    text: knowledgeText(generator, models),
    learned: Array.from({ length: LEARNED }, (_, at) => eventsOf(generator.model(models + at))),
    memories: Array.from({ length: QUESTIONS }, () => Array.from(generator.memory(), symbolName)),
  };
}

/** All of one store, the heap as large as V8 likes: the cells of both tables. */
async function measureFreely({ workload, models }, { text, learned, memories }) {
  let noema = await serveNoema(true);
  try {
    const watched = await watchStore(noema, text, memories);
    noema = await noema.restart(true);
    const store = { workload, models, limit: "none" };
    const waking = await watchWaking(noema);
    const memory = memoryCells(store, watched, waking, await watchReturning(noema, waking.kernel));
    noema = await noema.restart();
    const learn = await learnAll(noema, learned);
    const woken = await wakeUps(noema, predictionsIn(await predict(noema, memories[0])));
    noema = woken.server;
    const perSecond = (ms) => ((1000 * models) / ms).toFixed(0);
    const loads = [perSecond(watched.loadMs), learn.p50.toFixed(2), learn.cpu.toFixed(2), perSecond(watched.readMs)];
    return {
      times: [workload, `${models}`, ...loads, woken.ms.toFixed(0), woken.cpu.toFixed(0)],
      memory,
      kernel: waking.kernel,
    };
  } finally {
    await noema.stop();
  }
}

/**
 * The same, without times, in a heap that fits into an isolate beside the kernel and buffers. Throws when it does not fit: workerd ends
 * then.
 *
 * @param kernel bytes
 */
async function measureWithin({ workload, models }, { text, memories }, kernel) {
  const heapMebibytes = Math.floor((ISOLATE_BYTES - BUFFER_BYTES - kernel) / MEBIBYTE);
  let noema = await serveNoemaWithin(heapMebibytes);
  try {
    const watched = await watchStore(noema, text, memories);
    noema = await noema.restart(true);
    const store = { workload, models, limit: `${heapMebibytes} MiB` };
    const waking = await watchWaking(noema);
    return memoryCells(store, watched, waking, await watchReturning(noema, waking.kernel));
  } finally {
    await noema.stop();
  }
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
 * Measures and prints the tables. Throws when models or predictions are not what they were, or the isolate needs too much.
 *
 * @param load loads a TypeScript module of this folder
 * @param large with the millions too
 * @param short with a small store only
 */
export async function run(load, large, short) {
  const tools = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const times = [];
  const memory = [];
  const stores = short ? SHORT_STORES : STORES;
  for (const store of large ? [...stores, ...LARGE_STORES] : stores) {
    const material = materialOf(tools, store);
    const free = await measureFreely(store, material);
    times.push(free.times);
    memory.push(free.memory, await measureWithin(store, material, free.kernel));
  }
  printTable(`knowledge over HTTP; seed ${SEED}`, COLUMNS, times);
  printMemory(memory);
}
