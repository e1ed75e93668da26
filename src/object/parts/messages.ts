/**
 * What the head of a split processor and its parts say to each other. All of it are plain values: they travel by the
 * runtime's own call, without protobuf.
 */

import type { ModelBatch } from "../../processor/ports/matcher";
import type { PartAnswer, PartChange, PartQuestion } from "../../processor/ports/parts";

/** A state of a processor that is stored. A part that had it in one number of parts has it in that number alone. */
export interface PartMark {
  /** How many parts the models are spread over. */
  readonly count: number;
  /** Of the processor. */
  readonly incarnation: string;
  /** Of its knowledge. */
  readonly revision: number;
}

/** Changes that a part is to make, and a question that it is to answer after them. */
export interface PartWork {
  readonly kind: "work";
  /** Which log of changes the places are of. */
  readonly epoch: string;
  /** The place in the log where the changes begin. */
  readonly from: number;
  readonly changes: readonly PartChange[];
  /** The stored state that the part has after the changes; `undefined` for one that is not stored yet. */
  readonly mark: PartMark | undefined;
  /** A part that is exactly in this stored state is at {@link from} of the log, whatever log it knew before. */
  readonly adopts: PartMark | undefined;
  readonly question: PartQuestion | undefined;
}

/** A piece of all that a part is to have. */
export interface PartFill {
  readonly kind: "fill";
  /** Which log of changes the part follows from then on. */
  readonly epoch: string;
  /** Which piece it is: 0, 1, 2, ... The first one empties the part. */
  readonly piece: number;
  /** How often each symbol occurs in everything learned: in the last piece. Before, with 0, in the first. */
  readonly symbols: { readonly ids: Uint32Array; readonly frequencies: Float64Array } | undefined;
  readonly models: readonly ModelBatch[];
  /** In the last piece: where in the log the part is then, and which stored state that is. */
  readonly end: { readonly at: number; readonly mark: PartMark } | undefined;
}

/** Asks a part how full it is, whatever log it follows. */
export interface PartLook {
  readonly kind: "look";
}

/** What a part is told. */
export type PartMessage = PartWork | PartFill | PartLook;

/** How full a part is. */
export interface PartUse {
  /** Bytes that its models and symbols take in memory. */
  readonly bytes: number;
  /** Bytes that they may take. */
  readonly limitBytes: number;
  readonly models: number;
}

/** What a part says. */
export type PartReply =
  /** It has done what it was told. `at` is its place in the log. */
  | { readonly kind: "done"; readonly at: number; readonly use: PartUse; readonly answer: PartAnswer | undefined }
  /** It is elsewhere: in another log, or at another place, or it has nothing. Nothing has changed. */
  | { readonly kind: "elsewhere"; readonly epoch: string | undefined; readonly at: number }
  /** It has no memory for what it was told. It has nothing any more. */
  | { readonly kind: "full"; readonly use: PartUse }
  /** It has a defect. It has nothing any more. */
  | { readonly kind: "failed"; readonly reason: string };

/** The head whose parts are meant. */
export interface PartFamily {
  /** The agent's name. */
  readonly agent: string;
  /** The processor's identifier. */
  readonly id: string;
  /** The jurisdiction of the processor's object; empty for none. */
  readonly jurisdiction: string;
}

/** A message for one part, and what that part is to carry to others. */
export interface PartDelivery {
  /** Which part, from 0 on. */
  readonly part: number;
  readonly message: PartMessage;
  readonly onwards: readonly PartDelivery[];
}

/** What came of a message. */
export interface PartOutcome {
  readonly part: number;
  /** `undefined` when the part could not be reached, or was lost on the way. */
  readonly reply: PartReply | undefined;
}

/** An object that may be a part. */
export interface PartObject {
  /** Does what a message says, and carries others on. */
  part(family: PartFamily, delivery: PartDelivery): Promise<PartOutcome[]>;
}
