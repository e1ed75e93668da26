/** The tables of MQTT sessions. */

import type { Database } from "../database/database";
import { isMigrated, migrate } from "../database/migrations";
import { MQTT_MIGRATIONS } from "../database/mqtt-schema";

/** A stored session. */
export interface SessionRow {
  readonly id: string;
  /** JSON. */
  readonly about: string;
  /** JSON. */
  readonly inbox: string;
}

/** A stored will, without its payload. */
export interface WillRow {
  readonly session: string;
  /** Seconds without the client after which it is published. */
  readonly delayS: number;
  /** Number of its characters. */
  readonly size: number;
}

/** A stored will that is to be published, without its content. */
export interface DueWillRow {
  /** The source by which its memory accepts it once: a UUID. */
  readonly source: string;
  /** JSON. */
  readonly about: string;
  /** Number of the will's characters. */
  readonly size: number;
}

/** A stored message for a client. */
export interface MessageRow {
  /** Its place in the order of its session. */
  readonly order: number;
  /** The packet identifier. */
  readonly id: number;
  readonly topic: string;
  /** The payload; empty if it is stored separately. */
  readonly payload: Uint8Array;
  /** The row of {@link MqttTables.payloads} with the payload; `null` for none. */
  readonly shared: number | null;
  readonly qos: 1 | 2;
  readonly isRetained: boolean;
  readonly subscriptionIds: readonly number[];
  readonly isReleased: boolean;
}

type MessageColumns = [number, number, string, ArrayBuffer, number, number, string, number, number | null];

/** The bytes of a message, and the row of its payload. */
type SizeColumns = [session: string, number: number, bytes: number, shared: number | null];

/** Whether an object's storage holds MQTT sessions. */
export function isMqttStored(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'messages'").toArray().length > 0;
}

/** Reads and writes MQTT sessions, their wills and messages. */
export class MqttTables {
  readonly #database: Database;
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  #isThere: boolean;

  /** @param storage the object's, in which the tables are created when something is to be stored */
  constructor(database: Database, storage: Pick<DurableObjectStorage, "sql" | "transactionSync">) {
    this.#database = database;
    this.#storage = storage;
    this.#isThere = isMigrated(storage.sql);
    if (this.#isThere) this.#migrate();
  }

  #migrate(): void {
    this.#storage.transactionSync(() => migrate(this.#storage.sql, MQTT_MIGRATIONS));
    this.#isThere = true;
  }

  /** All sessions. */
  sessions(): SessionRow[] {
    if (!this.#isThere) return [];
    const rows = this.#database.all<[string, string, string]>("SELECT id, about, inbox FROM sessions");
    return rows.map(([id, about, inbox]) => ({ id, about, inbox }));
  }

  /** Inserts or replaces a session. */
  putSession({ id, about, inbox }: SessionRow): void {
    if (!this.#isThere) this.#migrate();
    this.#database.run(
      "INSERT INTO sessions (id, about, inbox) VALUES (?, ?, ?) " +
        "ON CONFLICT (id) DO UPDATE SET about = excluded.about, inbox = excluded.inbox",
      id,
      about,
      inbox,
    );
  }

  /** Writes the messages in flight of an existing session. */
  putInbox(id: string, inbox: string): void {
    this.#database.run("UPDATE sessions SET inbox = ? WHERE id = ?", inbox, id);
  }

  /** All wills, without their contents. */
  wills(): WillRow[] {
    if (!this.#isThere) return [];
    const rows = this.#database.all<[string, number, number]>("SELECT session, delay, length(will) FROM wills");
    return rows.map(([session, delayS, size]) => ({ session, delayS, size }));
  }

  /** Writes the will of a session. @param will JSON */
  putWill(session: string, will: string, delayS: number): void {
    if (!this.#isThere) this.#migrate();
    this.#database.run(
      "INSERT INTO wills (session, will, delay) VALUES (?, ?, ?) " +
        "ON CONFLICT (session) DO UPDATE SET will = excluded.will, delay = excluded.delay",
      session,
      will,
      delayS,
    );
  }

  /** The will of a session as JSON; `undefined` for none. */
  will(session: string): string | undefined {
    return this.#database.all<[string]>("SELECT will FROM wills WHERE session = ?", session)[0]?.[0];
  }

  removeWill(session: string): void {
    this.#database.run("DELETE FROM wills WHERE session = ?", session);
  }

  /** All wills that are to be published, without their contents. */
  dueWills(): DueWillRow[] {
    if (!this.#isThere) return [];
    const rows = this.#database.all<[string, string, number]>("SELECT source, about, length(will) FROM due_wills");
    return rows.map(([source, about, size]) => ({ source, about, size }));
  }

  /** Writes a will that is to be published. @param about JSON @param will JSON */
  addDueWill(source: string, about: string, will: string): void {
    if (!this.#isThere) this.#migrate();
    this.#database.run("INSERT INTO due_wills (source, about, will) VALUES (?, ?, ?)", source, about, will);
  }

  /** A will that is to be published, as JSON; `undefined` for none. */
  dueWill(source: string): string | undefined {
    return this.#database.all<[string]>("SELECT will FROM due_wills WHERE source = ?", source)[0]?.[0];
  }

  removeDueWill(source: string): void {
    this.#database.run("DELETE FROM due_wills WHERE source = ?", source);
  }

  /** All ended sessions, with the time until which their numbers are kept, epoch milliseconds. */
  endedSources(): { readonly source: string; readonly about: string; readonly at: number }[] {
    if (!this.#isThere) return [];
    const rows = this.#database.all<[string, string, number]>("SELECT source, about, at FROM ended_sources");
    return rows.map(([source, about, at]) => ({ source, about, at }));
  }

  /** Adds an ended session. @param about JSON */
  addEndedSource(source: string, about: string, at: number): void {
    if (!this.#isThere) this.#migrate();
    this.#database.run("INSERT INTO ended_sources (source, about, at) VALUES (?, ?, ?)", source, about, at);
  }

  removeEndedSource(source: string): void {
    this.#database.run("DELETE FROM ended_sources WHERE source = ?", source);
  }

  /** The processors that could not be told what is to be heard. */
  untold(): string[] {
    if (!this.#isThere) return [];
    return this.#database.all<[string]>("SELECT processor FROM untold").map(([processor]) => processor);
  }

  /** Writes one that is not there. */
  addUntold(processorId: string): void {
    if (!this.#isThere) this.#migrate();
    this.#database.run("INSERT INTO untold (processor) VALUES (?)", processorId);
  }

  removeUntold(processorId: string): void {
    this.#database.run("DELETE FROM untold WHERE processor = ?", processorId);
  }

  /** Deletes a session and its messages. */
  removeSession(id: string): void {
    this.#database.run("DELETE FROM sessions WHERE id = ?", id);
    this.#database.run("DELETE FROM messages WHERE session = ?", id);
  }

  /** The messages of a session, in order. */
  messages(session: string): MessageRow[] {
    const rows = this.#database.all<MessageColumns>(
      "SELECT number, packet_id, topic, payload, qos, retained, subscriptions, released, shared FROM messages " +
        "WHERE session = ? ORDER BY number",
      session,
    );
    return rows.map(([order, id, topic, payload, qos, retained, subscriptions, released, shared]) => ({
      order,
      id,
      topic,
      payload: new Uint8Array(payload),
      qos: qos === 2 ? 2 : 1,
      isRetained: retained === 1,
      subscriptionIds: JSON.parse(subscriptions),
      isReleased: released === 1,
      shared,
    }));
  }

  /** The payloads stored separately from messages. */
  payloads(): { readonly id: number; readonly payload: Uint8Array }[] {
    if (!this.#isThere) return [];
    const rows = this.#database.all<[number, ArrayBuffer]>("SELECT id, payload FROM payloads");
    return rows.map(([id, payload]) => ({ id, payload: new Uint8Array(payload) }));
  }

  addPayload(id: number, payload: Uint8Array): void {
    this.#database.run("INSERT INTO payloads (id, payload) VALUES (?, ?)", id, payload);
  }

  removePayload(id: number): void {
    this.#database.run("DELETE FROM payloads WHERE id = ?", id);
  }

  /**
   * Deletes the oldest messages of the longest queues until all queues fit into `most` bytes, and the payloads without
   * a message. Reads no payload.
   *
   * @param most maximum bytes of topics and payloads of all queues; payloads stored separately count once
   * @param entry bytes of each message in addition
   */
  shortenQueues(most: number, entry: number): void {
    if (!this.#isThere) return;
    const [bytes = 0] =
      this.#database.first<[number]>(
        "SELECT (SELECT total(length(payload)) FROM payloads) + " +
          "(SELECT total(length(topic) + length(payload) + ?) FROM messages)",
        entry,
      ) ?? [];
    if (bytes <= most) return;
    const sizes = new Map(this.#database.all<[number, number]>("SELECT id, length(payload) FROM payloads"));
    const messages = this.#database.all<SizeColumns>(
      "SELECT session, number, length(topic) + length(payload) + ?, shared FROM messages ORDER BY session, number",
      entry,
    );
    const { dropped, unreferenced } = droppedOf(messages, sizes, most);
    for (const [session, number] of dropped) this.removeMessage(session, number);
    for (const id of unreferenced) this.removePayload(id);
  }

  addMessage(session: string, message: MessageRow): void {
    this.#database.run(
      "INSERT INTO messages (session, number, packet_id, topic, payload, qos, retained, subscriptions, released, " +
        "shared) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      session,
      message.order,
      message.id,
      message.topic,
      message.payload,
      message.qos,
      Number(message.isRetained),
      JSON.stringify(message.subscriptionIds),
      Number(message.isReleased),
      message.shared,
    );
  }

  /** Notes that the client has a message: from now on only its packet identifier is needed. */
  releaseMessage(session: string, order: number): void {
    const release =
      "UPDATE messages SET released = 1, topic = '', payload = x'', shared = NULL WHERE session = ? AND number = ?";
    this.#database.run(release, session, order);
  }

  removeMessage(session: string, order: number): void {
    this.#database.run("DELETE FROM messages WHERE session = ? AND number = ?", session, order);
  }
}

/** The cap on each of some sizes with which their sum is at most `most`. */
function shareOf(sizes: readonly number[], most: number): number {
  let left = most;
  for (const [at, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (sizes.length - at));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * The messages to drop: the oldest of the longest queues. A payload stored separately counts in equal shares for its
 * messages.
 *
 * @param messages of all queues, each in its order
 * @param sizes bytes of each payload stored separately
 * @returns the messages, and the payloads that no other message has
 */
function droppedOf(messages: readonly SizeColumns[], sizes: ReadonlyMap<number, number>, most: number) {
  const queues = queuesOf(messages);
  const dropped: SizeColumns[] = [];
  for (;;) {
    const references = referencesIn(queues);
    const bytesOf = ([, , bytes, id]: SizeColumns) =>
      bytes + (id === null ? 0 : (sizes.get(id) ?? 0) / (references.get(id) ?? 1));
    const taken = queues.map((queue) => queue.reduce((sum, message) => sum + bytesOf(message), 0));
    const share = shareOf(taken, most);
    if (share === Number.POSITIVE_INFINITY)
      return { dropped, unreferenced: [...sizes.keys()].filter((id) => !references.has(id)) };
    for (const [at, queue] of queues.entries()) dropped.push(...shortened(queue, (taken[at] ?? 0) - share, bytesOf));
  }
}

/** Removes the oldest messages of a queue. @returns the removed messages */
function shortened(queue: SizeColumns[], bytes: number, bytesOf: (message: SizeColumns) => number): SizeColumns[] {
  let left = bytes;
  let count = 0;
  for (; left > 0 && count < queue.length; count++) left -= bytesOf(queue[count] as SizeColumns);
  return queue.splice(0, count);
}

function queuesOf(messages: readonly SizeColumns[]): SizeColumns[][] {
  const queues = new Map<string, SizeColumns[]>();
  for (const message of messages) {
    const queue = queues.get(message[0]);
    if (queue === undefined) queues.set(message[0], [message]);
    else queue.push(message);
  }
  return [...queues.values()];
}

/** The number of messages of each payload. */
function referencesIn(queues: readonly SizeColumns[][]): Map<number, number> {
  const references = new Map<number, number>();
  for (const [, , , id] of queues.flat()) if (id !== null) references.set(id, (references.get(id) ?? 0) + 1);
  return references;
}
