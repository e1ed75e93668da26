/**
 * Benchmark of the times in forecasts: how far `when` is from when the next activity of a process comes. The data
 * belong to others and are no part of the repository: what is not there is left out.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/project.mjs";
import { option } from "./options.mjs";
import { printTable } from "./table.mjs";

/** The folder of the data, unless --data or NOEMA_BENCH_DATA names another. */
const FOLDER = join(ROOT, "..", "shared");

/** The logs, with what is published of the LSTM, and the median of the pauses after the last two or three activities. */
const LOGS = [
  { file: "processes/helpdesk.csv", lstm: "3.75", median: "3.68" },
  { file: "processes/bpi_12_w.csv", lstm: "1.56", median: "1.55" },
];

/** Prints the mean absolute error on each log. */
export async function run(load, _large, short) {
  const { measureWhen } = await load("when-sets");
  const folder = option("data") ?? process.env.NOEMA_BENCH_DATA ?? FOLDER;
  const module = await WebAssembly.compile(readFileSync(join(ROOT, "build", "kernel.wasm")));
  const rows = [];
  for (const { file, lstm, median } of LOGS.slice(0, short ? 1 : undefined)) {
    if (!existsSync(join(folder, file))) {
      console.log(`\nwhen: ${file} is skipped, because the folder of the data does not have it`);
      continue;
    }
    const { asked, days, right, within, milliseconds } = measureWhen(module, readFileSync(join(folder, file), "utf8"));
    const shares = [right, within].map((share) => (100 * share).toFixed(1));
    rows.push([file, String(asked), days.toFixed(3), median, lstm, ...shares, milliseconds.toFixed(2)]);
  }
  const head = ["log", "asked", "error, days", "median", "LSTM", "right, %", "within p10 to p90, %", "ms"];
  if (rows.length > 0) printTable("when: the time to the next activity", head, rows);
}
