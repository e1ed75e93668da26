import { describe, expect, it } from "vitest";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { okay, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const knowledge = KnowledgeService.method;
const HASH = "8523ac8438628a846a1bf7ae02c4c9a13e883573";

const FIRST_PAGE = { sort: "", descending: true, cursor: "" };

describe("the query of a list", () => {
  it.each([
    ["models", knowledge.listModels, "", { page: FIRST_PAGE, name: "", symbols: [], patterns: [] }],
    [
      "models",
      knowledge.listModels,
      "?sort=length&direction=asc&cursor=length%3Aasc%3Aafter%3A1%3A2&limit=7&name=MODEL%7Cab&symbol=a&symbol=b%26c&pattern=.*",
      {
        page: { sort: "length", descending: false, cursor: "length:asc:after:1:2", limit: 7 },
        name: "ab",
        symbols: ["a", "b&c"],
        patterns: [".*"],
      },
    ],
    ["symbols", knowledge.listSymbols, "?name=te%20a&pattern=x", { page: FIRST_PAGE, name: "te a", patterns: ["x"] }],
    ["vectors", knowledge.listVectors, "?name=VECTOR%7C0f&direction=desc", { page: FIRST_PAGE, name: "0f" }],
  ] as const)("of %s is passed on", async (list, method, query, asked) => {
    const gateway = new TestGateway();
    gateway.answer(knowledge.listModels, { stamp: STAMP, place: {} });
    gateway.answer(knowledge.listSymbols, { stamp: STAMP, place: {} });
    gateway.answer(knowledge.listVectors, { stamp: STAMP, place: {} });
    expect((await gateway.ask("GET", `/P1/${list}${query}`)).status).toBe(200);
    expect(gateway.lastOf(method)).toMatchObject(asked);
  });

  it.each([
    ["models?sort=name&sort=order", "sort in the query must be given once, got a list"],
    ["models?direction=up", 'direction in the query must be one of asc, desc, got \\"up\\"'],
    ["models?sort=joy", "sort in the query must be one of order, learned_at, frequency, length, name, got"],
    ["symbols?sort=order", "sort in the query must be one of frequency, model_member_frequency, name, got"],
    ["symbols?limit=ten", 'limit in the query must be a whole number from 1 to 500, got \\"ten\\"'],
    ["symbols?limit=-1", "limit in the query must be a whole number from 1 to 500"],
    ["vectors?cursor=a&cursor=b", "cursor in the query must be given once, got a list"],
    [
      "vectors?symbol=a",
      'the query parameter \\"symbol\\" is unknown (accepted: sort, direction, cursor, limit, name)',
    ],
    ["models?search=a", 'the query parameter \\"search\\" is unknown'],
  ])("%s is refused by name", async (path, sentence) => {
    const answer = await new TestGateway().ask("GET", `/P1/${path}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(sentence);
  });
});

describe("a page", () => {
  it("of models says where it is, and null where there is none", async () => {
    const gateway = new TestGateway();
    const model = { name: HASH, sequence: [{ symbols: ["a", "b"] }, { symbols: ["c"] }], frequency: 2, order: 9 };
    gateway.answer(knowledge.listModels, {
      stamp: STAMP,
      models: [model, { ...model, learnedAt: 1_800_000_000 }],
      place: { first: 4, total: 6, previous: "order:desc:before:9:9" },
    });
    const row = (learnedAt: string) =>
      `{"frequency":2,"learned_at":${learnedAt},"length":3,"name":"${HASH}","order":9,"sequence":[["a","b"],["c"]]}`;
    expect(timeless((await gateway.ask("GET", "/P1/models")).text)).toBe(
      okay(
        `{"first":4,"models":[${row("null")},${row("1800000000")}],"next":null,"previous":"order:desc:before:9:9","total":6}`,
      ),
    );
  });

  it("of vectors has their counters as symbols, and no components", async () => {
    const gateway = new TestGateway();
    const vector = { name: HASH, components: [], length: 5, order: 1 };
    const symbol = { name: `VECTOR|${HASH}`, frequency: 3, modelMemberFrequency: 2 };
    gateway.answer(knowledge.listVectors, {
      stamp: STAMP,
      vectors: [{ vector, symbol }],
      place: { total: 2, next: "order:desc:after:1:1" },
    });
    expect(timeless((await gateway.ask("GET", "/P1/vectors")).text)).toBe(
      okay(
        '{"first":0,"next":"order:desc:after:1:1","previous":null,"total":2,"vectors":[{"features":{"frequency":3,"model_member_frequency":2},' +
          `"hash":"${HASH}","length":5,"name":"VECTOR|${HASH}","order":1}]}`,
      ),
    );
  });
});
