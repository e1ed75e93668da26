import { describe, expect, test } from "vitest";
import { checkMetadata } from "../../../src/processor/input/metadata";

const nested = (levels: number) => `{"a":`.repeat(levels - 1) + "{}".padEnd(levels + 1, "}");

describe("metadata is stored unchanged", () => {
  test.each([
    '{"z":1,"a":[2,{"10":null}]}',
    '{"a":"\\ud83d\\ude00 [[[ {{{ \\" ]"}',
    '{"a":1.7976931348623157e308,"b":1e-999}',
    `{"${"[".repeat(500)}":"\\\\"}`,
    nested(98),
  ])("%s", (text) => {
    expect(checkMetadata(text, "metadata")).toBe(text);
  });

  test("and empty text is an empty object", () => {
    expect(checkMetadata("", "metadata")).toBe("{}");
  });
});

describe("metadata that no exported file could hold is refused", () => {
  test.each([
    ["[]", 'it must be a JSON object, got "[]"'],
    ["null", 'it must be a JSON object, got "null"'],
    ['{"a":1} x', "it must be a JSON object"],
    ['{"a":"\\ud800"}', "it must be well-formed Unicode"],
    ['{"\\uDC00":[1]}', "it must be well-formed Unicode"],
    ['{"a":[[1e999]]}', "it must hold finite numbers only"],
    ['{"a":-1E+0400}', "it must hold finite numbers only"],
    [`{"a":${"9".repeat(310)}}`, "it must hold finite numbers only"],
    [nested(99), "it must be nested at most 98 levels deep"],
    ["[".repeat(1_000_000), "it must be nested at most 98 levels deep"],
    [`"${'\\"'.repeat(1_000_000)}`, "it must be a JSON object"],
  ])("%s", (text, reason) => {
    expect(() => checkMetadata(text, "it")).toThrow(reason);
  });
});

test("metadata of more values than a body may hold is refused unparsed", () => {
  // A message of a service holds metadata as one text, whose values are not counted with those of the message.
  const listing = (count: number) => `{"a":[${"0,".repeat(count - 1)}0]}`;
  const most = listing(999_998);
  expect(checkMetadata(most, "it") === most).toBe(true);
  const refused = "it must hold at most 1000000 values, got 1000001";
  expect(() => checkMetadata(listing(999_999), "it")).toThrow(refused);
  // Text that is no JSON at its end is refused for the same reason: it was not parsed.
  expect(() => checkMetadata(`${listing(999_999)}x`, "it")).toThrow(refused);
});
