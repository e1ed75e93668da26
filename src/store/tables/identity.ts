/**
 * The table `identity`: the processor and agent that an object belongs to, and the targets of its predictions. The
 * object reads and writes it, and passes it to the processor.
 */

import { Database, upsert } from "../database/database";
import { isMigrated, migrate } from "../database/migrations";
import { PROCESSOR_MIGRATIONS } from "../database/schema";

/** A manipulative of the processor. */
export interface StoredManipulative {
  /** Its identifier. */
  id: string;
  /** The parts of each prediction that it sends, in order. */
  fields: string[];
  /** The processors that observe what it sends, in order. */
  targets: StoredTarget[];
}

/** A processor that observes what a manipulative sends. */
interface StoredTarget {
  /** Unique in the agent. */
  id: string;
  /** The URL that serves it; empty when it is an object of this deployment. */
  endpoint: string;
  /**
   * The region near which its object is created; empty if the genome does not say. Absent if stored by an earlier
   * release.
   */
  locationHint?: string;
  /** The jurisdiction of its object; empty or absent in the same cases. */
  jurisdiction?: string;
}

/** The identity of a processor's object. */
export interface Identity {
  /** Unique in its agent. */
  id: string;
  /** The friendly name. */
  name: string;
  /** False once retired with its data kept. */
  inService: boolean;
  /** The agent's name; empty for a processor without an agent. */
  agent: string;
  /** A UUID that is new for each processor: the source name of its deliveries. */
  incarnation: string;
  /** Whether the agent knows that the genes differ from the genome. */
  tuned: boolean;
  /** In the order of the genome. */
  manipulatives: StoredManipulative[];
  /** Number of parts that hold its models, 1 or more. */
  parts: number;
}

const COLUMNS = ["id", "name", "in_service", "agent", "incarnation", "tuned", "outlets", "parts"];
const PUT = upsert("identity", ["row", ...COLUMNS]);
const READ = `SELECT ${COLUMNS.join(", ")} FROM identity`;

type IdentityColumns = [string, string, number, string, string, number, string, number];

/** How the column `outlets` holds manipulatives, as JSON. */
type OutletColumn = { manipulative: string; fields: string[]; targets: StoredTarget[] }[];

/**
 * Reads the identity, and brings the schema up to date first. For an object that was never provisioned, returns
 * `undefined` and writes nothing. The caller holds the transaction.
 */
export function readIdentity(sql: SqlStorage): Identity | undefined {
  if (!isMigrated(sql)) return undefined;
  migrate(sql, PROCESSOR_MIGRATIONS);
  const row = new Database(sql).first<IdentityColumns>(READ);
  if (row === undefined) return undefined;
  const [id, name, inService, agent, incarnation, tuned, outlets, parts] = row;
  const manipulatives = (JSON.parse(outlets) as OutletColumn).map(({ manipulative, ...rest }) => ({
    id: manipulative,
    ...rest,
  }));
  return { id, name, inService: inService === 1, agent, incarnation, tuned: tuned === 1, manipulatives, parts };
}

/** Writes the identity, and creates the schema if there is none. The caller holds the transaction. */
export function writeIdentity(sql: SqlStorage, identity: Identity): void {
  migrate(sql, PROCESSOR_MIGRATIONS);
  const { id, name, inService, agent, incarnation, tuned, manipulatives, parts } = identity;
  const outlets: OutletColumn = manipulatives.map(({ id: manipulative, ...rest }) => ({ manipulative, ...rest }));
  const manipulativesText = JSON.stringify(outlets);
  new Database(sql).run(
    PUT,
    0,
    id,
    name,
    Number(inService),
    agent,
    incarnation,
    Number(tuned),
    manipulativesText,
    parts,
  );
}
