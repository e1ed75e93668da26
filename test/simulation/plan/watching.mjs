/**
 * Makes plans of all that goes on around observing: numbers and their encoders, times, alerts, incidents and verdicts,
 * sessions that end, knowledge that is forgotten, autolearning, and a clock that is set.
 */

import { clearingCall, clearsOften, knowledgeCall, mayHaveKey } from "./knowledge.mjs";
import { EPOCH_S } from "./plan.mjs";

/** Symbols come in this order, as a rule, so that something is expected. */
const PATTERN = ["a", "b", "c", "d", "it's", "é"];
const STRANGE = ["x", "10", "\u{1f600}", "fire"];

const HOUR_MS = 3_600_000;

/** What the secret of every alert is, so that nothing is made by chance. */
const SECRET = `whsec_${"c2ltdWxhdGVk".repeat(3)}`;

/** What alerts report, and how many are about a forecast. */
const CONDITIONS = [
  () => ({ surprise_above: 0.5 }),
  () => ({ surprise_above: 4 }),
  () => ({ surprise: { per_day: 100 } }),
  () => ({ surprise: { per_day: 3 } }),
  () => ({ learned: true }),
  (random) => ({ forecast: { symbol: random.one(PATTERN), above: random.one([0.2, 0.6]), horizon: 1 } }),
  (random) => ({ forecast: { symbol: random.one(PATTERN), above: 0.4, horizon: 3 } }),
];

const ALERTS = ["loud", "daily", "sure"];
const SILENCES = ["still", "mute"];

/** How long clients may be silent before a step, in milliseconds. */
const SILENT_MS = [2_500, 11_000, 60_000, 150_000];

const ENCODERS = {
  temp: [
    { kind: "step", size: 5 },
    { kind: "step", size: 0.5, origin: 0.1, hysteresis: 0.2, on_change: true },
    { kind: "edges", edges: [0, 10, 20], hysteresis: 1 },
  ],
  load: [
    { kind: "edges", edges: [1, 2], on_change: true },
    { kind: "auto", bins: 3, on_change: true },
  ],
  hour: [
    { kind: "clock", of: "hour", step: 6 },
    { kind: "clock", of: "weekday", zone: "Europe/Berlin" },
  ],
  gap: [{ kind: "elapsed" }, { kind: "elapsed", edges: [2, 30] }],
};

/** A record whose time goes on with the step that sends it. */
function recordOf(random, id, at = 0) {
  const strings = [PATTERN[(id + at) % PATTERN.length]];
  if (random.chance(0.12)) strings.push(random.one(STRANGE));
  if (random.chance(0.05)) strings.length = 0;
  // A number without an encoder is refused, and encoders come first.
  const isRead = random.chance(id < 25 ? 0.05 : 0.4);
  const numbers = isRead ? { temp: random.below(250) / 10 } : {};
  if (isRead && random.chance(0.3)) numbers.load = random.below(40) / 10;
  const time = EPOCH_S + id * 60 + at + random.below(30) / 2;
  return {
    strings,
    vectors: random.chance(0.08) ? [[random.below(3), random.below(3)]] : [],
    emotives: random.chance(0.1) ? { joy: random.below(3) } : {},
    metadata: {},
    unique_id: `u${id}.${at}`,
    time,
    ...(Object.keys(numbers).length > 0 && { numbers }),
  };
}

const sequenceOf = (random, id, most) =>
  Array.from({ length: random.between(1, most) }, (_, at) => recordOf(random, id, at));

/** Enough numbers for an encoder of the kind auto to find its edges. */
function manyNumbers(random, id) {
  const record = (at) => ({
    strings: [],
    vectors: [],
    emotives: {},
    metadata: {},
    unique_id: `u${id}.${at}`,
    numbers: { load: random.below(90) / 10, temp: at % 7 },
    time: EPOCH_S + id * 60 + at / 10,
  });
  return Array.from({ length: 90 }, (_, at) => record(at));
}

/** What is done in a memory. */
const IN_MEMORY = [
  [30, (random, id) => ["POST observe", { data: recordOf(random, id) }]],
  [16, (random, id) => ["POST observe?explain=true", { data: recordOf(random, id) }]],
  [14, (random, id) => ["POST sequence-observe", { data: { sequence: sequenceOf(random, id, 8), learn: true } }]],
  [
    4,
    (random, id) => {
      const data = { sequence: sequenceOf(random, id, 3), learn: random.chance(0.5), clear: random.chance(0.5) };
      return ["POST sequence-observe?explain=true", { data }];
    },
  ],
  [8, () => ["POST learn"]],
  [3, () => ["POST working-memory/clear"]],
  [3, () => ["POST forecast", { data: { horizon: 3, top: 5 } }]],
  [2, () => ["POST predictions"]],
  [2, (random) => ["POST surprise/sequence", { data: { sequence: [[random.one(PATTERN)], [random.one(STRANGE)]] } }]],
  [2, () => ["GET history"]],
  [2, () => ["GET incidents"]],
  [1, (random) => ["POST set-target-class", { data: random.one(PATTERN) }]],
  [1, () => ["POST clear-target-class"]],
  [1, () => ["GET percept-data"]],
];

const putEncoder = (random, name = random.one(Object.keys(ENCODERS))) => {
  return [`PUT encoders/${name}`, { data: random.one(ENCODERS[name]) }];
};

const putAlert = (random) => {
  const name = random.one(ALERTS);
  const url = random.chance(0.85) ? { url: `https://hooks.example/${name}` } : {};
  const format = random.chance(0.1) ? { format: random.one(["slack", "ntfy", "text"]) } : {};
  return [`PUT alerts/${name}`, { data: { when: random.one(CONDITIONS)(random), secret: SECRET, ...url, ...format } }];
};

/** Alerts of memories that are silent. */
function putSilence(random) {
  const name = random.one(SILENCES);
  const when = { silent_for: random.one([2, 10, 10, 45, "expected"]) };
  const url = random.chance(0.9) ? { url: `https://hooks.example/${name}` } : {};
  return [`PUT alerts/${name}`, { data: { when, secret: SECRET, ...url } }];
}

/** What is done to a processor. */
const OF_PROCESSOR = [
  [8, (random) => putEncoder(random)],
  [2, (random) => [`DELETE encoders/${random.one(Object.keys(ENCODERS))}`]],
  [8, putAlert],
  [2, (random) => [`DELETE alerts/${random.one(ALERTS)}`]],
  [
    6,
    (random) => {
      const data = { verdict: random.one(["normal", "fault", "ignored", null]), note: random.one(["", "bearing"]) };
      return [`PUT incidents/${random.between(1, 4)}`, { data }];
    },
  ],
  [2, (random, id) => ["POST sequence-observe", { data: { sequence: manyNumbers(random, id), clear: true } }]],
  [4, (random) => ["POST genes/change", { data: { history: random.one([0, 3, 20]) } }]],
  [2, (random) => ["POST genes/change", { data: { max_models: random.one([0, 1, 4]) } }]],
  [2, (_random, _id, { ttl }) => ["POST genes/change", { data: { session_ttl: ttl } }]],
  [3, (random) => ["POST genes/change", { data: rollingGenes(random) }]],
  [1, (random) => ["POST genes/change", { data: { near_vector_count: random.below(3) } }]],
  [2, (random) => [`POST autolearning/${random.one(["start", "start", "stop"])}`]],
  [1, (random) => [`POST predicting/${random.one(["start", "start", "stop"])}`]],
  [1, (random) => [`POST sleeping/${random.one(["start", "stop", "stop", "stop"])}`]],
  [3, (random) => ["POST forget", { data: { keep_at_most: random.below(6), frequency_below: random.below(3) } }]],
  [2, (random) => ["DELETE symbols/remove", { data: [random.one(PATTERN)] }]],
  [3, (random) => ["DELETE blacklisted-symbols/remove", { data: [random.one(PATTERN)] }]],
  [3, () => ["DELETE sessions/s2"]],
  [1, () => ["GET sessions"]],
  [1, () => ["GET alerts"]],
  [1, () => ["GET encoders"]],
];

const rollingGenes = (random) => ({
  wm_mode: random.one(["clear", "rolling"]),
  max_sequence_length: random.one([0, 3, 5]),
  auto_learn_metric: "wm_size",
});

/** Who takes part. Several speak to one processor. */
const CLIENTS = [
  { client: "manager", processor: "p1", session: "", isKeyed: true, manages: 0.6 },
  { client: "keyed", processor: "p1", session: "s1", isKeyed: true, manages: 0 },
  { client: "plain", processor: "p1", session: "s2", isKeyed: false, manages: 0 },
  { client: "numbered", processor: "p2", session: "", isKeyed: false, manages: 0, source: "meter" },
  { client: "manager-2", processor: "p2", session: "", isKeyed: true, manages: 1 },
  { client: "plain-2", processor: "p2", session: "s1", isKeyed: false, manages: 0 },
];

const DEVICES = [
  { client: "device", processor: "p1", session: "d1", source: "device" },
  { client: "device-2", processor: "p2", session: "s1", source: "device-2" },
];

/** Where a clock is set, in milliseconds from where it is. */
const CLOCK_STEPS = [2_000, HOUR_MS, 20 * HOUR_MS];

/**
 * How long sessions last, in seconds. In a plan it is always the same: one that lasts longer than before brings back
 * what is not deleted yet. `undefined` for as ever.
 */
const TTLS = [undefined, undefined, 1, 60, 3_600];

/** How many steps a plan has: see STEPS of generate.mjs. */
export const lengths = [
  [1, [5, 20]],
  [3, [40, 140]],
];

/** All who may take part. */
export const everyone = () => [...CLIENTS, ...DEVICES];

/** A client whose records are numbered in a session, which may end. */
const NUMBERED = { client: "numbered-2", processor: "p1", session: "s1", isKeyed: false, manages: 0, source: "gauge" };

/** Who takes part in the plan of a seed. @param {import("../kernel/random.mjs").Random} random */
export function whoTakesPart(random) {
  const ttl = random.one(TTLS);
  const all = everyone().filter(() => random.chance(0.7));
  if (random.fork("numbered").chance(0.4)) all.push(NUMBERED);
  const about = { ttl, isSilent: random.fork("silence").chance(0.4), clears: clearsOften(random) };
  return (all.length === 0 ? [CLIENTS[0]] : all).map((who) => ({ ...who, ...about }));
}

/** What comes before everything else, most of the time: without alerts and encoders little happens. */
function preparation(random, { manages }, id) {
  if (manages === 0 || id >= 25 || !random.chance(0.8)) return undefined;
  return id % 2 === 0 ? putAlert(random) : putEncoder(random, Object.keys(ENCODERS)[(id >> 1) % 4]);
}

/**
 * What those who manage do besides: they load files and delete models by name, end the sessions of others, clear
 * everything, and set alerts of silence.
 */
function besides(random, { clears, isSilent, manages }) {
  if (manages === 0) return undefined;
  const own = random.fork("besides");
  if (isSilent && own.chance(0.12)) return own.chance(0.9) ? putSilence(own) : [`DELETE alerts/${own.one(SILENCES)}`];
  if (own.chance(0.05)) return [`DELETE sessions/${own.one(["s1", "d1"])}`];
  return clearingCall(random, clears) ?? knowledgeCall(random);
}

/** A step of a client. */
export function stepOf(random, id, who) {
  const { client, processor, session, isKeyed, manages, source, isSilent } = who;
  if (isKeyed === undefined) return frameOf(random, id, who);
  const other = besides(random, who);
  const isManaging = random.chance(manages) || other !== undefined;
  const choice =
    other ?? preparation(random, who, id) ?? random.weighted(isManaging ? OF_PROCESSOR : IN_MEMORY)(random, id, who);
  const [call, body] = choice;
  const waits = random.fork("silence");
  const moment = random.chance(0.3) ? random.below(20) : 0;
  const pause = isSilent && waits.chance(0.12) ? waits.one(SILENT_MS) : moment;
  const isNumbered = source !== undefined && /observe/.test(call);
  const key = isKeyed && mayHaveKey(call) && call !== "POST forecast" ? { key: `key-${id}` } : {};
  const delivery = { source, number: id + 1 };
  const numbered = isNumbered ? { isNumbered, body: { ...body, delivery } } : { body };
  const [, operation] = call.split(" ");
  // Sessions of others are no sessions of a session.
  const isOfProcessor =
    isManaging || /^(?:encoders|alerts|genes|sessions|load_kb|model|clear-all-memory)/.test(operation);
  return { id, client, processor, session: isOfProcessor ? "" : session, call, ...numbered, ...key, pause };
}

function frameOf(random, id, { client, processor, session, source }) {
  const frame = {
    ...(random.chance(0.05) && { clear: true }),
    observe: sequenceOf(random, id, 3).map(({ numbers: _, ...record }) => record),
    ...(random.chance(0.3) && { learn: true }),
    ...(random.chance(0.2) && { forecast: { horizon: 2, top: 3 } }),
    ...(random.chance(0.3) ? { explain: true } : { brief: true }),
  };
  return { id, client, processor, session, source, frame };
}

/** By how much a fault sets the clock, ahead, and back where no session ends by it. */
export function clockStep(random, [{ ttl }]) {
  const ms = random.one(CLOCK_STEPS);
  return ttl === undefined && random.chance(0.5) ? -ms : ms;
}
