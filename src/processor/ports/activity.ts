/**
 * The port through which the owner learns what happens in memories while a verb runs. The owner passes it on after the
 * commit.
 */

import type { Surprise } from "../../gen/plain";
import type { IncidentSummary } from "./incident";

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
  /** The surprise of a record; `undefined` if no model applied. */
  | { kind: "surprise"; surprise: Surprise | undefined }
  /** An incident began. */
  | { kind: "incident"; incident: IncidentSummary }
  /** A verdict changed which open incident of the memory is the newest; `newest` is `undefined` if none is open. */
  | { kind: "judged"; newest: IncidentSummary | undefined }
);

/** Receives what happens. */
export interface ActivityListener {
  /** Whether there is a listener. If not, nothing has to be reported. */
  readonly isListening: boolean;
  /**
   * Whether a listener wants the surprise of a memory's records. If not, it does not have to be computed.
   * @param session the session; empty for the processor's own memory
   */
  wantsSurprise(session: string): boolean;
  notify(activity: Activity): void;
}
