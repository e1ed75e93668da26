/**
 * The table `incidents`: events that passed an alert, in a ring of fixed size. Rows are overwritten and never deleted,
 * so that an incident writes one row when it begins and one when it ends, however many are kept. What grows during a
 * running incident is part of its memory's state.
 */

import type {
  IncidentFilter,
  IncidentRow,
  IncidentSummary,
  KeptThreshold,
  MemoryIncidents,
  Verdict,
} from "../../processor/ports/incident";
import { MAX_INCIDENTS } from "../../processor/ports/incident";
import { type Bound, type Database, upsert } from "../database/database";

type SummaryColumns = [
  id: number,
  alert: string,
  session: string,
  verdict: string | null,
  running: number,
  learned: number,
  note: string,
  facts: string,
];

type IncidentColumns = [...SummaryColumns, thresholds: string, evidence: string];

/** The column `facts` as JSON. */
type Facts = Pick<IncidentRow, "bits" | "causes" | "events" | "expected" | "from" | "interval" | "to">;

const SUMMARY = ["id", "alert", "session", "verdict", "running", "learned", "note", "facts"];
const COLUMNS = [...SUMMARY, "thresholds", "evidence"];

/**
 * The slot for the greatest id used before a restore. The restored incidents may have smaller ids, but no id is reused.
 */
const LAST_SLOT = -1;

/** The statements of one table. @param table its name */
function statementsOf(table: string) {
  return {
    put: upsert(table, ["slot", ...COLUMNS]),
    read: `SELECT ${COLUMNS.join(", ")} FROM ${table} WHERE slot = ?`,
    last: `SELECT coalesce(max(id), 0) FROM ${table}`,
    running: `SELECT id, session FROM ${table} WHERE slot >= 0 AND running = 1 ORDER BY id`,
    idsAfter: `SELECT id FROM ${table} WHERE slot >= 0 AND id > ? ORDER BY id LIMIT ?`,
    thresholds: `SELECT thresholds FROM ${table} WHERE slot >= 0 ORDER BY id DESC LIMIT 1`,
    // With max(), SQLite takes the other columns from the row that has the maximum.
    byMemory:
      "SELECT session, max(id), sum(verdict IS NULL), json_extract(facts, '$.bits'), json_extract(facts, '$.to') " +
      `FROM ${table} WHERE slot >= 0 GROUP BY session`,
  };
}

/** Reads and writes incidents. The caller holds the transaction. */
export class IncidentTable {
  readonly #database: Database;
  readonly #table: string;
  readonly #statements: ReturnType<typeof statementsOf>;
  /** Read on first use. */
  #last: number | undefined;

  /** @param prefix the beginning of the table's name; empty for the live one */
  constructor(database: Database, prefix = "") {
    this.#database = database;
    this.#table = `${prefix}incidents`;
    this.#statements = statementsOf(this.#table);
  }

  /** Inserts or replaces an incident, overwriting the one in its slot. */
  put(incident: IncidentRow): void {
    const { alert, evidence, id, isLearned, isRunning, note, session, thresholds, verdict } = incident;
    const { bits, causes, events, expected, from, interval, to } = incident;
    const facts: Facts = { bits, causes, events, expected, from, interval, to };
    const flags = [Number(isRunning), Number(isLearned)];
    const lists = [facts, thresholds.map(({ alert, numbers }) => [alert, ...numbers]), evidence];
    const texts = lists.map((list) => JSON.stringify(list));
    const slot = id % MAX_INCIDENTS;
    this.#database.run(this.#statements.put, slot, id, alert, session, verdict ?? null, ...flags, note, ...texts);
    this.#last = Math.max(this.last(), id);
  }

  /** Stores the greatest id ever used, if it exceeds the id of every incident. */
  putLast(id: number): void {
    if (id <= this.last()) return;
    const empty = [0, 0, "", "{}", "[]", "[]"];
    this.#database.run(this.#statements.put, LAST_SLOT, id, "", "", null, ...empty);
    this.#last = id;
  }

  /** The greatest id ever used; 0 for none. */
  last(): number {
    this.#last ??= this.#database.first<[number]>(this.#statements.last)?.[0] ?? 0;
    return this.#last;
  }

  /** An incident; `undefined` when it is not kept. */
  read(id: number): IncidentRow | undefined {
    const row = Number.isSafeInteger(id) && id >= 1 ? this.inPlaceOf(id) : undefined;
    return row?.id === id ? row : undefined;
  }

  /** The incident in the slot of an id. */
  inPlaceOf(id: number): IncidentRow | undefined {
    const row = this.#database.first<IncidentColumns>(this.#statements.read, id % MAX_INCIDENTS);
    if (row === undefined) return undefined;
    const [, , , , , , , , thresholds, evidence] = row;
    return { ...summaryOf(row), thresholds: thresholdsOf(thresholds), evidence: JSON.parse(evidence) };
  }

  /** At most `limit` incidents, newest first. */
  list({ before, session, verdict }: IncidentFilter, limit: number): IncidentSummary[] {
    const wanted: [condition: string, value: Bound | undefined][] = [
      ["id < ?", before],
      ["session = ?", session],
      ["verdict = ?", verdict === "open" ? undefined : verdict],
    ];
    const given = wanted.filter(([, value]) => value !== undefined);
    const conditions = ["slot >= 0", ...given.map(([condition]) => condition)];
    if (verdict === "open") conditions.push("verdict IS NULL");
    const slots = `SELECT slot FROM ${this.#table} WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ?`;
    // Sorts by slot first, and reads the long columns only of the listed rows.
    const rows = this.#database.all<SummaryColumns>(
      `SELECT ${SUMMARY.join(", ")} FROM ${this.#table} WHERE slot IN (${slots}) ORDER BY id DESC`,
      ...given.map(([, value]) => value ?? null),
      limit,
    );
    return rows.map(summaryOf);
  }

  /** The ids of at most `limit` incidents greater than `after`, rising. */
  idsAfter(after: number, limit: number): number[] {
    return this.#database.all<[number]>(this.#statements.idsAfter, after, limit).map(([id]) => id);
  }

  /** The ids and sessions of the running incidents. */
  running(): Pick<IncidentRow, "id" | "session">[] {
    const rows = this.#database.all<[number, string]>(this.#statements.running);
    return rows.map(([id, session]) => ({ id, session }));
  }

  /** The thresholds held by the newest incident. */
  newestThresholds(): KeptThreshold[] {
    const row = this.#database.first<[string]>(this.#statements.thresholds);
    return row === undefined ? [] : thresholdsOf(row[0]);
  }

  /** The memories with incidents. */
  byMemory(): MemoryIncidents[] {
    const rows = this.#database.all<[string, number, number, number, number]>(this.#statements.byMemory);
    return rows.map(([session, , open, bits, time]) => ({ session, open, bits, time }));
  }
}

function thresholdsOf(column: string): KeptThreshold[] {
  return (JSON.parse(column) as number[][]).map(([alert = 0, ...numbers]) => ({ alert, numbers }));
}

function summaryOf(columns: SummaryColumns | IncidentColumns): IncidentSummary {
  const [id, alert, session, verdict, running, learned, note, facts] = columns;
  const flags = { isRunning: running === 1, isLearned: learned === 1 };
  return {
    id,
    alert,
    session,
    verdict: (verdict ?? undefined) as Verdict | undefined,
    note,
    ...flags,
    ...JSON.parse(facts),
  };
}
