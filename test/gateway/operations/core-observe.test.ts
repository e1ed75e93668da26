import { describe, expect, it } from "vitest";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { okay, P1, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const memory = MemoryService.method;

describe("a delivery", () => {
  const observed = { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: "u-1" };
  const delivery = { source: "a device", number: 2 ** 53 - 1 };

  function newGateway(redelivered = false): TestGateway {
    const gateway = new TestGateway();
    gateway.answer(memory.observe, { stamp: STAMP, observed, redelivered });
    gateway.answer(memory.observeSequence, { stamp: STAMP, observed: [observed, observed], redelivered });
    return gateway;
  }

  it.each([
    ["observe", memory.observe, { data: { strings: ["a"] }, delivery }],
    ["observe", memory.observe, { data: { strings: ["a"] }, unique_id: "u", delivery }],
    ["sequence-observe", memory.observeSequence, { data: { sequence: [{ strings: ["a"] }] }, delivery }],
  ])("goes with the body of %s", async (operation, rpc, body) => {
    const gateway = newGateway();
    const { status, text } = await gateway.ask("POST", `/P1/${operation}`, { body });
    expect([status, text.includes("redelivered")]).toEqual([200, false]);
    expect(gateway.lastOf(rpc)).toMatchObject({ delivery });
  });

  it.each(["observe", "sequence-observe"])("that came before marks each message of %s", async (operation) => {
    const data = operation === "observe" ? { strings: ["a"] } : { sequence: [{ strings: ["a"] }, { strings: ["b"] }] };
    const { text } = await newGateway(true).ask("POST", `/P1/${operation}`, { body: { data, delivery } });
    const message =
      '{"auto_learned_model":"","prediction_made":false,"redelivered":true,"status":"observed","unique_id":"u-1"}';
    const expected =
      operation === "observe" ? okay(message).replace(/\}$/, ',"unique_id":"u-1"}') : okay(`[${message},${message}]`);
    expect(timeless(text)).toBe(expected);
  });

  const NAME =
    "delivery.source must be a name of 1 to 128 bytes of UTF-8 without control characters, and neither . nor ..";
  const NUMBER = "delivery.number must be a whole number from 1 to 9007199254740991";

  it.each([
    ["7", "delivery must be an object {source: name, number: whole number}, got 7"],
    ['{"number":1}', "delivery.source must be a string, got nothing"],
    ['{"source":7,"number":1}', "delivery.source must be a string, got 7"],
    ['{"source":"","number":1}', `${NAME}, got ""`],
    ['{"source":"..","number":1}', `${NAME}, got ".."`],
    ['{"source":"a\\u0000b","number":1}', `${NAME}, got "a\\u0000b"`],
    [`{"source":"${"\u00e9".repeat(65)}","number":1}`, NAME],
    ['{"source":"d"}', `${NUMBER}, got nothing`],
    ['{"source":"d","number":0}', `${NUMBER}, got 0`],
    ['{"source":"d","number":-1}', `${NUMBER}, got -1`],
    ['{"source":"d","number":1.5}', `${NUMBER}, got 1.5`],
    ['{"source":"d","number":9007199254740992}', `${NUMBER}, got 9007199254740992`],
    ['{"source":"d","number":9007199254740993}', `${NUMBER}, got 9007199254740992`],
    ['{"source":"d","number":1e400}', NUMBER],
    ['{"source":"d","number":"1"}', `${NUMBER}, got "1"`],
    ['{"source":"d","number":1,"most":5}', "delivery.most is unknown (accepted: source, number)"],
  ])("%s is refused by name", async (given, sentence) => {
    const gateway = newGateway();
    for (const [operation, data] of [
      ["observe", '{"strings":["a"]}'],
      ["sequence-observe", '{"sequence":[{"strings":["a"]}]}'],
    ]) {
      const body = `{"data":${data},"delivery":${given}}`;
      const { status, json } = await gateway.ask("POST", `/P1/${operation}`, { body });
      expect([status, json.message]).toEqual([400, expect.stringContaining(sentence)]);
    }
    expect(gateway.lastOf(memory.observe)).toBeUndefined();
    expect(gateway.lastOf(memory.observeSequence)).toBeUndefined();
  });

  it.each([
    ["observe", { strings: ["a"], delivery }],
    ["sequence-observe", { sequence: [{ strings: ["a"] }], delivery }],
  ])("is refused where %s has no data", async (operation, body) => {
    const { status, json } = await newGateway().ask("POST", `/P1/${operation}`, { body });
    expect([status, json.message]).toEqual([
      400,
      "delivery must stand beside data: {data: ..., delivery: {source, number}}",
    ]);
  });

  it("makes a body with unknown members wrong, which are ignored without it", async () => {
    const body = { data: { strings: ["a"], string: ["b"] } };
    const { json } = await newGateway().ask("POST", "/P1/observe", { body: { ...body, delivery } });
    expect(json.message).toContain("data.string is unknown");
    const { status } = await newGateway().ask("POST", "/P1/observe", { body });
    expect(status).toBe(200);
  });
});

describe("observe", () => {
  const observed = { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: "u-1" };

  function newGateway(): TestGateway {
    const gateway = new TestGateway();
    gateway.answer(memory.observe, { stamp: STAMP, observed });
    return gateway;
  }

  it("passes a GDF on, and writes its result byte for byte", async () => {
    const gateway = newGateway();
    const body =
      '{"data":{"strings":["b","a",""],"vectors":[[1,-2.5],[]],"emotives":{"joy":1e-1,"__proto__":2,"10":3},' +
      '"metadata":{ "b":1,"10":[1.0,{"2":"x","1":null}],"__proto__":{},"b":2},"unique_id":"u-1","command":"go"}}';
    const answer = await gateway.ask("POST", "/P1/observe", { body });
    expect(gateway.lastOf(memory.observe)).toMatchObject({
      gdf: {
        strings: ["b", "a", ""],
        vectors: [{ components: [1, -2.5] }, { components: [] }],
        metadataJson: '{"b":2,"10":[1,{"2":"x","1":null}],"__proto__":{}}',
        uniqueId: "u-1",
        command: "go",
      },
      path: [],
    });
    const { gdf } = gateway.lastOf(memory.observe) as { gdf: { emotives: { name: string; value: number }[] } };
    expect(new Map(gdf.emotives.map(({ name, value }) => [name, value]))).toEqual(
      new Map([
        ["joy", 0.1],
        ["__proto__", 2],
        ["10", 3],
      ]),
    );
    expect(timeless(answer.text)).toBe(
      `{"id":"${P1}","interval":7,"message":{"auto_learned_model":"","prediction_made":false,"status":"observed",` +
        '"unique_id":"u-1"},"status":"okay","time_stamp":T,"unique_id":"u-1"}',
    );
  });

  it("says when the processor slept, and which model it learned by itself", async () => {
    const gateway = new TestGateway();
    gateway.answer(memory.observe, {
      stamp: STAMP,
      observed: { awake: false, autoLearnedModel: "7d06", predictionMade: true, uniqueId: 'u"2' },
    });
    expect(timeless((await gateway.ask("POST", "/P1/observe", { body: { data: {} } })).text)).toBe(
      `{"id":"${P1}","interval":7,"message":{"auto_learned_model":"MODEL|7d06","prediction_made":true,"status":"asleep",` +
        '"unique_id":"u\\"2"},"status":"okay","time_stamp":T,"unique_id":"u\\"2"}',
    );
  });

  it.each([
    [{ data: {}, unique_id: "beside" }, "beside"],
    [{ data: { unique_id: "inside" }, unique_id: "beside" }, "inside"],
    [{ strings: ["a"], unique_id: "bare" }, "bare"],
    [{ data: { strings: [] } }, ""],
  ])("takes the identifier of %j", async (body, uniqueId) => {
    const gateway = newGateway();
    expect((await gateway.ask("POST", "/P1/observe", { body })).status).toBe(200);
    expect(gateway.lastOf(memory.observe)).toMatchObject({ gdf: { uniqueId } });
  });

  it.each([
    ["0", 0],
    ["-0", 0],
    ["1795411800.125", 1_795_411_800.125],
    ["253402300799", 253_402_300_799],
    ['"2026-11-23T05:30:00.5+01:00"', 1_795_408_200.5],
  ])("takes the time %s", async (given, seconds) => {
    const gateway = newGateway();
    const body = `{"data":{"strings":["a"],"time":${given}}}`;
    expect((await gateway.ask("POST", "/P1/observe", { body })).status).toBe(200);
    const { gdf } = gateway.lastOf(memory.observe) as { gdf: { time: number } };
    expect(gdf.time + 0).toBe(seconds);
  });

  it.each([
    { strings: ["a"] },
    { time: 5 },
    { vectors: [] },
    { emotives: {} },
    { metadata: {} },
    { command: "" },
    { unique_id: "" },
  ])("takes the GDF %j without its wrapper", async (body) => {
    expect((await newGateway().ask("POST", "/P1/observe", { body })).status).toBe(200);
  });

  const TIME =
    'epoch seconds, a number from 0 to 253402300799, or RFC 3339 text with an offset, such as "2026-11-23T05:30:00Z"';

  it.each([
    [
      undefined,
      "the body must be an object {data: GDF} with any of strings, vectors, numbers, emotives, metadata, time, got nothing",
    ],
    [
      "[]",
      "the body must be an object {data: GDF} with any of strings, vectors, numbers, emotives, metadata, time, got an empty list",
    ],
    [
      "{}",
      "the body must be an object {data: GDF} with any of strings, vectors, numbers, emotives, metadata, time, got an empty object",
    ],
    [
      '{"string":["a"]}',
      "the body must be an object {data: GDF} with any of strings, vectors, numbers, emotives, metadata, time, got an object",
    ],
    [
      '{"data":null}',
      "data must be a GDF: an object with any of strings, vectors, numbers, emotives, metadata, time, got null",
    ],
    [
      '{"data":["a"]}',
      "data must be a GDF: an object with any of strings, vectors, numbers, emotives, metadata, time, got a list",
    ],
    [
      '{"data":{"string":["a"]}}',
      'data must be a GDF: an object with any of strings, vectors, numbers, emotives, metadata, time, got "string"',
    ],
    ['{"data":{"strings":"a"}}', 'data.strings must be a list of strings, got "a"'],
    ['{"data":{"time":-1}}', `data.time must be ${TIME}, got -1`],
    ['{"data":{"time":253402300799.5}}', `data.time must be ${TIME}, got 253402300799.5`],
    ['{"data":{"time":1e400}}', `data.time must be ${TIME}, got a number too large for a double`],
    ['{"data":{"time":null}}', `data.time must be ${TIME}, got null`],
    ['{"data":{"time":true}}', `data.time must be ${TIME}, got true`],
    ['{"data":{"time":{}}}', `data.time must be ${TIME}, got an empty object`],
    ['{"data":{"time":""}}', `data.time must be ${TIME}, got ""`],
    ['{"data":{"time":"17"}}', `data.time must be ${TIME}, got "17"`],
    ['{"data":{"time":"2026-11-23T05:30:00"}}', `data.time must be ${TIME}, got "2026-11-23T05:30:00"`],
    ['{"data":{"strings":["a",1]}}', "data.strings[1] must be a string, got 1"],
    ['{"strings":[null]}', "strings[0] must be a string, got null"],
    ['{"data":{"vectors":[1]}}', "data.vectors[0] must be a list of finite numbers, got 1"],
    ['{"data":{"vectors":[[],["x"]]}}', 'data.vectors[1][0] must be a finite number, got "x"'],
    [
      '{"data":{"vectors":[[1e999]]}}',
      "data.vectors[0][0] must be a finite number, got a number too large for a double",
    ],
    ['{"data":{"vectors":[[true]]}}', "data.vectors[0][0] must be a finite number, got true"],
    [
      '{"data":{"vectors":{}}}',
      "data.vectors must be a list of vectors, each a list of finite numbers, got an empty object",
    ],
    ['{"data":{"emotives":[]}}', "data.emotives must be an object of finite numbers by name, got an empty list"],
    ['{"data":{"emotives":{"a b":[1]}}}', 'data.emotives["a b"] must be a finite number, got a list'],
    [
      '{"data":{"emotives":{"joy":-1e999}}}',
      "data.emotives.joy must be a finite number, got a number too large for a double",
    ],
    ['{"data":{"metadata":[1]}}', "data.metadata must be an object, got a list"],
    [
      '{"data":{"metadata":{"a":[1e999]}}}',
      "data.metadata.a[0] must be a finite number, got a number too large for a double",
    ],
    ['{"data":{"unique_id":1}}', "data.unique_id must be a string, got 1"],
    ['{"data":{},"unique_id":1}', "unique_id must be a string, got 1"],
    ['{"data":{"command":null}}', "data.command must be a string, got null"],
    [
      `{"data":{"strings":"${"x".repeat(100)}"}}`,
      `data.strings must be a list of strings, got "${"x".repeat(60)}" (cut, 100 characters)`,
    ],
  ])("refuses %s and observes nothing", async (body, message) => {
    const gateway = newGateway();
    const answer = await gateway.ask("POST", `/${P1}/observe`, body === undefined ? {} : { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
    expect([answer.json.id, answer.json.interval, answer.json.status]).toEqual([P1, 7, "failed"]);
    expect(gateway.calls.map(({ rpc }) => rpc)).not.toContain("Observe");
  });
});

describe("sequence-observe", () => {
  it("passes records on in order, each with its own metadata, and answers with one result each", async () => {
    const gateway = new TestGateway();
    const one = { awake: true, autoLearnedModel: "", predictionMade: true, uniqueId: "u1" };
    gateway.answer(memory.observeSequence, {
      stamp: STAMP,
      observed: [one, { ...one, uniqueId: "u2" }],
      learnedModel: "ab",
    });
    const body =
      '{"data":{"sequence":[{"strings":["a"],"metadata":{"2":1,"1":2}},{"metadata":{"b":1,"a":2}}],"learn":true}}';
    const answer = await gateway.ask("POST", "/P1/sequence-observe", { body });
    expect(gateway.lastOf(memory.observeSequence)).toMatchObject({
      sequence: [
        { strings: ["a"], metadataJson: '{"2":1,"1":2}' },
        { strings: [], metadataJson: '{"b":1,"a":2}' },
      ],
      learn: true,
      clear: false,
    });
    const message = (id: string) =>
      `{"auto_learned_model":"","prediction_made":true,"status":"observed","unique_id":"${id}"}`;
    expect(timeless(answer.text)).toBe(
      `{"id":"${P1}","interval":7,"learned_model":"MODEL|ab","message":[${message("u1")},${message("u2")}],` +
        '"status":"okay","time_stamp":T}',
    );
  });

  it("takes 250,000 emotives and numbers in all records, and no more", async () => {
    const gateway = new TestGateway();
    const thousand = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`e${i}`, i]));
    const records = [...new Array(249).fill({ emotives: thousand }), { strings: ["a"], numbers: thousand }];
    const taken = await gateway.ask("POST", "/P1/sequence-observe", { body: { sequence: records } });
    expect(taken.status).toBe(200);
    expect(gateway.lastOf(memory.observeSequence)).toMatchObject({ sequence: { length: 250 } });
    const sequence = [...records, { numbers: { t: 1 } }];
    const refused = await gateway.ask("POST", "/P1/sequence-observe", { body: { sequence } });
    expect([refused.status, JSON.parse(refused.text).message]).toEqual([
      413,
      "a sequence may have 250000 emotives and numbers, and sequence[250] has more; send it in parts",
    ]);
  });

  it("takes as many records as NOEMA_SEQUENCE_RECORDS says, and refuses more before it makes a message of them", async () => {
    const gateway = new TestGateway({ NOEMA_LOCAL: "true", NOEMA_SEQUENCE_RECORDS: "30000" });
    const ask = (count: number) =>
      gateway.ask("POST", "/P1/sequence-observe", { body: { data: { sequence: new Array(count).fill({}) } } });
    expect((await ask(30_000)).json.message).not.toContain("NOEMA_SEQUENCE_RECORDS");
    const refused = await ask(30_001);
    expect([refused.status, refused.json.message]).toEqual([
      413,
      "a sequence may have 30000 records (NOEMA_SEQUENCE_RECORDS), got 30001; send it in parts, and clear only with the first",
    ]);
    expect(gateway.calls.filter(({ rpc }) => rpc === "ObserveSequence")).toHaveLength(1);
  });

  it("takes a body without data, and a sequence without records", async () => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("POST", "/P1/sequence-observe", { body: { sequence: [], clear: true } });
    expect(timeless(answer.text)).toBe(okay("[]"));
    expect(gateway.lastOf(memory.observeSequence)).toMatchObject({ sequence: [], learn: false, clear: true });
  });

  it.each([
    ["{}", "sequence must be a list of GDFs, got nothing"],
    ['{"data":{"sequence":{}}}', "data.sequence must be a list of GDFs, got an empty object"],
    ['{"data":{"sequence":[{},{"strings":[1]}]}}', "data.sequence[1].strings[0] must be a string, got 1"],
    [
      '{"data":{"sequence":[{"metadata":{"a":1e999}}]}}',
      "data.sequence[0].metadata.a must be a finite number, got a number too large for a double",
    ],
    ['{"data":{"sequence":[],"learn":1}}', "data.learn must be true or false, got 1"],
    ['{"data":{"sequence":[],"clear":"no"}}', 'data.clear must be true or false, got "no"'],
    ["[]", "the body must be an object {data: {sequence: [GDF, ...], learn?: bool, clear?: bool}}, got an empty list"],
  ])("refuses %s", async (body, message) => {
    const answer = await new TestGateway().ask("POST", "/P1/sequence-observe", { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });
});

describe("lists that are too long are refused before a processor is called", () => {
  const STRINGS =
    "a record may have at most 70000 strings, the symbols of a full working memory (NOEMA_MEMORY_SYMBOLS)";
  const texts = (count: number) => new Array(count).fill("a");
  const numbers = (count: number) => Object.fromEntries(texts(count).map((_, at) => [`n${at}`, at]));

  async function refusal(path: string, data: unknown, method = "POST"): Promise<unknown[]> {
    const gateway = new TestGateway({ NOEMA_LOCAL: "true", NOEMA_MEMORY_SYMBOLS: "70000" });
    const { status, json } = await gateway.ask(method, `/P1/${path}`, { body: { data } });
    const asked = gateway.calls.filter(({ rpc }) => rpc !== "Ping" && rpc !== "GetGenome");
    return [status, json.message, asked.length];
  }

  it.each<[name: string, path: string, data: unknown, message: string]>([
    ["symbols", "observe", { strings: texts(70_001) }, `${STRINGS}, got 70001`],
    [
      "symbols of a record",
      "sequence-observe",
      { sequence: [{}, { strings: texts(70_001) }] },
      `${STRINGS}, got 70001`,
    ],
    ["emotives", "observe", { emotives: numbers(10_001) }, "a record may have 10000 emotives, got 10001"],
    [
      "numbers",
      "sequence-observe",
      { sequence: [{ numbers: numbers(10_001) }] },
      "a record may have 10000 numbers, got 10001",
    ],
    [
      "components",
      "observe",
      { vectors: [new Array(262_145).fill(0)] },
      "the vectors of a record may have 262144 components together, got 262145",
    ],
    [
      "metadata",
      "observe",
      { strings: ["a"], metadata: { text: "x".repeat(2_097_152) } },
      "data.metadata may take 2097152 bytes as JSON, and it takes more",
    ],
    [
      "metadata that is printed again in the order of its source",
      "observe",
      { strings: ["a"], metadata: { 1: new Array(500_000).fill(0.25) } },
      "data.metadata may take 2097152 bytes as JSON, and it takes more",
    ],
    [
      "symbols to find models of",
      "get-models-with-symbols",
      texts(100_001),
      "a request may list 100000 symbols, got 100001",
    ],
    [
      "genes",
      "genes/change",
      Object.fromEntries(texts(10_001).map((text, at) => [`${text}${at}`, 1])),
      "a request may change 10000 genes, got 10001",
    ],
    [
      "a sequence that is asked about",
      "predictions",
      { sequence: [texts(70_000), ["a"]] },
      "a sequence may have at most 70000 symbols, those of a full working memory (NOEMA_MEMORY_SYMBOLS), got 70001",
    ],
  ])("%s", async (_, path, data, message) => {
    expect(await refusal(path, data)).toEqual([413, message, 0]);
  });

  it("symbols and events of a model", async () => {
    const told = "the model: a sequence may have 250000 symbols and events together, got 250003";
    expect(await refusal("add-model", { sequence: [texts(250_000), ["a"]] }, "PUT")).toEqual([413, told, 0]);
  });
});
