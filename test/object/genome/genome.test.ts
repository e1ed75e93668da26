/** What a genome describes, and how a wrong one is refused. */

import { describe, expect, test } from "vitest";
import { Genome } from "../../../src/object/genome/genome";
import { Fault } from "../../../src/processor/ports/fault";
import abstraction from "../../conformance/genomes/abstraction.json";
import simple from "../../conformance/genomes/simple.json";
import { genomeText, manipulative, primitive } from "../../support/object/genomes";

function refusalOf(json: string): string {
  try {
    new Genome(json);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    expect(error).toMatchObject({ kind: "invalid" });
    return (error as Fault).message;
  }
  throw new Error("the genome was accepted");
}

describe("a genome", () => {
  test("has processors with an id, a name and the settings that are genes", () => {
    const [processor, ...others] = new Genome(JSON.stringify(simple)).primitives;
    expect(others).toEqual([]);
    expect(processor).toMatchObject({ id: "p46b6b076c", name: "P1", manipulatives: [], endpoint: "" });
    expect(processor?.genes).toContainEqual({ name: "SORT", value: { value: { case: "flag", value: true } } });
    expect(processor?.genes).toContainEqual({
      name: "recall_threshold",
      value: { value: { case: "number", value: 0.1 } },
    });
    expect(processor?.genes).toContainEqual({ name: "classifier", value: { value: { case: "text", value: "CVC" } } });
    const names = processor?.genes.map(({ name }) => name);
    expect(names).not.toContain("datastore");
    expect(names).not.toContain("width");
  });

  test("has manipulatives in the order of their processor's list", () => {
    const genome = new Genome(JSON.stringify(abstraction));
    expect([...genome.primitives].map(({ id }) => id)).toEqual(["p98fdaf83d", "pbb2fabdc"]);
    const [p2, p1] = [...genome.primitives];
    const targets = [{ id: "p98fdaf83d", endpoint: "" }];
    expect(p1 && genome.manipulativesOf(p1)).toEqual([
      { id: "m060db7e70", fields: ["name"], targets },
      { id: "mf972cbb32", fields: ["future"], targets },
    ]);
    expect(p2 && genome.manipulativesOf(p2)).toEqual([]);
  });

  test("has the endpoint of a target that is served elsewhere", () => {
    const genome = new Genome(
      genomeText(
        primitive("p1", { manipulatives: ["m1"] }),
        primitive("p2", { endpoint: "https://example.org/p2" }),
        manipulative("m1", "p1", ["p2"]),
      ),
    );
    const p1 = genome.primitive("p1");
    expect(p1 && genome.manipulativesOf(p1)[0]?.targets).toEqual([{ id: "p2", endpoint: "https://example.org/p2" }]);
  });

  test("keeps its text, with members that are not read", () => {
    const text = ' {"z":1e-1, "agent":"a", "elements":{"nodes":[]}, "style":[{"10":1,"2":2}]} ';
    expect(new Genome(text).json).toBe(text);
  });

  test("may have chains of any depth, and processors that several send to", () => {
    const depth = 20_000;
    const nodes = Array.from({ length: depth }, (_, at) => [
      primitive(`p${at}`, { manipulatives: at + 1 < depth ? [`m${at}`] : [] }),
      ...(at + 1 < depth
        ? [manipulative(`m${at}`, `p${at}`, [`p${at + 1}`, ...(at + 2 < depth ? [`p${at + 2}`] : [])])]
        : []),
    ]).flat();
    expect([...new Genome(genomeText(...nodes)).primitives].length).toBe(depth);
  });
});

const twoProcessors = [primitive("p1", { manipulatives: ["m1"] }), primitive("p2")];

describe("a genome is refused", () => {
  test.each([
    ["when it is not JSON", "{", 'the genome must be JSON, got "{"'],
    ["when it is not an object", "null", "the genome must be an object, got null"],
    ["when it is a list", "[]", "the genome must be an object, got []"],
    ["without an agent", '{"elements":{"nodes":[]}}', "the genome's agent must be a string, got nothing"],
    ["without elements", '{"agent":"a"}', "the genome's elements.nodes must be a list, got nothing"],
    ["without nodes", '{"agent":"a","elements":{"nodes":{}}}', "the genome's elements.nodes must be a list, got {}"],
    [
      "with a node that is no object",
      '{"agent":"a","elements":{"nodes":[true]}}',
      "the genome's elements.nodes[0] must be an object, got true",
    ],
    [
      "with a node without data",
      genomeTextOf({}),
      "the genome's elements.nodes[0].data must be an object, got nothing",
    ],
    [
      "with a node of an unknown type",
      genomeText({ type: "x" }),
      'the genome\'s elements.nodes[0].data.type must be "primitive" or "manipulative", got "x"',
    ],
  ])("%s", (_, json, said) => {
    expect(refusalOf(json)).toBe(said);
  });

  test.each([
    ["without an id", { id: undefined }, "data.id must be a string that is not empty, got nothing"],
    ["with an id that is not a text", { id: 5 }, "data.id must be a string that is not empty, got 5"],
    ["with an empty name", { name: "" }, 'data.name must be a string that is not empty, got ""'],
    ["with an id that breaks symbols", { id: "a|b" }, 'at most 200 characters without "|", "/" and control characters'],
    ["with an id that breaks paths", { id: "a/b" }, 'got "a/b"'],
    ["with a lone surrogate", { id: "\uD800" }, "without"],
    ["with an id that is too long", { id: "x".repeat(201) }, "at most 200 characters"],
    ["with a name that paths need", { name: "agent" }, "data.name must be a word other than agent, gaius-api"],
    ["with manipulatives that are not a list", { manipulatives: "m1" }, 'data.manipulatives must be a list, got "m1"'],
    ["that lists a manipulative twice", { manipulatives: ["m", "m"] }, 'data.manipulatives names "m" twice'],
    [
      "that lists a missing manipulative",
      { manipulatives: ["m9"] },
      'genome\'s processor "p1" lists the manipulative "m9", which the genome does not have',
    ],
    [
      "with a gene of another type",
      { persistence: [5] },
      "data.persistence must be true, false, a number or a string, got [5]",
    ],
    [
      "with a gene out of range",
      { recall_threshold: 7 },
      'elements.nodes[0].data, the processor "P of p1": recall_threshold must be a number from 0 to 1, got 7',
    ],
    [
      "with a gene of another word",
      { classifier: "XYZ" },
      'the processor "P of p1": classifier must be one of "CVC", "DVC", got "XYZ"',
    ],
    ["with an endpoint that is no text", { endpoint: 5 }, "data.endpoint must be a string that is not empty, got 5"],
  ])("with a processor %s", (_, members, said) => {
    expect(refusalOf(genomeText(primitive("p1", members)))).toContain(said);
  });

  test.each([
    ["without an id", { id: undefined }, "data.id must be a string that is not empty, got nothing"],
    ["of another type", { mtype: "input" }, 'data.mtype must be "output", got "input"'],
    ["of another name", { name: "scored" }, 'data.name must be "abstraction", got "scored"'],
    ["without genes", { genes: undefined }, "data.genes.field.value must be a list, got nothing"],
    [
      "with an unknown field",
      { genes: { field: { value: ["name", "colour"] }, primitives: { value: ["p2"] } } },
      'data.genes.field.value[1] must be one of name, past, present, future, missing, extras, matches, classification, got "colour"',
    ],
    [
      "without fields",
      { genes: { field: { value: [] }, primitives: { value: ["p2"] } } },
      "data.genes.field.value must be a list of one or more of name, past",
    ],
    [
      "with a field twice",
      { genes: { field: { value: ["name", "name"] }, primitives: { value: ["p2"] } } },
      "data.genes.field.value names name twice",
    ],
    [
      "with a target twice",
      { genes: { field: { value: ["name"] }, primitives: { value: ["p2", "p2"] } } },
      'data.genes.primitives.value names "p2" twice',
    ],
    [
      "with an unknown target",
      { genes: { field: { value: ["name"] }, primitives: { value: ["p2", "p9"] } } },
      'genome\'s manipulative "m1" has the target "p9", which is not a processor of the genome',
    ],
    [
      "that tells another manipulative",
      { genes: { field: { value: ["name"] }, primitives: { value: ["m1"] } } },
      'genome\'s manipulative "m1" has the target "m1", which is not a processor of the genome',
    ],
    [
      "of a processor that is not there",
      { primitive: "p9" },
      'genome\'s processor "p1" lists the manipulative "m1", which belongs',
    ],
    [
      "that its processor does not list",
      { primitive: "p2" },
      'genome\'s processor "p1" lists the manipulative "m1", which belongs to the processor "p2"',
    ],
  ])("with a manipulative %s", (_, members, said) => {
    expect(refusalOf(genomeText(...twoProcessors, { ...manipulative("m1", "p1", ["p2"]), ...members }))).toContain(
      said,
    );
  });

  test("with a manipulative that no list names", () => {
    expect(refusalOf(genomeText(primitive("p1"), manipulative("m1", "p1", [])))).toBe(
      'the genome\'s manipulative "m1" belongs to the processor "p1", whose list of manipulatives does not name it',
    );
    expect(refusalOf(genomeText(primitive("p1"), manipulative("m1", "p9", [])))).toBe(
      'the genome\'s manipulative "m1" belongs to the processor "p9", which the genome does not have',
    );
  });

  test("with a manipulative of a processor that is served elsewhere", () => {
    const elsewhere = primitive("p1", { manipulatives: ["m1"], endpoint: "https://example.org" });
    expect(refusalOf(genomeText(elsewhere, primitive("p2"), manipulative("m1", "p1", ["p2"])))).toContain(
      "its list of manipulatives must be empty",
    );
  });

  test.each([
    [
      "two processors have one id",
      [primitive("p1"), primitive("p1", { name: "other" })],
      'the id "p1"; it must be unique',
    ],
    [
      "a processor and a manipulative have one id",
      [primitive("x", { manipulatives: ["x"] }), manipulative("x", "x", [])],
      'the id "x"; it must be unique',
    ],
    [
      "two processors have one name",
      [primitive("p1", { name: "P" }), primitive("p2", { name: "P" })],
      'the name "P"; it must be unique',
    ],
    [
      "a name is the id of another",
      [primitive("p1", { name: "p2" }), primitive("p2")],
      'the name "p2" of the genome\'s processor "p1" is the id of another',
    ],
  ])("when %s", (_, nodes, said) => {
    expect(refusalOf(genomeText(...nodes))).toContain(said);
  });

  test.each([
    ["itself", { p1: ["p1"] }, "p1 -> p1"],
    ["each other", { p1: ["p2"], p2: ["p1"] }, "p1 -> p2 -> p1"],
    [
      "one another, away from where the walk begins",
      { p0: ["p1"], p1: ["p2"], p2: ["p3"], p3: ["p1"] },
      "p1 -> p2 -> p3 -> p1",
    ],
  ])("when processors feed %s", (_, links: Record<string, string[]>, way) => {
    const nodes = Object.entries(links).flatMap(([id, targets]) => [
      primitive(id, { manipulatives: [`m-${id}`] }),
      manipulative(`m-${id}`, id, targets),
    ]);
    expect(refusalOf(genomeText(...nodes))).toBe(
      `the genome's manipulatives lead from a processor back to itself: ${way}; there must be no cycle`,
    );
  });
});

/** A genome of one node, which may be no Cytoscape node. */
function genomeTextOf(node: unknown): string {
  return JSON.stringify({ agent: "a", elements: { nodes: [node] } });
}
