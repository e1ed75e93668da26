/**
 * Plans of what the simulator has found, each as short as it can be: they hold since, and fail again when what was
 * mended is broken by a planted fault.
 */

import { EPOCH_S, PLAN_VERSION } from "./plan/plan.mjs";

const SECRET = `whsec_${"c2ltdWxhdGVk".repeat(3)}`;
const record = (strings, at) => ({
  strings,
  vectors: [],
  emotives: {},
  metadata: {},
  unique_id: `u${at}`,
  time: EPOCH_S + at,
});
const sequence = (count, from = 0) => Array.from({ length: count }, (_, at) => record(["abc"[at % 3]], from + at));
const learning = { call: "POST sequence-observe", body: { data: { sequence: sequence(3), learn: true } } };
const alert = (when, about = {}) => ({
  call: "PUT alerts/sure",
  body: { data: { when, secret: SECRET, url: "https://hooks.example/sure", ...about } },
});

/** A plan in which clients do one thing after the other. */
const planIn = (area, steps) => ({ version: PLAN_VERSION, area, seed: 1, isolates: 1, steps });

/** A plan of the area `watching` in which one client does one thing after the other. */
const planOf = (...steps) =>
  planIn(
    "watching",
    steps.map((step, id) => ({
      id,
      client: "keyed",
      processor: "p1",
      session: "",
      key: `key-${id}`,
      pause: 0,
      faults: [],
      ...step,
    })),
  );

/** A client of MQTT that leaves a will. */
const will = { qos: 1, delayS: 0 };
const habits = { style: "mixed", expiryS: 3_600, keepAliveS: 0, window: 1, will };
const PASSING = { client: "passing", processor: "p2", isKept: false, version: 4, ...habits };

/** A client of MQTT that connects, and then does something while a fault happens. */
const willOf = (who, step, fault) => {
  const first = { does: "ping", faults: [] };
  const second = { ...step, faults: [{ fault, after: 0 }] };
  return planIn(
    "mqtt",
    [first, second].map((one, id) => ({ id, client: who.client, who, pause: 20_000, ...one })),
  );
};

/** A client of MQTT that counts its packet identifiers. */
const COUNTING = { client: "mixed", processor: "p1", isKept: true, version: 5, ...habits, will: undefined };

/** It publishes one message after the other, while nothing goes wrong until the last. */
const counted = (count, fault) =>
  planIn(
    "mqtt",
    Array.from({ length: count }, (_, id) => ({
      id,
      client: COUNTING.client,
      who: COUNTING,
      pause: 1_000,
      does: "publish",
      verb: "observe",
      symbols: [[`m${id}`]],
      qos: 1,
      faults: id === count - 1 ? [{ fault, after: 0 }] : [],
    })),
  );

/** A device that sends frames to a processor of parts, of which one answers nothing during one of them. */
const framesWhileSilent = (frames, silentAt) => ({
  ...planIn(
    "parts",
    frames.map((frame, id) => ({
      id,
      client: "device",
      processor: "p1",
      session: "d1",
      source: "device",
      frame: { ...frame, brief: true },
      faults: id === silentAt ? [{ fault: "part-silent", after: 0, of: "p1", part: 0, ms: 4_000 }] : [],
    })),
  ),
  parts: [3, 2],
});

/** The records of a text, one for each of its letters. */
const spelled = (text, from) => [...text].map((letter, at) => record([letter], from + at));

/** A processor of parts that learns within a call, whose object breaks while the call waits for its parts. */
const learningWithin = {
  ...planIn(
    "parts",
    [
      ["POST sequence-observe", { data: { sequence: spelled("abcab", 0), learn: true } }],
      ["POST sequence-observe", { data: { sequence: spelled("abd", 10), learn: true } }],
      ["POST genes/change", { data: { wm_mode: "rolling", max_sequence_length: 3, auto_learn_metric: "wm_size" } }],
      ["POST autolearning/start"],
      ["POST predictions"],
      ["POST sequence-observe?explain=true", { data: { sequence: spelled("abdcabdcab", 20) } }],
      ["POST predictions"],
    ].map(([call, body], id) => ({
      id,
      client: "keyed",
      processor: "p1",
      session: "",
      call,
      body,
      ...(call !== "POST predictions" && { key: `key-${id}` }),
      pause: 3_000,
      faults: id === 5 ? [{ fault: "break-head", after: 12 }] : [],
    })),
  ),
  parts: [3, 2],
};

/** Records that are written to a processor of parts while a backup is restored. */
const writtenMeanwhile = {
  ...planIn(
    "keeping",
    [
      { ...learning, client: "one", phase: "first", session: "" },
      { client: "changer", phase: "change", change: "restore", parts: 3, attempts: 60 },
      ...[0, 1, 2, 3].map((at) => ({
        client: "writer",
        phase: "change",
        session: "w",
        call: "POST observe",
        body: { data: { ...record([`w${at}`], at), time: undefined } },
        pause: 15,
      })),
    ].map((step, id) => ({ id, processor: "p1", pause: 0, faults: [], ...step })),
  ),
  parts: [3],
};

/** A session that is ended before its silence is told, and begins again long after. */
const endedAndBegun = {
  ...planIn("watching", []),
  steps: [
    {
      call: "PUT alerts/still",
      body: { data: { when: { silent_for: 2 }, secret: SECRET, url: "https://hooks.example/still" } },
    },
    { session: "s1", call: "POST observe", body: { data: record(["a"], 1) } },
    { call: "DELETE sessions/s1" },
    { session: "s1", call: "POST observe", body: { data: record(["b"], 2) }, pause: 300_000 },
  ].map((step, id) => ({ id, client: "keyed", processor: "p1", session: "", pause: 0, faults: [], ...step })),
};

const manyEvents = { call: "POST sequence-observe", session: "s1", body: { data: { sequence: sequence(40, 10) } } };
const daily = [alert({ surprise: { per_day: 100 } }), learning, learning, manyEvents];

/** By name. */
export const FOUND = {
  /** What was forgotten, and the record of forecasts with it, when the processor left memory. */
  "a record of forecasts of nothing": planOf(learning, learning, learning, learning, {
    call: "POST forget",
    body: { data: { keep_at_most: 0 } },
  }),
  /** The threshold that an alert has found in a session, after the processor left memory. */
  "a threshold of another memory": planOf(...daily),
  /** The same when that session was ended. */
  "a threshold of an ended session": planOf(...daily, { call: "DELETE sessions/s1" }),
  /** A will whose session was over when the server was killed. */
  "a will on its way": willOf(PASSING, { does: "vanish", ms: null }, "kill-after-commit"),
  /** A message that was foreseen, and had its effect before the server was killed. */
  "a message that was foreseen": counted(8, "kill-after-commit"),
  /** A frame that was refused while a part was silent, behind which the next one was taken. */
  "a frame that was overtaken": framesWhileSilent(
    [
      ...["abc", "abd", "cab", "bcd", "ab"].map((text, at) => ({ observe: spelled(text, 10 * at), learn: true })),
      { observe: spelled("a", 60) },
      { observe: spelled("b", 70) },
    ],
    5,
  ),
  /** What a part was sent of a call that its head had not stored when it broke. */
  "a call that learns and waits": learningWithin,
  /** A record that waited for parts while a restore was sealed, was acknowledged, and was then replaced. */
  "a write that a restore replaces": writtenMeanwhile,
  /** What was no fault: a delivery that waits is written in the format that its alert is given meanwhile. */
  "a delivery in another format": planOf(
    alert({ learned: true }),
    { ...learning, faults: [{ fault: "refuse-hook", after: 0 }] },
    { ...alert({ learned: true }, { format: "ntfy" }), pause: 500, faults: [{ fault: "refuse-hook", after: 0 }] },
    { ...alert({ learned: true }, { format: "text" }), pause: 1_500 },
  ),
  /** What was no fault: nothing is told of a session that was ended before it was silent for long enough. */
  "a silence that an ended session ends": endedAndBegun,
  /** A will of a client without a keep alive that never came back, and the server was killed. */
  "a will of a connection that was forgotten": willOf(PASSING, { does: "vanish", ms: null }, "kill-at-event"),
};
