import { expect, test } from "vitest";
import { jsonDepth, jsonValues } from "../../src/text/json-depth";

test.each([
  ["", 0],
  ["1", 0],
  ["[]", 1],
  ['{"a":[{}],"b":[]}', 3],
  ['"[[["', 0],
  ['["\\"[[", "\\\\", [1]]', 2],
  ["[[[", 3],
  ["]]][", 0],
])("%s is nested %i levels deep", (source, depth) => {
  expect(jsonDepth(source)).toBe(depth);
});

test.each([
  ["1", 1],
  ["[1,2,3]", 4],
  ['{"a":[{}],"b":[]}', 6],
  ['["[,,{", "\\",", 1]', 4],
])("%s holds at most %i values", (source, values) => {
  expect(jsonValues(source)).toBe(values);
});
