/** Decodes alerts, as the contract describes them, except for two values: a secret, and a pause that is expected. */

import { getOption, type MessageInitShape } from "@bufbuild/protobuf";
import { AlertConditionSchema } from "../../gen/noema/v1/alert_pb";
import {
  type DeleteAlertRequestSchema,
  type GetAlertsRequestSchema,
  PutAlertRequestSchema,
  type TestAlertRequestSchema,
} from "../../gen/noema/v1/alert_service_pb";
import { bounds } from "../../gen/noema/v1/bounds_pb";
import { isAlertSecret, SECRET_WORDS } from "../../text/alert-secret";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import type { Address } from "../request-context";
import { decodeData } from "./from-contract";
import { noteAll, wrong } from "./value";

/** Replaces a number of seconds of silence. */
const EXPECTED = "expected";

const { most: MAX_SILENT_S = 0 } = getOption(AlertConditionSchema.field.silentFor, bounds);

const decodeAlert = decodeData(PutAlertRequestSchema, {
  without: ["name"],
  readers: { secret: secretAt, silent_for: silentForAt },
});

/**
 * Reads the body of a PUT: `{data: {when, url?, format?, secret?}}`.
 *
 * @throws Refusal 400 naming the wrong value and the accepted ones
 */
export function decodePutAlert(body: Body, address: Address): MessageInitShape<typeof PutAlertRequestSchema> {
  const name = nameIn(address);
  return { ...decodeAlert(body), name };
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

/** A secret, which refusals never quote. */
function secretAt({ value, path }: LocatedInBody): string {
  if (typeof value === "string" && isAlertSecret(value)) return value;
  throw new Refusal(400, `${path} must be ${SECRET_WORDS}`);
}

/** The seconds for which a memory must be silent; 0 for the expected pause. */
function silentForAt({ value, path }: LocatedInBody): number {
  if (value === EXPECTED) return 0;
  if (typeof value === "number" && value > 0 && value <= MAX_SILENT_S) return value;
  throw wrong(path, `a number of seconds above 0 and at most ${MAX_SILENT_S}, or "${EXPECTED}"`, value);
}
