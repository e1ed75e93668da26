/** Reads requests about incidents, histories and devices. */

import { type DescField, getOption, type MessageInitShape } from "@bufbuild/protobuf";
import { bounds } from "../../gen/noema/v1/bounds_pb";
import {
  type GetHistoryRequestSchema,
  type GetIncidentRequestSchema,
  GetHistoryRequestSchema as History,
  JudgeIncidentRequestSchema,
  type ListIncidentsRequestSchema,
  ListIncidentsRequestSchema as Listing,
} from "../../gen/noema/v1/incident_service_pb";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import type { Body } from "../json/body";
import { Refusal } from "../refusal";
import type { Address, Query } from "../request-context";
import { decodeData } from "./from-contract";
import { asBounded, noteAll, wrong } from "./value";

const decodeVerdict = decodeData(JudgeIncidentRequestSchema, { without: ["id"] });

const FILTERS = ["open", ...getOption(JudgeIncidentRequestSchema.field.verdict, bounds).words];

/** Reads the query of the list of incidents. @throws Refusal 400 naming the wrong parameter */
export function decodeListIncidents(
  body: Body,
  { query }: Address,
): MessageInitShape<typeof ListIncidentsRequestSchema> {
  noteAll(body);
  const { session, verdict } = query;
  if (session !== undefined && typeof session !== "string") throw wrong("session in the query", "given once", session);
  const refusal = session === undefined || session === "" ? undefined : nameRefusal(session);
  if (refusal !== undefined) throw wrong("session in the query", refusal, session);
  if (verdict !== undefined && !FILTERS.some((word) => word === verdict)) {
    throw wrong("verdict in the query", `one of ${FILTERS.join(", ")}`, verdict);
  }
  return {
    ...numberIn(query, "after", Listing.field.after),
    ...numberIn(query, "limit", Listing.field.limit),
    ...(session !== undefined && { session }),
    ...(verdict !== undefined && { verdict: String(verdict) }),
  };
}

/** Reads the id of an incident from the path. @throws Refusal 404 when no incident can have it */
export function decodeIncidentId(body: Body, address: Address): MessageInitShape<typeof GetIncidentRequestSchema> {
  noteAll(body);
  return { id: idIn(address) };
}

/** Reads a verdict. @throws Refusal 400 naming the wrong member, 404 when no incident can have the id */
export function decodeJudgeIncident(body: Body, address: Address): MessageInitShape<typeof JudgeIncidentRequestSchema> {
  const id = idIn(address);
  return { ...decodeVerdict(body), id };
}

/** Reads the query of a history. @throws Refusal 400 naming the wrong parameter */
export function decodeGetHistory(body: Body, { query }: Address): MessageInitShape<typeof GetHistoryRequestSchema> {
  noteAll(body);
  return { ...numberIn(query, "before", History.field.before), ...numberIn(query, "limit", History.field.limit) };
}

function idIn({ params: { incident = "" } }: Address): number {
  const id = /^\d{1,16}$/.test(incident) ? Number(incident) : 0;
  if (Number.isSafeInteger(id) && id >= 1) return id;
  throw new Refusal(404, `there is no incident ${excerpt(incident)}: an id is a whole number from 1`);
}

/** A whole number in a query, as a member; nothing if absent. @throws Refusal 400 for any other value */
export function numberIn(query: Query, name: string, field: DescField): { [name: string]: number } {
  const given = query[name];
  if (given === undefined) return {};
  const isDecimal = typeof given === "string" && /^\d{1,16}$/.test(given);
  return { [name]: asBounded(isDecimal ? Number(given) : given, `${name} in the query`, field) };
}
