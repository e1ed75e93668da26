/** Schemas of alerts. */

import { byName, choice, closed, double, either, open, ref, type Schemas, text, whole } from "./schema";

const SECRET_PATTERN =
  "^whsec_(?:(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/][AQgw]==)?|(?:[A-Za-z0-9+/]{4}){8,20}[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$";

const ABOVE = double("The threshold.", { minimum: 0, maximum: 1 });
const SYMBOL = text("The symbol, at most 4096 characters.", { minLength: 1 });
const HORIZON = {
  type: "integer",
  minimum: 1,
  maximum: 10,
  description: "In how many of the next events it may come.",
};
const BITS = double("Surprises of more bits than this.", { minimum: 0 });
const LEARNED = { type: "boolean", const: true, description: "Every model that is learned." };

/** By name. */
export const alertSchemas: Schemas = {
  AlertCondition: either(
    "When an alert tells.",
    closed("When an event surprises.", { surprise_above: BITS }),
    closed("When a probability rises above a threshold.", {
      forecast: closed("That a symbol comes.", {
        symbol: SYMBOL,
        above: ABOVE,
        "horizon?": { ...HORIZON, default: 1 },
      }),
    }),
    closed("When a model is learned.", { learned: LEARNED }),
  ),
  NewAlert: closed("An alert to set.", {
    when: ref("AlertCondition"),
    url: text("Where it is delivered: https, of a host in NOEMA_ALERT_HOSTS. At most 2048 characters.", {
      minLength: 1,
    }),
    "secret?": text("Signs what is delivered: `whsec_` and the base64 of 24 to 64 bytes. Made when absent.", {
      pattern: SECRET_PATTERN,
    }),
  }),
  SetAlert: open("The alert is set.", {
    "secret?": text("The secret that was made. No later answer has it.", { pattern: SECRET_PATTERN }),
  }),
  Alert: open("An alert, without its secret.", {
    last_delivery: either("How the last attempt to deliver ended; null before the first.", ref("AlertDelivery"), {
      type: "null",
    }),
    url: text("Where it is delivered."),
    waiting: whole("How many deliveries wait."),
    when: ref("AlertCondition"),
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
  QueuedDelivery: open("A delivery that is queued.", {
    webhook_id: text("What its header `webhook-id` will be.", { pattern: "^msg_[0-9a-f]{32}$" }),
  }),
};
