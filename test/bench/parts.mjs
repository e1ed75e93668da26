/**
 * Benchmark of a knowledge that is split over parts: the processor time of a prediction and of a forecast, of all parts and the head
 * together, and of the slowest part and the head, against one kernel that has the models of a part; and what a part takes to learn a model,
 * and to be filled. Parts are kernels of this process. Where
 * one kernel can have all models, its answers are compared.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/project.mjs";
import { countOption } from "./options.mjs";
import { printTable } from "./table.mjs";

const PARTS = [1, 2, 4, 8, 16];
const MODELS = 625_000;
const QUESTIONS = 20;
const SHORT = { models: 2_000, questions: 3, parts: [1, 2, 3] };

/**
 * Prints the tables. `--models=` says how many models a part has, `--parts=` how many parts there are at most.
 *
 * @param load loads a module of TypeScript of this folder
 * @param _large is of no use here
 * @param short measures few models
 * @param workload A or C; both when absent
 */
export async function run(load, _large, short, workload) {
  const module = new WebAssembly.Module(readFileSync(join(ROOT, "build", "kernel.wasm")));
  const { SplitBench } = await load("parts");
  const workloads = await load("workload");
  const models = countOption("models", short ? SHORT.models : MODELS);
  const most = countOption("parts", Math.max(...PARTS));
  const counts = (short ? SHORT.parts : PARTS).filter((parts) => parts <= most);
  for (const name of workload === undefined ? ["A", "C"] : [workload]) {
    const bench = new SplitBench(module, workloads[name], models, short ? SHORT.questions : QUESTIONS);
    const rows = counts.map((parts) => rowOf(bench.measure(parts)));
    const columns = [
      "parts",
      "predict ms",
      "of its share",
      "slowest and head",
      "forecast ms",
      "of its share",
      "slowest and head",
      "MB a part",
      "learn µs",
      "fill ms",
    ];
    printTable(`${models} models of workload ${name} a part; processor time, in Node, seed 1`, columns, rows);
  }
}

/** Milliseconds in all; that against as many single kernels as there are parts; and the slowest part with the head against one. */
function rowOf({ parts, predict, forecast, bytesOfAPart, learnUs, fillMs }) {
  const cells = ({ all, slowestAndHead, share }) => [
    all.toFixed(1),
    (all / (parts * share)).toFixed(2),
    (slowestAndHead / share).toFixed(2),
  ];
  const ofAPart = [(bytesOfAPart / 1e6).toFixed(0), learnUs.toFixed(1), fillMs.toFixed(0)];
  return [String(parts), ...cells(predict), ...cells(forecast), ...ofAPart];
}
