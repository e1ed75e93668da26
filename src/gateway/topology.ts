/** What the gateway knows of a genome: which processors an agent has, and what they are called. Plain data, no I/O. */

import { isObject, type JsonObject } from "./decode-value";

/** A processor of a genome. */
export interface Primitive {
  readonly id: string;
  /** The friendly name. */
  readonly name: string;
}

/** The processors of an agent. */
export interface Topology {
  /** The agent's own name, as the genome gives it. */
  readonly agent: string;
  /** In the order of the genome. */
  readonly primitives: readonly Primitive[];
  /** Identifiers by identifier and by friendly name; an identifier wins over another processor's name. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Reads the processors of a genome.
 *
 * @param genomeJson a genome that its agent has accepted
 * @throws Error when it is none
 */
export function topologyOf(genomeJson: string): Topology {
  const genome: unknown = JSON.parse(genomeJson);
  const nodes = isObject(genome) && isObject(genome.elements) ? genome.elements.nodes : undefined;
  if (!isObject(genome) || !Array.isArray(nodes)) throw new Error("an agent gave a genome without elements.nodes");
  const primitives = nodes
    .filter(isObject)
    .map((node) => node.data)
    .filter(isPrimitive);
  const ids = new Map<string, string>();
  for (const { id, name } of primitives) if (!ids.has(name)) ids.set(name, id);
  for (const { id } of primitives) ids.set(id, id);
  return { agent: String(genome.agent ?? ""), primitives, ids };
}

function isPrimitive(data: unknown): data is JsonObject & Primitive {
  return isObject(data) && data.type === "primitive" && typeof data.id === "string" && typeof data.name === "string";
}
