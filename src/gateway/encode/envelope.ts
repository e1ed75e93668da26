/**
 * Writes the common parts of answers as canonical JSON: the envelope, events, vectors, emotives and metadata. Owns the
 * clock of `time_stamp`.
 */

import type { Emotive, Event, NamedNumber, Vector } from "../../gen/noema/v1/gdf_pb";
import type { Stamp } from "../../gen/noema/v1/stamp_pb";
import { MODEL_PREFIX } from "../../text/names";
import { list, number, numbers, object, text } from "../json/writer";

/** A reply of a processor, with its stamp. */
export interface Stamped {
  readonly stamp?: Stamp | undefined;
}

/**
 * The stamp of a reply.
 *
 * @throws Error when there is none, which breaks the contract
 */
export function stampOf(reply: Stamped): Stamp {
  if (reply.stamp === undefined) throw new Error("a processor answered without a stamp");
  return reply.stamp;
}

/** The time for `time_stamp`: whole epoch seconds. */
export function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Additional members of some envelopes, as JSON text. */
interface ExtraMembers {
  /** Why a request with status okay changed nothing, or what it ignored. */
  readonly detail?: string;
  /** The model that was learned, if the message does not name it. */
  readonly learnedModel?: string;
  /** The identifier of the observation. */
  readonly uniqueId?: string;
}

/** The text of an envelope before its message and after it. */
interface EnvelopeHalves {
  readonly before: string;
  readonly after: string;
}

/** The envelope of a successful answer without its message, which a stream writes between the two halves. */
export function envelopeHalves(reply: Stamped, extra: ExtraMembers = {}): EnvelopeHalves {
  const { id, time, answeredAt = epochSeconds() } = stampOf(reply);
  const detail = extra.detail === undefined ? "" : `"detail":${extra.detail},`;
  const learned = extra.learnedModel === undefined ? "" : `"learned_model":${extra.learnedModel},`;
  const uniqueId = extra.uniqueId === undefined ? "" : `,"unique_id":${extra.uniqueId}`;
  return {
    before: `{${detail}"id":${text(id)},"interval":${number(time)},${learned}"message":`,
    after: `,"status":"okay","time_stamp":${number(answeredAt)}${uniqueId}}`,
  };
}

/**
 * The envelope of a successful answer.
 *
 * @param message the message, as JSON text
 */
export function okay(reply: Stamped, message: string, extra?: ExtraMembers): string {
  const { before, after } = envelopeHalves(reply, extra);
  return before + message + after;
}

/**
 * The envelope of a successful answer of the agent itself.
 *
 * @param message the message, as JSON text
 */
export function agentEnvelope(message: string): string {
  return `{"id":"agent","interval":0,"message":${message},"status":"okay","time_stamp":${number(epochSeconds())}}`;
}

/** The text of an envelope before a detail, which is its first member. */
const DETAIL = '{"detail":"';

/**
 * Inserts a detail into an envelope, before an existing one.
 *
 * @param envelope the text of an envelope
 * @param detail one sentence, without a full stop
 */
export function withDetail(envelope: string, detail: string): string {
  if (!envelope.startsWith(DETAIL)) return `{"detail":${text(detail)},${envelope.slice(1)}`;
  return DETAIL + text(`${detail}; `).slice(1, -1) + envelope.slice(DETAIL.length);
}

/** The content of a failed answer's envelope. */
export interface Failure {
  /** The processor's identifier, or the first segment of the path. */
  readonly id: string;
  /** The processor's time; 0 without a processor. */
  readonly interval: number;
  /** One sentence. */
  readonly message: string;
  /** Epoch seconds, or -1. */
  readonly timeStamp: number;
}

/** The envelope of a failed answer. */
export function failed({ id, interval, message, timeStamp }: Failure): string {
  return (
    `{"id":${text(id)},"interval":${number(interval)},"message":${text(message)},"status":"failed",` +
    `"time_stamp":${number(timeStamp)}}`
  );
}

/** Events as a list of lists of symbols. */
export function events(sequence: readonly Event[]): string {
  return JSON.stringify(sequence.map((event) => event.symbols));
}

/** Vectors as a list of lists of numbers. */
export function vectors(all: readonly Vector[]): string {
  return list(all.map((vector) => numbers(vector.components)));
}

/** Emotives or numbers of a record as an object of numbers by name. */
export function emotives(all: readonly (Emotive | NamedNumber)[]): string {
  return object(all.map(({ name, value }) => [name, number(value)]));
}

/** Metadata, which travels as JSON text. */
export function metadata(json: string): string {
  return json === "" ? "{}" : json;
}

/** The name of a model with its prefix, for people and clients; empty for no model. */
export function modelLabel(model: string): string {
  return model === "" ? "" : MODEL_PREFIX + model;
}
