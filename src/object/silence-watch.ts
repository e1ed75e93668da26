/**
 * Reports memories that have gone silent. Keeps in memory when each one is to be checked, and wakes for the first.
 * After the object was lost, or alerts changed, it reads these times from the store again, in steps, when the alarm
 * rings. An arrival postpones a memory without a search: its old entry is skipped when it comes up.
 */

import type { NextLook, SilenceRules } from "../processor/processor";
import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { isFuture } from "../text/clock";
import type { ObjectAlarm, ScheduledTask } from "./object-alarm";
import { Schedule } from "./schedule";
import type { StoredProcessor } from "./stored-processor";

/** Number of memories read at a time; the store reads fewer if their rows are large. */
const READ_AT_ONCE = 1_000;

/**
 * Number of memories reported in one transaction, because each transaction waits for the disk; fewer if their rows are
 * large. Other calls wait for one transaction.
 */
const TOLD_AT_ONCE = 1_000;

/** Minimum time between checks, in milliseconds: an alarm is billed as a row. */
const SPACING_MS = 1_000;

/** When to check again while a restore of the processor is being decided, in milliseconds. */
const SEALED_MS = 5_000;

/**
 * The latest first check in a new life of the object, in milliseconds from its first call. The alarm already set rings
 * early enough, unless the clock was set back.
 */
const LATEST_MS = 3_600_000;

/** The processor whose memories are watched. */
type WatchedProcessor = Pick<StoredProcessor, "nextLooks" | "silenceRules" | "tellSilences">;

/** What the watch needs from its object. */
export interface SilenceWatchParts {
  readonly stored: WatchedProcessor;
  readonly alarm: Pick<ObjectAlarm, "ringBy">;
  /** Whether a restore of the processor is being decided. */
  isSealed(): boolean;
  /** The time in milliseconds since 1970; the clock's if absent. */
  now?(): number;
}

/** Watches the memories of one processor. All times are epoch milliseconds. */
export class SilenceWatch implements ScheduledTask {
  readonly #parts: SilenceWatchParts;
  readonly #now: () => number;
  /** When to check each memory; `undefined` until that is read from the store. */
  #schedule: Schedule | undefined;
  #isRead = false;
  /** The first and the latest time seen in this life of the object. */
  #born: number;
  #seen: number;

  constructor(parts: SilenceWatchParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#born = this.#now();
    this.#seen = this.#born;
  }

  /** Approximate heap bytes of the schedule. */
  get heapBytes(): number {
    return this.#schedule?.heapBytes ?? 0;
  }

  /** Call this when a memory has observed. @param silentAt when to check it; `undefined` for never */
  arrived(session: string, silentAt: number | undefined): void {
    this.#lookAtClock();
    this.#schedule?.put(session, silentAt);
    if (silentAt !== undefined) this.#parts.alarm.ringBy(silentAt);
  }

  /**
   * Call this when the alerts of silence change, or when the processor has woken, was restored, or returned to service.
   */
  changed(): void {
    this.#forget();
    this.#parts.alarm.ringBy(this.#now());
  }

  /** Reports the memories that are due; other calls get turns in between. */
  async wake(): Promise<void> {
    this.#lookAtClock();
    while (!this.#parts.isSealed()) {
      const rules = this.#parts.stored.silenceRules;
      if (rules === undefined) {
        this.#forget();
        return;
      }
      if (!this.#isRead) await this.#read(rules);
      else if (!this.#tell(rules)) return;
      await yieldToEventLoop();
    }
  }

  nextWake(): number | undefined {
    this.#lookAtClock();
    const now = this.#now();
    if (this.#parts.isSealed()) return now + SEALED_MS;
    if (this.#parts.stored.silenceRules === undefined) return undefined;
    const next = this.#isRead ? this.#schedule?.first : now;
    return next === undefined ? undefined : Math.max(next, now + SPACING_MS);
  }

  latestWake(): number | undefined {
    this.#lookAtClock();
    if (this.#isRead || this.#parts.isSealed()) return this.nextWake();
    const rules = this.#parts.stored.silenceRules;
    if (rules === undefined) return undefined;
    const periods = rules.alerts.map(({ afterMs = LATEST_MS }) => afterMs);
    return this.#now() + Math.max(SPACING_MS, Math.min(LATEST_MS, ...periods));
  }

  /** If the clock was set back, everything is read again, because times of arrivals may lie in the future. */
  #lookAtClock(): void {
    const now = this.#now();
    if (isFuture(this.#seen, now)) {
      this.#forget();
      this.#born = now;
    }
    this.#seen = now;
  }

  #forget(): void {
    this.#schedule = undefined;
    this.#isRead = false;
  }

  /**
   * Reads when to check all memories. Takes arrivals meanwhile into account; if the rules change meanwhile, discards
   * what it read.
   */
  async #read(rules: SilenceRules): Promise<void> {
    const schedule = new Schedule();
    this.#schedule = schedule;
    for (let after: string | undefined; ; await yieldToEventLoop()) {
      if (this.#schedule !== schedule || this.#parts.isSealed()) return;
      const { looks, last } = this.#parts.stored.nextLooks(rules, { now: this.#now(), after, limit: READ_AT_ONCE });
      for (const { at, session } of looks) schedule.put(session, at);
      after = last;
      if (last !== undefined) continue;
      this.#isRead = true;
      return;
    }
  }

  /** Reports some of the due memories. @returns whether there were any */
  #tell(rules: SilenceRules): boolean {
    const schedule = this.#schedule;
    if (schedule === undefined) return true;
    const now = this.#now();
    const sessions = schedule.take(now, TOLD_AT_ONCE);
    if (sessions.length === 0) return false;
    let looks: NextLook[];
    try {
      looks = this.#parts.stored.tellSilences(rules, { sessions, now, born: this.#born });
    } catch (error) {
      // Nothing was reported. The alarm comes again, and everything is read again.
      this.#forget();
      throw error;
    }
    for (const { at, session } of looks) schedule.put(session, at);
    return true;
  }
}
