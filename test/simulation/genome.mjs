/** The genomes of the agents of simulations. */

/**
 * A genome.
 *
 * @param {{ id: string, name: string, targets: string[], parts?: number }[]} processors targets: who hears what it
 *   predicts; parts: over how many its models are spread
 */
export function genomeOf(processors) {
  const nodes = processors.flatMap(({ id, name, targets, parts }) => {
    const manipulatives = targets.length === 0 ? [] : [`m-${id}`];
    const split = parts === undefined ? {} : { parts };
    const primitive = { id, name, type: "primitive", genes: {}, manipulatives, ...split };
    const field = { value: ["name"] };
    const manipulative = { id: `m-${id}`, name: "abstraction", mtype: "output", type: "manipulative", primitive: id };
    const genes = { field, primitives: { value: targets } };
    return [{ data: primitive }, ...manipulatives.map(() => ({ data: { ...manipulative, genes } }))];
  });
  return { agent: "simple", description: "", elements: { nodes, edges: [] } };
}
