/** A genome as a graph of processors and manipulatives. Plain data. */

import type { Schemas } from "../../../client";

/** A processor of the genome. */
export interface ProcessorNode {
  readonly id: string;
  readonly name: string;
  /** The URL of the server that serves it; empty for this server. */
  readonly endpoint: string;
}

/** A manipulative that a processor names. */
export interface ManipulativeNode {
  readonly id: string;
  readonly name: string;
  /** The identifier of its processor. */
  readonly owner: string;
  /** The fields of each prediction that the manipulative sends. */
  readonly fields: readonly string[];
  /** The identifiers of the processors that observe it. */
  readonly targets: readonly string[];
}

export interface GenomeGraph {
  readonly processors: readonly ProcessorNode[];
  readonly manipulatives: readonly ManipulativeNode[];
}

/** The graph of a genome that its agent has accepted. */
export function genomeGraph({ elements }: Schemas.Genome): GenomeGraph {
  const nodes = elements.nodes.map(({ data }) => data);
  const primitives = nodes.filter((data) => data.type === "primitive");
  const owners = new Map(primitives.flatMap(({ id, manipulatives = [] }) => manipulatives.map((one) => [one, id])));
  return {
    processors: primitives.map(({ id, name, endpoint = "" }) => ({ id, name, endpoint })),
    manipulatives: nodes
      .filter((data) => data.type === "manipulative")
      .flatMap(({ id, name, genes }) => {
        const owner = owners.get(id);
        // A manipulative that no processor names sends nothing.
        if (owner === undefined) return [];
        return [{ id, name, owner, fields: genes.field.value, targets: genes.primitives.value }];
      }),
  };
}
