/**
 * Turns the JSON of observations, and of calls about memory, into messages. Observations become complete messages, with
 * their type's name, so that the library does not have to copy them.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Emotive, Gdf, NamedNumber, Vector } from "../../gen/noema/v1/gdf_pb";
import {
  type ClearAllMemoryRequestSchema,
  type EndSessionRequestSchema,
  GetPredictionsRequestSchema,
  type GetRecordSymbolsRequest,
  ListSessionsRequestSchema,
  type ObserveRequest,
  type ObserveSequenceRequest,
} from "../../gen/noema/v1/memory_service_pb";
import { PredictionSchema } from "../../gen/noema/v1/prediction_pb";
import { nameRefusal } from "../../text/chosen-names";
import { ACCEPTED_TIME_OR_TEXT, isTime, timeOfText } from "../../text/event-time";
import { excerpt } from "../../text/excerpt";
import { isJsonObject, type JsonObject, memberPath } from "../../text/located";
import { MAX_METADATA_BYTES, MAX_RECORD_NUMBERS, tooMany } from "../../text/request-limits";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import type { Address } from "../request-context";
import { DELIVERY, deliveryIn } from "./delivery";
import {
  asBounded,
  asFlag,
  asList,
  asNumber,
  asNumbers,
  asObject,
  asString,
  asStrings,
  dataOf,
  flagIn,
  memberOf,
  noteAll,
  refuseUnknown,
  UNIQUE_ID,
  wrong,
} from "./value";

/** The members of a GDF with a meaning. */
const GDF_PARTS = ["strings", "vectors", "numbers", "emotives", "metadata", "time"];

/** The members of a GDF that are kept, but have no meaning. */
const GDF_LABELS = ["command", "unique_id"];

/** The members of a GDF. A body with one of them may be a GDF without the wrapper. */
const GDF_MEMBERS = [...GDF_PARTS, ...GDF_LABELS];

/** The members of a request for predictions beyond the interface specification. */
const QUESTION = ["sequence", "top", "fields"];

/** All members of a request for predictions. */
const PREDICTIONS_MEMBERS = [...UNIQUE_ID, ...QUESTION];

/** The members of a sequence, including what to do before and after it. */
const SEQUENCE_MEMBERS = ["sequence", "learn", "clear"];

/** The members of a prediction: those of its message, and `type`, which is the same in all. */
const MEMBERS = [...PredictionSchema.fields.map(({ name }) => name), "type"].sort();

/** {@link MEMBERS} as one text. */
const MEMBERS_LIST = MEMBERS.join(", ");

/** A request for predictions. */
type GetPredictionsMessage = MessageInitShape<typeof GetPredictionsRequestSchema>;

/** The query parameter that asks for the surprise of each record. */
export const EXPLAIN = "explain";

/** The part of an observation's address that matters. */
type Asking = Pick<Address, "query">;

/** The members that may stand beside a record. */
const BESIDE_RECORD: readonly string[] = [...UNIQUE_ID, DELIVERY];

/** The members that may stand beside a sequence. It has no identifier, because its records have theirs. */
const BESIDE_SEQUENCE: readonly string[] = [DELIVERY];

const GDF = "a GDF: an object with any of strings, vectors, numbers, emotives, metadata, time";

const ACCEPTED = "an object {data: GDF} with any of strings, vectors, numbers, emotives, metadata, time";

/**
 * Reads the query and the body of observe: `explain`, and `{data: GDF, delivery?}`, with `unique_id` inside data or
 * beside it, or a GDF alone. A body with a delivery, which the interface specification does not have, may hold no
 * unknown members.
 *
 * @throws Refusal 400 naming the wrong parameter or member
 */
export function decodeObserve(body: Body, { query }: Asking): ObserveRequest {
  const explain = flagIn(query, EXPLAIN);
  const data = dataOf(body, BESIDE_RECORD);
  if (data.path === "" && !(isJsonObject(data.value) && hasGdfMember(data.value)))
    throw wrong("", ACCEPTED, data.value);
  const delivery = deliveryIn(body);
  const gdf = decodeGdf(body, data);
  if (gdf.uniqueId === "") gdf.uniqueId = uniqueIdBeside(body);
  if (delivery === undefined) return { $typeName: "noema.v1.ObserveRequest", gdf, path: [], explain };
  refuseUnknown(body);
  return { $typeName: "noema.v1.ObserveRequest", gdf, path: [], delivery, explain };
}

/**
 * Reads the query and the body of sequence-observe: `explain`, and `{data: {sequence: [GDF, …], learn?: bool, clear?:
 * bool}, delivery?}`, or data's object alone.
 *
 * @throws Refusal 400 naming the wrong parameter or member, 413 when the records have more than MAX_RECORD_NUMBERS
 *   emotives and numbers
 */
export function decodeObserveSequence(body: Body, { query }: Asking): ObserveSequenceRequest {
  const explain = flagIn(query, EXPLAIN);
  const data = asObject(
    dataOf(body, BESIDE_SEQUENCE),
    "an object {data: {sequence: [GDF, ...], learn?: bool, clear?: bool}}",
  );
  const { value, path } = data;
  body.unknown.note(data, SEQUENCE_MEMBERS);
  const delivery = deliveryIn(body);
  const sequence = memberOf(data, "sequence");
  const records = asList(sequence.value, sequence.path, "a list of GDFs");
  return {
    $typeName: "noema.v1.ObserveSequenceRequest",
    sequence: gdfsOf(body, { ...sequence, value: records }),
    learn: Object.hasOwn(value, "learn") ? asFlag(value.learn, memberPath(path, "learn")) : false,
    clear: Object.hasOwn(value, "clear") ? asFlag(value.clear, memberPath(path, "clear")) : false,
    explain,
    ...(delivery !== undefined && { delivery }),
  };
}

/**
 * Reads the body of record-symbols: `{data: {records: [GDF, ...]}}`, or that object alone.
 *
 * @throws Refusal as {@link decodeObserveSequence}
 */
export function decodeGetRecordSymbols(body: Body): Pick<GetRecordSymbolsRequest, "records"> {
  const data = asObject(dataOf(body, []), "an object {data: {records: [GDF, ...]}}");
  body.unknown.note(data, ["records"]);
  const records = memberOf(data, "records");
  return { records: gdfsOf(body, { ...records, value: asList(records.value, records.path, "a list of GDFs") }) };
}

/**
 * Reads the body of predictions: nothing, or `{data: {unique_id?, sequence?, top?, fields?}}`. The answer may be
 * packed. A body with any of the last three, which are beyond the interface specification, may hold no unknown members.
 *
 * @throws Refusal 400 naming the wrong member
 */
export function decodeGetPredictions(body: Body): GetPredictionsMessage {
  if (body.value === undefined) return { packed: true };
  const data = asObject(
    dataOf(body),
    "an object {data: {unique_id?: string, sequence?: [[symbol, ...], ...], top?: number, fields?: [member, " +
      "...]}}, or absent",
  );
  const { value, path } = data;
  body.unknown.note(data, PREDICTIONS_MEMBERS);
  const message: GetPredictionsMessage = { uniqueId: optionalString(value, "unique_id", path), packed: true };
  if (!QUESTION.some((name) => Object.hasOwn(value, name))) return message;
  refuseUnknown(body);
  return {
    ...message,
    ...(Object.hasOwn(value, "sequence") && { sequence: sequenceOf(value.sequence, memberPath(path, "sequence")) }),
    ...questionOf(data),
  };
}

/**
 * The number of predictions, and the members of each, that an object requests.
 *
 * @throws Refusal 400 naming the wrong member
 */
export function questionOf({ value, path }: LocatedInBody<JsonObject>): Pick<GetPredictionsMessage, "top" | "fields"> {
  return {
    ...(Object.hasOwn(value, "top") && {
      top: asBounded(value.top, memberPath(path, "top"), GetPredictionsRequestSchema.field.top),
    }),
    ...(Object.hasOwn(value, "fields") && { fields: fieldsOf(value.fields, memberPath(path, "fields")) }),
  };
}

/** The events of a member `sequence`. @throws Refusal 400 when it is not a list of events, or an event has no symbol */
export function sequenceOf(value: unknown, path: string): { events: { symbols: string[] }[] } {
  const events = asList(value, path, "a list of events, each a list of symbols");
  return {
    events: events.map((event, i) => {
      const symbols = asStrings(event, `${path}[${i}]`);
      if (symbols.length === 0) throw wrong(`${path}[${i}]`, "a list of one or more symbols", symbols);
      return { symbols };
    }),
  };
}

function fieldsOf(value: unknown, path: string): string[] {
  const names = asStrings(value, path);
  if (names.length === 0) throw wrong(path, `a list of one or more of ${MEMBERS_LIST}`, names);
  for (const [i, name] of names.entries()) {
    if (!MEMBERS.includes(name)) throw wrong(`${path}[${i}]`, `one of ${MEMBERS_LIST}`, name);
  }
  return names;
}

/**
 * Reads the body of clear-all-memory: nothing, or `{data: {clear_blacklist: bool}}`; true if absent.
 *
 * @throws Refusal 400 when clear_blacklist is neither true nor false
 */
export function decodeClearAllMemory(body: Body): MessageInitShape<typeof ClearAllMemoryRequestSchema> {
  if (body.value === undefined) return {};
  const data = asObject(dataOf(body), "an object {data: {clear_blacklist: bool}}, or absent");
  body.unknown.note(data, ["clear_blacklist"], UNIQUE_ID);
  if (!Object.hasOwn(data.value, "clear_blacklist")) return {};
  return { keepBlacklist: !asFlag(data.value.clear_blacklist, memberPath(data.path, "clear_blacklist")) };
}

/**
 * Reads the query of the list of sessions: `after` and `limit`, both optional.
 *
 * @throws Refusal 400 naming the wrong parameter
 */
export function decodeListSessions(body: Body, { query }: Address): MessageInitShape<typeof ListSessionsRequestSchema> {
  noteAll(body);
  const { after = "", limit } = query;
  if (typeof after !== "string") throw wrong("after in the query", "given once", after);
  const refusal = after === "" ? undefined : nameRefusal(after);
  if (refusal !== undefined) throw wrong("after in the query", refusal, after);
  if (limit === undefined) return { after };
  const isDecimal = typeof limit === "string" && /^\d{1,4}$/.test(limit);
  return {
    after,
    limit: asBounded(isDecimal ? Number(limit) : limit, "limit in the query", ListSessionsRequestSchema.field.limit),
  };
}

/** Reads the name of the session to end from the path. @throws Refusal 400 when no session can have it */
export function decodeEndSession(
  body: Body,
  { params: { session = "" } }: Address,
): MessageInitShape<typeof EndSessionRequestSchema> {
  noteAll(body);
  const refusal = nameRefusal(session);
  if (refusal !== undefined) throw wrong("the session in the path", refusal, session);
  return { session };
}

/** The identifier that stands beside `data`; empty for none. */
function uniqueIdBeside(body: Body): string {
  return isJsonObject(body.value) ? optionalString(body.value, "unique_id", "") : "";
}

function hasGdfMember(value: JsonObject): boolean {
  return GDF_MEMBERS.some((name) => Object.hasOwn(value, name));
}

/**
 * Reads the records of a sequence.
 *
 * @throws Refusal 400 naming the wrong member, 413 for too many records, or above MAX_RECORD_NUMBERS
 */
function gdfsOf(body: Body, { value, way, path }: LocatedInBody<readonly unknown[]>): Gdf[] {
  const { sequenceRecords = Number.POSITIVE_INFINITY } = body.budgets ?? {};
  if (value.length > sequenceRecords) throw new Refusal(413, tooMany.records(sequenceRecords, value.length));
  let named = 0;
  return value.map((record, i) => {
    const gdf = decodeGdf(body, { value: record, way: [...way, i], path: `${path}[${i}]` });
    named += gdf.emotives.length + gdf.numbers.length;
    if (named <= MAX_RECORD_NUMBERS) return gdf;
    throw new Refusal(413, tooMany.named(MAX_RECORD_NUMBERS, `${path}[${i}]`));
  });
}

/** Reads a GDF. Notes members that a GDF does not have, but refuses an object that has only such members. */
export function decodeGdf(body: Body, part: LocatedInBody): Gdf {
  const data = asObject(part, GDF);
  const { value, path } = data;
  const [first] = Object.keys(value);
  if (first !== undefined && !hasGdfMember(value))
    throw new Refusal(400, `${path || "the record"} must be ${GDF}, got ${excerpt(first)}`);
  body.unknown.note(data, GDF_PARTS, GDF_LABELS);
  return {
    $typeName: "noema.v1.Gdf",
    strings: Object.hasOwn(value, "strings") ? asStrings(value.strings, memberPath(path, "strings")) : [],
    vectors: Object.hasOwn(value, "vectors") ? vectorsOf(value.vectors, memberPath(path, "vectors")) : [],
    emotives: Object.hasOwn(value, "emotives") ? emotivesOf(value.emotives, memberPath(path, "emotives")) : [],
    metadataJson: Object.hasOwn(value, "metadata") ? metadataOf(body, memberOf(data, "metadata")) : "",
    uniqueId: optionalString(value, "unique_id", path),
    command: optionalString(value, "command", path),
    numbers: Object.hasOwn(value, "numbers") ? numbersOf(value.numbers, memberPath(path, "numbers")) : [],
    ...(Object.hasOwn(value, "time") && { time: timeOf(value.time, memberPath(path, "time")) }),
  };
}

function timeOf(value: unknown, path: string): number {
  const time = typeof value === "string" ? timeOfText(value) : value;
  if (!isTime(time)) throw wrong(path, ACCEPTED_TIME_OR_TEXT, value);
  return time;
}

function vectorsOf(value: unknown, path: string): Vector[] {
  const vectors = asList(value, path, "a list of vectors, each a list of finite numbers");
  return vectors.map((vector, i) => ({
    $typeName: "noema.v1.Vector",
    components: asNumbers(vector, `${path}[${i}]`),
  }));
}

function emotivesOf(value: unknown, path: string): Emotive[] {
  if (!isJsonObject(value)) throw wrong(path, "an object of finite numbers by name", value);
  return Object.entries(value).map(([name, number]) => ({
    $typeName: "noema.v1.Emotive",
    name,
    value: asNumber(number, memberPath(path, name)),
  }));
}

function numbersOf(value: unknown, path: string): NamedNumber[] {
  if (!isJsonObject(value)) throw wrong(path, "an object of finite numbers by name", value);
  return Object.entries(value).map(([name, number]) => ({
    $typeName: "noema.v1.NamedNumber",
    name,
    value: asNumber(number, memberPath(path, name)),
  }));
}

/**
 * Metadata as compact text in the sender's order; empty text for `{}`.
 *
 * @throws Refusal 413 when it takes more than MAX_METADATA_BYTES
 */
export function metadataOf(body: Body, part: LocatedInBody): string {
  if (!isJsonObject(part.value)) throw wrong(part.path, "an object", part.value);
  return Object.keys(part.value).length === 0 ? "" : body.ordered(part, MAX_METADATA_BYTES);
}

function optionalString(value: JsonObject, name: string, path: string): string {
  return Object.hasOwn(value, name) ? asString(value[name], memberPath(path, name)) : "";
}
