/**
 * The bytes that a waiting vector counts towards a memory's budget: roughly its size in a backup, so that any memory
 * within the budget fits into one line of a backup. Events count as in models.
 */

/** Maximum bytes of a component of a vector in a backup. */
const COMPONENT_BYTES = 25;

/** Bytes of a vector in a backup without its components. */
const VECTOR_BYTES = 18;

/** The bytes of a vector waiting to be learned. */
export function vectorBytes({ length }: ArrayLike<number>): number {
  return VECTOR_BYTES + COMPONENT_BYTES * length;
}
