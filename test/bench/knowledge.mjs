/**
 * Growing, loading, reading and waking up: learn and load_kb in models a second, get_kb, the first prediction of a processor that was
 * evicted, and the memory of the server's process, at stores of several sizes.
 */

import { call, PROCESSOR } from "./client.mjs";
import { Connection } from "./connection.mjs";
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
  const connection = await Connection.open(address);
  const processor = (operation) => `/${PROCESSOR}/${operation}`;
  const learn = connection.post(processor("learn"), "");
  const ms = [];
  let cpu = 0;
  for (const sequence of events) {
    const data = { sequence: sequence.map((strings) => ({ strings })) };
    await connection.send(connection.post(processor("sequence-observe"), JSON.stringify({ data })));
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
  const ms = await timed(() => call(restarted.address, "predictions"));
  return { restarted, ms, cpu: cpuMs(restarted.pid) - cpuBefore };
}

async function measure(workload, { workload: name, models }) {
  const generator = new workload.Generator(workload[name], SEED);
  const text = workload.knowledgeBase(generator, models);
  let noema = await serveNoema();
  try {
    const load = await timed(() => call(noema.address, "load_kb", text));
    const peak = peakMegabytes(noema.pid);
    const learned = Array.from({ length: LEARNED }, (_, at) => workload.eventsOf(generator.model(models + at)));
    const learn = await learnAll(noema, learned);
    const read = await timed(() => call(noema.address, "get_kb", "", "GET"));
    const strings = Array.from(generator.memory(), workload.symbolName);
    await call(noema.address, "observe", JSON.stringify({ data: { strings } }));
    const wakes = [];
    for (let i = 0; i < WAKE_UPS; i++) {
      const { restarted, ...wake } = await wakeUp(noema);
      noema = restarted;
      wakes.push(wake);
    }
    return [
      name,
      `${models}`,
      ((1000 * models) / load).toFixed(0),
      learn.p50.toFixed(2),
      learn.cpu.toFixed(2),
      ((1000 * models) / read).toFixed(0),
      median(wakes.map(({ ms }) => ms)).toFixed(0),
      median(wakes.map(({ cpu }) => cpu)).toFixed(0),
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
  "process peak MB",
];

/** Measures and prints the table. @param load loads a TypeScript module of this folder @param large with the million too */
export async function run(load, large) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const rows = [];
  for (const store of large ? [...STORES, ...LARGE_STORES] : STORES) rows.push(await measure(workload, store));
  printTable(`knowledge over HTTP; seed ${SEED}`, COLUMNS, rows);
}
