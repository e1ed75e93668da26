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
  if (row === undefined || !row.isRunning) return;
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

/** Ends the incidents of all sessions, which are about to be deleted, unless {@link LateEndings} does. */
export function endIncidentsInSessions(place: IncidentPlace): void {
  if (place.store.memories.endsLater === true) return;
  const sessions = new Set(place.store.incidents.running().map(({ session }) => session));
  for (const session of sessions) if (session !== "") endIncidentsIn(place, session);
}

/** Number of incidents that end in a piece. */
const ENDED_AT_ONCE = 16;

/** Ends the incidents of deleted sessions in pieces, because each takes as long as reading its session's state. */
export class LateEndings {
  /** Which deletions {@link #left} is about. */
  #deletions = "";
  #left: Pick<IncidentRow, "id" | "session">[] = [];

  /**
   * Ends some incidents.
   *
   * @param deletions names the deletions of sessions whose incidents may last
   * @returns whether there may be more
   */
  endSome(place: IncidentPlace, deletions: readonly string[]): boolean {
    const { incidents, memories } = place.store;
    if (this.#deletions !== deletions.join()) {
      this.#deletions = deletions.join();
      this.#left = incidents.running();
    }
    for (const { id, session } of this.#left.splice(0, ENDED_AT_ONCE)) {
      const lasting = memories.runningEnded?.(session).find((one) => one.id === id);
      if (lasting !== undefined) endIncident(place, lasting);
    }
    return this.#left.length > 0;
  }

  /** Call it when a piece was rolled back. */
  startOver(): void {
    this.#deletions = "";
  }
}
