/**
 * Plays plans, seed after seed, until the time is over or something is wrong: `npm run simulate`. A plan that fails is
 * shrunk and printed with the command that repeats it.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { optimizeLater } from "./engine.mjs";
import { checkedPlan } from "./plan/checked.mjs";
import { planOf } from "./plan/generate.mjs";
import { PLANTED, PLANTED_CHANGES } from "./planted.mjs";
import { bundled } from "./platform/bundle.mjs";
import { Program } from "./platform/platform.mjs";
import { argumentsFor, settingsOf, USAGE } from "./settings.mjs";
import { shrunk } from "./shrink.mjs";
import { simulate } from "./simulation.mjs";

/** How often the number of plans is printed, in milliseconds. */
const REPORT_MS = 10_000;

/** How many seeds a planted fault may take to be found. */
const MAX_SEEDS = 200;

/** The plan of a seed, less the faults that are left out. */
function planFor(seed, { area, without }) {
  const plan = planOf(seed, { area });
  for (const step of plan.steps) step.faults = step.faults.filter(({ fault }) => !without.includes(fault));
  return plan;
}

/** The plan in a file. @throws Error that names the file, or what is wrong with the plan */
function planIn(file) {
  let plan;
  try {
    plan = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`the plan in ${JSON.stringify(file)} cannot be read: ${error.message}`);
  }
  return checkedPlan(plan);
}

/** Prints a hash of all that happens in a plan. */
async function printDigest(program, plan) {
  const { trace, answers } = await simulate(program, plan, { isTraced: true });
  const hash = createHash("sha256")
    .update(JSON.stringify([trace, answers]))
    .digest("hex");
  console.log(`seed ${plan.seed}, ${plan.area}: ${hash}`);
}

async function fails(program, plan) {
  try {
    return (await simulate(program, plan)).wrong.length > 0;
  } catch {
    return true;
  }
}

/** How many sentences about a plan are printed before it is shrunk. */
const MAX_SENTENCES = 5;

/** Reports a plan that failed. @param {string[]} wrong what was wrong with it */
async function report(program, plan, wrong, { trace, without }) {
  for (const sentence of wrong.slice(0, MAX_SENTENCES)) console.log(`- ${sentence}`);
  console.log(`seed ${plan.seed} fails; shrinking its ${plan.steps.length} steps ...`);
  const least = await shrunk(plan, (smaller) => fails(program, smaller));
  console.log(`the shortest plan that fails has ${least.steps.length} steps:`);
  console.log(JSON.stringify(least));
  const { wrong: left, trace: events = [], log } = await simulate(program, least, { isTraced: true });
  if (trace) console.log([...events, ...log].join("\n"));
  for (const sentence of left) console.log(`- ${sentence}`);
  const again = [`--seed ${plan.seed} --area ${plan.area}`, ...without.map((fault) => `--without ${fault}`)].join(" ");
  console.log(`again: npm run simulate -- ${again}; the shortest: save it, and --plan FILE`);
}

/** Plays one plan. @returns what it counted; `undefined` when it failed */
async function play(program, plan, settings) {
  const wrong = [];
  if (settings.digest) await printDigest(program, plan);
  try {
    const played = await simulate(program, plan);
    if (played.wrong.length === 0) return played.counts;
    wrong.push(...played.wrong);
  } catch (error) {
    wrong.push(error.stack);
  }
  await report(program, plan, wrong, settings);
  return undefined;
}

/** Counts the plans that were played, and says now and then how many. */
class Tally {
  #first;
  #begun = performance.now();
  #cpu = process.cpuUsage();
  #reported = performance.now();
  #sum = { plans: 0, operations: 0, faults: 0, kills: 0 };

  /** @param {number} first the first seed */
  constructor(first) {
    this.#first = first;
  }

  add(counts) {
    this.#sum.plans++;
    for (const name of ["operations", "faults", "kills"]) this.#sum[name] += counts[name];
    if (performance.now() - this.#reported <= REPORT_MS) return;
    this.#reported = performance.now();
    this.say();
  }

  say() {
    const { user, system } = process.cpuUsage(this.#cpu);
    const { plans, operations, faults, kills } = this.#sum;
    const each = (seconds) => Math.round(operations / seconds);
    console.log(
      `${plans} plans from seed ${this.#first}: ${operations} operations, ${faults} faults, ${kills} kills; ` +
        `${each((performance.now() - this.#begun) / 1e3)} operations a second, ` +
        `${each((user + system) / 1e6)} a second of processor time`,
    );
  }
}

/**
 * Plays the plans of seeds one after the other, until one fails.
 *
 * @param {(counts: object) => void} played hears what each has counted
 * @param {{ at: number, step: number }} share which seeds, from the first on
 * @returns {Promise<boolean>} whether all held
 */
async function playSeeds(program, settings, played, { at: from, step }) {
  const { first, most, ms } = settings;
  const begun = performance.now();
  for (let at = from; at < most && performance.now() - begun < ms; at += step) {
    const counts = await play(program, planFor((first + at) % 2 ** 32, settings), settings);
    if (counts === undefined) return false;
    played(counts);
  }
  return true;
}

/** Plays plans in several threads, which load the same program. */
async function playInThreads(settings, tally) {
  const { jobs } = settings;
  const argv = argumentsFor(settings);
  const text = await bundled();
  const workers = Array.from(
    { length: jobs },
    (_, at) => new Worker(new URL(import.meta.url), { argv, workerData: { share: { at, step: jobs }, text } }),
  );
  const outcomes = workers.map(
    (worker) =>
      new Promise((resolve, reject) => {
        worker.on("message", (counts) => tally.add(counts));
        worker.on("error", reject);
        worker.on("exit", resolve);
      }),
  );
  // The first that fails ends the others, which have found nothing.
  const failing = outcomes.map(async (outcome) => ((await outcome) === 0 ? new Promise(() => {}) : 1));
  const code = await Promise.race([Promise.all(outcomes).then((codes) => Math.max(...codes)), ...failing]);
  await Promise.all(workers.map((worker) => worker.terminate()));
  return code;
}

async function playAll(settings) {
  const tally = new Tally(settings.first);
  if (settings.jobs > 1) {
    const code = await playInThreads(settings, tally);
    tally.say();
    return code;
  }
  const { share = { at: 0, step: 1 }, text = await bundled() } = workerData ?? {};
  const program = Program.of(text);
  const played = (counts) => (isMainThread ? tally.add(counts) : parentPort.postMessage(counts));
  const isHeld = await playSeeds(program, settings, played, share);
  if (isMainThread && isHeld) tally.say();
  return isHeld ? 0 : 1;
}

/** The plans of some seeds, the shortest first. */
function shortestPlans(first, area) {
  const plans = Array.from({ length: MAX_SEEDS }, (_, at) => planOf(first + at, { area }));
  return plans.sort((one, other) => one.steps.length - other.steps.length);
}

/** Whether a plan fails, and only while a fault is planted. */
async function finds(program, plan, planted) {
  program.plant(planted);
  const isFailing = await fails(program, plan);
  program.plant(undefined);
  return isFailing && !(await fails(program, plan));
}

/** Looks for a short plan that finds each planted fault. @param {string} name of one of them, of an area, or "all" */
async function findPlanted(name, { first }) {
  const wanted = PLANTED.filter((fault) => name === "all" || fault.name === name || fault.area === name);
  if (wanted.length === 0) {
    const names = PLANTED.map((fault) => fault.name).join(", ");
    throw new Error(`there is no fault ${JSON.stringify(name)} to plant; there are ${names}, and all`);
  }
  const program = await Program.load(PLANTED_CHANGES);
  let unfound = 0;
  for (const { name: planted, area } of wanted) {
    let found;
    for (const plan of shortestPlans(first, area)) {
      if (await finds(program, plan, planted)) {
        found = plan.seed;
        break;
      }
    }
    if (found === undefined) unfound++;
    const last = first + MAX_SEEDS - 1;
    console.log(
      `${planted}: ${found === undefined ? `not found from seed ${first} to ${last}` : `found with seed ${found}`}`,
    );
  }
  return unfound === 0 ? 0 : 1;
}

if (isMainThread) optimizeLater();

try {
  const settings = settingsOf(process.argv.slice(2), isMainThread);
  if (settings.help) console.log(USAGE);
  else if (settings.plant !== undefined)
    process.exitCode = await findPlanted(settings.plant, {
      ...settings,
      first: settings.seed === undefined ? 1 : settings.first,
    });
  else {
    const plan = settings.plan === undefined ? undefined : planIn(settings.plan);
    if (plan === undefined) process.exitCode = await playAll(settings);
    else process.exitCode = (await play(await Program.load(), plan, settings)) === undefined ? 1 : 0;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
