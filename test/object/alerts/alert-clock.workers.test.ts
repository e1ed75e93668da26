/** What alerts have to tell is delivered, and given up, as soon as ever when the clock was set, however far. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Outcome } from "../../../src/object/alerts/alert-delivery";
import { deliveriesOn } from "../../support/alerts/told-deliveries";
import { inFreshObject } from "../../support/store/in-object";

const HOUR_MS = 3_600_000;

const FAILED = { status: 500, failure: "it did not answer with 2xx" };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_795_250_628_000 });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a clock that jumps", () => {
  const DAY_MS = 24 * HOUR_MS;
  const AHEAD = [DAY_MS, 3_650 * DAY_MS];

  /** What is sent after a restart, in milliseconds from the moment when the clock was set back. */
  async function sentAfter(jump: number, isRestarted: boolean, end: Partial<Outcome> | "never" | "nothing") {
    return inFreshObject(async (storage) => {
      let isDown = true;
      const ends = () => {
        if (!isDown) return Promise.resolve({});
        return end === "never" ? ("never" as const) : Promise.resolve(end as Partial<Outcome>);
      };
      const first = deliveriesOn(storage, ends);
      first.set("a");
      const start = Date.now();
      vi.setSystemTime(start + jump);
      if (end === "nothing") first.service.isIn = false;
      first.tell("a");
      // Less than until the next attempt.
      await vi.advanceTimersByTimeAsync(500);
      isDown = false;
      vi.setSystemTime(start);
      if (isRestarted) first.service.isIn = false;
      const own = isRestarted ? deliveriesOn(storage, ends) : first;
      own.service.isIn = true;
      own.deliveries.resume();
      const before = own.sent.length;
      await own.pass(60_000);
      return own.sent.slice(before).map(({ at }) => at - start);
    });
  }

  test.each(
    AHEAD,
  )("an alert that failed when it was %d ms ahead is sent again soon after it was set back", async (ms) => {
    for (const isRestarted of [true, false]) {
      const [first = Number.NaN, ...more] = await sentAfter(ms, isRestarted, FAILED);
      expect(first).toBeLessThanOrEqual(5_000);
      expect(more).toEqual([]);
    }
  });

  test.each(AHEAD)("an alert that was told when it was %d ms ahead, and never sent, is sent soon", async (ms) => {
    expect((await sentAfter(ms, true, "nothing"))[0]).toBeLessThanOrEqual(5_000);
  });

  test.each(AHEAD)("an attempt that began when it was %d ms ahead, and was lost, is made again soon", async (ms) => {
    expect((await sentAfter(ms, true, "never"))[0]).toBeLessThanOrEqual(5_000);
  });

  test.each(AHEAD)("an alert that failed when it was %d ms behind is sent again", async (ms) => {
    for (const isRestarted of [true, false]) {
      const [first = Number.NaN] = await sentAfter(-ms, isRestarted, FAILED);
      expect(first).toBeLessThanOrEqual(5_000);
    }
  });

  // The last attempt is due when the day ends, and waits for the pause of its lane: 300 s at most, with a quarter of jitter.
  const LANE_PAUSE_MS = 375_000;

  test.each([
    0, 0.999,
  ])("a notice that was told when it was ten years ahead is given up a day after it was set back (jitter %d)", async (random) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    const days = await inFreshObject(async (storage) => {
      const own = deliveriesOn(storage, () => Promise.resolve(FAILED));
      own.set("a");
      const start = Date.now();
      vi.setSystemTime(start + 3_650 * DAY_MS);
      own.tell("a");
      await vi.advanceTimersByTimeAsync(500);
      vi.setSystemTime(start);
      await own.pass(25 * HOUR_MS);
      return { waiting: own.store.alerts().map(({ waiting }) => waiting), last: (own.sent.at(-1)?.at ?? 0) - start };
    });
    expect(days.waiting).toEqual([0]);
    expect(days.last).toBeGreaterThanOrEqual(DAY_MS);
    expect(days.last).toBeLessThanOrEqual(DAY_MS + LANE_PAUSE_MS + 10_000);
  });
});
