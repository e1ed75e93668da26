/**
 * Growing, loading, reading and waking up: learn and load_kb in models a second, get_kb, the first prediction of a processor that was
 * evicted, and the memory of the server's process, at stores of several sizes.
 */

import { call, PROCESSOR } from "./client.mjs";
import { Connection, postRequest } from "./connection.mjs";
import { cpuMs, peakMegabytes } from "./process-time.mjs";
import { serveNoema } from "./served.mjs";
import { median, printTable } from "./table.mjs";

const SEED = 1;
/** Which stores are measured. C's million is loaded as the same calls would load it, and takes minutes. */
const STORES = [
  { workload: "A", models: 10_000 },
  { workload: "A", models: 100_000 },
];
const LARGE_STORES = [{ workload: "C", models: 1_000_000 }];
/** More than one chunk of packed models, and some that are not packed. */
const SHORT_STORES = [{ workload: "A", models: 5_000 }];
/** Models learned one by one after the load. */
const LEARNED = 400;
const WAKE_UPS = 3;

async function timed(action) {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

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

async function readBack(address) {
  let text = "";
  const ms = await timed(async () => {
    text = await call(address, "get_kb", "", "GET");
  });
  return { text, ms };
}

/** Throws unless the models that were read are, to the byte, those that were loaded. */
function assertHolds(read, loaded) {
  const models = loaded.slice(loaded.indexOf('"models_kb"'), loaded.indexOf(',"symbols_kb"'));
  if (!read.includes(models)) throw new Error("get_kb does not give back the models that were loaded");
}

/** An answer without the time at which it was given. */
function predictionsIn(answer) {
  return answer.replace(/"time_stamp":\d+/, "");
}

async function measure(workload, { workload: name, models }) {
  const generator = new workload.Generator(workload[name], SEED);
  const text = workload.knowledgeBase(generator, models);
  let noema = await serveNoema();
  try {
    const load = await timed(() => call(noema.address, "load_kb", text));
    const peak = peakMegabytes(noema.pid);
    const { text: read, ms: readMs } = await readBack(noema.address);
    assertHolds(read, text);
    const learned = Array.from({ length: LEARNED }, (_, at) => workload.eventsOf(generator.model(models + at)));
    const learn = await learnAll(noema, learned);
    const strings = Array.from(generator.memory(), workload.symbolName);
    await call(noema.address, "observe", JSON.stringify({ data: { strings } }));
    const before = predictionsIn(await call(noema.address, "predictions"));
    const wakes = [];
    for (let i = 0; i < WAKE_UPS; i++) {
      const { restarted, ...wake } = await wakeUp(noema);
      noema = restarted;
      wakes.push(wake);
      if (wake.predictions !== before) throw new Error("a processor that was woken up predicts something else");
    }
    const info = JSON.parse(await call(noema.address, "info", "", "GET")).message;
    return [
      name,
      `${models}`,
      ((1000 * models) / load).toFixed(0),
      learn.p50.toFixed(2),
      learn.cpu.toFixed(2),
      ((1000 * models) / readMs).toFixed(0),
      median(wakes.map(({ ms }) => ms)).toFixed(0),
      median(wakes.map(({ cpu }) => cpu)).toFixed(0),
      (info.memory_bytes / 2 ** 20).toFixed(1),
      peak.toFixed(0),
    ];
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
  "kernel MB",
  "process peak MB",
];

/**
 * Measures and prints the table. Throws when models or predictions are not what they were.
 *
 * @param load loads a TypeScript module of this folder
 * @param large with the million too
 * @param short with a small store only
 */
export async function run(load, large, short) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const rows = [];
  const stores = short ? SHORT_STORES : STORES;
  for (const store of large ? [...stores, ...LARGE_STORES] : stores) rows.push(await measure(workload, store));
  printTable(`knowledge over HTTP; seed ${SEED}`, COLUMNS, rows);
}
