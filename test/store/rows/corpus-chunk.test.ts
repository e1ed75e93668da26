/** Models packed into a BLOB and back. */

import { describe, expect, test } from "vitest";
import type { MatchableModel } from "../../../src/processor/ports/matcher";
import { checksumOf, packChunk, unpackChunk } from "../../../src/store/rows/corpus-chunk";
import { batchOf, modelsOf } from "../../../src/store/rows/model-batch";

function matchable(id: number, frequency: number, ...events: number[][]): MatchableModel {
  return {
    id,
    frequency,
    symbols: Uint32Array.from(events.flat()),
    lengths: Uint32Array.from(events, ({ length }) => length),
  };
}

function packed(models: readonly MatchableModel[]): Uint8Array {
  return packChunk(batchOf(models));
}

function roundTrip(models: readonly MatchableModel[]): MatchableModel[] {
  return modelsOf(unpackChunk(packed(models).buffer as ArrayBuffer));
}

describe("a chunk", () => {
  test.each([
    ["one symbol", [matchable(1, 1, [0])]],
    ["bytes", [matchable(7, 255, [0, 255], [3]), matchable(9, 1, [1]), matchable(264, 2, [2, 2, 2])]],
    ["words of two bytes", [matchable(1, 256, [65_535]), matchable(300, 65_535, [256], [0])]],
    ["words of four bytes", [matchable(1, 65_536, [2 ** 31 - 1]), matchable(70_000, 2 ** 32 - 1, [1])]],
    ["doubles", [matchable(2, 2 ** 53 - 1, [1], [2]), matchable(2 ** 53 - 1, 2 ** 32, [3])]],
    [
      "an event of many symbols",
      [
        matchable(
          1,
          1,
          Array.from({ length: 300 }, (_, at) => at),
        ),
      ],
    ],
    ["no model", []],
  ])("gives back %s", (_, models) => {
    expect(roundTrip(models)).toStrictEqual(models);
  });

  test("is as narrow as its numbers allow", () => {
    const models = Array.from({ length: 1000 }, (_, at) => matchable(at + 1, 1, [at % 200, 1], [2]));
    // A distance, a frequency, a number of events, two lengths and three symbols, a byte each.
    expect(packed(models).byteLength).toBeLessThan(1000 * 8 + 100);
  });

  test("has another checksum when a bit is flipped or an end is missing", () => {
    const bytes = packed([matchable(1, 1, [1, 2], [3]), matchable(2, 300, [4])]);
    const sums = new Set([checksumOf(bytes), checksumOf(bytes.slice(0, -8))]);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      sums.add(checksumOf(flipped));
    }
    expect(sums.size).toBe(bytes.length * 8 + 2);
  });
});
