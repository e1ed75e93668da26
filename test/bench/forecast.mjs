/**
 * Benchmark of forecasts: how often the first symbol is right, how many bits what came takes, and how far probabilities are from the truth. The
 * sets belong to others and are no part of the repository: they are read from ../shared/next-symbol, and left out where that is missing.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/project.mjs";
import { printTable } from "./table.mjs";

/** Name, file, how many symbols at the end one may be right among, and how many before them are the question. */
const SETS = [
  ["SIGN", "sign.txt", 3, 7],
  ["LEVIATHAN", "leviathan.txt", 1, 5],
];

/** Prints the table. @param load loads a module of TypeScript @param short measures one fold of each set */
export async function run(load, _large, short) {
  const folder = join(ROOT, "..", "shared", "next-symbol");
  if (!existsSync(folder)) {
    console.log("\nforecast: skipped, because the sets are not in ../shared/next-symbol");
    return;
  }
  const { measure } = await load("forecast-sets");
  const module = new WebAssembly.Module(readFileSync(join(ROOT, "build", "kernel.wasm")));
  const rows = SETS.map(([name, file, ends, window]) => {
    const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
    const sequences = lines.map((line) => line.trim().split(/\s+/));
    const { asked, accuracy, logLoss, calibrationError } = measure(
      module,
      { name, sequences, ends, window },
      short ? 1 : 14,
    );
    return { name, asked, accuracy, logLoss, calibrationError };
  });
  const mean = (member) => rows.reduce((sum, row) => sum + row[member], 0) / rows.length;
  const all = {
    name: "mean",
    asked: "",
    accuracy: mean("accuracy"),
    logLoss: mean("logLoss"),
    calibrationError: mean("calibrationError"),
  };
  printTable(
    "forecast",
    ["set", "asked", "accuracy %", "log loss, bits", "calibration error"],
    [...rows, all].map(({ name, asked, accuracy, logLoss, calibrationError }) => [
      name,
      String(asked),
      (accuracy * 100).toFixed(1),
      logLoss.toFixed(2),
      calibrationError.toFixed(3),
    ]),
  );
}
