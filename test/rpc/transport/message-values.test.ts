import { type DescMessage, fromJson, toBinary } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { GdfSchema } from "../../../src/gen/noema/v1/gdf_pb";
import { PingRequestSchema } from "../../../src/gen/noema/v1/inspection_service_pb";
import { ObserveRequestSchema, ObserveSequenceRequestSchema } from "../../../src/gen/noema/v1/memory_service_pb";
import { PackedEnsembleSchema } from "../../../src/gen/noema/v1/prediction_pb";
import { messageValues } from "../../../src/rpc/transport/message-bytes";

const MOST = 1_000_000;

function values(desc: DescMessage, ...bytes: number[]): number {
  return messageValues(desc, Uint8Array.from(bytes), MOST);
}

/** How many fields a type has, which is what a message of it counts. */
const fields = ({ fields: all }: DescMessage) => all.length;

const GDF = fields(GdfSchema);
const OBSERVE = fields(ObserveRequestSchema);

describe("bytes hold", () => {
  test.each<[name: string, desc: DescMessage, bytes: number[], more: number]>([
    ["nothing", PingRequestSchema, [], 1],
    ["unknown varints", PingRequestSchema, [0x78, 0, 0x78, 0xff, 1], 1 + 2],
    [
      "unknown texts and fixed numbers",
      PingRequestSchema,
      [0x7a, 1, 65, 0x79, 0, 0, 0, 0, 0, 0, 0, 0, 0x7d, 0, 0, 0, 0],
      1 + 3,
    ],
    ["groups", PingRequestSchema, [0x7b, 0x78, 1, 0x7b, 0x7c, 0x7c], 1 + 5],
    [
      "empty messages",
      ObserveSequenceRequestSchema,
      [0x0a, 0, 0x0a, 0],
      fields(ObserveSequenceRequestSchema) + 2 * GDF,
    ],
    ["a message given twice", ObserveRequestSchema, [0x0a, 0, 0x0a, 0], OBSERVE + 2 * GDF],
    ["texts in a message", ObserveRequestSchema, [0x0a, 5, 0x0a, 1, 65, 0x0a, 0], OBSERVE + GDF + 2],
    ["unknown fields in a message", ObserveRequestSchema, [0x0a, 4, 0x78, 0, 0x78, 0], OBSERVE + GDF + 2],
    ["packed doubles", GdfSchema, [0x12, 18, 0x0a, 16, ...Array.from({ length: 16 }, () => 0)], GDF + 1 + 1 + 2],
    ["packed varints", PackedEnsembleSchema, [0x22, 4, 1, 0x80, 1, 2], fields(PackedEnsembleSchema) + 1 + 3],
  ])("%s", (_, desc, bytes, count) => {
    expect(values(desc, ...bytes)).toBe(count);
  });

  test("map entries, and values within values", () => {
    const bytes = toBinary(ValueSchema, fromJson(ValueSchema, { a: [true], b: [true] }));
    // Each entry: itself, its name, and a value with a list of one value.
    expect(messageValues(ValueSchema, bytes, MOST)).toBeGreaterThanOrEqual(2 * (2 + 1 + 6 + 1 + 6 + 1));
  });
});

test.each([
  ["messages in messages", ValueSchema, nested(200)],
  ["groups in groups", PingRequestSchema, new Uint8Array(1000).fill(0x7b)],
])("%s without end are too many", (_, desc: DescMessage, bytes) => {
  expect(messageValues(desc, bytes, MOST)).toBeGreaterThan(MOST);
});

/** A list of a list of a list. */
function nested(levels: number): Uint8Array {
  let bytes: number[] = [];
  for (let level = 0; level < levels; level++)
    bytes = [level % 2 === 0 ? 0x0a : 0x32, ...varint(bytes.length), ...bytes];
  return Uint8Array.from(bytes);
}

function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) | 128, ...varint(Math.floor(number / 128))];
}

test.each([
  ["cut short in a length", [0x0a, 0xff]],
  ["longer than the bytes", [0x0a, 100, 0x0a]],
  ["of a wire type that there is not", [0x0f, 0x0a, 0]],
  ["a number without end", Array.from({ length: 40 }, () => 0xff)],
])("bytes that are no message, %s, are counted as far as they go", (_, bytes) => {
  const count = values(ObserveRequestSchema, ...bytes);
  expect(count).toBeGreaterThanOrEqual(OBSERVE);
  expect(count).toBeLessThan(OBSERVE + GDF + 3);
});

test("very many values are counted in linear time, and only as far as asked", () => {
  const bytes = new Uint8Array(24 * 1024 * 1024).map((_, at) => (at % 2 === 0 ? 0x0a : 0));
  expect(messageValues(ObserveSequenceRequestSchema, bytes, MOST)).toBeLessThan(MOST + 2 * GDF);
  expect(messageValues(ObserveSequenceRequestSchema, bytes, Number.POSITIVE_INFINITY)).toBeGreaterThan(
    GDF * 12 * 1024 * 1024,
  );
});
