/** When a stop has waited long enough for the calls of an object. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { streamCounts } from "../../../src/object/counts/counts";
import { LastCalls } from "../../../src/object/streams/last-calls";

beforeEach(() => {
  vi.useFakeTimers();
  streamCounts.isStopping = true;
});

afterEach(() => {
  vi.useRealTimers();
  streamCounts.isStopping = false;
});

test.each([
  0,
  86_400_000,
  3_650 * 86_400_000,
])("ends an object soon after its last call, also when the clock was %d ms ahead at that call", async (ms) => {
  const clock = { ms: 1_000_000 + ms };
  const calls = new LastCalls(() => clock.ms);
  expect(calls.note("reply")).toBe("reply");
  clock.ms -= ms;
  const end = vi.fn();
  calls.whenOver(end);
  await vi.advanceTimersByTimeAsync(100);
  expect(end).not.toHaveBeenCalled();
  clock.ms += 201;
  await vi.advanceTimersByTimeAsync(100);
  expect(end).toHaveBeenCalledOnce();
});
