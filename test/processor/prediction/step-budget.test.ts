/** How the questions of a request share its steps. */

import { expect, test } from "vitest";
import { Fault } from "../../../src/processor/ports/fault";
import { StepBudget } from "../../../src/processor/prediction/step-budget";
import { DEFAULT_BUDGETS } from "../../../src/text/budgets";

const WHOLE = 100;

const budget = (matchingSteps = WHOLE) =>
  new StepBudget({ budgets: { ...DEFAULT_BUDGETS, matchingSteps }, knowledge: { models: 0 } });

/** A question that takes some steps. @throws Fault when they are not left */
function ask(steps: StepBudget, taken: number): number {
  if (taken > steps.left) throw steps.exceededBy("to ask", "ask less");
  steps.spend(taken);
  return steps.left;
}

test("each question has all steps, unless a request shares them", () => {
  const steps = budget();
  expect([ask(steps, 90), ask(steps, 90)]).toEqual([WHOLE, WHOLE]);
  expect(steps.share(() => [ask(steps, 40), ask(steps, 40)])).toEqual([60, 20]);
  expect(() => steps.share(() => [ask(steps, 40), ask(steps, 70)])).toThrow(
    "after all that the request has done before it",
  );
  expect(steps.left).toBe(WHOLE);
});

test("parts of a request that share share with the others", () => {
  const steps = budget();
  const parts = () =>
    steps.share(() => [steps.share(() => ask(steps, 40)), steps.share(() => ask(steps, 40)), steps.left]);
  expect(parts()).toEqual([60, 20, 20]);
});

test("what a request does for others has steps of its own, once", () => {
  const steps = budget();
  const forOthers = (taken: number) => steps.apart(() => ask(steps, taken));
  steps.share(() => {
    expect(ask(steps, 90)).toBe(10);
    expect(forOthers(40)).toBe(60);
    expect(forOthers(40)).toBe(20);
    expect(steps.left).toBe(10);
    expect(() => forOthers(30)).toThrow(Fault);
    // A thousand records must not each take what is left, to be refused.
    expect(() => forOthers(1)).toThrow(Fault);
    expect(ask(steps, 10)).toBe(0);
  });
  expect(forOthers(WHOLE)).toBe(WHOLE);
});

test("the only record of a request may take a fifth of its steps, one of several a sixteenth of that", () => {
  const steps = budget(8_000);
  expect(steps.shareAmong(1, () => steps.leftForRecord)).toBe(1_600);
  expect(steps.shareAmong(2, () => steps.leftForRecord)).toBe(100);
  expect(steps.leftForRecord).toBe(1_600);
});

test("after a record that takes too much, the next 1, 2, 4, ... only glance, until one does not take too much", () => {
  const steps = budget(1_600_000);
  const glances: boolean[] = [];
  const record = (isFound: boolean) => {
    glances.push(steps.onlyGlances);
    steps.spendForRecord(1, isFound);
  };
  steps.shareAmong(20, () => {
    for (const isFound of [false, false, false, true, true, false, true, true, true, true, true, false, true, true]) {
      record(isFound);
    }
  });
  const kinds = glances.map((isGlance) => (isGlance ? "g" : "-")).join("");
  expect(kinds).toBe("-g-gg-gggg--g-".slice(0, kinds.length));
});

test("what records take is taken from the questions of their request, and never refused", () => {
  const steps = budget(8_000);
  steps.shareAmong(2, () => {
    for (let count = 0; count < 20; count++) steps.spendForRecord(steps.leftForRecord, true);
    expect(steps.leftForRecord).toBe(0);
    expect(steps.left).toBe(8_000 - 1_600);
    expect(() => ask(steps, 7_000)).toThrow(Fault);
    // A refused question leaves none.
    expect(() => ask(steps, 1)).toThrow(Fault);
  });
});
