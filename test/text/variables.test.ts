import { expect, test } from "vitest";
import { wordsOf } from "../../src/text/variables";

test.each([
  [undefined, []],
  ["", []],
  [" , \n", []],
  ["one", ["one"]],
  ["one, two\nthree\t one", ["one", "two", "three", "one"]],
])("the words of %j are %j", (variable, words) => {
  expect(wordsOf(variable)).toEqual(words);
});
