/** Steps that replace or extend what a processor knows by a file, and that ask for one model by its name and delete it. */

import { modelName } from "../../torture/model/text.mjs";

/** What files hold, besides what is learned from them: sequences that observing learns, too, and others. */
const SEQUENCES = [
  [["a"], ["b"], ["c"]],
  [["a"], ["b"], ["d"]],
  [["d"], ["a"]],
  [["c"], ["d"]],
  [["a", "b"], ["c"]],
  [["a"], ["b"], ["c"], ["d"], ["it's"]],
  [["loaded"], ["a"]],
];

/** How good forecasts were, of a file with which nothing was forecast. */
const NO_FORECASTS = [[], [], [], []];

/** @param {boolean} isGraded whether the file says how good forecasts were; else they are graded when it is loaded */
function fileOf(random, isGraded) {
  const kept = SEQUENCES.filter(() => random.chance(0.5));
  const models = kept.map((sequence) => {
    const name = modelName(sequence);
    return [name, { name, sequence, frequency: random.between(1, 3), emotives: {}, metadata: [] }];
  });
  const metadata = isGraded ? { forecast_record: NO_FORECASTS } : {};
  return { metadata, models_kb: Object.fromEntries(models), symbols_kb: {}, vectors_kb: {} };
}

const loadOf = (random, mode, isGraded) => [`POST load_kb${mode}`, { data: fileOf(random, isGraded) }];

/** A call about one model. @param {"DELETE" | "GET"} method */
const modelOf = (random, method) => [`${method} model/${modelName(random.one(SEQUENCES))}`];

/**
 * A call about knowledge in some of the steps of a plan.
 *
 * @param {import("../kernel/random.mjs").Random} random of the step
 * @param {{ isGraded?: boolean }} [options] isGraded: whether a file says how good forecasts were; by chance when absent
 * @returns the call and its body; `undefined` when the step does something else
 */
export function knowledgeCall(random, { isGraded } = {}) {
  const own = random.fork("knowledge");
  if (!own.chance(0.08)) return undefined;
  const choices = [
    [2, () => loadOf(own, "", isGraded ?? own.chance(0.5))],
    [2, () => loadOf(own, "?mode=merge", isGraded ?? own.chance(0.5))],
    [4, () => modelOf(own, "DELETE")],
    [1, () => modelOf(own, "GET")],
  ];
  return own.weighted(choices)();
}

/** In this part of the plans, this part of what is done to a processor clears all of it, while others go on. */
const CLEARING = 0.3;
const CLEARS = 0.06;

/** Whether the processors of a plan are cleared often. @param {import("../kernel/random.mjs").Random} random of the plan */
export const clearsOften = (random) => random.fork("clearing").chance(CLEARING);

/** A call that clears all of a processor, in some of the steps of plans that do so often; `undefined` in the others. */
export function clearingCall(random, often) {
  return often && random.fork("clearing").chance(CLEARS)
    ? ["POST clear-all-memory", { data: { clear_blacklist: true } }]
    : undefined;
}

/** What may happen while what was cleared is deleted in pieces. */
const BETWEEN_PIECES = [
  "kill-after-commit",
  "kill-before-commit",
  "kill-at-statement",
  "break-after-commit",
  "full-disk",
];

/** Faults of some of the steps that clear all of a processor, besides what may happen in any step. */
export function faultsOfClearing(random, { call }) {
  const own = random.fork("pieces");
  if (call !== "POST clear-all-memory" || !own.chance(0.5)) return [];
  return [{ fault: own.one(BETWEEN_PIECES), after: own.below(8) }];
}

/** Whether a call may have an idempotency key: a file is no single change. */
export const mayHaveKey = (call) => !call.startsWith("GET") && !call.startsWith("POST load_kb");
