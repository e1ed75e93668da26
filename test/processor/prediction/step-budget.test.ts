/** How the questions of a request share its steps. */

import { expect, test } from "vitest";
import { Fault } from "../../../src/processor/ports/fault";
import { StepBudget } from "../../../src/processor/prediction/step-budget";
import { STANDARD_BUDGETS } from "../../../src/text/budgets";

const WHOLE = 100;

const budget = () =>
  new StepBudget({ budgets: { ...STANDARD_BUDGETS, matchingSteps: WHOLE }, knowledge: { models: 0 } });

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
