import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { reprSequence, reprString } from "../../../src/processor/text/python-repr";

/** What scripts/unicode-table.py prints under Python 3.11. */
const DIGEST_OF_ALL_REPRS = "459af541d58d7a347f4162199e8500301f8dd812";
const END = 0x110000;
const PAGE = 0x1000;

test("every code point, alone and after a single quote, is printed as Python 3.11 prints it", () => {
  const encoder = new TextEncoder();
  const digest = sha1.create();
  let printed = "";
  for (let codePoint = 0; codePoint < END; codePoint++) {
    // In pages: each update takes about as long as many characters.
    if (codePoint % PAGE === 0) {
      digest.update(encoder.encode(printed));
      printed = "";
    }
    if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
    const character = String.fromCodePoint(codePoint);
    printed += reprString(character) + reprString(`'${character}`);
  }
  digest.update(encoder.encode(printed));
  expect(bytesToHex(digest.digest())).toBe(DIGEST_OF_ALL_REPRS);
});

test.each([
  ["plain", "'plain'"],
  ["it's", '"it\'s"'],
  ['say "x"', "'say \"x\"'"],
  [`both ' and "`, `'both \\' and "'`],
  ["back\\slash", "'back\\\\slash'"],
  ["tab\tline\nreturn\r", "'tab\\tline\\nreturn\\r'"],
  ["bell\u0007 delete\u007f", "'bell\\x07 delete\\x7f'"],
  ["no-break\u00a0space", "'no-break\\xa0space'"],
  ["zero\u200bwidth", "'zero\\u200bwidth'"],
  ["tag\u{e0041}", "'tag\\U000e0041'"],
  ["caf\u00e9 e\u0301 \u{1f600}", "'caf\u00e9 e\u0301 \u{1f600}'"],
  ["", "''"],
])("%j is printed %s", (text, printed) => {
  expect(reprString(text)).toBe(printed);
});

test("a sequence is printed as a list of lists", () => {
  expect(reprSequence([["hello", "it's"], ["world"]])).toBe("[['hello', \"it's\"], ['world']]");
});
