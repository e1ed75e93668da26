/** Turns the JSON of questions about what comes next into messages. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { GetForecastRequestSchema } from "../../gen/noema/v1/memory_service_pb";
import { type JsonObject, memberPath } from "../../text/located";
import type { Body, LocatedInBody } from "../json/body";
import { sequenceOf } from "./memory";
import { asBounded, asObject, dataOf } from "./value";

/** What asks for a forecast. */
type GetForecastMessage = MessageInitShape<typeof GetForecastRequestSchema>;

const FORECAST_MEMBERS = ["horizon", "top", "sequence"];

const { horizon, top } = GetForecastRequestSchema.field;

/**
 * Reads the body of forecast: nothing, or `{data: {horizon?, top?, sequence?}}`.
 *
 * @throws Refusal 400 naming the member that is wrong
 */
export function decodeGetForecast(body: Body): GetForecastMessage {
  if (body.value === undefined) return {};
  const data = asObject(
    dataOf(body, []),
    "an object {data: {horizon?: number, top?: number, sequence?: [[symbol, ...], ...]}}, or absent",
  );
  const { value, path } = data;
  body.unknown.note(data, FORECAST_MEMBERS);
  return {
    ...extentOf(data),
    ...(Object.hasOwn(value, "sequence") && { sequence: sequenceOf(value.sequence, memberPath(path, "sequence")) }),
  };
}

/** How far an object asks a forecast to look, and how many symbols to name. @throws Refusal 400 naming the member that is wrong */
export function extentOf({ value, path }: LocatedInBody<JsonObject>): Pick<GetForecastMessage, "horizon" | "top"> {
  return {
    ...(Object.hasOwn(value, "horizon") && {
      horizon: asBounded(value.horizon, memberPath(path, "horizon"), horizon),
    }),
    ...(Object.hasOwn(value, "top") && { top: asBounded(value.top, memberPath(path, "top"), top) }),
  };
}
