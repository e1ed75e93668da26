/** The gradings of a knowledge without a record, in the background: when they fail, they are tried again later. */

import { expect, test, vi } from "vitest";
import { KnowledgeGrading } from "../../src/object/knowledge-grading";
import type { Take } from "../../src/object/turns/turns";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A processor whose knowledge takes some parts to grade, each of which may fail. */
class Ungraded {
  readonly isInService = true;
  /** A failure drops the processor: what is not in memory does not say that it is ungraded. */
  isUngraded = true;
  left: number;
  runs = 0;
  fails: boolean;

  constructor(parts: number, fails = false) {
    this.left = parts;
    this.fails = fails;
  }

  run<Reply>(): Reply {
    this.runs++;
    if (this.fails) {
      this.isUngraded = false;
      throw new Error("no memory");
    }
    this.left--;
    this.isUngraded = this.left > 0;
    return { isDone: this.left <= 0 } as Reply;
  }
}

function gradingOf(stored: Ungraded) {
  const clock = { now: 1_000_000 };
  const rings: number[] = [];
  const alarm = { ringBy: (at: number) => void rings.push(at) };
  const take: Take = (_caller, work) => work();
  return { clock, rings, grading: new KnowledgeGrading(stored, alarm, take, () => clock.now) };
}

test("all parts are graded, and nothing is left to wake it", async () => {
  const stored = new Ungraded(3);
  const { clock, rings, grading } = gradingOf(stored);
  grading.isDue();
  expect(rings).toEqual([clock.now]);
  await grading.wake();
  expect([stored.left, stored.runs, grading.nextWake()]).toEqual([0, 3, undefined]);
  await grading.wake();
  expect(stored.runs).toBe(3);
});

test("what failed is tried again by the alarm, after pauses that double up to an hour, and not before", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const stored = new Ungraded(2, true);
  const { clock, rings, grading } = gradingOf(stored);
  const pauses: number[] = [];
  for (let tries = 1; tries <= 9; tries++) {
    await grading.wake();
    expect(stored.runs).toBe(tries);
    const pause = (grading.nextWake() ?? Number.NaN) - clock.now;
    pauses.push(pause / MINUTE_MS);
    clock.now += pause - 1;
    // Neither calls nor the alarm of another task make it try sooner.
    grading.isDue();
    await grading.wake();
    expect([stored.runs, rings]).toEqual([tries, []]);
    clock.now++;
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(pauses.at(-1)).toBe(HOUR_MS / MINUTE_MS);
  expect(said.mock.calls[0]?.[0]).toContain("trying again in 60 s: Error: no memory");
  said.mockRestore();
  stored.fails = false;
  await grading.wake();
  expect([stored.left, grading.nextWake()]).toEqual([0, undefined]);
  // All is forgotten: the next knowledge without a record is graded at once.
  grading.isDue();
  expect(rings).toEqual([clock.now]);
});

test("after a failure, a load does not wait for the next try, and is not answered before it is graded", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const stored = new Ungraded(2, true);
  const { grading } = gradingOf(stored);
  await grading.wake();
  stored.fails = false;
  stored.isUngraded = true;
  await grading.grade();
  expect([stored.left, grading.nextWake()]).toEqual([0, undefined]);
  said.mockRestore();
});
