/**
 * Benchmark of surprise: how well the telemetry of a machine is forecast, and how well surprise finds its faults, compared with Markov chains
 * that learned the same readings. Prints whether it is as good as the best of them; a worse result does not fail the run.
 */

import { connect, processor } from "noema/client";
import { bestOf, judgedBy, markovMeasures, measuresOf } from "../../scripts/demos/machine-measures.mjs";
import { judgeReadings, learnReadings } from "../../scripts/demos/machine-observer.mjs";
import { PER_DAY, readingsOf } from "../../scripts/demos/machine-telemetry.mjs";
import { PROCESSOR } from "../../scripts/project.mjs";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";
import { serveNoema } from "./served.mjs";
import { median, percentile, printTable } from "./table.mjs";

const DAYS = { training: 20, normal: 5, watched: 10 };
const SHORT_DAYS = { training: 4, normal: 1, watched: 1 };
const SEEDS = { training: 11, normal: 12, watched: 13 };

/** How often a fault begins: about three times a day. */
const FAULTS = 0.01;

/** How far below the best chain the accuracy may be, in percentage points. */
const POINTS = 1;

function daysOf(counts) {
  const of = (name, faults) => readingsOf(counts[name] * PER_DAY, SEEDS[name], faults);
  return { training: of("training"), normal: of("normal"), watched: of("watched", FAULTS) };
}

/** How readings become records, and what the tables call it. */
const NAMES = { joint: "Noema, one symbol a reading", sensors: "Noema, four symbols a reading" };

/** What a processor says of the days, and how long it takes for a reading. */
async function ask({ training, normal, watched }, shape) {
  const server = await serveNoema();
  try {
    const p1 = processor(connect({ address: server.address, key: LOCAL_KEY }), PROCESSOR);
    const begun = performance.now();
    await learnReadings(p1, training, () => {}, shape);
    const learning = (performance.now() - begun) / training.length;
    const times = [];
    const judge = async (readings) => {
      const judgements = [];
      let last = performance.now();
      for await (const judgement of judgeReadings(p1, readings, shape)) {
        judgements.push(judgement);
        times.push(performance.now() - last);
        last = performance.now();
      }
      return judgedBy(judgements, training);
    };
    const measures = measuresOf(NAMES[shape], await judge(normal), await judge(watched));
    return { measures, learning, p50: median(times), p99: percentile(times, 0.99) };
  } finally {
    await server.stop();
  }
}

const percent = (share) => (100 * share).toFixed(1);

function rowOf({ name, accuracy, logLoss, area, threshold, alarms, precision, recall }) {
  return [
    name,
    percent(accuracy),
    logLoss.toFixed(3),
    area.toFixed(3),
    threshold.toFixed(1),
    String(alarms),
    percent(precision),
    percent(recall),
  ];
}

/** @param {unknown} _load @param {boolean} _large @param {boolean} short fewer days */
export async function run(_load, _large, short) {
  const counts = short ? SHORT_DAYS : DAYS;
  const days = daysOf(counts);
  const faults = days.watched.filter(({ fault }) => fault !== undefined).length;
  const said = [];
  for (const shape of Object.keys(NAMES)) said.push(await ask(days, shape));
  const best = bestOf(markovMeasures(days));
  const chains = [...new Set([best.accuracy, best.logLoss, best.area])];
  printTable(
    `Surprise: ${days.training.length} readings learned, ${days.normal.length} normal ones for the threshold, ` +
      `${days.watched.length} watched, ${faults} of them faults`,
    ["", "next state, %", "log loss, bits", "PR area", "threshold", "alarms", "precision, %", "recall, %"],
    [...said.map(({ measures }) => measures), ...chains].map(rowOf),
  );
  printTable(
    "As good as the best chain of each measure",
    ["", "measure", "at least", "Noema", "met"],
    said.flatMap(({ measures }) => comparedWith(best, measures)),
  );
  printTable(
    "Milliseconds over a stream, one frame at a time",
    ["", "to learn a reading", "to observe, explain and forecast, p50", "p99"],
    said.map(({ measures, learning, p50, p99 }) => [
      measures.name,
      learning.toFixed(2),
      p50.toFixed(2),
      p99.toFixed(2),
    ]),
  );
}

/** Whether measures are as good as those of the best chains. */
function comparedWith(best, { name, accuracy, logLoss, area }) {
  const met = (isMet) => (isMet ? "yes" : "NO");
  const least = best.accuracy.accuracy - POINTS / 100;
  return [
    [name, "next state, %", percent(least), percent(accuracy), met(accuracy >= least)],
    [
      name,
      "log loss, bits (at most)",
      best.logLoss.logLoss.toFixed(3),
      logLoss.toFixed(3),
      met(logLoss <= best.logLoss.logLoss),
    ],
    [name, "PR area", best.area.area.toFixed(3), area.toFixed(3), met(area >= best.area.area)],
  ];
}
