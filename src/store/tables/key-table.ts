/**
 * The tables `keys` and `key_revision`: the keys that an agent has issued. They hold hashes of the secrets, never the
 * secrets. Knows nothing of what a role allows.
 */

import { AGENT_MIGRATIONS } from "../database/agent-schema";
import { Database, upsert } from "../database/database";
import { isMigrated, migrate } from "../database/migrations";

/** A stored key. */
export interface StoredKey {
  /** 16 hex digits, unique in the agent. */
  readonly id: string;
  /** SHA-256 of the secret, 32 bytes. */
  readonly secretSha256: Uint8Array;
  /** The name that its owner gave it. */
  readonly name: string;
  /** The words of its roles. */
  readonly roles: readonly string[];
  /** The identifiers of the only processors that it opens; empty for all. */
  readonly processors: readonly string[];
  /** The only sessions that it opens, as names or prefixes with an asterisk; empty for all. */
  readonly sessions: readonly string[];
  /** Seconds since 1970; `undefined` for never. */
  readonly expires: number | undefined;
  /** Requests a minute; `undefined` for no limit. */
  readonly perMinute: number | undefined;
  /** When it was created, in whole seconds since 1970. */
  readonly created: number;
}

const COLUMNS = [
  "id",
  "secret_sha256",
  "name",
  "roles",
  "processors",
  "sessions",
  "expires",
  "per_minute",
  "created",
] as const;

type KeyColumns = [
  id: string,
  secretSha256: ArrayBuffer,
  name: string,
  roles: string,
  processors: string,
  sessions: string,
  expires: number | null,
  perMinute: number | null,
  created: number,
];

const READ = `SELECT ${COLUMNS.join(", ")} FROM keys ORDER BY number`;
const INSERT = `INSERT INTO keys (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;
const BYTES = `SELECT coalesce(sum(${["name", "roles", "processors", "sessions"]
  .map((column) => `length(CAST(${column} AS BLOB))`)
  .join(" + ")}), 0) FROM keys`;
const PUT_REVISION = upsert("key_revision", ["row", "revision"]);

/** Reads and writes the keys of an agent. The caller holds the transaction of every call. */
export class KeyTable {
  readonly #sql: SqlStorage;
  readonly #database: Database;
  #isMigrated = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#database = new Database(sql);
  }

  /** Grows with every key created or removed; 0 if there never was one. Writes nothing. */
  revision(): number {
    if (!this.#isMigrated && !isMigrated(this.#sql)) return 0;
    this.#migrate();
    return this.#database.first<[number]>("SELECT revision FROM key_revision")?.[0] ?? 0;
  }

  /** All keys, in the order of creation. */
  all(): StoredKey[] {
    if (this.revision() === 0) return [];
    return this.#database.all<KeyColumns>(READ).map(keyOf);
  }

  /** Number of keys. */
  count(): number {
    if (this.revision() === 0) return 0;
    return this.#database.first<[number]>("SELECT count(*) FROM keys")?.[0] ?? 0;
  }

  /** Bytes of the names, roles, processors and sessions of all keys. */
  bytes(): number {
    if (this.revision() === 0) return 0;
    return this.#database.first<[number]>(BYTES)?.[0] ?? 0;
  }

  /** The key with an identifier; `undefined` for none. */
  read(id: string): StoredKey | undefined {
    return this.all().find((key) => key.id === id);
  }

  /** Stores a new key. @throws Error if its identifier is taken */
  insert(key: StoredKey): void {
    this.#migrate();
    const lists = [key.roles, key.processors, key.sessions].map((words) => JSON.stringify(words));
    this.#database.run(
      INSERT,
      key.id,
      key.secretSha256,
      key.name,
      ...lists,
      key.expires ?? null,
      key.perMinute ?? null,
      key.created,
    );
    this.#grow();
  }

  /** Removes an existing key. */
  delete(id: string): void {
    this.#database.run("DELETE FROM keys WHERE id = ?", id);
    this.#grow();
  }

  /**
   * Taken from the clock: after the database is restored from a copy, a counter would repeat values that stood for
   * other sets of keys.
   */
  #grow(): void {
    this.#database.run(PUT_REVISION, 0, Math.max(Date.now(), this.revision() + 1));
  }

  #migrate(): void {
    if (this.#isMigrated) return;
    migrate(this.#sql, AGENT_MIGRATIONS);
    this.#isMigrated = true;
  }
}

function keyOf([id, secret, name, roles, processors, sessions, expires, perMinute, created]: KeyColumns): StoredKey {
  return {
    id,
    secretSha256: new Uint8Array(secret),
    name,
    roles: JSON.parse(roles),
    processors: JSON.parse(processors),
    sessions: JSON.parse(sessions),
    expires: expires ?? undefined,
    perMinute: perMinute ?? undefined,
    created,
  };
}
