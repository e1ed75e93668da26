/**
 * Records incidents, and ends those of deleted memories: what a memory knows of its incidents moves into their rows.
 */

import type { Snapshots } from "../knowledge/snapshots";
import type { IncidentRow, IncidentSummary, RunningIncident } from "../ports/incident";
import type { Store } from "../ports/store";
import { evidenceOf } from "./evidence";

/** Where incidents are recorded. */
export interface IncidentPlace {
  readonly snapshots: Snapshots;
  readonly store: Store;
}

/** Records an incident, after open backups have kept the row that it replaces. */
export function recordIncident({ snapshots, store }: IncidentPlace, incident: IncidentRow): void {
  if (!snapshots.isEmpty) snapshots.incidentChanging(store, incident.id);
  store.record({ kind: "incident-put", incident });
}

/** Ends an incident: writes what its memory knows of it, if that is more than the row holds. */
export function endIncident(place: IncidentPlace, lasting: RunningIncident): void {
  const row = lasting.events > 1 ? place.store.incidents.read(lasting.id) : undefined;
  if (row === undefined) return;
  const evidence = evidenceOf(row, lasting);
  recordIncident(place, { ...withProgress(row, lasting), evidence, isRunning: false });
}

/** An incident with what its memory knows of it. */
export function withProgress<Row extends IncidentSummary>(row: Row, lasting: RunningIncident | undefined): Row {
  if (lasting === undefined) return row;
  const { bits, causes, events, expected, to } = lasting;
  return { ...row, bits, causes, events, expected, to };
}

/** Ends the incidents of a session that is about to be deleted. */
export function endIncidentsIn(place: IncidentPlace, session: string): void {
  for (const lasting of place.store.memories.running(session)) endIncident(place, lasting);
}

/** Ends the incidents of all sessions, which are about to be deleted. */
export function endIncidentsInSessions(place: IncidentPlace): void {
  const sessions = new Set(place.store.incidents.running().map(({ session }) => session));
  for (const session of sessions) if (session !== "") endIncidentsIn(place, session);
}
