/** What is read from a genome. */

import { describe, expect, test } from "vitest";
import { processorNodes } from "../../src/object/genome-nodes";
import abstraction from "../conformance/genomes/abstraction.json";
import simple from "../conformance/genomes/simple.json";

/** A genome of one node. */
function genomeOf(data: unknown): string {
  return JSON.stringify({ elements: { nodes: [{ data }] } });
}

describe("the processors of a genome", () => {
  test("have an id, a name and the settings that are genes", () => {
    const [processor, ...others] = processorNodes(JSON.stringify(simple));
    expect(others).toEqual([]);
    expect(processor).toMatchObject({ id: "p46b6b076c", name: "P1" });
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

  test("are the nodes that are no manipulatives, in order", () => {
    const primitives = abstraction.elements.nodes
      .filter(({ data }) => data.type === "primitive")
      .map(({ data }) => data.id);
    expect(primitives.length).toBeGreaterThan(1);
    expect(processorNodes(JSON.stringify(abstraction)).map(({ id }) => id)).toEqual(primitives);
  });

  test.each([
    ["{}", "the genome has no list elements.nodes"],
    ["null", "the genome has no list elements.nodes"],
    ['{"elements":{"nodes":{}}}', "the genome has no list elements.nodes"],
    [genomeOf({ type: "primitive", name: "P1" }), "the id of a genome's node is undefined"],
    [genomeOf({ type: "primitive", id: 5, name: "P1" }), "the id of a genome's node is 5"],
    [genomeOf({ type: "primitive", id: "p1", name: "" }), 'the name of a genome\'s node is ""'],
    [
      genomeOf({ type: "primitive", id: "p1", name: "P1", persistence: [5] }),
      "the setting persistence of a genome's node is [5]",
    ],
  ])("are refused in %s", (genome, said) => {
    expect(() => processorNodes(genome)).toThrow(said);
  });
});
