/**
 * The table `identity`: which processor an object is, of which agent, and to whom it tells what it predicts. It belongs to the
 * object, not to the processor, which is told.
 */

import { Database, upsert } from "../database/database";
import { isMigrated, migrate } from "../database/migrations";
import { PROCESSOR_MIGRATIONS } from "../database/schema";

/** A processor that another tells what it predicts. */
export interface TargetRecord {
  /** Unique in the agent. */
  id: string;
  /** The URL at which it is served; empty when it is an object of the same deployment. */
  endpoint: string;
}

/** A manipulative of the processor. */
export interface OutletRecord {
  /** Its identifier. */
  manipulative: string;
  /** What it tells of a prediction, in order. */
  fields: string[];
  /** In order. */
  targets: TargetRecord[];
}

/** Which processor an object is. */
export interface Identity {
  /** Unique in its agent. */
  id: string;
  /** The friendly name. */
  name: string;
  /** False once retired with its data kept. */
  inService: boolean;
  /** The agent's name; empty for a processor that has none to report to. */
  agent: string;
  /** A UUID made when the processor was: the source of its deliveries. */
  incarnation: string;
  /** Whether the agent knows that the genes are not those of the genome. */
  tuned: boolean;
  /** In their order. */
  outlets: OutletRecord[];
}

const COLUMNS = ["id", "name", "in_service", "agent", "incarnation", "tuned", "outlets"];
const PUT = upsert("identity", ["row", ...COLUMNS]);
const READ = `SELECT ${COLUMNS.join(", ")} FROM identity`;

type IdentityColumns = [string, string, number, string, string, number, string];

/**
 * Reads the identity, bringing the schema up to date first. `undefined`, and nothing is written, for an object that was never
 * provisioned. The caller holds the transaction.
 */
export function readIdentity(sql: SqlStorage): Identity | undefined {
  if (!isMigrated(sql)) return undefined;
  migrate(sql, PROCESSOR_MIGRATIONS);
  const row = new Database(sql).first<IdentityColumns>(READ);
  if (row === undefined) return undefined;
  const [id, name, inService, agent, incarnation, tuned, outlets] = row;
  return { id, name, inService: inService === 1, agent, incarnation, tuned: tuned === 1, outlets: JSON.parse(outlets) };
}

/** Writes the identity, laying the schema down where there is none. The caller holds the transaction. */
export function writeIdentity(sql: SqlStorage, identity: Identity): void {
  migrate(sql, PROCESSOR_MIGRATIONS);
  const { id, name, inService, agent, incarnation, tuned, outlets } = identity;
  const columns = [id, name, Number(inService), agent, incarnation, Number(tuned), JSON.stringify(outlets)] as const;
  new Database(sql).run(PUT, 0, ...columns);
}
