/** Schemas of incidents, of histories and of memories at a glance. */

import {
  CauseSchema,
  DeviceSchema,
  HistoryEventSchema,
  IncidentSchema,
  LastSurpriseSchema,
  SeenEventSchema,
} from "../../../../src/gen/noema/v1/incident_pb";
import { answered, membersOf } from "../../from-contract";
import { choice, closed, either, list, open, ref, type Schemas, text } from "./schema";

const VERDICTS = ["normal", "fault", "ignored"];

const VERDICT = either("What a person says it was; null until one does.", choice(VERDICTS, "The verdict."), {
  type: "null",
});

const SESSION = either("The session; null for the processor's own memory.", text("Its name."), { type: "null" });

const FURTHER = { session: SESSION, verdict: VERDICT };

/** By name. */
export const incidentSchemas: Schemas = {
  Incident: answered(IncidentSchema, { further: FURTHER }),
  IncidentWithEvidence: open("An incident with its evidence.", {
    ...membersOf(IncidentSchema, { further: FURTHER }),
    evidence: list("Events before it, its first and its worst, in order.", ref("SeenEvent")),
  }),
  Cause: answered(CauseSchema),
  SeenEvent: answered(SeenEventSchema),
  Judgement: closed("What an incident was.", {
    verdict: VERDICT,
    "note?": text("A note, at most 1,000 characters; the one before stays when absent.", { maxLength: 1_000 }),
  }),
  Judged: open("The verdict is kept.", {
    learned: either("The model that was learned; null for none.", ref("ModelLabel"), { type: "null" }),
  }),
  HistoryEvent: answered(HistoryEventSchema, {
    further: {
      numbers: {
        type: "object",
        description: "The numbers of its record, by name.",
        additionalProperties: { type: "number" },
      },
    },
  }),
  Device: answered(DeviceSchema, {
    further: {
      last_surprise: either("The worst event of its newest incident; null where none is kept.", ref("LastSurprise"), {
        type: "null",
      }),
      processor: text("The identifier of the processor."),
      session: SESSION,
    },
  }),
  LastSurprise: answered(LastSurpriseSchema),
};
