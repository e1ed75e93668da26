/**
 * Benchmark of watching: a processor with a rolling memory of 16 events learns every window of a stream of numbers by itself, and says how
 * unexpected each was. The numbers come in batches over HTTP. One stream is constant, one is noisy: of the one every window is the same model, of
 * the other nearly every one is new. Fails if an observation was not explained or not learned.
 */

import { call } from "./client.mjs";
import { cpuMs } from "./process-usage.mjs";
import { serveNoema } from "./served.mjs";
import { median, printTable } from "./table.mjs";

const SEED = 24;
const WINDOW = 16;
const BATCH = 100;
const ROUNDS = 5;
const SHORT_ROUNDS = 1;
/** Batches of a round, after one round that warms up and does not count. */
const BATCHES = 4;
const ENCODER = { kind: "step", size: 1 };
const GENES = { max_sequence_length: WINDOW, wm_resolution: "event", wm_mode: "rolling" };

/** Whole numbers from 0 to 2^32 - 1 (Marsaglia's xorshift). */
function randoms(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** The streams by name: each gives its next number. The noise is the sum of four, among 20 bins. */
function streams() {
  const random = randoms(SEED);
  const fifth = () => (random() % 500) / 100;
  return { constant: () => 50.5, noisy: () => 40 + fifth() + fifth() + fifth() + fifth() };
}

/** Observes one batch. Throws when a number was not explained or a window not learned. */
async function observe(address, next, isFirst) {
  const sequence = Array.from({ length: BATCH }, () => ({ numbers: { value: next() } }));
  const answer = await call(address, "sequence-observe?explain=true", JSON.stringify({ data: { sequence } }));
  if (isFirst) return;
  const wrong = JSON.parse(answer).message.find((one) => one.surprise === null || one.auto_learned_model === "");
  if (wrong !== undefined) throw new Error(`an observation was not explained or not learned: ${JSON.stringify(wrong)}`);
}

async function round(server, next, isFirst) {
  const [begun, cpuBefore] = [performance.now(), cpuMs(server.pid)];
  for (let batch = 0; batch < BATCHES; batch++) await observe(server.address, next, isFirst && batch === 0);
  const count = BATCHES * BATCH;
  return { rate: count / ((performance.now() - begun) / 1000), cpu: (cpuMs(server.pid) - cpuBefore) / count };
}

async function rowOf(name, next, rounds) {
  const server = await serveNoema();
  try {
    await call(server.address, "encoders/value", JSON.stringify({ data: ENCODER }), "PUT");
    await call(server.address, "genes/change", JSON.stringify({ data: GENES }));
    await call(server.address, "autolearning/start");
    await round(server, next, true);
    const measured = [];
    for (let at = 0; at < rounds; at++) measured.push(await round(server, next, false));
    const of = (member) => median(measured.map((one) => one[member]));
    return [name, of("rate").toFixed(0), of("cpu").toFixed(2)];
  } finally {
    await server.stop();
  }
}

/**
 * Measures and prints the table.
 *
 * @param _load has no effect here
 * @param _large has no effect here
 * @param short measures one round
 */
export async function run(_load, _large, short) {
  const rounds = short ? SHORT_ROUNDS : ROUNDS;
  const rows = [];
  for (const [name, next] of Object.entries(streams())) rows.push(await rowOf(name, next, rounds));
  const title = `watching, memory of ${WINDOW} events, batches of ${BATCH}, each explained; medians of ${rounds} rounds, seed ${SEED}`;
  printTable(title, ["stream", "observations/s", "CPU ms an observation"], rows);
}
