/**
 * The port by which the owner hears what happens in memories while a verb runs. It passes that on when the
 * verb has been committed.
 */

/** A symbol that was expected. */
export interface ExpectedSymbol {
  symbol: string;
  /** Above 0, at most 1. */
  probability: number;
}

/** How unexpected an event was. */
export interface Surprise {
  /** -log2 of the probability, 0 to 1022. */
  bits: number;
  /** The event's, above 0, at most 1. */
  probability: number;
  /** The most probable symbols, at most 5; most probable first. */
  expected: ExpectedSymbol[];
  /** The symbols of the event that the forecast gave no probability, in the event's order. */
  unexpected: string[];
}

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
  /** How unexpected a record was; `undefined` where there was nothing to expect it by. */
  | { kind: "surprise"; surprise: Surprise | undefined }
);

/** Hears of what happens. */
export interface Witness {
  /** Whether anybody wants to know. When false, nothing needs to be told. */
  readonly isWatching: boolean;
  /**
   * Whether anybody wants to know how unexpected the records of a memory are. When false, nobody needs to find out.
   * @param session the session; empty for the processor's own memory
   */
  wantsSurprise(session: string): boolean;
  saw(happening: Happening): void;
}
