import { expect, test } from "vitest";
import {
  jsonDepth,
  jsonExcess,
  jsonMembers,
  jsonValues,
  MAX_JSON_MEMBERS,
  MAX_JSON_VALUES,
} from "../../src/text/json-depth";

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

test.each([
  ["1", 0],
  ['["a","b:"]', 0],
  ['{"a":1,"b":{"a":1}}', 2],
  ['[{"a":1,"b":2},{"a":3,"b":4},{"a":5}]', 2],
  ['[{"a":1,"b":2},{"b":1,"a":2}]', 4],
  ['{"a" : 1, "\\"b" :2}', 2],
  ['{"a":1,"a":1}', 2],
])("%s has %i different members", (source, members) => {
  expect(jsonMembers(source)).toBe(members);
});

const named = (count: number) => Array.from({ length: count }, (_, at) => `"m${at}":1`).join();
const alike = '{"strings":[],"emotives":{"joy":1},"metadata":{}},';

test.each([
  ["many members", `{${named(MAX_JSON_MEMBERS)}}`, undefined],
  ["a hundred more", `{${named(MAX_JSON_MEMBERS + 100)}}`, "holds more than 100000 different members, the maximum"],
  [
    "as many in small objects",
    `[${Array.from({ length: MAX_JSON_MEMBERS + 100 }, (_, at) => `{"${at}":0}`).join()}]`,
    "holds more than 100000 different members, the maximum",
  ],
  ["many objects alike", `[${alike.repeat(100_000)}{}]`, undefined],
  ["many values", `[${"1,".repeat(MAX_JSON_VALUES - 2)}1]`, undefined],
  ["one more value", `[${"1,".repeat(MAX_JSON_VALUES - 1)}1]`, "holds more than 1000000 values, the maximum"],
  ["too deep", "[".repeat(101), "is nested deeper than 100 levels"],
])("%s", (_, source, sentence) => {
  expect(jsonExcess(source)?.sentence).toBe(sentence);
});
