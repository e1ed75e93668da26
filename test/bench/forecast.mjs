/**
 * Benchmark of forecasts: how often the first symbol is right, how many bits what came takes, how far probabilities are from the truth, and how
 * long the kernel takes beside its predictions. The sets belong to others and are no part of the repository: they are read from
 * ../shared/next-symbol, and left out where that is missing.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../scripts/project.mjs";
import { printTable } from "./table.mjs";

/** Name, file, how many symbols at the end one may be right among, and how many before them are the question. */
const SETS = [
  ["SIGN", "sign.txt", 3, 7],
  ["LEVIATHAN", "leviathan.txt", 1, 5],
];
const FOLDER = join(ROOT, "..", "shared", "next-symbol");

/** Workload and models. */
const STORES = [
  ["A", 1_000],
  ["A", 10_000],
  ["A", 100_000],
  ["B", 10_000],
  ["B", 100_000],
  ["C", 100_000],
];
const LARGE_STORES = [
  ["A", 1_000_000],
  ["C", 1_000_000],
];
const SHORT_STORES = [["A", 2_000]];
const QUESTIONS = 60;
const LARGE = 500_000;

/**
 * The accuracies, in percent, that the sets' README gives for the authors' own code on the same folds.
 *
 * @returns by set: the best, as text; nothing where the README has no such table
 */
function bestPeers() {
  const path = join(FOLDER, "README.md");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  const cells = lines.filter((line) => line.startsWith("|")).map((line) => line.split("|").slice(1, -1));
  const texts = cells.map((row) => row.map((cell) => cell.replaceAll("*", "").trim()));
  const head = texts.findIndex(([first, second]) => first === "" && second === "SIGN");
  const rows = head < 0 ? [] : texts.slice(head + 2).filter(([name]) => !/^best/.test(name));
  return (set) => {
    const column = texts[head]?.indexOf(set) ?? -1;
    const found = rows.map((row) => [row[0], Number(row[column])]).filter(([, accuracy]) => accuracy > 0);
    const [peer, accuracy] = found.sort((one, other) => other[1] - one[1])[0] ?? [];
    return accuracy === undefined ? "" : `${accuracy.toFixed(1)} (${peer})`;
  };
}

/** Measures how right forecasts of a set are. */
function qualityOf(measure, module, [name, file, ends, window], folds) {
  const lines = readFileSync(join(FOLDER, file), "utf8").trim().split("\n");
  const sequences = lines.map((line) => line.trim().split(/\s+/));
  return { name, ...measure(module, { name, sequences, ends, window }, folds) };
}

function qualityRow({ name, asked, accuracy, logLoss, calibrationError }, peer) {
  const figures = [(accuracy * 100).toFixed(1), peer, logLoss.toFixed(2), calibrationError.toFixed(3)];
  return [name, String(asked), ...figures];
}

/** Prints how right forecasts are, or why that is not measured. */
async function printQuality(load, module, short) {
  const missing = SETS.map(([, file]) => file).filter((file) => !existsSync(join(FOLDER, file)));
  if (missing.length > 0) {
    console.log(`\nforecast: how right is skipped, because ../shared/next-symbol has no ${missing.join(" and no ")}`);
    return;
  }
  const { measure } = await load("forecast-sets");
  const rows = SETS.map((set) => qualityOf(measure, module, set, short ? 1 : 14));
  const peerOf = bestPeers();
  const mean = (member) => rows.reduce((sum, row) => sum + row[member], 0) / rows.length;
  const means = Object.fromEntries(["accuracy", "logLoss", "calibrationError"].map((member) => [member, mean(member)]));
  printTable(
    `Forecasts: ${short ? "1 fold" : "14 folds"}, one setting`,
    ["set", "asked", "accuracy %", "best peer", "log loss, bits", "calibration error"],
    [...rows.map((row) => qualityRow(row, peerOf(row.name))), qualityRow({ name: "mean", asked: "", ...means }, "")],
  );
}

/** The module that times, as one file like the Worker's: a loop is slower that reads each imported name from the object of its module. */
async function bundledSpeed() {
  const entry = join(ROOT, "test", "bench", "forecast-speed.ts");
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Prints how long forecasts take beside predictions. */
async function printSpeed(module, stores) {
  const { speedOf } = await bundledSpeed();
  const rows = stores.map(([workload, models]) => {
    const { predictions, forecasts } = speedOf(module, workload, models, models > LARGE ? QUESTIONS / 3 : QUESTIONS);
    const figures = forecasts.flatMap((ms) => [ms.toFixed(3), (ms / predictions).toFixed(2)]);
    return [workload, String(models), predictions.toFixed(3), ...figures];
  });
  printTable(
    "Kernel in Node, p50 in ms: 100 predictions for 10 symbols, and forecasts of them, top 10, seed 1",
    ["workload", "models", "predictions", "10 events of 1", "ratio", "2 events of 5", "ratio"],
    rows,
  );
}

/**
 * Prints the tables.
 *
 * @param load loads a module of TypeScript of this folder
 * @param large adds the stores of a million models
 * @param short measures one fold of each set, and one small store
 * @param only the one workload to time, its large stores included, without how right forecasts are; `undefined` does all
 */
export async function run(load, large, short, only) {
  const module = new WebAssembly.Module(readFileSync(join(ROOT, "build", "kernel.wasm")));
  const all = large || only ? [...STORES, ...LARGE_STORES] : STORES;
  const stores = (short ? SHORT_STORES : all).filter(([name]) => !only || name === only);
  if (!only) await printQuality(load, module, short);
  if (stores.length > 0) await printSpeed(module, stores);
  if (!(large || only || short)) console.log("\nforecast: stores of a million models are skipped; --large times them");
}
