/** How far a bin is from those in which something was learned. */

import { expect, test } from "vitest";
import { remoteness } from "../../../src/processor/encoding/remoteness";
import { fc } from "../../support/property";

/** The remoteness of all bins, 1 for the learned ones. */
const allOf = (edges: readonly number[], learned: readonly number[]) =>
  Array.from({ length: edges.length + 1 }, (_, bin) =>
    learned.includes(bin) ? 1 : remoteness(edges, bin, (other) => learned.includes(other)),
  );

test("is the fourth power of the distance from the nearest learned bin, in widths of the first bin between", () => {
  // The bins 3 and 4, from 0 to 4, are learned. Beyond them, each is twice as wide as the one before.
  const edges = [-12, -4, 0, 2, 4, 6, 10, 18];
  expect(allOf(edges, [3, 4])).toEqual([4, 2, 1, 1, 1, 1, 2, 4, 8].map((distance) => distance ** 4));
  expect(allOf(edges, [0, 8])).toEqual([1, 1, 2, 2.5, 2.75, 2.5, 2, 1, 1].map((distance) => distance ** 4));
});

test("is 1 where nothing was learned, and beside what was learned on either side", () => {
  expect(allOf([1, 2, 3, 4], [])).toEqual([1, 1, 1, 1, 1]);
  expect(allOf([1, 2, 3, 4], [0, 2, 4])).toEqual([1, 1, 1, 1, 1]);
  expect(allOf([], [0])).toEqual([1]);
});

test("counts the bin after the next 32 as learned", () => {
  const edges = Array.from({ length: 999 }, (_, at) => at);
  const all = allOf(edges, [100]);
  expect(all.slice(100, 104)).toEqual([1, 1, 2 ** 4, 3 ** 4]);
  expect([all[131], all[132], all[133], all[500]]).toEqual([31 ** 4, 32 ** 4, 32 ** 4, 32 ** 4]);
});

test("of any bins is a finite number from 1 to 2^64, and grows away from the learned ones", () => {
  const edge = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -9, max: 9 }));
  const edges = fc.uniqueArray(edge, { minLength: 1, maxLength: 40, comparator: "SameValueZero" });
  const rising = edges.map((all) => all.sort((one, other) => one - other));
  fc.assert(
    fc.property(rising, fc.nat(), (all, place) => {
      const learned = place % (all.length + 1);
      const given = allOf(all, [learned]);
      for (const [bin, each] of given.entries()) {
        const nearer = given[bin + Math.sign(learned - bin)] ?? Number.NaN;
        if (!(each >= nearer && each >= 1 && each <= 2 ** 64)) expect({ bin, each, nearer }).toBe("rising outward");
      }
    }),
    { numRuns: 300 },
  );
});
