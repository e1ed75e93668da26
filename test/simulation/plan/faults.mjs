/** The faults: at which points of the world each may occur, in plans of which areas, and how often there. */

/** By name: the kind, and the point of the world. */
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

/** How often a fault of each name is chosen, against the others. */
const WEIGHTS = {
  "lose-request": 4,
  "lose-answer": 6,
  "lose-call": 5,
  "lose-reply": 6,
  "kill-at-statement": 6,
  "kill-at-event": 4,
  "kill-before-commit": 4,
  "kill-after-commit": 6,
  "break-at-statement": 4,
  "break-before-commit": 2,
  "break-after-commit": 3,
  "full-disk": 3,
  "cut-stream": 5,
  "late-alarm": 1,
  "double-alarm": 2,
  slow: 1,
  evict: 6,
};

/** How often a fault of parts is chosen, against the others. */
const WEIGHTS_OF_PARTS = {
  "lose-to-part": 4,
  "lose-from-part": 8,
  "break-part": 6,
  "slow-part": 4,
  "part-away": 5,
  "part-silent": 3,
  "evict-parts": 5,
  "evict-heads": 8,
};

/** Where that is otherwise. A statement that is slow has another time than its twin. */
const OWN_WEIGHTS = {
  agent: { "processor-away": 6 },
  keeping: {},
  keys: {},
  mqtt: { "cut-stream": 8, "late-call": 5, evict: 8, slow: 0 },
  parts: { slow: 0, "cut-stream": 2, "break-head": 12, ...WEIGHTS_OF_PARTS },
  watching: { slow: 0, "set-clock": 3, "lose-hook": 3, "refuse-hook": 2, "silence-hook": 2 },
};

/** How often a fault of each name is chosen while an agent is restored or its genome changes. */
const WEIGHTS_OF_CHANGE = {
  "lose-answer": 4,
  "lose-call": 5,
  "lose-reply": 6,
  "kill-at-statement": 12,
  "kill-at-event": 4,
  "kill-before-commit": 8,
  "kill-after-commit": 10,
  "break-at-statement": 6,
  "break-before-commit": 3,
  "break-after-commit": 6,
  "full-disk": 4,
  "late-alarm": 2,
  "double-alarm": 2,
  evict: 3,
  "set-clock": 6,
};

/** How often a fault of parts is chosen besides. */
const PARTS_WEIGHTS_OF_CHANGE = {
  "lose-to-part": 3,
  "lose-from-part": 6,
  "break-part": 6,
  "break-head": 6,
  "slow-part": 3,
  "part-away": 4,
  "part-silent": 2,
};

/** The weights of all faults, in the order of {@link FAULTS}, for a choice by chance. */
const weighted = (weights) => Object.keys(FAULTS).map((name) => [weights[name] ?? 0, name]);

/**
 * How often each fault is chosen in plans of an area: `[weight, name]`.
 *
 * @param {boolean} isOfParts whether only parts have faults
 */
export function faultsIn(area, isOfParts = false) {
  return weighted(isOfParts ? WEIGHTS_OF_PARTS : { ...WEIGHTS, ...OWN_WEIGHTS[area] });
}

/** The same for the change in a plan of `keeping`. @param {boolean} hasParts whether a processor has parts */
export function faultsOfChange(hasParts) {
  const all = { ...WEIGHTS_OF_CHANGE, ...(hasParts && PARTS_WEIGHTS_OF_CHANGE) };
  return Object.entries(all).map(([name, weight]) => [weight, name]);
}

/** The areas of whose plans a fault may be a part. @param {string[]} areas all there are */
export function areasOf(fault, areas) {
  const isChosen = (choices) => choices.some(([weight, name]) => name === fault && weight > 0);
  return areas.filter((area) => isChosen(faultsIn(area)) || (area === "keeping" && isChosen(faultsOfChange(true))));
}
