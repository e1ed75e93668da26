/** Members of bodies and parameters of queries that an operation does not know: ignored and named, or refused by name. */

import { describe, expect, it } from "vitest";
import { operations } from "../../../src/gateway/operations/table";
import { GeneService } from "../../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { FILE_ROWS, ROWS } from "../../support/conformance/interface-rows";
import { STAMP, TestGateway } from "../../support/gateway/test-gateway";

const HASH = "7d0678ba6305341ce0d25133ab086208656a562f";

/** A model as GET model returns it. */
const MODEL = {
  emotives: {},
  frequency: 1,
  length: 1,
  metadata: [{}],
  name: HASH,
  predecessor_model: [],
  sequence: [["a"]],
};

function newGateway(): TestGateway {
  const gateway = new TestGateway();
  const observed = { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: "u" };
  gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed });
  gateway.answer(InspectionService.method.getStatus, { stamp: STAMP, status: {} });
  gateway.answer(KnowledgeService.method.exportKnowledge, { stamp: STAMP, totals: {} });
  gateway.answer(KnowledgeService.method.getVector, { stamp: STAMP, vector: { name: HASH, components: [1] } });
  const gene = { name: "persistence", value: { value: { case: "number", value: 5 } as const }, text: "5" };
  gateway.answer(GeneService.method.getGenes, { stamp: STAMP, genes: [gene] });
  gateway.answer(KnowledgeService.method.beginLoad, { stamp: STAMP, loadId: "l" });
  return gateway;
}

async function ask(call: string, body?: unknown) {
  const gateway = newGateway();
  const [method = "", path = ""] = call.split(" ");
  const answer = await gateway.ask(method, path, body === undefined ? {} : { body });
  return { ...answer, gateway };
}

const GDF_ACCEPTS = "(accepted: strings, vectors, numbers, emotives, metadata, time)";

describe("an operation of the specification", () => {
  it.each([
    ["POST /P1/observe", { data: { strings: ["a"], emotive: {} } }, `data.emotive is unknown ${GDF_ACCEPTS}`],
    ["POST /P1/observe", { strings: ["a"], emotive: {} }, `emotive is unknown ${GDF_ACCEPTS}`],
    ["POST /P1/observe", { data: { strings: [] }, emotives: {} }, "emotives is unknown (accepted: data)"],
    [
      "POST /P1/observe",
      { metdata: 1, data: { strings: [], "a b": 1, vector: 2 } },
      `metdata is unknown (accepted: data); data["a b"], data.vector are unknown ${GDF_ACCEPTS}`,
    ],
    [
      "POST /P1/predictions",
      { data: { uniqueid: "u" } },
      "data.uniqueid is unknown (accepted: unique_id, sequence, top, fields)",
    ],
    [
      "POST /P1/learn",
      { data: { metadata: {} }, x: 1 },
      "x is unknown (accepted: data); data.metadata is unknown (accepted: none)",
    ],
    ["POST /P1/learn", { name: "a" }, "name is unknown (accepted: none)"],
    [
      "POST /P1/clear-all-memory",
      { data: { clear_blacklst: false } },
      "data.clear_blacklst is unknown (accepted: clear_blacklist)",
    ],
    ["POST /P1/predicting/stop", { until: 5 }, "until is unknown (accepted: none)"],
    ["POST /P1/clear-target-class", { data: { target: "a" } }, "data.target is unknown (accepted: none)"],
    ["POST /P1/set-target-class", { data: "a", target: "b" }, "target is unknown (accepted: data)"],
    ["POST /P1/gene/increment-recall-threshold", { increment: 0.1, by: 1 }, "by is unknown (accepted: increment)"],
    ["POST /P1/genes/change", { data: { persistence: 5 }, persist: true }, "persist is unknown (accepted: data)"],
    ["GET /P1/gene/persistence", { default: 5 }, "default is unknown (accepted: none)"],
    ["GET /P1/status", { x: 1 }, "x is unknown (accepted: none)"],
    ["GET /P1/get_kb", { data: { line: true } }, "data.line is unknown (accepted: lines)"],
    [
      `PUT /P1/model/${HASH}`,
      { model: { frequency: 2, emotive: {} }, frequency: 3 },
      "frequency is unknown (accepted: model); model.emotive is unknown (accepted: emotives, frequency, metadata, sequence)",
    ],
    [
      "PUT /P1/add-model",
      { sequence: [["a"]], frequencie: 3 },
      "frequencie is unknown (accepted: sequence, vector, frequency, emotives, metadata)",
    ],
    [`DELETE /P1/model/${HASH}`, { data: { force: true } }, "data.force is unknown (accepted: none)"],
    ["POST /P1/symbols/remove", { data: ["a"], blacklist: false }, "blacklist is unknown (accepted: data)"],
    ["GET /P1/vector", { data: "a", dimension: 1 }, "dimension is unknown (accepted: data)"],
    [
      "POST /P1/load_kb",
      { data: { models_kb: {}, vector_kb: {} }, meta: {} },
      "data.vector_kb is unknown (accepted: metadata, models_kb, symbols_kb, vectors_kb); " +
        "meta is unknown (accepted: data, metadata, models_kb, symbols_kb, vectors_kb)",
    ],
    [
      "POST /P1/load_kb",
      [{ kind: "model", node: "n", name: HASH, sequence: [["a"]], frequencie: 2 }],
      "body[0].frequencie is unknown (accepted: emotives, frequency, length, metadata, name, order, sequence, times)",
    ],
  ])("%s, sent %j, names what it ignored", async (call, body, detail) => {
    const { status, text, json } = await ask(call, body);
    expect([status, json.status, json.detail]).toEqual([200, "okay", `ignored: ${detail}`]);
    expect(text.startsWith('{"detail":"ignored: ')).toBe(true);
  });

  it("names few of many members, and counts the others", async () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m${at}`, at]));
    const { json } = await ask("POST /P1/observe", { data: { strings: [], ...many, ["x".repeat(100_000)]: 1 } });
    expect(json.detail).toBe(
      `ignored: data.m0, data.m1, data.m2, data.m3, data.m4 are unknown ${GDF_ACCEPTS}, and 996 more`,
    );
    const long = await ask("POST /P1/observe", { data: { strings: [], ["x".repeat(100_000)]: 1 } });
    expect(String(long.json.detail).length).toBeLessThan(200);
  });

  it("names them beside the reason why genes are refused", async () => {
    const body = { data: { persistence: null }, wehn: 1 };
    const { json } = await ask("POST /P1/genes/change", body);
    expect([json.message, json.detail]).toEqual([
      "faulty-genes-provided",
      "ignored: wehn is unknown (accepted: data); data.persistence must be true, false, a number or a string, got null",
    ]);
  });

  it.each([
    ["POST /P1/observe", { data: { strings: ["a"], vectors: [], emotives: {}, metadata: {}, unique_id: "u" } }],
    ["POST /P1/observe", { data: { strings: ["a"], command: "", unique_id: "u" }, unique_id: "u" }],
    ["POST /P1/predictions", { data: { unique_id: "u" } }],
    ["GET /P1/cognition-data", { data: { unique_id: "u" } }],
    ["POST /P1/clear-all-memory", { data: { clear_blacklist: true } }],
    ["POST /P1/genes/change", { data: { persistence: 5 } }],
    ["POST /P1/gene/increment-recall-threshold", { increment: 0.1 }],
    ["POST /P1/set-target-class", { data: "a" }],
    ["POST /P1/get-models-with-symbols", { data: ["a"] }],
    [`PUT /P1/model/${HASH}`, { model: MODEL }],
    ["PUT /P1/add-model", { sequence: [["a"]], vector: null, frequency: 1, emotives: {}, metadata: [] }],
    ["GET /P1/vector", { data: `VECTOR|${HASH}` }],
    ["GET /P1/get_kb", { data: { lines: false } }],
    ["POST /P1/load_kb", { data: { metadata: {}, models_kb: { [HASH]: MODEL }, symbols_kb: {}, vectors_kb: {} } }],
    ["POST /P1/load_kb", { data: [{ node: "p", kind: "model", ...MODEL }] }],
    ["POST /P1/learn", undefined],
    ["POST /P1/learn", {}],
    ["POST /P1/learn", { data: null }],
  ])("%s, sent %j as the official client does, adds nothing to its answer", async (call, body) => {
    const { json } = await ask(call, body);
    expect(Object.keys(json)).not.toContain("detail");
    expect(json.status).toBe("okay");
  });

  it("takes any query if it has no parameters", async () => {
    const { status, json } = await ask("GET /P1/status?x=1");
    expect([status, json.detail]).toEqual([200, undefined]);
  });

  it.each([
    ["POST /P1/load_kb?mod=merge", { data: {} }, "mode"],
    ["POST /P1/observe?explian=true", { strings: ["a"] }, "explain"],
    ["POST /P1/sessions/s/observe?explian=true", { strings: ["a"] }, "explain"],
    ["GET /P1/get_kb?orders=true", undefined, "order"],
    ["GET /P1/vector?date=a", undefined, "data"],
    ["GET /connect?right=true", undefined, "rights"],
  ])("%s, sent %j, takes no other parameter than %s, and nothing happens", async (call, body, accepted) => {
    const { status, json, gateway } = await ask(call, body);
    const unknown = /\?(\w+)=/.exec(call)?.[1];
    expect([status, json.message]).toEqual([
      400,
      `the query parameter "${unknown}" is unknown (accepted: ${accepted})`,
    ]);
    expect(gateway.calls.filter(({ rpc }) => !["GetGenome", "Ping"].includes(rpc))).toEqual([]);
  });

  it.each([
    "GET /connect?_=1",
    "GET /connect?rights=true&_=1795907161",
  ])("%s takes what programs add against caches", async (call) => {
    expect((await ask(call, undefined)).status).toBe(200);
  });
});

const GENOME = { agent: "b", elements: { nodes: [] }, anything: { of: "its own" } };

describe("an operation that the specification does not have", () => {
  it.each([
    [
      "POST /P1/sequence-observe",
      { data: { sequence: [{ strings: ["a"] }], lern: true } },
      "data.lern is unknown (accepted: sequence, learn, clear)",
    ],
    [
      "POST /P1/sequence-observe",
      { data: { sequence: [{ strings: [] }, { strings: [], emotive: {} }] } },
      `data.sequence[1].emotive is unknown ${GDF_ACCEPTS}`,
    ],
    ["POST /P1/sequence-observe", { data: { sequence: [] }, learn: true }, "learn is unknown (accepted: data)"],
    [
      "POST /P1/sequence-observe?learn=true",
      { sequence: [] },
      'the query parameter "learn" is unknown (accepted: explain)',
    ],
    ["POST /genome/hotswap", { data: GENOME, purge: true }, "purge is unknown (accepted: data)"],
    ["POST /genome/hotswap?purg=true", GENOME, 'the query parameter "purg" is unknown (accepted: purge, dry_run)'],
    [
      "POST /P1/genome/hotswap?a=1&dryrun=true",
      GENOME,
      'the query parameters "a", "dryrun" are unknown (accepted: purge, dry_run)',
    ],
    ["POST /P1/vector", { data: "a", x: 1 }, "x is unknown (accepted: data)"],
    ["POST /P1/vector?date=a", undefined, 'the query parameter "date" is unknown (accepted: data)'],
    ["GET /P1/get_kb/raw", { data: { lines: true } }, "data.lines is unknown (accepted: none)"],
    ["GET /P1/get_kb/raw?orders=true", undefined, 'the query parameter "orders" is unknown (accepted: order)'],
    ["GET /P1/symbol/a", { x: 1 }, "x is unknown (accepted: none)"],
    [`GET /P1/prediction-ensemble-for-model/${HASH}`, { x: 1 }, "x is unknown (accepted: none)"],
  ])("%s, sent %j, refuses them by name, and nothing happens", async (call, body, message) => {
    const { status, json, gateway } = await ask(call, body);
    expect([status, json.status, json.message]).toEqual([400, "failed", message]);
    expect(gateway.calls.filter(({ rpc }) => !["GetGenome", "Ping"].includes(rpc))).toEqual([]);
  });

  it("takes what it knows, and any member of a genome", async () => {
    for (const [call, body] of [
      [
        "POST /P1/sequence-observe",
        { data: { sequence: [{ strings: [], unique_id: "u" }], learn: true, clear: true } },
      ],
      ["POST /genome/hotswap?purge=false&dry_run=false", GENOME],
      ["POST /genome/hotswap", { data: GENOME }],
      ["POST /P1/vector?data=a", undefined],
      ["POST /P1/vector", { data: "a" }],
      ["GET /P1/get_kb/raw", {}],
    ] as const) {
      expect([call, (await ask(call, body)).status]).toEqual([call, 200]);
    }
  });

  it("is strict unless it only answers that something is not there, or that the gateway lives", () => {
    // The tables of the specification, and the rows that only the wire contract has, stand in this order.
    const own = ROWS.slice(ROWS.findIndex(({ path }) => path === "/gaius-api/ping") + 1).filter(
      ({ absent }) => !absent,
    );
    const strict = operations
      .filter(({ isOwn }) => isOwn)
      .flatMap(({ methods, path }) => methods.map((one) => `${one} ${path}`));
    const wanted = [...own, ...FILE_ROWS].map(
      ({ method, path }) =>
        `${method} ${path.replace(/<(\w+)>/g, (_, name) => `:${name === "primitive_id" ? "id" : name}`)}`,
    );
    expect(strict.map((row) => row.replace("+", "")).sort()).toEqual(wanted.sort());
  });
});

describe("a service", () => {
  it("refuses an unknown member by name", async () => {
    const gateway = newGateway();
    const headers = { "x-api-key": "ABCD-1234", "content-type": "application/json" };
    const body = '{"gdf":{"strings":["a"],"emotive":[]}}';
    const url = "http://127.0.0.1/noema.v1.MemoryService/Observe";
    const answer = await gateway.handle(new Request(url, { method: "POST", headers, body }));
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code: "invalid_argument", message: expect.stringContaining('key "emotive" is unknown') },
    ]);
    expect(gateway.lastOf(MemoryService.method.observe)).toBeUndefined();
  });
});
