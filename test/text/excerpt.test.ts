import { expect, test } from "vitest";
import { excerpt } from "../../src/text/excerpt";

test.each([
  [7, "7"],
  [Number.NaN, "NaN"],
  [Number.NEGATIVE_INFINITY, "-Infinity"],
  ["a\n", '"a\\n"'],
  ["\ud800", '"\\ud800"'],
  [undefined, "undefined"],
  [[1, "b"], '[1,"b"]'],
  ["x".repeat(60), `"${"x".repeat(60)}"`],
  ["x".repeat(61), `"${"x".repeat(60)}" (cut, 61 characters)`],
  [`${"x".repeat(59)}\u{1f600}`, `"${"x".repeat(59)}" (cut, 61 characters)`],
  [["x".repeat(56)], `["${"x".repeat(56)}"]`],
  [["x".repeat(57)], `["${"x".repeat(57)}"... (cut, 61 characters)`],
  [[`${"x".repeat(57)}\u{1f600}`], `["${"x".repeat(57)}... (cut, 63 characters)`],
])("%j is shown as %s", (value, shown) => {
  expect(excerpt(value)).toBe(shown);
});
