/** Many that ask the same: answered with few calls, and never with an answer that is older than the question. */

import { expect, test } from "vitest";
import { SharedAnswers } from "../../src/mqtt/shared-answers";

/** Calls that end when a test says so, each with its number. */
function calls() {
  const ends: ((isGood: boolean) => void)[] = [];
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const number = ends.length;
      ends.push((isGood) => (isGood ? resolve(number) : reject(new Error(`call ${number}`))));
    });
  return { ends, ask };
}

/** Lets promises go on. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

test("who asks while a call is under way gets the answer of the next one, and all of them the same", async () => {
  const { ends, ask } = calls();
  const answers = new SharedAnswers<number>();
  const first = answers.to("a", ask);
  const later = Array.from({ length: 500 }, () => answers.to("a", ask));
  const other = answers.to("b", ask);
  expect(ends.length).toBe(2);
  ends[0]?.(true);
  ends[1]?.(true);
  expect([await first, await other]).toEqual([0, 1]);
  await settle();
  const last = answers.to("a", ask);
  expect(ends.length).toBe(3);
  ends[2]?.(true);
  expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
  await settle();
  expect(ends.length).toBe(4);
  ends[3]?.(true);
  expect(await last).toBe(3);
  const fresh = answers.to("a", ask);
  ends[4]?.(true);
  expect(await fresh).toBe(4);
});

test("a call that fails fails those who share it, and the next ones ask anew", async () => {
  const { ends, ask } = calls();
  const answers = new SharedAnswers<number>();
  const first = answers.to("a", ask);
  const later = [answers.to("a", ask), answers.to("a", ask)];
  ends[0]?.(false);
  await expect(first).rejects.toThrow("call 0");
  await settle();
  ends[1]?.(false);
  for (const each of later) await expect(each).rejects.toThrow("call 1");
  const fresh = answers.to("a", ask);
  ends[2]?.(true);
  expect([await fresh, ends.length]).toEqual([2, 3]);
});
