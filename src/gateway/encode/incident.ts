/** Writes incidents, histories and memories at a glance as canonical JSON. */

import { type HistoryEvent, type Incident, IncidentSchema, SeenEventSchema } from "../../gen/noema/v1/incident_pb";
import type {
  GetHistoryResponse,
  GetIncidentResponse,
  JudgeIncidentResponse,
} from "../../gen/noema/v1/incident_service_pb";
import { list, type Member, number, object, text, texts } from "../json/writer";
import { modelLabel, okay } from "./envelope";
import { membersOf, objectOf } from "./from-contract";

/** An incident with its evidence. @throws Error when the processor leaves it out */
export function encodeIncident(reply: GetIncidentResponse): string {
  if (reply.incident === undefined) throw new Error("a processor left out the incident");
  const evidence: Member = ["evidence", list(reply.evidence.map((event) => objectOf(SeenEventSchema, event)))];
  return okay(reply, object([...membersOf(IncidentSchema, reply.incident), evidence]));
}

/** The answer to a verdict: the model that was learned, or null. */
export function encodeJudgement(reply: JudgeIncidentResponse): string {
  return okay(reply, `{"learned":${reply.learned === "" ? "null" : text(modelLabel(reply.learned))}}`);
}

/** The answer of history. */
export function encodeHistory(reply: GetHistoryResponse): string {
  return okay(reply, list(reply.events.map(historyObject)));
}

/** An incident as a JSON object. */
export function incidentObject(incident: Incident): string {
  return objectOf(IncidentSchema, incident);
}

function historyObject({ bits, interval, numbers, symbols, time }: HistoryEvent): string {
  const named = object(numbers.map(({ name, value }) => [name, number(value)]));
  return (
    `{"bits":${bits === undefined ? "null" : number(bits)},"interval":${number(interval)},"numbers":${named},` +
    `"symbols":${texts(symbols)},"time":${number(time)}}`
  );
}
