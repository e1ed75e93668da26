/** Schemas of alerts. */

import {
  AlertConditionSchema,
  DailyConditionSchema,
  ForecastConditionSchema,
} from "../../../../src/gen/noema/v1/alert_pb";
import {
  AlertSchema,
  PutAlertRequestSchema,
  TestAlertResponseSchema,
} from "../../../../src/gen/noema/v1/alert_service_pb";
import { SECRET_FORM } from "../../../../src/text/alert-secret";
import { answered, asked, commentOn, schemaOf } from "../../from-contract";
import { byName, choice, closed, either, open, ref, type Schemas, text, whole } from "./schema";

const { surpriseAbove, learned } = AlertConditionSchema.field;

const SILENT_FOR = schemaOf(AlertConditionSchema.field.silentFor);

const DAILY = commentOn(`${DailyConditionSchema.typeName}.per_day`);

const FORMATS = ["standard", "slack", "ntfy", "text"];

/** By name. */
export const alertSchemas: Schemas = {
  AlertCondition: either(
    "When an alert tells.",
    closed("When an event surprises.", { surprise_above: schemaOf(surpriseAbove) }),
    closed("When a probability rises above a threshold.", { forecast: asked(ForecastConditionSchema) }),
    closed("When an event passes a threshold that follows what is observed.", {
      surprise: ref("DailyCondition"),
    }),
    closed("When a memory has not observed, by the server's clock.", {
      silent_for: either(
        "For how long.",
        {
          type: "number",
          format: "double",
          description: "A number of seconds.",
          exclusiveMinimum: 0,
          maximum: Number(SILENT_FOR.maximum),
        },
        {
          const: "expected",
          description:
            "For longer than all but one in a thousand of the gaps between its arrivals; below 1,000 gaps, for twice the longest; below 20, never.",
        },
      ),
    }),
    closed("When a model is learned.", { learned: { ...schemaOf(learned), const: true } }),
  ),
  DailyCondition: closed(commentOn(DailyConditionSchema.typeName), {
    per_day: { type: "number", format: "double", description: DAILY, exclusiveMinimum: 0, maximum: 10_000 },
  }),
  NewAlert: asked(PutAlertRequestSchema, {
    says: "An alert to set.",
    without: ["name"],
    further: {
      "format?": choice(FORMATS, "How deliveries are written; standard if absent."),
      "url?": text("Where it is delivered: https, of a host in `NOEMA_ALERT_HOSTS`. Left out: nothing is delivered.", {
        minLength: 1,
      }),
      "secret?": text("Signs what is delivered: `whsec_` and the base64 of 24 to 64 bytes. Made when absent.", {
        pattern: SECRET_FORM.source,
      }),
    },
  }),
  SetAlert: open("The alert is set.", {
    "secret?": text("The secret that was made. No later answer has it.", { pattern: SECRET_FORM.source }),
  }),
  Alert: answered(AlertSchema, {
    says: "An alert, without its secret.",
    without: ["name"],
    further: {
      format: choice(FORMATS, "How deliveries are written."),
      url: either("Where it is delivered; null for an alert that delivers nothing.", text("The address."), {
        type: "null",
      }),
      last_delivery: either("How the last attempt to deliver ended; null before the first.", ref("AlertDelivery"), {
        type: "null",
      }),
    },
  }),
  AlertDelivery: open("An attempt to deliver.", {
    failure: either("Why it failed, in a sentence; null when it was delivered.", text("The sentence."), {
      type: "null",
    }),
    outcome: choice(["delivered", "failed"], "How it ended."),
    status: either("The HTTP status; null when there was no answer.", whole("The status.", 100), { type: "null" }),
    time: whole("When it ended, in seconds since 1970."),
  }),
  Alerts: byName("Alerts by name.", ref("Alert")),
  QueuedDelivery: answered(TestAlertResponseSchema, { says: "A delivery that is queued." }),
};
