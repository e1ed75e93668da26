/**
 * The stored messages of kept sessions. A payload that several sessions may get has a row of its own, so that an event
 * is stored once; it stays until the last message that refers to it is removed.
 */

import type { Queued } from "../../mqtt/session/outbox";
import { NO_PAYLOAD, SharedPayload } from "../../mqtt/session/shared-payload";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";

/** A payload in a row of its own. */
interface Row {
  readonly id: number;
  /** Number of stored messages that refer to it. */
  messages: number;
}

/** Writes and reads the queues of an agent's sessions. */
export class KeptQueues {
  readonly #tables: MqttTables;
  readonly #rows = new Map<SharedPayload, Row>();
  #lastId = 0;
  /** Payloads stored earlier, by row, while sessions are read. */
  #before: Map<number, SharedPayload> | undefined;

  constructor(tables: MqttTables) {
    this.#tables = tables;
  }

  /**
   * Runs code that reads stored sessions. Payloads are read once for all of them, and deleted if no message refers to
   * them any more.
   */
  reading(read: () => void): void {
    const before = this.#tables.payloads().map(({ id, payload }) => [id, new SharedPayload(payload, true)] as const);
    this.#before = new Map(before);
    this.#lastId = before.reduce((last, [id]) => Math.max(last, id), this.#lastId);
    read();
    this.#before = undefined;
    for (const [id, payload] of before) if (!this.#rows.has(payload)) this.#tables.removePayload(id);
  }

  /** The stored messages of a session, in order. */
  messages(session: string): Queued[] {
    return this.#tables.messages(session).map(({ shared, payload, ...rest }) => {
      const stored = shared === null ? undefined : this.#before?.get(shared);
      if (shared !== null && stored !== undefined) this.#say(stored, shared);
      return { ...rest, payload: stored ?? (payload.length > 0 ? new SharedPayload(payload) : NO_PAYLOAD) };
    });
  }

  add(session: string, message: Queued): void {
    const { payload, ...rest } = message;
    if (!payload.isShared) {
      this.#tables.addMessage(session, { ...rest, payload: payload.bytes, shared: null });
      return;
    }
    let id = this.#rows.get(payload)?.id;
    if (id === undefined) {
      id = ++this.#lastId;
      this.#tables.addPayload(id, payload.bytes);
    }
    this.#say(payload, id);
    this.#tables.addMessage(session, { ...rest, payload: NO_PAYLOAD.bytes, shared: id });
  }

  /** Notes that the client has a message: from now on only its packet identifier is needed. */
  release(session: string, { order, payload }: Queued): void {
    this.#tables.releaseMessage(session, order);
    this.#forget(payload);
  }

  remove(session: string, { order, payload }: Queued): void {
    this.#tables.removeMessage(session, order);
    this.#forget(payload);
  }

  /** Notes that a session has ended. @param messages all its stored messages */
  removeAll(session: string, messages: readonly Queued[]): void {
    this.#tables.removeSession(session);
    for (const { payload } of messages) this.#forget(payload);
  }

  /** Adds a reference of a stored message to a payload. */
  #say(payload: SharedPayload, id: number): void {
    const row = this.#rows.get(payload);
    if (row === undefined) this.#rows.set(payload, { id, messages: 1 });
    else row.messages++;
  }

  /** Removes a reference of a stored message. */
  #forget(payload: SharedPayload): void {
    const row = this.#rows.get(payload);
    if (row === undefined || --row.messages > 0) return;
    this.#rows.delete(payload);
    this.#tables.removePayload(row.id);
  }
}
