/** What a genome says of processors: which there are, and with which initial genes. All else in it is not ours to interpret. */

import { Fault } from "../processor/fault";
import { geneOfGenomeSetting } from "../processor/gene-table";
import type { GeneChange, GeneValue } from "../processor/genes";

/** A processor as a genome describes it. */
export interface ProcessorNode {
  /** Unique in the genome. */
  id: string;
  /** The friendly name. */
  name: string;
  /** Its initial genes. */
  genes: GeneChange[];
}

/** The type of the nodes that are processors. */
const PRIMITIVE = "primitive";

/**
 * The processors of a genome, in its order.
 *
 * @param genome a JSON text `{elements: {nodes: [{data: {type, id, name, …}}]}}`
 * @throws Fault `invalid` when it is not of that form
 */
export function processorNodes(genome: string): ProcessorNode[] {
  const nodes = member(member(JSON.parse(genome), "elements"), "nodes");
  if (!Array.isArray(nodes)) throw new Fault("invalid", "the genome has no list elements.nodes");
  return nodes
    .map((node) => member(node, "data"))
    .filter((data) => member(data, "type") === PRIMITIVE)
    .map(processorNode);
}

function processorNode(data: unknown): ProcessorNode {
  return { id: text(data, "id"), name: text(data, "name"), genes: initialGenes(Object(data)) };
}

function initialGenes(data: object): GeneChange[] {
  return Object.entries(data).flatMap(([setting, value]) => {
    const name = geneOfGenomeSetting(setting);
    return name === undefined ? [] : [{ name, value: geneValue(setting, value) }];
  });
}

function geneValue(setting: string, value: unknown): GeneValue {
  switch (typeof value) {
    case "boolean":
      return { value: { case: "flag", value } };
    case "number":
      return { value: { case: "number", value } };
    case "string":
      return { value: { case: "text", value } };
    default:
      throw new Fault(
        "invalid",
        `the setting ${setting} of a genome's node is ${JSON.stringify(value)}, and must be a boolean, a number or a text`,
      );
  }
}

function text(data: unknown, name: string): string {
  const value = member(data, name);
  if (typeof value === "string" && value !== "") return value;
  throw new Fault(
    "invalid",
    `the ${name} of a genome's node is ${JSON.stringify(value)}, and must be a text that is not empty`,
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
