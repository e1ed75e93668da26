/**
 * Benchmark of the kernel alone, inside workerd: from a query to finished predictions over workloads A, B and C, the three nearest of
 * many vectors, and the memory that it needs. With a python3 on the machine it also times Python's difflib. It compares answers with
 * the slow oracle's.
 */

import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../scripts/project.mjs";
import { Connection, postRequest } from "./connection.mjs";
import { serveKernel } from "./served.mjs";
import { median, percentile, printTable } from "./table.mjs";

const SEED = 1;
const QUESTIONS = 30;
/** The number of questions that the slow oracle checks. In a large store it checks one, which takes it seconds. */
const CHECKED = 5;
const SMALL_STORE = 20_000;
/** A request repeats its question for about this long, so that the way to workerd and back hardly counts. */
const REQUEST_MS = 15;
/** Each question is asked this often, and the fastest answer counts: it is the one that other work on the machine disturbed least. */
const ROUNDS = 7;

/** Workload, models, and the target for the median in milliseconds. */
const WORKLOADS = [
  ["A", 1_000, 0.2],
  ["A", 10_000, 1],
  ["A", 100_000, 10],
  ["B", 10_000, 0.2],
  ["B", 100_000, 2],
];
const LARGE_WORKLOADS = [
  ["A", 1_000_000, 120],
  ["C", 1_000_000, 10],
];
const SHORT_WORKLOADS = [
  ["A", 2_000, ""],
  ["B", 4_000, ""],
];
/** Dimensions, vectors, and the target in milliseconds. */
const VECTORS = [
  [784, 10_000, 2],
  [64, 100_000, 4],
];
const SHORT_VECTORS = [[64, 5_000, ""]];
const COMPARED = { workload: "A", models: 10_000, memories: 5 };

async function startWorker() {
  const bundle = await build({
    entryPoints: [join(ROOT, "test", "bench", "kernel-worker.ts")],
    bundle: true,
    format: "esm",
    write: false,
    plugins: [{ name: "wasm", setup: ({ onResolve }) => onResolve({ filter: /\.wasm$/ }, besideTheWorker) }],
  });
  return serveKernel(bundle.outputFiles[0]?.text ?? "");
}

/** Imports the compiled kernel from beside the Worker, wherever the source imports it from. */
function besideTheWorker({ path }) {
  return { path: `./${basename(path)}`, external: true };
}

/** Lets the Worker learn a store, and checks its answers. Returns how to ask it, and the size of its memory in bytes. */
async function learn({ address }, connection, learned, rightAnswers) {
  const request = async (parameters) => {
    const { body } = await connection.send(postRequest(address, `/?${new URLSearchParams(parameters)}`, ""));
    return body;
  };
  const { bytes } = JSON.parse(await request({ ...learned, count: QUESTIONS, seed: SEED }));
  const right = rightAnswers({ ...learned, count: QUESTIONS, seed: SEED });
  for (const [question, answer] of right.entries()) {
    const given = await request({ question, show: 1 });
    if (given !== answer) throw new Error(`question ${question} about ${JSON.stringify(learned)} has a wrong answer`);
  }
  return { request, bytes };
}

/** Milliseconds of each question, without the way to the Worker and back. */
async function ask(request, rounds) {
  const timed = async (parameters) => {
    const start = performance.now();
    await request(parameters);
    return performance.now() - start;
  };
  // V8 compiles what runs often into fast code, so this warms up with every question, and longer with a few.
  for (let question = 0; question < QUESTIONS; question++) await timed({ question, times: 2 });
  const roughMs = (await timed({ question: 0, times: 10 })) / 10;
  const times = Math.max(1, Math.ceil(REQUEST_MS / roughMs));
  await timed({ question: 1, times });
  const transits = [];
  for (let count = 0; count < QUESTIONS; count++) transits.push(await timed({ question: 0, times: 0 }));
  const ms = new Array(QUESTIONS).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (let question = 0; question < QUESTIONS; question++) {
      ms[question] = Math.min(ms[question], ((await timed({ question, times })) - median(transits)) / times);
    }
  }
  return ms;
}

/** Median milliseconds of the same query with difflib: the scan alone, and everything. `undefined` without python3. */
function predictWithDifflib({ Generator, ...workloads }, { eventsOf, symbolName }) {
  const generator = new Generator(workloads[COMPARED.workload], SEED);
  const models = Array.from({ length: COMPARED.models }, (_, at) => eventsOf(generator.model(at + 1)));
  const memories = Array.from({ length: COMPARED.memories }, () => Array.from(generator.memory(), symbolName));
  const script = join(ROOT, "test", "bench", "difflib-scan.py");
  const { status, stdout } = spawnSync("python3", [script], { input: JSON.stringify({ models, memories }) });
  if (status !== 0) return undefined;
  const [scan, all] = String(stdout).trim().split("\n").map(Number);
  return { scan, all };
}

const shown = (ms) => ms.toFixed(ms < 10 ? 3 : 1);

/** Milliseconds of difflib, and how many times as long as the kernel that is. */
function againstKernel(difflibMs, kernelMs) {
  return `${difflibMs.toFixed(0)} ms, ${(difflibMs / kernelMs).toFixed(0)} x`;
}

async function measurePredictions(worker, load, workloads, rounds) {
  const { rightAnswers } = await load("kernel-questions");
  const connection = await Connection.open(worker.address);
  const isCompared = ([workload, models]) => workload === COMPARED.workload && models === COMPARED.models;
  const compares = workloads.some(isCompared);
  const difflib = compares ? predictWithDifflib(await load("workload"), await load("knowledge-base")) : undefined;
  const rows = [];
  for (const [workload, models, target] of workloads) {
    const checked = models <= SMALL_STORE ? CHECKED : 1;
    const right = (store) => rightAnswers(store, checked);
    const { request, bytes } = await learn(worker, connection, { workload, models }, right);
    const ms = await ask(request, rounds);
    const others = difflib && isCompared([workload, models]) ? [difflib.all, difflib.scan] : [];
    const ratios = others.map((other) => againstKernel(other, median(ms)));
    const size = [(bytes / 1e6).toFixed(1), (bytes / models).toFixed(0)];
    const times = [shown(median(ms)), shown(percentile(ms, 0.9)), String(target)];
    rows.push([workload, String(models), ...times, ratios[0] ?? "", ratios[1] ?? "", ...size]);
  }
  connection.close();
  const columns = [
    "workload",
    "models",
    "p50 ms",
    "p90 ms",
    "target",
    "difflib",
    "its scan alone",
    "MB",
    "bytes a model",
  ];
  printTable(`Kernel in workerd: 100 predictions for 10 symbols, seed ${SEED}`, columns, rows);
}

async function measureVectors(worker, load, sizes, rounds) {
  const { rightNeighbours } = await load("kernel-questions");
  const connection = await Connection.open(worker.address);
  const rows = [];
  for (const [dimensions, vectors, target] of sizes) {
    const right = (store) => rightNeighbours(store, CHECKED);
    const { request, bytes } = await learn(worker, connection, { dimensions, vectors }, right);
    const ms = await ask(request, rounds);
    const name = `${vectors} x ${dimensions}`;
    rows.push([name, shown(median(ms)), shown(percentile(ms, 0.9)), String(target), (bytes / 1e6).toFixed(1)]);
  }
  connection.close();
  printTable(
    `Kernel in workerd: 3 nearest vectors, seed ${SEED}`,
    ["vectors", "p50 ms", "p90 ms", "target", "MB"],
    rows,
  );
}

/**
 * Measures and prints the tables. Throws when an answer differs from the oracle's.
 *
 * @param load loads a TypeScript module of this folder
 * @param large adds the stores of a million models
 * @param short uses small stores and one round
 * @param only the one workload to run, its large stores included, without vectors; `undefined` runs all
 */
export async function run(load, large, short, only) {
  const all = large || only ? [...WORKLOADS, ...LARGE_WORKLOADS] : WORKLOADS;
  const workloads = (short ? SHORT_WORKLOADS : all).filter(([name]) => !only || name === only);
  if (workloads.length === 0) throw new Error(`there is no workload ${only}; there are A, B and C`);
  const worker = await startWorker();
  const rounds = short ? 1 : ROUNDS;
  try {
    await measurePredictions(worker, load, workloads, rounds);
    if (!only) await measureVectors(worker, load, short ? SHORT_VECTORS : VECTORS, rounds);
  } finally {
    await worker.stop();
  }
}
