/** The edges that an encoder finds in numbers: what they divide, and what lies beyond them. */

import { describe, expect, test } from "vitest";
import { foundEdges } from "../../../src/processor/encoding/found-edges";
import { fc } from "../../support/property";

const two_hundred = (number: (at: number) => number) => Array.from({ length: 200 }, (_, at) => number(at));

/** The bin of a number: the greatest edge that is not above it. */
const binOf = (edges: readonly number[], value: number) => edges.findLast((edge) => edge <= value);

/** The numbers by their bins. */
function byBin(edges: readonly number[], all: readonly number[]): Map<number | undefined, number[]> {
  const bins = new Map<number | undefined, number[]>();
  for (const value of all) bins.set(binOf(edges, value), [...(bins.get(binOf(edges, value)) ?? []), value]);
  return bins;
}

const telemetry: [string, number[]][] = [
  ["evenly spread", two_hundred((at) => at / 7)],
  ["whole numbers", two_hundred((at) => (at * 37) % 101)],
  ["negative", two_hundred((at) => -70 - ((at * 31) % 200) / 20)],
  ["tiny", two_hundred((at) => ((at * 31) % 200) * 1e-12)],
  ["huge", two_hundred((at) => ((at * 31) % 200) * 1e300)],
];

test.each(
  telemetry,
)("numbers that are %s: about as many in each bin, and none beyond the ends of the range", (_, all) => {
  const edges = foundEdges(all, 8);
  const counts = byBin(edges, all);
  expect(counts.size).toBe(8);
  for (const [, { length }] of counts) expect(length).toBeGreaterThanOrEqual(18);
  const ends = [Math.min(...all), Math.max(...all)] as const;
  const span = ends[1] - ends[0];
  const outside = [ends[0] - 0.05 * span, ends[1] + 0.05 * span, ends[0] - span, ends[1] + span, ends[1] + 3 * span];
  for (const value of outside) expect(counts.has(binOf(edges, value))).toBe(false);
  expect(new Set(outside.map((value) => binOf(edges, value))).size).toBe(5);
});

test("numbers with tails: about as many in each bin but in the tails, which are divided by how far out they are", () => {
  // 192 numbers from 100 to 110, and 8 further and further above.
  const all = two_hundred((at) => (at < 192 ? 100 + ((at * 37) % 192) / 19.2 : 110 + 2 ** (at - 191)));
  const edges = foundEdges(all, 8);
  const counts = byBin(edges, all);
  const inBody = [...counts].filter(([edge = 0]) => edge < 111);
  expect(inBody.length).toBe(8);
  for (const [, { length }] of inBody) expect(length).toBeGreaterThanOrEqual(15);
  const inTail = new Set([115, 120, 130, 300].map((value) => binOf(edges, value)));
  expect(inTail.size).toBe(4);
  for (const edge of inTail) expect(counts.get(edge)?.length ?? 0).toBeLessThan(5);
});

describe("numbers of few values", () => {
  test.each([
    ["always the same", [20]],
    ["always zero", [0]],
    ["always the same large one", [1e21]],
    ["two states", [0, 1]],
    ["states far apart", [3, 40, 41, 500]],
    ["halves", [0, 0.5, 1]],
    ["the least and the greatest", [-Number.MAX_VALUE, 0, Number.MAX_VALUE]],
    ["the smallest there are", [0, 5e-324, 1e-323]],
  ])("%s: each has a bin of its own", (_, values) => {
    const edges = foundEdges(
      two_hundred((at) => values[at % values.length] ?? 0),
      8,
    );
    expect(new Set(values.map((value) => binOf(edges, value))).size).toBe(values.length);
    const own = new Set(values.map((value) => binOf(edges, value)));
    const [least, most] = [Math.min(...values), Math.max(...values)];
    for (const other of [least - 2 * Math.abs(least) - 1, most + 2 * Math.abs(most) + 1]) {
      if (Number.isFinite(other)) expect(own.has(binOf(edges, other))).toBe(false);
    }
  });

  test("a state between two others is in a bin that no number was in", () => {
    const edges = foundEdges(
      two_hundred((at) => [0, 100][at % 2] ?? 0),
      8,
    );
    for (const value of [10, 50, 99]) expect([0, 100]).not.toContain(binOf(edges, value));
  });
});

test("a value that comes often has a bin of its own, and the others divide the rest", () => {
  const all = two_hundred((at) => (at % 5 < 3 ? 0 : at / 10));
  const edges = foundEdges(all, 8);
  const counts = byBin(edges, all);
  expect(counts.get(0)).toEqual(Array.from({ length: 120 }, () => 0));
  expect(counts.size).toBe(8);
});

test.each([
  ["was off at first", two_hundred(() => 0), [45, 85, 180]],
  ["counts", two_hundred((at) => 2 * at), [600, 1_200, 3_000, 9_000, 40_000]],
  ["drifts far", two_hundred((at) => 20 + Math.sin(at)), [25, 30, 60, 200]],
])("numbers far beyond those of a sensor that %s do not share one bin", (_, all, later) => {
  const edges = foundEdges(all, 8);
  expect(new Set(later.map((value) => binOf(edges, value))).size).toBe(later.length);
  const below = later.map((value) => 2 * (all[0] ?? 0) - value);
  expect(new Set(below.map((value) => binOf(edges, value))).size).toBe(below.length);
});

test("edges in the range are short decimals", () => {
  const edges = foundEdges(
    two_hundred((at) => 70 + Math.sin(at)),
    8,
  );
  for (const edge of edges) expect(String(edge).length).toBeLessThanOrEqual(8);
});

test("any numbers: rising finite edges, no more than 1,000; the least and the greatest number are in the range", () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -5, max: 5 }),
    fc.constantFrom(0, -0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
  );
  const values = fc.array(number, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.integer({ min: 2, max: 100 }), (all, bins) => {
      const edges = foundEdges(all, bins);
      expect(edges.length).toBeGreaterThan(0);
      expect(edges.length).toBeLessThanOrEqual(1_000);
      for (const [at, edge] of edges.entries()) {
        if (!Number.isFinite(edge) || Object.is(edge, -0) || edge <= (edges[at - 1] ?? Number.NEGATIVE_INFINITY)) {
          expect({ at, edge, before: edges[at - 1] }).toBe("finite, rising and no -0");
        }
      }
      expect(binOf(edges, Math.min(...all))).toBeDefined();
    }),
    { numRuns: 300 },
  );
});
