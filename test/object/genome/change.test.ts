/** What is to be done between two genomes. */

import { describe, expect, test } from "vitest";
import { genomeChange, hotswapResult } from "../../../src/object/genome/change";
import { Genome } from "../../../src/object/genome/genome";
import { genomeText, manipulative, primitive } from "../../support/object/genomes";

const genomeOf = (...nodes: Record<string, unknown>[]) => new Genome(genomeText(...nodes));

const NONE = { retired: new Set<string>(), waiting: new Set<string>() };

describe("from one genome to another", () => {
  test("an agent's first processors are all put into service", () => {
    const { steps, tuned } = genomeChange(undefined, genomeOf(primitive("p1"), primitive("p2")), NONE, true);
    expect([...steps]).toEqual([
      ["p1", "provision"],
      ["p2", "provision"],
    ]);
    expect(tuned).toEqual([]);
  });

  test("of a large genome, processors beyond the first 64 wait for their first call", () => {
    const nodes = Array.from({ length: 100 }, (_, at) => primitive(`p${at}`));
    const { steps } = genomeChange(genomeOf(...nodes.slice(0, 10)), genomeOf(...nodes), NONE, false);
    expect([...steps].map(([id, action]) => `${id} ${action}`)).toEqual(
      nodes.slice(10).map(({ id }, at) => `${id} ${at < 64 ? "provision" : "admit"}`),
    );
  });

  test("processors that still wait leave without a step, or begin with their new nodes", () => {
    const before = genomeOf(primitive("p1"), primitive("p2"), primitive("p3"), primitive("p4"));
    const after = genomeOf(primitive("p1", { name: "other", persistence: 9 }), primitive("p3"));
    const absent = { retired: new Set(["p4"]), waiting: new Set(["p1", "p2", "p4"]) };
    expect(genomeChange(before, after, absent, false)).toEqual({ steps: new Map([["p1", "admit"]]), tuned: [] });
    expect(Object.fromEntries(genomeChange(before, after, absent, true).steps)).toEqual({
      p1: "admit",
      p4: "purge",
    });
  });

  test("a processor that stays as it is has no step, whatever else its node says", () => {
    const { steps } = genomeChange(genomeOf(primitive("p1")), genomeOf(primitive("p1", { width: 5 })), NONE, true);
    expect(steps.size).toBe(0);
  });

  test("a processor with another name or other manipulatives is provisioned", () => {
    const before = genomeOf(primitive("p1"), primitive("p2"), primitive("p3"));
    const after = genomeOf(
      primitive("p1", { name: "other" }),
      primitive("p2", { manipulatives: ["m1"] }),
      manipulative("m1", "p2", ["p3"]),
      primitive("p3"),
    );
    expect([...genomeChange(before, after, NONE, false).steps]).toEqual([
      ["p1", "provision"],
      ["p2", "provision"],
    ]);
  });

  test("when a processor moves elsewhere it is retired, and the one that sends to it is provisioned", () => {
    const feeding = [primitive("p1", { manipulatives: ["m1"] }), manipulative("m1", "p1", ["p2"])];
    const before = genomeOf(...feeding, primitive("p2"));
    const after = genomeOf(...feeding, primitive("p2", { endpoint: "https://example.org" }));
    expect(Object.fromEntries(genomeChange(before, after, NONE, false).steps)).toEqual({
      p1: "provision",
      p2: "retire",
    });
    expect(Object.fromEntries(genomeChange(after, before, NONE, false).steps)).toEqual({
      p1: "provision",
      p2: "provision",
    });
  });

  test("processors that leave are retired, or purged with all that left before", () => {
    const before = genomeOf(primitive("p1"), primitive("p2"));
    const after = genomeOf(primitive("p1"), primitive("back"));
    const absent = { ...NONE, retired: new Set(["gone", "back"]) };
    const kept = genomeChange(before, after, absent, false);
    expect(Object.fromEntries(kept.steps)).toEqual({ p2: "retire", back: "provision" });
    const purged = genomeChange(before, after, absent, true);
    expect(Object.fromEntries(purged.steps)).toEqual({ p2: "purge", gone: "purge", back: "provision" });
  });

  test("no more processors keep their data out of service than may, unless there were more before", () => {
    const absent = { retired: new Set(["a", "b"]), waiting: new Set<string>() };
    const before = genomeOf(primitive("p1"), primitive("p2"));
    const change = (most: number, purge: boolean, ...left: string[]) =>
      genomeChange(before, genomeOf(...left.map((id) => primitive(id))), absent, purge, most);
    expect(change(4, false).steps.size).toBe(2);
    expect(() => change(3, false)).toThrow(
      "an agent may keep the data of 3 processors that are out of service, and with this genome it would be 4; " +
        "hotswap with purge=true, which deletes it",
    );
    expect(change(3, false, "a").steps.get("a")).toBe("provision");
    expect(change(3, true).steps.size).toBe(4);
    expect(change(1, false, "p1", "p2").steps.size).toBe(0);
  });

  test("processors that stay or come back keep genes that their new nodes do not have", () => {
    const before = genomeOf(primitive("p1"), primitive("p2", { persistence: 5 }), primitive("p3", { persistence: 7 }));
    const after = genomeOf(
      primitive("p1", { persistence: 9 }),
      primitive("p2"),
      primitive("p3", { persistence: 7 }),
      primitive("back"),
    );
    expect(genomeChange(before, after, { ...NONE, retired: new Set(["back"]) }, false).tuned).toEqual(["p1", "back"]);
  });
});

describe("what a change does", () => {
  const before = genomeOf(
    primitive("stays"),
    primitive("moves"),
    primitive("named", { name: "old" }),
    primitive("goes"),
    primitive("far", { endpoint: "https://a.example" }),
    primitive("left", { endpoint: "https://a.example" }),
  );
  const after = genomeOf(
    primitive("far", { endpoint: "https://b.example" }),
    primitive("new"),
    primitive("named", { name: "young" }),
    primitive("moves", { endpoint: "https://a.example" }),
    primitive("stays", { persistence: 9 }),
  );

  test.each([
    [false, []],
    [true, ["moves", "goes", "earlier"]],
  ])("puts each processor into one list; with purge %s, deletes %j", (purge, purged) => {
    const absent = { retired: new Set(["earlier"]), waiting: new Set<string>() };
    expect(hotswapResult(before, after, genomeChange(before, after, absent, purge))).toEqual({
      added: ["new", "moves"],
      kept: ["far", "stays"],
      renamed: [{ id: "named", from: "old", to: "young" }],
      retired: ["moves", "goes", "left"],
      purged,
      placed: [],
    });
  });

  test("deletes nothing of processors that never were in service, and nothing of those that come back", () => {
    const absent = { retired: new Set(["new"]), waiting: new Set(["goes"]) };
    const { retired, purged } = hotswapResult(before, after, genomeChange(before, after, absent, true));
    expect([retired, purged]).toEqual([["moves", "goes", "left"], ["moves"]]);
  });
});
