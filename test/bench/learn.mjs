/**
 * Benchmark of learn over HTTP, at several sizes: how long it takes, and what the record of forecasts adds. Some learns are graded, most are not; which, the
 * model's name and the number of models say. So one run shows both: those that are not graded take as long as without the record.
 */

import { PROCESSOR } from "../../scripts/project.mjs";
import { call } from "./client.mjs";
import { Connection, postRequest } from "./connection.mjs";
import { serveNoema } from "./served.mjs";
import { percentile, printTable } from "./table.mjs";

const SEED = 1;
const SIZES = [10, 100, 1_000, 10_000];
const SHORT_SIZES = [10, 100];
/** Symbols an event, and events of what is learned. */
const SHAPES = [1, 4].flatMap((width) => [5, 12, 50, 300].map((events) => ({ width, events })));
/** Each round begins with the loaded models alone, so that few stay few. */
const ROUNDS = 8;
const SHORT_ROUNDS = 1;
const LEARNS = 12;
const SYMBOLS = 200;

/** Sequences that were not learned. Smaller symbols are more frequent, as in the workload. */
function sequencesOf(random, { width, events }) {
  const symbol = () => `s${Math.floor(SYMBOLS * (random.below(1e6) / 1e6) ** 2)}`;
  return Array.from({ length: LEARNS }, () =>
    Array.from({ length: events }, () => ({ strings: Array.from({ length: width }, symbol) })),
  );
}

/** Learns sequences one after the other. @returns the time of each, and whether it was graded */
async function learnAll(address, sequences, size, isGraded) {
  const path = (operation) => `/${PROCESSOR}/${operation}`;
  const observed = sequences.map((sequence) =>
    postRequest(address, path("sequence-observe"), JSON.stringify({ data: { sequence } })),
  );
  const learn = postRequest(address, path("learn"), "");
  const connection = await Connection.open(address);
  const learns = [];
  for (const [at, request] of observed.entries()) {
    await connection.send(request);
    const begun = performance.now();
    const { status, body } = await connection.send(learn);
    const ms = performance.now() - begun;
    if (status !== 200) throw new Error(`learn answered ${status}: ${body}`);
    const seed = Number.parseInt(JSON.parse(body).message.replace("MODEL|", "").slice(0, 8), 16);
    learns.push({ ms, graded: isGraded(seed, size + at, size + at) });
  }
  connection.close();
  return learns;
}

function rowOf(size, { width, events }, learns) {
  const all = learns.map(({ ms }) => ms);
  const graded = learns.filter((one) => one.graded).map(({ ms }) => ms);
  const others = learns.filter((one) => !one.graded).map(({ ms }) => ms);
  const at = (times, share) => (times.length === 0 ? "" : percentile(times, share).toFixed(2));
  const ratio = (percentile(all, 0.5) / percentile(others, 0.5)).toFixed(2);
  const part = ((100 * graded.length) / learns.length).toFixed(0);
  return [
    String(size),
    String(width),
    String(events),
    at(all, 0.5),
    ratio,
    at(all, 0.9),
    part,
    at(others, 0.5),
    at(graded, 0.5),
  ];
}

/** Measures one shape: rounds that each begin with the loaded models. Where there are several, one more warms up and does not count. */
async function measure(address, { knowledge, size, shape, rounds }, random, isGraded) {
  const learns = [];
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round++) {
    await call(address, "load_kb", knowledge);
    const some = await learnAll(address, sequencesOf(random, shape), size, isGraded);
    if (round > 0) learns.push(...some);
  }
  return learns;
}

/**
 * Measures and prints the table.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few models and one round
 */
export async function run(load, _large, short) {
  const { Generator, A } = await load("workload");
  const { knowledgeBase } = await load("knowledge-base");
  const { isGraded } = await load("../../src/processor/prediction/estimator/graded-places");
  const { ESTIMATOR } = await load("../../src/processor/prediction/estimator/settings");
  const { Random } = await load("../support/random");
  const [sizes, rounds] = short ? [SHORT_SIZES, SHORT_ROUNDS] : [SIZES, ROUNDS];
  const server = await serveNoema();
  const random = new Random(SEED);
  const rows = [];
  try {
    await call(server.address, "predicting/stop");
    for (const size of sizes) {
      const knowledge = knowledgeBase(new Generator(A, SEED), size);
      for (const shape of SHAPES) {
        const learns = await measure(
          server.address,
          { knowledge, size, shape, rounds },
          random,
          (seed, models, learned) => isGraded(seed, models, learned, ESTIMATOR),
        );
        rows.push(rowOf(size, shape, learns));
      }
    }
  } finally {
    await server.stop();
  }
  const columns = [
    "models",
    "symbols",
    "events",
    "p50 ms",
    "p50 / not graded",
    "p90 ms",
    "graded %",
    "not graded",
    "graded",
  ];
  printTable(
    `learn over HTTP, models of A, predictions off, seed ${SEED}; p50 of learns that are graded and not`,
    columns,
    rows,
  );
}
