/**
 * Judges what a restore or a change of genomes has made of an agent, by what was read before: a restore that was
 * answered has brought back all that the backup held; one that was not has brought back all of it or nothing; and what
 * is changed is changed for every call at once.
 */

import { isPassing } from "../clients.mjs";
import { GENOMES } from "../plan/keeping.mjs";
import { told } from "./twin.mjs";

/** What differs between what is in memory and what is on the disks. */
export function judgeMemory(warm, cold) {
  return differences("from memory, and not from the disk", readingsAs(cold), readingsAs(warm));
}

/** What was read, by step, as it is compared: `{ id, call, text }`. */
export function readingsAs(steps) {
  return steps.map(({ processor, session, call, outcome }) => ({
    place: `${processor}/${session} ${call}`,
    processor,
    raw: outcome.lost ?? told(outcome),
    // A restore of one processor leaves it its name, and so does not say what it is.
    text: (outcome.lost ?? told(outcome)).replaceAll(OTHER_NAME, FIRST_NAME),
  }));
}

/** The names of the processor that a change of genomes renames. */
const [FIRST_NAME, OTHER_NAME] = [0, 1].map((at) => GENOMES[at].find(({ id }) => id === "p2").name);

/** The differences between what was read and what should have been. */
function differences(what, wanted, got) {
  const known = new Map(got.map(({ place, text }) => [place, text]));
  return wanted
    .filter(({ place, text }) => known.get(place) !== text)
    .map(({ place, text }) => `${what}, ${place}:\n    got    ${known.get(place)}\n    wanted ${text}`);
}

/**
 * What should be read after a change.
 *
 * @param {{ change: string, only?: string }} step
 * @param backedUp what was read when the backup was made
 * @param before what was read before the change
 */
function afterRestore({ only }, backedUp, before) {
  return only === undefined
    ? backedUp
    : [
        ...before.filter(({ processor }) => processor !== only),
        ...backedUp.filter(({ processor }) => processor === only),
      ];
}

/** Judges a restore. @param isAnswered whether one was answered with 200 */
export function judgeRestore({ step, isAnswered, backedUp, before, after }) {
  const wanted = afterRestore(step, backedUp, before);
  const wrong = differences("after a restore", wanted, after);
  if (isAnswered || wrong.length === 0) return wrong;
  // Nothing was said of it: nothing of it may have happened, too.
  const unchanged = differences("after a restore that was given up", before, after);
  return unchanged.length === 0 ? [] : wrong;
}

/** One client's reads, one after the other: what was restored whole is restored for all of them. */
export function judgeReads({ reads, backedUp, before }) {
  const timeOf = (all, processor) => all.find(({ place }) => place === `${processor}/ GET time`)?.text;
  let isRestored = false;
  const wrong = [];
  for (const { processor, outcome } of reads) {
    if (outcome?.status !== 200) continue;
    const text = told(outcome);
    const [then, now] = [timeOf(backedUp, processor), timeOf(before, processor)];
    if (text !== then && text !== now) wrong.push(`while it was restored, ${processor} said ${text}`);
    if (then === now) continue;
    if (text === then) isRestored = true;
    else if (isRestored) wrong.push(`${processor} is as before, after another processor was restored: ${text}`);
  }
  return wrong;
}

/** What is wrong with what was read of an agent with a genome. @param from the genome before */
function differencesOfGenome(genome, { before, after, from }) {
  const nodeOf = (all, processor) => all.find(({ id }) => id === processor);
  const known = new Map(after.map(({ place, text }) => [place, text]));
  const wrong = after.flatMap(({ place, processor, raw }) => wrongName(nodeOf(genome, processor), place, raw));
  for (const { place, processor, text } of before) {
    const got = known.get(place);
    const isIn = nodeOf(genome, processor) !== undefined;
    const wasIn = nodeOf(from, processor) !== undefined;
    // What one knows that was no part of the genome before is its own matter.
    const status = isIn ? "200" : "404";
    const wanted = isIn && wasIn ? text : status;
    if (isIn && wasIn ? got !== wanted : !got.startsWith(wanted)) {
      wrong.push(`after a change of genomes, ${place}:\n    got    ${got}\n    wanted ${wanted}`);
    }
  }
  return wrong;
}

function wrongName(node, place, raw) {
  if (node === undefined || !place.endsWith("status") || raw.includes(`"name":"${node.name}"`)) return [];
  return [`${node.id} is named ${node.name}, and ${place} was answered ${raw}`];
}

/** Judges a change of genomes. @param {{ from: number }} happened from: the genome before */
export function judgeHotswap({ step, isAnswered, before, after, from }) {
  const happened = { before, after, from: GENOMES[from] };
  const wrong = differencesOfGenome(GENOMES[step.genome], happened);
  if (isAnswered || wrong.length === 0) return wrong;
  return differencesOfGenome(GENOMES[from], happened).length === 0 ? [] : wrong;
}

/** What clients were told by the alerts of a restored agent, and by those of the same backup in an agent of its own. */
export function judgeLanes(wanted, got) {
  const lanes = [...new Set([...wanted.keys(), ...got.keys()])];
  return lanes.flatMap((lane) => {
    const [one, other] = [got.get(lane) ?? 0, wanted.get(lane) ?? 0];
    return one === other ? [] : [`after a restore, ${lane} was told ${one} times, and elsewhere ${other} times`];
  });
}

/** A backup that was made while the agent changed holds each processor as it was before, or as it was afterwards. */
export function judgeSaved({ backedUp, before, after, saved }) {
  const processors = [...new Set(saved.map(({ processor }) => processor))];
  return processors.flatMap((processor) => {
    const own = (all) => all.filter((one) => one.processor === processor);
    const isInNone = own(saved).every(({ text }) => text.startsWith("404"));
    const all = [before, after, backedUp].map((texts) => differences("in a backup", own(texts), own(saved)));
    return isInNone || all.some((wrong) => wrong.length === 0) ? [] : all[0];
  });
}

/** A symbol that the client writes, or the device sends. */
const WRITTEN = /^[vw]\d+$/;

/** Which records a client finds where it has written, once each. */
function foundIn({ outcome }, wrong) {
  if (outcome.status !== 200) return new Set();
  // Encoders add symbols of their own.
  const found = JSON.parse(outcome.text)
    .message.flat()
    .filter((symbol) => WRITTEN.test(symbol));
  const twice = found.filter((symbol, at) => found.indexOf(symbol) !== at);
  if (twice.length > 0) wrong.push(`what was written while the agent changed is there twice: ${twice.join()}`);
  return new Set(found);
}

/** Whether a change restores p1, in which is written meanwhile. */
const isRestored = ({ change, only }) => change === "restore" && (only ?? "p1") === "p1";

/** When p1 last began to wait for a decision. */
const lastSeal = ({ seals }) => seals.findLast(({ fate, node }) => fate === "durable" && node.name.endsWith("/p1"));

/**
 * Judges what a device sent over a stream while the agent changed: a restore replaces what had its effect before it
 * began to decide, and nothing afterwards; the stream ends then, and goes on with the next frame.
 *
 * @param {{ frames: object[], step: object, isAnswered: boolean, memory: object, world: object }} happened memory: the
 *   step that has read the memory at the end
 */
export function judgeFrames({ frames, step, isAnswered, memory, world }) {
  const wrong = [];
  const found = foundIn(memory, wrong);
  const isReplaced = isRestored(step);
  const runs = new Map(world.runs.flatMap((run, at) => (run.fate === "durable" ? [[run.call?.text, at]] : [])));
  const sealed = lastSeal(world)?.after ?? Number.POSITIVE_INFINITY;
  const isAfter = ({ text }) => runs.get(text) >= sealed || world.runs[runs.get(text)]?.at > step.doneAt;
  // One processor alone is restored without a decision.
  const isDecided = isReplaced && isAnswered && step.only === undefined;
  let isThere = !isReplaced;
  for (const frame of frames) {
    const [symbol] = frame.frame.observe[0].strings;
    isThere ||= found.has(symbol) || isAfter(frame);
    if (!frame.isTaken) wrong.push(`${symbol} was never taken by a stream: ${JSON.stringify(frame.refusals ?? [])}`);
    else if (!runs.has(frame.text)) wrong.push(`${symbol} was acknowledged by a stream, and nothing of it is durable`);
    else if (isThere && !found.has(symbol)) wrong.push(`${symbol} was taken by a stream, and is gone`);
    if (found.has(symbol) && isDecided && frame.answer !== undefined && !isAfter(frame))
      wrong.push(`${symbol} was sent before the restore, and is there after it`);
  }
  return wrong;
}

/**
 * Judges what a client wrote in a memory while the agent changed. A restore replaces what it has answered before it
 * decides, and nothing afterwards; any other change loses nothing.
 *
 * @param {{ writes: object[], step: object, isAnswered: boolean, memory: object, world: object }} happened memory: the
 *   step that has read the memory at the end
 */
export function judgeWrites({ writes, step, isAnswered, memory, world }) {
  const wrong = [];
  const found = foundIn(memory, wrong);
  const isReplaced = isRestored(step);
  const runs = new Map(
    world.runs.flatMap((run, at) => (run.fate === "durable" ? [[run.call?.from?.request?.writes, at]] : [])),
  );
  const sealed = lastSeal(world);
  const isAfter = (write) => write.sentAt > step.doneAt || (runs.get(write) ?? -1) >= (sealed?.after ?? Infinity);
  let isThere = !isReplaced;
  for (const write of writes) {
    const [symbol] = write.body.data.strings;
    const { status, text } = write.outcome;
    if (status !== 200 && !isPassing(write.outcome)) wrong.push(`${symbol} was answered ${status} ${text}`);
    if (status !== 200) continue;
    isThere ||= found.has(symbol) || isAfter(write);
    if (isThere && !found.has(symbol)) wrong.push(`${symbol} was acknowledged while the agent changed, and is gone`);
    if (found.has(symbol) && isReplaced && isAnswered && write.answeredAt < step.sentAt)
      wrong.push(`${symbol} was written before the restore, and is there after it`);
  }
  return wrong;
}
