/**
 * Makes plans of what replaces an agent, or parts of it: backups that are restored, whole and one processor alone, and
 * genomes that change, while everything goes wrong. A plan has phases: first what the backup will hold, then what comes
 * after it, then the change itself, and last what shows that the agent still works.
 */

import { FAULTS, faultsOfChange } from "./faults.mjs";
import { clearsOften } from "./knowledge.mjs";
import { aboutFault } from "./parts.mjs";
import { EPOCH_S } from "./plan.mjs";
import * as watching from "./watching.mjs";

/** When the events of the last phase happen, in seconds since 1970: a day after the clock's first moment. */
const LAST_S = EPOCH_S + 86_400;

/** The phases, in order. In `change` one client changes the agent, and the others read. */
export const PHASES = ["first", "second", "change", "last"];

/** The agents that there may be after a change of genomes. All begin with the first. */
export const GENOMES = [
  [
    { id: "p1", name: "P1", targets: ["p2"] },
    { id: "p2", name: "P2", targets: ["p3"] },
    { id: "p3", name: "P3", targets: [] },
  ],
  [
    { id: "p1", name: "P1", targets: ["p3"] },
    { id: "p2", name: "Second", targets: [] },
    { id: "p3", name: "P3", targets: [] },
  ],
  [
    { id: "p1", name: "P1", targets: ["p2"] },
    { id: "p2", name: "P2", targets: [] },
  ],
  [
    { id: "p1", name: "P1", targets: ["p2", "p4"] },
    { id: "p2", name: "P2", targets: ["p4"] },
    { id: "p4", name: "P4", targets: [] },
  ],
];

/** Over how many parts the models of p1 may be spread. */
const COUNTS = [2, 3, 7];

/** With how many parts a restore may leave p1, besides as many as it has. */
const OTHER_COUNTS = [1, 2, 3, 7];

/** The number of parts of p1 in a list; `undefined` in plans in which no processor has parts. */
export const partsOf = (random) => (random.chance(0.35) ? [random.one(COUNTS)] : undefined);

/** One of {@link GENOMES}. @param {number[]} [parts] see {@link partsOf}; 1 is as good as none */
export function genomeIn(at, [count] = []) {
  const isSplit = count !== undefined && count > 1;
  return GENOMES[at].map((node) => (node.id === "p1" && isSplit ? { ...node, parts: count } : node));
}

/** The memories in which a client writes while the agent changes, and in which a device does over a stream. */
export const WRITTEN = { processor: "p1", session: "w" };
export const STREAMED = { processor: "p1", session: "v", source: "streamer" };

/** By how much a fault sets the clock, in milliseconds: as a rule back, and sometimes beyond what was staged before. */
const CLOCK_STEPS = [-86_000_000, -3_700_000, -20_000, -6_000, 4_000, 3_700_000];

/** What can be done to an agent. */
const CHANGES = [
  [4, () => ({ change: "restore" })],
  [3, (random) => ({ change: "restore", only: random.one(["p1", "p2"]) })],
  [3, (random) => ({ change: "hotswap", genome: random.below(GENOMES.length), isPurging: random.chance(0.3) })],
];

/** How far into a change a fault may come: a restore has some hundred statements. */
const FARTHEST = { statement: 500, write: 150, commit: 16, committed: 16, event: 40, call: 30, reply: 30, answer: 0 };

export const lengths = [
  [1, [4, 12]],
  [1, [20, 60]],
];

/** How many of the steps before the change have a fault. */
export const rates = [0, 0.05];

export function whoTakesPart(random) {
  const clears = clearsOften(random);
  return watching.everyone().map((who) => ({ ...who, clears }));
}

/** A step before the change, which fills the agent. */
export function stepOf(random, id, who) {
  const step = watching.stepOf(random, id, who);
  // A device counts on in one phase.
  return { ...step, phase: step.frame !== undefined || random.chance(0.6) ? "first" : "second" };
}

function faultOf(random, parts) {
  const fault = random.weighted(faultsOfChange(parts !== undefined));
  if (fault === "set-clock") return { fault, after: 0, ms: random.one(CLOCK_STEPS) };
  const about = parts === undefined ? {} : aboutFault(random, fault, parts);
  return { fault, after: random.below((FARTHEST[FAULTS[fault].at] ?? 3) + 1), ...about };
}

/** A whole restore may leave p1 with another number of parts, as its genome then says; a hotswap with one is refused. */
function spreadAnew(change, random, [count] = []) {
  const isWhole = change.change === "restore" && change.only === undefined;
  if (isWhole && random.chance(0.4)) return { ...change, parts: random.one(OTHER_COUNTS) };
  const others = OTHER_COUNTS.filter((other) => other !== count);
  const isOther = change.change === "hotswap" && count !== undefined && random.chance(0.2);
  return isOther ? { ...change, parts: random.one(others) } : change;
}

/** The records that a client writes meanwhile, in some of the plans. */
function written(random, step) {
  if (!random.chance(0.5)) return [];
  return Array.from({ length: random.between(2, 14) }, (_, at) => {
    const data = { strings: [`w${at}`], vectors: [], emotives: {}, metadata: {}, unique_id: `w${at}` };
    const pause = random.one([0, 3, 20, 80, 300]);
    return step({ client: "writer", ...WRITTEN, call: "POST observe", body: { data }, pause });
  });
}

/** The frames that a device sends meanwhile, in some of the plans. */
function streamed(random, step) {
  if (!random.chance(0.4)) return [];
  const { source: client } = STREAMED;
  return Array.from({ length: random.between(3, 16) }, (_, at) => {
    const data = { strings: [`v${at}`], vectors: [], emotives: {}, metadata: {}, unique_id: `v${at}` };
    const pause = random.one([0, 3, 20, 80, 300]);
    return step({ client, ...STREAMED, frame: { observe: [data], brief: true }, pause });
  });
}

/** The backups that are made meanwhile, in some of the plans. */
function saved(random, step) {
  if (!random.chance(0.25)) return [];
  const path = "/backup";
  return Array.from({ length: random.between(1, 3) }, () =>
    step({ client: "saver", processor: "p1", session: "", call: "GET backup", path, pause: random.below(150) }),
  );
}

/**
 * The steps of the change, and those that come after it.
 *
 * @param {number} first the number of the first of them
 * @param {boolean} hasFaults whether anything goes wrong
 */
export function moreSteps(random, first, hasFaults, _all, parts) {
  let id = first;
  const faults = hasFaults ? Array.from({ length: random.between(1, 4) }, () => faultOf(random, parts)) : [];
  const step = (about) => ({ id: id++, phase: "change", pause: 0, faults: [], ...about });
  const isFirstGenome = random.chance(0.6);
  return [
    // Another genome than that of the backup, perhaps.
    ...(isFirstGenome
      ? []
      : [step({ client: "swapper", phase: "second", change: "hotswap", genome: random.between(1, 3) })]),
    step({
      client: "changer",
      ...spreadAnew(random.weighted(CHANGES)(random), random.fork("spread"), parts),
      attempts: random.one([1, 60, 60]),
      faults,
    }),
    ...Array.from({ length: random.between(0, 12) }, () =>
      step({
        client: "reader",
        processor: random.one(["p1", "p2", "p3"]),
        session: "",
        call: "GET time",
        pause: random.below(200),
      }),
    ),
    ...written(random.fork("written"), step),
    ...streamed(random.fork("streamed"), step),
    ...saved(random.fork("saved"), step),
    ...Array.from({ length: 6 }, (_, at) => {
      const processor = at % 2 === 0 ? "p1" : "p2";
      const strings = ["abcd"[at % 4]];
      // With a time: an encoder of elapsed time would else see how long the change took.
      const time = LAST_S + at;
      const data = { strings, vectors: [], emotives: {}, metadata: {}, unique_id: `last${at}`, time };
      return step({ client: "prober", phase: "last", processor, session: "s1", call: "POST observe", body: { data } });
    }),
    ...["p1", "p2"].map((processor) =>
      step({ client: "prober", phase: "last", processor, session: "s1", call: "POST learn" }),
    ),
  ];
}
