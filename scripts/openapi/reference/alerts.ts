/** What the reference says of the rows of alerts in src/gateway/operations/watching.ts. */

import type { Call, Reference } from "./entry";
import { envelope, inData, ref, word } from "./schemas/schema";

const PATH = "/p46b6b076c/alerts/failure";
const URL = "https://hooks.example.org/noema";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const WHEN = { forecast: { symbol: "bus", above: 0.5, horizon: 3 } };

const PUT: Call = { method: "PUT", path: PATH, body: { data: { when: WHEN, url: URL, secret: SECRET } } };

const SHOWN = {
  format: "standard",
  last_delivery: null,
  threshold: null,
  url: URL,
  waiting: 0,
  when: { forecast: { above: 0.5, horizon: 3, symbol: "bus" } },
};

const RETURNED =
  "`{format, last_delivery, threshold, url, waiting, when}`. `threshold` is the bits that an alert of `{surprise: {per_day}}` has chosen, null for others and at first; `url` is null where there is none. `last_delivery` is `{failure, outcome, status, time}` of the last attempt, or null before the first; `waiting` is how many deliveries wait.";

function answer(message: Call["body"]) {
  return { id: "p46b6b076c", interval: 3, message: message ?? null, status: "okay", time_stamp: 1795250628 };
}

/** By row. */
export const alertReference: Reference = {
  "GET /:id/alerts": {
    operationId: ["listAlerts"],
    doc: ["All alerts by name, without their secrets."],
    returns: `An object of alerts by name, each ${RETURNED} [alerts.md](alerts.md) explains alerts.`,
    answer: envelope(ref("Alerts")),
    example: {
      after: [PUT],
      request: { method: "GET", path: "/p46b6b076c/alerts" },
      response: answer({ failure: SHOWN }),
    },
  },
  "GET /:id/alerts/:alert": {
    operationId: ["getAlert"],
    doc: [
      "An alert without its secret, and the outcome of its last delivery.",
      "@throws NoemaError 404 if none has the name",
    ],
    returns: RETURNED,
    failures: [404],
    answer: envelope(ref("Alert")),
    example: { after: [PUT], request: { method: "GET", path: PATH }, response: answer(SHOWN) },
  },
  "PUT /:id/alerts/:alert": {
    operationId: ["setAlert"],
    doc: [
      "Adds or replaces an alert.",
      "@returns the secret, if none was given: no later answer has it",
      "@throws NoemaError 400 if a member is wrong or the deployment does not deliver to that host, 429 if the processor has the maximum number of alerts",
    ],
    takes:
      '`{when, url?, format?, secret?}`. `when` is one of `{surprise_above: bits}`, `{surprise: {per_day: events}}`, `{forecast: {symbol, above, horizon?}}`, `{silent_for: seconds | "expected"}` and `{learned: true}`. `url` is https, of a host in `NOEMA_ALERT_HOSTS`; without one, nothing is delivered. `format` is `standard`, `slack`, `ntfy` or `text`. `secret` is `whsec_` and the base64 of 24 to 64 bytes. [alerts.md](alerts.md) explains alerts.',
    returns: "`{secret}` when the request has none: it is made, and no later answer has it. Else `{}`.",
    request: inData(ref("NewAlert")),
    answer: envelope(ref("SetAlert")),
    example: { request: PUT, response: answer({}) },
  },
  "DELETE /:id/alerts/:alert": {
    operationId: ["deleteAlert"],
    doc: ["Deletes an alert, if there is one, and its waiting deliveries."],
    returns: '`"alert-deleted"`, also when there was no such alert.',
    answer: envelope(word("alert-deleted", "There is no such alert any more.")),
    example: { after: [PUT], request: { method: "DELETE", path: PATH }, response: answer("alert-deleted") },
  },
  "POST /:id/alerts/:alert/test": {
    operationId: ["testAlert"],
    doc: [
      "Queues a test delivery without content; {@link getAlert} tells whether it arrived.",
      "@returns the value of its header `webhook-id`",
      "@throws NoemaError 404 if no alert has the name",
    ],
    returns:
      "`{webhook_id}`: what the header `webhook-id` of the delivery will be. It is queued; GET says what became of it.",
    failures: [404],
    answer: envelope(ref("QueuedDelivery")),
    example: {
      after: [PUT],
      request: { method: "POST", path: `${PATH}/test` },
      response: answer({ webhook_id: "msg_8e3b1f6c0d9a4b52a7f4c1d2e3b4a596" }),
    },
  },
};
