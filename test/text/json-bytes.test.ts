import { expect, test } from "vitest";
import { jsonBytes } from "../../src/text/json-bytes";
import { fc } from "../support/property";

test("counts the bytes that JSON.stringify writes, without the quotation marks", () => {
  const encoder = new TextEncoder();
  const written = (text: string) => encoder.encode(JSON.stringify(text)).length - 2;
  const units = Array.from({ length: 0xd800 }, (_, unit) => unit);
  const blocks = units
    .filter((unit) => unit % 16 === 0)
    .map((unit) => String.fromCharCode(...units.slice(unit, unit + 16)));
  expect(blocks.filter((text) => jsonBytes(text) !== written(text))).toEqual([]);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(jsonBytes(text)).toBe(written(text));
    }),
  );
});
