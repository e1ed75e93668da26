import { describe, expect, it } from "vitest";
import { observingOperations } from "../../src/gateway/operations/core";
import { routesOf } from "../../src/gateway/routes";
import { processorTime } from "../support/processor-time";

const HOST = "http://localhost";

const refusal = (method: string, url: string) =>
  expect.objectContaining({ message: expect.stringContaining(url), http: method === "GET" ? 405 : 404 });

describe("the routes of a table", () => {
  it("find an address again, and tell methods, paths and queries apart", async () => {
    const route = routesOf(observingOperations);
    const found = async (method: string, path: string) => {
      const { operation, params, query } = await route({ method, url: HOST + path });
      return [operation.path, { ...params }, { ...query }];
    };
    for (let time = 0; time < 2; time++) {
      expect(await found("POST", "/p1/observe")).toEqual(["/:id/observe", { id: "p1" }, {}]);
      expect(await found("POST", "/p2/observe")).toEqual(["/:id/observe", { id: "p2" }, {}]);
      expect(await found("POST", "/p%201/observe?a=1&a=2")).toEqual(["/:id/observe", { id: "p 1" }, { a: ["1", "2"] }]);
      expect(await found("POST", "/p1/learn")).toEqual(["/:id/learn", { id: "p1" }, {}]);
      await expect(found("GET", "/p1/observe")).rejects.toEqual(refusal("GET", "/p1/observe"));
      await expect(found("POST", "/p1/observes")).rejects.toEqual(refusal("POST", "/p1/observes"));
    }
  });

  it("read a query in the order of its members, however often it repeats a name", async () => {
    const route = routesOf(observingOperations);
    const queryOf = async (query: string) =>
      (await route({ method: "POST", url: `${HOST}/p1/observe?${query}` })).query;
    expect(await queryOf("a=&a=1&b=%2B+&a=&a&c&__proto__=x&constructor=y")).toEqual(
      Object.fromEntries([
        ["a", ["1", "", ""]],
        ["b", "+ "],
        ["c", ""],
        ["__proto__", "x"],
        ["constructor", "y"],
      ]),
    );
    const many = 60_000;
    const used = processorTime();
    const { a } = await queryOf("a=1&".repeat(many));
    expect(a).toHaveLength(many);
    // A copy of the list for each member takes 10 s and more; without, 0.05 s.
    expect(used()).toBeLessThan(3_000);
  });

  it("find every address when there are more than the cache holds", async () => {
    const route = routesOf(observingOperations);
    const ids = [...Array.from({ length: 1_100 }, (_, i) => `p${i}`), "p".repeat(1_000)];
    for (const id of [...ids, ...ids]) {
      const { operation, params } = await route({ method: "POST", url: `${HOST}/${id}/observe` });
      expect([operation.path, params.id]).toEqual(["/:id/observe", id]);
    }
  });
});
