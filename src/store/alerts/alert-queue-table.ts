/**
 * The table `alert_queue`: notices that alerts have yet to deliver. A notice stays until it is
 * delivered, given up or dropped.
 */

import {
  type EventNotice,
  JOINED_FROM,
  MAX_WAITING,
  type Notice,
  type SilenceNotice,
  type Told,
} from "../../processor/ports/alert";
import type { Database } from "../database/database";
import { type JoinLimits, joined, joinFollowing, joinNewest, MAX_ALONE_BYTES, renew } from "./joined-silences";

/** A notice in the queue. */
export interface QueuedNotice extends Notice {
  /** Greater than that of every notice before it. */
  number: number;
  /** The number of notices of its kind and memory that it stands for. Its other members are the latest notice's. */
  count: number;
  /** Number of attempts begun. */
  attempts: number;
  /** When it was first queued, epoch milliseconds. */
  queuedAt: number;
}

/** Identifies a notice. The number alone does not: after a purge or restore, another notice may have it. */
type Queued = Pick<QueuedNotice, "number" | "webhookId">;

/** The notices of one alert. */
export interface AlertLane {
  alert: string;
  /** When the next attempt is due, epoch milliseconds. */
  dueAt: number;
}

type NoticeColumns = [
  number: number,
  alert: string,
  webhookId: string,
  told: string,
  session: string,
  interval: number,
  happenedAt: number,
  count: number,
  attempts: number,
  queuedAt: number,
];

const COLUMNS = "alert, webhook_id, told, session, interval, happened_at, count, attempts, queued_at";
const INSERT = `INSERT INTO alert_queue (${COLUMNS}, kind, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 0, ?6, ?7, ?6)`;
const DUE = "alert = ? AND due_at <= ?";
const FIRST_DUE = `SELECT number, ${COLUMNS} FROM alert_queue WHERE ${DUE} ORDER BY due_at, number LIMIT 1`;
const UNBEGUN =
  "SELECT number FROM alert_queue WHERE alert = ? AND session = ? AND kind = ? AND attempts = 0 " +
  "ORDER BY number LIMIT 1";
// SQLite knows the size of a text without reading it.
const IS_CROWDED =
  `SELECT count(*) > ?3 OR max(octet_length(told)) > ${MAX_ALONE_BYTES} FROM alert_queue ` +
  "WHERE alert = ?1 AND attempts = 0 AND due_at <= ?2";
const MERGE = "UPDATE alert_queue SET told = ?, interval = ?, happened_at = ?, count = count + 1 WHERE number = ?";
// A webhook that answered 410 gets nothing more until its alert is set again.
const WEBHOOK_GONE = "SELECT 1 FROM alerts WHERE name = ? AND last_status = 410";
// Reschedules notices that wait only because the clock was set back: their alert's last attempt is in the future, or
// their pause is longer than any.
const RESCHEDULE =
  "UPDATE alert_queue SET due_at = min(due_at, ?1), queued_at = min(queued_at, ?1) " +
  "WHERE queued_at > ?2 OR due_at > ?3 " +
  "OR due_at > ?2 AND (attempts = 0 OR alert IN (SELECT name FROM alerts WHERE last_at > ?2))";
const DROP_OLDEST = "DELETE FROM alert_queue WHERE number = (SELECT min(number) FROM alert_queue)";

/** Reads and writes waiting notices. The caller holds the transaction when writes belong together. */
export class AlertQueueTable {
  readonly #database: Database;
  #dropped = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds a notice. It is merged into one of the same alert, memory and kind that waits for its first attempt, which
   * then gets the new content. When {@link MAX_WAITING} wait, the oldest is dropped. For a webhook that is gone, only
   * a test is added.
   */
  add(notice: EventNotice): void {
    const { alert, told, session, interval, happenedAt } = notice;
    if (told.kind !== "test" && this.#isGone(alert)) {
      this.#dropped++;
      return;
    }
    const text = JSON.stringify(told);
    const unbegun =
      told.kind === "test" ? undefined : this.#database.first<[number]>(UNBEGUN, alert, session, told.kind);
    if (unbegun !== undefined) {
      this.#database.run(MERGE, text, interval, happenedAt, unbegun[0]);
      return;
    }
    this.#insert(notice);
  }

  /**
   * Adds notices of silence, of different memories for an alert, as {@link add} does. If {@link JOINED_FROM} would
   * wait, those of an alert are joined: to its newest that waits for its first attempt, and to each other.
   */
  addSilences(notices: readonly SilenceNotice[]): void {
    const alerts = new Set(notices.map(({ alert }) => alert));
    for (const alert of alerts) {
      const own = notices.filter((notice) => notice.alert === alert);
      if (this.#isGone(alert)) this.#dropped += own.length;
      else this.#addSilencesOf(alert, own);
    }
  }

  #addSilencesOf(alert: string, notices: readonly SilenceNotice[]): void {
    const fresh = renew(this.#database, alert, notices);
    if (this.count() + fresh.length <= JOINED_FROM) {
      for (const notice of fresh) this.#insert(notice);
      return;
    }
    const rest = fresh.slice(joinNewest(this.#database, alert, fresh));
    for (const notice of joined(rest)) this.#insert(notice);
  }

  #insert({ alert, webhookId, told, session, interval, happenedAt }: Notice): void {
    if (this.count() >= MAX_WAITING) {
      this.#database.run(DROP_OLDEST);
      this.#dropped++;
    }
    this.#database.run(INSERT, alert, webhookId, JSON.stringify(told), session, interval, happenedAt, told.kind);
  }

  /** Whether the webhook of an alert has answered that it wants no more. */
  #isGone(alert: string): boolean {
    return this.#database.first(WEBHOOK_GONE, alert) !== undefined;
  }

  /** Number of notices dropped, including rolled-back drops. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether no notice waits. */
  get isEmpty(): boolean {
    return this.#database.first("SELECT 1 FROM alert_queue LIMIT 1") === undefined;
  }

  /** Number of waiting notices. */
  count(): number {
    return this.#database.first<[number]>("SELECT count(*) FROM alert_queue")?.[0] ?? 0;
  }

  /** The alerts with waiting notices. */
  lanes(): AlertLane[] {
    const rows = this.#database.all<[string, number]>("SELECT alert, min(due_at) FROM alert_queue GROUP BY alert");
    return rows.map(([alert, dueAt]) => ({ alert, dueAt }));
  }

  /**
   * The notice of an alert that has been due for longest; `undefined` when none is due. @param now epoch milliseconds
   */
  firstDue(alert: string, now: number): QueuedNotice | undefined {
    const row = this.#database.first<NoticeColumns>(FIRST_DUE, alert, now);
    if (row === undefined) return undefined;
    const [number, , webhookId, told, session, interval, happenedAt, count, attempts, queuedAt] = row;
    const happening = { told: JSON.parse(told) as Told, session, interval, happenedAt };
    return { number, alert, webhookId, ...happening, count, attempts, queuedAt };
  }

  /**
   * Whether more than `most` due notices of an alert of silence wait for their first attempt, or one that others have
   * joined.
   *
   * @param now epoch milliseconds
   */
  isCrowded(alert: string, now: number, most: number): boolean {
    return this.#database.first<[number]>(IS_CROWDED, alert, now, most)?.[0] === 1;
  }

  /**
   * Joins to this notice of silence all later ones that also wait for their first attempt, as far as there is room.
   * @returns the notice as it is then
   */
  joined(notice: QueuedNotice, limits: JoinLimits): QueuedNotice {
    if (notice.told.kind !== "silent" || notice.attempts > 0) return notice;
    const joined = joinFollowing(this.#database, { ...notice, told: notice.told }, limits);
    if (joined === notice.told) return notice;
    this.#database.run("UPDATE alert_queue SET told = ? WHERE number = ?", JSON.stringify(joined), notice.number);
    return { ...notice, told: joined };
  }

  /**
   * Records that an attempt begins, and when the next one is due unless the outcome of this one is recorded first.
   * @param dueAt epoch milliseconds
   */
  begin(number: number, dueAt: number): void {
    this.#database.run("UPDATE alert_queue SET attempts = attempts + 1, due_at = ? WHERE number = ?", dueAt, number);
  }

  /** Postpones the next attempt. @param dueAt epoch milliseconds */
  putOff({ number, webhookId }: Queued, dueAt: number): void {
    this.#database.run(
      "UPDATE alert_queue SET due_at = ? WHERE number = ? AND webhook_id = ?",
      dueAt,
      number,
      webhookId,
    );
  }

  /** Removes a notice. @returns the number removed: 0 if it is already gone */
  remove({ number, webhookId }: Queued): number {
    return this.#database.run("DELETE FROM alert_queue WHERE number = ? AND webhook_id = ?", number, webhookId);
  }

  /** Removes all notices of an alert. @returns the number removed */
  removeAll(alert: string): number {
    return this.#database.run("DELETE FROM alert_queue WHERE alert = ?", alert);
  }

  /**
   * Makes notices due that wait only because the clock was set back, and counts them as queued now.
   *
   * @param now epoch milliseconds
   * @param times in epoch milliseconds; `future`: later times count as in the future; `beyond`: no pause beginning now
   *   ends after this
   */
  mend(now: number, { future, beyond }: { future: number; beyond: number }): void {
    this.#database.run(RESCHEDULE, now, future, beyond);
  }

  /** Makes all notices of an alert due at once. @param now epoch milliseconds */
  hasten(alert: string, now: number): void {
    this.#database.run("UPDATE alert_queue SET due_at = ?1 WHERE alert = ?2 AND due_at > ?1", now, alert);
  }
}
