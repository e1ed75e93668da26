import { describe, expect, it } from "vitest";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { okay, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const memory = MemoryService.method;

const PREDICTION = {
  name: "7d06",
  frequency: 2,
  past: [{ symbols: ["a"] }],
  present: [{ symbols: ["b", "b"] }, { symbols: ["c"] }],
  future: [],
  matches: ["b"],
  missing: ["b", "c"],
  extras: ['"x"'],
  emotives: [
    { name: "joy", value: -0 },
    { name: "Joy", value: 0.1 },
  ],
  confidence: 1 / 3,
  confluence: 0.5,
  entropy: 1.5,
  evidence: 0.25,
  fragmentation: 0,
  grandHamiltonian: 1e-7,
  hamiltonian: 0.1 + 0.2,
  itfdfSimilarity: 1,
  potential: 2.5,
  similarity: 0.4,
  snr: 0.5,
};

const PREDICTION_BYTES =
  '{"confidence":0.3333333333333333,"confluence":0.5,"emotives":{"Joy":0.1,"joy":0},"entropy":1.5,"evidence":0.25,' +
  '"extras":["\\"x\\""],"fragmentation":0,"frequency":2,"future":[],"grand_hamiltonian":1e-7,' +
  '"hamiltonian":0.30000000000000004,"itfdf_similarity":1,"matches":["b"],"missing":["b","c"],"name":"7d06",' +
  '"past":[["a"]],"potential":2.5,"present":[["b","b"],["c"]],"similarity":0.4,"snr":0.5,"type":"prototypical"}';

describe("working memory and predictions", () => {
  it("answers learn with the model, or null", async () => {
    const gateway = new TestGateway();
    expect(timeless((await gateway.ask("POST", "/P1/learn")).text)).toBe(okay("null"));
    gateway.answer(memory.learn, { stamp: STAMP, model: "7d06" });
    expect(timeless((await gateway.ask("POST", "/P1/learn", { body: "{}" })).text)).toBe(okay('"MODEL|7d06"'));
  });

  it("answers predictions with a list, for any observation or for one", async () => {
    const gateway = new TestGateway();
    gateway.answer(memory.getPredictions, { stamp: STAMP, predictions: [PREDICTION, PREDICTION] });
    const answer = await gateway.ask("POST", "/P1/predictions");
    expect(timeless(answer.text)).toBe(okay(`[${PREDICTION_BYTES},${PREDICTION_BYTES}]`));
    expect(gateway.lastOf(memory.getPredictions)).toMatchObject({ uniqueId: "" });
    for (const body of [{ data: { unique_id: "u" } }, { unique_id: "u" }]) {
      await gateway.ask("POST", "/P1/predictions", { body });
      expect(gateway.lastOf(memory.getPredictions)).toMatchObject({ uniqueId: "u" });
    }
    expect((await gateway.ask("POST", "/P1/predictions", { body: { data: { unique_id: 5 } } })).json.message).toBe(
      "data.unique_id must be a string, got 5",
    );
    expect((await gateway.ask("POST", "/P1/predictions", { body: "[]" })).status).toBe(400);
  });

  it("asks what a sequence would predict, for the best, and for some members", async () => {
    const gateway = new TestGateway();
    gateway.answer(memory.getPredictions, { stamp: STAMP, predictions: [PREDICTION] });
    const data = { sequence: [["a", "b"], ["VECTOR|1"]], top: 10_000, fields: ["snr", "name", "future", "snr"] };
    for (const body of [{ data }, data]) {
      const answer = await gateway.ask("POST", "/P1/predictions", { body });
      expect(timeless(answer.text)).toBe(okay('[{"future":[],"name":"7d06","snr":0.5}]'));
      expect(gateway.lastOf(memory.getPredictions)).toMatchObject({
        uniqueId: "",
        packed: true,
        sequence: { events: [{ symbols: ["a", "b"] }, { symbols: ["VECTOR|1"] }] },
        top: 10_000,
        fields: ["snr", "name", "future", "snr"],
      });
    }
    await gateway.ask("POST", "/P1/predictions", { body: { data: { top: 1, unique_id: "u" } } });
    const asked = gateway.lastOf(memory.getPredictions);
    expect(asked).toMatchObject({ uniqueId: "u", top: 1, fields: [] });
    expect(asked).not.toHaveProperty("sequence");
    await gateway.ask("POST", "/P1/predictions", { body: { sequence: [] } });
    expect(gateway.lastOf(memory.getPredictions)).toMatchObject({ sequence: { events: [] } });
  });

  const SOME_FIELDS =
    "one of confidence, confluence, emotives, entropy, evidence, extras, fragmentation, frequency, future, grand_hamiltonian, " +
    "hamiltonian, itfdf_similarity, matches, missing, name, past, potential, present, similarity, snr, type";

  it.each([
    [{ sequence: null }, "data.sequence must be a list of events, each a list of symbols, got null"],
    [{ sequence: "a" }, 'data.sequence must be a list of events, each a list of symbols, got "a"'],
    [{ sequence: ["a"] }, 'data.sequence[0] must be a list of strings, got "a"'],
    [{ sequence: [["a"], []] }, "data.sequence[1] must be a list of one or more symbols, got an empty list"],
    [{ sequence: [["a", 7]] }, "data.sequence[0][1] must be a string, got 7"],
    [{ top: 0 }, "data.top must be a whole number from 1 to 10000, got 0"],
    [{ top: 10_001 }, "data.top must be a whole number from 1 to 10000, got 10001"],
    [{ top: 1.5 }, "data.top must be a whole number from 1 to 10000, got 1.5"],
    [{ top: "1" }, 'data.top must be a whole number from 1 to 10000, got "1"'],
    [{ top: null }, "data.top must be a whole number from 1 to 10000, got null"],
    [{ fields: "name" }, 'data.fields must be a list of strings, got "name"'],
    [{ fields: [] }, `data.fields must be a list of one or more of ${SOME_FIELDS.slice(7)}, got an empty list`],
    [{ fields: ["name", "nam"] }, `data.fields[1] must be ${SOME_FIELDS}, got "nam"`],
    [{ fields: ["toString"] }, `data.fields[0] must be ${SOME_FIELDS}, got "toString"`],
    [{ top: 1, tpo: 2 }, "data.tpo is unknown (accepted: unique_id, sequence, top, fields)"],
    [{ sequence: [], unique_id: 5 }, "data.unique_id must be a string, got 5"],
  ])("refuses to be asked %j", async (data, message) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("POST", "/P1/predictions", { body: { data } });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
    expect(gateway.lastOf(memory.getPredictions)).toBeUndefined();
  });

  it("refuses an unknown member beside the data of a question", async () => {
    const gateway = new TestGateway();
    const body = { data: { top: 1 }, fields: ["name"] };
    const answer = await gateway.ask("POST", "/P1/predictions", { body });
    expect([answer.status, answer.json.message]).toEqual([400, "fields is unknown (accepted: data)"]);
  });

  it("answers working-memory as a list of events", async () => {
    const gateway = new TestGateway();
    gateway.answer(memory.getWorkingMemory, { stamp: STAMP, events: [{ symbols: ["a", "é"] }, { symbols: [] }] });
    expect(timeless((await gateway.ask("GET", "/P1/working-memory")).text)).toBe(okay('[["a","é"],[]]'));
  });

  it.each([
    [undefined, false],
    [{}, false],
    [{ data: {} }, false],
    [{ data: { clear_blacklist: true } }, false],
    [{ data: { clear_blacklist: false } }, true],
    [{ clear_blacklist: false }, true],
  ])("clears all memory with %j, keeping the blacklist: %s", async (body, keepBlacklist) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("POST", "/P1/clear-all-memory", body === undefined ? {} : { body });
    expect(timeless(answer.text)).toBe(okay('"all-cleared"'));
    expect(gateway.lastOf(memory.clearAllMemory)).toMatchObject({ keepBlacklist });
  });

  it("refuses a value of clear_blacklist that is neither true nor false", async () => {
    const answer = await new TestGateway().ask("POST", "/P1/clear-all-memory", {
      body: { data: { clear_blacklist: "no" } },
    });
    expect([answer.status, answer.json.message]).toEqual([400, 'data.clear_blacklist must be true or false, got "no"']);
  });
});

describe("the last observation", () => {
  const gdf = {
    strings: ["b"],
    vectors: [{ components: [1, -0, 0.5] }],
    emotives: [{ name: "e", value: 1 }],
    metadataJson: '{"z":1,"10":2}',
    uniqueId: "u",
    command: "c",
  };

  it("is empty on a new processor", async () => {
    const gateway = new TestGateway();
    expect(timeless((await gateway.ask("GET", "/P1/percept-data")).text)).toBe(okay("{}"));
    expect(timeless((await gateway.ask("GET", "/P1/cognition-data")).text)).toBe(
      okay(
        '{"command":"","emotives":{},"metadata":{},"path":[],"predictions":[],"strings":[],"symbols":[],"unique_id":"",' +
          '"vectors":[],"working_memory":[]}',
      ),
    );
  });

  it("is read as the sender sent it", async () => {
    const gateway = new TestGateway();
    gateway.answer(memory.getPercept, { stamp: STAMP, gdf, path: ["P1-x-process"] });
    expect(timeless((await gateway.ask("GET", "/P1/percept-data")).text)).toBe(
      okay(
        '{"emotives":{"e":1},"metadata":{"z":1,"10":2},"path":["P1-x-process"],"strings":["b"],"unique_id":"u",' +
          '"vectors":[[1,0,0.5]]}',
      ),
    );
  });

  it("is read as the processor understood it, whatever identifier the body holds", async () => {
    const gateway = new TestGateway();
    gateway.answer(memory.getCognition, {
      stamp: STAMP,
      gdf,
      path: ["P1-x-process"],
      symbols: ["V", "b"],
      workingMemory: [{ symbols: ["V", "b"] }],
      predictions: [PREDICTION],
    });
    const answer = await gateway.ask("GET", "/P1/cognition-data", { body: { data: { unique_id: "u" } } });
    expect(timeless(answer.text)).toBe(
      okay(
        '{"command":"c","emotives":{"e":1},"metadata":{"z":1,"10":2},"path":["P1-x-process"],' +
          `"predictions":[${PREDICTION_BYTES}],"strings":["b"],"symbols":["V","b"],"unique_id":"u",` +
          '"vectors":[[1,0,0.5]],"working_memory":[["V","b"]]}',
      ),
    );
  });
});
