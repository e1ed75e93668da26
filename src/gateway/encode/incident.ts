/** Writes incidents, histories and memories at a glance as canonical JSON. */

import {
  CauseSchema,
  type HistoryEvent,
  type Incident,
  IncidentSchema,
  type SeenEvent,
  SeenEventSchema,
} from "../../gen/noema/v1/incident_pb";
import type {
  GetHistoryResponse,
  GetIncidentResponse,
  JudgeIncidentResponse,
  ListIncidentsResponse,
} from "../../gen/noema/v1/incident_service_pb";
import { list, type Member, number, object, text, texts } from "../json/writer";
import { modelLabel, okay } from "./envelope";
import { membersOf, objectOf } from "./from-contract";

/** The answer of the list of incidents. */
export function encodeIncidents(reply: ListIncidentsResponse): string {
  return okay(reply, list(reply.incidents.map(incidentObject)));
}

/** An incident with its evidence. @throws Error when the processor leaves it out */
export function encodeIncident(reply: GetIncidentResponse): string {
  if (reply.incident === undefined) throw new Error("a processor left out the incident");
  const evidence: Member = ["evidence", list(reply.evidence.map(seenObject))];
  return okay(reply, object([...incidentMembers(reply.incident), evidence]));
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
  return object(incidentMembers(incident));
}

function incidentMembers(incident: Incident): Member[] {
  const { causes, session, verdict } = incident;
  return [
    ...membersOf(IncidentSchema, incident, ["causes", "session", "verdict"]),
    ["causes", list(causes.map((cause) => objectOf(CauseSchema, cause)))],
    ["session", session === "" ? "null" : text(session)],
    ["verdict", verdict === "" ? "null" : text(verdict)],
  ];
}

function seenObject(event: SeenEvent): string {
  return objectOf(SeenEventSchema, event);
}

function historyObject({ bits, interval, numbers, symbols, time }: HistoryEvent): string {
  const named = object(numbers.map(({ name, value }) => [name, number(value)]));
  return (
    `{"bits":${bits === undefined ? "null" : number(bits)},"interval":${number(interval)},"numbers":${named},` +
    `"symbols":${texts(symbols)},"time":${number(time)}}`
  );
}
