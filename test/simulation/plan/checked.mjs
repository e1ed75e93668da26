/** Checks plans that were given: what is wrong with one is said by name, before anything of it is played. */

import { seedFrom } from "../kernel/random.mjs";
import { areasOf, FAULTS, FAULTS_OF_PARTS } from "./faults.mjs";
import { AREAS, PLAN_VERSION } from "./plan.mjs";

/** The processors of each area. */
const PROCESSORS = {
  agent: ["p1", "p2", "p3"],
  watching: ["p1", "p2"],
  keeping: ["p1", "p2", "p3", "p4"],
  keys: ["p1", "p2"],
  mqtt: ["p1", "p2"],
  parts: ["p1", "p2", "p3"],
};

/** What says what a step does, in each area: one of these. */
const DOING = {
  agent: ["call", "frame"],
  watching: ["call", "frame"],
  keeping: ["call", "frame", "change"],
  keys: ["call", "makes", "deletes"],
  mqtt: ["does"],
  parts: ["call", "frame"],
};

const isCount = (value) => Number.isInteger(value) && value >= 0;

/** What faults have besides their names: how it is said, and what it may be. */
const MEMBERS = {
  after: ["how many points are passed before it, 0 or more", isCount],
  ms: ["a number of milliseconds, 0 or more", (value) => Number.isFinite(value) && value >= 0],
  by: ["a number of milliseconds", Number.isFinite],
  of: ["the identifier of a processor", (value) => typeof value === "string"],
  part: ["the number of a part, 0 or more", isCount],
};

/** Which of these a fault has, and which rule each follows; the others have `after` alone. */
const MEMBERS_OF = {
  slow: { after: "after", ms: "ms" },
  "set-clock": { after: "after", ms: "by" },
  "processor-away": { of: "of", ms: "ms" },
  "slow-part": { after: "after", ms: "ms" },
  "part-away": { part: "part", of: "of", ms: "ms" },
  "part-silent": { part: "part", of: "of", ms: "ms" },
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
  assertVersion(plan.version);
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
  assertTelling(plan);
  if (!Array.isArray(plan.steps)) throw new Error(`a plan has a list of steps, got ${JSON.stringify(plan.steps)}`);
  for (const [at, step] of plan.steps.entries()) assertStep(step, at, plan);
  const counts = partsOf(plan);
  for (const [at, { faults }] of plan.steps.entries()) {
    for (const fault of faults) assertWhose(fault, at, { area: plan.area, counts });
  }
  return plan;
}

/** @throws Error when a plan says of an agent without parts, or otherwise than by true, that p2 tells another */
function assertTelling({ area, isTelling }) {
  if (isTelling === undefined || (area === "parts" && isTelling === true)) return;
  throw new Error(
    `a plan of parts has isTelling, true where p2 tells p5 what it predicts, or absent; and no other plan has it: ` +
      `got ${JSON.stringify(isTelling)} in a plan of ${area}`,
  );
}

/** @throws Error when a plan is not of the version that is played here */
function assertVersion(version) {
  if (version === PLAN_VERSION) return;
  const isFormer = isCount(version) && version < PLAN_VERSION;
  const advice = isFormer ? "; a plan of a former release is played by that release" : "";
  throw new Error(`this simulator plays plans of version ${PLAN_VERSION}, got ${JSON.stringify(version)}${advice}`);
}

/** How many parts each processor of a plan has, at most, by its identifier: a restore may leave it with another number. */
function partsOf({ parts = [], steps }) {
  const restored = steps.flatMap((step) => step?.parts ?? []);
  return new Map(parts.map((count, at) => [`p${at + 1}`, at === 0 ? Math.max(count, ...restored) : count]));
}

/** @throws Error when a step of a plan is none */
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
  assertPlace(step, at, area);
}

/** @throws Error when a step is about a processor that its plan does not have, or about no memory */
function assertPlace(step, at, area) {
  const known = PROCESSORS[area];
  const { processor, session } = area === "mqtt" ? { ...step.who, session: step.client } : step;
  const isNeeded = area === "mqtt" || step.call !== undefined || step.frame !== undefined;
  if (!isNeeded) return;
  if (!known.includes(processor)) {
    const got = JSON.stringify(processor);
    throw new Error(`a plan of ${area} has the processors ${known.join(", ")}, got ${got} in step ${at}`);
  }
  if (typeof session === "string") return;
  throw new Error(
    `a step has a session, "" for the processor's own memory, got ${JSON.stringify(session)} in step ${at}`,
  );
}

/** @throws Error when a fault lacks what it needs */
function assertMembers({ fault, ...members }, at) {
  for (const [name, rule] of Object.entries(MEMBERS_OF[fault] ?? { after: "after" })) {
    const [words, isOne] = MEMBERS[rule];
    if (isOne(members[name])) continue;
    const got = JSON.stringify(members[name]);
    throw new Error(`the fault "${fault}" of step ${at} has ${name}, ${words}, got ${got}`);
  }
}

/** @throws Error when a fault is in a plan in which it cannot happen */
function assertFaultIn(area, fault, hasParts) {
  const reason = isOfParts(fault) && !hasParts ? "no processor of it has parts" : reasonNot(fault, area);
  if (reason !== undefined) throw new Error(`the fault "${fault}" cannot occur in a plan of ${area}: ${reason}`);
}

/** @throws Error when a fault is of a processor, or of a part, that its plan does not have */
function assertWhose({ fault, of, part }, at, { area, counts }) {
  const about = `the fault "${fault}" of step ${at} is of`;
  if (of !== undefined && !PROCESSORS[area].includes(of))
    throw new Error(
      `${about} a processor of its plan, one of ${PROCESSORS[area].join(", ")}, got ${JSON.stringify(of)}`,
    );
  if (part === undefined) return;
  const count = counts.get(of);
  if (count === undefined)
    throw new Error(
      `${about} a processor with parts, one of ${[...counts.keys()].join(", ")}, got ${JSON.stringify(of)}`,
    );
  if (part >= count) throw new Error(`${about} a part of ${of}, from 0 to ${count - 1}, got ${part}`);
}

const isOfParts = (fault) => FAULTS_OF_PARTS.includes(fault) || fault === "break-head";

/** Why plans of an area do not have a fault; `undefined` when they may. */
function reasonNot(fault, area) {
  const areas = areasOf(fault, AREAS);
  return areas.includes(area) ? undefined : `only plans of ${areas.join(", ")} have it`;
}

/** @throws Error when this many processors cannot have such numbers of parts */
function assertParts(parts, processors, words) {
  const areCounts = Array.isArray(parts) && parts.every((count) => Number.isInteger(count) && count >= 2);
  if (areCounts && parts.length === processors) return;
  throw new Error(`a plan of ${words}, each 2 or more, got ${JSON.stringify(parts)}`);
}

/** @throws Error when there is no such fault here, or none in plans of an area. @param {string} [area] of any when absent */
export function assertFault(fault, area) {
  if (!Object.hasOwn(FAULTS, fault)) {
    throw new Error(
      `the fault ${JSON.stringify(fault)} cannot occur here; those that can are ${Object.keys(FAULTS).join(", ")}`,
    );
  }
  const reason = area === undefined ? undefined : reasonNot(fault, area);
  if (reason !== undefined) throw new Error(`the fault "${fault}" cannot occur in a plan of ${area}: ${reason}`);
}

/** @throws Error when there are no such plans */
export function assertArea(area) {
  if (AREAS.includes(area)) return;
  throw new Error(`there are no plans of ${JSON.stringify(area)}; there are plans of ${AREAS.join(", ")}`);
}
