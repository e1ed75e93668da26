/** Bodies for an operation: some that its schema describes, and the same with a few changes, most of which make them wrong. */

import fc from "fast-check";
import { generateSync, type JsonSchema } from "json-schema-faker";

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** Names that mean something somewhere, so that a change often hits what a decoder looks at. */
const NAMES = ["data", "unique_id", "sequence", "strings", "model", "clear", "learn", "frequency", "elements", "more"];

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, -1, 1.5, 1e300, "", "a", "VECTOR|x"),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: "grapheme", maxLength: 5 }),
);

const value: fc.Arbitrary<Json> = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }),
  fc.array(fc.array(leaf, { maxLength: 2 }), { maxLength: 2 }),
  fc.dictionary(fc.constantFrom(...NAMES), leaf, { maxKeys: 3 }),
);

/** One change: where it happens, as numbers that choose a way down, and what it does there. */
const change = fc.record({
  way: fc.array(fc.nat(7), { maxLength: 6 }),
  kind: fc.constantFrom("replace", "remove", "add", "wrap", "unwrap"),
  name: fc.constantFrom(...NAMES),
  value,
});

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

/**
 * Bodies for an operation.
 *
 * @param schema the schema of its request, with all schemas that it refers to
 * @param samples bodies that it accepts
 */
export function bodiesFor(schema: JsonSchema, samples: readonly unknown[]): fc.Arbitrary<Json> {
  const made = fc.nat(1_000_000).map((seed) => generateSync(schema, { seed, optionalsProbability: 0.5 }) as Json);
  const good = samples.length === 0 ? made : fc.oneof(made, fc.constantFrom(...(samples as Json[])));
  return fc
    .tuple(good, fc.array(change, { maxLength: 3 }))
    .map(([body, changes]) => changes.reduce(changed, structuredClone(body)));
}

/** A value with a change made at the end of its way, or where the way ends before. */
function changed(body: Json, { way, kind, name, value: other }: Change): Json {
  const [step, ...rest] = way;
  const keys = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const key = keys[(step ?? 0) % Math.max(1, keys.length)];
  if (step === undefined || key === undefined) return changedHere(body, kind, name, other);
  const copy = structuredClone(body) as { [key: string]: Json };
  if (rest.length === 0 && kind === "remove") {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
    return copy;
  }
  copy[key] = changed(copy[key] ?? null, { way: rest, kind, name, value: other });
  return copy;
}

function changedHere(body: Json, kind: Change["kind"], name: string, other: Json): Json {
  if (kind === "wrap") return { [name]: body };
  if (kind === "add" && Array.isArray(body)) return [...body, other];
  if (typeof body !== "object" || body === null || Array.isArray(body)) return other;
  if (kind === "add") return { ...body, [name]: other };
  return kind === "unwrap" ? (Object.values(body)[0] ?? other) : other;
}
