/**
 * The snapshots that exports and backups of one processor are reading. Called before every change of a model, symbol,
 * vector or session, so that each snapshot can keep the old row. Free while no snapshot is open. Not stored: an
 * eviction loses them (docs/decisions/031).
 */

import { Fault } from "../ports/fault";
import type { ModelRow, Store } from "../ports/store";
import { type Moment, type PastModel, Snapshot, type SnapshotSection } from "./snapshot";
import type { CountedSymbol } from "./symbol-table";

/** Maximum number of open snapshots of one processor. */
const MAX_SNAPSHOTS = 16;
/** Idle milliseconds after which a snapshot may be ended to make room for a new one. */
const IDLE_MS = 2_000;
/** Idle milliseconds after which a snapshot ends at the next change. */
const ABANDONED_MS = 60_000;
/** Rows read at a time. */
const BATCH = 64;

/** Limits the kept rows of all snapshots of an isolate, in bytes. Beyond it, the largest snapshot ends. */
export class SnapshotBudget {
  readonly limitBytes: number;
  readonly #snapshots = new Set<Snapshot>();

  /** @param limitBytes at least 0 */
  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Counts a snapshot until it ends. */
  add(snapshot: Snapshot): void {
    this.#snapshots.add(snapshot);
  }

  /** Ends the largest snapshots until the others fit. */
  enforce(): void {
    for (const snapshot of this.#snapshots) if (snapshot.isEnded) this.#snapshots.delete(snapshot);
    let bytes = Array.from(this.#snapshots, (snapshot) => snapshot.bytes).reduce((sum, each) => sum + each, 0);
    while (bytes > this.limitBytes) {
      const largest = [...this.#snapshots].reduce((most, each) => (each.bytes > most.bytes ? each : most));
      bytes -= largest.bytes;
      largest.end();
      this.#snapshots.delete(largest);
    }
  }
}

/** The snapshots of one processor, by the names that their readers gave them. */
export class Snapshots {
  readonly #budget: SnapshotBudget;
  readonly #now: () => number;
  readonly #open = new Map<string, Snapshot>();

  /** @param now the time in milliseconds; only differences count */
  constructor(budget: SnapshotBudget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
  }

  /** Whether no snapshot is open, so that changes need not be announced. */
  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Maximum bytes of kept rows. */
  get limitBytes(): number {
    return this.#budget.limitBytes;
  }

  /** The open snapshot of this name; `undefined` if there is none. Restarts its idle time. */
  find(name: string): Snapshot | undefined {
    this.#dropEnded();
    const snapshot = this.#open.get(name);
    if (snapshot !== undefined) snapshot.askedAt = this.#now();
    return snapshot;
  }

  /**
   * Opens a snapshot of the present moment.
   * @param first the section with which its reader begins
   * @throws Fault `unavailable` when too many are being read
   */
  open(name: string, moment: Moment, first: SnapshotSection = "models"): Snapshot {
    this.#dropEnded();
    if (this.#open.size >= MAX_SNAPSHOTS) this.#makeRoom();
    const snapshot = new Snapshot(moment, this.#now(), first);
    this.#open.set(name, snapshot);
    this.#budget.add(snapshot);
    return snapshot;
  }

  /** Closes a snapshot that was read to its end. Does nothing if none has the name. */
  close(name: string): void {
    this.#open.get(name)?.end();
    this.#open.delete(name);
  }

  /** Ends all snapshots, because rows are about to be deleted without notice. */
  endAll(): void {
    for (const name of this.#open.keys()) this.close(name);
  }

  /** Call it before a model changes or is deleted. */
  modelChanging(model: PastModel): void {
    for (const snapshot of this.#open.values()) snapshot.keepModel(model);
  }

  /** Call it before a symbol's counters change. @param symbol with the frequency 0 when it is new */
  symbolChanging(symbol: CountedSymbol): void {
    for (const snapshot of this.#open.values()) snapshot.keepSymbol(symbol);
  }

  /** Call it before a session changes, begins or ends. */
  sessionChanging(store: Store, name: string): void {
    const wanting = [...this.#open.values()].filter((snapshot) => snapshot.wantsSession(name));
    if (wanting.length === 0) return;
    const memory = store.memories.read(name);
    const past = memory && { memory, kept: store.keptSources(name), silence: store.silences.read(name) };
    for (const snapshot of wanting) snapshot.keepSession(name, past);
    this.changesTold();
  }

  /** Call it before an incident is recorded. @param id of the new or changed incident */
  incidentChanging(store: Store, id: number): void {
    const before = store.incidents.inPlaceOf(id);
    if (before === undefined) return;
    for (const snapshot of this.#open.values()) snapshot.keepIncident(before);
    this.changesTold();
  }

  /**
   * Call it before all sessions end. Each snapshot keeps its unread sessions if the budget allows, and ends otherwise.
   */
  allSessionsEnding(store: Store): void {
    for (let after = ""; this.#open.size > 0; ) {
      const names = store.memories.names(after, BATCH);
      for (const name of names) this.sessionChanging(store, name);
      const last = names.at(-1);
      if (last === undefined || names.length < BATCH) return;
      after = last;
    }
  }

  /** Call it after a group of changes. Ends snapshots that are abandoned or exceed the budget. */
  changesTold(): void {
    const now = this.#now();
    for (const snapshot of this.#open.values()) if (idleMs(snapshot, now) > ABANDONED_MS) snapshot.end();
    this.#budget.enforce();
    this.#dropEnded();
  }

  /**
   * Call it before all models, symbols and vectors are deleted. Each snapshot keeps its unread ones if the budget
   * allows, and ends otherwise.
   * @param eventsOf the symbols of a model's events
   */
  allChanging(store: Store, symbols: () => Iterable<CountedSymbol>, eventsOf: (row: ModelRow) => string[][]): void {
    for (const snapshot of this.#open.values()) {
      this.#keepModels(snapshot, store, eventsOf);
      for (const symbol of symbols()) snapshot.keepSymbol(symbol);
      this.#budget.enforce();
      this.#keepVectors(snapshot, store);
      snapshot.detach();
    }
    this.#dropEnded();
  }

  #keepModels(snapshot: Snapshot, store: Store, eventsOf: (row: ModelRow) => string[][]): void {
    for (let after = snapshot.unreadAfter("models"); after !== undefined && !snapshot.isEnded; ) {
      const rows = store.knowledge.modelsAfter(after, BATCH);
      for (const row of rows) if (snapshot.holdsNow(row)) snapshot.keepModel({ row, events: eventsOf(row) });
      after = rows.length < BATCH ? undefined : rows.at(-1)?.name;
      this.#budget.enforce();
    }
  }

  #keepVectors(snapshot: Snapshot, store: Store): void {
    for (let after = snapshot.unreadAfter("vectors"); after !== undefined && !snapshot.isEnded; ) {
      const rows = store.knowledge.vectorsAfter(after, BATCH);
      for (const row of rows) snapshot.keepVector(row);
      after = rows.length < BATCH ? undefined : rows.at(-1)?.name;
      this.#budget.enforce();
    }
  }

  #makeRoom(): void {
    const now = this.#now();
    const [name, idlest] = [...this.#open].reduce((most, each) =>
      idleMs(each[1], now) > idleMs(most[1], now) ? each : most,
    );
    if (idleMs(idlest, now) < IDLE_MS) {
      throw new Fault(
        "unavailable",
        `${MAX_SNAPSHOTS} exports of this processor are being read, and it allows no more at once; ` +
          "try again when one has ended",
      );
    }
    this.close(name);
  }

  #dropEnded(): void {
    for (const [name, snapshot] of this.#open) if (snapshot.isEnded) this.#open.delete(name);
  }
}

/** Idle time of a snapshot, in milliseconds. It restarts if the clock was set back. */
function idleMs(snapshot: Snapshot, now: number): number {
  snapshot.askedAt = Math.min(snapshot.askedAt, now);
  return now - snapshot.askedAt;
}
