/**
 * The kernel alone, inside workerd: from a memory to finished predictions over workloads A, B and C, the three nearest of many
 * vectors, and how many bytes it all takes. Beside it the same with Python's difflib, when there is a python3.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { ROOT } from "../../scripts/project.mjs";
import { median, percentile, printTable } from "./table.mjs";

const SEED = 1;
const QUESTIONS = 30;
/** A request repeats its question until it takes about so long, so that the way to workerd and back hardly counts. */
const REQUEST_MS = 15;
/** Each question is asked so often, and the quickest answer counts: what else the machine does is no part of the kernel. */
const ROUNDS = 3;

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
/** Dimensions, vectors, milliseconds. */
const VECTORS = [
  [784, 10_000, 2],
  [64, 100_000, 4],
];
const COMPARED = { workload: "A", models: 10_000, memories: 5 };

async function startWorker() {
  const bundle = await build({
    entryPoints: [join(ROOT, "test", "bench", "kernel-worker.ts")],
    bundle: true,
    format: "esm",
    write: false,
    external: ["*.wasm"],
  });
  const worker = bundle.outputFiles[0]?.text ?? "";
  return new Miniflare({
    modulesRoot: "/",
    modules: [
      { type: "ESModule", path: "/test/bench/kernel-worker.js", contents: worker },
      { type: "CompiledWasm", path: "/build/kernel.wasm", contents: readFileSync(join(ROOT, "build", "kernel.wasm")) },
    ],
    compatibilityDate: "2026-04-20",
    cf: false,
  });
}

/** Milliseconds of each question, without the way there and back. */
async function ask(miniflare, learned) {
  const send = async (parameters) => {
    const reply = await miniflare.dispatchFetch(`http://kernel/?${new URLSearchParams(parameters)}`);
    return reply.json();
  };
  const timed = async (parameters) => {
    const start = performance.now();
    await send(parameters);
    return performance.now() - start;
  };
  const { bytes } = await send({ ...learned, count: QUESTIONS, seed: SEED });
  // The compiler that makes fast code starts on what runs often: every question once, a few of them for longer.
  for (let question = 0; question < QUESTIONS; question++) await send({ question, times: 2 });
  const roughMs = (await timed({ question: 0, times: 10 })) / 10;
  const times = Math.max(1, Math.ceil(REQUEST_MS / roughMs));
  await send({ question: 1, times });
  const ways = [];
  for (let count = 0; count < QUESTIONS; count++) ways.push(await timed({ question: 0, times: 0 }));
  const ms = new Array(QUESTIONS).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (let question = 0; question < QUESTIONS; question++) {
      ms[question] = Math.min(ms[question], ((await timed({ question, times })) - median(ways)) / times);
    }
  }
  return { ms, bytes };
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

async function measurePredictions(miniflare, load, large) {
  const difflib = predictWithDifflib(await load("workload"), await load("knowledge-base"));
  const rows = [];
  for (const [workload, models, target] of large ? [...WORKLOADS, ...LARGE_WORKLOADS] : WORKLOADS) {
    const { ms, bytes } = await ask(miniflare, { workload, models });
    const compared = workload === COMPARED.workload && models === COMPARED.models && difflib !== undefined;
    const ratios = compared ? [difflib.all, difflib.scan].map((other) => againstKernel(other, median(ms))) : ["", ""];
    const size = [(bytes / 1e6).toFixed(1), (bytes / models).toFixed(0)];
    const times = [shown(median(ms)), shown(percentile(ms, 0.9)), String(target)];
    rows.push([workload, String(models), ...times, ...ratios, ...size]);
  }
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

async function measureVectors(miniflare) {
  const rows = [];
  for (const [dimensions, vectors, target] of VECTORS) {
    const { ms, bytes } = await ask(miniflare, { dimensions, vectors });
    const name = `${vectors} x ${dimensions}`;
    rows.push([name, shown(median(ms)), shown(percentile(ms, 0.9)), String(target), (bytes / 1e6).toFixed(1)]);
  }
  printTable(
    `Kernel in workerd: 3 nearest vectors, seed ${SEED}`,
    ["vectors", "p50 ms", "p90 ms", "target", "MB"],
    rows,
  );
}

/** Prints the tables. `large` adds the stores of a million models. */
export async function run(load, large) {
  const miniflare = await startWorker();
  try {
    await measurePredictions(miniflare, load, large);
    await measureVectors(miniflare);
  } finally {
    await miniflare.dispose();
  }
}
