/**
 * Brings a database from any earlier schema to the present one. A table records which migrations were applied, because
 * a Durable Object refuses `PRAGMA user_version`. Knows no table but its own.
 */

/** One step of a schema's history. Once released it is never edited. */
export interface Migration {
  /** 1, 2, 3, … without gaps. */
  number: number;
  /** The statements, separated by semicolons. */
  statements: string;
  /** Converts what SQL cannot. Runs after the statements, in the same transaction. Never edited, either. */
  convert?(sql: SqlStorage): void;
}

/** Whether this database has a schema. Writes nothing, so that an unused object stays without storage. */
export function isMigrated(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
}

/**
 * Applies the migrations that this database has not seen, in order. The caller holds the transaction.
 *
 * @throws Error when the database is newer than `migrations`: it was written by a later release, and
 *   reading it could lose data
 */
export function migrate(sql: SqlStorage, migrations: readonly Migration[]): void {
  sql.exec("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY) STRICT");
  const applied = sql
    .exec<{ newest: number }>("SELECT coalesce(max(number), 0) AS newest FROM migrations")
    .one().newest;
  const known = migrations.at(-1)?.number ?? 0;
  if (applied > known) {
    throw new Error(
      `the database has migration ${applied}, this release knows migrations up to ${known}: deploy a later release`,
    );
  }
  for (const migration of migrations) {
    if (migration.number <= applied) continue;
    sql.exec(migration.statements);
    migration.convert?.(sql);
    sql.exec("INSERT INTO migrations (number) VALUES (?)", migration.number);
  }
}
