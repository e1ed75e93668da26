/** Plans by hand for planted faults that the plan of a seed seldom meets, by the name of the fault. All hold without it. */

import { modelName } from "../torture/model/text.mjs";
import { FOUND } from "./found.mjs";
import { PLAN_VERSION } from "./plan/plan.mjs";

const record = (symbol, at) => ({ strings: [symbol], vectors: [], emotives: {}, metadata: {}, unique_id: `u${at}` });
const spelled = (text) => ({ data: { sequence: [...text].map(record), learn: true, clear: true } });

/** Genes with which a memory learns its newest records again and again. */
const ROLLING = { wm_mode: "rolling", max_sequence_length: 3, auto_learn_metric: "wm_size" };

/** A plan in which clients do one thing after the other. @param {object[]} steps what is not said is as usual */
const planOf = (area, steps, about = {}) => ({
  version: PLAN_VERSION,
  area,
  seed: 1,
  isolates: 1,
  ...about,
  steps: steps.map((step, id) => ({
    id,
    client: "one",
    processor: "p1",
    session: "",
    pause: 100,
    faults: [],
    ...step,
  })),
});

const learn = (text) => ({ call: "POST sequence-observe", body: spelled(text) });
const observe = (symbol, at, about = {}) => ({ call: "POST observe", body: { data: record(symbol, at) }, ...about });

/** A record with a number, in a session. */
const numbered = (number) => ({
  session: "s1",
  isNumbered: true,
  call: "POST observe",
  body: { data: record("a", number), delivery: { source: "gauge", number } },
});

const file = Object.fromEntries(
  ["ab", "cd", "ad"].map((text) => {
    const sequence = [...text].map((symbol) => [symbol]);
    const name = modelName(sequence);
    return [name, { name, sequence, frequency: 2, emotives: {}, metadata: [] }];
  }),
);
const load = (mode = "") => ({
  call: `POST load_kb${mode}`,
  body: { data: { metadata: { forecast_record: [[], [], [], []] }, models_kb: file, symbols_kb: {}, vectors_kb: {} } },
});

const still = {
  when: { silent_for: 10 },
  url: "https://hooks.example/still",
  secret: `whsec_${"c2ltdWxhdGVk".repeat(3)}`,
};
const silent = [
  { call: "PUT alerts/still", body: { data: still } },
  observe("a", 1),
  observe("b", 2, { pause: 60_000 }),
];

/** Many records while an agent is restored. */
const writes = Array.from({ length: 60 }, (_, at) =>
  observe(`w${at}`, at, { client: "writer", session: "w", phase: "change", pause: 2 }),
);

/** Events for a processor that is away for half a minute. */
const away = planOf("agent", [
  learn("abc"),
  learn("abc"),
  observe("a", 10, { faults: [{ fault: "processor-away", after: 0, of: "p2", ms: 30_000 }] }),
  observe("b", 11),
]);

/** A processor that learns on while what was cleared is yet to be deleted. */
const clearing = planOf(
  "agent",
  [
    ...["abc", "bcd", "cde", "def", "efg", "fga"].map(learn),
    observe("a", 10, { session: "s1" }),
    observe("b", 11),
    { call: "POST clear-all-memory", body: { data: {} }, faults: [{ fault: "late-alarm", after: 0 }] },
    learn("xyz"),
    observe("x", 12),
  ].map((step) => ({ ...step, processor: "p3" })),
);

/** Frames and records of a device while an agent is restored. */
const frames = Array.from({ length: 40 }, (_, at) => ({
  client: "streamer",
  source: "streamer",
  session: "v",
  phase: "change",
  pause: 3,
  frame: { observe: [record(`v${at}`, at)], brief: true },
}));

/** An alert whose first delivery is lost, and that has more to tell of the same memory before the next. */
const told = {
  call: "PUT alerts/sure",
  body: {
    data: {
      when: { learned: true },
      url: "https://hooks.example/sure",
      secret: `whsec_${"c2ltdWxhdGVk".repeat(3)}`,
    },
  },
};

/** What is predicted before a model is deleted and afterwards, where the models are in parts. */
const deleting = planOf(
  "parts",
  [
    learn("abc"),
    learn("abd"),
    observe("a", 10),
    { call: "POST predictions" },
    { call: `DELETE model/${modelName([["a"], ["b"], ["c"]])}` },
    { call: "POST predictions" },
  ],
  { parts: [2, 2] },
);

/** Events for a processor that learns while it observes, which needs a part that is away. */
const heard = planOf(
  "parts",
  [
    { call: "POST genes/change", body: { data: ROLLING } },
    { call: "POST autolearning/start" },
    ...["abc", "abc"].map((text) => ({ ...learn(text), processor: "p3" })),
    ...[..."ababab"].map((symbol, at) => ({
      ...observe(symbol, 10 + at, { processor: "p3" }),
      faults: [{ fault: "part-away", after: 0, of: "p1", part: at % 2, ms: 3_000 }],
    })),
  ],
  { parts: [2, 2] },
);

/** A plan in which all that may be repeated is, and a fault comes with one step. */
const withFault = (plan, step, fault) => ({
  ...plan,
  steps: plan.steps.map((one, at) => ({
    ...one,
    ...(/observe|DELETE/.test(one.call) && { key: `key-${at}` }),
    faults: at === step ? [fault] : [],
  })),
});

/** A threshold that follows many events, of which it takes up some after the processor left memory. */
const daily = FOUND["a threshold of another memory"];
const following = [1, 2].map((at) => ({
  ...daily.steps.at(-1),
  id: daily.steps.length + at,
  session: "",
  key: `more-${at}`,
  faults: [{ fault: "evict", after: 0 }],
}));

/** A client of MQTT, and what it does while the reply to a call is lost. */
const losing = (who, steps) => ({
  ...planOf("mqtt", []),
  steps: steps.map((step, id) => ({
    id,
    client: who.client,
    who: { style: "mixed", version: 5, expiryS: 3_600, keepAliveS: 0, window: 1, ...who },
    pause: 1_000,
    faults: [],
    ...step,
  })),
});
const lostReply = { faults: [{ fault: "lose-reply", after: 0 }] };
const willing = { client: "passing", processor: "p2", isKept: false, will: { qos: 1, delayS: 0 } };
const message = (at) => ({ does: "publish", verb: "observe", symbols: [[`m${at}`]], qos: 2 });

export const PLANNED = {
  "message-number-not-stored": losing({ client: "mixed", processor: "p1", isKept: true }, [
    message(0),
    message(1),
    message(2),
    { ...message(3), ...lostReply },
    message(4),
  ]),
  "threshold-ahead": { ...daily, steps: [...daily.steps, ...following] },
  "will-numbered-anew": losing(willing, [
    { does: "ping", pause: 20_000 },
    { does: "vanish", ms: null, pause: 20_000, ...lostReply },
  ]),
  "silence-not-kept": planOf("watching", silent),
  "silence-never-told": planOf("watching", silent),
  "silence-told-early": planOf("watching", silent),
  "numbers-outlive-session": planOf("watching", [
    numbered(5),
    numbered(6),
    { call: "DELETE sessions/s1" },
    numbered(3),
  ]),
  "merge-forgets-frequency": planOf("watching", [learn("ab"), load("?mode=merge")]),
  "file-halved": planOf("agent", [load()]),
  "event-dropped": away,
  "target-given-up": away,
  "change-not-made": deleting,
  "refused-event-dropped": heard,
  "filled-by-half": deleting,
  "part-adopted-stale": withFault(deleting, 1, { fault: "break-after-commit", after: 0 }),
  "part-keeps-deleted": deleting,
  "partial-answer": withFault(deleting, 1, { fault: "lose-from-part", after: 0 }),
  "run-not-taken-back": deleting,
  "parts-of-before": planOf(
    "parts",
    [
      learn("abc"),
      observe("a", 10),
      { call: "POST predictions" },
      load(),
      observe("a", 11),
      { call: "POST predictions" },
    ],
    { parts: [2, 2] },
  ),
  "parts-of-old-number": planOf(
    "keeping",
    [
      { ...learn("abc"), phase: "first" },
      observe("a", 10, { phase: "first" }),
      { ...learn("abd"), phase: "second" },
      observe("a", 20, { phase: "second" }),
      { client: "changer", phase: "change", change: "restore", parts: 3, attempts: 60 },
    ],
    { parts: [2] },
  ),
  "cleared-stays": clearing,
  "new-rows-deleted": clearing,
  "content-not-fixed": planOf("watching", [
    told,
    { ...learn("ab"), faults: [{ fault: "refuse-hook", after: 0 }], pause: 2_000 },
    { ...learn("cd"), pause: 300 },
  ]),
  "frames-while-decided": planOf("keeping", [
    { ...learn("abc"), phase: "first" },
    { client: "changer", phase: "change", change: "restore", attempts: 60 },
    ...frames,
  ]),
  "staged-for-good": planOf("keeping", [
    { ...learn("abc"), phase: "first" },
    {
      client: "changer",
      phase: "change",
      change: "restore",
      attempts: 1,
      faults: [{ fault: "kill-at-statement", after: 120 }],
    },
  ]),
  "merge-halved": planOf("agent", [learn("cd"), load("?mode=merge")]),
  "merge-in-halves": planOf("agent", [
    learn("cd"),
    { ...load("?mode=merge"), faults: [{ fault: "kill-after-commit", after: 4 }] },
    { call: "POST predictions" },
  ]),
  "written-while-decided": planOf("keeping", [
    { ...learn("abc"), phase: "first" },
    { client: "changer", phase: "change", change: "restore", attempts: 60 },
    ...writes,
  ]),
};
