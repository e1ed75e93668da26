/** Plays plans of what replaces an agent: see plan/keeping.mjs. */

import { judgeHotswap, judgeReads, judgeRestore, readingsAs } from "./check/keeping.mjs";
import { armFault, isPassing, runRequests, send } from "./clients.mjs";
import { genomeOf } from "./genome.mjs";
import { GENOMES } from "./plan/keeping.mjs";
import { keptReadings } from "./readings.mjs";
import { besides } from "./stage.mjs";

/** The request of a step that changes the agent. @param {string} backup the lines of the backup */
function requestOf(step, backup) {
  if (step.change === "restore") {
    const path = step.only === undefined ? "/restore" : `/restore?processor=${step.only}`;
    return { ...step, call: "POST restore", path, text: backup };
  }
  const path = step.isPurging ? "/genome/hotswap?purge=true" : "/genome/hotswap";
  return { ...step, call: "POST genome/hotswap", path, body: genomeOf(GENOMES[step.genome]) };
}

/** Changes the agent. Of its faults, one or more come with each attempt. @returns whether an answer has said so */
async function change(world, step, backup) {
  const random = world.stream(`change ${step.id}`);
  const request = requestOf(step, backup);
  const faults = [...step.faults];
  for (let attempt = 0; attempt < (step.attempts ?? 60); attempt++) {
    if (attempt > 0) await world.pause(50 + random.fraction() * 2_000);
    const now = faults.splice(0, random.between(1, 2));
    for (const fault of now) armFault(world, fault);
    step.outcome = await send(world, request);
    world.note(`${step.id} ${request.call}: ${step.outcome.lost ?? `${step.outcome.status} ${step.outcome.text}`}`);
    // What says that another restore is being decided passes, too.
    if (!isPassing(step.outcome) && step.outcome.status !== 409) return step.outcome.status === 200;
  }
  return false;
}

/** Reads everything from the disks. */
async function read(stage) {
  const steps = await stage.read(keptReadings());
  return { steps, texts: readingsAs(steps) };
}

/** Plays a plan, and judges it: see areas.mjs. */
export async function playKeeping(stage, { steps, seed, program }) {
  const { world } = stage;
  const ofPhase = (phase) => steps.filter((step) => step.phase === phase && step.change === undefined);
  const swap = steps.find(({ change, phase }) => change !== undefined && phase === "second");
  const step = steps.find(({ change, phase }) => change !== undefined && phase === "change");
  await stage.setUp(GENOMES[0]);
  await stage.play(ofPhase("first"));
  await stage.quiet();
  const { text: backup } = await stage.until(send(world, { id: "backup", call: "GET backup", path: "/backup" }));
  const backedUp = await read(stage);
  await stage.play(ofPhase("second"));
  await stage.quiet();
  if (swap !== undefined) await stage.until(change(world, swap, backup));
  await stage.quiet();
  const before = await read(stage);
  if (step === undefined) return { wrong: [], end: before.steps };
  const reads = ofPhase("change");
  const [isAnswered] = await stage.until(
    Promise.all([change(world, step, backup), reads.length > 0 && runRequests(world, reads)]),
  );
  await stage.quiet();
  const after = await read(stage);
  const happened = { step, isAnswered, backedUp: backedUp.texts, before: before.texts, after: after.texts };
  const wrong = [];
  if (step.attempts > 1 && !isAnswered)
    wrong.push(`${step.change} was never answered: ${JSON.stringify(step.outcome)}`);
  if (step.change === "hotswap") wrong.push(...judgeHotswap({ ...happened, from: swap?.genome ?? 0 }));
  else {
    wrong.push(...judgeRestore(happened));
    if (step.only === undefined) wrong.push(...judgeReads({ reads, ...happened }));
  }
  const end = [...backedUp.steps, ...before.steps, ...after.steps];
  if (step.change !== "restore" || step.only !== undefined || !isAnswered) return { wrong, end };
  // What was restored goes on as the same backup does in an agent of its own.
  const last = ofPhase("last");
  await stage.play(last);
  await stage.quiet();
  const later = await read(stage);
  await besides(`restored ${seed}`, program, async (fresh) => {
    await fresh.setUp(GENOMES[0]);
    const restored = await fresh.until(change(fresh.world, { change: "restore", faults: [], id: "again" }, backup));
    if (!restored) wrong.push("the backup could not be restored into an agent of its own");
    const copies = structuredClone(last.map(({ outcome: _, ...one }) => one));
    await fresh.play(copies);
    await fresh.quiet();
    wrong.push(
      ...judgeRestore({
        step,
        isAnswered: true,
        backedUp: timeless(await read(fresh)),
        before: [],
        after: timeless(later),
      }),
    );
  });
  return { wrong, end: [...end, ...later.steps] };
}

/** Without what says when it arrived, and how many incidents there were before. */
const timeless = ({ texts }) =>
  texts.map(({ text, ...about }) => ({ ...about, text: text.replace(/"(?:last_observed|from|to|id)":[\d.]+/g, "") }));
