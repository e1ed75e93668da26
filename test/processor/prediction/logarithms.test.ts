import { describe, expect, test } from "vitest";
import { log, log2 } from "../../../src/processor/prediction/logarithms";

/** Numbers of all sizes that scoring sees: shares, frequencies, and values around 1. */
function numbers(): number[] {
  let seed = 12_345;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  return Array.from({ length: 100_000 }, (_, i) => next() * (i % 3 === 0 ? 1 : 1_000) + 1e-9);
}

/** FNV-1a over the bits of doubles. */
function digest(values: readonly number[]): string {
  const bits = new BigUint64Array(new Float64Array(values).buffer);
  return bits.reduce((hash, one) => ((hash ^ one) * 1_099_511_628_211n) & 0xffff_ffff_ffff_ffffn, 0n).toString(16);
}

describe("logarithms", () => {
  // The digests are those of Math.log and Math.log2 in Node 20.20, whose V8 computes as that of the recorded answers did. A later V8 has others.
  test.each([
    ["log", log, "c20542bdf12e4aa8"],
    ["log2", log2, "f14ef56550fc1c05"],
  ])("%s has every bit that the recorded answers were computed with", (_, logarithm, expected) => {
    expect(digest(numbers().map(logarithm))).toBe(expected);
  });

  test.each([
    [0, Number.NEGATIVE_INFINITY],
    [1, 0],
    [-1, Number.NaN],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])("of %d are %d", (x, expected) => {
    expect([log(x), log2(x)]).toEqual([expected, expected]);
  });

  test("to base 2 are exact for powers of 2", () => {
    for (let power = -1_074; power < 1_024; power++) expect(log2(2 ** power)).toBe(power);
  });
});
