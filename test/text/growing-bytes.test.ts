import { expect, test } from "vitest";
import { GrowingBytes } from "../../src/text/growing-bytes";

test("collects parts of a byte in one buffer that doubles, and says before how large it gets", () => {
  const capacities: number[] = [];
  const bytes = new GrowingBytes(100_000, (capacity) => capacities.push(capacity));
  for (let i = 0; i < 100_000; i++) bytes.add(Uint8Array.of(i % 251));
  expect(capacities).toEqual([4096, 8192, 16_384, 32_768, 65_536, 100_000]);
  expect(bytes.all).toEqual(Uint8Array.from({ length: 100_000 }, (_, i) => i % 251));
});

test("takes a part that is larger than the buffer twice over, and more than it was told to expect", () => {
  const bytes = new GrowingBytes(10);
  bytes.add(new Uint8Array(9).fill(1));
  bytes.add(new Uint8Array(50_000).fill(2));
  expect([bytes.size, bytes.all[8], bytes.all[9], bytes.all.at(-1)]).toEqual([50_009, 1, 2, 2]);
});

test("keeps what it had when it may not grow", () => {
  const bytes = new GrowingBytes(Number.POSITIVE_INFINITY, (capacity) => {
    if (capacity > 4096) throw new Error("no more");
  });
  bytes.add(new Uint8Array(4096).fill(7));
  expect(() => bytes.add(Uint8Array.of(1))).toThrow("no more");
  expect(bytes.all).toEqual(new Uint8Array(4096).fill(7));
  bytes.drop();
  bytes.add(Uint8Array.of(1));
  expect(bytes.all).toEqual(Uint8Array.of(1));
});
