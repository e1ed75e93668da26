import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ForecastRecordSchema } from "../../../src/gen/noema/v1/forecast_pb";
import {
  type ExportKnowledgeRequest,
  ExportKnowledgeResponseSchema,
  KnowledgeSection,
  KnowledgeService,
} from "../../../src/gen/noema/v1/knowledge_service_pb";
import type { ModelSchema, SymbolRecordSchema, VectorRecordSchema } from "../../../src/gen/noema/v1/model_pb";
import { okay, P1, requestOf, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const { exportKnowledge } = KnowledgeService.method;

/** The records of a page, and whether more follow. */
interface Page {
  models?: MessageInitShape<typeof ModelSchema>[];
  symbols?: MessageInitShape<typeof SymbolRecordSchema>[];
  vectors?: MessageInitShape<typeof VectorRecordSchema>[];
  more?: boolean;
  forecastRecord?: MessageInitShape<typeof ForecastRecordSchema>;
}

const TOTALS = { totalModelFrequencies: 3, totalSymbolFrequencies: 4, totalSymbolsInModelsFrequencies: 5 };
const TOTALS_BYTES = '"total_model_frequencies":3,"total_symbol_frequencies":4,"total_symbols_in_models_frequencies":5';

const MODELS = ["aa", "bb", "cc"].map((name) => ({
  name,
  sequence: [{ symbols: [name] }],
  frequency: 1,
  metadataJson: ['{"z":1,"a":2}'],
}));
const modelBytes = (name: string, middle = "", after = "") =>
  `{"emotives":{},"frequency":1,${middle}"length":1,"metadata":[{"z":1,"a":2}],"name":"${name}",${after}"sequence":[["${name}"]]}`;

const SYMBOLS = ["10", "9", "__proto__", "\u{1f600}"].map((name) => ({ name, frequency: 2, modelMemberFrequency: 1 }));
const symbolBytes = (name: string) => `{"features":{"frequency":2,"model_member_frequency":1},"name":"${name}"}`;

const VECTOR = { name: "ff", components: [3, 4], length: 5 };
const VECTOR_BYTES = '{"hash":"ff","length":5,"name":"VECTOR|ff","vector":[3,4]}';

const BASE_BYTES =
  `{"metadata":{${TOTALS_BYTES}},"models_kb":{"aa":${modelBytes("aa")},"bb":${modelBytes("bb")},"cc":${modelBytes("cc")}},` +
  `"symbols_kb":{${SYMBOLS.map(({ name }) => `"${name}":${symbolBytes(name)}`).join(",")}},"vectors_kb":{"ff":${VECTOR_BYTES}}}`;

/** Answers with one record a page. */
function pageOf({ section, after }: ExportKnowledgeRequest): Page {
  const parts = {
    [KnowledgeSection.MODELS]: MODELS,
    [KnowledgeSection.SYMBOLS]: SYMBOLS,
    [KnowledgeSection.VECTORS]: [VECTOR],
  };
  const all = parts[section as keyof typeof parts];
  const at = after === "" ? 0 : all.findIndex(({ name }) => name === after) + 1;
  const one = all.slice(at, at + 1) as never;
  const named = section === KnowledgeSection.MODELS ? { models: one } : { symbols: one };
  return { ...(section === KnowledgeSection.VECTORS ? { vectors: one } : named), more: at + 1 < all.length };
}

function gatewayWith(answerer: (request: ExportKnowledgeRequest) => Page = pageOf): TestGateway {
  const gateway = new TestGateway();
  gateway.answerWith(exportKnowledge, (request) =>
    create(ExportKnowledgeResponseSchema, {
      stamp: STAMP,
      totals: TOTALS,
      revision: 9,
      ...answerer(request as ExportKnowledgeRequest),
    }),
  );
  return gateway;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("get_kb", () => {
  it.each([
    undefined,
    {},
    { data: {} },
    { data: { lines: false } },
    { lines: false },
  ])("reads page by page and writes every byte as expected, asked with %j", async (body) => {
    const gateway = gatewayWith();
    const answer = await gateway.ask("GET", "/P1/get_kb", body === undefined ? {} : { body });
    expect(timeless(answer.text)).toBe(okay(BASE_BYTES));
    const asked = gateway.calls.slice(1).map(({ request }) => request as ExportKnowledgeRequest);
    expect(asked.map(({ section, after, revision }) => [section, after, revision])).toEqual([
      [1, "", 0],
      [1, "aa", 9],
      [1, "bb", 9],
      [2, "", 9],
      [2, "10", 9],
      [2, "9", 9],
      [2, "__proto__", 9],
      [3, "", 9],
    ]);
  });

  it.each([
    ["/P1/get_kb?order=true", {}],
    ["/P1/get_kb?order=true", { data: { lines: true } }],
    ["/P1/get_kb/raw?order=true", undefined],
  ])("writes the order of models and vectors: %s %j", async (path, body) => {
    const ordered = { models: [{ ...MODELS[0], order: 7 }], vectors: [{ ...VECTOR, order: 2 }] };
    const gateway = gatewayWith(({ section, order }) => {
      if (!order) throw new Error("the page is asked for without order");
      if (section === KnowledgeSection.MODELS) return { models: ordered.models };
      return section === KnowledgeSection.VECTORS ? { vectors: ordered.vectors } : {};
    });
    const { text } = await gateway.ask("GET", path, body === undefined ? {} : { body });
    expect(text).toMatch(/"name":"aa",("node":"[^"]*",)?"order":7,"sequence":\[\["aa"\]\]/);
    expect(text).toMatch(/"name":"VECTOR\|ff",("node":"[^"]*",)?"order":2,"vector":\[3,4\]/);
  });

  it.each([
    ["/P1/get_kb?order=true", {}, `{"metadata":{"forecast_record":[[1,2],[]],${TOTALS_BYTES}},`],
    ["/P1/get_kb/raw?order=true", {}, `{"metadata":{"forecast_record":[[1,2],[]],${TOTALS_BYTES}},`],
    [
      "/P1/get_kb?order=true",
      { body: { lines: true } },
      `[{"forecast_record":[[1,2],[]],"kind":"metadata","node":"${P1}",${TOTALS_BYTES}}`,
    ],
  ])("writes what past forecasts tell, where the order is asked for: %s %j", async (path, body, expected) => {
    const gateway = gatewayWith(({ section, order }) => ({
      ...(order && section === KnowledgeSection.MODELS
        ? { forecastRecord: { horizons: [{ numbers: [1, 2] }, { numbers: [] }] } }
        : {}),
    }));
    expect((await gateway.ask("GET", path, body)).text).toContain(expected);
    expect((await gateway.ask("GET", path.replace("?order=true", ""), body)).text).not.toContain("forecast_record");
  });

  it("writes that nothing is known of past forecasts", async () => {
    const gateway = gatewayWith(() => ({ forecastRecord: { horizons: [] } }));
    expect((await gateway.ask("GET", "/P1/get_kb?order=true")).text).toContain('{"metadata":{"forecast_record":[],');
  });

  it("refuses another value of order, and a processor that says none", async () => {
    const wrong = await gatewayWith().ask("GET", "/P1/get_kb?order=1");
    expect([wrong.status, wrong.json.message]).toEqual([400, 'the query\'s order must be true or false, got "1"']);
    const older = await gatewayWith().ask("GET", "/P1/get_kb?order=true");
    expect([older.status, older.json.status, older.json.message]).toEqual([
      200,
      "failed",
      "this processor does not give the order in which it learned; ask without order",
    ]);
  });

  it("writes an empty knowledge base", async () => {
    const answer = await gatewayWith(() => ({})).ask("GET", "/P1/get_kb");
    expect(timeless(answer.text)).toBe(
      okay(`{"metadata":{${TOTALS_BYTES}},"models_kb":{},"symbols_kb":{},"vectors_kb":{}}`),
    );
  });

  it("writes lines, each with its node and kind, members sorted", async () => {
    const answer = await gatewayWith().ask("GET", "/P1/get_kb", { body: { data: { lines: true } } });
    const lines = [
      `{"kind":"metadata","node":"${P1}",${TOTALS_BYTES}}`,
      ...MODELS.map(({ name }) => modelBytes(name, '"kind":"model",', `"node":"${P1}",`)),
      ...SYMBOLS.map(({ name }) =>
        symbolBytes(name).replace('"name"', '"kind":"symbol","name"').replace(/}$/, `,"node":"${P1}"}`),
      ),
      `{"hash":"ff","kind":"vector","length":5,"name":"VECTOR|ff","node":"${P1}","vector":[3,4]}`,
    ];
    expect(timeless(answer.text)).toBe(okay(`[${lines.join(",")}]`));
  });

  it("is written alone at get_kb/raw", async () => {
    expect((await gatewayWith().ask("GET", "/P1/get_kb/raw")).text).toBe(BASE_BYTES);
  });

  it("refuses a value of lines that is neither true nor false", async () => {
    const answer = await gatewayWith().ask("GET", "/P1/get_kb", { body: { data: { lines: 1 } } });
    expect([answer.status, answer.json.message]).toEqual([400, "data.lines must be true or false, got 1"]);
  });

  it("starts again when the knowledge base changes while it is read", async () => {
    let calls = 0;
    const gateway = gatewayWith((request) => {
      calls += 1;
      if (calls === 3) throw new ConnectError("changed", Code.Aborted);
      return pageOf(request);
    });
    expect((await gateway.ask("GET", "/P1/get_kb/raw")).text).toBe(BASE_BYTES);
    expect(calls).toBe(3 + 8);
  });

  it("gives up with 409 when it changes all the time", async () => {
    const gateway = gatewayWith(({ after }) => {
      if (after !== "") throw new ConnectError("the knowledge base has changed", Code.Aborted);
      return { models: MODELS.slice(0, 1), more: true };
    });
    const answer = await gateway.ask("GET", "/P1/get_kb");
    expect([answer.status, answer.json.message]).toEqual([409, "the knowledge base has changed"]);
  });

  it("stops when a processor says more follows but sends nothing", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect((await gatewayWith(() => ({ more: true })).ask("GET", "/P1/get_kb")).status).toBe(500);
  });
});

describe("a large knowledge base", () => {
  const PAGES = 40;

  /** Pages of one model of 100,000 characters. */
  function large({ section, after }: ExportKnowledgeRequest): Page {
    if (section !== KnowledgeSection.MODELS) return {};
    const at = Number(after) + 1;
    const name = String(at).padStart(6, "0");
    return {
      models: [{ name, sequence: [{ symbols: [`${at}${"é".repeat(100_000)}`] }], frequency: 1 }],
      more: at < PAGES,
    };
  }

  it("is streamed at the pace of the reader, and complete", async () => {
    const gateway = gatewayWith(large);
    const response = await gateway.handle(requestOf("GET", "/P1/get_kb"));
    const before = gateway.calls.length;
    expect(before).toBeLessThan(PAGES / 2);
    const reader = response.body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(gateway.calls.length - before).toBeLessThan(5);
    await reader?.cancel();
    const whole = await gatewayWith(large).ask("GET", "/P1/get_kb");
    const { models_kb } = whole.json.message as { models_kb: Record<string, { sequence: string[][] }> };
    expect(Object.keys(models_kb).length).toBe(PAGES);
    expect(Object.values(models_kb).map(({ sequence }) => sequence[0]?.[0]?.length)).toEqual(
      Array.from({ length: PAGES }, (_, i) => 100_000 + String(i + 1).length),
    );
    expect(whole.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  it("lets other requests run between two pages", async () => {
    let turns = 0;
    const turn = setInterval(() => {
      turns += 1;
    }, 0);
    await gatewayWith(({ section, after }) => {
      if (section !== KnowledgeSection.MODELS) return {};
      return { models: [{ name: `${after}m`, sequence: [], frequency: 1 }], more: after.length < PAGES };
    }).ask("GET", "/P1/get_kb");
    clearInterval(turn);
    expect(turns).toBeGreaterThan(PAGES / 2);
  });

  it.each([
    Code.Aborted,
    Code.Unavailable,
  ])("never looks whole when the export is lost after the answer has begun (code %i)", async (code) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = gatewayWith((request) => {
      if (request.after === "000030") throw new ConnectError("the export was lost", code);
      return large(request);
    });
    const reader = (await gateway.handle(requestOf("GET", "/P1/get_kb/raw"))).body?.getReader();
    let text = "";
    const whole = async () => {
      for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
        text += new TextDecoder().decode(next.value);
      }
    };
    await whole();
    expect(text).toMatch(/\n\nTHIS ANSWER IS NOT COMPLETE: .*\n$/);
    expect(() => JSON.parse(text)).toThrow();
  });

  it("asks for all pages of one snapshot, and gives it back when the reader goes away", async () => {
    const gateway = gatewayWith(large);
    const response = await gateway.handle(requestOf("GET", "/P1/get_kb"));
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const asked = gateway.calls.slice(1).map(({ request }) => request as ExportKnowledgeRequest);
    expect(new Set(asked.map(({ snapshot }) => snapshot)).size).toBe(1);
    expect(asked[0]?.snapshot).toMatch(/^[0-9a-f-]{36}$/);
    const { section, after, revision } = asked.at(-1) ?? {};
    expect([section, after, revision]).toEqual([KnowledgeSection.VECTORS, "f".repeat(40), 9]);
    const other = gatewayWith(large);
    await other.ask("GET", "/P1/get_kb");
    const last = other.calls.at(-1)?.request as ExportKnowledgeRequest;
    expect([last.section, last.after]).toEqual([KnowledgeSection.VECTORS, ""]);
    expect(last.snapshot).not.toBe(asked[0]?.snapshot);
  });

  it("breaks off and logs the reason when the processor fails after the answer has begun", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = gatewayWith((request) => {
      if (request.after === "000030") throw new ConnectError("changed", Code.Internal);
      return large(request);
    });
    const response = await gateway.handle(requestOf("GET", "/P1/get_kb"));
    expect(response.status).toBe(200);
    const read: string[] = [];
    for await (const bytes of response.body ?? []) read.push(new TextDecoder().decode(bytes));
    expect(read.join("")).toMatch(/\n\nTHIS ANSWER IS NOT COMPLETE: internal error: .*\n$/);
    expect(log).toHaveBeenCalledOnce();
    const line = JSON.parse(String(log.mock.calls[0]?.[0]));
    expect(line).toMatchObject({ event: "broken", operation: "GET /{id}/get_kb", status: 500 });
  });
});
