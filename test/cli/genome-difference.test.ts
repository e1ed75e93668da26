/** What a genome changes, in sentences. */

import { expect, test } from "vitest";
import { genomeDifference } from "../../src/cli/genome/difference";
import type { Schemas } from "../../src/client";

function genome(...nodes: object[]): Schemas.Genome {
  return { agent: "a", elements: { nodes: nodes.map((data) => ({ data })) } } as Schemas.Genome;
}

const P1 = { type: "primitive", id: "p1", name: "P1", recall_threshold: 0.1, sort: true, manipulatives: ["m1"] };
const M1 = { type: "manipulative", id: "m1", primitive: "p1", genes: { primitives: { value: ["p2"] } } };
const P2 = { type: "primitive", id: "p2", name: "P2" };

test("names who comes, goes, changes, and what is not taken over", () => {
  const next = genome(
    { type: "primitive", id: "p1", name: "Sensor", recall_threshold: 0.3, manipulatives: ["m1"] },
    { ...M1, genes: { primitives: { value: ["p3"] } } },
    { type: "primitive", id: "p3", name: "P3" },
  );
  expect(genomeDifference(genome(P1, M1, P2), next)).toEqual({
    added: ["processor p3 (P3)"],
    removed: ["processor p2 (P2)"],
    changed: ['processor p1 (Sensor): name "P1" → "Sensor"', 'manipulative m1: genes.primitives.value.0 "p2" → "p3"'],
    ignored: ["processor p1 (Sensor): recall_threshold 0.1 → 0.3"],
  });
});

test("of a genome and itself is nothing, whatever it leaves out", () => {
  const nothing = { added: [], removed: [], changed: [], ignored: [] };
  expect(genomeDifference(genome(P1, M1, P2), genome(P1, M1, P2))).toEqual(nothing);
  expect(genomeDifference(genome(P2, P1), genome({ type: "primitive", id: "p1", name: "P1" }, P2))).toEqual(nothing);
});
