/** The bound on the size of a program is never below the size, and close enough to it to be of use. */

import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { Fault } from "../../../src/processor/ports/fault";
import { programBound } from "../../../src/processor/text/pattern-size";
import { compilePattern } from "../../../src/processor/text/python-pattern";
import { processorTime } from "../../support/processor-time";
import { fc } from "../../support/property";

const atom = fc.constantFrom("a", ".", "\\d", "[^ab]", "[\\]x]", "\\{", "\\p{L}", "\\x{41}", "^", "\\b", "{", "é");
const count = fc.constantFrom("", "", "*", "+?", "?", "{3}", "{0,7}", "{2,}", "{5,9}?");
const { pattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
  pattern: fc
    .array(fc.tuple(fc.oneof({ maxDepth: 3 }, atom, tie("group")), count), { maxLength: 5 })
    .map((parts) => parts.map(([part, times]) => part + times).join("")),
  group: fc
    .tuple(fc.constantFrom("(", "(?:", "(?i:", "(?P<name>", "(?i)("), tie("pattern"), tie("pattern"))
    .map(([open, left, right]) => `${open}${left}|${right})`),
}));

test("no program is larger than its bound", () => {
  fc.assert(
    fc.property(pattern, (text) => {
      let size: number;
      try {
        size = RE2JS.compile(text).programSize();
      } catch {
        // No pattern of the engine, for example because a name occurs twice.
        return;
      }
      expect(programBound(text, 1e9)).toBeGreaterThanOrEqual(size);
    }),
    { numRuns: 3000, seed: 5 },
  );
});

test.each([
  [".{0,1000}", 2002],
  ["(.*a){30}", 152],
  ["symbol(1|2|3)+", 14],
])("%s has about %i instructions", (text, size) => {
  expect(programBound(text, 1e9)).toBeGreaterThanOrEqual(size);
  expect(programBound(text, 1e9)).toBeLessThan(2 * size + 10);
});

test("what would be large is refused before it is compiled", () => {
  const used = processorTime();
  const large = [".{0,1000}".repeat(200), "((a{10}){10}){10}".repeat(500), "(?:(?:[^]{0,99}){0,9}){999}"];
  for (const text of [...large, "(".repeat(900) + "a{9}".repeat(900) + "){9}".repeat(900)]) {
    expect(() => compilePattern(text, 10_000)).toThrow(Fault);
  }
  expect(used()).toBeLessThan(1000);
});
