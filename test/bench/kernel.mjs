/**
 * The kernel alone, inside workerd: from a memory to finished predictions over workloads A, B and C, the three nearest of many
 * vectors, and how many bytes it all takes. Beside it the same with Python's difflib, when there is a python3. Answers are compared
 * with those of the slow oracle.
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
/** So many of them are answered by the slow oracle too; of a large store only the first, which takes it seconds. */
const CHECKED = 5;
const SMALL_STORE = 20_000;
/** A request repeats its question until it takes about so long, so that the way to workerd and back hardly counts. */
const REQUEST_MS = 15;
/** Each question is asked so often, and the quickest answer counts: what else the machine does is no part of the kernel. */
const ROUNDS = 7;

/** Workload, models, and the milliseconds that half of the queries should need at most. */
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
/** Dimensions, vectors, milliseconds. */
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

/** Where the compiled kernel is served, wherever it is imported from. */
function besideTheWorker({ path }) {
  return { path: `./${basename(path)}`, external: true };
}

/** Lets the Worker learn, and compares its answers with the right ones. @returns how to ask it, and the bytes that it holds */
async function learn({ address }, connection, learned, rightAnswers) {
  const request = async (parameters) => {
    const { body } = await connection.send(postRequest(address, `/?${new URLSearchParams(parameters)}`, ""));
    return body;
  };
  const { bytes } = JSON.parse(await request({ ...learned, count: QUESTIONS, seed: SEED }));
  const right = rightAnswers({ ...learned, count: QUESTIONS, seed: SEED });
  for (const [question, answer] of right.entries()) {
    const given = await request({ question, show: 1 });
    if (given !== answer) throw new Error(`question ${question} about ${JSON.stringify(learned)} has another answer`);
  }
  return { request, bytes };
}

/** Milliseconds of each question, without the way there and back. */
async function ask(request, rounds) {
  const timed = async (parameters) => {
    const start = performance.now();
    await request(parameters);
    return performance.now() - start;
  };
  // The compiler that makes fast code starts on what runs often: every question once, a few of them for longer.
  for (let question = 0; question < QUESTIONS; question++) await timed({ question, times: 2 });
  const roughMs = (await timed({ question: 0, times: 10 })) / 10;
  const times = Math.max(1, Math.ceil(REQUEST_MS / roughMs));
  await timed({ question: 1, times });
  const ways = [];
  for (let count = 0; count < QUESTIONS; count++) ways.push(await timed({ question: 0, times: 0 }));
  const ms = new Array(QUESTIONS).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (let question = 0; question < QUESTIONS; question++) {
      ms[question] = Math.min(ms[question], ((await timed({ question, times })) - median(ways)) / times);
    }
  }
  return ms;
}

/** Median milliseconds of the same with difflib: the scan alone, and all of it. `undefined` without python3. */
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

/** Milliseconds of difflib, and how many times as long that is. */
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
 * Measures and prints the tables. Throws when an answer is not the oracle's.
 *
 * @param load loads a TypeScript module of this folder
 * @param large with the stores of a million models
 * @param short with small stores only, and one round
 */
export async function run(load, large, short) {
  const worker = await startWorker();
  const all = large ? [...WORKLOADS, ...LARGE_WORKLOADS] : WORKLOADS;
  const rounds = short ? 1 : ROUNDS;
  try {
    await measurePredictions(worker, load, short ? SHORT_WORKLOADS : all, rounds);
    await measureVectors(worker, load, short ? SHORT_VECTORS : VECTORS, rounds);
  } finally {
    await worker.stop();
  }
}
