/**
 * Benchmark of whole sequences: how well `surprise/sequence` finds abnormal blocks of a log, and faults made in cases of processes, and how many
 * forecasts' time it takes. The data belong to others and are no part of the repository: what is not there is left out.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROCESSOR, ROOT } from "../../scripts/project.mjs";
import { postRequest } from "./connection.mjs";
import { loadKnowledge } from "./knowledge-transfer.mjs";
import { option } from "./options.mjs";
import { measureRound } from "./round.mjs";
import { serveNoema } from "./served.mjs";
import { median, printTable } from "./table.mjs";

/** The folder of the data, unless --data or NOEMA_BENCH_DATA names another. */
const FOLDER = join(ROOT, "..", "shared");

const LOGS = ["logs/normal.txt", "logs/abnormal.txt"];
const PROCESSES = ["processes/helpdesk.csv", "processes/bpi_12_w.csv", "processes/bpi_13_incidents.csv"];

/** How many sequences are learned before verdicts are timed. */
const MODELS = [1_000, 20_000];
const MANY_MODELS = 100_000;

/** Rounds over HTTP, after one that warms up. */
const ROUNDS = 7;

/**
 * The time of a verdict and of a forecast over HTTP, one under way, in turns: the medians of some rounds' medians, and
 * of the server's processor time.
 */
async function measureServed({ requestsOf }, models, rounds) {
  const { knowledge, verdicts, forecasts } = requestsOf(models);
  const server = await serveNoema();
  try {
    await loadKnowledge(server.address, knowledge);
    const all = { verdict: [], forecast: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const [name, operation, bodies] of [
        ["verdict", "surprise/sequence", verdicts],
        ["forecast", "forecast", forecasts],
      ]) {
        const requests = bodies.map((body) => postRequest(server.address, `/${PROCESSOR}/${operation}`, body));
        const { p50, cpu } = await measureRound(server, [requests]);
        if (round > 0) all[name].push({ p50, cpu });
      }
    }
    const of = (name, figure) => median(all[name].map((each) => each[figure]));
    return ["p50", "cpu"].flatMap((figure) => {
      const [verdict, forecast] = [of("verdict", figure), of("forecast", figure)];
      return [verdict.toFixed(2), forecast.toFixed(2), (verdict / forecast).toFixed(1)];
    });
  } finally {
    await server.stop();
  }
}

/** Prints F1 on the log, for each process and fault the areas under the curves, and the processor time of a verdict. */
export async function run(load, large, short) {
  const { measureBlocks, measureProcess } = await load("sequence-sets");
  const folder = option("data") ?? process.env.NOEMA_BENCH_DATA ?? FOLDER;
  const textOf = (file) => readFileSync(join(folder, file), "utf8");
  const isThere = (file) => {
    const found = existsSync(join(folder, file));
    if (!found) console.log(`\nsequences: ${file} is skipped, because the folder of the data does not have it`);
    return found;
  };
  const module = await WebAssembly.compile(readFileSync(join(ROOT, "build", "kernel.wasm")));
  if (!short && LOGS.filter(isThere).length === LOGS.length) {
    const { f1, falseAlarms, found, threshold } = measureBlocks(module, textOf);
    const row = [f1.toFixed(4), String(falseAlarms), String(found), threshold.toFixed(2)];
    printTable("sequences: abnormal blocks of HDFS", ["F1", "false alarms", "found", "bits"], [row]);
  }
  const rows = [];
  for (const file of PROCESSES.slice(0, short ? 1 : undefined).filter(isThere)) {
    for (const { fault, areas } of measureProcess(module, textOf, file)) {
      const figures = [areas.verdict, areas.counts, areas.mean, areas.greatest].map((area) => area.toFixed(3));
      rows.push([file, fault, ...figures]);
    }
  }
  const head = ["process", "fault", "bits", "counts alone", "mean surprise", "greatest surprise"];
  if (rows.length > 0) printTable("sequences: area under the curve", head, rows);
  const { speedOf, requestsOf } = await load("sequence-speed");
  const counts = short ? MODELS.slice(0, 1) : [...MODELS, ...(large ? [MANY_MODELS] : [])];
  const speeds = counts.map((models) => {
    const { evidence, series, forecast } = speedOf(module, models);
    const all = evidence + series;
    return [
      String(models),
      ...[all, evidence, series, forecast].map((ms) => ms.toFixed(2)),
      (all / forecast).toFixed(1),
    ];
  });
  const figures = ["models", "verdict", "evidence", "surprises", "forecast", "verdict / forecast"];
  printTable("sequences: processor time in Node of a verdict on 50 events, and of a forecast, in ms", figures, speeds);
  const served = [];
  for (const models of counts) {
    served.push([String(models), ...(await measureServed({ requestsOf }, models, short ? 1 : ROUNDS))]);
  }
  const columns = ["models", "verdict", "forecast", "ratio", "verdict, CPU", "forecast, CPU", "ratio"];
  printTable(
    "sequences: over HTTP, a verdict on 50 events and a forecast, p50 and processor time in ms",
    columns,
    served,
  );
}
