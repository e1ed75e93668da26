/** The quick encoder and decoder give what the protobuf library gives: for every type of the contract, for random messages and random bytes. */

import { readdirSync } from "node:fs";
import { create, type DescField, type DescMessage, fromBinary, ScalarType, toBinary } from "@bufbuild/protobuf";
import type { GenFile } from "@bufbuild/protobuf/codegenv2";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ObserveRequestSchema, ObserveResponseSchema } from "../../../src/gen/noema/v1/memory_service_pb";
import { PublishedSchema } from "../../../src/gen/noema/v1/publication_service_pb";
import {
  messageFromBytes,
  messageFromCarried,
  messageToBytes,
  messageToCarried,
} from "../../../src/rpc/transport/message-bytes";
import { decodeQuickly, decodeText } from "../../../src/rpc/transport/wire/decode";
import { encodeAsText, encodeQuickly } from "../../../src/rpc/transport/wire/encode";
import { type Plan, planOf } from "../../../src/rpc/transport/wire/plan";

const FOLDER = new URL("../../../src/gen/noema/v1/", import.meta.url);

const files = await Promise.all(
  readdirSync(FOLDER).map(async (name): Promise<GenFile> => {
    const exported: Record<string, GenFile> = await import(new URL(name, FOLDER).pathname);
    const file = exported[`file_noema_v1_${name.replace("_pb.ts", "")}`];
    if (file === undefined) throw new Error(`${name} exports no file`);
    return file;
  }),
);

/** The types that have a plan. */
const planned = files.flatMap(({ messages }) =>
  messages.flatMap((desc): [string, DescMessage, Plan][] => {
    const plan = planOf(desc);
    return plan === undefined ? [] : [[desc.name, desc, plan]];
  }),
);

const TEXT = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("", "\ufeffa", "\ud800", "x".repeat(64), "x".repeat(130), "é".repeat(70)),
);
const DOUBLE = fc.oneof(fc.double(), fc.constantFrom(0, -0, Number.NaN));
const UINT32 = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(0, 127, 128, 2 ** 28, 0xffffffff, -0));
const INT32 = fc.oneof(fc.integer({ min: 0, max: 0x7fffffff }), fc.constantFrom(0, 127, 128, 2 ** 28, 0x7fffffff, -0));

/** What a message of a type can be made from. */
function initOf(desc: DescMessage): fc.Arbitrary<Record<string, unknown>> {
  const own = desc.fields.filter(({ oneof }) => oneof === undefined);
  const members: [string, fc.Arbitrary<unknown>][] = own.map((field) => {
    return [field.localName, fc.option(fieldOf(field), { nil: undefined })];
  });
  for (const { localName, fields } of desc.oneofs) {
    const chosen = fields.map((field) => fieldOf(field).map((value) => ({ case: field.localName, value })));
    members.push([localName, fc.oneof(fc.constant(undefined), fc.constant({ case: undefined }), ...chosen)]);
  }
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

function fieldOf(field: DescField): fc.Arbitrary<unknown> {
  const value = field.fieldKind === "enum" ? INT32 : scalarOf(field.scalar);
  const one = field.message === undefined ? value : initOf(field.message);
  return field.fieldKind === "list" ? fc.array(one, { maxLength: 3 }) : one;
}

function scalarOf(scalar: ScalarType | undefined): fc.Arbitrary<unknown> {
  if (scalar === ScalarType.STRING) return TEXT;
  if (scalar === ScalarType.BOOL) return fc.boolean();
  if (scalar === ScalarType.INT32) return INT32;
  return scalar === ScalarType.DOUBLE ? DOUBLE : UINT32;
}

/** Maximum bytes of a message that is carried as text. */
const MAX_TEXT_BYTES = 2_048;

/** A character for each byte. */
function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** What something returns, or that it throws. */
function outcome<Value>(of: () => Value): Value | "throws" {
  try {
    return of();
  } catch {
    return "throws";
  }
}

test("every message that a request of a device needs has a plan", () => {
  const names = planned.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["ObserveRequest", "ObserveResponse", "Gdf", "FrameAnswer"]));
  expect(names).toEqual(expect.arrayContaining(["TakePublicationsRequest", "TakePublicationsResponse"]));
  expect(names.length).toBeGreaterThan(100);
});

describe("as the library", () => {
  test.each(planned)("%s", (_, desc, plan) => {
    fc.assert(
      fc.property(initOf(desc), (init) => {
        const message = create(desc, init);
        const bytes = toBinary(desc, message);
        expect(encodeQuickly(plan, init)).toEqual(bytes);
        expect(encodeQuickly(plan, message)).toEqual(bytes);
        const decoded = decodeQuickly(plan, bytes);
        // What the quick decoder leaves to the library has a number that is not small.
        if (decoded === undefined) expect(hasLarge(init)).toBe(true);
        else expect(decoded).toStrictEqual(fromBinary(desc, bytes));
        expect(decodeText(plan, textOf(bytes))).toStrictEqual(decoded);
        expect(encodeAsText(plan, message)).toEqual(bytes.length <= MAX_TEXT_BYTES ? textOf(bytes) : bytes);
      }),
      { numRuns: 20, seed: 1 },
    );
  });

  function hasLarge(value: unknown): boolean {
    if (typeof value === "number") return value >= 2 ** 28;
    return typeof value === "object" && value !== null && Object.values(value).some(hasLarge);
  }

  test.each(
    planned.filter(([name]) => /^(Observe|Gdf|Frame|Delivery|Surprise)/.test(name)),
  )("bytes of %s that were damaged", (_, desc, plan) => {
    const damaged = fc
      .tuple(initOf(desc), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.uint8Array({ maxLength: 6 }))
      .map(([init, changes, more]) => {
        const bytes = [...toBinary(desc, create(desc, init)), ...more];
        for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
        return Uint8Array.from(bytes);
      });
    fc.assert(
      fc.property(damaged, (bytes) => {
        const decoded = decodeQuickly(plan, bytes);
        if (decoded !== undefined) expect(decoded).toStrictEqual(outcome(() => fromBinary(desc, bytes)));
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});

describe("a carried message", () => {
  const carried = (symbol: string) => messageToCarried(ObserveRequestSchema, { gdf: { strings: [symbol] } });

  test.each([
    "a",
    "\u007f",
    "é",
    "日本",
    "\ufeffx",
    "x".repeat(2_000),
    "é".repeat(1_000),
  ])("is text with %j", (symbol) => {
    const text = carried(symbol);
    expect(text).toBe(textOf(messageToBytes(ObserveRequestSchema, { gdf: { strings: [symbol] } })));
    expect(messageFromCarried(ObserveRequestSchema, text).gdf?.strings).toEqual([symbol]);
  });

  test.each(["x".repeat(2_048), "é".repeat(1_024), "x".repeat(300_000)])("that is large is bytes", (symbol) => {
    const bytes = carried(symbol);
    expect(bytes).toBeInstanceOf(Uint8Array);
    expect(messageFromCarried(ObserveRequestSchema, bytes).gdf?.strings).toEqual([symbol]);
  });

  test("is read by the library where it is unusual", () => {
    const unknown = textOf(Uint8Array.of(0x20, 1, 0x78, 1));
    expect(decodeText(planOf(ObserveRequestSchema) as Plan, unknown)).toBeUndefined();
    expect(messageFromCarried(ObserveRequestSchema, unknown).explain).toBe(true);
    expect(() => messageFromCarried(ObserveRequestSchema, "\x12\x05a")).toThrow("parse binary");
  });

  test("does not change when the next one is read", () => {
    const first = messageFromCarried(ObserveRequestSchema, carried("a"));
    messageFromCarried(ObserveRequestSchema, carried("b"));
    expect(first.gdf?.strings).toEqual(["a"]);
  });
});

test.each<[string, Record<string, unknown>]>([
  ["a text", { gdf: { strings: ["x".repeat(300_000)] } }],
  ["many texts", { path: Array.from({ length: 10_000 }, () => "x".repeat(64)) }],
  ["doubles", { gdf: { vectors: [{ components: new Array(40_000).fill(1) }] } }],
])("%s larger than the bytes that are kept, and a small message after it", (_, init) => {
  const plan = planOf(ObserveRequestSchema) as Plan;
  for (const each of [init, { path: ["a"] }]) {
    const bytes = toBinary(ObserveRequestSchema, create(ObserveRequestSchema, each));
    const encoded = encodeQuickly(plan, each) ?? new Uint8Array();
    // Comparing bytes one by one takes seconds.
    expect(Buffer.compare(encoded, bytes)).toBe(0);
  }
});

test("what a backup holds has a plan", () => {
  const names = planned.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["BackupRecord", "ReadBackupResponse", "StageRestoreRequest"]));
});

describe("left to the library", () => {
  const plan = planOf(ObserveRequestSchema) as Plan;

  test.each<[string, Record<string, unknown>]>([
    ["a text that is a number", { gdf: { uniqueId: 7 } }],
    ["a text that is the number 0", { gdf: { uniqueId: 0 } }],
    ["a number that is a text", { delivery: { number: "7" } }],
    ["a number that is too large", { delivery: { mostDeliveries: 2 ** 32 } }],
    ["a list that is a text", { path: "P1" }],
    ["a whole message that lacks a field", { $typeName: "noema.v1.ObserveRequest", path: [] }],
    ["fields that the type does not have", { $unknown: [{ no: 9, wireType: 0, data: Uint8Array.of(1) }] }],
    ["a message that is larger than a call may carry", { gdf: { strings: ["x".repeat(2 ** 24)] } }],
  ])("%s", (_, init) => {
    expect(encodeQuickly(plan, init)).toBeUndefined();
    const library = outcome(() => toBinary(ObserveRequestSchema, create(ObserveRequestSchema, init)));
    const bytes = outcome(() => messageToBytes(ObserveRequestSchema, init));
    if (library === "throws") expect(bytes).toBe("throws");
    else expect(bytes).not.toBe("throws");
  });

  test.each([-1, 2 ** 31, 1.5])("a signed number that is %d", (code) => {
    expect(encodeQuickly(planOf(PublishedSchema) as Plan, { code })).toBeUndefined();
    const library = outcome(() => toBinary(PublishedSchema, create(PublishedSchema, { code })));
    expect(outcome(() => messageToBytes(PublishedSchema, { code }))).toEqual(library);
    if (library !== "throws") expect(messageFromBytes(PublishedSchema, library).code).toBe(code);
  });

  test.each<[string, number[]]>([
    ["an unknown field", [0x78, 1]],
    ["a message given twice", [0x0a, 0, 0x0a, 2, 0x32, 0]],
    ["a text that is not UTF-8", [0x12, 1, 0xff]],
    ["a text that is cut short", [0x12, 4, 65]],
    ["a length beyond the end", [0x0a, 0x80, 0x80, 0x80, 0x01]],
    ["a number that is cut short", [0x20, 0x80]],
  ])("%s", (_, bytes) => {
    expect(decodeQuickly(plan, Uint8Array.from(bytes))).toBeUndefined();
  });

  test("a reply of which a part stands twice keeps both", () => {
    const observed = { uniqueId: "a" };
    const one = messageToBytes(ObserveResponseSchema, { observed });
    const two = messageToBytes(ObserveResponseSchema, { observed: { autoLearnedModel: "b" } });
    const both = messageFromBytes(ObserveResponseSchema, Uint8Array.from([...one, ...two]));
    expect(both.observed).toMatchObject({ uniqueId: "a", autoLearnedModel: "b" });
  });
});
