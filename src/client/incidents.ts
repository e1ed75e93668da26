/**
 * Incidents: surprising events in memories, people's verdicts on them, the latest events, and all memories at a glance.
 */

import type { Device, HistoryEvent, Incident, IncidentWithEvidence, Judged, Judgement } from "./gen/operations";
import { message } from "./transport/call";
import type { Memory, Noema, Processor } from "./transport/connection";
import type { CallOptions, WriteOptions } from "./transport/exchange";
import { checked } from "./transport/members";

/** Which incidents to list; the filters must all hold. */
export interface IncidentQuery {
  /** An id: only older incidents. */
  readonly after?: number;
  /** Maximum number of incidents, 1 to 1000; 100 if absent. */
  readonly limit?: number;
  /** Only those of this session; empty for the processor's own memory. */
  readonly session?: string;
  /** Only those with this verdict; `open`: those without one. */
  readonly verdict?: "open" | "normal" | "fault" | "ignored";
}

/** Which events of a history to list. */
export interface HistoryQuery {
  /** An interval: only earlier events. */
  readonly before?: number;
  /** Maximum number of events, 1 to 1000; 100 if absent. */
  readonly limit?: number;
}

/** Which memories to list. */
export interface DeviceQuery {
  /** Maximum number of memories, 1 to 10000; 1000 if absent. */
  readonly limit?: number;
}

/** A path with the parameters that are set. */
function pathWith(path: string, values: { readonly [name: string]: string | number | undefined }): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * Incidents, newest first; in a session, only its own. If as many come as the limit, there may be more: call again with
 * the last id as `after`.
 *
 * @throws NoemaError 400 if something in the query is not accepted
 */
export async function listIncidents(
  memory: Memory | Processor,
  query: IncidentQuery = {},
  options?: CallOptions,
): Promise<Incident[]> {
  const names = { after: 1, limit: 1, session: 1, verdict: 1 } as const;
  const path = pathWith("incidents", { ...checked("the query of listIncidents", "member", query, names) });
  return message(memory, { operation: "listIncidents", method: "GET", path, repeats: "read" }, options);
}

/** An incident with its evidence. @throws NoemaError 404 if none has the id */
export async function getIncident(
  memory: Memory | Processor,
  id: number,
  options?: CallOptions,
): Promise<IncidentWithEvidence> {
  const path = pathOf(id);
  return message(memory, { operation: "getIncident", method: "GET", path, repeats: "read" }, options);
}

/**
 * Sets the verdict on an incident. When it is first judged normal, its events are learned, with up to ten before them.
 *
 * @returns the model that was learned; `null` for none
 * @throws NoemaError 404 if no incident has the id, 400 if a member is wrong
 */
export async function judgeIncident(
  memory: Memory | Processor,
  id: number,
  judgement: Judgement,
  options?: WriteOptions,
): Promise<Judged> {
  checked("a judgement", "member", judgement, { verdict: 1, note: 1 });
  const call = { operation: "judgeIncident", method: "PUT", path: pathOf(id), repeats: "keyed" } as const;
  return message(memory, { ...call, body: { data: judgement } }, options);
}

/**
 * The newest events of a memory's history, newest first; the gene `history` sets how many are kept.
 *
 * @throws NoemaError 400 if something in the query is not accepted
 */
export async function getHistory(
  memory: Memory,
  query: HistoryQuery = {},
  options?: CallOptions,
): Promise<HistoryEvent[]> {
  const path = pathWith("history", { ...checked("the query of getHistory", "member", query, { before: 1, limit: 1 }) });
  return message(memory, { operation: "getHistory", method: "GET", path, repeats: "read" }, options);
}

/**
 * The memories that have observed, of all processors that the key opens: those with open incidents first, then silent
 * ones, then by last surprise, then by name.
 *
 * @throws NoemaError 400 if the limit is not accepted
 */
export async function listDevices(noema: Noema, query: DeviceQuery = {}, options?: CallOptions): Promise<Device[]> {
  const path = pathWith("devices", { ...checked("the query of listDevices", "member", query, { limit: 1 }) });
  return message(noema, { operation: "listDevices", method: "GET", path, repeats: "read" }, options);
}

function pathOf(id: number): string {
  if (Number.isSafeInteger(id) && id >= 1) return `incidents/${id}`;
  throw new RangeError(`the id of an incident must be a whole number from 1, got ${id}`);
}
