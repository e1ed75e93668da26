/** Schemas of alerts. */

import {
  AlertConditionSchema,
  DailyConditionSchema,
  ForecastConditionSchema,
} from "../../../../src/gen/noema/v1/alert_pb";
import {
  AlertSchema,
  PutAlertRequestSchema,
  PutAlertResponseSchema,
  TestAlertResponseSchema,
} from "../../../../src/gen/noema/v1/alert_service_pb";
import { SECRET_PATTERN } from "../../../../src/text/alert-secret";
import { answered, asked, askedOneOf, commentOn, schemaOf } from "../../from-contract";
import { byName, choice, either, open, ref, type Schemas, text, whole } from "./schema";

const { learned, silentFor } = AlertConditionSchema.field;

const NULL = { type: "null" };

const secret = (message: typeof PutAlertRequestSchema | typeof PutAlertResponseSchema) =>
  text(commentOn(`${message.typeName}.secret`), { pattern: SECRET_PATTERN.source });

/** By name. */
export const alertSchemas: Schemas = {
  AlertCondition: askedOneOf(AlertConditionSchema, {
    silent_for: either(
      "For how long.",
      { ...schemaOf(silentFor), description: "A number of seconds." },
      {
        const: "expected",
        description:
          "For longer than all but one in a thousand of the gaps between its arrivals; below 1,000 gaps, for twice the longest; below 20, never.",
      },
    ),
    learned: { ...schemaOf(learned), const: true },
  }),
  DailyCondition: asked(DailyConditionSchema),
  ForecastCondition: asked(ForecastConditionSchema),
  NewAlert: asked(PutAlertRequestSchema, {
    says: "An alert to set.",
    without: ["name"],
    further: { "secret?": secret(PutAlertRequestSchema) },
  }),
  SetAlert: answered(PutAlertResponseSchema, { further: { "secret?": secret(PutAlertResponseSchema) } }),
  Alert: answered(AlertSchema, {
    says: "An alert, without its secret.",
    without: ["name"],
    further: { last_delivery: either(commentOn(`${AlertSchema.typeName}.last_delivery`), ref("AlertDelivery"), NULL) },
  }),
  AlertDelivery: open("An attempt to deliver.", {
    failure: either("Why it failed, in a sentence; null when it was delivered.", text("The sentence."), NULL),
    outcome: choice(["delivered", "failed"], "How it ended."),
    status: either("The HTTP status; null when there was no answer.", whole("The status.", 100), NULL),
    time: whole("When it ended, in seconds since 1970."),
  }),
  Alerts: byName("Alerts by name.", ref("Alert")),
  QueuedDelivery: answered(TestAlertResponseSchema, { says: "A delivery that is queued." }),
};
