/**
 * Brings a database from any earlier shape to the present one. Which migrations were applied is recorded in a table, because
 * `PRAGMA user_version` is refused in a Durable Object. Knows no table but its own.
 */

/** One step of a schema's history; once released it is never edited. */
export interface Migration {
  /** 1, 2, 3, … without gaps. */
  number: number;
  /** The statements, separated by semicolons. */
  statements: string;
}

/** Whether a schema was ever laid down in this database. Writes nothing, so that asking an unused object costs no storage. */
export function isMigrated(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
}

/**
 * Applies the migrations that this database has not seen, in order. The caller holds the transaction.
 *
 * @throws Error when the database is newer than `migrations`: it was written by a later release, and reading it could lose data
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
    sql.exec("INSERT INTO migrations (number) VALUES (?)", migration.number);
  }
}
