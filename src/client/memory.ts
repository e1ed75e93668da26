/** Observing, learning and predicting, at a processor's own memory or in a session. */

import type {
  AskedRecords,
  AskForecast,
  AskForecastExplanation,
  AskMatchingModels,
  AskPredictionExplanation,
  AskPredictions,
  AskSequenceSurprise,
  AskSurpriseExplanation,
  ClearAllMemory,
  Cognition,
  Delivery,
  Forecast,
  Gdf,
  MatchingModels,
  ModelLabel,
  Observed,
  ObservedSequence,
  PartialPrediction,
  Percept,
  Prediction,
  Sequence,
  Session,
} from "./gen/operations";
import { type Answer, envelope, type Message, message, type OperationName } from "./transport/call";
import type { Memory, Processor } from "./transport/connection";
import { type CallOptions, checkedOptions, type Repeats, type WriteOptions } from "./transport/exchange";
import { checked, type Names } from "./transport/members";
import { nameSegment } from "./transport/names";
import { checkedRecord } from "./transport/record";

/** Options of observations. */
export interface ObserveOptions extends WriteOptions {
  /**
   * Source and number by which the server accepts the records once, instead of an idempotency key: `source`, a name of
   * 1 to 128 bytes of UTF-8, and `number`, 1 to 2^53 - 1, above every number that the source has sent to this memory
   * before. If it is not, nothing changes, and each answer has `redelivered: true`.
   */
  readonly delivery?: Delivery;
  /** Whether each answer has the surprise of its event, in `surprise`. The key then also needs the role read. */
  readonly explain?: boolean;
}

/** The results of a sequence of records. */
export interface ObservedRecords {
  /** The result of each observation, in order. */
  readonly observed: Observed[];
  /** The model that was learned at the end, as `MODEL|<hash>`; `null` if none was. */
  readonly learned: ModelLabel | null;
}

/**
 * Adds one record to working memory.
 *
 * @param gdf strings, vectors (finite doubles, all of one length), emotives (finite doubles by name),
 *   metadata: each may be absent
 * @returns `status` `"asleep"` if the processor sleeps and has ignored the record; with `explain`, `surprise`, which is
 *   `null` without an event, a memory before it, or knowledge
 * @throws NoemaError 400 if a value is not accepted, 413 if the record or working memory would be too large
 */
export async function observe(memory: Memory, gdf: Gdf, options: ObserveOptions = {}): Promise<Observed> {
  const { delivery, explain, ...others } = checkedOptions("observe", options, OBSERVING);
  const sent = delivered(checkedRecord(gdf), delivery);
  const path = explained("observe", explain);
  return message(memory, { operation: "observe", method: "POST", path, ...sent }, others);
}

const OBSERVING = { delivery: 1, explain: 1, idempotencyKey: 1 } as const;

function explained(path: string, explain = false): string {
  return explain ? `${path}?explain=true` : path;
}

/**
 * The body of an observation and how it may be sent again. Throws TypeError or RangeError if the
 * delivery is not accepted.
 */
function delivered(data: unknown, delivery: Delivery | undefined): { body: unknown; repeats: Repeats } {
  if (delivery === undefined) return { body: { data }, repeats: "keyed" };
  const { source, number } = checked("a delivery", "member", delivery, { source: 1, number: 1 });
  nameSegment("the name of a source", source);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new RangeError(`the number of a delivery must be a whole number from 1 to 2^53 - 1, got ${number}`);
  }
  return { body: { data, delivery: { source, number } }, repeats: "numbered" };
}

/**
 * Observes records in order, all or none.
 *
 * @param records the records, oldest first (at most 50,000, unless the server was set up otherwise); whether to `clear`
 *   working memory before, and whether to `learn` it after
 * @throws NoemaError 400 if a value is not accepted, 413 if there are too many records or working memory would be
 *   too large; also if there are more than about 24,000 and the call has a key: with a delivery, or with
 *   `retries: 0`, it has none
 */
export async function observeSequence(
  memory: Memory,
  records: ObservedSequence,
  options: ObserveOptions = {},
): Promise<ObservedRecords> {
  const { delivery, explain, ...others } = checkedOptions("observeSequence", options, OBSERVING);
  const { sequence } = checked("observeSequence", "member", records, {
    sequence: 1,
    learn: 1,
    clear: 1,
  });
  // The server says what is wrong with a sequence that is not a list.
  if (Array.isArray(sequence)) sequence.forEach(checkedRecord);
  const sent = delivered(records, delivery);
  const { message: observed, learned_model }: Answer<"observeSequence"> = await envelope(
    memory,
    { operation: "observeSequence", method: "POST", path: explained("sequence-observe", explain), ...sent },
    others,
  );
  return { observed, learned: learned_model ?? null };
}

/**
 * Stores working memory as a model, then clears it.
 *
 * @returns `MODEL|<hash>`, or `null` if working memory held fewer than two symbols
 * @throws NoemaError 503 if the memory for models is used up
 */
export function learn(memory: Memory, options?: WriteOptions): Promise<ModelLabel | null> {
  return message(memory, { operation: "learn", method: "POST", path: "learn", repeats: "keyed" }, options);
}

/** What to predict from, and how much of it to return. */
export type PredictionQuery = AskPredictions;

/** Predictions with all members, unless the query may name some. */
type Asked<Q extends PredictionQuery> = "fields" extends keyof Q ? PartialPrediction[] : Prediction[];

/**
 * What working memory predicts, best first; or what `sequence` would predict if it were working memory.
 *
 * @param query `top`: maximum number of predictions, 1 to 10,000; `fields`: the members to return; `unique_id`: returns
 *   none unless the last observation has this identifier
 * @throws NoemaError 400 if a value is not accepted, 413 if the matching takes too many steps
 */
export async function getPredictions<const Q extends PredictionQuery = Omit<PredictionQuery, "fields">>(
  memory: Memory,
  query?: Q,
  options?: CallOptions,
): Promise<Asked<Q>> {
  const names = { unique_id: 1, sequence: 1, top: 1, fields: 1 } as const;
  const body = queryBody<PredictionQuery>("getPredictions", query, names);
  const call = { operation: "getPredictions", method: "POST", path: "predictions", repeats: "read", body } as const;
  return (await message(memory, call, options)) as Asked<Q>;
}

/**
 * Makes a query, which changes nothing.
 *
 * @param names the members that its query may have
 * @throws TypeError if the query has another one
 */
async function ask<O extends OperationName, Q>(
  memory: Memory,
  operation: O,
  path: string,
  query: Q | undefined,
  names: Names<Q>,
  options?: CallOptions,
): Promise<Message<O>> {
  const body = queryBody(operation, query, names);
  return message(memory, { operation, method: "POST", path, repeats: "read", body }, options);
}

/** The body of a query. Throws TypeError if the query has an unknown member. */
function queryBody<Q>(operation: string, query: Q | undefined, names: Names<Q>): { data: Q } | undefined {
  return query === undefined ? undefined : { data: checked(`the query of ${operation}`, "member", query, names) };
}

/** What to forecast from, how far ahead, and how much of it to return. */
export type ForecastQuery = AskForecast;

/**
 * What comes next after working memory, and how likely it is; or what would come after `sequence` if it were working
 * memory.
 *
 * @param query `horizon`: number of events ahead, 1 to 10; `top`: maximum number of symbols for each, 1 to 1000
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export function getForecast(memory: Memory, query?: ForecastQuery, options?: CallOptions): Promise<Forecast> {
  return ask(memory, "getForecast", "forecast", query, { horizon: 1, top: 1, sequence: 1 }, options);
}

/** Which prediction to explain, and what to predict it from. */
export type PredictionExplanationQuery = AskPredictionExplanation;

/**
 * The inputs of a prediction's numbers; `null` if the model does not match, or the target class does not admit it.
 *
 * @param query `model`: its hash; `sequence`: what it is predicted from instead of working memory
 * @throws NoemaError 404 if there is no such model, 400 if a value is not accepted, 413 if it takes too many steps
 */
export function explainPrediction(
  memory: Memory,
  query: PredictionExplanationQuery,
  options?: CallOptions,
): Promise<Message<"explainPrediction">> {
  return ask(memory, "explainPrediction", "predictions/explain", query, { model: 1, sequence: 1 }, options);
}

/** Which probability to explain, and what it is forecast from. */
export type ForecastExplanationQuery = AskForecastExplanation;

/**
 * Why a symbol has its probability in a forecast; `null` if no model contributes.
 *
 * @param query `symbol`; `horizon`: number of events ahead, 1 to 10; `within`: whether any event up to that one counts
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export function explainForecast(
  memory: Memory,
  query: ForecastExplanationQuery,
  options?: CallOptions,
): Promise<Message<"explainForecast">> {
  return ask(
    memory,
    "explainForecast",
    "forecast/explain",
    query,
    { symbol: 1, horizon: 1, within: 1, sequence: 1 },
    options,
  );
}

/**
 * How many models working memory would match with each recall threshold, or `sequence` if it were working memory.
 *
 * @param query `recall_thresholds`: 1 to 1000 numbers from 0 to 1; 0 to 1 in steps of a hundredth if absent
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export function countMatchingModels(
  memory: Memory,
  query?: AskMatchingModels,
  options?: CallOptions,
): Promise<MatchingModels> {
  return ask(memory, "countMatchingModels", "matching-models", query, { recall_thresholds: 1, sequence: 1 }, options);
}

/** The event whose surprise to explain, and the events before it. */
export type SurpriseExplanationQuery = AskSurpriseExplanation;

/**
 * The surprise that an event would be, and why; `null` without a memory before it, or without knowledge. Nothing is
 * observed.
 *
 * @param query `event`: its symbols; `sequence`: the events before it, instead of working memory
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export function explainSurprise(
  memory: Memory,
  query: SurpriseExplanationQuery,
  options?: CallOptions,
): Promise<Message<"explainSurprise">> {
  return ask(memory, "explainSurprise", "surprise/explain", query, { event: 1, sequence: 1 }, options);
}

/** A sequence to judge as a whole, and whether it has ended. */
export type SequenceSurpriseQuery = AskSequenceSurprise;

/**
 * How unusual a whole sequence would be, from an empty memory, and why; `null` without knowledge. Nothing is observed.
 *
 * @param query `sequence`: 1 to 1,000 events; `complete`: whether it has ended, true if absent
 * @throws NoemaError 400 if a value is not accepted, 413 if it takes too many steps
 */
export function sequenceSurprise(
  memory: Memory,
  query: SequenceSurpriseQuery,
  options?: CallOptions,
): Promise<Message<"sequenceSurprise">> {
  return ask(memory, "sequenceSurprise", "surprise/sequence", query, { sequence: 1, complete: 1 }, options);
}

/** Records whose symbols to compute. */
export type RecordSymbolsQuery = AskedRecords;

/**
 * The symbols of the events that records would make, one after the other from an empty memory: none for a record that
 * makes no event. Nothing is observed.
 *
 * @throws NoemaError 400 if a record is not accepted, 413 if there are too many
 */
export function recordSymbols(
  processor: Processor,
  query: RecordSymbolsQuery,
  options?: CallOptions,
): Promise<Message<"recordSymbols">> {
  return ask(processor, "recordSymbols", "record-symbols", query, { records: 1 }, options);
}

/** Empties working memory without learning it. */
export function clearWorkingMemory(memory: Memory, options?: WriteOptions): Promise<Message<"clearWorkingMemory">> {
  const path = "working-memory/clear";
  return message(memory, { operation: "clearWorkingMemory", method: "POST", path, repeats: "keyed" }, options);
}

/** Working memory: events, oldest first, each a list of symbols. */
export function getWorkingMemory(memory: Memory, options?: CallOptions): Promise<Sequence> {
  const path = "working-memory";
  return message(memory, { operation: "getWorkingMemory", method: "GET", path, repeats: "read" }, options);
}

/**
 * Deletes everything learned and observed; keeps genes, flags and the target class.
 *
 * @param what whether to empty the blacklist as well: `clear_blacklist`, true if absent
 */
export async function clearAllMemory(
  processor: Processor,
  what?: ClearAllMemory,
  options?: WriteOptions,
): Promise<Message<"clearAllMemory">> {
  const body = queryBody("clearAllMemory", what, { clear_blacklist: 1 });
  const path = "clear-all-memory";
  return message(processor, { operation: "clearAllMemory", method: "POST", path, repeats: "keyed", body }, options);
}

/** Which sessions to list. */
export interface SessionQuery {
  /** Only sessions whose names come after this one. */
  readonly after?: string;
  /** Maximum number of sessions, 1 to 1000; 100 if absent. */
  readonly limit?: number;
}

/**
 * Sessions by name, in the order of UTF-8 bytes. If the number returned equals the limit, there may be more: call again
 * with the last name as `after`.
 *
 * @throws NoemaError 400 if `after` or `limit` is not accepted
 */
export async function listSessions(
  processor: Processor,
  query: SessionQuery = {},
  options?: CallOptions,
): Promise<Session[]> {
  const { after, limit } = checked("the query of listSessions", "member", query, { after: 1, limit: 1 });
  const parameters = new URLSearchParams({
    ...(after !== undefined && { after }),
    ...(limit !== undefined && { limit: String(limit) }),
  });
  const path = parameters.size === 0 ? "sessions" : `sessions?${parameters}`;
  return message(processor, { operation: "listSessions", method: "GET", path, repeats: "read" }, options);
}

/** Ends a session: deletes its memory; the models it has learned stay. Does nothing if there is no such session. */
export async function endSession(
  processor: Processor,
  name: string,
  options?: WriteOptions,
): Promise<Message<"endSession">> {
  const path = `sessions/${nameSegment("the name of a session", name)}`;
  return message(processor, { operation: "endSession", method: "DELETE", path, repeats: "keyed" }, options);
}

/** The last observation as it was sent; an empty object if there was none since the last clear. */
export function getPercept(memory: Memory, options?: CallOptions): Promise<Percept | Record<string, never>> {
  const call = { operation: "getPercept", method: "GET", path: "percept-data", repeats: "read" } as const;
  return message(memory, call, options) as Promise<Percept | Record<string, never>>;
}

/** The last observation as the processor interpreted it, with working memory and predictions. */
export function getCognition(memory: Memory, options?: CallOptions): Promise<Cognition> {
  const path = "cognition-data";
  return message(memory, { operation: "getCognition", method: "GET", path, repeats: "read" }, options);
}
