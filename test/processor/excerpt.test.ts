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
  ["x".repeat(78), `"${"x".repeat(78)}"`],
  ["x".repeat(79), `"${"x".repeat(79)}...`],
  [`${"x".repeat(78)}\u{1f600}`, `"${"x".repeat(78)}...`],
])("%j is shown as %s", (value, shown) => {
  expect(excerpt(value)).toBe(shown);
});
