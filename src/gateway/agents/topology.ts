/**
 * The processors that a genome names: their identifiers, their friendly names and where they are. Plain data, no I/O.
 */

import { isJsonObject, type JsonObject } from "../../text/located";
import { ANYWHERE, type Place } from "../../text/placement";

/** A processor of a genome. */
export interface Primitive {
  readonly id: string;
  /** The friendly name. */
  readonly name: string;
  /** The URL of the server that has it; empty for an object of this deployment. */
  readonly endpoint: string;
  /** Where its object lives. */
  readonly place: Place;
  /** Whether it has manipulatives, so that others may observe it. */
  readonly tells: boolean;
}

/** The processors of an agent. */
export interface Topology {
  /** The agent's own name, from the genome. */
  readonly agent: string;
  /** In the order of the genome. */
  readonly primitives: readonly Primitive[];
  /** By identifier and by friendly name; an identifier wins over another processor's name. */
  readonly byIdOrName: ReadonlyMap<string, Primitive>;
}

/**
 * Reads the processors of a genome.
 *
 * @param genomeJson a genome that its agent has accepted
 * @param places the places of processors that have one
 * @param otherPlace the place of all others
 * @throws Error when it is not a genome
 */
export function topologyOf(
  genomeJson: string,
  places: ReadonlyMap<string, Place> = new Map(),
  otherPlace = ANYWHERE,
): Topology {
  const genome: unknown = JSON.parse(genomeJson);
  const nodes = isJsonObject(genome) && isJsonObject(genome.elements) ? genome.elements.nodes : undefined;
  if (!isJsonObject(genome) || !Array.isArray(nodes)) throw new Error("an agent gave a genome without elements.nodes");
  const primitives = nodes
    .filter(isJsonObject)
    .map((node) => node.data)
    .filter(isPrimitive)
    .map(({ id, name, endpoint, manipulatives }) => ({
      id,
      name,
      endpoint: typeof endpoint === "string" ? endpoint : "",
      place: places.get(id) ?? otherPlace,
      tells: Array.isArray(manipulatives) && manipulatives.length > 0,
    }));
  const byIdOrName = new Map<string, Primitive>();
  for (const primitive of primitives) if (!byIdOrName.has(primitive.name)) byIdOrName.set(primitive.name, primitive);
  for (const primitive of primitives) byIdOrName.set(primitive.id, primitive);
  return { agent: String(genome.agent ?? ""), primitives, byIdOrName };
}

function isPrimitive(data: unknown): data is JsonObject & { id: string; name: string } {
  return (
    isJsonObject(data) && data.type === "primitive" && typeof data.id === "string" && typeof data.name === "string"
  );
}
