import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  BeginLoadResponseSchema,
  type CommitLoadRequest,
  KnowledgeService,
  type LoadKnowledgeRequest,
} from "../../../src/gen/noema/v1/knowledge_service_pb";
import { okay, P1, requestOf, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const { beginLoad, loadKnowledge, commitLoad } = KnowledgeService.method;

const MODEL =
  '{"emotives":{"joy":[1,2]},"frequency":3,"length":2,"metadata":[{"b":1,"10":2},{}],"name":"aa","sequence":[["x"],["y"]]}';
const SYMBOL = '{"features":{"frequency":3,"model_member_frequency":3},"name":"x"}';
const VECTOR = '{"hash":"ff","length":5,"name":"VECTOR|ff","vector":[3,4]}';
const BASE =
  `{"metadata":{"total_model_frequencies":3},"models_kb":{"aa":${MODEL},"bb":{"sequence":[["z"]],"emotives":null}},` +
  `"symbols_kb":{"x":${SYMBOL}},"vectors_kb":{"ff":${VECTOR}}}`;
const line = (kind: string, record: string) => `{"node":"elsewhere","kind":"${kind}",${record.slice(1)}`;
const LINES =
  `[${line("metadata", "{}")},${line("model", MODEL)},${line("model", '{"name":"MODEL|bb","sequence":[["z"]]}')},${line("symbol", SYMBOL)},${line("vector", VECTOR)}]`.replace(
    '"metadata",}',
    '"metadata"}',
  );

function newGateway(): TestGateway {
  const gateway = new TestGateway();
  gateway.answer(beginLoad, { stamp: STAMP, loadId: "load-1" });
  return gateway;
}

function callsOf(gateway: TestGateway): string[] {
  return gateway.calls.map(({ rpc }) => rpc).filter((rpc) => rpc !== "GetGenome");
}

function partsOf(gateway: TestGateway): LoadKnowledgeRequest[] {
  return gateway.calls
    .filter(({ rpc }) => rpc === "LoadKnowledge")
    .map(({ request }) => request as LoadKnowledgeRequest);
}

describe("load_kb", () => {
  it("takes a knowledge base as data beside other members, and says which it ignored", async () => {
    const gateway = newGateway();
    const body = `{"id":"x","other":[{}],"data":${BASE},"status":"okay"}`;
    const { json } = await gateway.ask("POST", "/P1/load_kb", { body });
    expect([json.message, json.detail]).toEqual([
      "success",
      "ignored: id, other, status are unknown (accepted: data, metadata, models_kb, symbols_kb, vectors_kb)",
    ]);
    expect(callsOf(gateway)).toEqual(["BeginLoad", "LoadKnowledge", "CommitLoad"]);
  });

  it("skips 10,000 members, and no more: each takes time, and none is kept", async () => {
    const skipped = (count: number) => Array.from({ length: count }, (_, at) => `"m${at}":1`).join();
    const ask = async (body: string) => (await newGateway().ask("POST", "/P1/load_kb", { body })).json.message;
    const told =
      "a knowledge base may have 10000 members of its metadata and unknown ones together, and this one has more";
    const rest = '"models_kb":{}';
    expect(await ask(`{"metadata":{${skipped(5000)}},${skipped(5000)},${rest}}`)).toBe("success");
    expect(await ask(`{"metadata":{${skipped(5000)}},${skipped(5001)},${rest}}`)).toBe(told);
    expect(await ask(`{"metadata":{${skipped(10_001)}},${rest}}`)).toBe(told);
  });

  it("merges when the query says so, and refuses another mode before it reads the file", async () => {
    const merging = newGateway();
    expect((await merging.ask("POST", "/P1/load_kb?mode=merge", { body: BASE })).json.message).toBe("success");
    expect(callsOf(merging)).toEqual(["BeginLoad", "LoadKnowledge", "MergeLoad"]);
    const replacing = newGateway();
    await replacing.ask("POST", "/P1/load_kb?mode=replace", { body: BASE });
    expect(callsOf(replacing)).toEqual(["BeginLoad", "LoadKnowledge", "CommitLoad"]);
    const wrong = newGateway();
    const answer = await wrong.ask("POST", "/P1/load_kb?mode=add", { body: BASE });
    expect([answer.status, answer.json.message]).toEqual([
      400,
      'the query\'s mode must be "merge" or "replace", got "add"',
    ]);
    expect(callsOf(wrong)).toEqual(["Ping"]);
  });

  it.each([
    [
      "as an object",
      '{"models_kb":{"a":{"sequence":[["x"]],"order":3},"b":{"sequence":[["y"]],"order":1}},"vectors_kb":{"v":{"vector":[1],"order":9}}}',
    ],
    [
      "as lines",
      '[{"kind":"model","name":"a","order":3,"sequence":[["x"]]},{"kind":"model","name":"b","order":1,"sequence":[["y"]]},{"kind":"vector","hash":"v","order":9,"vector":[1]}]',
    ],
  ])("passes the order on %s", async (_, body) => {
    const gateway = newGateway();
    await gateway.ask("POST", "/P1/load_kb", { body });
    const [part] = partsOf(gateway);
    expect([part?.models.map(({ order }) => order), part?.vectors.map(({ order }) => order)]).toEqual([[3, 1], [9]]);
  });

  const RECORD = '"forecast_record":[[1,2],[]]';

  it.each([
    ["as an object", `{"metadata":{"total_model_frequencies":1,${RECORD}},"models_kb":{"a":{"sequence":[["x"]]}}}`],
    ["behind the models", `{"data":{"models_kb":{"a":{"sequence":[["x"]]}},"metadata":{${RECORD}}}}`],
    ["as lines", `[{"kind":"metadata","node":"n",${RECORD}},{"kind":"model","name":"a","sequence":[["x"]]}]`],
  ])("passes on what past forecasts tell %s", async (_, body) => {
    for (const mode of ["replace", "merge"]) {
      const gateway = newGateway();
      const answer = await gateway.ask("POST", `/P1/load_kb?mode=${mode}`, { body });
      expect(timeless(answer.text)).toBe(okay('"success"'));
      const { request } = gateway.calls.at(-1) ?? {};
      const told = (request as CommitLoadRequest).forecastRecord?.horizons.map(({ numbers }) => numbers);
      expect(told).toEqual([[1, 2], []]);
    }
  });

  it.each([
    BASE,
    LINES,
    '{"metadata":{"forecast_record":null},"models_kb":{}}',
  ])("says nothing of past forecasts where the file does not", async (body) => {
    const gateway = newGateway();
    await gateway.ask("POST", "/P1/load_kb", { body });
    expect((gateway.calls.at(-1)?.request as CommitLoadRequest).forecastRecord).toBeUndefined();
  });

  it.each([
    ["5", "metadata.forecast_record must be a list of lists of numbers, got 5"],
    ["{}", "metadata.forecast_record must be a list of lists of numbers, got an empty object"],
    ["[[],5]", "metadata.forecast_record[1] must be a list of finite numbers, got 5"],
    ['[[1,"2"]]', 'metadata.forecast_record[0][1] must be a finite number, got "2"'],
    ["[[1e999]]", "metadata.forecast_record[0][0] must be a finite number, got a number too large for a double"],
  ])("refuses the record %s by name", async (record, message) => {
    const body = `{"metadata":{"forecast_record":${record}},"models_kb":{}}`;
    const answer = await newGateway().ask("POST", "/P1/load_kb", { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });

  it("refuses what past forecasts tell twice", async () => {
    const line = `{"kind":"metadata",${RECORD}}`;
    const answer = await newGateway().ask("POST", "/P1/load_kb", { body: `[${line},${line}]` });
    expect([answer.status, answer.json.message]).toEqual([
      400,
      "body[1].forecast_record is given twice; a knowledge base has one of each part",
    ]);
  });

  it.each([
    ["-1", "models_kb.a.order must be a whole number from 1 to 4503599627370496, got -1"],
    ["0", "models_kb.a.order must be a whole number from 1 to 4503599627370496, got 0"],
    ["1.5", "models_kb.a.order must be a whole number from 1 to 4503599627370496, got 1.5"],
    ["9007199254740993", "models_kb.a.order must be a whole number from 1 to 4503599627370496, got 9007199254740992"],
    ['"1"', 'models_kb.a.order must be a whole number from 1 to 4503599627370496, got "1"'],
  ])("refuses the order %s by name", async (order, message) => {
    const body = `{"models_kb":{"a":{"sequence":[["x"]],"order":${order}}}}`;
    const answer = await newGateway().ask("POST", "/P1/load_kb", { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });

  it.each([
    [
      '"order":1,',
      "",
      "models_kb.b.order is missing, but earlier records have one; give an order to every model or to none",
    ],
    [
      "",
      '"order":1,',
      "models_kb.b.order is given, but earlier records have none; give an order to every model or to none",
    ],
  ])("refuses a file of which some models have an order", async (first, second, message) => {
    const body = `{"models_kb":{"a":{${first}"sequence":[["x"]]},"b":{${second}"sequence":[["y"]]}}}`;
    const answer = await newGateway().ask("POST", "/P1/load_kb", { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });

  it.each([
    ["bare", BASE],
    ["as data", `{"data":${BASE}}`],
    ["with white space", JSON.stringify(JSON.parse(BASE), undefined, 2)],
    ["as lines", LINES],
    ["as lines in data", `{"data":${LINES}}`],
  ])("takes a knowledge base %s", async (_, body) => {
    const gateway = newGateway();
    const answer = await gateway.ask("POST", "/P1/load_kb", { body });
    expect(timeless(answer.text)).toBe(okay('"success"'));
    expect(callsOf(gateway)).toEqual(["BeginLoad", "LoadKnowledge", "CommitLoad"]);
    const pretty = body.includes("\n");
    expect(partsOf(gateway)[0]).toMatchObject({
      loadId: "load-1",
      models: [
        {
          name: "aa",
          sequence: [{ symbols: ["x"] }, { symbols: ["y"] }],
          frequency: 3,
          emotives: [{ name: "joy", values: [1, 2] }],
          metadataJson: [pretty ? '{"10":2,"b":1}' : '{"b":1,"10":2}', "{}"],
        },
        { name: "bb", sequence: [{ symbols: ["z"] }], frequency: 1, emotives: [], metadataJson: [] },
      ],
      vectors: [{ name: "ff", components: [3, 4] }],
    });
    expect(gateway.lastOf(commitLoad)).toMatchObject({ loadId: "load-1" });
  });

  it("refuses a vector that no row can hold before a processor sees it", async () => {
    const gateway = newGateway();
    const components = Array<number>(262_145).fill(1);
    const answer = await gateway.ask("POST", "/P1/load_kb", {
      body: JSON.stringify({ vectors_kb: { "VECTOR|ff": { vector: components } } }),
    });
    expect([answer.status, answer.json.message]).toEqual([
      413,
      'vectors_kb["VECTOR|ff"].vector: the vectors of a record may have 262144 components together, got 262145',
    ]);
    expect(partsOf(gateway)).toEqual([]);
  });

  it("takes an empty knowledge base", async () => {
    const gateway = newGateway();
    expect((await gateway.ask("POST", "/P1/load_kb", { body: '{"data":{"models_kb":{}}}' })).status).toBe(200);
    expect(callsOf(gateway)).toEqual(["BeginLoad", "CommitLoad"]);
  });

  it("sends a large file in parts, in order", async () => {
    const gateway = newGateway();
    const models = Array.from({ length: 5000 }, (_, i) => `"m${i}":{"sequence":[["${"s".repeat(400)}${i}"]]}`);
    const answer = await gateway.ask("POST", "/P1/load_kb", { body: `{"models_kb":{${models.join(",")}}}` });
    expect(answer.status).toBe(200);
    const parts = partsOf(gateway);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.flatMap((part) => part.models.map(({ name }) => name))).toEqual(models.map((_, i) => `m${i}`));
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(1024 * 1024);
  });

  it("lets other requests run between two parts", async () => {
    const models = Array.from({ length: 100 }, (_, i) => `"m${i}":{"sequence":[["${"s".repeat(600_000)}"]]}`);
    const chunks = models.map((model, i) => new TextEncoder().encode(i === 0 ? `{"models_kb":{${model}` : `,${model}`));
    chunks.push(new TextEncoder().encode("}}"));
    const body = streamOf(chunks);
    const headers = { "x-api-key": "ABCD-1234" };
    const request = new Request("http://127.0.0.1/P1/load_kb", {
      method: "POST",
      body,
      headers,
      duplex: "half",
    } as RequestInit);
    let turns = 0;
    const turn = setInterval(() => {
      turns += 1;
    }, 0);
    expect((await newGateway().handle(request)).status).toBe(200);
    clearInterval(turn);
    expect(turns).toBeGreaterThan(models.length / 2);
  });

  it("aborts the load when a later record is wrong, and says which", async () => {
    const gateway = newGateway();
    const models = Array.from({ length: 2000 }, (_, i) => `"m${i}":{"sequence":[["${"s".repeat(400)}"]]}`);
    const body = `{"models_kb":{${models.join(",")},"m2000":{"sequence":[[null]]}}}`;
    const request = requestOf("POST", "/P1/load_kb", { body });
    const answer = (await (await gateway.handle(request)).json()) as { message: string };
    expect(answer.message).toBe("models_kb.m2000.sequence[0][0] must be a string, got null");
    expect(request.bodyUsed).toBe(true);
    expect(
      callsOf(gateway)
        .filter((rpc) => rpc !== "Ping")
        .at(-1),
    ).toBe("AbortLoad");
    expect(callsOf(gateway)).not.toContain("CommitLoad");
  });

  it.each([
    ["a part", loadKnowledge],
    ["the whole", commitLoad],
  ] as const)("aborts the load when the processor refuses %s, in its words", async (_, rpc) => {
    const gateway = newGateway();
    gateway.fail(rpc, Code.InvalidArgument, 'the model "aa" is not the name of its sequence');
    const answer = await gateway.ask("POST", "/P1/load_kb", { body: BASE });
    expect([answer.status, answer.json.message, answer.json.id]).toEqual([
      400,
      'the model "aa" is not the name of its sequence',
      P1,
    ]);
    expect(
      callsOf(gateway)
        .filter((rpc) => rpc !== "Ping")
        .at(-1),
    ).toBe("AbortLoad");
  });

  it("says what ended the load even when the load cannot be aborted", async () => {
    const gateway = newGateway();
    gateway.fail(loadKnowledge, Code.ResourceExhausted, "no memory");
    gateway.fail(KnowledgeService.method.abortLoad, Code.Unavailable, "gone");
    expect((await gateway.ask("POST", "/P1/load_kb", { body: BASE })).json.message).toBe("no memory");
  });

  it("is 404 for an unknown processor, with the body read to its end", async () => {
    const gateway = newGateway();
    gateway.answerWith(beginLoad, () => create(BeginLoadResponseSchema, { stamp: STAMP, loadId: "x" }));
    const request = requestOf("POST", "/p2/load_kb", { body: BASE });
    expect((await gateway.handle(request)).status).toBe(404);
    expect(request.bodyUsed).toBe(true);
    expect(callsOf(gateway)).toEqual([]);
  });

  it("reads the rest of a file that it refuses", async () => {
    let left = 50;
    const body = new ReadableStream({
      pull(controller) {
        left -= 1;
        if (left === 0) controller.close();
        else controller.enqueue(new TextEncoder().encode(left === 49 ? "[5," : "6,"));
      },
    });
    const headers = { "x-api-key": "ABCD-1234" };
    const request = new Request("http://127.0.0.1/P1/load_kb", {
      method: "POST",
      body,
      headers,
      duplex: "half",
    } as RequestInit);
    expect((await newGateway().handle(request)).status).toBe(400);
    expect(left).toBe(0);
  });

  it("passes on that the processor is busy with another load", async () => {
    const gateway = newGateway();
    gateway.answerWith(loadKnowledge, () => {
      throw new ConnectError("another load has begun", Code.Aborted);
    });
    expect((await gateway.ask("POST", "/P1/load_kb", { body: BASE })).status).toBe(409);
  });
});

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const next = chunks.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
}
