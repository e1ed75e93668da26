/** Decodes alerts: their conditions and addresses. */

import { getOption, type MessageInitShape } from "@bufbuild/protobuf";
import { AlertConditionSchema, DailyConditionSchema, ForecastConditionSchema } from "../../gen/noema/v1/alert_pb";
import type {
  DeleteAlertRequestSchema,
  GetAlertsRequestSchema,
  PutAlertRequestSchema,
  TestAlertRequestSchema,
} from "../../gen/noema/v1/alert_service_pb";
import { bounds } from "../../gen/noema/v1/bounds_pb";
import { isAlertSecret, SECRET_WORDS } from "../../text/alert-secret";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import type { Address } from "../request-context";
import { asBounded, asNumber, asObject, asString, dataOf, memberOf, noteAll, wrong } from "./value";

const WANTED = 'an object such as {"when": {"learned": true}, "url": "https://hooks.example.org/noema"}';

const CONDITIONS = ["surprise_above", "surprise", "forecast", "silent_for", "learned"];

const ONE_CONDITION = "an object with one of the members surprise_above, surprise, forecast, silent_for and learned";

/** Replaces a number of seconds of silence. */
const EXPECTED = "expected";

const FORMATS = ["standard", "slack", "ntfy", "text"];

/**
 * Reads the body of a PUT: `{data: {when, url?, format?, secret?}}`.
 *
 * @throws Refusal 400 naming the wrong value and the accepted ones
 */
export function decodePutAlert(body: Body, address: Address): MessageInitShape<typeof PutAlertRequestSchema> {
  const data = asObject(dataOf(body, []), WANTED);
  body.unknown.note(data, ["when", "url", "format", "secret"]);
  const url = memberOf(data, "url");
  return {
    name: nameIn(address),
    when: conditionAt(body, memberOf(data, "when")),
    url: url.value === undefined ? "" : textAt(url),
    format: formatAt(memberOf(data, "format")),
    secret: secretAt(memberOf(data, "secret")),
  };
}

/** Requests all alerts, or the one that the path names. */
export function decodeGetAlerts(body: Body, address: Address): MessageInitShape<typeof GetAlertsRequestSchema> {
  noteAll(body);
  return address.params.alert === undefined ? {} : { name: nameIn(address) };
}

/** Reads the name of the alert from the path. @throws Refusal 400 when no alert can have it */
export function decodeAlertName(
  body: Body,
  address: Address,
): MessageInitShape<typeof DeleteAlertRequestSchema | typeof TestAlertRequestSchema> {
  noteAll(body);
  return { name: nameIn(address) };
}

function nameIn({ params: { alert = "" } }: Address): string {
  const refusal = nameRefusal(alert);
  if (refusal === undefined) return alert;
  throw new Refusal(400, `the alert in the path must be ${refusal}, got ${excerpt(alert)}`);
}

/** A secret, which refusals never quote; empty to generate one. */
function secretAt({ value, path }: LocatedInBody): string {
  if (value === undefined) return "";
  if (typeof value === "string" && isAlertSecret(value)) return value;
  throw new Refusal(400, `${path} must be ${SECRET_WORDS}`);
}

/** A text that is not empty. The processor and its object check everything else. */
function textAt({ value, path }: LocatedInBody): string {
  if (value === "") throw wrong(path, "a string that is not empty", value);
  return asString(value, path);
}

function conditionAt(body: Body, located: LocatedInBody): MessageInitShape<typeof AlertConditionSchema> {
  const when = asObject(located, ONE_CONDITION);
  body.unknown.note(when, CONDITIONS);
  const given = CONDITIONS.filter((name) => Object.hasOwn(when.value, name));
  const [name = ""] = given;
  if (given.length > 1) throw new Refusal(400, `${when.path} must have one condition, got ${given.join(" and ")}`);
  if (given.length === 0) {
    const [other] = Object.keys(when.value);
    const got = other === undefined ? "an empty object" : `the member ${excerpt(other)}`;
    throw new Refusal(400, `${when.path} must be ${ONE_CONDITION}, got ${got}`);
  }
  const condition = memberOf(when, name);
  if (name === "forecast") return { when: { case: "forecast", value: forecastAt(body, condition) } };
  const { value, path } = condition;
  if (name === "learned") {
    if (value !== true) throw wrong(path, "true", value);
    return { when: { case: "learned", value } };
  }
  if (name === "silent_for") return { when: { case: "silentFor", value: silentForAt(condition) } };
  if (name === "surprise") return { when: { case: "surprise", value: { perDay: perDayAt(body, condition) } } };
  if (asNumber(value, path) < 0) throw wrong(path, "a number of bits, 0 or more", value);
  return { when: { case: "surpriseAbove", value: asNumber(value, path) } };
}

/** The number of events a day that an alert asks for. */
function perDayAt(body: Body, located: LocatedInBody): number {
  const surprise = asObject(located, 'an object such as {"per_day": 3}');
  body.unknown.note(surprise, ["per_day"]);
  const { value, path } = memberOf(surprise, "per_day");
  const most = getOption(DailyConditionSchema.field.perDay, bounds).most ?? 0;
  if (typeof value === "number" && value > 0 && value <= most) return value;
  throw wrong(path, `a number above 0 and at most ${most}`, value);
}

/** The seconds for which a memory must be silent; 0 for the expected pause. */
function silentForAt({ value, path }: LocatedInBody): number {
  if (value === EXPECTED) return 0;
  const most = getOption(AlertConditionSchema.field.silentFor, bounds).most ?? 0;
  if (typeof value === "number" && value > 0 && value <= most) return value;
  throw wrong(path, `a number of seconds above 0 and at most ${most}, or "${EXPECTED}"`, value);
}

/** The format of deliveries; empty for the standard. */
function formatAt({ value, path }: LocatedInBody): string {
  if (value === undefined || value === FORMATS[0]) return "";
  if (FORMATS.some((format) => format === value)) return String(value);
  throw wrong(path, `one of ${FORMATS.join(", ")}`, value);
}

function forecastAt(body: Body, located: LocatedInBody): MessageInitShape<typeof ForecastConditionSchema> {
  const forecast = asObject(located, 'an object such as {"symbol": "state=failed", "above": 0.5, "horizon": 3}');
  body.unknown.note(forecast, ["symbol", "above", "horizon"]);
  const symbol = memberOf(forecast, "symbol");
  const above = memberOf(forecast, "above");
  const horizon = memberOf(forecast, "horizon");
  const probability = asNumber(above.value, above.path);
  if (probability < 0 || probability > 1) throw wrong(above.path, "a probability from 0 to 1", above.value);
  return {
    symbol: textAt(symbol),
    above: probability,
    horizon:
      horizon.value === undefined ? 1 : asBounded(horizon.value, horizon.path, ForecastConditionSchema.field.horizon),
  };
}
