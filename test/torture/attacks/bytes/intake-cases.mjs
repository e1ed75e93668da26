/** What costs most to take in: messages of services and bodies of JSON, each with its name, where it goes, and what makes it. */

import { gzipSync } from "node:zlib";
import { PROCESSOR } from "../../client.mjs";

const MEBIBYTE = 2 ** 20;

/** Just below the greatest number of values. */
const MANY = 990_000;

/** Just below the greatest size of a body, in bytes. */
export const LARGE = 24 * MEBIBYTE;

/** Where observations go. */
export const OBSERVE = `/${PROCESSOR}/observe`;
const SEQUENCE = `/${PROCESSOR}/sequence-observe`;
const PROTO = { "content-type": "application/proto", "x-processor-id": PROCESSOR };
const JSON_CALL = { "content-type": "application/json", "x-processor-id": PROCESSOR };
const GRPC_WEB = { "content-type": "application/grpc-web+proto", "x-processor-id": PROCESSOR };
const OBSERVE_SEQUENCE = "/noema.v1.MemoryService/ObserveSequence";
const OBSERVE_RPC = "/noema.v1.MemoryService/Observe";
/** A call of a service that takes nothing. */
export const PING = "/noema.v1.InspectionService/Ping";

/** Bytes again and again. */
function times(bytes, size = LARGE) {
  return Buffer.alloc(Math.floor(size / bytes.length) * bytes.length, Buffer.from(bytes));
}

/** A length as protobuf writes it. */
function varint(number) {
  const bytes = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

/** A field that holds bytes. */
function field(number, bytes) {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function frame(bytes, flags = 0) {
  const before = Buffer.alloc(5);
  before[0] = flags;
  before.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([before, bytes]);
}

const gdf = (bytes) => field(1, bytes);

/** Messages of services: what they hold, by name. */
export const MESSAGES = [
  ["12 million empty records", OBSERVE_SEQUENCE, () => times([0x0a, 0]), PROTO],
  ["3 million empty records", OBSERVE_SEQUENCE, () => times([0x0a, 0], 6 * MEBIBYTE), PROTO],
  ["900,000 empty records", OBSERVE_SEQUENCE, () => times([0x0a, 0], 1.8e6), PROTO],
  ["120,000 empty records", OBSERVE_SEQUENCE, () => times([0x0a, 0], 240_000), PROTO],
  ["49,000 records of a symbol", OBSERVE_SEQUENCE, () => times(gdf(field(1, Buffer.from("a"))), 49_000 * 5), PROTO],
  ["unknown varints", PING, () => times([0x78, 0]), PROTO],
  ["unknown texts", PING, () => times([0x7a, 0]), PROTO],
  ["unknown groups", PING, () => times([0x7b, 0x7c]), PROTO],
  ["groups in groups", PING, () => Buffer.concat([times([0x7b], LARGE / 2), times([0x7c], LARGE / 2)]), PROTO],
  ["990,000 unknown varints", PING, () => times([0x78, 0], 2 * MANY), PROTO],
  ["empty symbols", OBSERVE_RPC, () => gdf(times([0x0a, 0])), PROTO],
  ["990,000 symbols", OBSERVE_RPC, () => gdf(times([0x0a, 1, 0x61], 3 * MANY)), PROTO],
  ["empty vectors", OBSERVE_RPC, () => gdf(times([0x12, 0])), PROTO],
  ["empty emotives", OBSERVE_RPC, () => gdf(times([0x1a, 0])), PROTO],
  ["330,000 emotives", OBSERVE_RPC, () => gdf(times([0x1a, 0], 660_000)), PROTO],
  ["numbers of a vector, packed", OBSERVE_RPC, () => gdf(field(2, field(1, Buffer.alloc(LARGE)))), PROTO],
  ["numbers of a vector, one by one", OBSERVE_RPC, () => gdf(field(2, times([9, 0, 0, 0, 0, 0, 0, 0, 0]))), PROTO],
  ["metadata of 990,000 members", OBSERVE_RPC, () => gdf(field(4, Buffer.from(members(MANY)))), PROTO],
  ["one message again and again", OBSERVE_RPC, () => times([0x0a, 0]), PROTO],
  ["unknown fields in a record", OBSERVE_RPC, () => gdf(times([0x78, 0])), PROTO],
  ["events", "/noema.v1.MemoryService/GetPredictions", () => field(3, times([0x0a, 0])), PROTO],
  ["gene changes", "/noema.v1.GeneService/ChangeGenes", () => times([0x0a, 0]), PROTO],
  ["JSON: {} by the million", OBSERVE_SEQUENCE, () => list("sequence", "{}", LARGE / 3), JSON_CALL],
  ["JSON: 900,000 {}", OBSERVE_SEQUENCE, () => list("sequence", "{}", 900_000), JSON_CALL],
  ["JSON: 120,000 {}", OBSERVE_SEQUENCE, () => list("sequence", "{}", 120_000), JSON_CALL],
  [
    "JSON: 300,000 emotives",
    OBSERVE_RPC,
    () => `{"gdf":${list("emotives", '{"name":"a","value":1}', 300_000)}}`,
    JSON_CALL,
  ],
  ["JSON: [ in [", OBSERVE_SEQUENCE, () => times(Buffer.from("[")), JSON_CALL],
  ["JSON: members", PING, () => members(MANY), JSON_CALL],
  ["JSON: [1, 1, ...] no message", PING, () => `[${"1,".repeat(LARGE / 2 - 2)}1]`, JSON_CALL],
  ["gRPC-Web: records", OBSERVE_SEQUENCE, () => frame(times([0x0a, 0])), GRPC_WEB],
  ["gRPC-Web: empty frames", OBSERVE_SEQUENCE, () => times(frame(Buffer.alloc(0))), GRPC_WEB],
  ["gRPC-Web: frames of records", OBSERVE_SEQUENCE, () => times(frame(times([0x0a, 0], MEBIBYTE))), GRPC_WEB],
  ["gzip", OBSERVE_SEQUENCE, () => gzipSync(times([0x0a, 0])), { ...PROTO, "content-encoding": "gzip" }],
  [
    "gRPC-Web: gzip",
    OBSERVE_SEQUENCE,
    () => frame(gzipSync(times([0x0a, 0])), 1),
    { ...GRPC_WEB, "grpc-encoding": "gzip" },
  ],
];

function list(name, item, count) {
  return `{"${name}":[${`${item},`.repeat(Math.floor(count) - 1)}${item}]}`;
}

/** An object of this many members. */
function members(count, name = (at) => `m${at}`, value = "1") {
  return `{${Array.from({ length: count }, (_, at) => `${JSON.stringify(name(at))}:${value}`).join()}}`;
}

/** A list of objects of this many members each, no two of which have the same name. */
function strangers(count, each) {
  const objects = Array.from({ length: Math.floor(count / each) }, (_, i) => members(each, (at) => `n${i}x${at}`));
  return `[${objects.join()}]`;
}

const observed = (name, value) => `{"data":{"strings":["a"],"${name}":${value}}}`;
const PUT = [{}, "PUT"];

/** Bodies of JSON by what they hold. */
export const BODIES = [
  ...["emotives", "numbers", "metadata"].flatMap((name) => [
    [`990,000 ${name}`, OBSERVE, () => observed(name, members(MANY))],
    [`90,000 ${name}`, OBSERVE, () => observed(name, members(90_000))],
    [
      `900,000 ${name} with numbers as names`,
      OBSERVE,
      () =>
        observed(
          name,
          members(900_000, (at) => `${at * 4331}`),
        ),
    ],
  ]),
  ["990,000 unknown members", OBSERVE, () => `{"data":{"strings":[],"${"x"}":1},${members(MANY).slice(1)}`],
  ["990,000 genes", `/${PROCESSOR}/genes/change`, () => `{"data":${members(MANY)}}`],
  ["90,000 genes", `/${PROCESSOR}/genes/change`, () => `{"data":${members(90_000)}}`],
  ["objects of 100 new names", OBSERVE, () => observed("metadata", `{"l":${strangers(MANY, 100)}}`)],
  ["objects of 5 new names", OBSERVE, () => observed("metadata", `{"l":${strangers(MANY, 5)}}`)],
  [
    "90,000 members in objects of 100 new names",
    OBSERVE,
    () => observed("metadata", `{"l":${strangers(90_000, 100)}}`),
  ],
  ["metadata: 990,000 empty objects", OBSERVE, () => observed("metadata", list("l", "{}", MANY))],
  ["metadata: 490,000 objects alike", OBSERVE, () => observed("metadata", list("l", '{"a":1}', MANY / 2))],
  [
    "metadata: 320,000 objects that begin with a number",
    OBSERVE,
    () => observed("metadata", list("l", '{"1":1}', MANY / 3)),
  ],
  [
    "metadata: 990,000 numbers and a name that is one",
    OBSERVE,
    () => observed("metadata", `{"1":1,${list("l", "1", MANY).slice(1)}`),
  ],
  ["990,000 symbols", OBSERVE, () => observed("emotives", "{}").replace('["a"]', list("", '"a"', MANY).slice(4, -1))],
  ["990,000 vectors", OBSERVE, () => observed("vectors", list("", "[]", MANY).slice(4, -1))],
  [
    "900,000 symbols to find models of",
    `/${PROCESSOR}/get-models-with-symbols`,
    () => `{"data":${list("", '"a"', 900_000).slice(4, -1)}}`,
  ],
  ["990,000 components", OBSERVE, () => observed("vectors", `[${list("", "0.5", MANY).slice(4, -1)}]`)],
  ["990,000 records", SEQUENCE, () => `{"data":${list("sequence", "{}", MANY)}}`],
  ["300,000 records with a symbol", SEQUENCE, () => `{"data":${list("sequence", '{"strings":["a"]}', 300_000)}}`],
  [
    "120,000 records with an unknown member",
    SEQUENCE,
    () => `{"data":${list("sequence", '{"strings":[],"x":1}', 120_000)}}`,
  ],
  ["49,000 records", SEQUENCE, () => `{"data":${list("sequence", '{"strings":["a"],"emotives":{"joy":1}}', 49_000)}}`],
  ["12 million {}", SEQUENCE, () => `{"data":${list("sequence", "{}", LARGE / 3)}}`],
  ["a number of 24 million digits", OBSERVE, () => observed("emotives", `{"a":${"1".repeat(LARGE)}}`)],
  ["24 million digits after the point", OBSERVE, () => observed("metadata", `{"1":0.${"1".repeat(LARGE)}}`)],
  ["900,000 numbers of 22 digits", OBSERVE, () => observed("metadata", list("1", "0.1234567890123456789012", 900_000))],
  ["a text of 12 million escapes", OBSERVE, () => observed("metadata", `{"1":"${"\\n".repeat(LARGE / 2)}"}`)],
  ["a text of 4 million escapes", OBSERVE, () => observed("metadata", `{"1":"${"\\u00e9".repeat(LARGE / 6)}"}`)],
  ["990,000 escaped surrogates", OBSERVE, () => observed("metadata", list("l", '"\\ud83d\\ude00"', MANY))],
  [
    "990,000 values and half a surrogate",
    OBSERVE,
    () => observed("metadata", `{"s":"\\ud83d",${list("l", '"a"', MANY).slice(1)}`),
  ],
  ["a symbol of 24 MB", OBSERVE, () => observed("strings", `["${"a".repeat(LARGE)}"]`)],
  ["lists 90 deep", OBSERVE, () => observed("metadata", list("l", "[".repeat(90) + "]".repeat(90), MANY / 90))],
  ["24 million [", OBSERVE, () => "[".repeat(LARGE)],
  ["24 million line feeds and a mistake", OBSERVE, () => `${"\n".repeat(LARGE)}x`],
  ["990,000 values and a mistake", OBSERVE, () => `${observed("metadata", list("l", '"a"', MANY))}x`],
  ["12 million escapes and a mistake", OBSERVE, () => `["${"\\n".repeat(LARGE / 2)}",]`],
  ["a number of 24 million digits and a mistake", OBSERVE, () => `[${"1".repeat(LARGE)},]`],
  [
    "not UTF-8 at the end",
    OBSERVE,
    () => Buffer.concat([Buffer.from(`"${"é".repeat(LARGE / 2)}`), Buffer.from([0xff])]),
  ],
  [
    "a model of 400,000 unknown members and 100,000 metadata",
    `/${PROCESSOR}/add-model`,
    () =>
      `{"data":{${members(400_000).slice(1, -1)},"sequence":[["a"],["b"]],${list("metadata", '{"1":1}', 100_000).slice(1)}}`,
    ...PUT,
  ],
  [
    "a model of 40,000 unknown members and 40,000 metadata",
    `/${PROCESSOR}/add-model`,
    () =>
      `{"data":{${members(40_000).slice(1, -1)},"sequence":[["a"],["b"]],${list("metadata", '{"1":1}', 40_000).slice(1)}}`,
    ...PUT,
  ],
  ["a genome", "/genome/hotswap", () => members(MANY)],
  ["load_kb: a model of members", `/${PROCESSOR}/load_kb`, () => `{"models_kb":{"a":${members(MANY)}}}`],
  ["load_kb: members of metadata", `/${PROCESSOR}/load_kb`, () => `{"metadata":${members(MANY)}}`],
  ["load_kb: unknown members", `/${PROCESSOR}/load_kb`, () => members(MANY)],
  ["load_kb: lines that are numbers", `/${PROCESSOR}/load_kb`, () => list("", "1", LARGE / 3).slice(4, -1)],
  [
    "load_kb: a list of values that are skipped",
    `/${PROCESSOR}/load_kb`,
    () => `{"x":${list("", "1", MANY).slice(4, -1)}}`,
  ],
];
