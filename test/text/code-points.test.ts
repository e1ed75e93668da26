import { expect, it } from "vitest";
import { compareCodePoints } from "../../src/text/code-points";

it("orders by code point, not by UTF-16 unit", () => {
  const names = ["\u{1f600}", "\uffee", "\ue000", "z", "a", "ab", "", "\u{10000}"];
  const expected = [...names].sort((a, b) => {
    const [x, y] = [[...a], [...b]].map((all) =>
      all.map((c) => (c.codePointAt(0) ?? 0).toString(16).padStart(6, "0")).join(""),
    );
    return (x ?? "") < (y ?? "") ? -1 : 1;
  });
  expect([...names].sort(compareCodePoints)).toEqual(expected);
  expect(compareCodePoints("same", "same")).toBe(0);
  expect([...names].sort()).not.toEqual(expected);
});
