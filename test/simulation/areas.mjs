/** What is played in each area of plans: which agent there is, what is read at the end, and who judges it. */

import { judge } from "./check/checker.mjs";
import { judgeEvents } from "./check/events.mjs";
import { ToldGradings } from "./check/gradings.mjs";
import { judgeAway } from "./check/parts.mjs";
import { Refusals } from "./check/refusals.mjs";
import { judgeByTwin } from "./check/twin.mjs";
import { playKeeping } from "./keeping.mjs";
import { playKeys } from "./keys.mjs";
import { playMqtt } from "./mqtt.mjs";
import { hearerOf, senderTo, splitIn } from "./plan/parts.mjs";
import { readings, splitReadings, wakingCalls, watchedReadings } from "./readings.mjs";
import { besides } from "./stage.mjs";

/** p1 tells p2 what it predicts, and p2 tells p3. */
export const GENOME = [
  { id: "p1", name: "P1", targets: ["p2"] },
  { id: "p2", name: "P2", targets: ["p3"] },
  { id: "p3", name: "P3", targets: [] },
];

/** Two that do not. */
export const WATCHED = [
  { id: "p1", name: "P1", targets: [] },
  { id: "p2", name: "P2", targets: [] },
];

/**
 * Plays a plan, and judges it.
 *
 * @param {import("./stage.mjs").Stage} stage
 * @param {{ steps: object[], seed: number, isolates: number, program: object }} plan its steps are given their outcomes
 * @returns {{ wrong: string[], end: object[] }} end: the steps that have read all at the end
 */
async function playAgent(stage, { steps, program }) {
  const { world } = stage;
  await stage.setUp(program, GENOME);
  await stage.play(steps);
  await stage.quiet();
  const quietAt = world.runs.length;
  const end = await stage.read(readings());
  return { wrong: judge({ genome: GENOME, steps: [...steps, ...end], world, quietAt, exports: program.exports }), end };
}

async function playWatching(stage, { steps, seed, program }) {
  await stage.setUp(program, WATCHED);
  await stage.play(steps);
  await stage.quiet();
  // Who sleeps with an alarm that is too far away, because the clock was set back, finds that out at a call.
  await stage.read(wakingCalls());
  await stage.quiet();
  const end = await stage.read(watchedReadings());
  const wrong = await besides(`twin ${seed}`, program, async (twin) => {
    await twin.setUp(program, WATCHED);
    return await judgeByTwin({ steps, end, world: stage.world, twin });
  });
  return { wrong, end };
}

/** Where no processor is split: what p3 would tell p1, it tells p4, and what p2 would tell p5, it tells p6. */
function unsplit(isTelling) {
  const [p1, p2] = WATCHED;
  const hearers = (isTelling ? ["p4", "p5", "p6"] : ["p4"]).map(hearerOf);
  return [p1, isTelling ? { ...p2, targets: ["p6"] } : p2, senderTo("p4"), ...hearers];
}

/** The twin's processors are not split, and are refused what parts that were away have not answered. */
async function playParts(stage, { steps, seed, parts, isTelling, program }) {
  const { world } = stage;
  world.refusals = new Refusals(() => world.runs.at(-1));
  await stage.setUp(program, splitIn(parts, isTelling));
  await stage.play(steps);
  await stage.quiet();
  const end = await stage.read(splitReadings(isTelling));
  const wrong = await besides(`twin ${seed}`, program, async (twin) => {
    twin.world.refusals = new Refusals();
    twin.world.gradings = new ToldGradings(parts.map((_, at) => `p${at + 1}`));
    await twin.setUp(program, unsplit(isTelling));
    const wrong = await judgeByTwin({ steps, end, world, twin, hasEvents: true });
    await twin.quiet();
    const told = { p1: "p4", ...(isTelling && { p5: "p6" }) };
    for (const [hears, hearsInTwin] of Object.entries(told))
      wrong.push(...judgeEvents({ world, twin: twin.world, hears, hearsInTwin }, program.exports));
    return wrong;
  });
  return { wrong: [...judgeAway(steps), ...wrong], end };
}

/** By the area of a plan. */
export const PLAYED = {
  agent: playAgent,
  watching: playWatching,
  keeping: playKeeping,
  keys: playKeys,
  mqtt: playMqtt,
  parts: playParts,
};
