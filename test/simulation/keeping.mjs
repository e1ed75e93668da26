/** Plays plans of what replaces an agent: see plan/keeping.mjs. */

import { withGenome } from "./backup.mjs";
import { judgeHotswap, judgeMemory, judgeReads, judgeRestore, judgeWrites, readingsAs } from "./check/keeping.mjs";
import { armFault, isPassing, pathOf, runRequests, send } from "./clients.mjs";
import { genomeOf } from "./genome.mjs";
import { GENOMES, genomeIn, WRITTEN } from "./plan/keeping.mjs";
import { keptReadings, ofProcessors } from "./readings.mjs";
import { besides } from "./stage.mjs";

/** The request of a step that changes the agent. @param {string} backup the lines of the backup */
function requestOf(step, backup, parts) {
  if (step.change === "restore") {
    const path = step.only === undefined ? "/restore" : `/restore?processor=${step.only}`;
    const text = step.parts === undefined ? backup : withGenome(backup, genomeOf(genomeIn(0, [step.parts])));
    return { ...step, call: "POST restore", path, text };
  }
  const path = step.isPurging ? "/genome/hotswap?purge=true" : "/genome/hotswap";
  return { ...step, call: "POST genome/hotswap", path, body: genomeOf(genomeIn(step.genome, parts)) };
}

/** Changes the agent. Of its faults, one or more come with each attempt. @returns whether an answer has said so */
async function change(world, step, backup, parts) {
  const random = world.stream(`change ${step.id}`);
  const request = requestOf(step, backup, parts);
  step.sentAt = world.scheduler.now;
  const faults = [...step.faults];
  for (let attempt = 0; attempt < (step.attempts ?? 60); attempt++) {
    if (attempt > 0) await world.pause(50 + random.fraction() * 2_000);
    const now = faults.splice(0, random.between(1, 2));
    for (const fault of now) armFault(world, fault);
    step.outcome = await send(world, request);
    world.note(`${step.id} ${request.call}: ${step.outcome.lost ?? `${step.outcome.status} ${step.outcome.text}`}`);
    // What says that another restore is being decided passes, too.
    if (isPassing(step.outcome) || step.outcome.status === 409) continue;
    step.doneAt = world.scheduler.now;
    return step.outcome.status === 200;
  }
  return false;
}

/** Writes records one after the other, and notes when each was sent and answered. */
async function write(world, steps) {
  for (const step of steps) {
    await world.pause(step.pause);
    step.sentAt = world.scheduler.now;
    step.outcome = await send(world, { ...step, path: pathOf(step), writes: step });
    step.answeredAt = world.scheduler.now;
  }
}

/** What may empty a memory in which is written, have it not observe, or note elsewhere what was observed there. */
const DISTURBING = /^POST (?:genes\/change|sleeping|autolearning)|^PUT alerts/;

/** What says how much was written, or was sent on by what hears of it. */
const SAYING = new Set(["GET sessions", "GET status"]);

const readingsFor = (isWritten) => keptReadings().filter(({ call }) => !(isWritten && SAYING.has(call)));

/** Reads everything from the disks. */
async function read(stage, isWritten = false) {
  const steps = await stage.read(readingsFor(isWritten));
  return { steps, texts: readingsAs(steps) };
}

/** Plays a plan, and judges it: see areas.mjs. */
export async function playKeeping(stage, { steps: planned, seed, program, parts }) {
  const { world } = stage;
  const writes = planned.filter(({ client }) => client === "writer");
  const isWritten = writes.length > 0;
  const steps = planned.filter(({ call, client }) => client !== "writer" && !(isWritten && DISTURBING.test(call)));
  const ofPhase = (phase) => steps.filter((step) => step.phase === phase && step.change === undefined);
  const swap = steps.find(({ change, phase }) => change !== undefined && phase === "second");
  const step = steps.find(({ change, phase }) => change !== undefined && phase === "change");
  await stage.setUp(program, genomeIn(0, parts));
  await stage.play(ofPhase("first"));
  await stage.quiet();
  const { text: backup } = await stage.until(send(world, { id: "backup", call: "GET backup", path: "/backup" }));
  const backedUp = await read(stage, isWritten);
  await stage.play(ofPhase("second"));
  await stage.quiet();
  if (swap !== undefined) await stage.until(change(world, swap, backup, parts));
  await stage.quiet();
  const before = await read(stage, isWritten);
  if (step === undefined) return { wrong: [], end: before.steps };
  const reads = ofPhase("change");
  const [isAnswered] = await stage.until(
    Promise.all([
      change(world, step, backup, parts),
      reads.length > 0 && runRequests(world, reads),
      write(world, writes),
    ]),
  );
  await stage.quiet();
  const warm = readingsFor(isWritten);
  await stage.until(runRequests(world, warm));
  const after = await read(stage, isWritten);
  const [memory] = await stage.read(ofProcessors([WRITTEN.processor], [WRITTEN.session], ["GET working-memory"], []));
  const happened = { step, isAnswered, backedUp: backedUp.texts, before: before.texts, after: after.texts };
  const wrong = judgeMemory(warm, after.steps);
  wrong.push(...judgeWrites({ writes, step, isAnswered, memory, world }));
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
  const later = await read(stage, isWritten);
  await besides(`restored ${seed}`, program, async (fresh) => {
    await fresh.setUp(program, GENOMES[0]);
    const restored = await fresh.until(change(fresh.world, { change: "restore", faults: [], id: "again" }, backup));
    if (!restored) wrong.push("the backup could not be restored into an agent of its own");
    const copies = structuredClone(last.map(({ outcome: _, ...one }) => one));
    await fresh.play(copies);
    await fresh.quiet();
    wrong.push(
      ...judgeRestore({
        step,
        isAnswered: true,
        backedUp: timeless(await read(fresh, isWritten)),
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
