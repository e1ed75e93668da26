/**
 * Benchmark of sequence-observe with predictions on: how long a sequence takes, and for how many of its records it is not found out whether
 * there is a prediction, because that takes more steps than a request may take for it.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/project.mjs";
import { printTable } from "./table.mjs";

/** Models and symbols of each, and of each sequence; how many different symbols; the gene recall_threshold. */
const LESSONS = [
  [1_900, 498, 100, 0.1],
  [1_900, 498, 20, 0.1],
  [1_900, 498, 100, 0.3],
  [1_900, 498, 20, 0.6],
  [10_000, 30, 100, 0.1],
  [200, 2_000, 20, 0.1],
];
const SHORT_LESSONS = [[300, 100, 20, 0.2]];
const SEQUENCES = 10;
/** The chance that a symbol is the one that usually follows. */
const HABIT = 0.5;

/**
 * Prints the table.
 *
 * @param load loads a module of TypeScript of this folder
 * @param _large is of no use here
 * @param short measures one small lesson
 */
export async function run(load, _large, short) {
  const module = new WebAssembly.Module(readFileSync(join(ROOT, "build", "kernel.wasm")));
  const { measure } = await load("growing-memory");
  const lessons = short ? SHORT_LESSONS : LESSONS;
  const rows = lessons.map(([models, length, symbols, recall]) => {
    const lesson = { models, length, symbols, recall, habit: HABIT, asked: short ? 2 : SEQUENCES };
    const { records, predicted, unknown, wrong, medianMs, mostMs } = measure(module, lesson);
    const counts = [records, predicted, unknown, wrong].map(String);
    return [
      `${models} of ${length}`,
      String(symbols),
      String(recall),
      ...counts,
      medianMs.toFixed(0),
      mostMs.toFixed(0),
    ];
  });
  const columns = ["models", "symbols", "recall", "records", "predicted", "not found out", "wrong", "p50 ms", "max ms"];
  printTable("Sequence-observe with predictions on, in Node; sequences as long as the models, seed 4", columns, rows);
}
