/**
 * The messages between the head of a split processor and its parts. They are plain values, which the runtime's own
 * calls carry without protobuf.
 */

import type { ModelBatch } from "../../processor/ports/matcher";
import type { PartAnswer, PartChange, PartQuestion } from "../../processor/ports/parts";

/**
 * A stored state of a processor, spread over a certain number of parts. A part that holds it for one number does not
 * hold it for another.
 */
export interface PartMark {
  /** Number of parts. */
  readonly count: number;
  /** The processor's incarnation. */
  readonly incarnation: string;
  /** The revision of its knowledge. */
  readonly revision: number;
}

/** Changes for a part to make, and a question to answer after them. */
export interface PartWork {
  readonly kind: "work";
  /** The log of changes that the places refer to. */
  readonly epoch: string;
  /** The place in the log where these changes begin. */
  readonly from: number;
  readonly changes: readonly PartChange[];
  /** The stored state of the part after the changes; `undefined` if that state is not stored yet. */
  readonly mark: PartMark | undefined;
  /** A part in exactly this stored state is at {@link from} of the log, whatever log it followed before. */
  readonly adopts: PartMark | undefined;
  readonly question: PartQuestion | undefined;
}

/** One piece of everything that a part must hold. */
export interface PartFill {
  readonly kind: "fill";
  /** The log of changes that the part follows afterwards. */
  readonly epoch: string;
  /** The number of the piece: 0, 1, 2, ... The first one empties the part. */
  readonly piece: number;
  /**
   * How often each of some symbols occurs in everything learned: in pieces after the models. Before, with 0, in pieces
   * before them.
   */
  readonly symbols: { readonly ids: Uint32Array; readonly frequencies: Float64Array } | undefined;
  readonly models: readonly ModelBatch[];
  /** In the last piece: the part's place in the log, and the stored state that this is. */
  readonly end: { readonly at: number; readonly mark: PartMark } | undefined;
}

/** Asks a part how full it is, whatever log it follows. */
export interface PartLook {
  readonly kind: "look";
}

/** A message to a part. */
export type PartMessage = PartWork | PartFill | PartLook;

/** How full a part is. */
export interface PartUse {
  /** Bytes of memory that its models and symbols use. */
  readonly bytes: number;
  /** Maximum of these bytes. */
  readonly limitBytes: number;
  readonly models: number;
}

/** A part's reply. */
export type PartReply =
  /** Done. `at` is its place in the log. */
  | { readonly kind: "done"; readonly at: number; readonly use: PartUse; readonly answer: PartAnswer | undefined }
  /** The part follows another log, is at another place, or holds nothing. Nothing has changed. */
  | { readonly kind: "elsewhere"; readonly epoch: string | undefined; readonly at: number }
  /** The message does not fit into memory. The part holds nothing any more. */
  | { readonly kind: "full"; readonly use: PartUse }
  /** The part has a defect. It holds nothing any more. */
  | { readonly kind: "failed"; readonly reason: string };

/** The head that the parts belong to. */
export interface PartFamily {
  /** The agent's name. */
  readonly agent: string;
  /** The processor's identifier. */
  readonly id: string;
  /** The jurisdiction of the processor's object; empty for none. */
  readonly jurisdiction: string;
}

/** A message for one part, and the deliveries that this part carries on. */
export interface PartDelivery {
  /** The part, numbered from 0. */
  readonly part: number;
  readonly message: PartMessage;
  readonly onwards: readonly PartDelivery[];
  /** After how many milliseconds what was carried on counts as lost. */
  readonly withinMs?: number;
}

/** The outcome of a message. */
export interface PartOutcome {
  readonly part: number;
  /** `undefined` when the part could not be reached, or was lost meanwhile. */
  readonly reply: PartReply | undefined;
  /** Whether the part was asked, and did not answer in time. */
  readonly isSilent?: boolean;
}

/** An object that may be a part. */
export interface PartObject {
  /** Handles a message, and carries others on. */
  part(family: PartFamily, delivery: PartDelivery): Promise<PartOutcome[]>;
}
