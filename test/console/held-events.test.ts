/** What is held of a working memory: what is heard is added, what has gone is dropped, and an answer sets it right. */

import { expect, test } from "vitest";
import { HeldEvents } from "../../src/console/live/held-events";

const heard = (time: number, ...symbols: string[]) => ({ time, symbols });
const symbolsIn = (held: HeldEvents) => held.events.map(({ symbols }) => symbols.join(" "));

test("the oldest events go when memory has fewer symbols, and what came later stays", () => {
  const held = new HeldEvents();
  held.add([heard(1, "a"), heard(2, "b", "c"), heard(3, "d"), heard(4, "e"), heard(5)]);
  expect(held.trim(3, 3)).toBe(true);
  expect(symbolsIn(held)).toEqual(["b c", "d", "e"]);
  expect(held.trim(4, 0)).toBe(true);
  expect(symbolsIn(held)).toEqual([]);
});

test("where no end of what is held has as many symbols, memory must be read", () => {
  const held = new HeldEvents();
  held.add([heard(1, "a", "b"), heard(2, "c")]);
  expect(held.trim(2, 2)).toBe(false);
  expect(held.trim(2, 4)).toBe(false);
  expect(symbolsIn(held)).toEqual(["a b", "c"]);
});

test("an answer is joined with what was heard while it was under way, and known events stay the same", () => {
  const held = new HeldEvents();
  held.add([heard(1, "a"), heard(2, "b")]);
  const [, second] = held.events;
  held.expect();
  held.add([heard(3, "c"), heard(4, "d")]);
  held.replace([["b"], ["c"]]);
  expect(symbolsIn(held)).toEqual(["b", "c", "d"]);
  expect(held.events[0]).toBe(second);
  held.expect();
  held.replace([["x"]]);
  expect(symbolsIn(held)).toEqual(["x"]);
  expect(new Set(held.events.map(({ at }) => at)).size).toBe(1);
});
