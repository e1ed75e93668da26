/**
 * The keys that one agent has issued, in the storage of its object. Logs every key created or deleted. Never sees a
 * secret: the gateway generates it and sends only its hash (docs/decisions/047).
 */

import { bytesToHex } from "@noble/hashes/utils.js";
import { Fault } from "../processor/ports/fault";
import type { KeptKey, KeyHost, KeyRights } from "../rpc/services/key-service";
import { KeyTable } from "../store/tables/key-table";

/** Bytes of an identifier. */
const ID_BYTES = 8;

/**
 * Maximum bytes of the names, roles, processors and sessions of all keys of an agent. Gateways fetch all keys in one
 * call, which carries 31 MiB; if it failed, no issued key would be accepted.
 */
export const MAX_KEYS_BYTES = 25_165_824;

/** The keys in one object's storage. */
export class StoredKeys implements KeyHost {
  readonly #storage: DurableObjectStorage;
  readonly #table: KeyTable;
  readonly #opened: () => Promise<string>;
  readonly #most: number;
  readonly #mostBytes: number;

  /**
   * @param opened makes sure that the agent exists, and resolves to its name
   * @param most maximum number of keys of the agent
   * @param mostBytes maximum of their bytes
   */
  constructor(storage: DurableObjectStorage, opened: () => Promise<string>, most: number, mostBytes = MAX_KEYS_BYTES) {
    this.#storage = storage;
    this.#table = new KeyTable(storage.sql);
    this.#opened = opened;
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  async create(rights: KeyRights, secretSha256: Uint8Array, askedWith: string): Promise<KeptKey> {
    const agent = await this.#opened();
    const key = this.#storage.transactionSync(() => {
      const count = this.#table.count();
      if (count >= this.#most) {
        throw new Fault("over-limit", `the agent has ${count} keys, the maximum by NOEMA_KEYS; delete some first`);
      }
      const { expires, perMinute } = rights;
      const key = { ...rights, expires, perMinute, id: newId(), secretSha256, created: epochSeconds() };
      // The identifier is random, and the table refuses a duplicate.
      this.#table.insert(key);
      const bytes = this.#table.bytes();
      if (bytes > this.#mostBytes) {
        throw new Fault(
          "over-limit",
          `the keys of an agent may take ${this.#mostBytes} bytes with their names, processors and sessions, and ` +
            `with this one they take ${bytes}; delete some first`,
        );
      }
      return key;
    });
    audit("key-created", agent, key, askedWith);
    return key;
  }

  async delete(id: string, askedWith: string): Promise<boolean> {
    const agent = await this.#opened();
    const key = this.#storage.transactionSync(() => {
      const found = this.#table.read(id);
      if (found !== undefined) this.#table.delete(id);
      return found;
    });
    if (key === undefined) return false;
    audit("key-deleted", agent, key, askedWith);
    return true;
  }

  revision(): number {
    return this.#storage.transactionSync(() => this.#table.revision());
  }

  all(): readonly KeptKey[] {
    return this.#storage.transactionSync(() => this.#table.all());
  }
}

function newId(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
}

function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/**
 * Logs a change of the keys, as a line of JSON. Names the key, but neither its secret nor its hash.
 *
 * @param askedWith the identifier of the key that requested the change; empty for a configured one
 */
function audit(event: "key-created" | "key-deleted", agent: string, key: KeptKey, askedWith: string): void {
  const { id, name, roles } = key;
  const creator = askedWith === "" ? "a configured key" : askedWith;
  console.error(JSON.stringify({ event, time: new Date().toISOString(), agent, id, name, roles, by: creator }));
}
