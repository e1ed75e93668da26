/** Steps of random histories: what a client might do, in any order. A step names things that are known when it is taken. */

import fc from "fast-check";
import { Raw } from "./text.mjs";

/** Symbols that sort, escape, encode and print in ways of their own. */
const SYMBOLS = [
  "a",
  "b",
  "c",
  "d",
  "it's",
  'a"b',
  "x\\y",
  "10",
  "2",
  "\u00e9",
  "\uffee",
  "\ud83d\ude00",
  "\u200b",
  "\t",
  "__proto__",
];

const symbol = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...SYMBOLS.slice(0, 4)) },
  { weight: 1, arbitrary: fc.constantFrom(...SYMBOLS) },
);
const some = (arbitrary, maxLength, minLength = 0) => fc.array(arbitrary, { minLength, maxLength });
const component = fc.constantFrom(0, 0.5, 1, 1.5, -2);
/** Rarely of another length than the others, which is refused. */
const vector = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(component, component) },
  { weight: 1, arbitrary: fc.tuple(component, component, component) },
);
const feeling = fc.constantFrom(1, 2, 3.5, -1, 0.1, 0.2, 10);
const emotiveName = fc.constantFrom("joy", "utility", "10", "2");
const emotives = fc.dictionary(emotiveName, feeling, { maxKeys: 2, noNullPrototype: true });
const metadata = fc
  .constantFrom("{}", "{}", '{"k":1}', '{"2":1,"10":2,"1":[1.5,null]}', '{"b":{"z":"\u00e9","a":true}}')
  .map((text) => new Raw(text));
const uniqueId = fc.constantFrom("u1", "u2", "u3");

const gdf = fc.record({
  strings: some(symbol, 3),
  vectors: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, some(vector, 2)),
  emotives,
  metadata,
  unique_id: uniqueId,
});
const events = some(some(symbol, 3, 1), 3, 1);
const values = fc.dictionary(emotiveName, some(feeling, 7, 1), { maxKeys: 2, noNullPrototype: true });
const frequency = fc.integer({ min: 1, max: 4 });

const metric = fc.constantFrom(
  "similarity",
  "number_of_blocks",
  "potential",
  "evidence",
  "fragmentation",
  "snr",
  "entropy",
  "hamiltonian",
  "grand_hamiltonian",
  "confluence",
  "confidence",
  "itfdf_similarity",
);
const genes = fc.oneof(
  fc.record({ SORT: fc.constantFrom(true, false, "sorting", "not sorting") }),
  fc.record({ max_sequence_length: fc.nat(5), wm_resolution: fc.constantFrom("symbol", "event") }),
  fc.record({ wm_mode: fc.constantFrom("clear", "rolling"), max_sequence_length: fc.nat(5) }),
  fc.record({ max_models: fc.constantFrom(0, 1, 3, 5) }),
  fc.record({ recall_threshold: fc.constantFrom(0, 0.1, 0.3, 0.5, 1) }),
  fc.record({ max_predictions: fc.constantFrom(1, 2, 100) }),
  fc.record({ near_vector_count: fc.nat(3) }),
  fc.record({ predict_on_nth_event: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ prediction_sort_metric: metric }),
  fc.record({
    prediction_threshold: fc.constantFrom(0, 0.5, 1, 2),
    prediction_threshold_metric: metric,
    prediction_threshold_direction: fc.constantFrom(true, false, "greater than", "less than"),
  }),
);
const persistence = fc.record({ persistence: fc.integer({ min: 1, max: 6 }) });
const choice = fc.record(
  { frequency_below: fc.nat(3), keep_at_most: fc.nat(6), dry_run: fc.boolean() },
  { requiredKeys: [], noNullPrototype: true },
);
const patterns = some(fc.constantFrom("[ab]", "c|d", "VECTOR\\|[0-7].*", ".", "nothing", "a.*"), 2, 1);

/** One of the models that are known when the step is taken, or an unknown one. */
const model = fc.nat(20).map(
  (at) =>
    ({ models }) =>
      models[at % (models.length + 1)]?.name ?? "0".repeat(40),
);
const knownVector = fc.nat(9).map(
  (at) =>
    ({ vectors }) =>
      `VECTOR|${vectors[at % (vectors.length + 1)]?.name ?? "none"}`,
);

const spelled = fc.constantFrom("MODEL|", "MODEL%7C", "");

const step = (call, body) => body.map((value) => ({ call, body: () => value }));
const plain = (call) => fc.constant({ call, body: () => undefined });
const onModel = (method, operation, body = fc.constant(undefined)) =>
  fc.tuple(model, spelled, body).map(([find, prefix, value]) => ({
    call: (knowledge) => `${method} ${operation}/${prefix}${find(knowledge)}`,
    body: () => value,
  }));

/** What is known now, in another order, less some of it, with other frequencies. */
const load = fc.tuple(fc.boolean(), fc.nat(4), frequency).map(([isReversed, dropped, times]) => ({
  call: "POST load_kb",
  body: ({ models, vectors }) => {
    const kept = models.filter((_, at) => at % 5 !== dropped);
    const ordered = isReversed ? kept.toReversed() : kept;
    const records = ordered.map((one, at) => [one.name, { ...recordOf(one), frequency: 1 + ((at + times) % 3) }]);
    const vectorRecords = vectors.map(({ name, vector: components }) => [name, vectorOf(name, components)]);
    const base = { metadata: {}, models_kb: new Map(records), symbols_kb: {}, vectors_kb: new Map(vectorRecords) };
    return { data: base };
  },
}));

function recordOf({ name, sequence, emotives: felt, metadata: objects }) {
  return { emotives: felt, length: sequence.flat().length, metadata: objects, name, sequence };
}

function vectorOf(name, components) {
  return { hash: name, length: Math.hypot(...components), name: `VECTOR|${name}`, vector: components };
}

const READS = ["working-memory", "percept-data", "cognition-data", "status", "time", "all-genes", "get_kb", "name"];

/** Everything that can be read of a processor: what a history ends with. */
export const READINGS = [
  ...READS.map((read) => ({ call: `GET ${read}`, body: () => undefined })),
  { call: "POST predictions", body: () => undefined },
  { call: "GET list-blacklisted-symbols", body: () => undefined },
];

const data = (arbitrary) => arbitrary.map((value) => ({ data: value }));
const member = fc.record(
  { sequence: events, frequency, emotives: values, metadata: some(metadata, 3), vector: fc.constant([]) },
  { requiredKeys: ["sequence"] },
);
const change = fc.record(
  { frequency, emotives: values, metadata: some(metadata, 3) },
  { requiredKeys: [], noNullPrototype: true },
);

const WEIGHTED = [
  [30, step("POST observe", data(gdf))],
  [
    6,
    step(
      "POST sequence-observe",
      data(fc.record({ sequence: some(gdf, 3), learn: fc.boolean(), clear: fc.boolean() })),
    ),
  ],
  [8, plain("POST learn")],
  [8, plain("POST predictions")],
  [2, step("POST predictions", data(fc.record({ unique_id: uniqueId })))],
  [6, fc.constantFrom(...READINGS)],
  [2, plain("POST working-memory/clear")],
  [1, step("POST clear-all-memory", data(fc.record({ clear_blacklist: fc.boolean() })))],
  [1, plain("POST predicting/stop")],
  [2, plain("POST predicting/start")],
  [1, plain("POST autolearning/stop")],
  [2, plain("POST autolearning/start")],
  [1, plain("POST sleeping/start")],
  [3, plain("POST sleeping/stop")],
  [1, step("POST set-target-class", data(symbol))],
  [2, plain("POST clear-target-class")],
  [5, step("POST genes/change", data(genes))],
  [1, step("POST gene/increment-recall-threshold", fc.record({ increment: fc.constantFrom(0.1, -0.1, 0.25, -1) }))],
  [
    1,
    fc
      .constantFrom("recall_threshold", "SORT", "persistence", "wm_resolution")
      .map((name) => ({ call: `GET gene/${name}`, body: () => undefined })),
  ],
  [2, onModel("GET", "model")],
  [2, onModel("DELETE", "model")],
  [
    2,
    onModel(
      "PUT",
      "model",
      fc.record({ model: change }).filter(({ model: one }) => Object.keys(one).length > 0),
    ),
  ],
  [
    1,
    onModel(
      "PUT",
      "model",
      events.map((sequence) => ({ model: { sequence } })),
    ),
  ],
  [3, step("PUT add-model", member)],
  [1, step("PUT add-model", fc.record({ sequence: events, vector }))],
  [2, step("POST forget", data(choice))],
  [1, step("POST get-models-with-symbols", data(some(symbol, 2, 1)))],
  [1, step("POST get-models-with-patterns", data(patterns))],
  [2, step("DELETE symbols/remove", data(some(symbol, 2, 1)))],
  [1, step("DELETE patterns/remove", data(patterns))],
  [1, step("POST blacklisted-symbols/add", data(some(symbol, 2, 1)))],
  [3, step("DELETE blacklisted-symbols/remove", data(some(symbol, 4, 1)))],
  [1, symbol.map((name) => ({ call: `GET symbol/${encodeURIComponent(name)}`, body: () => undefined }))],
  [1, knownVector.map((find) => ({ call: "GET vector", body: (knowledge) => ({ data: find(knowledge) }) }))],
  [1, load],
];

/** The server dies, and comes back. */
const KILL = { call: "kill", body: () => undefined };

/**
 * A history.
 *
 * @param {number} length of steps, at most
 * @param {number} killWeight how often it dies, against a thousand of other steps; 0 for never
 * @param {boolean} changesPersistence whether persistence is lowered and raised
 */
export function history(length, killWeight, changesPersistence) {
  const all = changesPersistence ? [...WEIGHTED, [4, step("POST genes/change", data(persistence))]] : WEIGHTED;
  const weighted = all.map(([weight, arbitrary]) => ({ weight: weight * 10, arbitrary }));
  const kills = killWeight === 0 ? [] : [{ weight: killWeight, arbitrary: fc.constant(KILL) }];
  return fc.array(fc.oneof(...weighted, ...kills), {
    minLength: Math.ceil(length / 2),
    maxLength: length,
    size: "max",
  });
}
