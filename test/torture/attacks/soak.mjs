/**
 * Loads the server with a mixture of calls for minutes, on state that does not grow. Neither its memory nor the processor time of a call may:
 * each tenth of the run is held against an early one.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { genome } from "../client.mjs";
import { quantile } from "../report.mjs";
import { Server } from "../server.mjs";
import { slowness } from "../waiting.mjs";

const TENTHS = 10;
/** In the first tenths caches fill and code is compiled. */
const WARM_TENTHS = 2;
const GROWTH_SHARE = 0.2;
const GROWTH_MEBIBYTES = 48;
/** What V8 takes before it collects in earnest, which a short run never leaves behind. */
const HEAP_MEBIBYTES = 240;
/** This many tenths are held against as many others: the median says more than one tenth, in which the machine may have been busy. */
const COMPARED_TENTHS = 3;
/** How much more of a processor a call may take late than early: twice as much, and what the clock's ticks are worth. */
const DEARER_SHARE = 2;
const DEARER_MS = 0.2;
const MINUTE_MS = 60_000;

const DEVICES = 6;
const SYMBOLS = 40;
const EPISODE = 6;
const MODELS_KEPT = 40;

/** One device's life: episodes of observing, asking and learning, now and then a look at the whole, and forgetting. */
async function device(client, random, until, times) {
  const timed = async (call, body) => {
    const began = performance.now();
    const message = await client.ask(call, body);
    times.push({ at: began, ms: performance.now() - began });
    return message;
  };
  for (let episode = 1; performance.now() < until; episode++) {
    for (let event = 0; event < EPISODE; event++) {
      const strings = [`s${random.below(SYMBOLS)}`, `t${random.below(SYMBOLS)}`];
      await timed("POST observe", { data: { strings, emotives: { joy: random.below(10) } } });
      await timed("POST predictions");
    }
    await timed("POST learn");
    await timed("GET status");
    if (episode % 20 === 0) await timed("GET get_kb");
    // So that it knows no more after an hour than after a minute.
    if (episode % MODELS_KEPT === 0) await client.ask("POST clear-all-memory");
  }
  client.close();
}

async function run({ report, sizes, seed, load, deadline }) {
  const { Random } = await load("/test/support/random.ts");
  const server = await Server.start();
  const pids = String(server.workerds());
  const ids = Array.from({ length: DEVICES }, (_, at) => ({ id: `s${at}` }));
  const client = server.client();
  await client.askAt("POST", "/genome/hotswap", genome("soak", ids));
  client.close();
  const times = [];
  const memories = [];
  const used = [server.processorMs()];
  const slow = [];
  const began = performance.now();
  const length = Math.min(sizes.minutes * MINUTE_MS, deadline - began);
  const devices = ids.map(({ id }, at) =>
    device(server.client({ processor: id }), new Random(seed + at), began + length, times),
  );
  const watch = async () => {
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      const end = began + ((tenth + 1) * length) / TENTHS;
      const seen = [];
      // At least one reading, also where the machine was busy for all of the tenth.
      do {
        seen.push(server.memory());
        await sleep(Math.min(500, length / TENTHS / 10));
      } while (performance.now() < end);
      // The least, because what waits for the collector is no leak.
      memories.push(Math.min(...seen));
      used.push(server.processorMs());
      slow.push(slowness());
    }
  };
  await Promise.all([...devices, watch()]);
  const tenths = Array.from({ length: TENTHS }, (_, tenth) =>
    times.filter(({ at }) => Math.floor(((at - began) * TENTHS) / length) === tenth).map(({ ms }) => ms),
  );
  const medians = tenths.map((one) => quantile(one, 0.5));
  const shown = (values) => values.map((value) => value.toFixed(1)).join(" ");
  report.figure("calls", times.length);
  report.figure("memory in each tenth (MiB)", shown(memories));
  report.figure("median in each tenth (ms)", shown(medians));
  report.figure("p99 in each tenth (ms)", shown(tenths.map((one) => quantile(one, 0.99))));
  // Not the clock's time: that tells as much about what else the machine does.
  const costs = tenths.map((one, at) => (used[at + 1] - used[at]) / Math.max(1, one.length) / slow[at]);
  report.figure("processor time of a call in each tenth (ms)", costs.map((cost) => cost.toFixed(2)).join(" "));
  const memory = Math.max(HEAP_MEBIBYTES, memories[WARM_TENTHS]);
  const most = Math.max(...memories.slice(WARM_TENTHS));
  report.expect(most <= memory * (1 + GROWTH_SHARE) + GROWTH_MEBIBYTES, "memory grows", shown(memories));
  const early = quantile(costs.slice(WARM_TENTHS, WARM_TENTHS + COMPARED_TENTHS), 0.5);
  const late = quantile(costs.slice(-COMPARED_TENTHS), 0.5);
  report.expect(late <= early * DEARER_SHARE + DEARER_MS, "calls become dearer", shown(costs));
  report.expect(String(server.workerds()) === pids, "the server ended", server.output.slice(-500));
  await server.discard();
}

/** The attack. */
export const soak = {
  name: "soak",
  about: "a mixed load for minutes: memory and the processor time of a call are flat",
  parts: ["mixed"],
  sizes: { short: { minutes: 0.25, seconds: 20 }, long: { minutes: 20, seconds: 1300 } },
  run,
};
