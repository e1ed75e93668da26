/** Plays plans of what replaces an agent: see plan/keeping.mjs. */

import { withGenome } from "./backup.mjs";
import { lanesSince } from "./check/deliveries.mjs";
import { judgeStaged } from "./check/disks.mjs";
import {
  judgeFrames,
  judgeHotswap,
  judgeLanes,
  judgeMemory,
  judgeReads,
  judgeRestore,
  judgeSaved,
  judgeWrites,
  readingsAs,
} from "./check/keeping.mjs";
import { armFault, Device, isPassing, pathOf, runRequests, send } from "./clients.mjs";
import { genomeOf } from "./genome.mjs";
import { GENOMES, genomeIn, STREAMED, WRITTEN } from "./plan/keeping.mjs";
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
  const counts = step.parts === undefined ? parts : [step.parts];
  return { ...step, call: "POST genome/hotswap", path, body: genomeOf(genomeIn(step.genome, counts)) };
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

/**
 * After this time nothing is left of a restore that was given up, in simulated milliseconds: an hour, two when the clock
 * was set back meanwhile.
 */
const ABANDONED_MS = 8_000_000;

/** Who does something of its own while the agent changes: it writes, it sends frames, or it makes backups. */
const ASIDE = new Set(["writer", STREAMED.source, "saver"]);

/** Sends frames over a stream, which ends with each restore, and begins anew. */
async function stream(world, steps) {
  if (steps.length > 0) await new Device(world, steps).run();
}

/** The backups that were made whole while the agent changed. */
const wholeBackups = (savers) => savers.filter(({ outcome }) => outcome?.status === 200 && isWhole(outcome.text));

const isWhole = (text) => text.trimEnd().split("\n").at(-1).includes('"end":');

/** Restores a backup into an agent of its own, and does something there. @returns what that does */
function restoredElsewhere(label, program, backup, work) {
  return besides(label, program, async (fresh) => {
    await fresh.setUp(program, GENOMES[0]);
    const isRestored = await fresh.until(change(fresh.world, { change: "restore", faults: [], id: "again" }, backup));
    return isRestored ? await work(fresh) : ["the backup could not be restored into an agent of its own"];
  });
}

const timelessAll = (read) =>
  Object.fromEntries(Object.entries(read).map(([name, texts]) => [name, timeless({ texts })]));

/** What a backup holds that was made while the agent changed. */
async function judgeBackups(savers, { seed, program, isWritten, ...happened }) {
  const last = wholeBackups(savers).at(-1);
  if (last === undefined) return [];
  return await restoredElsewhere(`saved ${seed}`, program, last.outcome.text, async (fresh) =>
    judgeSaved({ ...timelessAll(happened), saved: timeless(await read(fresh, isWritten)) }),
  );
}

/** What was restored goes on as the same backup does in an agent of its own. */
async function judgeLast(stage, last, { backup, isWritten, program, seed, step }) {
  const { world } = stage;
  const from = world.hooks.length;
  await stage.play(last);
  await stage.quiet();
  const later = await read(stage, isWritten);
  const lanes = lanesSince(world.hooks, from);
  const wrong = await restoredElsewhere(`restored ${seed}`, program, backup, async (fresh) => {
    const freshFrom = fresh.world.hooks.length;
    await fresh.play(structuredClone(last.map(({ outcome: _, ...one }) => one)));
    await fresh.quiet();
    const backedUp = timeless(await read(fresh, isWritten));
    const happened = { step, isAnswered: true, backedUp, before: [], after: timeless(later) };
    return [...judgeRestore(happened), ...judgeLanes(lanesSince(fresh.world.hooks, freshFrom), lanes)];
  });
  return { wrong, end: later.steps };
}

/** Everything that is done at once when the agent changes. @returns whether an answer has said that it has changed */
async function changeAll({ stage, step, backup, parts }, { reads, ...aside }) {
  const { world } = stage;
  const own = (client) => aside[client];
  const [isAnswered] = await stage.until(
    Promise.all([
      change(world, step, backup, parts),
      reads.length > 0 && runRequests(world, reads),
      own("saver").length > 0 && runRequests(world, own("saver")),
      write(world, own("writer")),
      stream(world, own(STREAMED.source)),
    ]),
  );
  return isAnswered;
}

/** Judges what has happened when the agent changed. */
function judgeChange({ step, isAnswered, swap, memories, aside, reads, world, ...happened }) {
  const [written, streamed] = memories;
  const about = { step, isAnswered, world };
  const wrong = judgeWrites({ ...about, writes: aside.writer, memory: written });
  wrong.push(...judgeFrames({ ...about, frames: aside[STREAMED.source], memory: streamed }));
  const isToBeRefused = step.change === "hotswap" && step.parts !== undefined;
  const isRefused = isToBeRefused && step.outcome.status === 400;
  if (step.attempts > 1 && !isAnswered && !isRefused)
    wrong.push(`${step.change} was never answered: ${JSON.stringify(step.outcome)}`);
  if (isToBeRefused && isAnswered) wrong.push("a hotswap has changed the number of parts of a processor");
  const changed = { step, isAnswered, ...happened };
  if (step.change === "hotswap") wrong.push(...judgeHotswap({ ...changed, from: swap?.genome ?? 0 }));
  else {
    wrong.push(...judgeRestore(changed));
    if (step.only === undefined) wrong.push(...judgeReads({ reads, ...changed }));
  }
  return wrong;
}

/** Plays a plan, and judges it: see areas.mjs. */
export async function playKeeping(stage, { steps: planned, seed, program, parts }) {
  const { world } = stage;
  const aside = Object.fromEntries([...ASIDE].map((name) => [name, planned.filter(({ client }) => client === name)]));
  const isWritten = aside.writer.length + aside[STREAMED.source].length > 0;
  const steps = planned.filter(({ call, client }) => !ASIDE.has(client) && !(isWritten && DISTURBING.test(call)));
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
  const isAnswered = await changeAll({ stage, step, backup, parts }, { reads, ...aside });
  await stage.quiet();
  const warm = readingsFor(isWritten);
  await stage.until(runRequests(world, warm));
  const after = await read(stage, isWritten);
  const memories = await stage.read(
    [WRITTEN, STREAMED].flatMap(({ processor, session }) =>
      ofProcessors([processor], [session], ["GET working-memory"], []),
    ),
  );
  const texts = { backedUp: backedUp.texts, before: before.texts, after: after.texts };
  const happened = { step, isAnswered, swap, memories, aside, reads, world, ...texts };
  const wrong = [...judgeMemory(warm, after.steps), ...judgeChange(happened)];
  if (!isAnswered) await stage.quiet(ABANDONED_MS);
  wrong.push(...judgeStaged(world));
  const end = [...backedUp.steps, ...before.steps, ...after.steps];
  if (step.change === "restore" && step.only === undefined && isAnswered) {
    const last = await judgeLast(stage, ofPhase("last"), { backup, isWritten, program, seed, step });
    wrong.push(...last.wrong);
    end.push(...last.end);
  }
  wrong.push(...(await judgeBackups(aside.saver, { seed, program, isWritten, ...texts })));
  return { wrong, end };
}

/** Without what says when it arrived, and how many incidents there were before. */
const timeless = ({ texts }) =>
  texts.map(({ text, ...about }) => ({ ...about, text: text.replace(/"(?:last_observed|from|to|id)":[\d.]+/g, "") }));
