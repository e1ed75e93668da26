/**
 * The port through which the owner receives what happens in memories while a verb runs. It passes
 * that on after the commit.
 */

import type { ExpectedSymbol } from "./expected-symbol";
import type { IncidentSummary } from "./incident";

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
export type Activity = {
  /** The session; empty for the processor's own memory. */
  session: string;
  /** The time of the memory. */
  interval: number;
} & (
  | { kind: "observed"; symbols: readonly string[]; uniqueId: string }
  /** `model` is the name without its prefix. */
  | { kind: "learned"; model: string }
  /** The surprise of a record; `undefined` if there was nothing to base an expectation on. */
  | { kind: "surprise"; surprise: Surprise | undefined }
  /** An incident began. */
  | { kind: "incident"; incident: IncidentSummary }
);

/** Receives what happens. */
export interface ActivityListener {
  /** Whether there is a listener. If false, nothing need be reported. */
  readonly isListening: boolean;
  /**
   * Whether a listener wants the surprise of a memory's records. If false, it need not be computed.
   * @param session the session; empty for the processor's own memory
   */
  wantsSurprise(session: string): boolean;
  notify(activity: Activity): void;
}
