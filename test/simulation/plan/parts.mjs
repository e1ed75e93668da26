/**
 * Makes plans of processors whose models are spread over parts: what is learned, asked, forgotten and deleted there,
 * while parts are away, silent, slow and lost, and their head is, too.
 */

import { clearingCall, clearsOften, knowledgeCall, mayHaveKey } from "./knowledge.mjs";
import { EPOCH_S } from "./plan.mjs";

/** How many parts each of the two processors may have: beyond six, parts carry messages on. */
const COUNTS = [
  [2, 3],
  [3, 7],
  [3, 16],
  [8, 2],
];

const SYMBOLS = ["a", "b", "c", "d", "it's", "é"];
const MOTIFS = [
  ["a", "b", "c"],
  ["a", "b", "d"],
  ["c", "d"],
];

/** A processor without parts that tells another what it predicts. @param {string} target that processor */
export const senderTo = (target) => ({ id: "p3", name: "P3", targets: [target] });

/** The processors of which one tells what it predicts, of those with parts; and the one that it tells. */
const [TELLING, HEARING] = ["p2", "p5"];

/** What p5 is: it hears, and no client speaks to it. @param {string} id */
export const hearerOf = (id) => ({ id, name: id.toUpperCase(), targets: [] });

/**
 * The processors of a plan.
 *
 * @param {number[]} counts over how many parts the models of each are spread
 * @param {boolean} [isTelling] whether p2 tells p5 what it predicts
 */
export const splitIn = (counts, isTelling = false) => [
  ...counts.map((parts, at) => {
    const id = `p${at + 1}`;
    return { id, name: `P${at + 1}`, targets: isTelling && id === TELLING ? [HEARING] : [], parts };
  }),
  senderTo("p1"),
  ...(isTelling ? [hearerOf(HEARING)] : []),
];

/** How many parts the processors of a plan have. */
export const partsOf = (random) => random.one(COUNTS);

/** What else is true of the agent of a plan. */
export const aboutAgent = (random) => (random.chance(0.4) ? { isTelling: true } : {});

const eventOf = (random) => Array.from({ length: random.between(1, 2) }, () => random.one(SYMBOLS));

const recordOf = (random, id, at = 0, strings = eventOf(random)) => ({
  strings,
  vectors: random.chance(0.05) ? [[random.below(3), random.below(3)]] : [],
  emotives: random.chance(0.1) ? { joy: random.below(3) } : {},
  metadata: {},
  unique_id: `u${id}.${at}`,
  time: EPOCH_S + id * 60 + at,
});

/** What is learned again and again, and what is learned once. */
function sequenceOf(random, id, most = 5) {
  if (random.chance(0.5)) return random.one(MOTIFS).map((symbol, at) => recordOf(random, id, at, [symbol]));
  return Array.from({ length: random.between(1, most) }, (_, at) => recordOf(random, id, at));
}

const eventsOf = (random) => Array.from({ length: random.between(1, 3) }, () => eventOf(random));

/** What is done in a memory. */
const IN_MEMORY = [
  [20, (random, id) => ["POST observe", { data: recordOf(random, id) }]],
  [8, (random, id) => ["POST observe?explain=true", { data: recordOf(random, id) }]],
  [24, (random, id) => ["POST sequence-observe", { data: { sequence: sequenceOf(random, id), learn: true } }]],
  [
    5,
    (random, id) => {
      const [learn, clear] = [random.chance(0.5), random.chance(0.5)];
      return ["POST sequence-observe?explain=true", { data: { sequence: sequenceOf(random, id, 8), learn, clear } }];
    },
  ],
  [10, () => ["POST learn"]],
  [12, () => ["POST predictions"]],
  [6, () => ["POST forecast", { data: { horizon: 3, top: 5 } }]],
  [4, (random) => ["POST surprise/sequence", { data: { sequence: eventsOf(random) } }]],
  [2, () => ["POST working-memory/clear"]],
  [1, () => ["GET working-memory"]],
  [2, () => ["GET history"]],
];

/** What is done to a processor. */
const OF_PROCESSOR = [
  [8, (random) => ["PUT add-model", { sequence: eventsOf(random), frequency: random.between(1, 3) }]],
  [3, (random) => ["POST forget", { data: { keep_at_most: random.between(0, 8), frequency_below: random.below(3) } }]],
  [3, (random) => ["DELETE symbols/remove", { data: [random.one(SYMBOLS)] }]],
  [2, (random) => ["DELETE blacklisted-symbols/remove", { data: [random.one(SYMBOLS)] }]],
  [2, (random) => ["POST genes/change", { data: { max_predictions: random.one([1, 3, 100]) } }]],
  [2, (random) => ["POST genes/change", { data: { max_models: random.one([0, 3, 10]) } }]],
  [2, (random) => ["POST genes/change", { data: rollingGenes(random) }]],
  [2, (random) => [`POST autolearning/${random.one(["start", "start", "stop"])}`]],
  [1, (random) => [`POST predicting/${random.one(["start", "start", "stop"])}`]],
  [1, () => ["POST clear-all-memory", { data: { clear_blacklist: true } }]],
  [1, () => ["GET get_kb"]],
  [1, () => ["GET status"]],
];

const rollingGenes = (random) => ({
  wm_mode: random.one(["clear", "rolling"]),
  max_sequence_length: random.one([0, 3, 5]),
  auto_learn_metric: "wm_size",
});

/** Who takes part. Several speak to one processor. */
const CLIENTS = [
  { client: "keyed", processor: "p1", session: "", isKeyed: true, manages: 0.3 },
  { client: "plain", processor: "p1", session: "s1", isKeyed: false, manages: 0 },
  { client: "keyed-2", processor: "p1", session: "s2", isKeyed: true, manages: 0 },
  { client: "keyed-3", processor: "p2", session: "", isKeyed: true, manages: 0.2 },
  { client: "plain-2", processor: "p2", session: "s1", isKeyed: false, manages: 0 },
];

/** Those who speak to the processor that tells p1 what it predicts. */
const SENDERS = [
  { client: "sender", processor: "p3", session: "", isKeyed: true, manages: 0.1 },
  { client: "sender-2", processor: "p3", session: "s1", isKeyed: false, manages: 0 },
];

const DEVICES = [{ client: "device", processor: "p1", session: "d1", source: "device" }];

/** How many of the steps have a fault. */
export const rates = [0.03, 0.15, 0.4];

/** Who takes part in the plan of a seed. */
export function whoTakesPart(random) {
  const all = [...CLIENTS, ...DEVICES].filter(() => random.chance(0.7));
  if (random.fork("senders").chance(0.4)) all.push(...SENDERS);
  const clears = clearsOften(random);
  return (all.length === 0 ? [CLIENTS[0]] : all).map((who) => ({ ...who, clears }));
}

/** What comes before everything else, most of the time: memories that learn while they observe. */
function preparation(random, id, { processor, manages }) {
  if (manages === 0 || id >= 12 || processor !== "p1" || !random.chance(0.6)) return undefined;
  return id % 2 === 0 ? ["POST genes/change", { data: rollingGenes(random) }] : ["POST autolearning/start"];
}

/** A step of a client. */
export function stepOf(random, id, who) {
  const { client, processor, session, source, isKeyed, manages } = who;
  if (source !== undefined) {
    const frame = { observe: sequenceOf(random, id, 3), ...(random.chance(0.5) && { learn: true }), brief: true };
    return { id, client, processor, session, source, frame };
  }
  const prepared = preparation(random, id, who);
  const isFree = manages > 0 && prepared === undefined;
  const isGraded = random.fork("grading").chance(0.5);
  const known = isFree ? (clearingCall(random, who.clears) ?? knowledgeCall(random, { isGraded })) : undefined;
  const isManaging = prepared !== undefined || random.chance(manages) || known !== undefined;
  const [call, body] = prepared ?? known ?? random.weighted(isManaging ? OF_PROCESSOR : IN_MEMORY)(random, id);
  const isReading = !mayHaveKey(call) || /predictions|forecast|surprise/.test(call);
  const key = isKeyed && !isReading ? { key: `key-${id}` } : {};
  const pause = random.chance(0.3) ? random.below(200) : 0;
  return { id, client, processor, session: isManaging ? "" : session, call, body, ...key, pause };
}

/** How long a part is away or silent, in milliseconds, and how late a message to it comes. */
const AWAY_MS = [30, 500, 3_000, 30_000];
const SLOW_MS = [20, 400, 3_000];

/** What a fault of parts is about. @param {number[]} counts how many parts each processor has */
export function aboutFault(random, fault, counts) {
  if (fault === "slow-part") return { ms: random.one(SLOW_MS) };
  if (fault !== "part-away" && fault !== "part-silent") return {};
  const at = random.below(counts.length);
  return { of: `p${at + 1}`, part: random.below(counts[at]), ms: random.one(AWAY_MS) };
}
