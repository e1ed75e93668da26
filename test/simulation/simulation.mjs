/** One simulation: a plan played in a world of its own, and what was wrong with it. */

import { performance } from "node:perf_hooks";
import { judge } from "./check/checker.mjs";
import { Device, runRequests, send } from "./clients.mjs";
import { World } from "./kernel/world.mjs";
import { checkedPlan } from "./plan/plan.mjs";

/** When nothing goes wrong any more, all that is on its way arrives in this time, in simulated milliseconds. */
const QUIET_MS = 600_000;

/** The agent of every plan: p1 tells p2 what it predicts, and p2 tells p3. */
const GENOME = [
  { id: "p1", name: "P1", targets: ["p2"] },
  { id: "p2", name: "P2", targets: ["p3"] },
  { id: "p3", name: "P3", targets: [] },
];

const SESSIONS = ["s1", "d1"];

/** The genome that a server has while a plan is played, as JSON. */
export function genomeOf(processors = GENOME) {
  const nodes = processors.flatMap(({ id, name, targets }) => {
    const manipulatives = targets.length === 0 ? [] : [`m-${id}`];
    const primitive = { id, name, type: "primitive", genes: {}, manipulatives };
    const field = { value: ["name"] };
    const manipulative = { id: `m-${id}`, name: "abstraction", mtype: "output", type: "manipulative", primitive: id };
    const genes = { field, primitives: { value: targets } };
    return [{ data: primitive }, ...manipulatives.map(() => ({ data: { ...manipulative, genes } }))];
  });
  return { agent: "simple", description: "", elements: { nodes, edges: [] } };
}

/** Puts the agent of all plans into service. */
async function setUp(world) {
  const step = { id: "genome", call: "POST genome/hotswap", path: "/genome/hotswap", body: genomeOf() };
  const { status, text } = await send(world, step);
  if (status !== 200) throw new Error(`the genome of the simulation was answered ${status}: ${text}`);
}

/** What is read of every memory at the end. */
const READINGS = ["GET working-memory", "GET time", "POST predictions", "GET cognition-data"];
const OF_PROCESSOR = ["GET get_kb", "GET list-blacklisted-symbols", "GET all-genes", "GET status"];

/** Which memories hold paths of other processors, which the model does not know. */
const HEARS = new Set(["p2", "p3"]);

/** The steps that read all that there is. */
export function readings() {
  return GENOME.flatMap(({ id: processor }) =>
    ["", ...SESSIONS].flatMap((session) => {
      const calls = session === "" ? [...READINGS, ...OF_PROCESSOR] : READINGS;
      return calls
        .filter((call) => call !== "GET cognition-data" || !HEARS.has(processor))
        .map((call) => ({ id: `end of ${processor}/${session}`, client: "end", processor, session, call, pause: 0 }));
    }),
  );
}

/** The steps of each client. */
function byClient(steps) {
  const all = new Map();
  for (const step of steps) all.set(step.client, [...(all.get(step.client) ?? []), step]);
  return [...all.values()];
}

/** Waits for something while the world goes on. */
async function until(world, work) {
  let outcome;
  work.then(
    () => {
      outcome = { isDone: true };
    },
    (error) => {
      outcome = { error };
    },
  );
  await world.run(() => outcome !== undefined);
  if (outcome === undefined) await new Promise((resolve) => setImmediate(resolve));
  if (outcome === undefined) throw new Error("nothing happens any more, and clients wait");
  if (outcome.error !== undefined) throw outcome.error;
}

/** Has a world hear of rejections that nothing waits for. @returns what ends it */
function hearRejections(world) {
  const others = process.listeners("unhandledRejection");
  const hear = (reason) => world.uncaught(reason);
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", hear);
  return () => {
    process.removeListener("unhandledRejection", hear);
    for (const listener of others) process.on("unhandledRejection", listener);
  };
}

/**
 * Plays a plan.
 *
 * @param program the loaded Worker
 * @param plan see plan.mjs; is not changed
 * @param {{ isTraced?: boolean }} [options] isTraced: whether to note what happens
 * @returns {{ wrong: string[], counts: object, steps: object[], trace?: string[], ms: number }}
 */
export async function simulate(program, plan, { isTraced = false } = {}) {
  const { seed, steps: planned } = checkedPlan(plan);
  const begun = performance.now();
  const world = new World(seed, (one) => program.start(one));
  if (isTraced) world.trace = [];
  const stopHearing = hearRejections(world);
  try {
    const steps = structuredClone(planned);
    await until(world, setUp(world));
    const clients = byClient(steps).map((own) =>
      own[0].frame === undefined ? runRequests(world, own) : new Device(world, own).run(),
    );
    await until(world, Promise.all(clients));
    world.disarm();
    const quietBy = world.scheduler.now + QUIET_MS;
    await world.run(() => world.scheduler.now > quietBy);
    const quietAt = world.runs.length;
    // What is read at the end was read from the disks.
    world.evict();
    const end = readings();
    await until(world, runRequests(world, end));
    const wrong = judge({ genome: GENOME, steps: [...steps, ...end], world, quietAt, exports: program.exports });
    for (const error of world.thrown) wrong.push(`nothing caught this: ${error?.stack ?? error}`);
    const operations = steps.length + end.length;
    const answers = [...steps, ...end].map(({ outcome }) => outcome);
    return {
      wrong,
      counts: { ...world.counts, operations },
      answers,
      trace: world.trace,
      log: world.log,
      ms: performance.now() - begun,
    };
  } finally {
    stopHearing();
    world.close();
  }
}
