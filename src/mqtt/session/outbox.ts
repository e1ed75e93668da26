/**
 * The messages of QoS 1 and 2 for one client: what waits, what was sent and is not acknowledged, in order and bounded.
 * Pure: no socket, no clock. Of a session that is kept, an {@link OutboxStore} hears of each change.
 */

import { NO_PAYLOAD, QueuedBytes, type SharedPayload } from "./shared-payload";

/** How many messages a session queues. */
export const MOST_QUEUED = 1000;

/** How many bytes of topics and payloads a session queues. */
export const MOST_QUEUED_BYTES = 1_048_576;

/** What a message in a queue takes besides its topic and payload, in bytes. */
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
  /** Whether the client has it, of QoS 2, and PUBREL is under way. */
  readonly isReleased: boolean;
}

/** Keeps a queue. */
export interface OutboxStore {
  add(message: Queued): void;
  /** PUBREC has come: the payload is needed no longer. @param message as it was before */
  release(message: Queued): void;
  remove(message: Queued): void;
}

/** Keeps nothing. */
export const NO_STORE: OutboxStore = { add: () => {}, release: () => {}, remove: () => {} };

/** A message, and how far it is. */
interface Entry {
  message: Queued;
  /** Whether it was sent over the present connection. */
  isSent: boolean;
  /** Whether it may have been sent over an earlier one. */
  isRepeated: boolean;
}

/** What is to be sent. */
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
  /** How many messages the client takes before it acknowledges one. */
  window = LAST_ID;
  /** How many messages had to make room. */
  dropped = 0;

  /** How many bytes the queue takes: those of topics and payloads, and {@link ENTRY_BYTES} for each message. */
  get held(): number {
    return this.#bytes + this.#entries.length * ENTRY_BYTES;
  }

  /**
   * @param stored what the store has, in order
   * @param together what this queue and others take
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

  /** How many messages are in the queue. */
  get size(): number {
    return this.#entries.length;
  }

  /** Adds a message. The oldest that were never sent make room. */
  add(outgoing: Outgoing): void {
    const order = ++this.#order;
    const message: Queued = { ...outgoing, order, id: this.#freeId(), isReleased: false };
    const bytes = bytesOf(message);
    if (bytes > MOST_QUEUED_BYTES) {
      this.dropped++;
      return;
    }
    while (this.#entries.length >= MOST_QUEUED || this.#bytes + bytes > MOST_QUEUED_BYTES) {
      if (!this.drop()) break;
    }
    const entry = { message, isSent: false, isRepeated: false };
    this.#entries.push(entry);
    this.#byId.set(message.id, entry);
    this.#count(message);
    this.#store.add(message);
  }

  /** Drops the oldest message, of those that were never sent if there are any. @returns whether there was one */
  drop(): boolean {
    const oldest = this.#entries.find(({ isSent, isRepeated }) => !isSent && !isRepeated) ?? this.#entries[0];
    if (oldest === undefined) return false;
    this.#remove(oldest);
    this.dropped++;
    return true;
  }

  /** The next message to send, which then counts as sent; `undefined` while the client takes no more. */
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

  /** PUBACK has come, PUBCOMP, or a refusal. @returns whether such a message was under way */
  acknowledged(id: number): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined || !entry.isSent) return false;
    this.#remove(entry);
    return true;
  }

  /** PUBREC has come. @returns whether such a message was under way */
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

  /** Whether a packet may answer what was sent with its identifier. What was not sent, anything may answer: it has no effect. */
  mayAnswer(id: number, type: "puback" | "pubrec" | "pubcomp"): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined || !entry.isSent) return true;
    const { qos, isReleased } = entry.message;
    if (type === "pubcomp") return isReleased;
    return type === (qos === 1 ? "puback" : "pubrec");
  }

  /** The client has a new connection: everything is to be sent again. */
  resume(): void {
    this.#underWay = 0;
    for (const entry of this.#entries) entry.isSent = false;
  }

  /** The messages of the queue. */
  messages(): Queued[] {
    return this.#entries.map(({ message }) => message);
  }

  /** The session has ended. The store hears nothing of it. */
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
  // A UTF-16 unit takes three bytes at most, and hardly a topic has other characters than ASCII.
  return topic.length + payload.bytes.length;
}
