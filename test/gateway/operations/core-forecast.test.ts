/** The bytes of forecasts and surprises, and what their requests accept. */

import { describe, expect, it } from "vitest";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { okay, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const memory = MemoryService.method;

const SYMBOL = { symbol: 'a"', probability: 0.1 + 0.2, support: 2, models: ["7d06", "dd80"] };
const WHEN = { p10: 0.5, p50: 60, p90: 61.25 };
const FORECAST = {
  context: 3,
  models: 4,
  steps: [{ none: 0.25, symbols: [SYMBOL], when: WHEN }, { none: 1 }],
  within: [SYMBOL],
};
const SYMBOL_BYTES = '{"models":["7d06","dd80"],"probability":0.30000000000000004,"support":2,"symbol":"a\\""}';
const FORECAST_BYTES =
  `{"context":3,"models":4,"steps":[{"none":0.25,"symbols":[${SYMBOL_BYTES}],"when":{"p10":0.5,"p50":60,"p90":61.25}},{"none":1,"symbols":[],"when":null}],` +
  `"within":[${SYMBOL_BYTES}]}`;

describe("forecast", () => {
  function newGateway(): TestGateway {
    const gateway = new TestGateway();
    gateway.answer(memory.getForecast, { stamp: STAMP, forecast: FORECAST });
    return gateway;
  }

  it.each([
    [undefined, {}],
    ["{}", {}],
    [{ data: {} }, {}],
    [{ data: { horizon: 10, top: 1000 } }, { horizon: 10, top: 1000 }],
    [
      { horizon: 1, top: 1, sequence: [["a", "b"], ["c"]] },
      { horizon: 1, top: 1, sequence: { events: [{ symbols: ["a", "b"] }, { symbols: ["c"] }] } },
    ],
    [{ data: { sequence: [] } }, { sequence: { events: [] } }],
  ])("takes %j", async (body, asked) => {
    const gateway = newGateway();
    const { status, text } = await gateway.ask("POST", "/P1/forecast", body === undefined ? {} : { body });
    expect([status, timeless(text)]).toEqual([200, okay(FORECAST_BYTES)]);
    expect(gateway.lastOf(memory.getForecast)).toMatchObject(asked);
  });

  it("is asked in a session", async () => {
    const gateway = newGateway();
    expect((await gateway.ask("POST", "/P1/sessions/robot%201/forecast")).status).toBe(200);
    expect(gateway.calls.at(-1)).toMatchObject({ rpc: "GetForecast", session: "robot 1" });
  });

  const HORIZON = "data.horizon must be a whole number from 1 to 10";
  const TOP = "data.top must be a whole number from 1 to 1000";
  const BODY =
    "must be an object {data: {horizon?: number, top?: number, sequence?: [[symbol, ...], ...]}}, or absent, got";

  it.each([
    ["[]", `the body ${BODY} an empty list`],
    ["7", `the body ${BODY} 7`],
    ['{"data":null}', `data ${BODY} null`],
    ['{"data":[]}', `data ${BODY} an empty list`],
    ['{"data":{"horizon":0}}', `${HORIZON}, got 0`],
    ['{"data":{"horizon":11}}', `${HORIZON}, got 11`],
    ['{"data":{"horizon":1.5}}', `${HORIZON}, got 1.5`],
    ['{"data":{"horizon":"1"}}', `${HORIZON}, got "1"`],
    ['{"data":{"horizon":null}}', `${HORIZON}, got null`],
    ['{"data":{"horizon":true}}', `${HORIZON}, got true`],
    ['{"data":{"horizon":1e400}}', HORIZON],
    ['{"data":{"top":0}}', `${TOP}, got 0`],
    ['{"data":{"top":1001}}', `${TOP}, got 1001`],
    ['{"data":{"top":[1]}}', `${TOP}, got a list`],
    ['{"data":{"sequence":"ab"}}', 'data.sequence must be a list of events, each a list of symbols, got "ab"'],
    ['{"data":{"sequence":["ab"]}}', 'data.sequence[0] must be a list of strings, got "ab"'],
    ['{"data":{"sequence":[["a"],[]]}}', "data.sequence[1] must be a list of one or more symbols, got an empty list"],
    ['{"data":{"sequence":[[1]]}}', "data.sequence[0][0] must be a string, got 1"],
    ['{"data":{"horzion":2}}', "data.horzion is unknown (accepted: horizon, top, sequence)"],
    ['{"data":{"unique_id":"u"}}', "data.unique_id is unknown (accepted: horizon, top, sequence)"],
    ['{"data":{},"top":2}', "top is unknown (accepted: data)"],
    ['{"data":{},"unique_id":"u"}', "unique_id is unknown (accepted: data)"],
  ])("refuses %s", async (body, sentence) => {
    const gateway = newGateway();
    const { status, json } = await gateway.ask("POST", "/P1/forecast", { body });
    expect([status, json.status, json.message]).toEqual([400, "failed", expect.stringContaining(sentence)]);
    expect(gateway.lastOf(memory.getForecast)).toBeUndefined();
  });

  it("refuses a query", async () => {
    const { status, json } = await newGateway().ask("POST", "/P1/forecast?horizon=2");
    expect([status, json.message]).toEqual([400, 'the query parameter "horizon" is unknown (accepted: none)']);
  });
});

describe("explain", () => {
  const observed = { awake: true, autoLearnedModel: "", predictionMade: true, uniqueId: "u-1" };
  const surprise = {
    bits: 1.5,
    probability: 0.353,
    expected: [{ symbol: "b", probability: 0.5 }],
    unexpected: ["c"],
  };
  const SURPRISE = '{"bits":1.5,"expected":[{"probability":0.5,"symbol":"b"}],"probability":0.353,"unexpected":["c"]}';
  const bytes = (told: string) =>
    `{"auto_learned_model":"","prediction_made":true,"status":"observed",${told}"unique_id":"u-1"}`;
  const single = { data: { strings: ["a"] } };
  const several = { data: { sequence: [{ strings: ["a"] }, { emotives: { joy: 1 } }] } };

  function newGateway(): TestGateway {
    const gateway = new TestGateway();
    gateway.answer(memory.observe, { stamp: STAMP, observed: { ...observed, surprise } });
    gateway.answer(memory.observeSequence, { stamp: STAMP, observed: [{ ...observed, surprise }, observed] });
    return gateway;
  }

  it.each(["", "?explain=false"])("is off with the query %j", async (query) => {
    const gateway = newGateway();
    const one = await gateway.ask("POST", `/P1/observe${query}`, { body: single });
    expect(timeless(one.text)).toBe(okay(bytes("")).replace(/\}$/, ',"unique_id":"u-1"}'));
    expect(gateway.lastOf(memory.observe)).toMatchObject({ explain: false });
    const two = await gateway.ask("POST", `/P1/sequence-observe${query}`, { body: several });
    expect(timeless(two.text)).toBe(okay(`[${bytes("")},${bytes("")}]`));
    expect(gateway.lastOf(memory.observeSequence)).toMatchObject({ explain: false });
  });

  it("adds a surprise to each message, or null", async () => {
    const gateway = newGateway();
    const one = await gateway.ask("POST", "/P1/observe?explain=true", { body: single });
    expect(timeless(one.text)).toBe(okay(bytes(`"surprise":${SURPRISE},`)).replace(/\}$/, ',"unique_id":"u-1"}'));
    expect(gateway.lastOf(memory.observe)).toMatchObject({ explain: true });
    const two = await gateway.ask("POST", "/P1/sequence-observe?explain=true", { body: several });
    expect(timeless(two.text)).toBe(okay(`[${bytes(`"surprise":${SURPRISE},`)},${bytes('"surprise":null,')}]`));
    expect(gateway.lastOf(memory.observeSequence)).toMatchObject({ explain: true });
  });

  it.each([
    ["explain=maybe", 'got "maybe"'],
    ["explain=", 'got ""'],
    ["explain", 'got ""'],
    ["explain=True", 'got "True"'],
    ["explain=1", 'got "1"'],
    ["explain=true&explain=true", "got a list"],
  ])("refuses %s", async (query, got) => {
    const gateway = newGateway();
    for (const [operation, body] of [
      ["observe", single],
      ["sequence-observe", several],
    ] as const) {
      const { status, json } = await gateway.ask("POST", `/P1/${operation}?${query}`, { body });
      expect([status, json.message]).toEqual([400, `the query's explain must be true or false, ${got}`]);
    }
    expect([gateway.lastOf(memory.observe), gateway.lastOf(memory.observeSequence)]).toEqual([undefined, undefined]);
  });
});
