/**
 * The tables `keys` and `key_revision`: the keys that an agent has issued. They hold hashes of the secrets, never the
 * secrets. Knows nothing of what a role allows.
 */

import { Database } from "../database/database";
import { Revision } from "./revision";

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

/** Reads and writes the keys of an agent. The caller holds the transaction of every call. */
export class KeyTable {
  readonly #database: Database;
  readonly #revision: Revision;

  constructor(sql: SqlStorage) {
    this.#database = new Database(sql);
    this.#revision = new Revision(sql, this.#database, "key_revision");
  }

  /** Grows with every key created or removed; 0 if there never was one. Writes nothing. */
  revision(): number {
    return this.#revision.read();
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
    this.#revision.migrate();
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
    this.#revision.grow();
  }

  /** Removes an existing key. */
  delete(id: string): void {
    this.#database.run("DELETE FROM keys WHERE id = ?", id);
    this.#revision.grow();
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
