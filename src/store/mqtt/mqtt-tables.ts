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

/** What is stored of a will without its payload. */
export interface WillRow {
  readonly session: string;
  /** After how many seconds without the client it is published. */
  readonly delayS: number;
  /** How many characters it takes. */
  readonly size: number;
}

/** What is stored of a will that is to be published, without what it says. */
export interface DueWillRow {
  /** The source under which its memory takes it: a UUID. */
  readonly source: string;
  /** JSON. */
  readonly about: string;
  /** How many characters the will takes. */
  readonly size: number;
}

/** A stored message for a client. */
export interface MessageRow {
  /** Its place in the order of its session. */
  readonly order: number;
  /** The packet identifier. */
  readonly id: number;
  readonly topic: string;
  /** What it says; empty when that is stored apart. */
  readonly payload: Uint8Array;
  /** The row of {@link MqttTables.payloads} that says it; `null` for none. */
  readonly shared: number | null;
  readonly qos: 1 | 2;
  readonly isRetained: boolean;
  readonly subscriptionIds: readonly number[];
  readonly isReleased: boolean;
}

type MessageColumns = [number, number, string, ArrayBuffer, number, number, string, number, number | null];

/** What a message takes, in bytes, and the row of what it says. */
type SizeColumns = [session: string, number: number, bytes: number, shared: number | null];

/** Whether the storage of an object is that of MQTT sessions. */
export function isMqttStored(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'messages'").toArray().length > 0;
}

/** Reads and writes them. */
export class MqttTables {
  readonly #database: Database;
  readonly #storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  #isThere: boolean;

  /** @param storage the object's, in which the tables are made when something is to be stored */
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

  /** Writes a session, in the place of the one with its id. */
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

  /** Writes the messages under way of a session that is there. */
  putInbox(id: string, inbox: string): void {
    this.#database.run("UPDATE sessions SET inbox = ? WHERE id = ?", inbox, id);
  }

  /** All wills, without what they say. */
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

  /** The will of a session as JSON; `undefined` when it has none. */
  will(session: string): string | undefined {
    return this.#database.all<[string]>("SELECT will FROM wills WHERE session = ?", session)[0]?.[0];
  }

  removeWill(session: string): void {
    this.#database.run("DELETE FROM wills WHERE session = ?", session);
  }

  /** All wills that are to be published, without what they say. */
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

  /** A will that is to be published, as JSON; `undefined` when there is none. */
  dueWill(source: string): string | undefined {
    return this.#database.all<[string]>("SELECT will FROM due_wills WHERE source = ?", source)[0]?.[0];
  }

  removeDueWill(source: string): void {
    this.#database.run("DELETE FROM due_wills WHERE source = ?", source);
  }

  /** All sessions that have ended, and whose numbers are kept until a time, epoch milliseconds. */
  endedSources(): { readonly source: string; readonly about: string; readonly at: number }[] {
    if (!this.#isThere) return [];
    const rows = this.#database.all<[string, string, number]>("SELECT source, about, at FROM ended_sources");
    return rows.map(([source, about, at]) => ({ source, about, at }));
  }

  /** Writes one. @param about JSON */
  addEndedSource(source: string, about: string, at: number): void {
    if (!this.#isThere) this.#migrate();
    this.#database.run("INSERT INTO ended_sources (source, about, at) VALUES (?, ?, ?)", source, about, at);
  }

  removeEndedSource(source: string): void {
    this.#database.run("DELETE FROM ended_sources WHERE source = ?", source);
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

  /** The payloads that are stored apart from messages. */
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
   * Deletes the oldest messages of the longest queues, until all take no more bytes than they may, and the payloads that
   * no message says. Reads no payload.
   *
   * @param most how many bytes of topics and payloads all queues may take, each payload that is stored apart once
   * @param entry how many bytes each message takes besides
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
    const { dropped, unsaid } = droppedOf(messages, sizes, most);
    for (const [session, number] of dropped) this.removeMessage(session, number);
    for (const id of unsaid) this.removePayload(id);
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

  /** The client has a message: only its packet identifier is needed. */
  releaseMessage(session: string, order: number): void {
    const release =
      "UPDATE messages SET released = 1, topic = '', payload = x'', shared = NULL WHERE session = ? AND number = ?";
    this.#database.run(release, session, order);
  }

  removeMessage(session: string, order: number): void {
    this.#database.run("DELETE FROM messages WHERE session = ? AND number = ?", session, order);
  }
}

/** How much each of some sizes may be at most for their sum to be no more than `most`. */
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
 * Which messages make room: the oldest of the longest queues. What is stored apart counts in equal parts for the messages
 * that say it.
 *
 * @param messages of all queues, each in its order
 * @param sizes how many bytes each payload takes that is stored apart
 * @returns the messages, and the payloads that none of the others says
 */
function droppedOf(messages: readonly SizeColumns[], sizes: ReadonlyMap<number, number>, most: number) {
  const queues = queuesOf(messages);
  const dropped: SizeColumns[] = [];
  for (;;) {
    const said = saidBy(queues);
    const bytesOf = ([, , bytes, id]: SizeColumns) =>
      bytes + (id === null ? 0 : (sizes.get(id) ?? 0) / (said.get(id) ?? 1));
    const taken = queues.map((queue) => queue.reduce((sum, message) => sum + bytesOf(message), 0));
    const share = shareOf(taken, most);
    if (share === Number.POSITIVE_INFINITY) return { dropped, unsaid: [...sizes.keys()].filter((id) => !said.has(id)) };
    for (const [at, queue] of queues.entries()) dropped.push(...shortened(queue, (taken[at] ?? 0) - share, bytesOf));
  }
}

/** Removes the oldest messages of a queue. @returns them */
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

/** How many messages say each payload. */
function saidBy(queues: readonly SizeColumns[][]): Map<number, number> {
  const said = new Map<number, number>();
  for (const [, , , id] of queues.flat()) if (id !== null) said.set(id, (said.get(id) ?? 0) + 1);
  return said;
}
