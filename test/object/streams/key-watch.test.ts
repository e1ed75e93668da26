/** Streams of keys that were removed: when the agent is asked for its keys, and what is closed. */

import { afterEach, expect, test, vi } from "vitest";
import { KeyWatch, type ValidKeys } from "../../../src/object/streams/key-watch";
import type { Link } from "../../../src/object/streams/link";

const NOW = 1_000_000;

afterEach(() => vi.restoreAllMocks());

/** A stream with an issued key, and the code with which it was closed. */
function streamOf(keyId: string): { link: Link; codes: number[] } {
  const codes: number[] = [];
  const link = { about: { keyId }, isClosed: false, close: (code: number) => codes.push(code) };
  return { link: link as unknown as Link, codes };
}

test("the agent is asked again soon when it could not be, and seldom when it cannot be for long", async () => {
  vi.spyOn(Date, "now").mockReturnValue(NOW);
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { link, codes } = streamOf("removed");
  let keys: ValidKeys | undefined = new Map([["removed", Number.POSITIVE_INFINITY]]);
  const ask = () => (keys === undefined ? Promise.reject(new Error("the agent is away")) : Promise.resolve(keys));
  const watch = new KeyWatch(() => [link], ask);
  const wait = async () => {
    await watch.wake();
    return (watch.nextWake() ?? Number.NaN) - NOW;
  };
  expect(await wait()).toBe(20_000);
  keys = undefined;
  const waits: number[] = [];
  for (let failures = 0; failures < 6; failures++) waits.push(await wait());
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
  expect(codes).toEqual([]);
  keys = new Map();
  expect(await wait()).toBe(20_000);
  expect(codes).toEqual([1008]);
});
