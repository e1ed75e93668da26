/** The schedule against a plain map of times. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { Schedule } from "../../src/object/schedule";

test("takes what is due as a map of times would, whatever was put before", () => {
  const name = fc.constantFrom("", "a", "b", "c", "d");
  const put = fc.record({ name, at: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }) });
  const step = fc.oneof({ weight: 4, arbitrary: put }, fc.record({ now: fc.integer({ min: 0, max: 20 }) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [schedule, times] = [new Schedule(), new Map<string, number>()];
      for (const each of steps) {
        if ("name" in each) {
          schedule.put(each.name, each.at);
          if (each.at === undefined) times.delete(each.name);
          else times.set(each.name, each.at);
        } else {
          const due = [...times].filter(([, at]) => at <= each.now).map(([one]) => one);
          expect(schedule.take(each.now, 10).sort()).toEqual(due.sort());
          for (const one of due) times.delete(one);
        }
        expect([schedule.first, schedule.size]).toEqual([
          times.size === 0 ? undefined : Math.min(...times.values()),
          times.size,
        ]);
      }
    }),
  );
});

test("takes no more than asked, the first ones first", () => {
  const schedule = new Schedule();
  for (const at of [5, 3, 9, 1, 7]) schedule.put(`n${at}`, at);
  expect([schedule.take(8, 3), schedule.take(8, 3), schedule.first]).toEqual([["n1", "n3", "n5"], ["n7"], 9]);
});

test("a name that is put off again and again takes one place", () => {
  const schedule = new Schedule();
  for (let at = 0; at < 10_000; at++) schedule.put("a", at);
  expect(schedule.heapBytes).toBeLessThan(1_000);
  expect(schedule.first).toBe(9_999);
});
