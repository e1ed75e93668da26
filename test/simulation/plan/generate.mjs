/** Makes a plan from a seed: who does what, and what goes wrong meanwhile. */

import { Random } from "../kernel/random.mjs";
import { FAULTS, faultsIn } from "./faults.mjs";
import * as keeping from "./keeping.mjs";
import * as keys from "./keys.mjs";
import { clearingCall, clearsOften, faultsOfClearing, knowledgeCall, mayHaveKey } from "./knowledge.mjs";
import * as mqtt from "./mqtt.mjs";
import * as parts from "./parts.mjs";
import { AREAS, PLAN_VERSION } from "./plan.mjs";
import * as watching from "./watching.mjs";

const SYMBOLS = ["a", "b", "c", "d", "it's", "10", "é", "\u{1f600}"];
const EMOTIVES = { joy: [1, 2, -1, 0.5], utility: [10, 3.5] };

/** How long a processor cannot be reached, in milliseconds. */
const AWAY_MS = [50, 700, 5_000, 30_000];

/** Some fill the row of a memory soon. */
const LONG = "long ".repeat(120);

const recordOf = (random, id) => {
  const strings = Array.from({ length: random.between(0, 3) }, () => random.one(SYMBOLS));
  if (random.chance(0.15)) strings.push(LONG + random.below(3));
  const emotives = random.chance(0.2) ? { joy: random.one(EMOTIVES.joy) } : {};
  return { strings, vectors: [], emotives, metadata: {}, unique_id: `u${id}` };
};

const BLANK = { vectors: [], emotives: {}, metadata: {} };
const MOTIFS = [
  ["a", "b", "c"],
  ["d", "a"],
];

const sequenceOf = (random) =>
  Array.from({ length: random.between(1, 3) }, () =>
    Array.from({ length: random.between(1, 2) }, () => random.one(SYMBOLS)),
  );

/** What clients do in a memory. */
const IN_MEMORY = [
  [40, (random, id) => ["POST observe", { data: recordOf(random, id) }]],
  [12, () => ["POST learn"]],
  [8, () => ["POST predictions"]],
  [3, () => ["POST working-memory/clear"]],
  [
    6,
    (random, id) => {
      const sequence = Array.from({ length: random.between(1, 3) }, (_, at) => recordOf(random, `${id}.${at}`));
      return ["POST sequence-observe", { data: { sequence, learn: random.chance(0.5), clear: random.chance(0.3) } }];
    },
  ],
  // What is learned again and again.
  [
    4,
    (random, id) => {
      const motif = random.one(MOTIFS);
      const sequence = motif.map((symbol, at) => ({ ...BLANK, strings: [symbol], unique_id: `u${id}.${at}` }));
      return ["POST sequence-observe", { data: { sequence, learn: true, clear: true } }];
    },
  ],
  [2, () => ["GET working-memory"]],
  [2, () => ["GET time"]],
];

/** What clients do to a processor. */
const OF_PROCESSOR = [
  [4, (random) => ["PUT add-model", { sequence: sequenceOf(random), frequency: random.between(1, 3) }]],
  [2, (random) => ["POST forget", { data: { keep_at_most: random.between(1, 6) } }]],
  [2, (random) => ["DELETE symbols/remove", { data: [random.one(SYMBOLS)] }]],
  [1, (random) => ["POST blacklisted-symbols/add", { data: [random.one(SYMBOLS)] }]],
  [3, (random) => ["DELETE blacklisted-symbols/remove", { data: [random.one(SYMBOLS)] }]],
  [2, (random) => ["POST genes/change", { data: { max_predictions: random.one([1, 3, 100]) } }]],
  [1, (random) => ["POST genes/change", { data: { persistence: random.between(1, 6) } }]],
  [0.5, () => ["POST clear-all-memory", { data: { clear_blacklist: true } }]],
  [1, () => ["GET list-blacklisted-symbols"]],
  [1, () => ["GET all-genes"]],
];

/** The clients of a plan: each does one thing after the other. Several may speak to one processor. */
const CLIENTS = [
  { client: "keyed", processor: "p1", session: "", isKeyed: true },
  { client: "plain", processor: "p1", session: "s1", isKeyed: false },
  { client: "keyed-2", processor: "p2", session: "s1", isKeyed: true },
  { client: "plain-2", processor: "p2", session: "", isKeyed: false },
  { client: "keyed-3", processor: "p3", session: "", isKeyed: true },
  { client: "plain-3", processor: "p3", session: "s1", isKeyed: false },
];

/** Devices that send frames over a stream, as a source. */
const DEVICES = [
  { client: "device", processor: "p1", session: "d1", source: "device" },
  { client: "device-2", processor: "p3", session: "", source: "device-2" },
];

/** How many steps a plan has: few, after which nothing comes that would mend what went wrong, or many. */
const STEPS = [
  [1, [2, 15]],
  [1, [20, 100]],
];

/** How the plans of each area are made: who takes part, and what each does. */
const MAKERS = {
  agent: {
    whoTakesPart: (random) => {
      const clients = CLIENTS.filter(() => random.chance(0.7));
      const devices = DEVICES.filter(() => random.chance(0.6));
      const all = [...clients, ...devices];
      const clears = clearsOften(random);
      return (all.length === 0 ? [CLIENTS[0]] : all).map((who) => ({ ...who, clears }));
    },
    stepOf: (random, id, who) => (who.source === undefined ? requestOf(random, id, who) : frameOf(random, id, who)),
  },
  watching,
  keeping,
  keys,
  mqtt,
  parts,
};

/**
 * A plan.
 *
 * @param {number} seed
 * @param {{ faults?: boolean, area?: string }} [options] faults: whether anything goes wrong; area: what it is of; the
 *   seed decides when absent
 */
export function planOf(seed, { faults = true, area = AREAS[seed % AREAS.length] } = {}) {
  const random = new Random(`plan ${seed}`);
  const { stepOf, whoTakesPart, lengths = STEPS, moreSteps = () => [], rates = [0.02, 0.1, 0.3] } = MAKERS[area];
  const most = random.between(...random.weighted(lengths));
  // Some plans have few faults, so that one is alone; some have many.
  const rate = faults ? random.one(rates) : 0;
  const all = whoTakesPart(random);
  const spread = MAKERS[area].partsOf?.(random.fork("parts"));
  const counts = spread === undefined ? {} : { parts: spread };
  const agent = MAKERS[area].aboutAgent?.(random.fork("agent"));
  // In half of these plans, only parts have faults: then observing goes on, and everything else says what is away.
  const isOfParts = area === "parts" && random.fork("faults").chance(0.5);
  const choices = faultsIn(area, isOfParts);
  const steps = Array.from({ length: most }, (_, id) => {
    const own = random.fork(`step ${id}`);
    const step = stepOf(own, id, own.one(all));
    const faults = faultsOf(own, rate, choices, { all, ...(area === "parts" && counts) });
    if (rate > 0 && !isOfParts) faults.push(...faultsOfClearing(own, step));
    return { ...step, faults };
  });
  steps.push(...moreSteps(random.fork("more"), most, faults, all, spread));
  return {
    version: PLAN_VERSION,
    area,
    seed,
    isolates: random.fork("isolates").one([1, 1, 2]),
    ...counts,
    ...agent,
    steps,
  };
}

function requestOf(random, id, { client, processor, session, isKeyed, clears }) {
  const isOfProcessor = session === "" && random.chance(0.25);
  const chosen = random.weighted(isOfProcessor ? OF_PROCESSOR : IN_MEMORY)(random, id);
  const ofProcessor = session === "" ? (clearingCall(random, clears) ?? knowledgeCall(random)) : undefined;
  const [call, body] = ofProcessor ?? chosen;
  const key = isKeyed && mayHaveKey(call) ? { key: `key-${id}` } : {};
  return { id, client, processor, session, call, body, ...key, pause: random.chance(0.3) ? random.below(20) : 0 };
}

function frameOf(random, id, { client, processor, session, source }) {
  const frame = {
    ...(random.chance(0.1) && { clear: true }),
    observe: Array.from({ length: random.between(1, 3) }, (_, at) => recordOf(random, `${id}.${at}`)),
    ...(random.chance(0.3) && { learn: true }),
    brief: true,
  };
  return { id, client, processor, session, source, frame };
}

function faultsOf(random, rate, choices, { all, parts: counts }) {
  if (!random.chance(rate)) return [];
  const fault = random.weighted(choices);
  const after = FAULTS[fault].at === "statement" ? random.below(25) : random.below(4);
  if (fault === "processor-away") return [{ fault, after, of: random.one(["p2", "p3"]), ms: random.one(AWAY_MS) }];
  if (fault === "set-clock") return [{ fault, after, ms: watching.clockStep(random, all) }];
  if (counts !== undefined) return [{ fault, after, ...parts.aboutFault(random, fault, counts) }];
  return [{ fault, after, ...(fault === "slow" && { ms: random.between(1, 40) }) }];
}
