import { expect, test } from "vitest";
import { isJsonObject, memberPath } from "../../src/text/located";

test.each([
  ["", "data", "data"],
  ["data", "emotives", "data.emotives"],
  ["data.emotives", "a b", 'data.emotives["a b"]'],
  ["", "1", 'body["1"]'],
  ["a[0]", "_x9", "a[0]._x9"],
  ["a", "x".repeat(60), `a.${"x".repeat(60)}`],
  ["a", "x".repeat(61), `a["${"x".repeat(60)}" (cut, 61 characters)]`],
  ["a", `${"x".repeat(70)}-`, `a["${"x".repeat(60)}" (cut, 71 characters)]`],
])("in %j the member %j has the path %s", (path, name, expected) => {
  expect(memberPath(path, name)).toBe(expected);
});

test("an object is a JSON object, a list and null are not", () => {
  expect([{}, { a: 1 }, [], null, "x", 1, undefined].map(isJsonObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
