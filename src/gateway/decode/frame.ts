/** Turns the messages of a client on a stream, one JSON text each, into frames and subscriptions. */

import { create } from "@bufbuild/protobuf";
import { type Frame, FrameSchema } from "../../gen/noema/v1/frame_pb";
import type { GetForecastRequest, GetPredictionsRequest } from "../../gen/noema/v1/memory_service_pb";
import { GetForecastRequestSchema, GetPredictionsRequestSchema } from "../../gen/noema/v1/memory_service_pb";
import { jsonDepth, MAX_JSON_DEPTH } from "../../text/json-depth";
import type { JsonObject } from "../../text/located";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import { fieldsIn, partsOf } from "./from-contract";
import { decodeGdf, questionOf } from "./memory";
import { asFlag, asObject, asStrings, asWhole, memberOf, refuseUnknown, wrong } from "./value";

/** Maximum number of records in one frame, and in one MQTT message. */
export const MAX_RECORDS = 1000;

const FRAME_MEMBERS = ["n", "clear", "observe", "learn", "predictions", "forecast", "explain", "brief"];

const SUBSCRIBE = "subscribe";

const SUBSCRIPTION_MEMBERS = [SUBSCRIBE, "sessions"];

/** The kinds of events that a stream can subscribe to. */
const EVENT_KINDS = ["incident", "learned", "observed", "surprise"] as const;

const QUESTION_MEMBERS = ["top", "fields"];

const EXTENT_MEMBERS = ["horizon", "top"];

const EXTENT = partsOf(GetForecastRequestSchema, EXTENT_MEMBERS);

/** A client's subscription. */
interface SubscriptionAsked {
  readonly events: readonly (typeof EVENT_KINDS)[number][];
  readonly sessions: boolean;
}

/** The object that a message holds. @throws Refusal 400 when it holds anything else */
export function messageIn(body: Body): LocatedInBody<JsonObject> {
  return asObject(
    body.root(),
    `an object with n and any of ${FRAME_MEMBERS.slice(1).join(", ")}; or with ${SUBSCRIBE}`,
  );
}

/** Whether a message subscribes to events. */
export function isSubscription({ value }: LocatedInBody<JsonObject>): boolean {
  return Object.hasOwn(value, SUBSCRIBE);
}

/** The number of a frame. @throws Refusal 400 when it is not valid */
export function decodeNumber({ value }: LocatedInBody<JsonObject>): number {
  return asWhole(value.n, "n", 1, Number.MAX_SAFE_INTEGER);
}

/**
 * The number of a message that is JSON but not a valid {@link Body}, such as one with half of a surrogate pair.
 *
 * @returns `null` when it is not JSON or not a frame, or has no number
 */
export function numberIn(message: string): number | null {
  // Unlimited nesting would cost the parser a hundred times its own memory.
  if (jsonDepth(message) > MAX_JSON_DEPTH) return null;
  try {
    const object = asObject({ value: JSON.parse(message), way: [], path: "" }, "an object");
    return isSubscription(object) ? null : decodeNumber(object);
  } catch {
    // The answer describes the error.
    return null;
  }
}

/**
 * Reads a frame without its number.
 *
 * @throws Refusal 400 naming the wrong member, 413 when it has too many records
 */
export function decodeFrame(body: Body, message: LocatedInBody<JsonObject>, n: number): Frame {
  const { value } = message;
  body.unknown.note(message, FRAME_MEMBERS);
  const gdfs = Object.hasOwn(value, "observe") ? recordsOf(body, memberOf(message, "observe")) : undefined;
  const predictions = Object.hasOwn(value, "predictions") ? askedOf(body, memberOf(message, "predictions")) : undefined;
  const forecast = Object.hasOwn(value, "forecast") ? forecastOf(body, memberOf(message, "forecast")) : undefined;
  const frame = create(FrameSchema, {
    n,
    clear: flagOf(value, "clear"),
    learn: flagOf(value, "learn"),
    brief: flagOf(value, "brief"),
    explain: flagOf(value, "explain"),
    ...(gdfs !== undefined && { observe: { gdfs } }),
    ...(predictions !== undefined && { predictions }),
    ...(forecast !== undefined && { forecast }),
  });
  refuseUnknown(body);
  return frame;
}

/**
 * Reads a subscription. A subscription without events ends the previous one.
 *
 * @throws Refusal 400 naming the wrong member
 */
export function decodeSubscription(body: Body, message: LocatedInBody<JsonObject>): SubscriptionAsked {
  body.unknown.note(message, SUBSCRIPTION_MEMBERS);
  const names = asStrings(message.value[SUBSCRIBE], SUBSCRIBE);
  const events = names.map((name, i) => {
    const kind = EVENT_KINDS.find((one) => one === name);
    if (kind === undefined) throw wrong(`${SUBSCRIBE}[${i}]`, `one of ${EVENT_KINDS.join(", ")}`, name);
    return kind;
  });
  const sessions = flagOf(message.value, "sessions");
  refuseUnknown(body);
  return { events: [...new Set(events)], sessions };
}

function flagOf(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && asFlag(value[name], name);
}

function recordsOf(body: Body, part: LocatedInBody) {
  const { value } = part;
  if (!Array.isArray(value)) return [decodeGdf(body, part)];
  if (value.length > MAX_RECORDS) {
    throw new Refusal(
      413,
      `observe may have ${MAX_RECORDS} records, got ${value.length}; send the others in another frame`,
    );
  }
  return value.map((record, i) =>
    decodeGdf(body, { value: record, way: [...part.way, i], path: `${part.path}[${i}]` }),
  );
}

/** A frame's query for predictions; `undefined` for none. */
function askedOf(body: Body, part: LocatedInBody): GetPredictionsRequest | undefined {
  if (part.value === false) return undefined;
  if (part.value === true) return create(GetPredictionsRequestSchema, { packed: true });
  const asked = asObject(part, "true, or an object {top?: number, fields?: [member, ...]}");
  body.unknown.note(asked, QUESTION_MEMBERS);
  return create(GetPredictionsRequestSchema, { packed: true, ...questionOf(asked) });
}

/** A frame's query for a forecast; `undefined` for none. */
function forecastOf(body: Body, part: LocatedInBody): GetForecastRequest | undefined {
  if (part.value === false) return undefined;
  if (part.value === true) return create(GetForecastRequestSchema);
  const asked = asObject(part, "true, or an object {horizon?: number, top?: number}");
  body.unknown.note(asked, EXTENT_MEMBERS);
  return create(GetForecastRequestSchema, fieldsIn(asked, EXTENT, body));
}
