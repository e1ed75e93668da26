import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { P1, TestGateway, timeless } from "../../support/gateway/test-gateway";

const { hotswap, previewHotswap, getGenome } = AgentService.method;

/** What must not be touched: order, a number's form, an escape, a name that objects swallow. */
const GENOME = '{"elements":{"nodes":[{"data":{"10":1.0,"2":"\\u0041","__proto__":1e2}}]},"agent":"b"}';

describe("genome/hotswap", () => {
  it.each([
    ["/genome/hotswap", GENOME, false],
    ["/genome/hotswap?purge=false", `{"data":${GENOME}}`, false],
    ["/agent/genome/hotswap?purge=true", GENOME, true],
    [`/${P1}/genome/hotswap?purge=true`, GENOME, true],
  ])("passes the genome to the agent as the sender wrote it, at %s", async (path, body, purge) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("POST", path, { body });
    expect(gateway.lastOf(hotswap)).toMatchObject({ genomeJson: GENOME, purge });
    const id = path.includes(P1) ? P1 : "agent";
    expect(timeless(answer.text)).toBe(
      `{"id":"${id}","interval":0,"message":"hotswapped-genome","status":"okay","time_stamp":T}`,
    );
  });

  it.each([
    [{ added: ["a"], kept: ["b"], renamed: [{ id: "c", from: "C", to: "D" }] }, ""],
    [{ retired: ["p2", "p3"] }, '"retired":["p2","p3"],'],
    [{ purged: ["p2"] }, '"purged":["p2"],'],
    [{ retired: ["p2"], purged: ["p2", "p9"] }, '"purged":["p2","p9"],"retired":["p2"],'],
    [
      {
        added: ["a", "b"],
        retired: ["c"],
        placed: [
          { id: "a", locationHint: "oc" },
          { id: "b", jurisdiction: "eu" },
        ],
      },
      '"placed":[{"id":"a","location_hint":"oc"},{"id":"b","jurisdiction":"eu"}],"retired":["c"],',
    ],
  ])("says who is out of service, whose data is deleted, and who lives where: %j", async (change, members) => {
    const gateway = new TestGateway();
    gateway.answer(hotswap, { revision: 2, change });
    const answer = await gateway.ask("POST", "/genome/hotswap", { body: GENOME });
    expect(timeless(answer.text)).toBe(
      `{"id":"agent","interval":0,"message":"hotswapped-genome",${members}"status":"okay","time_stamp":T}`,
    );
  });

  it.each([
    ["?dry_run=true", false],
    ["?dry_run=true&purge=true", true],
  ])("with %s says what would happen, and asks for no change", async (query, purge) => {
    const gateway = new TestGateway();
    gateway.answer(previewHotswap, {
      change: {
        added: ["b", "a"],
        kept: ["c"],
        renamed: [{ id: "d", from: "D", to: '"' }],
        retired: ["e"],
        purged: [],
        placed: [{ id: "b", locationHint: "weur", jurisdiction: "eu" }],
      },
    });
    const answer = await gateway.ask("POST", `/genome/hotswap${query}`, { body: GENOME });
    expect(timeless(answer.text)).toBe(
      '{"id":"agent","interval":0,"message":{"added":["b","a"],"kept":["c"],' +
        '"placed":[{"id":"b","jurisdiction":"eu","location_hint":"weur"}],"purged":[],' +
        '"renamed":[{"from":"D","id":"d","to":"\\""}],"retired":["e"]},"status":"okay","time_stamp":T}',
    );
    expect(gateway.lastOf(previewHotswap)).toMatchObject({ genomeJson: GENOME, purge });
    expect(gateway.lastOf(hotswap)).toBeUndefined();
  });

  it("makes the next request see the new genome", async () => {
    const gateway = new TestGateway();
    await gateway.ask("GET", "/P1/ping");
    const primitive = { type: "primitive", id: "p2", name: "P1" };
    gateway.answer(getGenome, {
      genomeJson: JSON.stringify({ agent: "b", elements: { nodes: [{ data: primitive }] } }),
    });
    await gateway.ask("POST", "/genome/hotswap", { body: GENOME });
    await gateway.ask("GET", "/P1/ping");
    expect(gateway.calls.at(-1)).toMatchObject({ to: "simple/p2", rpc: "Ping" });
  });

  it.each([
    [undefined, "the body must be a genome {agent, elements: {nodes: [...]}}, got nothing"],
    ["[]", "the body must be a genome {agent, elements: {nodes: [...]}}, got an empty list"],
    [
      '{"elements":true}',
      "elements must be an object {nodes: [...]}, as in a genome {agent, elements: {nodes: [...]}}, got true",
    ],
    ['{"data":5}', "data must be a genome {agent, elements: {nodes: [...]}}, got 5"],
  ])("refuses %s", async (body, message) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("POST", "/genome/hotswap", body === undefined ? {} : { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
    expect(gateway.calls).toEqual([]);
  });

  it("refuses a value of purge that is neither true nor false, and an unknown processor", async () => {
    const gateway = new TestGateway();
    expect((await gateway.ask("POST", "/genome/hotswap?purge=yes", { body: GENOME })).json.message).toBe(
      'the query\'s purge must be true or false, got "yes"',
    );
    expect((await gateway.ask("POST", "/genome/hotswap?dry_run=1", { body: GENOME })).json.message).toBe(
      'the query\'s dry_run must be true or false, got "1"',
    );
    expect((await gateway.ask("POST", "/nobody/genome/hotswap", { body: GENOME })).status).toBe(404);
    expect(gateway.lastOf(hotswap)).toBeUndefined();
  });

  it("passes on why the agent does not accept it", async () => {
    const gateway = new TestGateway();
    gateway.fail(hotswap, Code.InvalidArgument, "there are two nodes with the id x");
    const answer = await gateway.ask("POST", "/genome/hotswap", { body: GENOME });
    expect([answer.status, answer.json.message]).toEqual([400, "there are two nodes with the id x"]);
  });
});
