/**
 * Measures the isolate's memory while a processor loads, uses and exports a knowledge base, and after a restart. Gateway and object are
 * one Worker, so they share the isolate.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./client.mjs";
import { IsolateMemory } from "./isolate-memory.mjs";
import { loadKnowledge, readKnowledge } from "./knowledge-transfer.mjs";
import { peakMegabytes } from "./process-usage.mjs";
import { printTable, timed } from "./table.mjs";

/** A million bytes. The platform may mean 1,048,576; this is the stricter reading. */
const MEGABYTE = 1e6;
/** The time without a call after which workerd has evicted an object. */
const EVICTED_MS = 13_000;

/** Makes strings the only event of working memory, and predicts. */
export async function predict({ address }, strings) {
  await call(address, "working-memory/clear");
  await call(address, "observe", JSON.stringify({ data: { strings } }));
  return call(address, "predictions");
}

/**
 * Loads a knowledge base, predicts, exports it again, and measures memory meanwhile.
 *
 * @param noema a server with an inspector
 * @param text the knowledge base
 * @param queries for each of them the processor predicts once
 * @returns milliseconds of loading and exporting, and the memory in use
 */
export async function measureStore(noema, text, queries) {
  const memory = await IsolateMemory.open(noema);
  const empty = await memory.live();
  const load = await memory.during(() => timed(() => loadKnowledge(noema.address, text)));
  const predicting = await memory.during(async () => {
    for (const strings of queries) await predict(noema, strings);
  });
  const read = await memory.during(() => timed(() => readKnowledge(noema.address, text)));
  const rest = await memory.live();
  memory.close();
  return {
    loadMs: load.result,
    readMs: read.result,
    empty,
    peaks: [load, predicting, read].map(({ peak }) => peak),
    gapMs: [load, predicting, read].map(({ gapMs }) => gapMs),
    rest,
    process: peakMegabytes(noema.pid),
  };
}

/**
 * Measures memory during the first prediction after a restart.
 *
 * @param noema a server that was just started, with an inspector
 * @throws Error when linear memory at rest is not about as large as the processor says: then the system lists something else
 */
export async function measureRestart(noema) {
  const memory = await IsolateMemory.open(noema);
  const { peak } = await memory.during(() => call(noema.address, "predictions"));
  const rest = await memory.live();
  memory.close();
  const { memory_bytes: held } = JSON.parse(await call(noema.address, "info", "", "GET")).message;
  // Beside what the processor holds there is scratch, and memory grows by an eighth.
  if (rest.linear < held || rest.linear > held * 1.25 + MEGABYTE) {
    throw new Error(
      `the process has ${rest.linear} bytes of linear memory, but the processor says that it holds ${held}`,
    );
  }
  return { peak, rest, kernel: Number.isNaN(rest.linear) ? held : rest.linear };
}

/**
 * Measures memory during the first prediction of an object that was evicted and comes back into the same isolate.
 *
 * @param kernelBytes the size of its linear memory
 * @throws Error when there is more linear memory than that: two kernels of one object do not fit into an isolate
 */
export async function measureReturn(noema, kernelBytes) {
  const memory = await IsolateMemory.open(noema);
  await sleep(EVICTED_MS);
  const { peak } = await memory.during(() => call(noema.address, "predictions"));
  memory.close();
  if (peak.linear > kernelBytes) {
    throw new Error(`a processor of ${kernelBytes} bytes came back to ${peak.linear} bytes of linear memory`);
  }
  return peak;
}

const COLUMNS = [
  "workload",
  "models",
  "heap limit",
  "load_kb",
  "predictions",
  "get_kb",
  "after a restart",
  "after an eviction",
  "at rest",
  "bytes a model",
  "kernel's",
  "blind ms",
  "process",
];

/** The sum of a sample, and its parts in brackets, in MB. */
export function cell({ sum, linear, heap, buffers }) {
  const [all, ...parts] = [sum, linear, heap, buffers].map((bytes) => (bytes / MEGABYTE).toFixed(1));
  return `${all} (${parts.join(" + ")})`;
}

/**
 * The cells of one store in one server.
 *
 * @param store its workload, its number of models, and the limit of the heap as text
 * @param measured the result of {@link measureStore}
 * @param restart the result of {@link measureRestart}
 * @param returning the result of {@link measureReturn}
 */
export function memoryCells({ workload, models, limit }, { empty, peaks, gapMs, rest, process }, restart, returning) {
  return [
    workload,
    `${models}`,
    limit,
    ...[...peaks, restart.peak, returning, rest].map(cell),
    // Only what the models need: after a restart, linear memory is no larger.
    ((restart.rest.sum - empty.sum) / models).toFixed(0),
    (restart.kernel / models).toFixed(0),
    Math.max(...gapMs).toFixed(0),
    process.toFixed(0),
  ];
}

/** Prints the rows of all stores. */
export function printMemory(rows) {
  printTable("peak memory of the isolate, in MB: sum (linear memory + heap + buffers)", COLUMNS, rows);
}
