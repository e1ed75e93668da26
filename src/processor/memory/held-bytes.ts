/**
 * How many bytes a vector that waits counts towards the budget of a memory: about those that a backup writes for it, so
 * that each memory within the budget fits into a line of a backup. Events count as those of models do.
 */

/** The most that a backup writes for a component of a vector, in bytes. */
const COMPONENT_BYTES = 25;

/** What it writes for a vector besides its components. */
const VECTOR_BYTES = 18;

/** The bytes of a vector that waits to be learned. */
export function vectorBytes({ length }: ArrayLike<number>): number {
  return VECTOR_BYTES + COMPONENT_BYTES * length;
}
