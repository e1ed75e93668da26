/**
 * Benchmark of forecasts: how often the first symbol is right, how many bits what came takes, and how far probabilities
 * are from the truth, beside simpler predictors; and how long the kernel takes beside its predictions. The sets belong
 * to others and are no part of the repository: what is not there is left out.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../scripts/project.mjs";
import { countOption, option } from "./options.mjs";
import { printTable } from "./table.mjs";

/** The folder of the sets, unless --data or NOEMA_BENCH_DATA names another. */
const FOLDER = join(ROOT, "..", "shared");

/** What --short measures: one fold, and one in this many questions. */
const SHORT_SETS = "SIGN,SIGN-middle,helpdesk";
const SHORT_PART = 10;

/** What --constants measures: one of each kind. */
const CONSTANTS_SETS = "helpdesk,visits,SIGN,SIGN-middle";

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

const shown = (value, digits) => (value === undefined ? "" : value.toFixed(digits));
const percent = (share) => shown(share === undefined ? undefined : 100 * share, 2);

function qualityRow(set, quality) {
  const { name, asked, accuracy, hitRate, reciprocalRank, logLoss, calibrationError, learnMs, askMs } = quality;
  const lists = [percent(hitRate), percent(reciprocalRank)];
  const errors = [shown(calibrationError, 3), shown(quality.chanceError, 3)];
  const figures = [percent(accuracy), ...lists, shown(logLoss, 3), ...errors];
  return [set, name, String(asked), ...figures, shown(learnMs, 2), shown(askMs, 2)];
}

/**
 * The sets to measure.
 *
 * @param names those that are asked for, joined by commas; `undefined` for all but the optional ones
 * @throws Error that names the sets when one is not known
 */
function chosen(all, names) {
  if (names === undefined) return all.filter(({ isOptional }) => isOptional !== true);
  return names.split(",").map((name) => {
    const set = all.find((each) => each.name === name);
    if (set === undefined)
      throw new Error(`--sets must be some of ${all.map((each) => each.name).join(",")}, got ${name}`);
    return set;
  });
}

/** The sets that are asked for and there, and how much of them is measured. Says which are not there. */
async function setsToMeasure(load, short, names) {
  const { FORECAST_SETS } = await load("forecast-data");
  const folder = option("data") ?? process.env.NOEMA_BENCH_DATA ?? FOLDER;
  const folds = countOption("folds", short ? 1 : 14);
  const part = countOption("part", short ? SHORT_PART : 1);
  const sets = chosen(FORECAST_SETS, option("sets") ?? names).filter(({ name, files }) => {
    const missing = files.filter((file) => !existsSync(join(folder, file)));
    if (missing.length === 0) return true;
    console.log(`\nforecast: ${name} is skipped, because the folder of the data has no ${missing.join(" and no ")}`);
    return false;
  });
  const taken = folds === 1 ? "1 fold" : `up to ${folds} folds`;
  const extent = `${taken}, ${part === 1 ? "all questions" : `one question in ${part}`}`;
  return { sets, extent, measured: { textOf: (file) => readFileSync(join(folder, file), "utf8"), folds, part } };
}

const signed = (value, digits) => `${value < 0 ? "" : "+"}${value.toFixed(digits)}`;
const rightOf = ({ hitRate, accuracy }) => 100 * (hitRate ?? accuracy);

/** What a variation changes of a quality: in percentage points, bits, and the calibration error as it is then. */
function differences(quality, standard) {
  const points = signed(rightOf(quality) - rightOf(standard), 2);
  return [points, signed(quality.logLoss - standard.logLoss, 3), shown(quality.calibrationError, 3)];
}

/** Prints what each constant of the estimator costs when it is doubled and halved. */
async function printConstants(load, module) {
  const { sets, extent, measured } = await setsToMeasure(load, false, CONSTANTS_SETS);
  if (sets.length === 0) return;
  const { measure, variations } = await load("forecast-sets");
  const of = (estimator) => sets.map((set) => measure(module, set, { ...measured, isAlone: true, estimator })[0]);
  const standard = of(undefined);
  const asItIs = standard.flatMap((quality) => [
    rightOf(quality).toFixed(2),
    shown(quality.logLoss, 3),
    shown(quality.calibrationError, 3),
  ]);
  const names = option("constants")?.split(",");
  const varied = variations().filter(({ name }) => names === undefined || names.includes(name));
  const rows = varied.map(({ name, by, value, estimator }) => {
    const figures = of(estimator).flatMap((quality, at) => differences(quality, standard[at]));
    return [`${name} ${by}`, String(value), ...figures];
  });
  const columns = sets.flatMap(({ name, list }) => [
    `${name}: ${list > 0 ? `HR@${list}` : "first right"} %`,
    "log loss",
    "calibration error",
  ]);
  printTable(
    `Constants of the estimator, doubled and halved: differences of accuracy and log loss; ${extent}`,
    ["constant", "value", ...columns],
    [["as they are", "", ...asItIs], ...rows],
  );
}

/** Prints how right forecasts are, or why that is not measured. */
async function printQuality(load, module, short) {
  const { sets, extent, measured } = await setsToMeasure(load, short, short ? SHORT_SETS : undefined);
  const { measure } = await load("forecast-sets");
  const rows = sets.flatMap((set) => measure(module, set, measured).map((quality) => qualityRow(set.name, quality)));
  if (rows.length === 0) return;
  printTable(
    `Forecasts: ${extent}, one setting`,
    [
      "set",
      "by",
      "asked",
      "first right %",
      "HR@20 %",
      "MRR@20 %",
      "log loss, bits",
      "calibration error",
      "by chance",
      "learn ms",
      "ask ms",
    ],
    rows,
  );
}

/**
 * The module that times, as one file like the Worker's: a loop is slower that reads each imported name from the object
 * of its module.
 */
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
 * @param only the one workload to time, its large stores included, without how right forecasts are; `undefined` does
 *   all
 */
export async function run(load, large, short, only) {
  const module = new WebAssembly.Module(readFileSync(join(ROOT, "build", "kernel.wasm")));
  const all = large || only ? [...STORES, ...LARGE_STORES] : STORES;
  const stores = (short ? SHORT_STORES : all).filter(([name]) => !only || name === only);
  if (process.argv.some((word) => /^--constants(=|$)/.test(word))) return printConstants(load, module);
  if (!only) await printQuality(load, module, short);
  if (option("sets") !== undefined) return;
  if (stores.length > 0) await printSpeed(module, stores);
  if (!(large || only || short)) console.log("\nforecast: stores of a million models are skipped; --large times them");
}
