/** A threshold lets about n events a day pass, whatever the bits are like and however they change. */

import { describe, expect, test } from "vitest";
import {
  bitsOf,
  compared,
  NEW_THRESHOLD,
  thresholdNumbers,
  thresholdOf,
  WARM_UP,
} from "../../../src/processor/incidents/daily-threshold";

const DAY = 86_400;
const START = 1_795_219_200;

/** Numbers from 0 up to 1 that a seed decides. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const exponential = (random: Random) => -Math.log(1 - random());

/** Seconds since the beginning at which events happen, in 30 days. */
const RATES: Record<string, (random: Random) => Iterable<number>> = {
  *"one a minute"() {
    for (let at = 0; at < 30 * DAY; at += 60) yield at;
  },
  *"one a second"() {
    for (let at = 0; at < 30 * DAY; at += 1) yield at;
  },
  *"bursts, and quiet nights"(random) {
    for (let day = 0; day < 30; day++) {
      const end = (day * 24 + 22) * 3_600;
      for (let at = (day * 24 + 6) * 3_600; at < end; at += 60 + random() * 1_800) {
        for (let left = 5 + random() * 200; left > 0 && at < end; left--, at += 1 + random() * 2) yield at;
      }
    }
  },
  *"one a minute, but for weekends and five days off"() {
    for (let at = 0; at < 30 * DAY; at += 60) {
      const day = Math.floor(at / DAY);
      if (day % 7 < 5 && !(day >= 9 && day < 14)) yield at;
    }
  },
};

/** How many bits an event has at a time. */
const BITS: Record<string, (random: Random) => (at: number) => number> = {
  "drift to four times as many": (random) => (at) => (1 + (3 * at) / (30 * DAY)) * (2 + 3 * exponential(random)),
  "rise day by day": (random) => (at) => 20 + at / DAY + 3 * (random() + random() + random()),
  "have a heavy tail": (random) => () => 1_022 * (1 - 1 / (1 + 0.002 * (1 - random()) ** -0.6)),
  "come in waves that last": (random) => {
    let wave = 0;
    return () => {
      wave = 0.98 * wave + 0.4 * (random() + random() + random() - 1.5);
      return 2 * Math.exp(wave) * exponential(random);
    };
  },
  "hold long faults": (random) => {
    let left = 0;
    return () => {
      if (left <= 0 && random() < 1 / 20_000) left = 50 + random() * 300;
      return left-- > 0 ? 40 + 20 * random() : 3 * exponential(random);
    };
  },
  "jump every fifth day": (random) => (at) =>
    ([0, 15, 3, 30, 0, 8][Math.floor(at / (5 * DAY))] ?? 0) + 3 * exponential(random),
  "are of a constant that seldom changes": (random) => () => (random() < 0.1 ? 8 + 4 * random() : 0.02),
  "surprise by night": (random) => (at) => (at % DAY < DAY / 4 ? 3 + 9 * exponential(random) : exponential(random)),
  "are of five kinds": (random) => () => {
    const part = random();
    return [0.9, 0.99, 0.999, 0.9999].findIndex((end) => part < end) * 3 + 0.1;
  },
};

/** How many events passed on each of 30 days. */
function passedByDay(perDay: number, rate: Iterable<number>, bitsAt: (at: number) => number): number[] {
  const days = new Array<number>(30).fill(0);
  let threshold = NEW_THRESHOLD;
  for (const at of rate) {
    const { after, passes } = compared(threshold, perDay, { bits: bitsAt(at), time: START + at });
    threshold = after;
    const day = Math.floor(at / DAY);
    if (passes) days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}

/** One a second is 2.6 million events: only where the rate may matter. */
const CASES = Object.keys(RATES).flatMap((rate) => {
  const kinds = rate === "one a second" ? ["drift to four times as many", "hold long faults"] : Object.keys(BITS);
  return kinds.map((bits) => [rate, bits] as const);
});

describe.each([10, 100])("%i a day", (perDay) => {
  test.each(CASES)("%s, and bits that %s: the mean of days 3 to 30 is within 30 %", (rate, bits) => {
    const random = seeded(perDay * 1_000 + rate.length * 31 + bits.length);
    const days = passedByDay(perDay, RATES[rate]?.(random) ?? [], BITS[bits]?.(random) ?? (() => 0));
    const mean = days.slice(2).reduce((sum, day) => sum + day, 0) / 28;
    expect(mean / perDay).toBeGreaterThan(0.7);
    expect(mean / perDay).toBeLessThan(1.3);
  });
});

test.each([
  [0.1, 4],
  [0.3, 2],
])("%d a day, and bits that drift: in the first month at most %d times as many pass", (perDay, most) => {
  const seeds = Array.from({ length: 10 }, (_, at) => at + 1);
  const means = seeds.map((seed) => {
    const random = seeded(seed * 7_919);
    const bits = BITS["drift to four times as many"]?.(random) ?? (() => 0);
    const days = passedByDay(perDay, RATES["one a minute"]?.(random) ?? [], bits);
    return days.slice(2).reduce((sum, day) => sum + day, 0) / 28;
  });
  const mean = means.reduce((sum, one) => sum + one, 0) / seeds.length;
  expect(mean / perDay).toBeGreaterThan(0.7);
  expect(mean / perDay).toBeLessThan(most);
});

test("the least number above 0 makes a threshold, too", () => {
  let threshold = NEW_THRESHOLD;
  for (let at = 0; at < 60; at++) {
    threshold = compared(threshold, Number.MIN_VALUE, { bits: (at * 37) % 11, time: START + at }).after;
  }
  expect(bitsOf(threshold)).toBeGreaterThan(11);
  expect(thresholdOf(thresholdNumbers(threshold))).toBeDefined();
});

test("where fewer events come than are to pass, all pass that surprise", () => {
  const days = passedByDay(10_000, RATES["one a minute"]?.(seeded(1)) ?? [], () => 1);
  expect(days.slice(2)).toEqual(new Array(28).fill(1_440));
});

test("there is none before it has seen some events", () => {
  let threshold = NEW_THRESHOLD;
  for (let at = 1; at <= WARM_UP; at++) {
    expect(bitsOf(threshold)).toBeUndefined();
    const { after, passes } = compared(threshold, 5, { bits: at, time: START + at });
    expect(passes).toBe(false);
    threshold = after;
  }
  expect(bitsOf(threshold)).toBeGreaterThan(WARM_UP);
});

test("a record dated in the far future asks for the events of two days, and no more", () => {
  const random = seeded(3);
  let threshold = NEW_THRESHOLD;
  let passed = 0;
  for (let at = 0; at < 10 * DAY; at += 60) {
    const isWrong = at === 3 * DAY;
    const time = isWrong ? 253_402_300_799 : START + at;
    const { after, passes } = compared(threshold, 10, { bits: 3 * exponential(random), time });
    threshold = after;
    if (at >= 2 * DAY && passes) passed++;
  }
  expect(passed).toBeGreaterThan(65);
  expect(passed).toBeLessThan(80 + 2 * 10 + 15);
});

/** How many of ten events a day pass in the twenty days after the server's clock was some days ahead for one event. */
function passedAfterStep(aheadDays: number): number {
  const random = seeded(5);
  let threshold = NEW_THRESHOLD;
  let passed = 0;
  for (let at = 0; at < 60 * DAY; at += DAY / 10) {
    const time = START + at + (at === 40 * DAY ? aheadDays * DAY : 0);
    const { after, passes } = compared(threshold, 1, { bits: 3 * exponential(random), time, isArrival: true });
    threshold = after;
    if (at > 40 * DAY && passes) passed++;
  }
  return passed;
}

test.each([
  0, 1, 30, 3650,
])("one a day passes after a clock of the server that was %d days ahead for an event", (days) => {
  expect(passedAfterStep(days)).toBeGreaterThan(17);
  expect(passedAfterStep(days)).toBeLessThan(25);
});

test("goes on from its numbers as if it had never stopped", () => {
  const random = seeded(4);
  let one = NEW_THRESHOLD;
  let other = NEW_THRESHOLD;
  for (let at = 0; at < 3 * DAY; at += 60) {
    const event = { bits: 3 * exponential(random), time: START + at };
    const going = compared(one, 10, event);
    const kept = thresholdOf(JSON.parse(JSON.stringify(thresholdNumbers(other))));
    const stopped = compared(kept ?? NEW_THRESHOLD, 10, event);
    expect(stopped.passes).toBe(going.passes);
    [one, other] = [going.after, stopped.after];
  }
  expect(other.level).toBeCloseTo(one.level, 6);
});

test("a row of the first release with thresholds is one", () => {
  const before = thresholdNumbers({ ...NEW_THRESHOLD, events: 40, last: START, level: 7 });
  expect(thresholdOf(before.slice(0, 9))).toEqual(thresholdOf(before));
});

test.each([
  [[]],
  [[1, 2, 3]],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1]],
  [[1, 2, 3, 4, 5, 6, 7, 8, Number.NaN]],
  [[-1, 2, 3, 4, 5, 6, 7, 8, 9]],
])("%j is no threshold", (numbers) => {
  expect(thresholdOf(numbers)).toBeUndefined();
});
