/** The verbs of IncidentService: surprising events in the memories of a processor, and people's verdicts on them. */

import type { SeenEvent } from "../../../gen/plain";
import { recordIncident, withProgress } from "../../incidents/ending";
import { evidenceOf, MAX_PRECEDING_EVENTS } from "../../incidents/evidence";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import {
  type IncidentFilter,
  type IncidentRow,
  type IncidentSummary,
  MAX_INCIDENTS,
  MAX_NOTE,
  type RunningIncident,
  type Verdict,
} from "../../ports/incident";
import type { HistoryEvent } from "../../ports/store";
import type { Sessions } from "../../sessions";
import { askedSymbols } from "../event-symbols";
import { learnEvents } from "../learning";

/** A person's verdict on an incident. */
export interface Judgement {
  readonly id: number;
  /** `undefined` removes the verdict. */
  readonly verdict: Verdict | undefined;
  /** If absent, the note does not change. */
  readonly note?: string | undefined;
}

/** One method per rpc of IncidentService. */
export class IncidentVerbs {
  readonly #mind: Mind;
  readonly #sessions: Sessions;

  /** @param mind the processor's own memory, which sees the incidents of all memories, or a session's */
  constructor(mind: Mind, sessions: Sessions) {
    this.#mind = mind;
    this.#sessions = sessions;
  }

  /** At most `limit` incidents, newest first; in a session, only its own. @param limit 1 or more */
  list(filter: IncidentFilter, limit: number): IncidentSummary[] {
    const { session } = this.#mind;
    const rows = this.#mind.store.incidents.list(session === "" ? filter : { ...filter, session }, limit);
    const lasting = new Map<string, readonly RunningIncident[]>();
    return rows.map((row) => {
      if (!row.isRunning) return row;
      const known = lasting.get(row.session) ?? this.#mind.store.memories.running(row.session);
      lasting.set(row.session, known);
      return withProgress(
        row,
        known.find(({ id }) => id === row.id),
      );
    });
  }

  /** An incident with its evidence. @throws Fault `unknown` when there is none, or it belongs to another memory */
  get(id: number): IncidentRow {
    const row = this.#found(id);
    const lasting = this.#lasting(row);
    return { ...withProgress(row, lasting), evidence: evidenceOf(row, lasting) };
  }

  /**
   * Sets the verdict on an incident. When it is first judged normal, its events are learned, together with up to ten
   * events before them, as far as they are kept.
   *
   * @returns the name of the model, without prefix; empty when nothing was learned
   * @throws Fault `unknown` as {@link get}; `invalid` for a note that is too long; and as learning does
   */
  judge({ id, verdict, note }: Judgement): { learned: string } {
    if (note !== undefined && note.length > MAX_NOTE) {
      throw new Fault("invalid", `note must have at most ${MAX_NOTE} characters, got ${note.length}`);
    }
    const row = this.#found(id);
    const isFirst = verdict === "normal" && !row.isLearned;
    const learned = isFirst ? learnEvents(this.#mind, this.#eventsOf(row)) : "";
    recordIncident(this.#mind.shared, { ...row, verdict, note: note ?? row.note, isLearned: row.isLearned || isFirst });
    this.#mind.recordState();
    if ((row.verdict === undefined) !== (verdict === undefined)) this.#tellJudged(row);
    return { learned };
  }

  /** Reports that an incident was opened or closed, if no newer one of its memory is open. */
  #tellJudged({ id, interval, session }: IncidentRow): void {
    const { activityListener } = this.#mind.shared;
    if (!activityListener?.isListening) return;
    const [newest] = this.list({ session, verdict: "open" }, 1);
    if (newest !== undefined && newest.id > id) return;
    activityListener.notify({ kind: "judged", session, interval: newest?.interval ?? interval, newest });
  }

  /**
   * The newest events in the memory's history, newest first; no more than its gene says now, even where the memory has
   * observed nothing since the gene was lowered.
   *
   * @param before only events of an earlier interval; all if absent
   * @param limit 1 or more
   */
  history(before: number | undefined, limit: number): HistoryEvent[] {
    const { history: most } = this.#mind.genes;
    const history = most === 0 ? [] : this.#mind.state.history.slice(-most);
    const earlier = before === undefined ? history : history.filter(({ interval }) => interval < before);
    return earlier.slice(-limit).reverse();
  }

  #found(id: number): IncidentRow {
    const { session, store } = this.#mind;
    const row = store.incidents.read(id);
    if (row !== undefined && (session === "" || row.session === session)) return row;
    const suffix = session === "" ? "" : " of this session";
    throw new Fault(
      "unknown",
      `there is no incident ${id}${suffix}; the newest ${MAX_INCIDENTS} of a processor are kept`,
    );
  }

  #lasting({ id, isRunning, session }: IncidentRow): RunningIncident | undefined {
    return isRunning ? this.#mind.store.memories.running(session).find((one) => one.id === id) : undefined;
  }

  /** The events of an incident with those before it, in order, without symbols blacklisted since. */
  #eventsOf(row: IncidentRow): string[][] {
    const evidence = evidenceOf(row, this.#lasting(row));
    const dated = evidence.filter(({ interval }) => interval !== undefined);
    const last = dated.reduce((most, { interval = 0 }) => Math.max(most, interval), row.interval);
    const mind = row.session === this.#mind.session ? this.#mind : this.#sessions.mind(row.session);
    const { to } = withProgress(row, this.#lasting(row));
    // In a session that ended and began again, the same intervals belong to later events.
    const seen = mind.state.history.filter(
      ({ interval, time }) => time <= to && interval >= row.interval - MAX_PRECEDING_EVENTS && interval <= last,
    );
    const byInterval = new Map<number, SeenEvent>();
    for (const event of [...seen, ...dated]) byInterval.set(event.interval ?? 0, event);
    const hasBefore = [...byInterval.keys()].some((interval) => interval < row.interval);
    const undated = hasBefore ? [] : evidence.filter(({ interval }) => interval === undefined);
    const inOrder = [...byInterval].sort(([one], [other]) => one - other).map(([, event]) => event);
    const events = [...undated, ...inOrder].map(({ symbols }) => askedSymbols(this.#mind, symbols));
    return events.filter(({ length }) => length > 0);
  }
}
