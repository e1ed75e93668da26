/** The table `alerts`: the webhooks of a processor, their conditions, and the secrets that sign deliveries. */

import type {
  Alert,
  AlertCondition,
  AlertFormat,
  LastDelivery,
  RestoredAlert,
  StoredAlert,
} from "../../processor/ports/alert";
import type { KeptThreshold } from "../../processor/ports/incident";
import type { Database } from "../database/database";

type AlertColumns = [
  number: number,
  name: string,
  condition: string,
  url: string,
  secret: string,
  lastAt: number | null,
  lastStatus: number | null,
  lastFailure: string | null,
  waiting: number,
  format: string,
  threshold: string | null,
];

const SELECT =
  "SELECT number, name, condition, url, secret, last_at, last_status, last_failure, " +
  "(SELECT count(*) FROM alert_queue WHERE alert = name), format, threshold FROM alerts";
const INSERT =
  "INSERT INTO alerts (number, name, condition, url, secret, format, threshold) VALUES (?, ?, ?, ?, ?, ?, ?)";
const CHANGE =
  "UPDATE alerts SET url = ?, secret = ?, format = ?, last_at = NULL, last_status = NULL, last_failure = NULL " +
  "WHERE number = ?";
const ATTEMPTED = "UPDATE alerts SET last_at = ?, last_status = ?, last_failure = ? WHERE name = ?";

/** Reads and writes alerts. The caller holds the transaction. */
export class AlertTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All alerts, by name in the order of UTF-8 bytes. */
  all(): StoredAlert[] {
    return this.#database.all<AlertColumns>(`${SELECT} ORDER BY name`).map(fromColumns);
  }

  /** One alert; `undefined` if none has the name. */
  read(name: string): StoredAlert | undefined {
    const columns = this.#database.first<AlertColumns>(`${SELECT} WHERE name = ?`, name);
    return columns && fromColumns(columns);
  }

  /**
   * Adds or replaces an alert, and clears the outcome of its last delivery. It keeps its number if its condition is the
   * same.
   */
  put(alert: Alert): void {
    const { name, when, url, secret, format } = alert;
    const before = this.read(name);
    if (before !== undefined && JSON.stringify(before.when) === JSON.stringify(when)) {
      this.#database.run(CHANGE, url, secret, format, before.number);
      return;
    }
    this.remove(name);
    this.#insert(null, alert);
  }

  /** Replaces all alerts. The given ones keep their numbers. */
  replaceAll(alerts: readonly RestoredAlert[]): void {
    this.#database.run("DELETE FROM alerts");
    for (const alert of alerts) this.#insert(alert.number, alert, alert.threshold);
  }

  /** Keeps the threshold of an alert. Does nothing if the alert was removed. */
  keepThreshold({ alert, numbers }: KeptThreshold): void {
    this.#database.run("UPDATE alerts SET threshold = ? WHERE number = ?", JSON.stringify(numbers), alert);
  }

  /** Removes an alert. Does nothing if none has the name. */
  remove(name: string): void {
    this.#database.run("DELETE FROM alerts WHERE name = ?", name);
  }

  /** Records the outcome of a delivery attempt. Does nothing if the alert was removed. */
  noteAttempt(name: string, { at, status, failure }: LastDelivery): void {
    this.#database.run(ATTEMPTED, at, status ?? null, failure ?? null, name);
  }

  #insert(number: number | null, { name, when, url, secret, format }: Alert, threshold?: number[]): void {
    const kept = threshold === undefined ? null : JSON.stringify(threshold);
    this.#database.run(INSERT, number, name, JSON.stringify(when), url, secret, format, kept);
  }
}

function fromColumns(columns: AlertColumns): StoredAlert {
  const [number, name, condition, url, secret, at, status, failure, waiting, format, kept] = columns;
  const last = at === null ? undefined : { at, status: status ?? undefined, failure: failure ?? undefined };
  const when = JSON.parse(condition) as AlertCondition;
  const threshold = kept === null ? undefined : (JSON.parse(kept) as number[]);
  return { number, name, when, url, secret, format: format as AlertFormat, last, waiting, threshold };
}
