import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { okay, P1, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const knowledge = KnowledgeService.method;
const HASH = "7d0678ba6305341ce0d25133ab086208656a562f";
const WAYS = [HASH, `MODEL|${HASH}`, `MODEL%7C${HASH}`];

const MODEL = {
  name: HASH,
  sequence: [{ symbols: ["b", "a"] }, { symbols: ["é"] }],
  frequency: 3,
  emotives: [
    { name: "joy", values: [1, 0.5] },
    { name: "Joy", values: [] },
  ],
  metadataJson: ['{"z":1,"10":2}', "{}"],
};

describe("a model", () => {
  it.each(WAYS)("is read by %s", async (way) => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.getModel, { stamp: STAMP, model: MODEL });
    expect(timeless((await gateway.ask("GET", `/P1/model/${way}`)).text)).toBe(
      okay(
        `{"emotives":{"Joy":[],"joy":[1,0.5]},"frequency":3,"length":3,"metadata":[{"z":1,"10":2},{}],"name":"${HASH}",` +
          '"predecessor_model":[],"sequence":[["b","a"],["é"]]}',
      ),
    );
    expect(gateway.lastOf(knowledge.getModel)).toMatchObject({ name: HASH });
  });

  it("that is not known is an empty object, whatever its name looks like", async () => {
    const gateway = new TestGateway();
    for (const way of ["none", "MODEL|", "%7C", "b"]) {
      expect(timeless((await gateway.ask("GET", `/P1/model/${way}`)).text)).toBe(okay("{}"));
    }
  });

  it.each(WAYS)("is deleted by %s, or was not there", async (way) => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.deleteModel, { stamp: STAMP, deleted: true });
    expect(timeless((await gateway.ask("DELETE", `/P1/model/${way}`)).text)).toBe(okay('"deleted"'));
    expect(gateway.lastOf(knowledge.deleteModel)).toMatchObject({ name: HASH });
    gateway.answer(knowledge.deleteModel, { stamp: STAMP, deleted: false });
    expect(timeless((await gateway.ask("DELETE", `/P1/model/${way}`)).text)).toBe(okay('"model-not-found"'));
  });

  it("is updated with the members in the body, however the body wraps them", async () => {
    const model =
      '{"emotives":{"joy":[1,2],"one":3},"frequency":2,"length":9,"metadata":[{"b":1,"a":2},{}],"name":"x",' +
      '"sequence":[["a"],["b","c"]],"predecessor_model":[]}';
    for (const body of [`{"model":${model}}`, `{"data":{"model":${model}}}`, `{"data":${model}}`, model]) {
      const gateway = new TestGateway();
      gateway.answer(knowledge.updateModel, { stamp: STAMP, name: "ab" });
      expect(timeless((await gateway.ask("PUT", `/P1/model/MODEL|${HASH}`, { body })).text)).toBe(okay('"ab"'));
      expect(gateway.lastOf(knowledge.updateModel)).toMatchObject({
        name: HASH,
        sequence: { events: [{ symbols: ["a"] }, { symbols: ["b", "c"] }] },
        frequency: 2,
        emotives: {
          emotives: [
            { name: "joy", values: [1, 2] },
            { name: "one", values: [3] },
          ],
        },
        metadata: { metadataJson: ['{"b":1,"a":2}', "{}"] },
      });
    }
  });

  it("keeps the members that the body leaves out or sets to null", async () => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.updateModel, { stamp: STAMP, name: HASH });
    const body = { model: { frequency: 4, emotives: null, metadata: null, sequence: null } };
    await gateway.ask("PUT", `/P1/model/${HASH}`, { body });
    const asked = gateway.lastOf(knowledge.updateModel) as Record<string, unknown>;
    expect([asked.frequency, asked.emotives, asked.metadata, asked.sequence]).toEqual([
      4,
      undefined,
      undefined,
      undefined,
    ]);
    await gateway.ask("PUT", `/P1/model/${HASH}`, { body: { model: {} } });
    expect(gateway.lastOf(knowledge.updateModel)).not.toHaveProperty("frequency");
  });

  it("that is not known is not updated", async () => {
    const answer = await new TestGateway().ask("PUT", "/P1/model/none", { body: { model: { frequency: 1 } } });
    expect(timeless(answer.text)).toBe(okay('"failed-to-update-model"'));
  });

  it.each([
    [undefined, "the body must be an object {model: {emotives?, frequency?, metadata?, sequence?}}, got nothing"],
    ["{}", "the body must be an object {model: {emotives?, frequency?, metadata?, sequence?}}, got an empty object"],
    [
      '{"data":{"name":1}}',
      "data must be an object {model: {emotives?, frequency?, metadata?, sequence?}}, got an object",
    ],
    ['{"model":[]}', "model must be an object, got an empty list"],
    ['{"model":{"sequence":"a"}}', 'model.sequence must be a list of events, each a list of symbols, got "a"'],
    ['{"model":{"sequence":[["a"],[2]]}}', "model.sequence[1][0] must be a string, got 2"],
    ['{"model":{"frequency":"1"}}', 'model.frequency must be a finite number, got "1"'],
    ['{"model":{"emotives":[1]}}', "model.emotives must be an object of lists of finite numbers by name, got a list"],
    ['{"model":{"emotives":{"joy":["x"]}}}', 'model.emotives.joy[0] must be a finite number, got "x"'],
    [
      '{"model":{"emotives":{"joy":1e999}}}',
      "model.emotives.joy must be a finite number, got a number too large for a double",
    ],
    ['{"model":{"metadata":{}}}', "model.metadata must be a list of objects, got an empty object"],
    ['{"model":{"metadata":[{},1]}}', "model.metadata[1] must be an object, got 1"],
    [
      '{"model":{"metadata":[{"a":-1e999}]}}',
      "model.metadata[0].a must be a finite number, got a number too large for a double",
    ],
  ])("is not updated with %s", async (body, message) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("PUT", `/P1/model/${HASH}`, body === undefined ? {} : { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
    expect(gateway.calls.map(({ rpc }) => rpc)).not.toContain("UpdateModel");
  });

  it("is added as the official client sends it", async () => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.addModel, { stamp: STAMP, name: HASH });
    const body = { sequence: [["b"], ["a"]], vector: null, frequency: 2, emotives: {}, metadata: [] };
    expect(timeless((await gateway.ask("PUT", "/P1/add-model", { body })).text)).toBe(okay(`{"name":"${HASH}"}`));
    expect(gateway.lastOf(knowledge.addModel)).toMatchObject({
      sequence: { events: [{ symbols: ["b"] }, { symbols: ["a"] }] },
      frequency: 2,
      emotives: { emotives: [] },
      metadata: { metadataJson: [] },
    });
    expect((gateway.lastOf(knowledge.addModel) as { vector: unknown }).vector).toBeUndefined();
  });

  it("is added with a vector, and with nothing but its sequence", async () => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.addModel, { stamp: STAMP, name: HASH });
    await gateway.ask("PUT", "/P1/add-model", { body: { data: { sequence: [["a"]], vector: [1, 2.5] } } });
    expect(gateway.lastOf(knowledge.addModel)).toMatchObject({ vector: { components: [1, 2.5] } });
    await gateway.ask("PUT", "/P1/add-model", { body: { sequence: [["a"]], vector: [] } });
    expect((gateway.lastOf(knowledge.addModel) as { vector: unknown }).vector).toBeUndefined();
  });

  it.each([
    [undefined, "the body must be an object {sequence, vector?, frequency?, emotives?, metadata?}, got nothing"],
    ["{}", "sequence must be a list of events, each a list of symbols, got nothing"],
    ['{"sequence":[[]],"vector":["x"]}', 'vector[0] must be a finite number, got "x"'],
    [
      '{"data":{"sequence":[["a"]],"frequency":null,"metadata":[null]}}',
      "data.metadata[0] must be an object, got null",
    ],
  ])("is not added from %s", async (body, message) => {
    const answer = await new TestGateway().ask("PUT", "/P1/add-model", body === undefined ? {} : { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });

  it("predicts as if it were in memory", async () => {
    const gateway = new TestGateway();
    expect(timeless((await gateway.ask("GET", `/P1/prediction-ensemble-for-model/MODEL|${HASH}`)).text)).toBe(
      okay("[]"),
    );
    expect(gateway.lastOf(knowledge.getPredictionsForModel)).toMatchObject({ name: HASH });
  });
});

describe("models", () => {
  it.each([
    ["get-models-with-symbols", { symbols: ["a", "b"], patterns: [] }],
    ["get-models-with-patterns", { symbols: [], patterns: ["a", "b"] }],
  ])("are found by %s", async (path, asked) => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.findModels, { stamp: STAMP, names: ["1", "2"] });
    for (const body of ['{"data":["a","b"]}', '["a","b"]']) {
      expect(timeless((await gateway.ask("POST", `/P1/${path}`, { body })).text)).toBe(
        okay('{"model_list":["1","2"]}'),
      );
      expect(gateway.lastOf(knowledge.findModels)).toMatchObject(asked);
    }
    expect((await gateway.ask("POST", `/P1/${path}`, { body: { data: "a" } })).json.message).toBe(
      'data must be a list of strings, got "a"',
    );
    expect((await gateway.ask("POST", `/P1/${path}`, { body: "[1]" })).json.message).toBe(
      "body[0] must be a string, got 1",
    );
  });

  it("pass on the processor's sentence about a wrong pattern", async () => {
    const gateway = new TestGateway();
    gateway.fail(knowledge.findModels, Code.InvalidArgument, "the pattern ( is not closed");
    const answer = await gateway.ask("POST", "/P1/get-models-with-patterns", { body: { data: ["("] } });
    expect([answer.status, answer.json.message, answer.json.id]).toEqual([400, "the pattern ( is not closed", P1]);
  });
});
