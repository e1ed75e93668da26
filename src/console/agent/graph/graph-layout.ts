/**
 * Positions of the nodes and edges of a genome's graph. Dagre computes the layers; this prepares its
 * input and reads its result.
 */

import { Graph, layout } from "@dagrejs/dagre";
import type { GenomeGraph } from "./genome-graph";

/** Maximum number of nodes drawn: more take too long to lay out, and the drawing becomes unreadable. */
export const MAX_DRAWN = 150;

/** The sizes of nodes, in pixels. */
export const PROCESSOR_SIZE = { width: 208, height: 92 } as const;
export const MANIPULATIVE_SIZE = { width: 124, height: 44 } as const;
const LABEL_SIZE = { width: 72, height: 20 } as const;

/** A point, in pixels from the corner at the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An edge of the drawing. */
export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  /** The middle of its label. */
  readonly label: Point;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** The middle of each node, by its identifier. */
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly DrawnEdge[];
}

/**
 * Lays out a graph of up to {@link MAX_DRAWN} nodes.
 *
 * @param direction `LR`: from left to right; `TB`: from top to bottom
 */
export function drawingOf({ processors, manipulatives }: GenomeGraph, direction: "LR" | "TB"): Drawing {
  const graph = new Graph();
  graph.setGraph({ rankdir: direction, nodesep: 28, ranksep: direction === "LR" ? 44 : 32, marginx: 8, marginy: 8 });
  for (const { id } of processors) graph.setNode(id, { ...PROCESSOR_SIZE });
  for (const { id } of manipulatives) graph.setNode(id, { ...MANIPULATIVE_SIZE });
  for (const { id, owner, targets } of manipulatives) {
    graph.setEdge(owner, id, {});
    for (const target of targets) graph.setEdge(id, target, { ...LABEL_SIZE, labelpos: "c" });
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const nodes = new Map(graph.nodes().map((id) => [id, graph.node(id) as Point]));
  const edges = graph.edges().map(({ v, w }) => {
    const { points, x = 0, y = 0 } = graph.edge(v, w) as { points: readonly Point[]; x?: number; y?: number };
    return { from: v, to: w, points, label: { x, y } };
  });
  return { width, height, nodes, edges };
}
