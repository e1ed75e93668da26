import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { okay, P1, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const knowledge = KnowledgeService.method;
const HASH = "8523ac8438628a846a1bf7ae02c4c9a13e883573";

describe("a symbol", () => {
  it("is read, or null", async () => {
    const gateway = new TestGateway();
    expect(timeless((await gateway.ask("GET", "/P1/symbol/x")).text)).toBe(okay("null"));
    gateway.answer(knowledge.getSymbol, { stamp: STAMP, symbol: { name: "x", frequency: 5, modelMemberFrequency: 3 } });
    expect(timeless((await gateway.ask("GET", "/P1/symbol/x")).text)).toBe(
      okay('{"features":{"frequency":5,"model_member_frequency":3},"name":"x"}'),
    );
  });

  it.each([
    ["x", "x"],
    ["WEATHER|CLOUDY", "WEATHER|CLOUDY"],
    ["a%7Cb%20c%2Fd", "a|b c/d"],
    ["a/b//c/", "a/b//c/"],
    ["100%25", "100%"],
    ["%C3%A9%F0%9F%98%80", "é\u{1f600}"],
    ["", ""],
  ])("can have the name %j", async (way, name) => {
    const gateway = new TestGateway();
    expect((await gateway.ask("GET", `/P1/symbol/${way}`)).status).toBe(200);
    expect(gateway.lastOf(knowledge.getSymbol)).toMatchObject({ name });
  });
});

describe("a vector", () => {
  const vector = { name: HASH, components: [1, -0, 2.5], length: 2.692582403567252 };
  const bytes = okay(`{"hash":"${HASH}","length":2.692582403567252,"name":"VECTOR|${HASH}","vector":[1,0,2.5]}`);

  it.each([
    ["GET", "", { data: `VECTOR|${HASH}` }],
    ["POST", "", { data: `VECTOR|${HASH}` }],
    ["GET", "", { data: HASH }],
    ["POST", "", `"VECTOR|${HASH}"`],
    ["GET", `?data=VECTOR|${HASH}`, undefined],
    ["GET", `?data=VECTOR%7C${HASH}`, undefined],
  ])("is read by %s%s with %j", async (method, query, body) => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.getVector, { stamp: STAMP, vector });
    const answer = await gateway.ask(method, `/P1/vector${query}`, body === undefined ? {} : { body });
    expect(timeless(answer.text)).toBe(bytes);
    expect(gateway.lastOf(knowledge.getVector)).toMatchObject({ name: HASH });
  });

  it("that is not known is a failure with a form of its own", async () => {
    const answer = await new TestGateway().ask("GET", "/P1/vector", { body: { data: "VECTOR|none" } });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      `{"id":"${P1}","interval":7,"message":"there is no vector \\"VECTOR|none\\"; learned vectors are named in the symbols of ` +
        'models","status":"failed","time_stamp":-1}',
    );
  });

  it.each([
    ["GET", "/P1/vector", undefined, 400],
    ["GET", "/P1/vector?data=a&data=b", undefined, 400],
    ["POST", "/P1/vector", "{", 400],
    ["GET", "/P1/vector", '{"data":5}', 400],
    ["GET", "/p2/vector", '{"data":"x"}', 404],
  ])("that %s %s %s cannot ask for has the time_stamp -1", async (method, path, body, status) => {
    const answer = await new TestGateway().ask(method, path, body === undefined ? {} : { body });
    expect([answer.status, answer.json.status, answer.json.time_stamp]).toEqual([status, "failed", -1]);
  });

  it("that a processor refuses has the time_stamp -1 too", async () => {
    const gateway = new TestGateway();
    gateway.fail(knowledge.getVector, Code.InvalidArgument, "no");
    expect((await gateway.ask("GET", "/P1/vector", { body: { data: "x" } })).json.time_stamp).toBe(-1);
  });
});

describe("symbols", () => {
  it.each([
    ["DELETE", "symbols/remove", { symbols: ["a"], patterns: [] }],
    ["POST", "symbols/remove", { symbols: ["a"], patterns: [] }],
    ["DELETE", "patterns/remove", { symbols: [], patterns: ["a"] }],
  ])("are removed by %s %s", async (method, path, asked) => {
    const gateway = new TestGateway();
    expect(timeless((await gateway.ask(method, `/P1/${path}`, { body: { data: ["a"] } })).text)).toBe(okay("{}"));
    expect(gateway.lastOf(knowledge.removeSymbols)).toMatchObject(asked);
    const renames = [
      { oldName: "1", newName: "2" },
      { oldName: "3", newName: "" },
    ];
    gateway.answer(knowledge.removeSymbols, { stamp: STAMP, renames });
    expect(timeless((await gateway.ask(method, `/P1/${path}`, { body: ["a"] })).text)).toBe(
      okay('{"models":{"1":"2","3":"deleted"}}'),
    );
    expect((await gateway.ask(method, `/P1/${path}`)).json.message).toBe(
      "the body must be a list of strings, got nothing",
    );
  });

  it("are added to the blacklist, listed and removed from it", async () => {
    const gateway = new TestGateway();
    const body = { data: ["b", "a"] };
    expect(timeless((await gateway.ask("POST", "/P1/blacklisted-symbols/add", { body })).text)).toBe(
      okay('"added-blacklisted-symbols"'),
    );
    expect(gateway.lastOf(knowledge.addBlacklistedSymbols)).toMatchObject({ symbols: ["b", "a"] });
    gateway.answer(knowledge.listBlacklistedSymbols, { stamp: STAMP, symbols: ["b", "a"] });
    expect(timeless((await gateway.ask("GET", "/P1/list-blacklisted-symbols")).text)).toBe(okay('["b","a"]'));
    expect(timeless((await gateway.ask("DELETE", "/P1/blacklisted-symbols/remove", { body })).text)).toBe(
      okay('"removed-blacklisted-symbols"'),
    );
    gateway.answer(knowledge.removeBlacklistedSymbols, { stamp: STAMP, unknown: ["a"] });
    expect(timeless((await gateway.ask("DELETE", "/P1/blacklisted-symbols/remove", { body })).text)).toBe(
      okay('"failed-to-remove-some-symbols-from-blacklist"'),
    );
  });
});

describe("what is not a feature here", () => {
  it.each([
    ["POST", "snapshots/clear"],
    ["POST", "clusters/info"],
    ["POST", "clusters/switch"],
    ["POST", "hypotheses/set"],
    ["POST", "hypotheses/get"],
    ["GET", `succesor/MODEL%7C${HASH}`],
  ])("says so at %s %s, in the form that the official client shows", async (method, path) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask(method, `/P1/${path}`, method === "POST" ? { body: { hypotheses: {} } } : {});
    expect([answer.status, answer.json.status, answer.json.id, answer.json.interval]).toEqual([200, "failed", P1, 7]);
    expect(answer.json.message).toMatch(/^this processor has no [a-z ]+; [a-zA-Z_ ]+$/);
    expect((await gateway.ask(method, `/p2/${path}`)).status).toBe(404);
  });
});
