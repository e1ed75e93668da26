/** Turns the records of a knowledge base file into messages. The processor checks whether a record fits its key. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ForecastRecordSchema } from "../../gen/noema/v1/forecast_pb";
import type { ModelSchema, VectorRecordSchema } from "../../gen/noema/v1/model_pb";
import { excerpt } from "../../text/excerpt";
import { type JsonObject, memberPath } from "../../text/located";
import { MODEL_PREFIX, VECTOR_PREFIX, withoutPrefix } from "../../text/names";
import { MAX_COMPONENTS, tooMany } from "../../text/request-limits";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import { emotiveValuesOf, eventsOf, given, metadataListOf } from "./model";
import { asList, asNumber, asNumbers, asObject, asString, asWhole, memberOf } from "./value";

/** The greatest order accepted, the same as the processor's. */
const MAX_ORDER = 2 ** 52;

/**
 * Reads a model record. Ignores its length, which follows from the sequence.
 *
 * @param key the name under which the record stands
 * @throws Refusal 400 naming the wrong member
 */
export function modelOf(record: Body, key: string, path: string): MessageInitShape<typeof ModelSchema> {
  const located = asObject(record.root(path), "a model {emotives, frequency, metadata, name, sequence}");
  const { value } = located;
  const name = withoutPrefix(key, MODEL_PREFIX);
  checkName(located, "name", name, MODEL_PREFIX);
  return {
    name,
    sequence: eventsOf(memberOf(located, "sequence")),
    frequency: given(value, "frequency") ? asNumber(value.frequency, memberPath(path, "frequency")) : 1,
    emotives: given(value, "emotives") ? emotiveValuesOf(memberOf(located, "emotives")) : [],
    metadataJson: given(value, "metadata") ? metadataListOf(record, memberOf(located, "metadata")) : [],
    ...orderOf(located),
    ...(given(value, "times") && { runs: runsOf(value.times, memberPath(path, "times")) }),
  };
}

/** The times of a model's events. The processor checks their number and range. */
function runsOf(value: unknown, path: string): { times: number[] }[] {
  return asList(value, path, "a list of lists of times").map((times, at) => ({
    times: asNumbers(times, `${path}[${at}]`),
  }));
}

/**
 * Reads a vector record. Ignores its length, which follows from the components.
 *
 * @param key the name under which the record stands
 * @throws Refusal 400 naming the wrong member, 413 for more than MAX_COMPONENTS components
 */
export function vectorOf(record: Body, key: string, path: string): MessageInitShape<typeof VectorRecordSchema> {
  const located = asObject(record.root(path), "a vector {hash, length, name, vector}");
  const name = withoutPrefix(key, VECTOR_PREFIX);
  checkName(located, "hash", name, VECTOR_PREFIX);
  checkName(located, "name", name, VECTOR_PREFIX);
  const at = memberPath(path, "vector");
  const components = asNumbers(located.value.vector, at);
  // The processor would print and hash a longer one before it finds that no row can hold it.
  const count = components.length;
  if (count > MAX_COMPONENTS) throw new Refusal(413, `${at}: ${tooMany.components(MAX_COMPONENTS, count)}`);
  return { name, components, ...orderOf(located) };
}

/**
 * Reads the record of past forecasts: a list of lists of numbers. The processor checks their number and range.
 *
 * @throws Refusal 400 naming the wrong list or number
 */
export function forecastRecordOf(value: unknown, path: string): MessageInitShape<typeof ForecastRecordSchema> {
  const horizons = asList(value, path, "a list of lists of numbers").map((numbers, at) => ({
    numbers: asNumbers(numbers, `${path}[${at}]`),
  }));
  return { horizons };
}

/** The order in which a record was learned: smaller is older. Nothing if the file does not give it. */
function orderOf({ value, path }: LocatedInBody<JsonObject>): { order?: number } {
  if (!given(value, "order")) return {};
  return { order: asWhole(value.order, memberPath(path, "order"), 1, MAX_ORDER) };
}

/**
 * Checks a symbol record, which adds nothing to the models.
 *
 * @throws Refusal 400 when it is not an object
 */
export function checkSymbol(record: Body, path: string): void {
  asObject(record.root(path), "a symbol {features, name}");
}

function checkName(record: LocatedInBody<JsonObject>, name: string, expected: string, prefix: string): void {
  if (!given(record.value, name)) return;
  const path = memberPath(record.path, name);
  const found = asString(record.value[name], path);
  if (withoutPrefix(found, prefix) === expected) return;
  throw new Refusal(
    400,
    `${path} must be ${excerpt(expected)}, the name under which the record stands, got ${excerpt(found)}`,
  );
}
