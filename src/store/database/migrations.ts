/**
 * Brings a database from any schema that a release stored to the present one. A table records which migrations were
 * applied, because a Durable Object refuses `PRAGMA user_version`. Knows no table but its own.
 */

import { Fault } from "../../processor/ports/fault";

/** One step of a schema's history. Once released it is never edited. */
export interface Migration {
  /** The first migration of a list creates all tables of release 1.0.0. Each later one has the next number. */
  number: number;
  /** The statements, separated by semicolons. */
  statements: string;
  /** Converts what SQL cannot. Runs after the statements, in the same transaction. Never edited either. */
  convert?(sql: SqlStorage): void;
}

/** Whether this database has a schema. Writes nothing, so that an unused object stays without storage. */
export function isMigrated(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
}

/**
 * Applies the migrations that this database has not seen, in order. The caller holds the transaction.
 *
 * @param migrations at least one
 * @throws Fault `damaged` when the database is older than the first of `migrations`, or newer than the last: a later
 *   release wrote it, and reading it could lose data. Then nothing is changed.
 */
export function migrate(sql: SqlStorage, migrations: readonly Migration[]): void {
  sql.exec("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT");
  const applied = sql.exec<{ newest: number | null }>("SELECT max(number) AS newest FROM migrations").one().newest;
  if (applied !== null) assertKnown(applied, migrations);
  for (const migration of migrations) {
    if (applied !== null && migration.number <= applied) continue;
    sql.exec(migration.statements);
    migration.convert?.(sql);
    sql.exec("INSERT INTO migrations (number) VALUES (?)", migration.number);
  }
}

/** @throws Fault `damaged` when this release cannot open a database whose newest migration is `applied` */
function assertKnown(applied: number, migrations: readonly Migration[]): void {
  const [oldest, newest] = [migrations.at(0)?.number ?? 0, migrations.at(-1)?.number ?? 0];
  if (applied >= oldest && applied <= newest) return;
  const accepted = oldest === newest ? `migration ${oldest}` : `migrations ${oldest} to ${newest}`;
  const advice = applied < oldest ? "builds before 1.0.0 stored it, and no release opens it" : "deploy a later release";
  throw new Fault("damaged", `the database has migration ${applied}, this release opens ${accepted}: ${advice}`);
}
