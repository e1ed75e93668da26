/** Turns the JSON of questions about why something is predicted into messages. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ExplainForecastRequestSchema,
  ExplainPredictionRequestSchema,
  ExplainSurpriseRequestSchema,
} from "../../gen/noema/v1/memory_service_pb";
import { type JsonObject, memberPath } from "../../text/located";
import { MODEL_PREFIX, withoutPrefix } from "../../text/names";
import type { Body, LocatedInBody } from "../json/body";
import { extentOf } from "./forecast";
import { sequenceOf } from "./memory";
import { asFlag, asObject, asString, asStrings, dataOf, memberOf, wrong } from "./value";

/**
 * Reads the body of predictions/explain: `{data: {model, sequence?}}`.
 *
 * @throws Refusal 400 naming the member that is wrong
 */
export function decodeExplainPrediction(body: Body): MessageInitShape<typeof ExplainPredictionRequestSchema> {
  const data = asObject(dataOf(body, []), "an object {data: {model: string, sequence?: [[symbol, ...], ...]}}");
  body.unknown.note(data, ["model", "sequence"]);
  const model = memberOf(data, "model");
  return { model: withoutPrefix(asString(model.value, model.path), MODEL_PREFIX), ...sequenceIn(data) };
}

/**
 * Reads the body of forecast/explain: `{data: {symbol, horizon?, within?, sequence?}}`.
 *
 * @throws Refusal 400 naming the member that is wrong
 */
export function decodeExplainForecast(body: Body): MessageInitShape<typeof ExplainForecastRequestSchema> {
  const data = asObject(
    dataOf(body, []),
    "an object {data: {symbol: string, horizon?: number, within?: bool, sequence?: [[symbol, ...], ...]}}",
  );
  const { value, path } = data;
  body.unknown.note(data, ["symbol", "horizon", "within", "sequence"]);
  const symbol = memberOf(data, "symbol");
  return {
    symbol: asString(symbol.value, symbol.path),
    ...extentOf(data),
    within: Object.hasOwn(value, "within") ? asFlag(value.within, memberPath(path, "within")) : false,
    ...sequenceIn(data),
  };
}

/**
 * Reads the body of surprise/explain: `{data: {event, sequence?}}`.
 *
 * @throws Refusal 400 naming the member that is wrong
 */
export function decodeExplainSurprise(body: Body): MessageInitShape<typeof ExplainSurpriseRequestSchema> {
  const data = asObject(dataOf(body, []), "an object {data: {event: [symbol, ...], sequence?: [[symbol, ...], ...]}}");
  body.unknown.note(data, ["event", "sequence"]);
  const event = memberOf(data, "event");
  const symbols = asStrings(event.value, event.path);
  if (symbols.length === 0) throw wrong(event.path, "a list of one or more symbols", symbols);
  return { event: { symbols }, ...sequenceIn(data) };
}

/** The memory that an object asks about, where it names one. */
function sequenceIn({ value, path }: LocatedInBody<JsonObject>) {
  if (!Object.hasOwn(value, "sequence")) return {};
  return { sequence: sequenceOf(value.sequence, memberPath(path, "sequence")) };
}
