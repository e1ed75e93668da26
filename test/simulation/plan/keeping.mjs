/**
 * Makes plans of what replaces an agent, or parts of it: backups that are restored, whole and one processor alone, and
 * genomes that change, while everything goes wrong. A plan has phases: first what the backup will hold, then what comes
 * after it, then the change itself, and last what shows that the agent still works.
 */

import { aboutFault } from "./parts.mjs";
import { EPOCH_S, FAULTS } from "./plan.mjs";
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

/** The memory in which a client writes while the agent changes. */
export const WRITTEN = { processor: "p1", session: "w" };

/** What can be done to an agent. */
const CHANGES = [
  [4, () => ({ change: "restore" })],
  [3, (random) => ({ change: "restore", only: random.one(["p1", "p2"]) })],
  [3, (random) => ({ change: "hotswap", genome: random.below(GENOMES.length), isPurging: random.chance(0.3) })],
];

/** How often a fault of each name is chosen during a change, against the others. */
const FAULT_WEIGHTS = [
  [4, "lose-answer"],
  [5, "lose-call"],
  [6, "lose-reply"],
  [12, "kill-at-statement"],
  [4, "kill-at-event"],
  [8, "kill-before-commit"],
  [10, "kill-after-commit"],
  [6, "break-at-statement"],
  [3, "break-before-commit"],
  [6, "break-after-commit"],
  [4, "full-disk"],
  [2, "late-alarm"],
  [2, "double-alarm"],
  [3, "evict"],
];

/** How often a fault of parts is chosen besides. */
const PART_WEIGHTS = [
  [3, "lose-to-part"],
  [6, "lose-from-part"],
  [6, "break-part"],
  [6, "break-head"],
  [3, "slow-part"],
  [4, "part-away"],
  [2, "part-silent"],
];

/** How far into a change a fault may come: a restore has some hundred statements. */
const FARTHEST = { statement: 500, write: 150, commit: 16, committed: 16, event: 40, call: 30, reply: 30, answer: 0 };

export const lengths = [
  [1, [4, 12]],
  [1, [20, 60]],
];

/** How many of the steps before the change have a fault. */
export const rates = [0, 0.05];

export const whoTakesPart = () => watching.everyone();

/** A step before the change, which fills the agent. */
export function stepOf(random, id, who) {
  const step = watching.stepOf(random, id, who);
  // A device counts on in one phase.
  return { ...step, phase: step.frame !== undefined || random.chance(0.6) ? "first" : "second" };
}

function faultOf(random, parts) {
  const fault = random.weighted(parts === undefined ? FAULT_WEIGHTS : [...FAULT_WEIGHTS, ...PART_WEIGHTS]);
  const about = parts === undefined ? {} : aboutFault(random, fault, parts);
  return { fault, after: random.below((FARTHEST[FAULTS[fault].at] ?? 3) + 1), ...about };
}

/** A whole restore may leave p1 with another number of parts, as its genome then says. */
function spreadAnew(change, random) {
  const isWhole = change.change === "restore" && change.only === undefined;
  return isWhole && random.chance(0.4) ? { ...change, parts: random.one(OTHER_COUNTS) } : change;
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
      ...spreadAnew(random.weighted(CHANGES)(random), random.fork("spread")),
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
    ...Array.from({ length: 6 }, (_, at) => {
      const processor = at % 2 === 0 ? "p1" : "p2";
      const strings = ["abcd"[at % 4]];
      // With a time: an encoder of elapsed time would else see how long the change took.
      const time = LAST_S + at;
      const data = { strings, vectors: [], emotives: {}, metadata: {}, unique_id: `last${at}`, time };
      return step({ client: "prober", phase: "last", processor, session: "s1", call: "POST observe", body: { data } });
    }),
  ];
}
