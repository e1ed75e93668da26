/**
 * `node scripts/seed.mjs <address> [sessions]`: fills a local server with 50 machines of three sensors, of which some
 * have faults and one goes silent, and goes on sending until it is stopped; or with the given number of sessions, one event in each.
 * The same data in every run, but for the clock: it ends now. `npm run screenshots` uses it, too.
 */

import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { LOCAL_KEY } from "../src/serve/settings.mjs";
import { PROCESSOR } from "./project.mjs";

/** What each kind of machine does for each part that it makes: its state, temperature, vibration and load. */
const PROGRAMS = {
  press: [
    ["idle", 31, 0.3, 8],
    ["heat", 47, 0.5, 35],
    ["heat", 58, 0.5, 38],
    ["press", 62, 2.6, 92],
    ["press", 63, 2.4, 90],
    ["cool", 48, 0.4, 12],
  ],
  mill: [
    ["load", 24, 0.4, 15],
    ["cut", 36, 1.8, 66],
    ["cut", 41, 1.9, 70],
    ["cut", 43, 2.1, 71],
    ["clean", 35, 0.8, 22],
  ],
  oven: [
    ["fill", 60, 0.2, 20],
    ["warm", 120, 0.2, 95],
    ["bake", 180, 0.2, 60],
    ["bake", 182, 0.2, 58],
    ["empty", 110, 0.3, 10],
  ],
};

const MACHINES = 50;
/** How many parts of each kind are learned, and how many each machine has made when one looks. */
const LEARNED_PARTS = 96;
const MADE_PARTS = 18;
const DAY_S = 86_400;
/** Time between two readings, in seconds. */
const EVERY_S = 150;
/** The most sessions that are begun at a time. */
const AT_ONCE = 16;

/** What goes wrong with some machines, by their numbers: at which reading before the last, and what then comes. */
const FAULTS = new Map([
  [
    3,
    {
      before: 4,
      readings: [
        ["jam", 76, 5.8, 99],
        ["jam", 77, 6.1, 99],
      ],
    },
  ],
  [16, { before: 31, readings: [["cut", 88, 7.5, 97]] }],
  [
    29,
    {
      before: 9,
      readings: [
        ["alarm", 240, 0.2, 100],
        ["alarm", 236, 0.2, 100],
      ],
    },
  ],
]);

/** The machine that stops sending, and after which time an alert says so, in seconds. */
const SILENT = 11;
const SILENT_FOR_S = 90;

/** How often a machine sends a reading when its past has been sent, in milliseconds. */
const LIVE_EVERY_MS = 60_000;

/** A number from 0 to 1 that looks like chance and is the same in every run. */
function chance(one, other) {
  const mixed = Math.sin(one * 127.1 + other * 311.7) * 43758.5453;
  return mixed - Math.floor(mixed);
}

const kindOf = (machine) => Object.keys(PROGRAMS)[machine % Object.keys(PROGRAMS).length];

/** The name of a machine's session. */
export const nameOf = (machine) => `${kindOf(machine)}-${machine}`;

/** A reading as a record. @param seed what makes it differ a little from others */
function recordOf([state, temperature, vibration, load], seed, time) {
  const around = (value, share, salt) => Number((value * (1 + share * (chance(seed, salt) - 0.5))).toFixed(2));
  const numbers = {
    temperature: around(temperature, 0.06, 1),
    vibration: around(vibration, 0.2, 2),
    load: around(load, 0.08, 3),
  };
  return { strings: [state], numbers, ...(time === undefined ? {} : { time }) };
}

/** The readings of some parts; now and then one is left out. */
function partsOf(kind, parts, seed) {
  return Array.from({ length: parts }, (_, part) =>
    PROGRAMS[kind].filter((_reading, at) => chance(seed + part, at) > 0.06),
  ).flat();
}

/** Sends a request. @throws Error with the server's words */
export async function send(address, method, path, body) {
  const init = { method, headers: { "x-api-key": LOCAL_KEY } };
  const response = await fetch(
    `${address}${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()).message;
}

/** Does something for each of many, some at a time. */
async function forEach(count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The clock of the machines. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Learns what machines do at each hour of a day, without faults. */
async function learn(address) {
  const P = `/${PROCESSOR}`;
  const sizes = { temperature: 10, vibration: 1, load: 20 };
  for (const [name, size] of Object.entries(sizes))
    await send(address, "PUT", `${P}/encoders/${name}`, { data: { kind: "step", size } });
  await send(address, "PUT", `${P}/encoders/hour`, { data: { kind: "clock", of: "hour", zone: ZONE } });
  await send(address, "POST", `${P}/genes/change`, { data: { history: 500 } });
  const yesterday = Math.floor(Date.now() / 1000) - DAY_S;
  for (const [at, kind] of Object.keys(PROGRAMS).entries()) {
    for (let part = 0; part < LEARNED_PARTS; part++) {
      const readings = partsOf(kind, 2, at * 1000 + part * 2);
      const begun = yesterday + (part / LEARNED_PARTS) * DAY_S;
      const sequence = readings.map((reading, n) => recordOf(reading, part * 100 + n, begun + n * EVERY_S));
      await send(address, "POST", `${P}/sequence-observe`, { data: { sequence, learn: true } });
    }
  }
}

/** What one machine has sent, the last of it now. */
function sequenceOf(machine, now) {
  const readings = partsOf(kindOf(machine), MADE_PARTS, machine * 37);
  const fault = FAULTS.get(machine);
  if (fault !== undefined) readings.splice(readings.length - fault.before, fault.readings.length, ...fault.readings);
  const begun = now - (readings.length - 1) * EVERY_S;
  return readings.map((reading, at) => recordOf(reading, machine * 1000 + at, begun + at * EVERY_S));
}

/**
 * Fills a server with machines. What they do is learned; an alert finds incidents, another one silence.
 *
 * @param {string} address of a server with the local key
 */
export async function seedMachines(address) {
  await learn(address);
  const P = `/${PROCESSOR}`;
  await send(address, "PUT", `${P}/alerts/odd`, { data: { when: { surprise_above: 60 } } });
  const observe = (machine) => {
    const sequence = sequenceOf(machine, Math.floor(Date.now() / 1000));
    return send(address, "POST", `${P}/sessions/${nameOf(machine)}/sequence-observe`, { data: { sequence } });
  };
  await observe(SILENT);
  await forEach(MACHINES, async (at) => {
    if (at + 1 !== SILENT) await observe(at + 1);
  });
  await send(address, "PUT", `${P}/alerts/silent`, { data: { when: { silent_for: SILENT_FOR_S } } });
}

/** Has every machine but the silent one send what it does next, until the signal ends it. */
export async function keepSending(address, signal) {
  for (let at = 0; !signal.aborted; at++) {
    await forEach(MACHINES, async (place) => {
      const machine = place + 1;
      const program = PROGRAMS[kindOf(machine)];
      const data = recordOf(program[at % program.length], machine * 1000 + 500 + at);
      if (machine !== SILENT && !signal.aborted)
        await send(address, "POST", `/${PROCESSOR}/sessions/${nameOf(machine)}/observe`, { data });
    });
    await wait(LIVE_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Fills a server with sessions of one event each. */
export async function seedSessions(address, count) {
  await forEach(count, (at) =>
    send(address, "POST", `/${PROCESSOR}/sessions/device-${String(at).padStart(5, "0")}/observe`, {
      data: { strings: [`state=${at % 7}`] },
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , address, sessions] = process.argv;
  if (address === undefined) throw new Error("Say the address of a server, as in http://127.0.0.1:8787.");
  if (sessions === undefined) {
    await seedMachines(address);
    console.log("The machines go on sending until you stop this with Ctrl-C.");
    await keepSending(address, new AbortController().signal);
  } else await seedSessions(address, Number(sessions));
}
