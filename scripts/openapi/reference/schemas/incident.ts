/** Schemas of incidents, of histories and of memories at a glance. */

import {
  CauseSchema,
  DeviceSchema,
  HistoryEventSchema,
  IncidentSchema,
  LastSurpriseSchema,
  SeenEventSchema,
} from "../../../../src/gen/noema/v1/incident_pb";
import { JudgeIncidentRequestSchema } from "../../../../src/gen/noema/v1/incident_service_pb";
import { answered, asked, membersOf } from "../../from-contract";
import { either, list, open, ref, type Schemas, text } from "./schema";

/** By name. */
export const incidentSchemas: Schemas = {
  Incident: answered(IncidentSchema),
  IncidentWithEvidence: open("An incident with its evidence.", {
    ...membersOf(IncidentSchema),
    evidence: list("Events before it, its first and its worst, in order.", ref("SeenEvent")),
  }),
  Cause: answered(CauseSchema),
  SeenEvent: answered(SeenEventSchema),
  Judgement: asked(JudgeIncidentRequestSchema, { says: "What an incident was.", without: ["id"] }),
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
    },
  }),
  LastSurprise: answered(LastSurpriseSchema),
};
