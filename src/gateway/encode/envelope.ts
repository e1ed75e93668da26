/** Writes the envelope that most answers travel in, as canonical JSON. Owns the clock of `time_stamp`. */

import type { Stamp } from "../../gen/noema/v1/stamp_pb";
import { number, text } from "../json/writer";

/** An answer of a processor: it says who answered. */
export interface Stamped {
  readonly stamp?: Stamp | undefined;
}

/**
 * The stamp of an answer.
 *
 * @throws Error when there is none: a processor that leaves it out breaks the contract
 */
export function stampOf(reply: Stamped): Stamp {
  if (reply.stamp === undefined) throw new Error("a processor answered without a stamp");
  return reply.stamp;
}

/** The time as `time_stamp` gives it: whole epoch seconds. */
export function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Members that some answers have besides the usual ones, as JSON text. */
export interface ExtraMembers {
  /** Why an answer that is called okay changed nothing. */
  readonly detail?: string;
  /** The model that was learned besides what the message says. */
  readonly learnedModel?: string;
  /** The observation's identifier. */
  readonly uniqueId?: string;
}

/** The text of an envelope before its message and after it. */
export interface Wrapping {
  readonly before: string;
  readonly after: string;
}

/** What stands around the message of an answer that is okay. */
export function wrapping(reply: Stamped, extra: ExtraMembers = {}): Wrapping {
  const { id, time } = stampOf(reply);
  const detail = extra.detail === undefined ? "" : `"detail":${extra.detail},`;
  const learned = extra.learnedModel === undefined ? "" : `"learned_model":${extra.learnedModel},`;
  const uniqueId = extra.uniqueId === undefined ? "" : `,"unique_id":${extra.uniqueId}`;
  return {
    before: `{${detail}"id":${text(id)},"interval":${number(time)},${learned}"message":`,
    after: `,"status":"okay","time_stamp":${epochSeconds()}${uniqueId}}`,
  };
}

/**
 * The envelope of an answer that is okay.
 *
 * @param message the result detail, as JSON text
 */
export function okay(reply: Stamped, message: string, extra?: ExtraMembers): string {
  const { before, after } = wrapping(reply, extra);
  return before + message + after;
}

/** What a failed envelope says. */
export interface Failure {
  /** The processor's identifier, or the path's word for it. */
  readonly id: string;
  /** The processor's time; 0 when there is none to ask. */
  readonly interval: number;
  /** One sentence. */
  readonly message: string;
  /** Epoch seconds, or -1. */
  readonly timeStamp: number;
}

/** The envelope of a failure. */
export function failed({ id, interval, message, timeStamp }: Failure): string {
  return (
    `{"id":${text(id)},"interval":${number(interval)},"message":${text(message)},"status":"failed",` +
    `"time_stamp":${number(timeStamp)}}`
  );
}
