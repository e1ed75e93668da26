/**
 * What the isolate of a processor holds while a knowledge base is loaded, used and read, and after a restart. Gateway and object are
 * one Worker, so they share it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./client.mjs";
import { IsolateMemory } from "./isolate-memory.mjs";
import { loadKnowledge, readKnowledge } from "./knowledge-transfer.mjs";
import { peakMegabytes } from "./process-time.mjs";
import { printTable, timed } from "./table.mjs";

/** Of a million bytes: where the platform may mean 1,048,576, this is the stricter reading. */
const MEGABYTE = 1e6;
/** After this long without a call workerd has evicted an object. */
const EVICTED_MS = 13_000;

/** Takes strings as the only event of working memory, and predicts. */
export async function predict({ address }, strings) {
  await call(address, "working-memory/clear");
  await call(address, "observe", JSON.stringify({ data: { strings } }));
  return call(address, "predictions");
}

/**
 * Loads a knowledge base, predicts and reads it back, and watches.
 *
 * @param noema a server whose inspector listens
 * @param text the knowledge base
 * @param memories for each of them is predicted once
 * @returns milliseconds of loading and reading, and what was held
 */
export async function watchStore(noema, text, memories) {
  const watch = await IsolateMemory.watch(noema);
  const empty = await watch.live();
  const load = await watch.during(() => timed(() => loadKnowledge(noema.address, text)));
  const predicting = await watch.during(async () => {
    for (const strings of memories) await predict(noema, strings);
  });
  const read = await watch.during(() => timed(() => readKnowledge(noema.address, text)));
  const rest = await watch.live();
  watch.close();
  return {
    loadMs: load.outcome,
    readMs: read.outcome,
    empty,
    peaks: [load, predicting, read].map(({ peak }) => peak),
    blindMs: [load, predicting, read].map(({ blindMs }) => blindMs),
    rest,
    process: peakMegabytes(noema.pid),
  };
}

/**
 * The first prediction after a restart, watched.
 *
 * @param noema a server that was just started, whose inspector listens
 * @throws Error unless linear memory is, at rest, as large as the processor says: what the system lists would not be what is meant
 */
export async function watchWaking(noema) {
  const watch = await IsolateMemory.watch(noema);
  const { peak } = await watch.during(() => call(noema.address, "predictions"));
  const rest = await watch.live();
  watch.close();
  const { memory_bytes: kernel } = JSON.parse(await call(noema.address, "info", "", "GET")).message;
  if (!Number.isNaN(rest.linear) && rest.linear !== kernel) {
    throw new Error(`the process has linear memories of ${rest.linear} bytes, and the processor says ${kernel}`);
  }
  return { peak, rest, kernel };
}

/**
 * The first prediction of an object that was evicted and comes back into the isolate in which it was before, watched.
 *
 * @param kernel bytes that its linear memory has
 * @throws Error when there is more linear memory than that: two kernels of one object do not fit into an isolate
 */
export async function watchReturning(noema, kernel) {
  const watch = await IsolateMemory.watch(noema);
  await sleep(EVICTED_MS);
  const { peak } = await watch.during(() => call(noema.address, "predictions"));
  watch.close();
  if (peak.linear > kernel) {
    throw new Error(`a processor of ${kernel} bytes came back to linear memories of ${peak.linear} bytes`);
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

/** All, and behind it what it is made of. */
function cell({ sum, linear, heap, buffers }) {
  const [all, ...parts] = [sum, linear, heap, buffers].map((bytes) => (bytes / MEGABYTE).toFixed(1));
  return `${all} (${parts.join(" + ")})`;
}

/**
 * The cells of one store in one server.
 *
 * @param store what it is, and the limit of the heap as text
 * @param watched what {@link watchStore} saw
 * @param waking what {@link watchWaking} saw
 * @param returning what {@link watchReturning} saw
 */
export function memoryCells({ workload, models, limit }, { empty, peaks, blindMs, rest, process }, waking, returning) {
  return [
    workload,
    `${models}`,
    limit,
    ...[...peaks, waking.peak, returning, rest].map(cell),
    // What came with the models: after a restart linear memory is no larger than they need.
    ((waking.rest.sum - empty.sum) / models).toFixed(0),
    (waking.kernel / models).toFixed(0),
    Math.max(...blindMs).toFixed(0),
    process.toFixed(0),
  ];
}

/** Prints the rows of all stores. */
export function printMemory(rows) {
  printTable("most held in the isolate, in MB: all (linear memory + heap + buffers)", COLUMNS, rows);
}
