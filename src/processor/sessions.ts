/**
 * The sessions of one processor. Keeps their minds in memory within a budget of bytes: evicts the least recently used,
 * and reloads them from the store. Ends sessions, and treats expired ones as ended.
 */

import { isFuture, MS_PER_SECOND } from "../text/clock";
import { endIncidentsIn, endIncidentsInSessions } from "./incidents/ending";
import { Mind } from "./mind";
import { Fault } from "./ports/fault";
import type { Reader, SessionRow } from "./ports/store";
import type { ProcessorCore } from "./processor-core";

/** Number of expired sessions deleted at once to make room for a new one. */
const ENDED_AT_ONCE = 100;

/** Bytes that ended sessions free before others get a turn: a hundredth of a second of work or a few. */
const MAX_ENDED_BYTES = 16_777_216;

/** Number of sessions read at once where some may have expired, even if fewer are wanted. */
const MIN_READ_AT_ONCE = 100;

/** A session's mind in memory, with its approximate heap bytes at its last use. */
interface Held {
  readonly mind: Mind;
  bytes: number;
  /** For an empty mind that replaces an expired stored session: that session's last change, epoch milliseconds. */
  readonly hiddenChange?: number | undefined;
}

/** The gene for sessions. */
interface SessionGenes {
  /** Lifetime of a session without changes, in seconds; 0 for unlimited. */
  readonly session_ttl: number;
}

/** All sessions of a processor. */
export class Sessions {
  readonly #shared: ProcessorCore;
  /** The minds in memory, least recently used first. */
  readonly #held = new Map<string, Held>();
  /** Those with cached predictions, which are evicted first. */
  readonly #predicting = new Set<Held>();
  /** The most recently used. Its bytes are counted when another one is used. */
  #last: Held | undefined;
  #heapBytes = 0;
  /** Number of stored sessions; `undefined` until first needed. */
  #count: number | undefined;
  /** With the lifetime `ttlMs`, no session expires between `since` and `until`, epoch milliseconds. */
  #quiet = { ttlMs: 0, since: 0, until: 0 };

  constructor(shared: ProcessorCore) {
    this.#shared = shared;
  }

  /** Approximate heap bytes of the minds in memory. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  /**
   * The mind of a session; an empty one if there is no such session. Valid until the next call.
   *
   * @param name not empty
   */
  mind(name: string): Mind {
    const held = this.#held.get(name);
    const used = held !== undefined && this.#isCurrent(held) ? held : this.#open(name);
    this.#held.delete(name);
    this.#held.set(name, used);
    if (used !== this.#last) this.#settle(used);
    return used.mind;
  }

  /** Evicts the mind of a session, because it may be ahead of the store. */
  forget(name: string): void {
    this.#drop(name);
    this.#count = undefined;
  }

  /**
   * At most `limit` sessions whose name follows `after` ("" for the first), by name in the order of UTF-8 bytes: fewer
   * where much is stored of them, or where some have expired.
   *
   * @returns `last`: the last that was looked at; `undefined` when there was none
   */
  list(after: string, limit: number): { rows: SessionRow[]; last: string | undefined } {
    const most = this.ttlMs === 0 ? limit : Math.max(limit, MIN_READ_AT_ONCE);
    const read = this.#shared.store.memories.list(after, most);
    const rows = read.filter(({ changedAt }) => !this.#isOver(changedAt)).slice(0, limit);
    return { rows, last: (rows.length === limit ? rows : read).at(-1)?.name };
  }

  /** Ends a session, even one whose memory is damaged. Does nothing when there is none. */
  end(name: string): void {
    this.#drop(name);
    this.#recordEnd(name);
  }

  /** Ends all sessions. */
  endAll(): void {
    this.#held.clear();
    this.#predicting.clear();
    this.#last = undefined;
    this.#heapBytes = 0;
    const { encoders, snapshots, store } = this.#shared;
    if (!snapshots.isEmpty) snapshots.allSessionsEnding(store);
    if (this.#stored() > 0) {
      encoders.keepCollectedOfSessions();
      this.#keepThresholds();
      endIncidentsInSessions(this.#shared);
      store.record({ kind: "sessions-ended" });
    }
    this.#count = 0;
  }

  /**
   * Ends expired sessions, oldest change first.
   *
   * @param limit maximum number to end; fewer where much is stored of them
   * @returns the number ended; 0 if none had expired
   */
  endOver(limit: number): number {
    const { store } = this.#shared;
    const now = this.#shared.now();
    const ttlMs = this.ttlMs;
    // Finding expired sessions scans all of them; with 100,000 that is too slow for each refusal of a new one.
    const { since, until } = this.#quiet;
    const isQuiet = this.#quiet.ttlMs === ttlMs && since <= now && now < until;
    if (ttlMs === 0 || isQuiet) return 0;
    this.#redate(now);
    const names = store.memories.unchangedSince(now - ttlMs, limit);
    const ended = this.#endSome(names);
    if (ended < limit && ended === names.length) {
      this.#quiet = { ttlMs, since: now, until: this.nextEnd ?? now + ttlMs };
    }
    return ended;
  }

  /** Ends sessions, until they have freed {@link MAX_ENDED_BYTES}. @returns the number ended */
  #endSome(names: readonly string[]): number {
    const { store } = this.#shared;
    const least = store.storedBytes() - MAX_ENDED_BYTES;
    for (const [at, name] of names.entries()) {
      this.end(name);
      if (store.storedBytes() < least) return at + 1;
    }
    return names.length;
  }

  /** When the next session expires, epoch milliseconds; `undefined` for never. */
  get nextEnd(): number | undefined {
    return nextEndOf(this.#shared.genes, this.#shared.store, this.#shared.now());
  }

  /** Lifetime of a session without changes, in milliseconds; 0 for unlimited. */
  get ttlMs(): number {
    return ttlMsOf(this.#shared.genes);
  }

  /** If the clock was set back, restarts the lifetime of sessions whose last change is in the future. */
  #redate(now: number): void {
    const { store } = this.#shared;
    if (!isFuture(store.memories.newestChange() ?? 0, now)) return;
    store.record({ kind: "sessions-redated", at: now });
    for (const [name, { mind }] of this.#held) if (mind.changedAt > now) this.#drop(name);
  }

  /** Whether a session that last changed at this time has expired. */
  #isOver(changedAt: number): boolean {
    const ttl = this.ttlMs;
    return ttl > 0 && changedAt + ttl <= this.#shared.now();
  }

  /**
   * Whether a mind in memory still matches its stored session. The session may have expired since, or no longer be
   * expired after a change of the gene.
   */
  #isCurrent({ mind, hiddenChange }: Held): boolean {
    if (mind.isStored) return !this.#isOver(mind.changedAt);
    return hiddenChange === undefined || this.#isOver(hiddenChange);
  }

  #open(name: string): Held {
    this.#drop(name);
    const found = this.#shared.store.memories.read(name);
    const isOver = found !== undefined && this.#isOver(found.state.changedAt);
    const stored = isOver ? undefined : found;
    const mind = new Mind(this.#shared, name, stored, () => this.#create(name, isOver));
    return { mind, bytes: 0, hiddenChange: isOver ? found.state.changedAt : undefined };
  }

  /**
   * Makes room for a new session.
   *
   * @param isOver whether an expired session of this name may still be stored
   * @throws Fault `over-limit`
   */
  #create(name: string, isOver: boolean): void {
    const { budgets, store } = this.#shared;
    if (isOver && store.memories.read(name) !== undefined) this.#recordEnd(name);
    if (this.#stored() >= budgets.sessions) this.endOver(ENDED_AT_ONCE);
    if (this.#stored() >= budgets.sessions) {
      throw new Fault(
        "over-limit",
        `this processor has ${budgets.sessions} sessions, the most that it may have (NOEMA_SESSIONS); end some, ` +
          "or lower the gene session_ttl",
      );
    }
    this.#count = this.#stored() + 1;
  }

  #stored(): number {
    this.#count ??= this.#shared.store.memories.sessionCount();
    return this.#count;
  }

  #recordEnd(name: string): void {
    const { encoders, snapshots, store } = this.#shared;
    if (!snapshots.isEmpty) snapshots.sessionChanging(store, name);
    encoders.keepCollectedOf(name);
    this.#keepThresholds();
    endIncidentsIn(this.#shared, name);
    store.record({ kind: "session-ended", session: name });
    this.#count = undefined;
  }

  /**
   * Stores the self-adjusting thresholds with their alerts, because the memory that ends may hold the newest copies.
   */
  #keepThresholds(): void {
    const { dailyAlerts, store, thresholds } = this.#shared;
    for (const threshold of thresholds.unkept(dailyAlerts)) store.record({ kind: "threshold-kept", threshold });
  }

  /**
   * Counts the bytes of the most recently used mind, and enforces the budget.
   *
   * @param used the mind in use, which stays
   */
  #settle(used: Held): void {
    if (this.#last !== undefined) this.#measure(this.#last);
    this.#last = used;
    const most = this.#shared.budgets.sessionBytes;
    for (const held of this.#predicting) {
      if (this.#heapBytes <= most) return;
      if (held !== used) this.#forgetPredictions(held);
    }
    for (const [name, held] of this.#held) {
      if (this.#heapBytes <= most) return;
      if (held !== used) this.#drop(name);
    }
  }

  #forgetPredictions(held: Held): void {
    held.mind.ensemble.forget();
    held.mind.forecasts.forget();
    this.#measure(held);
  }

  #measure(held: Held): void {
    const bytes = held.mind.heapBytes;
    this.#heapBytes += bytes - held.bytes;
    held.bytes = bytes;
    this.#predicting.delete(held);
    if (held.mind.ensemble.heapBytes > 0) this.#predicting.add(held);
  }

  /** Evicts the mind of a session. */
  #drop(name: string): void {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#held.delete(name);
    this.#predicting.delete(held);
    this.#heapBytes -= held.bytes;
    if (this.#last === held) this.#last = undefined;
  }
}

/**
 * When the next session of a processor expires. Needs only the stored data.
 *
 * @param now epoch milliseconds
 * @returns epoch milliseconds; now, if that session's last change lies in the future, which {@link Sessions.endOver}
 *   corrects; `undefined` for never
 */
export function nextEndOf(genes: SessionGenes, store: Pick<Reader, "memories">, now: number): number | undefined {
  const ttlMs = ttlMsOf(genes);
  const oldest = ttlMs === 0 ? undefined : store.memories.oldestChange();
  if (oldest === undefined) return undefined;
  return isFuture(oldest, now) ? now : oldest + ttlMs;
}

/** Milliseconds without a change after which a session expires; 0 for never. */
export function ttlMsOf({ session_ttl }: SessionGenes): number {
  return session_ttl * MS_PER_SECOND;
}
