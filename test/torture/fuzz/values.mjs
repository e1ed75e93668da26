/** Hostile values, and bodies that are nearly right: what a fuzz is made of. Sends nothing. */

import fc from "fast-check";

const HASH = "7d0678ba6305341ce0d25133ab086208656a562f";

/** Text that parsers, paths, databases and objects are known to stumble over. */
const AWKWARD_TEXTS = [
  "",
  " ",
  ".",
  "..",
  "../..",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "\u0000",
  "\u0007\u001b[31m",
  "\ufeff",
  "\u2028",
  "\ud83d\ude00",
  "e\u0301",
  "null",
  "-0",
  "1e999",
  "'; DROP TABLE model; --",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "%00",
  "%zz",
  "|",
  "MODEL|",
  `MODEL|${HASH}`,
  "VECTOR|",
  `VECTOR|${HASH}`,
  "(a+)+$",
  "[",
  "\\",
  "(?<=a)b",
  ".*",
  "a".repeat(5000),
  "\u00e9".repeat(1000),
];

/** Symbols that the processors under attack know. */
export const SYMBOLS = ["a", "b", "c", "d"];

/** Any text. Lone surrogates are left out: in JSON they are written as escapes, of which there are some below. */
export const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...AWKWARD_TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom(...SYMBOLS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);

const anyNumber = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.double(),
  fc.constantFrom(0, -0, 0.1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e308, 5e-324, 1e21),
);

/** A value that stands where another was expected. */
export const anyValue = fc.oneof(
  { maxDepth: 3 },
  fc.constantFrom(null, true, false, [], {}, [[]], [null], { data: {} }),
  anyNumber,
  anyText,
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }),
);

const some = (arbitrary, maxLength = 4) => fc.array(arbitrary, { maxLength });
const maybe = (record) => fc.record(record, { requiredKeys: [] });
const symbol = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...SYMBOLS) }, { weight: 1, arbitrary: anyText });
const emotives = fc.dictionary(fc.constantFrom("joy", "utility", "__proto__"), anyNumber, { maxKeys: 2 });
const metadata = fc.dictionary(anyText, anyValue, { maxKeys: 2 });
const vector = some(fc.integer({ min: -2, max: 2 }), 3);
const events = some(some(symbol));

const gdf = maybe({ strings: some(symbol), vectors: some(vector, 2), emotives, metadata, unique_id: anyText });
const model = maybe({
  sequence: events,
  frequency: anyNumber,
  emotives: fc.dictionary(anyText, some(anyNumber), { maxKeys: 2 }),
  metadata: some(metadata),
  vector,
});
const knowledgeBase = maybe({
  metadata: fc.dictionary(anyText, anyNumber, { maxKeys: 3 }),
  models_kb: fc.dictionary(anyText, model, { maxKeys: 3 }),
  symbols_kb: fc.dictionary(anyText, anyValue, { maxKeys: 3 }),
  vectors_kb: fc.dictionary(anyText, anyValue, { maxKeys: 3 }),
});
const node = maybe({
  type: fc.constantFrom("primitive", "manipulative"),
  id: anyText,
  name: anyText,
  primitive: anyText,
  manipulatives: some(anyText),
  recall_threshold: anyNumber,
  genes: anyValue,
  endpoint: anyText,
});
const genome = fc.record({
  agent: anyText,
  description: anyText,
  elements: fc.record({ nodes: some(fc.record({ data: node })), edges: fc.constant([]) }),
});

/** Bodies that operations take, all of them: an operation is sent those of the others too. */
export const likelyBody = fc.oneof(
  fc.record({ data: gdf }),
  gdf,
  fc.record({ data: maybe({ sequence: some(gdf), learn: fc.boolean(), clear: fc.boolean() }) }),
  fc.record({ data: some(symbol) }),
  fc.record({ data: symbol }),
  fc.record({ data: maybe({ unique_id: anyText, lines: fc.boolean(), clear_blacklist: fc.boolean() }) }),
  fc.record({
    data: fc.dictionary(
      fc.constantFrom("persistence", "recall_threshold", "SORT", "classifier", "max_predictions", "courage"),
      fc.oneof(anyNumber, anyText, fc.boolean()),
      { maxKeys: 3 },
    ),
  }),
  fc.record({ increment: anyNumber }),
  fc.record({ model }),
  model,
  fc.record({ data: knowledgeBase }),
  knowledgeBase,
  genome,
);

/** The same value with something else in one place. */
function spoiled(value, place, by) {
  if (value === null || typeof value !== "object") return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return by;
  const key = keys[place % keys.length];
  const inner = Math.floor(place / keys.length);
  const child = inner % 3 === 0 ? by : spoiled(value[key], Math.floor(inner / 3), by);
  if (Array.isArray(value)) return value.map((old, at) => (String(at) === key ? child : old));
  return { ...value, [key]: child };
}

const LONE_SURROGATES = ['{"data":{"strings":["\\ud800"]}}', '{"\\udfff":1}', '["\\ud83d"]'];

/** JSON text that is not right as JSON, or barely. */
const awkwardJson = fc.constantFrom(
  ...LONE_SURROGATES,
  "",
  " ",
  "{",
  "[1,]",
  "nul",
  "{}{}",
  "NaN",
  '{"data":1e999}',
  '{"data":',
  '{"a":1,"a":2}',
  "[".repeat(10_000),
  `${'{"data":'.repeat(500)}1${"}".repeat(500)}`,
  "\ufeff{}",
  '"\\u0000"',
);

/** A body as it is sent: text or bytes; undefined for none. */
export const anyBody = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 8, arbitrary: likelyBody.map((body) => JSON.stringify(body)) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(likelyBody, fc.nat(), anyValue)
      .map(([body, place, by]) => JSON.stringify(spoiled(body, place, by)) ?? "null"),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(likelyBody, fc.nat())
      .map(([body, at]) => JSON.stringify(body).slice(0, at % (JSON.stringify(body).length + 1))),
  },
  { weight: 2, arbitrary: awkwardJson },
  { weight: 2, arbitrary: anyValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);
