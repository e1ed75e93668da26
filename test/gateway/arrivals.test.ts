import { afterEach, describe, expect, it, vi } from "vitest";
import { Arrivals } from "../../src/gateway/arrivals";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Arrivals that have let sixteen requests through just now, so that the next one is no longer among the first few. */
function busyArrivals(): Arrivals {
  const arrivals = new Arrivals();
  for (let i = 0; i < 16; i++) expect(arrivals.next()).toBe(0);
  return arrivals;
}

describe("arrivals", () => {
  it("never wait when one comes every now and then", async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const arrivals = new Arrivals();
    for (let i = 0; i < 100; i++) {
      expect(arrivals.next()).toBe(0);
      await vi.advanceTimersByTimeAsync(1001);
    }
  });

  it("are let through at once for a while after a look", async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const arrivals = busyArrivals();
    const first = arrivals.next();
    await vi.advanceTimersByTimeAsync(3);
    expect(await first).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await arrivals.next()).toBe(0);
  });

  it("wait together, first come, first let through, until nothing more comes", async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const arrivals = busyArrivals();
    const through: number[] = [];
    const looks: (number | Promise<number>)[] = [];
    const come = (count: number) => {
      for (let i = 0; i < count; i++) {
        const number = looks.length;
        const next = arrivals.next();
        looks.push(next);
        void Promise.resolve(next).then(() => through.push(number));
      }
    };
    // The runtime reads sixteen connections at a time.
    for (let ms = 0; ms < 10; ms++) {
      come(16);
      await vi.advanceTimersByTimeAsync(1);
      expect(through).toEqual([]);
    }
    await vi.advanceTimersByTimeAsync(50);
    expect(through.toSorted((a, b) => a - b)).toEqual(looks.map((_, at) => at));
    expect(new Set(await Promise.all(looks))).toEqual(new Set([1]));
  });

  it("do not wait for ever when there is always another one", async () => {
    // Vitest's timers take seconds for this number of them.
    let now = 1_000_000;
    const due = new Map<number, (() => void)[]>();
    vi.spyOn(Date, "now").mockImplementation(() => now);
    vi.stubGlobal("setTimeout", (callback: () => void, ms: number) => {
      due.set(now + ms, [...(due.get(now + ms) ?? []), callback]);
    });
    const arrivals = busyArrivals();
    let isThrough = false;
    const first = Promise.resolve(arrivals.next()).then(() => {
      isThrough = true;
    });
    const begun = now;
    while (!isThrough && now < begun + 5000) {
      for (let i = 0; i < 16; i++) void arrivals.next();
      now += 1;
      for (const callback of due.get(now) ?? []) callback();
      await new Promise(setImmediate);
    }
    await first;
    expect(now - begun).toBeGreaterThan(100);
    expect(now - begun).toBeLessThan(300);
  });
});

it("look again soon when the clock was a day ahead at the last look", async () => {
  vi.useFakeTimers({ now: 1_000_000 + 86_400_000 });
  const arrivals = busyArrivals();
  const first = arrivals.next();
  await vi.advanceTimersByTimeAsync(10);
  await first;
  vi.setSystemTime(1_000_000);
  for (let i = 0; i < 16; i++) void arrivals.next();
  const next = arrivals.next();
  expect(next).toBeInstanceOf(Promise);
  await vi.advanceTimersByTimeAsync(10);
  expect(await next).toBe(2);
});
