/**
 * Benchmark of alerts: what they add to an observe over HTTP, in time and in rows that are billed, on one warm processor with 10,000 models of
 * workload A. All ways are measured in turns, so that noise of the machine hits each.
 */

import { PROCESSOR } from "../../scripts/project.mjs";
import { call, callAt } from "./client.mjs";
import { postRequest } from "./connection.mjs";
import { measureRound } from "./round.mjs";
import { serveNoema } from "./served.mjs";
import { median, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const SHORT_MODELS = 100;
const ROUNDS = 9;
const SHORT_ROUNDS = 1;
const REQUESTS = 300;
const SHORT_REQUESTS = 60;
const EVENT_SYMBOLS = 5;
const MEMORY_SYMBOLS = 10;
const BODIES = 64;

/** No webhook is there: what an attempt costs the webhook's side is not measured. */
const HOST = "hooks.invalid";
const SECRET = `whsec_${"A".repeat(32)}`;

/** The conditions of the alerts that are set meanwhile, by what the table calls them. */
const WAYS = {
  "no alert": [],
  "an alert of what is learned": [{ learned: true }],
  "an alert of surprises that never tells": [{ surprise_above: 1_022 }],
  "an alert of three events a day, with incidents": [{ surprise: { per_day: 3 } }],
  "an alert of silence that never tells": [{ silent_for: 31_536_000 }],
  "an alert of a forecast that never tells": [{ forecast: { symbol: "a", above: 1 } }],
  "ten alerts of forecasts, all for the next event, that never tell": Array.from({ length: 10 }, (_, at) => ({
    forecast: { symbol: `s${at}`, above: 1 },
  })),
  "an alert of surprises that always tells": [{ surprise_above: 0 }],
};

async function setAlerts(address, conditions) {
  const path = (at) => `${PROCESSOR}/alerts/a${at}`;
  for (const [at, when] of conditions.entries()) {
    const data = { when, url: `https://${HOST}/`, secret: SECRET };
    await callAt(address, path(at), JSON.stringify({ data }), "PUT");
  }
  return async () => {
    for (const at of conditions.keys()) await callAt(address, path(at), "", "DELETE");
  };
}

async function rowsWritten(address) {
  const text = await callAt(address, "metrics", "", "GET");
  return Number(/^noema_rows_written_total (\d+)$/m.exec(text)?.[1]);
}

/** One round of one way. */
async function measure(server, conditions, requests) {
  const remove = await setAlerts(server.address, conditions);
  const before = await rowsWritten(server.address);
  const { p50, p99, cpu } = await measureRound(server, [requests]);
  const rows = ((await rowsWritten(server.address)) - before) / requests.length;
  await remove();
  return { p50, p99, cpu, rows };
}

/**
 * Measures and prints the table.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few models, one round and few requests
 */
export async function run(load, _large, short) {
  const { Generator, A } = await load("workload");
  const { knowledgeBase, symbolName } = await load("knowledge-base");
  const [models, count, length] = short ? [SHORT_MODELS, SHORT_ROUNDS, SHORT_REQUESTS] : [MODELS, ROUNDS, REQUESTS];
  const server = await serveNoema(false, { NOEMA_ALERT_HOSTS: HOST });
  try {
    await call(server.address, "load_kb", knowledgeBase(new Generator(A, SEED), models));
    await call(server.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
    const generator = new Generator({ ...A, memory: EVENT_SYMBOLS }, SEED + 1);
    const bodies = Array.from({ length: BODIES }, () =>
      JSON.stringify({ data: { strings: Array.from(generator.memory(), symbolName) } }),
    );
    const requests = Array.from({ length }, (_, at) =>
      postRequest(server.address, `/${PROCESSOR}/observe`, bodies[at % bodies.length]),
    );
    const measured = new Map(Object.keys(WAYS).map((name) => [name, []]));
    // The first round warms up and does not count.
    for (let round = 0; round <= count; round++) {
      for (const [name, conditions] of Object.entries(WAYS)) {
        const one = await measure(server, conditions, requests);
        if (round > 0) measured.get(name).push(one);
      }
    }
    const rows = [...measured].map(([name, rounds]) => {
      const of = (member, digits) => median(rounds.map((round) => round[member])).toFixed(digits);
      return [name, of("p50", 2), of("p99", 2), of("cpu", 3), of("rows", 2)];
    });
    const title = `observe over HTTP with alerts, one connection, ${models} models of A, predictions on; medians of ${count} rounds of ${length}, seed ${SEED}`;
    printTable(title, ["alerts", "p50 ms", "p99 ms", "CPU ms", "rows"], rows);
  } finally {
    await server.stop();
  }
}
