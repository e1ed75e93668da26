/** Small genomes for tests. */

/** The data of a processor's node. A member that is `undefined` is left out. */
export function primitive(id: string, members: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: "primitive", id, name: `P of ${id}`, ...members };
}

/** The data of a manipulative's node. */
export function manipulative(
  id: string,
  owner: string,
  targets: readonly string[],
  fields: readonly string[] = ["name"],
): Record<string, unknown> {
  return {
    type: "manipulative",
    id,
    name: "abstraction",
    mtype: "output",
    primitive: owner,
    genes: { field: { value: fields }, primitives: { value: targets }, sources: { value: ["cognition-data"] } },
  };
}

/** The text of a genome with these nodes. */
export function genomeText(...nodes: Record<string, unknown>[]): string {
  return JSON.stringify({ agent: "test", elements: { nodes: nodes.map((data) => ({ data })) } });
}
