/**
 * Benchmark of surprise: how well the telemetry of a generated machine, and two generated streams of single numbers,
 * are forecast, and how well surprise finds their faults, compared with Markov chains with back-off that learned the
 * same readings, and with a check of the range. Prints whether it is as good as the best chain; a worse result does not
 * fail the run.
 */

import { connect, processor } from "noema/client";
import { bestOf, judgedBy, markovMeasures, measuresOf } from "../../scripts/demos/machine-measures.mjs";
import { judgeReadings, learnReadings, SHAPES } from "../../scripts/demos/machine-observer.mjs";
import { PER_DAY, readingsOf } from "../../scripts/demos/machine-telemetry.mjs";
import { PROCESSOR } from "../../scripts/project.mjs";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";
import { BIN, numbersOf } from "./number-streams.mjs";
import { countOption, option } from "./options.mjs";
import { serveNoema } from "./served.mjs";
import { median, percentile, printTable } from "./table.mjs";

const DAYS = { training: 20, normal: 5, watched: 10 };
const SHORT_DAYS = { training: 2, normal: 1, watched: 1 };
const SEEDS = { training: 11, normal: 12, watched: 13 };

/**
 * Other seeds: what is learned and watched is made anew, because one fault more or less that stands out moves the area
 * by more than estimators differ.
 *
 * @param {number} number 1 or more
 */
function otherSeeds(number) {
  return { training: 1_000_003 * number + 7, normal: 2_000_003 * number + 11, watched: 3_000_017 * number + 13 };
}

/**
 * How often a fault of the machine begins, and how often a phase of a stream of numbers begins with one: about three
 * times a day.
 */
const FAULTS = 0.01;
const NUMBER_FAULTS = 0.1;

/** How far below the best chain the accuracy may be, in percentage points. */
const POINTS = 1;

/** What the numbers of a stream become: the lower edge of a bin, as the processor's encoder has it. */
const LEVEL = "level";
const levelOf = ({ value }) => `${LEVEL}=${BIN * Math.floor(value / BIN)}`;

/** @type {import("../../scripts/demos/machine-observer.mjs").Shape<import("./number-streams.mjs").NumberReading>} */
const NUMBERS = {
  bins: { [LEVEL]: BIN },
  recordOf: ({ value }) => ({ strings: [], numbers: { [LEVEL]: value } }),
  wantedOf: levelOf,
  wantedIn: (symbol) => symbol,
};

const numbersWith = (drifts) => (count, seed, isFaulty) =>
  numbersOf(count, seed, { drifts, faults: isFaulty ? NUMBER_FAULTS : 0 });

/**
 * What is watched: the readings, how they become records, and the values of the chains. Where several have the same
 * readings, the chains are compared once.
 *
 * @type {Record<string, { readings: (count: number, seed: number, isFaulty: boolean) => object[], shapes:
 *   Record<string, object> }>}
 */
const SOURCES = {
  machine: {
    readings: (count, seed, isFaulty) => readingsOf(count, seed, isFaulty ? FAULTS : 0),
    shapes: { "one symbol a reading": SHAPES.joint, "four symbols a reading": SHAPES.sensors },
  },
  daily: { readings: numbersWith(false), shapes: { "a number with a daily rhythm": NUMBERS } },
  drift: { readings: numbersWith(true), shapes: { "the same with a slow drift": NUMBERS } },
};
const NUMBER_CHAINS = { numbers: (reading) => [levelOf(reading)] };

function daysOf({ readings }, counts, seeds) {
  const of = (name, isFaulty) => readings(counts[name] * PER_DAY, seeds[name], isFaulty);
  return { training: of("training", false), normal: of("normal", false), watched: of("watched", true) };
}

/** What a processor says of the days, and how long it takes for a reading. */
async function ask(name, { training, normal, watched }, shape) {
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
      return judgedBy(judgements, training, shape.wantedOf);
    };
    const measures = measuresOf(`Noema, ${name}`, await judge(normal), await judge(watched));
    return { measures, learning, p50: median(times), p99: percentile(times, 0.99) };
  } finally {
    await server.stop();
  }
}

/**
 * What a check of the range says: how far a number is below the least, or above the greatest, that was learned. It
 * forecasts nothing.
 */
function rangeMeasures({ training, normal, watched }) {
  const values = training.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const judged = ({ value, fault }) => ({
    isRight: false,
    loss: Number.NaN,
    bits: Math.max(0, least - value, value - most),
    isFault: fault !== undefined,
  });
  return { ...measuresOf("a check of the range", normal.map(judged), watched.map(judged)), accuracy: Number.NaN };
}

const shown = (value, text) => (Number.isNaN(value) ? "" : text(value));
const percent = (share) => shown(share, (value) => (100 * value).toFixed(1));
const fixed = (value, digits) => shown(value, (number) => number.toFixed(digits));

function rowOf({ name, accuracy, logLoss, area, threshold, alarms, precision, recall }) {
  const found = [String(alarms), percent(precision), percent(recall)];
  return [name, percent(accuracy), fixed(logLoss, 3), fixed(area, 3), threshold.toFixed(1), ...found];
}

/** Measures one source. @returns what was said of it, and the best chain of each measure */
async function watch(source, counts, seeds) {
  const days = daysOf(source, counts, seeds);
  const said = [];
  for (const [name, shape] of Object.entries(source.shapes)) said.push(await ask(name, days, shape));
  const isMachine = source === SOURCES.machine;
  const best = bestOf(isMachine ? markovMeasures(days) : markovMeasures(days, NUMBER_CHAINS));
  const others = [...new Set([best.accuracy, best.logLoss, best.area])];
  if (!isMachine) others.push(rangeMeasures(days));
  const faults = days.watched.filter(({ fault }) => fault !== undefined).length;
  printTable(
    `Surprise: ${days.training.length} readings learned, ${days.normal.length} normal ones for the threshold, ` +
      `${days.watched.length} watched, ${faults} of them faults`,
    ["", "next state, %", "log loss, bits", "PR area", "threshold", "alarms", "precision, %", "recall, %"],
    [...said.map(({ measures }) => measures), ...others].map(rowOf),
  );
  return { said, best };
}

/** The sources that --sets names, or all. @throws Error that names the sources when one is not known */
function chosen() {
  return (option("sets")?.split(",") ?? Object.keys(SOURCES)).map((name) => {
    const source = SOURCES[name];
    if (source === undefined) throw new Error(`--sets must be some of ${Object.keys(SOURCES).join(",")}, got ${name}`);
    return source;
  });
}

/** @param {unknown} _load @param {boolean} _large @param {boolean} short fewer days */
export async function run(_load, _large, short) {
  const [counts, draws] = [short ? SHORT_DAYS : DAYS, countOption("seeds", 1)];
  const watched = [];
  for (const source of chosen()) {
    const drawn = [];
    for (let number = 0; number < draws; number++) {
      drawn.push(await watch(source, counts, number === 0 ? SEEDS : otherSeeds(number)));
    }
    watched.push(drawn[0]);
    if (draws > 1) printSpread(drawn);
  }
  printTable(
    "As good as the best chain of each measure",
    ["", "measure", "at least", "Noema", "met"],
    watched.flatMap(({ said, best }) => said.flatMap(({ measures }) => comparedWith(best, measures))),
  );
  printTable(
    "Milliseconds over a stream, one frame at a time",
    ["", "to learn a reading", "to observe, explain and forecast, p50", "p99"],
    watched.flatMap(({ said }) =>
      said.map(({ measures, learning, p50, p99 }) => [
        measures.name,
        learning.toFixed(2),
        p50.toFixed(2),
        p99.toFixed(2),
      ]),
    ),
  );
}

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Of several draws the mean of each measure and, after ±, how far single draws are from it: the standard deviation. A
 * draw without a fault has no area.
 */
function printSpread(drawn) {
  const spread = (all, digits) => {
    const values = all.filter((value) => !Number.isNaN(value));
    const mean = meanOf(values);
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    return shown(variance, () => `${mean.toFixed(digits)} ± ${Math.sqrt(variance).toFixed(digits)}`);
  };
  const rowsOf = ({ measures: { name } }, at) => {
    const areas = drawn.map(({ said }) => said[at].measures.area);
    const beyond = drawn.map(({ best }, draw) => areas[draw] - best.area.area);
    const all = drawn.map(({ said }) => said[at].measures);
    return [
      name,
      spread(
        all.map(({ accuracy }) => 100 * accuracy),
        1,
      ),
      spread(
        all.map(({ logLoss }) => logLoss),
        3,
      ),
      spread(areas, 3),
      spread(beyond, 3),
    ];
  };
  printTable(
    `The same with ${drawn.length} draws of all readings`,
    ["", "next state, %", "log loss, bits", "PR area", "area beyond the best chain of each draw"],
    drawn[0].said.map(rowsOf),
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
