import { expect, test } from "vitest";
import { MAX_NAME_BYTES, nameRefusal } from "../../src/text/chosen-names";

test.each([
  "a",
  " ",
  "/",
  "...",
  ".a",
  "%2e%2e",
  "a\u00a0b",
  "\ufeff",
  "\u202e",
  "𝄞",
  "ü".repeat(64),
  "x".repeat(128),
])("%j is a name", (text) => {
  expect(nameRefusal(text)).toBeUndefined();
});

test.each([
  ["nothing", ""],
  ["a path of its own", "."],
  ["the way up", ".."],
  ["a null", "a\0"],
  ["a line end", "a\n"],
  ["a delete", "\u007f"],
  ["a control character beyond ASCII", "\u0085"],
  ["half a character", "a\ud834"],
  ["one byte too many", "x".repeat(MAX_NAME_BYTES + 1)],
  ["too many bytes of few characters", "ü".repeat(65)],
])("%s is none", (_, text) => {
  expect(nameRefusal(text)).toBe("a name of 1 to 128 bytes of UTF-8 without control characters, and neither . nor ..");
});
