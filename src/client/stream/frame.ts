/** Frames: batches calls into one message, and splits its answer among them. */

import type { AskForecast, Forecast, Gdf, ModelLabel, Observed, PartialPrediction } from "../gen/operations";
import { checked, type Names } from "../transport/members";
import { NoemaError } from "../transport/noema-error";
import { checkedRecord } from "../transport/record";
import { OPERATION } from "./socket";

/** The query for predictions in a frame. */
export interface FramePredictions {
  /** Maximum number of predictions, 1 to 10,000. */
  readonly top?: number;
  /** The members to return, such as `["future", "potential"]`; all if absent. */
  readonly fields?: readonly (keyof PartialPrediction)[];
}

/** The query for a forecast in a frame. */
export type FrameForecast = Pick<AskForecast, "horizon" | "top">;

/** What a call does in addition to observing. The order is clear, observe, learn, predict. */
export interface FrameOptions {
  /** Whether to clear working memory first. */
  readonly clear?: boolean;
  /** Whether to store working memory as a model, and clear it, after the records. */
  readonly learn?: boolean;
  /** Whether to predict after that: `true` for all predictions with all members. */
  readonly predictions?: boolean | FramePredictions;
  /** Whether to forecast after that: `true` for the next event and its 10 most probable symbols. */
  readonly forecast?: boolean | FrameForecast;
  /** Whether each of `observed` has the surprise of its event, in `surprise`. */
  readonly explain?: boolean;
  /** Whether to leave `observed` out of the answer. */
  readonly brief?: boolean;
  /**
   * The call's number among those of the stream's source, 1 to 2^53 - 1, greater than that of the previous call. A call
   * whose number the server has already accepted, even from an earlier program, has no effect and is answered with
   * `redelivered`. Either number all calls of a stream, or none.
   */
  readonly number?: number;
}

/** The result of a call. */
export interface StreamAnswer {
  /** The result of each record, in order; absent with `brief`, and if the call was redelivered. */
  readonly observed?: Observed[];
  /** With `learn`: the model, as `MODEL|<hash>`; `null` if working memory held fewer than two symbols. */
  readonly learned?: ModelLabel | null;
  /** With `predictions`: the predictions, best first. */
  readonly predictions?: PartialPrediction[];
  /** With `forecast`: the forecast. */
  readonly forecast?: Forecast;
  /** The memory's time after the frame; absent if the call was redelivered. */
  readonly interval?: number;
  /** Whether the server had already accepted the call over an earlier link, whose answer was lost. */
  readonly redelivered: boolean;
}

/** A call that waits for its answer. */
export interface Call {
  /** Its records as JSON, without the brackets of a list. */
  readonly json: string;
  /** Whether the records were given as a list. */
  readonly isList: boolean;
  readonly records: number;
  /** The size of its parts in a frame, in bytes of UTF-8. */
  readonly bytes: number;
  readonly clear: boolean;
  readonly learn: boolean;
  /** The query for predictions, as JSON; `undefined` for none. */
  readonly predictions: string | undefined;
  /** The query for the forecast, as JSON; `undefined` for none. */
  readonly forecast: string | undefined;
  readonly explain: boolean;
  readonly brief: boolean;
  /** The number that the caller gave it. */
  readonly number: number | undefined;
  /** Whether it has a frame of its own. */
  readonly isAlone: boolean;
  readonly resolve: (answer: StreamAnswer) => void;
  readonly reject: (reason: unknown) => void;
}

/** A sent message, with its calls. */
export interface Frame {
  readonly n: number;
  readonly text: string;
  readonly bytes: number;
  readonly calls: readonly Call[];
}

/** The server's answer to a frame. */
export interface Answer {
  readonly n: number | null;
  readonly interval?: number;
  readonly message?: {
    readonly observed?: Observed[] | number;
    readonly learned?: ModelLabel | null;
    readonly predictions?: PartialPrediction[];
    readonly forecast?: Forecast;
  };
  readonly error?: { readonly code: number; readonly message: string };
  readonly redelivered?: boolean;
}

/** Maximum number of records that the server accepts in one frame. */
export const MAX_RECORDS = 1000;

/** Maximum size of a frame that the server accepts, in bytes of UTF-8. */
const MAX_BYTES = 1_048_576;

/**
 * Upper bound for the rest of a frame: braces, names of members, `n`, and values other than records and predictions.
 */
const FRAME_BYTES = 128;

const encoder = new TextEncoder();

/**
 * Serializes a call at once, so that the caller may change its records afterwards.
 *
 * @throws TypeError if a record is not an object that can be JSON
 * @throws NoemaError 413 if the call is too large for a frame
 */
export function callOf(
  gdf: Gdf | readonly Gdf[],
  options: FrameOptions,
  { resolve, reject }: Pick<Call, "resolve" | "reject">,
): Call {
  const { predictions, forecast } = checked("observe", "option", options, FRAME);
  const isList = Array.isArray(gdf);
  const texts = (isList ? gdf : [gdf]).map(recordText);
  const records = texts.length;
  const json = texts.join(",");
  const asked = {
    predictions: questionText<FramePredictions>("predictions", predictions, { top: 1, fields: 1 }),
    forecast: questionText<FrameForecast>("forecast", forecast, { horizon: 1, top: 1 }),
  };
  const bytes = encoder.encode(json + (asked.predictions ?? "") + (asked.forecast ?? "")).length + 1;
  if (records > MAX_RECORDS) throw tooLarge(`a call may have ${MAX_RECORDS} records, got ${records}`);
  if (bytes + FRAME_BYTES > MAX_BYTES) throw tooLarge(`a call may have 1 MiB, got ${bytes} bytes`);
  const { clear = false, learn = false, explain = false, brief = false, number } = options;
  const isAlone = isList || number !== undefined;
  const flags = { isList, isAlone, clear, learn, explain, brief };
  return { json, records, bytes, number, ...asked, ...flags, resolve, reject };
}

const FRAME: Names<FrameOptions> = {
  clear: 1,
  learn: 1,
  predictions: 1,
  forecast: 1,
  explain: 1,
  brief: 1,
  number: 1,
};

function questionText<Q>(name: string, asked: boolean | Q = false, names: Names<Q>): string | undefined {
  if (asked === false) return undefined;
  return JSON.stringify(asked === true ? asked : checked(name, "member", asked, names));
}

function recordText(gdf: Gdf): string {
  return JSON.stringify(checkedRecord(gdf));
}

function tooLarge(message: string): NoemaError {
  return new NoemaError(`${message}; nothing of it was sent`, { operation: OPERATION, status: 413 });
}

/**
 * The number of calls that fit into the next frame, in order, without changing the effect of any.
 *
 * @param waiting one call or more
 * @param most maximum number of records in a frame with several calls
 */
export function fittingCalls(waiting: Iterable<Call>, most: number): number {
  let [calls, records, bytes] = [0, 0, FRAME_BYTES];
  let first: Call | undefined;
  for (const call of waiting) {
    first ??= call;
    records += call.records;
    bytes += call.bytes;
    // A frame clears before it observes, and explains all of its records or none.
    const differs = call.isAlone || call.clear || call.explain !== first.explain;
    const isFull = differs || records > most || bytes > MAX_BYTES;
    if (calls > 0 && isFull) break;
    calls++;
    // A frame learns and predicts after it has observed.
    if (call.isAlone || call.learn || asksAtEnd(call)) break;
  }
  return calls;
}

function asksAtEnd({ predictions, forecast }: Call): boolean {
  return predictions !== undefined || forecast !== undefined;
}

/** @param calls one or more, as counted by {@link fittingCalls} */
export function frameOf(n: number, calls: readonly Call[]): Frame {
  const last = calls.at(-1);
  const records = calls.filter(({ json }) => json !== "").map(({ json }) => json);
  const members = [`"n":${n}`];
  if (calls[0]?.clear) members.push('"clear":true');
  if (records.length > 0) {
    const isPlain = calls.length === 1 && !last?.isList;
    members.push(`"observe":${isPlain ? records[0] : `[${records.join(",")}]`}`);
  }
  if (last?.learn) members.push('"learn":true');
  if (last?.predictions !== undefined) members.push(`"predictions":${last.predictions}`);
  if (last?.forecast !== undefined) members.push(`"forecast":${last.forecast}`);
  if (last?.explain) members.push('"explain":true');
  if (calls.every(({ brief }) => brief)) members.push('"brief":true');
  const bytes = calls.reduce((sum, call) => sum + call.bytes, FRAME_BYTES);
  return { n, text: `{${members.join(",")}}`, bytes, calls };
}

/** Resolves each call of a frame with its part of a successful answer. */
export function resolveCalls({ calls }: Frame, { interval, message = {}, redelivered = false }: Answer): void {
  const { observed, ...rest } = message;
  let at = 0;
  for (const [i, call] of calls.entries()) {
    const own = Array.isArray(observed) && !call.brief ? { observed: observed.slice(at, at + call.records) } : {};
    at += call.records;
    // What the frame learned and predicted belongs to the last call.
    const ends = i === calls.length - 1 ? rest : {};
    call.resolve({ ...own, ...ends, ...(interval !== undefined && { interval }), redelivered });
  }
}
