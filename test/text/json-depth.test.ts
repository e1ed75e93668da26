import { expect, test } from "vitest";
import { jsonDepth } from "../../src/text/json-depth";

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
