/** The bins of numbers, against exact fractions. */

import { describe, expect, test } from "vitest";
import { binsOf, widened } from "../../../src/processor/encoding/bins";
import { exactSum, stepBin } from "../../oracle/bins";
import { timesHere } from "../../support/engine";
import { fc } from "../../support/property";

const COMMON = { hysteresis: 0, on_change: false };

const step = (size: number, origin = 0) => binsOf({ kind: "step", size, origin, ...COMMON });

const decimals = fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: -9, max: 4 }));
/** Numbers as people write them, near edges and anywhere. */
const written = decimals.map(([digits, exponent]) => Number(`${digits}e${exponent}`));
const any = fc.double({ noNaN: true, noDefaultInfinity: true });
const sizes = fc.oneof(
  fc.constantFrom(0.1, 0.25, 0.3, 0.5, 1, 7, 1e-7, 1e21, 5e-324, Number.MAX_VALUE, 1 / 3, 2 ** 53),
  written.map(Math.abs).filter((size) => size > 0),
  any.map(Math.abs).filter((size) => size > 0),
);
const origins = fc.oneof(fc.constantFrom(0, 0.05, 1e300, -1e300, 2 ** 53), written, any);

describe("steps", () => {
  test.each([
    [0.5, 0, 21.3, 21],
    [0.1, 0, 0.3, 0.3],
    [0.1, 0, 0.7, 0.7],
    [0.1, 0, 0.29999999999999993, 0.2],
    [0.1, 0.05, 0.35, 0.35],
    [0.1, 0.05, 0.3499, 0.25],
    [10, 5, -5.01, -15],
    [1e-7, 0, 2.5e-7, 2e-7],
    [1e20, 0, 1.05e21, 1e21],
    [1, 0, -0, 0],
    [1, 0, -5e-324, -1],
    [0.1, 0, 1e300, 1e300],
    [1e308, 0, -1.7e308, Number.NEGATIVE_INFINITY],
  ])("of %d from %d: %d is in the bin of %d", (size, origin, value, from) => {
    expect(step(size, origin)(value).from).toBe(from);
  });

  test("are those of exact fractions, wherever the number is", () => {
    fc.assert(
      fc.property(sizes, origins, fc.oneof(written, any), (size, origin, value) => {
        expect(step(size, origin)(value)).toEqual(stepBin(size, origin, value));
      }),
      { numRuns: timesHere(2_000, 200) },
    );
  });

  test("stay what they are for numbers that come later, near and far", () => {
    const near = fc.tuple(written, fc.array(fc.integer({ min: -40, max: 40 }), { maxLength: 30 }));
    fc.assert(
      fc.property(
        sizes,
        origins,
        fc.array(fc.oneof(written, any), { maxLength: 10 }),
        near,
        (size, origin, far, [at, steps]) => {
          const bins = step(size, origin);
          const values = [...steps.map((sixth) => at + (sixth / 6) * size), ...far].filter(Number.isFinite);
          for (const value of [...values, ...values]) expect(bins(value)).toEqual(step(size, origin)(value));
        },
      ),
      { numRuns: timesHere(100, 20) },
    );
  });

  test("an edge is in the bin that begins there, and what is just below it is not", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0.1, 0.3, 0.7, 1e-7, 2.5, 1e21),
        written,
        fc.bigInt(-10_000n, 10_000n),
        (size, origin, k) => {
          const bins = step(size, origin);
          const edge = bins(exactSum(origin, Number(k) * size)).from;
          expect(bins(edge).from).toBe(edge);
          const before = edge - Math.max(Math.abs(edge), 1e-300) * 2 ** -52;
          expect(bins(before).from).toBeLessThan(edge);
        },
      ),
    );
  });
});

test("between edges: the greatest edge that is not above the number, and -Infinity below all", () => {
  const edges = fc
    .uniqueArray(any, { minLength: 1, maxLength: 40 })
    .map((all) => [...new Set(all.map((each) => each + 0))].sort((a, b) => a - b));
  fc.assert(
    fc.property(edges, fc.double({ noNaN: true, noDefaultInfinity: true }), (rising, drawn) => {
      for (const value of [drawn, ...rising]) {
        const { from, below } = binsOf({ kind: "edges", edges: rising, ...COMMON })(value);
        expect(from).toBe(Math.max(Number.NEGATIVE_INFINITY, ...rising.filter((edge) => edge <= value)));
        expect(below).toBe(Math.min(Number.POSITIVE_INFINITY, ...rising.filter((edge) => edge > value)));
      }
    }),
  );
});

test("a margin is added as it is written", () => {
  expect(widened({ from: 0.3, below: 0.7 }, 0.1)).toEqual({ from: 0.2, below: 0.8 });
  expect(widened({ from: Number.NEGATIVE_INFINITY, below: Number.POSITIVE_INFINITY }, 1)).toEqual({
    from: Number.NEGATIVE_INFINITY,
    below: Number.POSITIVE_INFINITY,
  });
  fc.assert(
    fc.property(written, written, written.map(Math.abs), (from, below, margin) => {
      expect(widened({ from, below }, margin)).toEqual({
        from: exactSum(from, -margin),
        below: exactSum(below, margin),
      });
    }),
  );
});
