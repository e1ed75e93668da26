import { describe, expect, it } from "vitest";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { STAMP, TestGateway } from "../../support/gateway/test-gateway";

function newGateway(): TestGateway {
  const gateway = new TestGateway();
  gateway.answer(KnowledgeService.method.beginLoad, { stamp: STAMP, loadId: "load-1" });
  return gateway;
}

describe("a knowledge base file", () => {
  it.each([
    [undefined, /^the body must be a knowledge base .*, got nothing$/],
    ["5", /^the body must be a knowledge base .*, got 5$/],
    ['{"data":5}', /^data must be a knowledge base or a list of its lines, got 5$/],
    ["{}", /^the body has no models_kb; it must be a knowledge base/],
    ['{"data":{"symbols_kb":{},"vectors_kb":{},"metadata":{}}}', /^the body has no models_kb/],
    ['{"models_kb":[]}', /^models_kb must be an object, got an empty list$/],
    ['{"models_kb":{},"vectors_kb":5}', /^vectors_kb must be an object, got 5$/],
    ['{"models_kb":{},"metadata":[1]}', /^metadata must be an object, got a list$/],
    ['{"models_kb":{},"data":{"models_kb":{}}}', /^data\.models_kb is given twice/],
    ['{"models_kb":{},"models_kb":{}}', /^models_kb is given twice/],
    ['{"data":{"models_kb":{"aa":5}}}', /^data\.models_kb\.aa must be a model .*, got 5$/],
    [
      '{"data":{"models_kb":{"1a":{"sequence":[["x",1]]}}}}',
      /^data\.models_kb\["1a"\]\.sequence\[0\]\[1\] must be a string, got 1$/,
    ],
    ['{"models_kb":{"aa":{"frequency":1}}}', /^models_kb\.aa\.sequence must be a list of events/],
    [
      '{"models_kb":{"aa":{"sequence":[],"frequency":"x"}}}',
      /^models_kb\.aa\.frequency must be a finite number, got "x"$/,
    ],
    [
      '{"models_kb":{"aa":{"sequence":[],"emotives":{"e":[null]}}}}',
      /^models_kb\.aa\.emotives\.e\[0\] must be a finite number, got null$/,
    ],
    [
      '{"models_kb":{"aa":{"sequence":[],"metadata":[{"x":1e999}]}}}',
      /^models_kb\.aa\.metadata\[0\]\.x must be a finite number/,
    ],
    [
      '{"models_kb":{"aa":{"sequence":[],"name":"bb"}}}',
      /^models_kb\.aa\.name must be "aa", the name under which .*, got "bb"$/,
    ],
    [
      '{"models_kb":{},"vectors_kb":{"ff":{"vector":[1,"x"]}}}',
      /^vectors_kb\.ff\.vector\[1\] must be a finite number, got "x"$/,
    ],
    ['{"models_kb":{},"vectors_kb":{"ff":{"vector":[1],"hash":"ee"}}}', /^vectors_kb\.ff\.hash must be "ff"/],
    ['{"models_kb":{},"vectors_kb":{"ff":{"vector":[1],"name":"VECTOR|ee"}}}', /^vectors_kb\.ff\.name must be "ff"/],
    ['{"models_kb":{},"symbols_kb":{"x":1}}', /^symbols_kb\.x must be a symbol \{features, name\}, got 1$/],
    [
      '[{"kind":"modle","name":"aa"}]',
      /^body\[0\]\.kind must be "model", "vector", "symbol" or "metadata", got "modle"$/,
    ],
    ['{"data":[5]}', /^data\[0\] must be a record, got 5$/],
    ['{"data":[{"kind":"model","name":5,"sequence":[]}]}', /^data\[0\]\.name must be a string, got 5$/],
    [
      '{"models_kb":{"aa":{"sequence":[["\\ud800"]]}}}',
      /^models_kb\.aa\.sequence\[0\]\[0\] holds half of a surrogate pair/,
    ],
    [
      `{"data":[{"kind":"model","name":"aa","metadata":${"[".repeat(200)}${"]".repeat(200)}}]}`,
      /^data\[0\] is nested deeper than 100 levels$/,
    ],
    ['{"models_kb":{"aa":', /not valid JSON at position 19/],
    ['{"models_kb":{}} x', /not valid JSON at position 17: end of file expected/],
  ])("is refused with %s, and nothing is replaced", async (body, message) => {
    const gateway = newGateway();
    const answer = await gateway.ask("POST", "/P1/load_kb", body === undefined ? {} : { body });
    expect([answer.status, answer.json.status]).toEqual([400, "failed"]);
    expect(answer.json.message).toMatch(message);
    expect(gateway.calls.map(({ rpc }) => rpc)).not.toContain("CommitLoad");
  });

  it("is refused when it is nested too deeply, without exhausting the stack", async () => {
    const answer = await newGateway().ask("POST", "/P1/load_kb", { body: `{"models_kb":${"[".repeat(100_000)}` });
    expect([answer.status, answer.json.message]).toEqual([
      400,
      "the body is not valid JSON at position 100013: the text ends too early",
    ]);
  });
});
