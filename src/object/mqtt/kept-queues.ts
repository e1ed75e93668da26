/**
 * The stored messages for clients whose sessions are kept. A payload that several of them may hear is a row of its own, so
 * that an event is stored once; it stays until the last message that says it is removed.
 */

import type { Queued } from "../../mqtt/session/outbox";
import { NO_PAYLOAD, SharedPayload } from "../../mqtt/session/shared-payload";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";

/** A payload that is stored apart. */
interface Row {
  readonly id: number;
  /** How many stored messages say it. */
  messages: number;
}

/** Writes and reads the queues of an agent's sessions. */
export class KeptQueues {
  readonly #tables: MqttTables;
  readonly #rows = new Map<SharedPayload, Row>();
  #lastId = 0;
  /** Those of before by their rows, while sessions are read. */
  #before: Map<number, SharedPayload> | undefined;

  constructor(tables: MqttTables) {
    this.#tables = tables;
  }

  /**
   * Does something that reads sessions of before. Payloads are read once for all of them, and deleted when no message
   * says them any more.
   */
  reading(read: () => void): void {
    const before = this.#tables.payloads().map(({ id, payload }) => [id, new SharedPayload(payload, true)] as const);
    this.#before = new Map(before);
    this.#lastId = before.reduce((last, [id]) => Math.max(last, id), this.#lastId);
    read();
    this.#before = undefined;
    for (const [id, payload] of before) if (!this.#rows.has(payload)) this.#tables.removePayload(id);
  }

  /** The messages of a session of before, in order. */
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

  /** The client has a message: only its packet identifier is needed. */
  release(session: string, { order, payload }: Queued): void {
    this.#tables.releaseMessage(session, order);
    this.#forget(payload);
  }

  remove(session: string, { order, payload }: Queued): void {
    this.#tables.removeMessage(session, order);
    this.#forget(payload);
  }

  /** A session has ended. @param messages all that are stored of it */
  removeAll(session: string, messages: readonly Queued[]): void {
    this.#tables.removeSession(session);
    for (const { payload } of messages) this.#forget(payload);
  }

  /** One more stored message says a payload. */
  #say(payload: SharedPayload, id: number): void {
    const row = this.#rows.get(payload);
    if (row === undefined) this.#rows.set(payload, { id, messages: 1 });
    else row.messages++;
  }

  /** A stored message says it no more. */
  #forget(payload: SharedPayload): void {
    const row = this.#rows.get(payload);
    if (row === undefined || --row.messages > 0) return;
    this.#rows.delete(payload);
    this.#tables.removePayload(row.id);
  }
}
