import { expect, test } from "vitest";
import { MAX_PAYLOAD_BYTES, observationsOf, PayloadFault } from "../../src/mqtt/payload";

const bytes = (text: string) => new TextEncoder().encode(text);

test.each<[string, unknown[]]>([
  ['{"strings": ["a", "b"]}', [{ strings: ["a", "b"] }]],
  [' \n{"numbers": {"t": 21.5}}', [{ numbers: { t: 21.5 } }]],
  ['[{"strings": ["a"]}, {"strings": ["b"]}]', [{ strings: ["a"] }, { strings: ["b"] }]],
  ["[]", []],
  ["open", [{ strings: ["open"] }]],
  ["21.5", [{ strings: ["21.5"] }]],
  ["true", [{ strings: ["true"] }]],
  ['"open"', [{ strings: ['"open"'] }]],
  ["door open\n", [{ strings: ["door open\n"] }]],
  ["ü𝄞", [{ strings: ["ü𝄞"] }]],
  ["\ufeff{}", [{}]],
])("%j is observed", (text, records) => {
  expect(observationsOf(bytes(text))).toEqual(records);
});

test.each([
  ["", "the payload must be a GDF, a list of GDFs or text, and it is empty"],
  [
    '{"strings": ["a"',
    'the payload must be JSON where it begins with { or [, got "{\\"strings\\": [\\"a\\""; to observe it as one symbol, send {"strings": [text]}',
  ],
  [
    "[INFO] door",
    'the payload must be JSON where it begins with { or [, got "[INFO] door"; to observe it as one symbol, send {"strings": [text]}',
  ],
  ['[{"strings": ["a"]}, "b"]', 'a list of GDFs must hold objects, got "b" at its place 1'],
  ["[[]]", "a list of GDFs must hold objects, got [] at its place 0"],
  ["[null]", "a list of GDFs must hold objects, got null at its place 0"],
  ["[".repeat(101), "the payload is nested deeper than 100 levels"],
])("%.30j is refused", (text, sentence) => {
  expect(() => observationsOf(bytes(text))).toThrow(new PayloadFault(sentence));
});

test("bytes that are no UTF-8, or more than 1 MiB, are refused", () => {
  expect(() => observationsOf(new Uint8Array([0x61, 0xff]))).toThrow(
    new PayloadFault("the payload must be UTF-8 text, got 2 bytes that are not"),
  );
  expect(observationsOf(new Uint8Array(MAX_PAYLOAD_BYTES).fill(0x61))).toHaveLength(1);
  expect(() => observationsOf(new Uint8Array(MAX_PAYLOAD_BYTES + 1).fill(0x61))).toThrow(
    new PayloadFault("a payload may have 1048576 bytes, got 1048577"),
  );
});
