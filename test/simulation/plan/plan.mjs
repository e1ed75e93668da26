/**
 * A plan: what clients do, in which order each, and which faults happen meanwhile. It is plain JSON, so a failing one
 * can be kept, shrunk and played again.
 */

import { seedFrom } from "../kernel/random.mjs";

/** What the clock of the server shows when a simulation begins, in seconds since 1970: 2026-01-01. */
export const EPOCH_S = 1_767_225_600;

/** The version of plans that this simulator plays. A plan means the same only to the generator that made it. */
export const PLAN_VERSION = 6;

/**
 * What plans are of: `agent` of observing and learning in processors that tell each other, judged by the model;
 * `watching` of all that goes on around it, judged by a twin; `keeping` of backups that are restored and genomes that
 * change, judged by what was read before; `keys` of keys that are made and deleted, judged by what is promised of them;
 * `mqtt` of clients of MQTT, judged by what its qualities of service promise; `parts` of processors whose models are
 * spread over parts, judged by a twin in which they are not.
 */
export const AREAS = ["agent", "watching", "keeping", "keys", "mqtt", "parts"];

/** The faults that can occur here: at which points of the world each may. */
export const FAULTS = {
  "lose-request": { kind: "lose", at: "request" },
  "lose-answer": { kind: "lose", at: "answer" },
  "lose-call": { kind: "lose", at: "call" },
  "lose-reply": { kind: "lose", at: "reply" },
  "late-call": { kind: "late", at: "call" },
  "kill-at-statement": { kind: "kill", at: "statement" },
  "kill-at-event": { kind: "kill", at: "event" },
  "kill-before-commit": { kind: "kill", at: "commit" },
  "kill-after-commit": { kind: "kill", at: "committed" },
  "break-at-statement": { kind: "break", at: "statement" },
  "break-before-commit": { kind: "break", at: "commit" },
  "break-after-commit": { kind: "break", at: "committed" },
  "full-disk": { kind: "full", at: "write" },
  "cut-stream": { kind: "cut", at: "message" },
  "late-alarm": { kind: "late", at: "alarm" },
  "double-alarm": { kind: "double", at: "rang" },
  slow: { kind: "slow", at: "statement" },
  evict: { kind: "evict", at: "step" },
  "set-clock": { kind: "clock", at: "step" },
  "lose-hook": { kind: "lose", at: "hook" },
  "refuse-hook": { kind: "refuse", at: "hook" },
  "silence-hook": { kind: "silence", at: "hook" },
  "processor-away": { kind: "away", at: "step" },
  "lose-to-part": { kind: "lose", at: "part" },
  "lose-from-part": { kind: "lose", at: "part-reply" },
  "break-part": { kind: "break", at: "part-reply" },
  "break-head": { kind: "break-head", at: "part-reply" },
  "slow-part": { kind: "slow", at: "part" },
  "part-away": { kind: "away", at: "step" },
  "part-silent": { kind: "silent", at: "step" },
  "evict-parts": { kind: "evict", at: "step" },
  "evict-heads": { kind: "evict", at: "step" },
};

/** The faults that only parts of processors have: whatever else is wrong then, their heads are not. */
export const FAULTS_OF_PARTS = [
  "lose-to-part",
  "lose-from-part",
  "break-part",
  "slow-part",
  "part-away",
  "part-silent",
  "evict-parts",
  "evict-heads",
];

/** The faults that only plans of `watching` have: others have no webhooks, and what judges them has no clock. */
const FAULTS_OF_WATCHING = ["set-clock", "lose-hook", "refuse-hook", "silence-hook"];

const isCount = (value) => Number.isInteger(value) && value >= 0;

/** What faults have besides their names: how it is said, and what it may be. */
const MEMBERS = {
  after: ["how many points are passed before it, 0 or more", isCount],
  ms: ["a number of milliseconds", Number.isFinite],
  of: ["the identifier of a processor", (value) => typeof value === "string"],
  part: ["the number of a part, 0 or more", isCount],
};

/** Which of these a fault has; the others have `after` alone. */
const MEMBERS_OF = {
  slow: ["after", "ms"],
  "set-clock": ["after", "ms"],
  "processor-away": ["of", "ms"],
  "slow-part": ["after", "ms"],
  "part-away": ["part", "of", "ms"],
  "part-silent": ["part", "of", "ms"],
};

/**
 * Checks a plan that was given.
 *
 * @param {unknown} plan
 * @returns the plan
 * @throws Error that names what is wrong with it
 */
export function checkedPlan(plan) {
  if (plan === null || typeof plan !== "object")
    throw new Error(`a plan is a JSON object, got ${JSON.stringify(plan)}`);
  if (plan.version !== PLAN_VERSION) {
    throw new Error(`this simulator plays plans of version ${PLAN_VERSION}, got ${JSON.stringify(plan.version)}`);
  }
  seedFrom(plan.seed);
  assertArea(plan.area);
  if (plan.isolates !== 1 && plan.isolates !== 2)
    throw new Error(`a plan has 1 or 2 isolates, got ${JSON.stringify(plan.isolates)}`);
  if (plan.area === "parts") assertParts(plan.parts, 2, "parts has two numbers of parts");
  else if (plan.parts !== undefined) {
    if (plan.area !== "keeping")
      throw new Error(`a plan of ${plan.area} has no parts, got ${JSON.stringify(plan.parts)}`);
    assertParts(plan.parts, 1, "keeping has no numbers of parts, or a list of one");
  }
  if (!Array.isArray(plan.steps)) throw new Error(`a plan has a list of steps, got ${JSON.stringify(plan.steps)}`);
  for (const [at, step] of plan.steps.entries()) assertStep(step, at, plan);
  return plan;
}

/** What says what a step does, in each area: one of these. */
const DOING = {
  agent: ["call", "frame"],
  watching: ["call", "frame"],
  keeping: ["call", "frame", "change"],
  keys: ["call", "makes", "deletes"],
  mqtt: ["does"],
  parts: ["call", "frame"],
};

/** @throws Error when a step of a plan is none, or has a fault that cannot occur */
function assertStep(step, at, { area, parts }) {
  if (step === null || typeof step !== "object" || typeof step.client !== "string")
    throw new Error(`a step of a plan is an object with a client, got ${JSON.stringify(step)} as step ${at}`);
  if (!Array.isArray(step.faults))
    throw new Error(`a step of a plan has a list of faults, got ${JSON.stringify(step.faults)} in step ${at}`);
  for (const fault of step.faults) {
    assertFault(fault?.fault);
    assertMembers(fault, at);
    assertFaultIn(area, fault.fault, parts !== undefined);
  }
  if (step.parts !== undefined && !(isCount(step.parts) && step.parts > 0))
    throw new Error(
      `a step that restores has parts, a number of 1 or more, got ${JSON.stringify(step.parts)} in step ${at}`,
    );
  if (!DOING[area].some((name) => step[name] !== undefined))
    throw new Error(`a step of ${area} has ${DOING[area].join(" or ")}, and step ${at} has none of these`);
}

/** @throws Error when a fault lacks what it needs */
function assertMembers({ fault, ...members }, at) {
  for (const name of MEMBERS_OF[fault] ?? ["after"]) {
    const [words, isOne] = MEMBERS[name];
    if (isOne(members[name])) continue;
    const got = JSON.stringify(members[name]);
    throw new Error(`the fault "${fault}" of step ${at} has ${name}, ${words}, got ${got}`);
  }
}

/** @throws Error when a fault is in a plan in which it cannot happen */
function assertFaultIn(area, fault, hasParts) {
  const cannot = (reason) => new Error(`the fault "${fault}" cannot occur in a plan of ${area}: ${reason}`);
  const isOfParts = FAULTS_OF_PARTS.includes(fault) || fault === "break-head";
  if (isOfParts && !hasParts) throw cannot("no processor of it has parts");
  if (FAULTS_OF_WATCHING.includes(fault) && area !== "watching") throw cannot("only plans of watching have it");
}

/** @throws Error when so many processors cannot have such numbers of parts */
function assertParts(parts, processors, words) {
  const areCounts = Array.isArray(parts) && parts.every((count) => Number.isInteger(count) && count >= 2);
  if (areCounts && parts.length === processors) return;
  throw new Error(`a plan of ${words}, each 2 or more, got ${JSON.stringify(parts)}`);
}

/** @throws Error when there is no such fault here */
export function assertFault(fault) {
  if (Object.hasOwn(FAULTS, fault)) return;
  throw new Error(
    `the fault ${JSON.stringify(fault)} cannot occur here; those that can are ${Object.keys(FAULTS).join(", ")}`,
  );
}

/** @throws Error when there are no such plans */
export function assertArea(area) {
  if (AREAS.includes(area)) return;
  throw new Error(`there are no plans of ${JSON.stringify(area)}; there are plans of ${AREAS.join(", ")}`);
}
