/** The surprises of the last hour: the greatest of each slot stays, and what is older goes. */

import { expect, test } from "vitest";
import { SLOT_MS, SLOTS, type Surprise, SurpriseHour } from "../../src/console/live/surprise-hour";
import { Random } from "../support/random";

test("the greatest of each slot stays", () => {
  const hour = new SurpriseHour();
  const at = 1_000_000 * SLOT_MS;
  hour.add({ at, bits: 1, unexpected: [], events: [] });
  hour.add({ at: at + 1, bits: 3, unexpected: ["a"], events: [["a"]] });
  hour.add({ at: at + 2, bits: 2, unexpected: [], events: [] });
  const slots = hour.slots(at + 3);
  expect(slots).toHaveLength(SLOTS);
  expect(slots.at(-1)).toEqual({ at: at + 1, bits: 3, unexpected: ["a"], events: [["a"]] });
  expect(slots.slice(0, -1)).toEqual(new Array(SLOTS - 1).fill(undefined));
});

test("slots move with the time, and are gone after an hour", () => {
  const hour = new SurpriseHour();
  const at = 1_000_000 * SLOT_MS;
  hour.add({ at, bits: 1, unexpected: [], events: [] });
  expect(hour.slots(at + (SLOTS - 1) * SLOT_MS)[0]?.bits).toBe(1);
  expect(hour.slots(at + SLOTS * SLOT_MS).every((slot) => slot === undefined)).toBe(true);
});

test("the same as a list that is searched, for random times", () => {
  const random = new Random(7);
  for (let round = 0; round < 20; round++) {
    const hour = new SurpriseHour();
    const all: Surprise[] = [];
    let now = 1_000_000 * SLOT_MS;
    for (let step = 0; step < 200; step++) {
      now += Math.floor(random.fraction() ** 4 * 300 * SLOT_MS);
      all.push({ at: now, bits: random.fraction(), unexpected: [], events: [] });
      hour.add(all.at(-1) as Surprise);
    }
    const last = Math.floor(now / SLOT_MS);
    const expected = Array.from({ length: SLOTS }, (_, at) => {
      const inSlot = all.filter((one) => Math.floor(one.at / SLOT_MS) === last - SLOTS + 1 + at);
      return inSlot.length === 0 ? undefined : Math.max(...inSlot.map(({ bits }) => bits));
    });
    expect(hour.slots(now).map((slot) => slot?.bits)).toEqual(expected);
  }
});
