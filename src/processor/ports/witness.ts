/** The port by which the owner hears what happens in memories while a verb runs. It passes that on when the verb has been committed. */

/** Something that happened in a memory. */
export type Happening = {
  /** The session; empty for the processor's own memory. */
  session: string;
  /** The time of the memory. */
  interval: number;
} & (
  | { kind: "observed"; symbols: readonly string[]; uniqueId: string }
  /** `model` is the name without its prefix. */
  | { kind: "learned"; model: string }
);

/** Hears of what happens. */
export interface Witness {
  /** Whether anybody wants to know. When false, nothing needs to be told. */
  readonly isWatching: boolean;
  saw(happening: Happening): void;
}
