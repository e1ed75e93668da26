import { create, type DescMessage, type MessageInitShape, toBinary, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { binaryExcess, objectExcess } from "../../../src/gateway/decode/list-bounds";
import { ChangeGenesRequestSchema } from "../../../src/gen/noema/v1/gene_service_pb";
import {
  AddModelRequestSchema,
  FindModelsRequestSchema,
  UpdateModelRequestSchema,
} from "../../../src/gen/noema/v1/knowledge_service_pb";
import {
  ExplainSurpriseRequestSchema,
  GetForecastRequestSchema,
  LearnRequestSchema,
  ObserveRequestSchema,
  ObserveSequenceRequestSchema,
} from "../../../src/gen/noema/v1/memory_service_pb";
import { DEFAULT_BUDGETS } from "../../../src/text/budgets";

const BUDGETS = { ...DEFAULT_BUDGETS, memorySymbols: 1000, sequenceRecords: 20 };

const texts = (count: number) => Array.from({ length: count }, () => "a");
const named = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}`, value: at }));
const genes = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}` }));
const STRINGS =
  "a record may have at most 1000 strings, the symbols of a full working memory (NOEMA_MEMORY_SYMBOLS), got 1001";
const ASKED =
  "a sequence may have at most 1000 symbols, those of a full working memory (NOEMA_MEMORY_SYMBOLS), got 1001";
const METADATA = "metadata may take 2097152 bytes as JSON, and it takes more";

/** What is too much about a message, in each of the forms in which it comes. */
function excesses<Desc extends DescMessage>(desc: Desc, init: MessageInitShape<Desc>): (string | undefined)[] {
  const message = create(desc, init);
  return [
    objectExcess(desc, init, BUDGETS),
    objectExcess(desc, toJson(desc, message), BUDGETS),
    objectExcess(desc, toJson(desc, message, { useProtoFieldName: true }), BUDGETS),
    binaryExcess(desc, toBinary(desc, message), BUDGETS),
  ];
}

type Row = [name: string, excesses: () => (string | undefined)[], told: string | undefined];

const row = <Desc extends DescMessage>(name: string, desc: Desc, init: MessageInitShape<Desc>, told?: string): Row => [
  name,
  () => excesses(desc, init),
  told,
];

describe("the bounds of lists hold for objects, JSON and bytes alike", () => {
  const sequence = (...gdfs: MessageInitShape<typeof ObserveSequenceRequestSchema>["sequence"] & object) => ({
    sequence: gdfs,
  });
  it.each<Row>([
    row("as many symbols as memory holds", ObserveRequestSchema, { gdf: { strings: texts(1000) } }),
    row("one symbol more", ObserveRequestSchema, { gdf: { strings: texts(1001) } }, STRINGS),
    row(
      "records of few symbols each",
      ObserveSequenceRequestSchema,
      sequence(...Array(20).fill({ strings: texts(900) })),
    ),
    row("the second record", ObserveSequenceRequestSchema, sequence({}, { strings: texts(1001) }, {}), STRINGS),
    row(
      "records",
      ObserveSequenceRequestSchema,
      sequence(...Array(21).fill({})),
      "a sequence may have 20 records (NOEMA_SEQUENCE_RECORDS), got 21; send it in parts, and clear only with the first",
    ),
    row("emotives", ObserveRequestSchema, { gdf: { emotives: named(10_000), numbers: named(10_000) } }),
    row(
      "one emotive more",
      ObserveRequestSchema,
      { gdf: { emotives: named(10_001) } },
      "a record may have 10000 emotives, got 10001",
    ),
    row("genes", ChangeGenesRequestSchema, { changes: genes(10_000) }),
    row(
      "one gene more",
      ChangeGenesRequestSchema,
      { changes: genes(10_001) },
      "a request may change 10000 genes, got 10001",
    ),
    row(
      "one number more",
      ObserveSequenceRequestSchema,
      sequence({}, { numbers: named(10_001) }),
      "a record may have 10000 numbers, got 10001",
    ),
    row(
      "emotives and numbers of all records",
      ObserveSequenceRequestSchema,
      sequence(...Array(13).fill({ emotives: named(10_000), numbers: named(10_000) })),
      "a sequence may have 250000 emotives and numbers, and sequence[12] has more; send it in parts",
    ),
    row("components", ObserveRequestSchema, {
      gdf: { vectors: [{ components: Array(131_072).fill(0.5) }, { components: Array(131_072).fill(0.5) }] },
    }),
    row(
      "one component more",
      ObserveRequestSchema,
      { gdf: { vectors: [{ components: Array(131_072).fill(0.5) }, { components: Array(131_073).fill(0.5) }] } },
      "the vectors of a record may have 262144 components together, got 262145",
    ),
    row("metadata", ObserveRequestSchema, { gdf: { metadataJson: `{"a":"${"x".repeat(2_097_152)}"}` } }, METADATA),
    row("metadata of a model, each by itself", AddModelRequestSchema, {
      metadata: { metadataJson: [`{"a":"${"x".repeat(1_500_000)}"}`, `{"a":"${"x".repeat(1_500_000)}"}`] },
    }),
    row(
      "metadata of a model",
      UpdateModelRequestSchema,
      { metadata: { metadataJson: ["{}", `{"a":"${"x".repeat(2_097_152)}"}`] } },
      METADATA,
    ),
    row(
      "events and symbols of a model",
      AddModelRequestSchema,
      { sequence: { events: Array(1000).fill({ symbols: texts(250) }) } },
      "the model: a sequence may have 250000 symbols and events together, got 251000",
    ),
    row("a sequence that is asked about", GetForecastRequestSchema, {
      sequence: { events: [{ symbols: texts(1000) }] },
    }),
    row(
      "a symbol more in it",
      GetForecastRequestSchema,
      { sequence: { events: [{ symbols: texts(500) }, { symbols: texts(501) }] } },
      ASKED,
    ),
    row(
      "an event that is asked about",
      ExplainSurpriseRequestSchema,
      { event: { symbols: texts(100_001) } },
      "a request may list 100000 symbols, got 100001",
    ),
    row(
      "patterns",
      FindModelsRequestSchema,
      { patterns: texts(100_001) },
      "a request may list 100000 patterns, got 100001",
    ),
    row("a message without bounds", LearnRequestSchema, {}),
  ])("%s", (_, excessesOf, told) => {
    expect(excessesOf()).toEqual([told, told, told, told]);
  });

  it("a record that comes in parts counts as one, because the library makes one of them", () => {
    const part = toBinary(ObserveRequestSchema, create(ObserveRequestSchema, { gdf: { strings: texts(501) } }));
    expect(binaryExcess(ObserveRequestSchema, new Uint8Array([...part, ...part]), BUDGETS)).toBe(
      STRINGS.replace("1001", "1002"),
    );
  });

  it("numbers of a vector count one by one, too", () => {
    const component = [0x09, 0, 0, 0, 0, 0, 0, 0, 0];
    const length = 262_145 * component.length;
    const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(value >> 7)]);
    const field = (number: number, inner: number) => [number * 8 + 2, ...varint(inner)];
    const vector = field(2, length);
    const bytes = new Uint8Array([
      ...field(1, vector.length + length),
      ...vector,
      ...Array(262_145).fill(component).flat(),
    ]);
    expect(binaryExcess(ObserveRequestSchema, bytes, BUDGETS)).toBe(
      "the vectors of a record may have 262144 components together, got 262145",
    );
  });

  it("what is no such message is left to the library", () => {
    expect(binaryExcess(ObserveRequestSchema, new Uint8Array([0x0a, 100, 0x0a]), BUDGETS)).toBeUndefined();
    for (const other of [null, 1, "a", [], { gdf: 1 }, { gdf: [] }, { gdf: { strings: {} } }, { gdf: null }]) {
      expect(objectExcess(ObserveRequestSchema, other, BUDGETS)).toBeUndefined();
    }
  });
});
