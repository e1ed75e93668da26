/**
 * Benchmark of a stream without an end: a week of a machine that is measured once a second, through one processor whose memory rolls on and
 * whose models are limited, so that every reading is learned and soon every learning forgets. Of half of the readings it asks how unexpected
 * they are. Prints a row for each tenth of the week. It fails if a counter is wrong at the end, there are too many models, a reading has
 * no surprise, or a restarted server answers anything else.
 */

import { PROCESSOR } from "../../scripts/project.mjs";
import { call, callAt } from "./client.mjs";
import { cpuMs, currentMegabytes } from "./process-usage.mjs";
import { serveNoema } from "./served.mjs";
import { StreamConnection } from "./stream-connection.mjs";
import { percentile, printTable } from "./table.mjs";

const SEED = 15;
const READINGS = 604_800;
const SHORT_READINGS = 7_200;
const MAX_MODELS = 10_000;
const SHORT_MAX_MODELS = 500;
const WINDOW = 5;
const TENTHS = 10;
/** Readings of a frame, as of a device that sends once a minute. */
const PER_FRAME = 60;
const UNDER_WAY = 4;
/** In each tenth this many readings are sent alone, one after the other, and measured. */
const ALONE = 500;
const SHORT_ALONE = 120;
const QUESTIONS = 20;
const STREAM = `/${PROCESSOR}/stream?source=machine`;

function frame(readings) {
  return `"observe":${readings.length === 1 ? readings[0] : `[${readings.join(",")}]`},"brief":true`;
}

/** The same, answered with the surprise of each reading. */
function explainedFrame(readings) {
  return `"observe":[${readings.join(",")}],"explain":true`;
}

const UNEXPLAINED = '"surprise":null';

/** Throws where a reading has no surprise. */
function assertExplained(answer) {
  if (answer.includes(UNEXPLAINED)) throw new Error(`a reading has no surprise: ${answer}`);
}

/** Sends readings in frames. Returns how many a second were answered. */
async function sendTogether(stream, next, count, frameOf, hear) {
  const frames = [];
  for (let sent = 0; sent < count; sent += PER_FRAME) {
    frames.push(frameOf(Array.from({ length: Math.min(PER_FRAME, count - sent) }, next)));
  }
  const start = performance.now();
  await stream.send(frames, UNDER_WAY, hear);
  return count / ((performance.now() - start) / 1000);
}

/**
 * Sends a tenth of the readings: the first half in frames, the others in frames that ask for surprise, but for the last
 * ones, which are sent alone.
 */
async function sendTenth(server, stream, next, count, alone) {
  const half = Math.floor(count / 2);
  const rate = await sendTogether(stream, next, half, frame);
  const cpuBefore = cpuMs(server.pid);
  const explainedRate = await sendTogether(stream, next, count - half - alone, explainedFrame, assertExplained);
  const explainedCpu = (cpuMs(server.pid) - cpuBefore) / (count - half - alone);
  const times = await stream.send(
    Array.from({ length: alone }, () => frame([next()])),
    1,
  );
  const { message: usage } = JSON.parse(await callAt(server.address, "processors", "", "GET"));
  const { models, symbols, memory_bytes, storage_bytes } = usage.find(({ id }) => id === PROCESSOR);
  return {
    rate,
    explainedRate,
    explainedCpu,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    models,
    symbols,
    kernel: memory_bytes / 1e6,
    database: storage_bytes / 1e6,
    process: currentMegabytes(server.pid),
  };
}

/** The predictions for some sequences of the machine, as text. */
async function answersOf(address, { Sensor, symbolsOf }) {
  const sensor = new Sensor(SEED + 1);
  const answers = [];
  for (let at = 0; at < QUESTIONS; at++) {
    const sequence = Array.from({ length: WINDOW - 1 }, () => symbolsOf(sensor.next()));
    const { message } = JSON.parse(await call(address, "predictions", JSON.stringify({ data: { sequence } })));
    answers.push(JSON.stringify(message));
  }
  return answers;
}

async function assertRight(server, shared, most) {
  const knowledge = JSON.parse(await call(server.address, "get_kb", "", "GET")).message;
  const wrong = shared.wrongCounters(knowledge);
  if (wrong.length > 0) throw new Error(`${wrong.length} counters are wrong: ${wrong.slice(0, 3).join("; ")}`);
  const models = Object.keys(knowledge.models_kb).length;
  if (models > most) throw new Error(`there are ${models} models, ${most} are allowed`);
}

/** The answers before and after a restart, which builds the kernel anew from the rows, must be the same. */
async function assertSameAfterRestart(server, shared) {
  const before = await answersOf(server.address, shared);
  const again = await server.restart();
  const after = await answersOf(again.address, shared);
  if (before.some((answer, at) => answer !== after[at])) throw new Error("a restarted server predicts something else");
  return again;
}

const COLUMNS = [
  "tenth",
  "readings/s",
  "with surprise/s",
  "CPU ms of one",
  "observe p50 ms",
  "p99 ms",
  "models",
  "symbols",
  "kernel MB",
  "database MB",
  "process MB",
];

function rowOf(tenth, { rate, explainedRate, explainedCpu, p50, p99, models, symbols, kernel, database, process }) {
  const numbers = [p50.toFixed(2), p99.toFixed(2), `${models}`, `${symbols}`, kernel.toFixed(2), database.toFixed(2)];
  return [
    `${tenth}`,
    rate.toFixed(0),
    explainedRate.toFixed(0),
    explainedCpu.toFixed(2),
    ...numbers,
    process.toFixed(0),
  ];
}

/**
 * Measures and prints the table.
 *
 * @param load loads a TypeScript module by its path from this folder
 * @param _large has no effect here
 * @param short sends two hours instead of a week
 */
export async function run(load, _large, short) {
  const shared = { ...(await load("../support/sensor/sensor")), ...(await load("../support/sensor/recount")) };
  const [readings, most, alone] = short
    ? [SHORT_READINGS, SHORT_MAX_MODELS, SHORT_ALONE]
    : [READINGS, MAX_MODELS, ALONE];
  let server = await serveNoema();
  try {
    const sensor = new shared.Sensor(SEED);
    const next = () => JSON.stringify(shared.recordOf(sensor.next()));
    for (const [name, encoder] of Object.entries(shared.ENCODERS)) {
      await call(server.address, `encoders/${name}`, JSON.stringify({ data: encoder }), "PUT");
    }
    const genes = { max_sequence_length: WINDOW, wm_resolution: "event", wm_mode: "rolling", max_models: most };
    await call(server.address, "genes/change", JSON.stringify({ data: genes }));
    await call(server.address, "autolearning/start");
    const stream = await StreamConnection.open(server.address, STREAM);
    const rows = [];
    for (let tenth = 1; tenth <= TENTHS; tenth++) {
      rows.push(rowOf(tenth, await sendTenth(server, stream, next, readings / TENTHS, alone)));
    }
    await stream.close();
    await assertRight(server, shared, most);
    server = await assertSameAfterRestart(server, shared);
    printTable(`${readings} readings of a machine, a model of ${WINDOW} each, at most ${most} models`, COLUMNS, rows);
  } finally {
    await server.stop();
  }
}
