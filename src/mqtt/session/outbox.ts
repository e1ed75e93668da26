/**
 * The messages of QoS 1 and 2 for one client: those waiting, and those sent but not acknowledged, in order and bounded.
 * Pure: no socket, no clock. For a kept session, an {@link OutboxStore} is notified of each change.
 */

import { NO_PAYLOAD, QueuedBytes, type SharedPayload } from "./shared-payload";

/** Maximum number of messages in a session's queue. */
export const MAX_QUEUED = 1000;

/** Maximum bytes of topics and payloads in a session's queue. */
export const MAX_QUEUED_BYTES = 1_048_576;

/** Bytes of a queued message besides its topic and payload. */
export const ENTRY_BYTES = 256;

const LAST_ID = 65_535;

/** A message for a client. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: SharedPayload;
  readonly qos: 1 | 2;
  readonly isRetained: boolean;
  readonly subscriptionIds: readonly number[];
}

/** A message in the queue. */
export interface Queued extends Outgoing {
  /** Grows with each message of the session. */
  readonly order: number;
  /** Its packet identifier. */
  readonly id: number;
  /** Whether the client has this message of QoS 2, and PUBREL is in flight. */
  readonly isReleased: boolean;
}

/** Stores a queue. */
export interface OutboxStore {
  add(message: Queued): void;
  /** PUBREC has arrived, so the payload is no longer needed. @param message as it was before */
  release(message: Queued): void;
  remove(message: Queued): void;
}

/** Stores nothing. */
export const NO_STORE: OutboxStore = { add: () => {}, release: () => {}, remove: () => {} };

/** A message, and its progress. */
interface Entry {
  message: Queued;
  /** Whether it was sent over the current connection. */
  isSent: boolean;
  /** Whether it may have been sent over an earlier one. */
  isRepeated: boolean;
}

/** A message to send now. */
export interface Sending {
  readonly message: Queued;
  readonly isRepeated: boolean;
}

/** The queue of one session. */
export class Outbox {
  readonly #entries: Entry[];
  readonly #byId = new Map<number, Entry>();
  readonly #store: OutboxStore;
  readonly #together: QueuedBytes;
  #bytes = 0;
  #order = 0;
  #id = 0;
  #underWay = 0;
  /** Maximum number of unacknowledged messages that the client accepts. */
  window = LAST_ID;
  /** Number of messages dropped for others. */
  dropped = 0;

  /** Bytes of the queue: those of topics and payloads, and {@link ENTRY_BYTES} for each message. */
  get held(): number {
    return this.#bytes + this.#entries.length * ENTRY_BYTES;
  }

  /**
   * @param stored the stored messages, in order
   * @param together the bytes of this queue and others
   */
  constructor(store: OutboxStore = NO_STORE, stored: readonly Queued[] = [], together = new QueuedBytes()) {
    this.#store = store;
    this.#together = together;
    this.#entries = stored.map((message) => ({ message, isSent: false, isRepeated: true }));
    for (const entry of this.#entries) {
      const { message } = entry;
      this.#byId.set(message.id, entry);
      this.#count(message);
      this.#order = Math.max(this.#order, message.order);
      this.#id = message.id;
    }
  }

  /** Number of messages in the queue. */
  get size(): number {
    return this.#entries.length;
  }

  /** Adds a message. If necessary, drops the oldest ones that were never sent. */
  add(outgoing: Outgoing): void {
    const order = ++this.#order;
    const message: Queued = { ...outgoing, order, id: this.#freeId(), isReleased: false };
    const bytes = bytesOf(message);
    if (bytes > MAX_QUEUED_BYTES) {
      this.dropped++;
      return;
    }
    while (this.#entries.length >= MAX_QUEUED || this.#bytes + bytes > MAX_QUEUED_BYTES) {
      if (!this.drop()) break;
    }
    const entry = { message, isSent: false, isRepeated: false };
    this.#entries.push(entry);
    this.#byId.set(message.id, entry);
    this.#count(message);
    this.#store.add(message);
  }

  /** Drops the oldest message, preferring those never sent. @returns whether there was one */
  drop(): boolean {
    const oldest = this.#entries.find(({ isSent, isRepeated }) => !isSent && !isRepeated) ?? this.#entries[0];
    if (oldest === undefined) return false;
    this.#remove(oldest);
    this.dropped++;
    return true;
  }

  /** The next message to send, which then counts as sent; `undefined` while the client accepts no more. */
  next(): Sending | undefined {
    if (this.#underWay >= this.window) return undefined;
    const entry = this.#entries.find(({ isSent }) => !isSent);
    if (entry === undefined) return undefined;
    const { isRepeated } = entry;
    entry.isSent = true;
    entry.isRepeated = true;
    this.#underWay++;
    return { message: entry.message, isRepeated };
  }

  /** Handles PUBACK, PUBCOMP, or a refusal. @returns whether such a message was in flight */
  acknowledged(id: number): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined || !entry.isSent) return false;
    this.#remove(entry);
    return true;
  }

  /** Handles PUBREC. @returns whether such a message was in flight */
  received(id: number): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined || !entry.isSent || entry.message.qos !== 2) return false;
    const { message } = entry;
    if (!message.isReleased) {
      this.#store.release(message);
      this.#uncount(message);
      entry.message = { ...message, payload: NO_PAYLOAD, topic: "", isReleased: true };
      this.#count(entry.message);
    }
    return true;
  }

  /**
   * Whether a packet may answer the message sent with its identifier. An answer to a message that was not sent is
   * allowed, but has no effect.
   */
  mayAnswer(id: number, type: "puback" | "pubrec" | "pubcomp"): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined || !entry.isSent) return true;
    const { qos, isReleased } = entry.message;
    if (type === "pubcomp") return isReleased;
    return type === (qos === 1 ? "puback" : "pubrec");
  }

  /** Notes that the client has a new connection, so that everything has to be sent again. */
  resume(): void {
    this.#underWay = 0;
    for (const entry of this.#entries) entry.isSent = false;
  }

  /** The messages of the queue. */
  messages(): Queued[] {
    return this.#entries.map(({ message }) => message);
  }

  /** Empties the queue because the session has ended. The store is not notified. */
  clear(): void {
    for (const { message } of this.#entries.splice(0)) this.#uncount(message);
    this.#byId.clear();
    this.#underWay = 0;
  }

  #remove(entry: Entry): void {
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#byId.delete(entry.message.id);
    if (entry.isSent) this.#underWay--;
    this.#store.remove(entry.message);
    this.#uncount(entry.message);
  }

  #count(message: Queued): void {
    this.#bytes += bytesOf(message);
    this.#together.held += ENTRY_BYTES + message.topic.length + message.payload.hold();
  }

  #uncount(message: Queued): void {
    this.#bytes -= bytesOf(message);
    this.#together.held -= ENTRY_BYTES + message.topic.length + message.payload.release();
  }

  #freeId(): number {
    do this.#id = this.#id === LAST_ID ? 1 : this.#id + 1;
    while (this.#byId.has(this.#id));
    return this.#id;
  }
}

function bytesOf({ topic, payload }: Outgoing): number {
  // An estimate: a UTF-16 unit takes at most three bytes, but topics are nearly always ASCII.
  return topic.length + payload.bytes.length;
}
