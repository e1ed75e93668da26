/** The port through which the processor finds the learned vectors nearest to an observed one. Implemented by the kernel. */

/** Holds learned vectors of one dimensionality, in the order of learning. */
export interface Neighbours {
  /** Adds a vector at the end. The first one after {@link clear} sets the dimensionality. Throws a Fault `exhausted`, changing nothing, when memory is used up. */
  add(components: Float64Array): void;
  /** Forgets all vectors. */
  clear(): void;
  /** The positions (0 is the oldest) of the `count` nearest vectors by Euclidean distance, nearest first, ties oldest first; fewer when it holds fewer. */
  nearest(components: Float64Array, count: number): number[];
}
