/** What the reference says of the rows in src/gateway/operations/incidents.ts. */

import {
  GetHistoryRequestSchema,
  ListDevicesRequestSchema,
  ListIncidentsRequestSchema,
} from "../../../src/gen/noema/v1/incident_service_pb";
import { schemaOf } from "../from-contract";
import type { Call, Reference } from "./entry";
import { choice, envelope, inData, list, ref, text } from "./schemas/schema";

const P1 = "/p46b6b076c";

const ALERT: Call = { method: "PUT", path: `${P1}/alerts/odd`, body: { data: { when: { surprise_above: 1 } } } };
const GENE: Call = { method: "POST", path: `${P1}/genes/change`, body: { data: { history: 10 } } };
const ODD: Call = { method: "POST", path: `${P1}/observe`, body: { data: { strings: ["rain"], time: 1795250628 } } };

/** What makes an incident: the clear, so that the event before it has a time, too. */
const BEFORE: readonly Call[] = [
  ALERT,
  { method: "POST", path: `${P1}/working-memory/clear` },
  { method: "POST", path: `${P1}/observe`, body: { data: { strings: ["morning", "coffee"], time: 1795250568 } } },
  ODD,
];

const BITS = 6.137056387757654;

const EXPECTED = [
  { probability: 0.5130350481981004, symbol: "bus" },
  { probability: 0.18664668163470166, symbol: "coffee" },
  { probability: 0.18664668163470166, symbol: "morning" },
];

const CAUSES = [{ bits: BITS, symbol: "rain" }];

const EVIDENCE = [
  { bits: null, interval: null, symbols: ["coffee", "morning"], time: 1795250568 },
  { bits: BITS, interval: 5, symbols: ["rain"], time: 1795250628 },
];

const PLACE = { from: 1795250628, id: 1, interval: 5, note: "", session: null, to: 1795250628, verdict: null };

const SHOWN = "`{alert, bits, causes, events, expected, from, id, interval, note, session, to, verdict}`";

function answer(message: Call["body"], interval = 5) {
  return { id: "p46b6b076c", interval, message: message ?? null, status: "okay", time_stamp: 1795250628 };
}

/** By row. */
export const incidentReference: Reference = {
  "GET /:id/incidents": {
    operationId: ["listIncidents"],
    doc: [
      "Incidents, newest first; in a session, only its own. If as many come as the limit, there may be more: call again with the last id as `after`.",
      "@throws NoemaError 400 if something in the query is not accepted",
    ],
    takes:
      "None. `after` in the query is an id: only older incidents are listed. `limit` is the most, 1 to 1000, 100 if absent. `session` lists those of one session, empty those of the processor's own memory; `verdict` those that are `open`, `normal`, `fault` or `ignored`.",
    returns: `A list of ${SHOWN}, newest first; in a session its own. [incidents.md](incidents.md) explains incidents.`,
    query: {
      after: schemaOf(ListIncidentsRequestSchema.field.after),
      limit: schemaOf(ListIncidentsRequestSchema.field.limit),
      session: text("Only those of this session; empty for the processor's own memory.", {
        maxLength: 128,
        pattern: "^(?!\\.{1,2}$)[^\\p{Cc}\\p{Cs}]*$",
      }),
      verdict: choice(["open", "normal", "fault", "ignored"], "Only those with this verdict; open: those without."),
    },
    answer: envelope(list("Newest first.", ref("Incident"))),
    example: {
      after: BEFORE,
      request: { method: "GET", path: `${P1}/incidents?limit=10` },
      response: answer([{ alert: "odd", bits: BITS, causes: CAUSES, events: 1, expected: EXPECTED, ...PLACE }]),
    },
  },
  "GET /:id/incidents/:incident": {
    operationId: ["getIncident"],
    doc: ["An incident with its evidence.", "@throws NoemaError 404 if none has the id"],
    returns: `${SHOWN}, and \`evidence\`: up to ten events before it, the first ten that passed with those between, and the worst twenty, each as \`{bits, interval, symbols, time}\`.`,
    failures: [404],
    answer: envelope(ref("IncidentWithEvidence")),
    example: {
      after: BEFORE,
      request: { method: "GET", path: `${P1}/incidents/1` },
      response: answer({
        alert: "odd",
        bits: BITS,
        causes: CAUSES,
        events: 1,
        evidence: EVIDENCE,
        expected: EXPECTED,
        ...PLACE,
      }),
    },
  },
  "PUT /:id/incidents/:incident": {
    operationId: ["judgeIncident"],
    doc: [
      "Sets the verdict on an incident. When it is first judged normal, its events are learned, with up to ten before them.",
      "@returns the model that was learned; `null` for none",
      "@throws NoemaError 404 if no incident has the id, 400 if a member is wrong",
    ],
    takes:
      "`{verdict, note?}`. `verdict` is `normal`, `fault`, `ignored` or null for none. A note has at most 1,000 characters; the one before stays when it is absent.",
    returns:
      "`{learned}`: the model that was learned of its events and up to ten before them, as `MODEL|<hash>`, the first time that the verdict is `normal`. Else null.",
    failures: [404],
    request: inData(ref("Judgement")),
    answer: envelope(ref("Judged")),
    example: {
      after: BEFORE,
      request: { method: "PUT", path: `${P1}/incidents/1`, body: { data: { verdict: "fault", note: "wet sensor" } } },
      response: answer({ learned: null }),
    },
  },
  "GET /:id/history": {
    operationId: ["getHistory"],
    doc: [
      "The newest events of a memory's history, newest first; the gene `history` sets how many are kept.",
      "@throws NoemaError 400 if something in the query is not accepted",
    ],
    takes:
      "None. `before` in the query is an interval: only earlier events are listed. `limit` is the most, 1 to 1000, 100 if absent.",
    returns:
      "A list of `{bits, interval, numbers, symbols, time}`, newest first. The gene `history` says how many events a memory keeps; `bits` is null where nothing asked for it.",
    query: {
      before: schemaOf(GetHistoryRequestSchema.field.before),
      limit: schemaOf(GetHistoryRequestSchema.field.limit),
    },
    answer: envelope(list("Newest first.", ref("HistoryEvent"))),
    example: {
      after: [GENE, ODD],
      request: { method: "GET", path: `${P1}/history?limit=1` },
      response: answer([{ bits: null, interval: 4, numbers: {}, symbols: ["rain"], time: 1795250628 }], 4),
    },
  },
  "GET /devices": {
    operationId: ["listDevices"],
    doc: [
      "The memories that have observed, of all processors that the key opens: those with open incidents first, then silent ones, then by last surprise, then by name.",
      "@throws NoemaError 400 if the limit is not accepted",
    ],
    takes: "None. `limit` in the query is the most memories, 1 to 10000, 1000 if absent.",
    returns:
      "A list of `{incidents, last_observed, last_surprise, processor, session, silent}` of the memories that have observed, of all processors that the key opens: those with open incidents first, then silent ones, then by last surprise, then by name.",
    query: { limit: schemaOf(ListDevicesRequestSchema.field.limit) },
    answer: envelope(list("Those that need a look first.", ref("Device"))),
    example: {
      after: BEFORE,
      request: { method: "GET", path: "/devices" },
      response: {
        id: "agent",
        interval: 0,
        message: [
          {
            incidents: 1,
            last_observed: 1795250628,
            last_surprise: { bits: BITS, time: 1795250628 },
            processor: "p46b6b076c",
            session: null,
            silent: false,
          },
        ],
        status: "okay",
        time_stamp: 1795250628,
      },
    },
  },
};
