/** The table `identity`: which processor an object is. It belongs to the object, not to the processor, which is told. */

import { Database, upsert } from "./database";
import { isMigrated, migrate } from "./migrations";
import { PROCESSOR_MIGRATIONS } from "./schema";

/** Which processor an object is. */
export interface Identity {
  /** Unique in its agent. */
  id: string;
  /** The friendly name. */
  name: string;
  /** False once retired with its data kept. */
  inService: boolean;
}

const PUT = upsert("identity", ["row", "id", "name", "in_service"]);

/**
 * Reads the identity, bringing the schema up to date first. `undefined`, and nothing is written, for an object that was never
 * provisioned. The caller holds the transaction.
 */
export function readIdentity(sql: SqlStorage): Identity | undefined {
  if (!isMigrated(sql)) return undefined;
  migrate(sql, PROCESSOR_MIGRATIONS);
  const row = new Database(sql).first<[string, string, number]>("SELECT id, name, in_service FROM identity");
  return row === undefined ? undefined : { id: row[0], name: row[1], inService: row[2] === 1 };
}

/** Writes the identity, laying the schema down where there is none. The caller holds the transaction. */
export function writeIdentity(sql: SqlStorage, { id, name, inService }: Identity): void {
  migrate(sql, PROCESSOR_MIGRATIONS);
  new Database(sql).run(PUT, 0, id, name, Number(inService));
}
