/**
 * Delivers the notices of one processor's alerts from a queue of its own. Each alert is a lane, so a webhook that fails
 * or hangs delays no other. A notice is written in the transaction of the call that caused it, and stays until it is
 * delivered, or given up after a day. After a crash it may be sent twice.
 */

import type { StoredAlert } from "../../processor/ports/alert";
import { type AlertLane, AlertQueueTable, type QueuedNotice } from "../../store/alerts/alert-queue-table";
import { AlertTable } from "../../store/alerts/alert-table";
import { MAX_JOINED_CHARACTERS } from "../../store/alerts/joined-silences";
import { Database } from "../../store/database/database";
import { CORRECTED_MS } from "../../text/clock";
import { excerpt } from "../../text/excerpt";
import { parsedUrl } from "../../text/hosts";
import { alertCounts } from "../counts/counts";
import type { ObjectAlarm, ScheduledTask } from "../object-alarm";
import { GONE, type Outcome, type Send, TIMEOUT_MS } from "./alert-delivery";
import { MAX_NAMED } from "./alert-words";

/** When the alarm checks the queue in case the object is lost, in milliseconds from now. */
const SAFETY_MS = 5_000;

/** Minimum time between attempts of one alert, in milliseconds. */
const SPACING_MS = 1_000;

/**
 * Maximum concurrent attempts of one alert of silence while its webhook works; they are not spaced by {@link
 * SPACING_MS}.
 */
const MAX_SILENCE_ATTEMPTS = 3;

/**
 * Maximum number of waiting notices of silence, and their longest wait in milliseconds, before deliveries are joined.
 */
const MAX_SEPARATE_NOTICES = 100;
const MAX_SEPARATE_WAIT_MS = 5_000;

/** Milliseconds after which an attempt is repeated if its outcome is unknown because the object was lost. */
const LOST_MS = TIMEOUT_MS + SAFETY_MS;

/**
 * The first and the longest pause before a notice is sent again, in milliseconds. Each pause is twice the previous one.
 */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 2 * 3_600_000;

/** Jitter of a pause: the maximum factor by which it is longer than computed. It may be shorter by the same amount. */
const MAX_JITTER = 1.25;

/** The longest pause of a failing lane without any attempt, in milliseconds. */
const MAX_LANE_PAUSE_MS = 300_000;

/** Milliseconds after which a queued notice is given up. */
const GIVEN_UP_MS = 86_400_000;

/** Maximum concurrent attempts. A platform may allow only six connections. */
const MAX_ATTEMPTS = 5;

/** Maximum number of them in lanes whose last attempt failed. */
const MAX_FAILING_ATTEMPTS = 2;

/** Maximum number of them to one host: if it hangs, which only shows later, other hosts still have room. */
const MAX_ATTEMPTS_PER_HOST = 3;

/** Attempts due within this time, in milliseconds, are awaited in memory, because an alarm is billed as a row. */
const SOON_MS = 10_000;

/** The in-memory state of one alert's lane. Each life of the object starts with a new one. */
interface Lane {
  /** Number of concurrent attempts. */
  underWay: number;
  /** Where the alert is delivered. */
  host: string;
  /** Whether attempts may run concurrently and without spacing: notices of silence to programs. */
  isSwift: boolean;
  /** Number of failed attempts since the last success; 1 if the last attempt of an earlier life failed. */
  failures: number;
  /** The earliest time of the next attempt, epoch milliseconds. */
  notBefore: number;
  /** The length of the pause before it, in milliseconds. */
  pauseMs: number;
}

/** The number of attempts that may begin now. */
interface Room {
  free: number;
  freeForFailing: number;
  /** Number of concurrent attempts by host, without hosts that have none. */
  readonly underWay: Map<string, number>;
}

/** An attempt that has ended. */
interface Attempt {
  /** The alert as it was when the attempt began. */
  readonly sent: StoredAlert;
  readonly notice: QueuedNotice;
  readonly outcome: Outcome;
  /** Number of the lane's failed attempts when it began. */
  readonly failures: number;
}

/** What deliveries need of the object that owns them. */
export interface DeliveriesParts {
  readonly storage: DurableObjectStorage;
  readonly alarm: ObjectAlarm;
  /** The object's own; waiting notices are counted by it. */
  readonly objectId: string;
  readonly send: Send;
  /** The time in milliseconds since 1970; the clock's if absent. */
  now?(): number;
  /**
   * The identifier of the processor; `undefined` while it delivers nothing because it is out of service or being
   * restored.
   */
  speaker(): string | undefined;
}

/** The deliveries of one processor. */
export class AlertDeliveries implements ScheduledTask {
  readonly #parts: DeliveriesParts;
  readonly #now: () => number;
  readonly #alerts: AlertTable;
  readonly #queue: AlertQueueTable;
  readonly #lanes = new Map<string, Lane>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: DeliveriesParts) {
    const database = new Database(parts.storage.sql);
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#alerts = new AlertTable(database);
    this.#queue = new AlertQueueTable(database);
    parts.alarm.add(this);
  }

  /**
   * Call this when notices were queued, in the same turn, so that they and the alarm are stored together. Their
   * delivery is not awaited.
   *
   * @param count number of new notices
   * @param dropped number of notices dropped for them
   */
  queued(count: number, dropped: number): void {
    alertCounts.told += count;
    alertCounts.dropped += dropped;
    this.#pumpSafely();
  }

  /**
   * Call this when an alert was set or removed: its waiting notices are tried at once, or when the current attempt has
   * ended.
   */
  changed(alert: string): void {
    if (this.#lanes.get(alert)?.underWay === 0) this.#lanes.delete(alert);
    this.#pumpSafely();
  }

  /** Call this when the processor is in service again: waiting notices go on, although no alarm was set for them. */
  resume(): void {
    this.#pumpSafely();
  }

  /** Call this when the processor was restored: it has other alerts, without waiting notices. */
  replaced(): void {
    for (const [alert, { underWay }] of this.#lanes) if (underWay === 0) this.#lanes.delete(alert);
    this.#count();
  }

  /** Begins what is due without waiting for it: a hanging webhook must not delay other tasks of the alarm. */
  wake(): Promise<void> {
    this.#pump();
    return Promise.resolve();
  }

  nextWake(): number | undefined {
    if (this.#parts.speaker() === undefined) return undefined;
    const now = this.#now();
    this.#mend(now);
    const next = this.#nextAttempt(now);
    return next === undefined ? undefined : Math.max(next, now + SAFETY_MS);
  }

  /** Begins what is due, and schedules the next call. */
  #pump(): void {
    if (this.#parts.speaker() === undefined) return;
    const now = this.#now();
    const waiting = this.#lanesAt(now);
    // A lane may begin several attempts: each round begins one in each lane with room.
    for (let begun = 1; begun > 0; ) {
      begun = this.#readyLanes(waiting, now).filter(({ alert }) => this.#begin(alert, now)).length;
    }
    this.#count();
    const next = this.#nextAttempt(now);
    if (next === undefined) return;
    if (next - now <= SOON_MS) this.#pumpIn(next - now);
    else this.#parts.alarm.ringBy(next);
  }

  /** Begins soon what is due, and has the alarm check it in case this object is lost first. */
  #pumpSafely(): void {
    if (this.#queue.isEmpty) {
      this.#count();
      return;
    }
    this.#parts.alarm.ringBy(this.#now() + SAFETY_MS);
    this.#pumpIn(0);
  }

  #pumpIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#pump(), ms);
  }

  /**
   * The lanes that may make an attempt now: working lanes before failing ones, then those with fewer concurrent
   * attempts.
   */
  #readyLanes(waiting: readonly AlertLane[], now: number): { alert: string }[] {
    const ready = waiting
      .map(({ alert, dueAt }) => ({ alert, dueAt, lane: this.#lane(alert) }))
      .filter(({ dueAt, lane }) => !isBusy(lane) && Math.max(dueAt, pauseEnd(lane, now)) <= now)
      .sort(
        ({ lane: one, dueAt }, { lane: other, dueAt: otherDueAt }) =>
          one.failures - other.failures || one.underWay - other.underWay || dueAt - otherDueAt,
      );
    const room = this.#room();
    return ready.filter(({ lane }) => {
      if (!hasRoom(room, lane)) return false;
      takeRoom(room, lane);
      return true;
    });
  }

  /** When the next attempt is due that does not wait for another to end, epoch milliseconds; `undefined` for never. */
  #nextAttempt(now: number): number | undefined {
    const room = this.#room();
    const times = this.#queue.lanes().map(({ alert, dueAt }) => {
      const lane = this.#lane(alert);
      // An attempt calls this when it ends; the time covers one that never does.
      return isBusy(lane) || !hasRoom(room, lane) ? now + LOST_MS : Math.max(dueAt, pauseEnd(lane, now), now + 1);
    });
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The lanes with the times at which they are due. */
  #lanesAt(now: number): AlertLane[] {
    this.#mend(now);
    return this.#queue.lanes();
  }

  /** Makes due now what a clock, since set back, had put off. */
  #mend(now: number): void {
    if (this.#queue.isEmpty) return;
    this.#queue.mend(now, { future: now + CORRECTED_MS, beyond: now + MAX_PAUSE_MS * MAX_JITTER });
  }

  #room(): Room {
    const room = { free: MAX_ATTEMPTS, freeForFailing: MAX_FAILING_ATTEMPTS, underWay: new Map<string, number>() };
    for (const lane of this.#lanes.values()) for (let one = 0; one < lane.underWay; one++) takeRoom(room, lane);
    return room;
  }

  #lane(alert: string): Lane {
    const known = this.#lanes.get(alert);
    if (known !== undefined) return known;
    const stored = this.#alerts.read(alert);
    // An earlier life of the object may have just made an attempt.
    const notBefore = (stored?.last?.at ?? 0) + SPACING_MS;
    const failures = stored?.last?.failure === undefined ? 0 : 1;
    const lane = { underWay: 0, ...addressOf(stored), failures, notBefore, pauseMs: SPACING_MS };
    this.#lanes.set(alert, lane);
    return lane;
  }

  /** @returns whether an attempt was begun */
  #begin(alert: string, now: number): boolean {
    const { send, speaker, storage } = this.#parts;
    const processor = speaker();
    const found = this.#alerts.read(alert);
    const first = this.#queue.firstDue(alert, now);
    if (processor === undefined || found === undefined || first === undefined) return false;
    const notice = storage.transactionSync(() => {
      const joined = this.#joined(first, found, now);
      // From here on the notice is fixed: whatever comes now is another notice.
      this.#queue.begin(joined.number, now + LOST_MS);
      return joined;
    });
    const lane = this.#lane(alert);
    const { failures } = lane;
    lane.underWay++;
    setPause(lane, now, lane.isSwift && failures === 0 ? 0 : SPACING_MS);
    void send(found, notice, processor).then((outcome) => {
      lane.underWay--;
      this.#end(lane, { sent: found, notice, outcome, failures });
      this.#pump();
    });
    return true;
  }

  /**
   * A notice, joined with others that go out with it: people get one message about all silent memories, and programs do
   * when separate messages would come too late.
   */
  #joined(notice: QueuedNotice, { format }: StoredAlert, now: number): QueuedNotice {
    if (notice.told.kind !== "silent") return notice;
    if (format !== "standard") {
      return this.#queue.joined(notice, { characters: Number.POSITIVE_INFINITY, listed: MAX_NAMED });
    }
    const isLate =
      now - notice.queuedAt > MAX_SEPARATE_WAIT_MS && this.#queue.isCrowded(notice.alert, now, MAX_SEPARATE_NOTICES);
    if (!isLate) return notice;
    return this.#queue.joined(notice, { characters: MAX_JOINED_CHARACTERS, listed: Number.POSITIVE_INFINITY });
  }

  #end(lane: Lane, attempt: Attempt): void {
    // The processor may have left meanwhile, with its tables.
    if (this.#parts.speaker() === undefined) return;
    const { notice, outcome, sent } = attempt;
    const alert = this.#alerts.read(notice.alert);
    const isAsSent = alert?.url === sent.url && alert.secret === sent.secret;
    Object.assign(lane, addressOf(alert));
    if (outcome.failure !== undefined) alertCounts.failures++;
    if (outcome.failure === undefined) this.#delivered(lane, attempt, isAsSent);
    else if (isAsSent) this.#failed(lane, attempt);
    else {
      // The result of an old address does not count for the alert's new one, which is tried at once.
      if (lane.underWay === 0) this.#lanes.delete(notice.alert);
      else Object.assign(lane, { failures: 0, notBefore: outcome.at });
      this.#parts.storage.transactionSync(() => this.#queue.putOff(notice, outcome.at));
    }
  }

  #delivered(lane: Lane, { notice, outcome }: Attempt, isAsSent: boolean): void {
    this.#parts.storage.transactionSync(() => {
      if (isAsSent) this.#alerts.noteAttempt(notice.alert, outcome);
      this.#queue.remove(notice);
    });
    lane.failures = 0;
    alertCounts.delivered++;
  }

  #failed(lane: Lane, { notice, outcome, failures }: Attempt): void {
    const isGone = outcome.status === GONE;
    const next = isGone ? undefined : nextAttempt(notice, outcome);
    let dropped = 0;
    this.#parts.storage.transactionSync(() => {
      this.#alerts.noteAttempt(notice.alert, outcome);
      if (isGone) dropped = this.#queue.removeAll(notice.alert);
      else if (next !== undefined) this.#queue.putOff(notice, next);
      else dropped = this.#queue.remove(notice);
    });
    const isFirst = lane.failures === 0;
    // Concurrent attempts count as one failure.
    lane.failures = Math.max(lane.failures, failures + 1);
    const pause = withJitter(Math.min(SPACING_MS * 2 ** (lane.failures - 1), MAX_LANE_PAUSE_MS));
    setPause(lane, outcome.at, Math.max(pause, outcome.retryAfterMs ?? 0));
    alertCounts.dropped += dropped;
    // Log only the first and last failure: a webhook that is dead for a day must not fill the log.
    if (next === undefined || isFirst) this.#log(notice, outcome, next === undefined);
  }

  #log({ alert }: QueuedNotice, { failure, status }: Outcome, isGivenUp: boolean): void {
    const outcome = isGivenUp ? "gives up a delivery" : "could not deliver and will try again";
    const answered = status === undefined ? "" : ` (HTTP ${status})`;
    console.error(`${this.#parts.speaker()}: the alert ${excerpt(alert)} ${outcome}: ${failure}${answered}`);
  }

  #count(): void {
    const waiting = this.#queue.count();
    if (waiting === 0) alertCounts.waiting.delete(this.#parts.objectId);
    else alertCounts.waiting.set(this.#parts.objectId, waiting);
  }
}

/** Where an alert is delivered, and how fast; the host is empty for a deleted alert. */
function addressOf(alert: StoredAlert | undefined): Pick<Lane, "host" | "isSwift"> {
  const host = parsedUrl(alert?.url ?? "")?.host ?? "";
  return { host, isSwift: alert?.when.kind === "silent" && alert.format === "standard" };
}

/** Whether a lane has to wait for an attempt to end before it begins another. */
function isBusy({ failures, isSwift, underWay }: Lane): boolean {
  return underWay >= (isSwift && failures === 0 ? MAX_SILENCE_ATTEMPTS : 1);
}

function hasRoom({ free, freeForFailing, underWay }: Room, { failures, host }: Lane): boolean {
  return free > 0 && (failures === 0 || freeForFailing > 0) && (underWay.get(host) ?? 0) < MAX_ATTEMPTS_PER_HOST;
}

function takeRoom(room: Room, { failures, host }: Lane): void {
  room.free--;
  if (failures > 0) room.freeForFailing--;
  room.underWay.set(host, (room.underWay.get(host) ?? 0) + 1);
}

/** When a notice is sent again after a failed attempt, epoch milliseconds; `undefined` when it is given up. */
function nextAttempt({ attempts, queuedAt }: QueuedNotice, { at, retryAfterMs = 0 }: Outcome): number | undefined {
  const end = queuedAt + GIVEN_UP_MS;
  if (at >= end) return undefined;
  const pause = withJitter(Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS));
  return Math.min(at + Math.max(pause, retryAfterMs), end);
}

/** Pauses a lane. @param now epoch milliseconds */
function setPause(lane: Lane, now: number, pauseMs: number): void {
  lane.pauseMs = pauseMs;
  lane.notBefore = now + pauseMs;
}

/**
 * When a lane's pause ends, epoch milliseconds. If the clock was set back, the pause restarts, so that it never takes
 * longer than intended.
 */
function pauseEnd(lane: Lane, now: number): number {
  lane.notBefore = Math.min(lane.notBefore, now + lane.pauseMs);
  return lane.notBefore;
}

/** A pause with up to a quarter of jitter, so that lanes that failed together do not retry together. */
function withJitter(ms: number): number {
  return Math.round(ms * (2 - MAX_JITTER + Math.random() * 2 * (MAX_JITTER - 1)));
}
