/**
 * Has a processor learn the telemetry of a machine, and report how unexpected further readings are. A reading is sent
 * raw: its state as a symbol, its sensors as numbers, which the processor's encoders turn into bins. Learned are
 * windows of the latest readings, one after each reading.
 */

import {
  changeGenes,
  putEncoder,
  startAutolearning,
  startPredicting,
  stopAutolearning,
  stopPredicting,
  stream,
} from "noema/client";

/**
 * How many readings a window has, two hours and a half: longer than any step of the machine's
 * program and the one before it.
 */
export const WINDOW = 12;

const GENES = {
  auto_learn_metric: "wm_size",
  max_sequence_length: WINDOW,
  wm_mode: "rolling",
  wm_resolution: "event",
};

/** How wide the bins of each sensor are, in its unit. */
const BINS = { temperature: 5, vibration: 1, current: 4 };

/** How many symbols a forecast names: more than the machine has. */
const ALL_SYMBOLS = 200;

/** What the symbols of states begin with. */
const STATE = "state=";

/** How many records wait for the server while it learns. */
const BUFFER = 2_000;

/**
 * @typedef {import("./machine-telemetry.mjs").Reading} Reading
 *
 * @typedef {object} Judgement what the processor says of a reading
 * @property {Reading} reading
 * @property {import("noema/client").Schemas.Surprise | null} surprise null for the first one
 * @property {string | undefined} expected what it held for the most probable, such as a state
 * @property {number} probability what it gave to what came; 0 for none
 * @property {number} none what it left for something unknown
 */

/** The parts of a reading's symbol: its state, and a bin for each sensor, such as `temperature=20` for 20 up to 25. */
export function symbolsOf(reading) {
  const bins = Object.entries(BINS).map(([name, size]) => `${name}=${size * Math.floor(reading[name] / size)}`);
  return [`${STATE}${reading.state}`, ...bins];
}

/** What the joint symbol of a reading, or the symbol of its state, says of the state. */
function stateIn(symbol) {
  return symbol.startsWith(STATE) ? symbol.split(" ", 1)[0].slice(STATE.length) : undefined;
}

/**
 * How a reading becomes a record, and which part of it is forecast.
 *
 * @template Source
 * @typedef {object} Shape
 * @property {Record<string, number>} bins how wide the bins of its numbers are, by their names
 * @property {(reading: Source) => import("noema/client").Gdf} recordOf
 * @property {(reading: Source) => string} wantedOf what is to be forecast of it
 * @property {(symbol: string) => string | undefined} wantedIn what of this a symbol says; undefined for nothing
 */

/**
 * The shapes of a machine's readings.
 *
 * - `sensors`: its state is a symbol, and its sensors are numbers. The encoders make a symbol of each.
 * - `joint`: all of it is one symbol.
 *
 * @type {Record<"sensors" | "joint", Shape<Reading>>}
 */
export const SHAPES = {
  sensors: {
    bins: BINS,
    recordOf: ({ state, temperature, vibration, current }) => ({
      strings: [`${STATE}${state}`],
      numbers: { temperature, vibration, current },
    }),
    wantedOf: ({ state }) => state,
    wantedIn: stateIn,
  },
  joint: {
    bins: {},
    recordOf: (reading) => ({ strings: [symbolsOf(reading).join(" ")] }),
    wantedOf: ({ state }) => state,
    wantedIn: stateIn,
  },
};

/**
 * Learns readings, in order, over a stream.
 *
 * @param {import("noema/client").Processor} p1
 * @param {Reading[]} readings
 * @param {(learned: number) => void} onLearned called now and then with the number learned
 * @param {Shape<any>} [shape]
 */
export async function learnReadings(p1, readings, onLearned, { bins, recordOf } = SHAPES.joint) {
  for (const [name, size] of Object.entries(bins)) await putEncoder(p1, name, { kind: "step", size });
  await changeGenes(p1, GENES);
  // The predictions are not read meanwhile.
  await stopPredicting(p1);
  await startAutolearning(p1);
  const link = stream(p1, { source: "machine", buffer: BUFFER });
  let learned = 0;
  const calls = [];
  for (const reading of readings) {
    await link.ready;
    calls.push(link.observe(recordOf(reading), { brief: true }).then(() => onLearned(++learned)));
  }
  await Promise.all(calls);
  await link.observe([], { clear: true });
  await link.close();
  await stopAutolearning(p1);
  await startPredicting(p1);
}

/**
 * Observes readings, one frame each, and learns nothing.
 *
 * @param {import("noema/client").Processor} p1
 * @param {Iterable<Reading>} readings
 * @param {Shape<any>} [shape] as they were learned
 * @returns {AsyncGenerator<Judgement>} the processor's judgement of each, as soon as it arrives
 */
export async function* judgeReadings(p1, readings, { recordOf, wantedOf, wantedIn } = SHAPES.joint) {
  const link = stream(p1, { source: "machine" });
  let next;
  try {
    await link.observe([], { clear: true });
    for (const reading of readings) {
      const options = { explain: true, forecast: { top: ALL_SYMBOLS } };
      const { observed, forecast } = await link.observe(recordOf(reading), options);
      const wanted = byWanted(next?.symbols ?? [], wantedIn);
      yield {
        reading,
        surprise: observed?.[0]?.surprise ?? null,
        expected: [...wanted].sort(([, one], [, other]) => other - one)[0]?.[0],
        probability: wanted.get(wantedOf(reading)) ?? 0,
        none: next?.none ?? 1,
      };
      next = forecast?.steps[0];
    }
  } finally {
    await link.close();
  }
}

/** The probabilities of what is to be forecast, from those of the symbols that say it. */
function byWanted(symbols, wantedIn) {
  const wanted = new Map();
  for (const { symbol, probability } of symbols) {
    const said = wantedIn(symbol);
    if (said !== undefined) wanted.set(said, (wanted.get(said) ?? 0) + probability);
  }
  return wanted;
}
