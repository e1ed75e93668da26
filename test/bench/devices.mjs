/**
 * Benchmark of a thousand devices, each with a stream of its own: all at one processor, each in a session, and each at a processor of its
 * own. Says how long a frame takes when every device sends one a second, and when all send as fast as they are answered; what workerd holds
 * while they are awake and asleep; and how long the first frame takes that wakes one. Fails if a record is lost or counted twice.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../../scripts/project.mjs";
import { call, callAt } from "./client.mjs";
import { IsolateMemory } from "./isolate-memory.mjs";
import { genomeOf, manyProcessors } from "./many-processors.mjs";
import { cpuMs, openFiles, residentMegabytes } from "./process-usage.mjs";
import { serveNoema } from "./served.mjs";
import { StreamConnection } from "./stream-connection.mjs";
import { percentile, printTable } from "./table.mjs";

const SEED = 1;
const MODELS = 10_000;
const DEVICES = 1_000;
const SHORT_MODELS = 100;
const SHORT_DEVICES = 50;
/** The frames of a device when it sends one a second, and when it sends as fast as it is answered. */
const PACED_FRAMES = 5;
const FAST_FRAMES = 10;
const SECOND_MS = 1_000;
/** How many streams are opened, and how many devices woken, at a time. */
const AT_ONCE = 16;
/** workerd lets an object sleep after 10 s without a message, and closes its files then; of a thousand at once, some seconds later. */
const SLEEP_MS = 13_000;
/** Once no file was closed for this long, all objects count as asleep. */
const QUIET_MS = 3_000;
const EVENT_SYMBOLS = 5;
const MEMORY_SYMBOLS = 10;
const BODIES = 64;

/** A device: its stream, and how many of its records were observed. */
class Device {
  #body;
  #observed = 0;
  #stream;

  constructor(stream, body) {
    this.#stream = stream;
    this.#body = body;
  }

  /** Sends frames one after the other. @returns milliseconds of each. Throws when the memory has not observed exactly what was sent */
  send(count) {
    return this.#stream.send(Array(count).fill(this.#body), 1, (data) => {
      this.#observed++;
      const { interval } = JSON.parse(data);
      if (interval !== this.#observed) throw new Error(`${this.#observed} records were sent, and ${interval} observed`);
    });
  }

  close() {
    return this.#stream.close();
  }
}

/** Does something with every item, a few at a time. @returns the results */
async function each(items, atOnce, step) {
  const results = [];
  const queue = items.entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [at, item] of queue) results[at] = await step(item);
    }),
  );
  return results;
}

/** Every device sends one frame a second, spread evenly over the second. @returns milliseconds of each frame */
async function sendPaced(devices) {
  const start = performance.now();
  const times = await Promise.all(
    devices.map(async (device, at) => {
      const own = [];
      for (let frame = 0; frame < PACED_FRAMES; frame++) {
        const due = start + SECOND_MS * (frame + at / devices.length);
        await sleep(Math.max(0, due - performance.now()));
        own.push(...(await device.send(1)));
      }
      return own;
    }),
  );
  return times.flat();
}

/** Runs an action that sends frames. @returns a row of the table */
async function measured(server, name, action) {
  const [own, cpu, start] = [process.cpuUsage(), cpuMs(server.pid), performance.now()];
  const times = (await action()).flat();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(own);
  return [
    name,
    percentile(times, 0.5).toFixed(2),
    percentile(times, 0.99).toFixed(2),
    (times.length / seconds).toFixed(0),
    ((cpuMs(server.pid) - cpu) / times.length).toFixed(3),
    ((user + system) / 1000 / times.length).toFixed(3),
  ];
}

/** What workerd holds now. */
function held(server) {
  return [residentMegabytes(server.pid).toFixed(0), openFiles(server.pid).toFixed(0)];
}

/** Waits until all objects sleep. */
async function untilAsleep({ pid }) {
  await sleep(SLEEP_MS);
  let files = Number.NaN;
  // Where the system does not say how many files are open, it says NaN each time.
  do {
    files = openFiles(pid);
    await sleep(QUIET_MS);
  } while (!Object.is(openFiles(pid), files));
}

/** All devices of one arrangement: opens their streams, and measures. @returns rows of the two tables */
async function measureDevices(server, { name, paths }, bodies) {
  const devices = [];
  const rows = [
    await measured(server, `${name}: open`, () =>
      each(paths, AT_ONCE, async (path) => {
        const start = performance.now();
        const stream = await StreamConnection.open(server.address, path);
        devices.push(new Device(stream, bodies[devices.length % bodies.length]));
        return [performance.now() - start];
      }),
    ),
    await measured(server, "first frame", () => each(devices, AT_ONCE, (device) => device.send(1))),
    await measured(server, "one frame a second each", () => sendPaced(devices)),
    await measured(server, "as fast as answered", () =>
      each(devices, devices.length, (device) => device.send(FAST_FRAMES)),
    ),
  ];
  const awake = held(server);
  await untilAsleep(server);
  const asleep = held(server);
  rows.push(
    await measured(server, "first frame after sleep", () => each(devices, AT_ONCE, (device) => device.send(1))),
  );
  await Promise.all(devices.map((device) => device.close()));
  return { rows, held: [name, ...awake, ...asleep] };
}

/** What the isolate holds at rest, in MB, while all devices are awake and while they sleep; garbage is collected first. */
async function isolateOf(server, { paths }, bodies) {
  const memory = await IsolateMemory.open(server);
  const megabytes = async () => ((await memory.live()).sum / 1e6).toFixed(1);
  const before = await megabytes();
  const streams = await each(paths, AT_ONCE, (path) => StreamConnection.open(server.address, path));
  await each(streams, AT_ONCE, (stream) => stream.send([bodies[0]], 1));
  const awake = await megabytes();
  await untilAsleep(server);
  const asleep = await megabytes();
  await Promise.all(streams.map((stream) => stream.close()));
  memory.close();
  return [before, awake, asleep];
}

/** Fills a server. @returns how the devices are arranged */
async function prepare(server, workload, { models, count }) {
  const knowledge = workload.knowledgeBase(new workload.Generator(workload.A, SEED), models);
  return [
    {
      name: `one processor with ${models} models`,
      prepare: async () => {
        await call(server.address, "load_kb", knowledge);
        await call(server.address, "genes/change", JSON.stringify({ data: { max_sequence_length: MEMORY_SYMBOLS } }));
      },
      paths: Array.from({ length: count }, (_, at) => `/${PROCESSOR}/sessions/device-${at}/stream?source=d${at}`),
    },
    {
      name: "a processor each",
      prepare: async () => {
        await call(server.address, "genome/hotswap", genomeOf(count, MEMORY_SYMBOLS));
        await each(manyProcessors(count), AT_ONCE, (id) => callAt(server.address, `${id}/ping`, "", "GET"));
      },
      paths: manyProcessors(count).map((id) => `/${id}/stream?source=device`),
    },
  ];
}

/** The frames that devices send. */
function framesOf({ Generator, A, symbolName }) {
  const generator = new Generator({ ...A, memory: EVENT_SYMBOLS }, SEED + 1);
  return Array.from(
    { length: BODIES },
    () => `"observe":${JSON.stringify({ strings: Array.from(generator.memory(), symbolName) })}`,
  );
}

const COLUMNS = ["streams", "p50 ms", "p99 ms", "a second", "CPU ms", "client's CPU ms"];
const HELD = ["streams", "process awake", "files", "process asleep", "files", "isolate before", "awake", "asleep"];

/**
 * Measures and prints the tables.
 *
 * @param load loads a TypeScript module of this folder
 * @param _large has no effect here
 * @param short uses few devices and models
 */
export async function run(load, _large, short) {
  const workload = { ...(await load("workload")), ...(await load("knowledge-base")) };
  const size = short ? { models: SHORT_MODELS, count: SHORT_DEVICES } : { models: MODELS, count: DEVICES };
  const bodies = framesOf(workload);
  const [rows, heldRows] = [[], []];
  for (const at of [0, 1]) {
    const server = await serveNoema();
    const inspected = await serveNoema(true);
    try {
      const [timed, weighed] = [await prepare(server, workload, size), await prepare(inspected, workload, size)];
      await timed[at].prepare();
      const measured = await measureDevices(server, timed[at], bodies);
      await weighed[at].prepare();
      rows.push(...measured.rows);
      heldRows.push([...measured.held, ...(await isolateOf(inspected, weighed[at], bodies))]);
    } finally {
      await server.stop();
      await inspected.stop();
    }
  }
  printTable(
    `${size.count} devices with a stream each, one record a frame, predictions on; seed ${SEED}`,
    COLUMNS,
    rows,
  );
  printTable(`what ${size.count} streams take: MB of workerd and of its isolate at rest, open files`, HELD, heldRows);
}
