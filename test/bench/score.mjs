/**
 * Benchmark of `noema score`: 20,000 rows of three sensors, by the clock and by the processor time of the server and of the command line. Fails if
 * a row is not scored, or a fault is not among the most unusual rows.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { PER_DAY, readingsOf } from "../../scripts/demos/machine-telemetry.mjs";
import { DIST } from "../../scripts/project.mjs";
import { cpuMs } from "./process-usage.mjs";
import { serveNoema } from "./served.mjs";
import { median, printTable } from "./table.mjs";

const ROWS = 20_000;
const SHORT_ROWS = 2_000;
const ROUNDS = 3;
const SEEDS = { training: 41, scored: 42 };
const FAULT_EVERY = 2_003;
const SENSORS = ["temperature", "vibration", "current"];
const COLUMNS = [...SENSORS.flatMap((sensor) => ["--number", sensor]), "--time", "at"];

const NOEMA = join(DIST, "cli", "noema.js");

/** Rows of CSV, five minutes apart. Every so often a press is hotter and shakes more than ever. */
function tableOf(count, seed, hasFaults) {
  const rows = readingsOf(count, seed).map((reading, at) => {
    const isFault = hasFaults && at % FAULT_EVERY === FAULT_EVERY - 1;
    const shown = isFault ? { ...reading, temperature: 95, vibration: 9 } : reading;
    const time = new Date(Date.UTC(2026, 2, 1) + (86_400_000 / PER_DAY) * at).toISOString();
    return [time, ...SENSORS.map((sensor) => shown[sensor])].join();
  });
  return `at,${SENSORS.join()}\n${rows.join("\n")}\n`;
}

/** How often the processor time of the command line is read while it runs: none is left when it has ended. */
const LOOK_MS = 20;

/** Runs the command line. @returns what it wrote, and milliseconds by the clock and of the processor */
async function noema(server, args) {
  const [begun, before] = [performance.now(), cpuMs(server.pid)];
  const child = spawn(process.execPath, [NOEMA, ...args], {
    env: { ...process.env, NOEMA_ADDRESS: server.address },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let own = 0;
  const look = setInterval(() => {
    const used = cpuMs(child.pid);
    if (used > own) own = used;
  }, LOOK_MS);
  const [out, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  clearInterval(look);
  if (code !== 0) throw new Error(`noema ${args[0]} ended with ${code}: ${said}`);
  return { out, clock: performance.now() - begun, server: cpuMs(server.pid) - before, own };
}

/** Throws when a row was not scored, or a fault is not among the most unusual. */
function check(out, count) {
  const bits = out
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => Number(line.split(",")[2]));
  if (bits.length !== count) throw new Error(`${bits.length} of ${count} rows were scored`);
  const faults = bits.flatMap((_, at) => (at % FAULT_EVERY === FAULT_EVERY - 1 ? [at] : []));
  const worst = [...bits].sort((one, other) => other - one)[10 * faults.length] ?? 0;
  const missed = faults.filter((at) => bits[at] <= worst);
  if (missed.length > 0) throw new Error(`the faults in the rows ${missed} were not among the most unusual`);
}

/** @param {unknown} _load @param {boolean} _large @param {boolean} short fewer rows, once */
export async function run(_load, _large, short) {
  const count = short ? SHORT_ROWS : ROWS;
  const server = await serveNoema();
  const folder = mkdtempSync(join(tmpdir(), "noema-bench-score-"));
  try {
    const file = (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const normal = file("normal.csv", tableOf(count, SEEDS.training, false));
    const scored = file("scored.csv", tableOf(count, SEEDS.scored, true));
    await noema(server, ["train", normal, ...COLUMNS, "--every", "10"]);
    const runs = [];
    for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
      const one = await noema(server, ["score", scored, ...COLUMNS]);
      check(one.out, count);
      runs.push(one);
    }
    const rate = (of) => String(Math.round((1_000 * count) / median(runs.map(of))));
    printTable(
      `noema score: ${count} rows of ${SENSORS.length} sensors, rows a second`,
      ["by", "the clock", "the server's processor time", "that of the command line"],
      [["median", rate(({ clock }) => clock), rate(({ server: used }) => used), rate(({ own }) => own)]],
    );
  } finally {
    rmSync(folder, { recursive: true });
    await server.stop();
  }
}
