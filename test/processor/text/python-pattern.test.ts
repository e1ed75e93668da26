import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../src/processor/text/python-pattern";
import { processorTime } from "../../support/processor-time";

const wholeMatcher = (pattern: string) => compilePattern(pattern, 1e6).matches;

/** A pattern, symbols that it matches whole, and symbols that it does not, as Python 3.11's re.fullmatch says. */
const PYTHON: [string, string[], string[]][] = [
  ["a+b", ["ab", "aab"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\d+", ["7", "\u0663"], ["\u00e9", "\u00a0", "a-b"]],
  ["\\w+", ["ab", "aab", "7", "\u0663", "\u00e9"], ["\u00a0", "a-b", ""]],
  ["\\W", ["-", " ", "\u00a0", "\u2003", "\u001c"], ["\u00e9", "\u0663", "a-b"]],
  ["[\\w-]+", ["ab", "aab", "7", "\u0663", "\u00e9"], ["\u00a0", "", "\n"]],
  ["[^\\d]+", ["ab", "aab", "\u00e9", "caf\u00e9", "a-b"], ["\u0663", "", "7"]],
  ["\\s", [" ", "\u00a0", "\u2003", "\u001c", "\n"], ["\u00e9", "\u0663", "a-b"]],
  ["[\\s]+", [" ", "\u00a0", "\u2003", "\u001c", "\n"], ["\u00e9", "\u0663", "a-b"]],
  ["\\S+", ["ab", "aab", "7", "\u0663", "\u00e9"], ["\u00a0", "", "\n"]],
  ["a{,2}", ["", "a", "aa"], ["\u00e9", "\u0663", "\u00a0"]],
  ["a{2}", ["aa"], ["\u00e9", "\u0663", "\u00a0"]],
  ["a{1,}", ["a", "aa", "aaa"], ["\u00e9", "\u0663", "\u00a0"]],
  ["x{", ["x{"], ["\u00e9", "\u0663", "\u00a0"]],
  ["a\\Z", ["a"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\Aab$", ["ab"], ["\u00e9", "\u0663", "\u00a0"]],
  ["caf\\u00e9", ["caf\u00e9"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\U0001f600", ["\ud83d\ude00"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\x41", ["A"], ["\u00e9", "\u0663", "\u00a0"]],
  ["[]a]+", ["a", "aa", "aaa", "]", "]a"], ["\u00e9", "\u0663", "\u00a0"]],
  ["[^]a]+", ["7", "\u0663", "\u00e9", "-", " "], ["a-b", "", "aaa"]],
  ["[[]", ["["], ["\u00e9", "\u0663", "\u00a0"]],
  ["[a[b]+", ["ab", "aab", "a", "aa", "aaa"], ["\u00e9", "\u0663", "\u00a0"]],
  ["[\\b]", ["\b"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\bab\\b", ["ab"], ["\u00e9", "\u0663", "\u00a0"]],
  [".", ["7", "\u0663", "\u00e9", "-", " "], ["a-b", "", "aaa"]],
  ["a.c", ["a.c", "abc"], ["\u00e9", "\u0663", "\u00a0"]],
  ["(?i)ABC", ["abc", "ABC"], ["\u00e9", "\u0663", "\u00a0"]],
  ["(?P<n>a|b)c", ["ac", "bc"], ["\u00e9", "\u0663", "\u00a0"]],
  ["(?:ab)*", ["ab", "", "abab"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\.\\*\\|", [".*|"], ["\u00e9", "\u0663", "\u00a0"]],
  ["VECTOR\\|[0-9a-f]{40}", ["VECTOR|0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"], ["\u00e9", "\u0663", "\u00a0"]],
  ["it's|\\\"", ["it's", '"'], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\\u00e9", ["\u00e9"], ["\u0663", "\u00a0", "a-b"]],
  ["a|", ["", "a"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\0", ["\u0000"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\012", ["\n"], ["\u00e9", "\u0663", "\u00a0"]],
  ["[\\u00e0-\\u00ff]", ["\u00e9"], ["\u0663", "\u00a0", "a-b"]],
  ["(?s)a.b", ["aab", "a-b", "a\nb"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\-\\_", ["-_"], ["\u00e9", "\u0663", "\u00a0"]],
  ["[\\]]", ["]"], ["\u00e9", "\u0663", "\u00a0"]],
  ["[\\d\\s]+", ["7", "\u0663", " ", "\u00a0", "\u2003"], ["\u00e9", "a-b", ""]],
  ["[a\\-z]+", ["-", "a", "aa", "aaa", "a-z"], ["\u00e9", "\u0663", "\u00a0"]],
  ["\\t", ["\t"], ["\u00e9", "\u0663", "\u00a0"]],
];

test.each(PYTHON)("%j matches whole symbols as in Python", (pattern, matching, other) => {
  const matches = wholeMatcher(pattern);
  expect(matching.filter((symbol) => !matches(symbol))).toEqual([]);
  expect(other.filter(matches)).toEqual([]);
});

describe("unsupported syntax is refused with the reason", () => {
  test.each([
    ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
    ["(?<!a)b", "(?<!"],
    ["(a)\\1", "invalid escape sequence: `\\1`"],
    ["(?P<n>a)(?P=n)", "invalid or unsupported Perl syntax"],
    ["a++", "invalid nested repetition operator: `++`"],
    ["(?>a)", "invalid or unsupported Perl syntax: `(?>`"],
    ["(", "missing closing )"],
    ["[a", "missing closing ]"],
    ["*", "missing argument to repetition operator: `*`"],
    ["a{2000}", "invalid repeat count: `{2000}`"],
    ["(a{100}){100}", "invalid repeat count"],
    ["[\\Z]", "\\Z inside brackets is not supported"],
    ["\\Qa\\E", "\\Q is not supported"],
    ["\\pL", "\\p is not supported"],
    ["\\N{DASH}", "\\N is not supported"],
    ["\\u12", "\\u must be followed by 4 hex digits"],
    ["a\\", "it ends in a backslash"],
  ])("%j", (pattern, reason) => {
    expect(() => wholeMatcher(pattern)).toThrow(
      `the pattern ${JSON.stringify(pattern)} must be a regular expression in Python's syntax, without lookaround and backreferences`,
    );
    expect(() => wholeMatcher(pattern)).toThrow(reason);
  });
});

test.each([
  "\\W",
  "\\S",
])("%s means the same of every character inside brackets, and turned round there", (spelling) => {
  const outside = wholeMatcher(spelling);
  const inside = wholeMatcher(`[${spelling}]`);
  const turned = wholeMatcher(`[^${spelling}]`);
  const odd: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code === 0xd800) code = 0xe000;
    const character = String.fromCodePoint(code);
    const is = outside(character);
    if (inside(character) !== is || turned(character) === is) odd.push(code.toString(16));
  }
  expect(odd).toEqual([]);
  expect(wholeMatcher("[\\s\\S]*")("any\nthing \u{1f600}")).toBe(true);
  expect(wholeMatcher("[^\\W_]+")("caf\u00e9")).toBe(true);
  expect(wholeMatcher("[^\\W_]+")("a_b")).toBe(false);
});

test("a pattern that takes a backtracking engine forever takes linear time", () => {
  const matches = wholeMatcher("(a*)*(a|aa)*b");
  const used = processorTime();
  expect(matches("a".repeat(20_000))).toBe(false);
  expect(used()).toBeLessThan(2_000);
});
