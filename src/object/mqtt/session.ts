/** One session of a client: its subscriptions, its messages in flight both ways, its will, and its lifetime. */

import type { Will } from "../../mqtt/packets/packet";
import { Inbox, type StoredInbox } from "../../mqtt/session/inbox";
import { Outbox, type OutboxStore } from "../../mqtt/session/outbox";
import { QueuedBytes } from "../../mqtt/session/shared-payload";
import { type EventFilter, parseEventFilter } from "../../mqtt/topics";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";
import type { KeptQueues } from "./kept-queues";
import { SharedBudget } from "./shared-budget";

/** The connection of a session. */
export interface Peer {
  /** Ends it, because another connection takes over. */
  takenOver(): void;
  /** Ends it, because its key is no longer valid. */
  expelled(): void;
  /** Resolves when it has handled everything it was sent. */
  settled(): Promise<void>;
  /** Sends what may be sent now. */
  pump(): void;
  /** Sends a message of QoS 0. */
  sendOnce(message: {
    topic: string;
    payload: Uint8Array;
    isRetained: boolean;
    subscriptionIds: readonly number[];
  }): void;
}

/** One subscription. */
export interface Subscription {
  readonly filter: string;
  readonly qos: 0 | 1 | 2;
  readonly isRetainAsPublished: boolean;
  /** The client's identifier for it; `undefined` for none. */
  readonly subscriptionId: number | undefined;
}

/** A subscription, and what it asks for. */
export interface Heard extends Subscription {
  readonly asked: EventFilter;
  /** Grows with each subscription of the session. */
  readonly order: number;
}

/** Heap bytes of a subscription besides its filter. */
export const SUBSCRIPTION_BYTES = 512;

/** Maximum bytes of the subscriptions of an agent's sessions, with {@link SUBSCRIPTION_BYTES} for each. */
export const MAX_SUBSCRIBED_BYTES = 33_554_432;

/** Maximum of these bytes for the sessions of one key. */
export const MAX_SUBSCRIBED_BYTES_OF_A_KEY = 16_777_216;

/** Maximum bytes of the wills of an agent's sessions, as stored: JSON, with the payload in base64. */
export const MAX_WILL_BYTES = 8_388_608;

/** Maximum of these bytes for the sessions of one key. */
export const MAX_WILL_BYTES_OF_A_KEY = 4_194_304;

/** Maximum number of messages of QoS 1 and 2 in flight from an agent's clients. */
export const MAX_UNDER_WAY_TOGETHER = 65_536;

/** Maximum number of them from the clients of one key. */
export const MAX_UNDER_WAY_OF_A_KEY = 32_768;

/** The budgets that all sessions of an agent share. */
export class SessionBudgets {
  readonly subscriptions = new SharedBudget(MAX_SUBSCRIBED_BYTES, MAX_SUBSCRIBED_BYTES_OF_A_KEY);
  readonly wills = new SharedBudget(MAX_WILL_BYTES, MAX_WILL_BYTES_OF_A_KEY);
  /** The bytes of all queues. */
  readonly queued = new QueuedBytes();
  readonly underWay = new SharedBudget(MAX_UNDER_WAY_TOGETHER, MAX_UNDER_WAY_OF_A_KEY);
}

/** A will as JSON. */
interface StoredWill {
  readonly topic: string;
  /** base64. */
  readonly payload: string;
  readonly qos: 0 | 1 | 2;
  readonly delayS: number;
}

/** What is in memory of a will until it is sent; its content is only stored. */
interface NotedWill {
  /** Seconds without the client after which it is published. */
  readonly delayS: number;
  /** Number of stored bytes. */
  readonly size: number;
}

/** The part of a session that is stored as JSON. */
export interface About {
  readonly agent: string;
  readonly keyRef: string;
  readonly clientId: string;
  /** The reserved source of its numbers: a UUID that is new for each session. */
  readonly source: string;
  /** Seconds that it is kept without a connection; 0 for not at all. */
  readonly expiryS: number;
  readonly subscriptions: readonly Subscription[];
  /** The processors that have its numbers. */
  readonly processors: readonly string[];
  /** When the connection ended, epoch milliseconds; `undefined` while there is one. */
  readonly endedAt?: number | undefined;
}

/** What a session needs from the endpoint. */
export interface SessionParts {
  /** The tables of kept sessions. */
  readonly tables: MqttTables;
  readonly queues: KeptQueues;
  readonly budgets: SessionBudgets;
}

/** The rows of a session. */
export interface StoredSession {
  readonly inbox: StoredInbox;
  readonly will: NotedWill | undefined;
}

/** One session. */
export class Session {
  readonly id: string;
  readonly agent: string;
  readonly keyRef: string;
  readonly clientId: string;
  readonly source: string;
  readonly inbox: Inbox;
  readonly outbox: Outbox;
  /** Its current connection. */
  connection: Peer | undefined;
  readonly #parts: SessionParts;
  readonly #subscriptions = new Map<string, Heard>();
  readonly #processors: Set<string>;
  #expiryS: number;
  #endedAt: number | undefined;
  #will: NotedWill | undefined;
  #filterCharacters = 0;
  #order = 0;
  /** Number of messages in flight counted in the budget. */
  #underWay = 0;
  /** What of it the tables have: the inbox at which revision and change, and whether the rest is as it is now. */
  #stored: { revision: number; changes: number; isCurrent: boolean } | undefined;
  #isOver = false;

  /** @param stored its rows; `undefined` for none */
  constructor(id: string, about: About, parts: SessionParts, stored?: StoredSession, inbox = stored?.inbox) {
    this.id = id;
    this.agent = about.agent;
    this.keyRef = about.keyRef;
    this.clientId = about.clientId;
    this.source = about.source;
    this.#expiryS = about.expiryS;
    this.#processors = new Set(about.processors);
    this.#endedAt = about.endedAt;
    this.#parts = parts;
    for (const each of about.subscriptions) this.subscribe(each);
    this.inbox = new Inbox(inbox);
    this.#note();
    const { queues, budgets } = parts;
    const store: OutboxStore = {
      add: (message) => this.isKept && queues.add(id, message),
      release: (message) => this.isKept && queues.release(id, message),
      remove: (message) => this.isKept && queues.remove(id, message),
    };
    const messages = stored !== undefined && this.isKept ? queues.messages(id) : [];
    this.outbox = new Outbox(store, messages, budgets.queued);
    if (stored === undefined) return;
    this.#will = stored.will;
    budgets.wills.use(this.keyRef, stored.will?.size ?? 0);
    this.#stored = { revision: this.inbox.revision, changes: this.inbox.changes, isCurrent: true };
  }

  /** The identifier of the session of a client. */
  static idOf(keyRef: string, clientId: string): string {
    return JSON.stringify([keyRef, clientId]);
  }

  /** Seconds that it is kept without a connection; 0 for not at all. */
  get expiryS(): number {
    return this.#expiryS;
  }

  set expiryS(seconds: number) {
    if (seconds === this.#expiryS) return;
    const wasKept = this.isKept;
    this.#expiryS = seconds;
    this.#changed();
    if (this.isKept !== wasKept) this.#keepMessages();
  }

  /** When the connection ended, epoch milliseconds; `undefined` while there is one. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  set endedAt(at: number | undefined) {
    if (at !== this.#endedAt) this.#changed();
    this.#endedAt = at;
  }

  /** Its subscriptions by filter. */
  get subscriptions(): ReadonlyMap<string, Heard> {
    return this.#subscriptions;
  }

  /** Total characters of its filters. */
  get filterCharacters(): number {
    return this.#filterCharacters;
  }

  /** The processors that have its numbers. */
  get processors(): ReadonlySet<string> {
    return this.#processors;
  }

  /** Seconds without the client after which its will is published; `undefined` without a will. */
  get willDelayS(): number | undefined {
    return this.#will?.delayS;
  }

  /** Whether it has ended, and nothing of it is kept. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it is kept when its connection ends. */
  get isKept(): boolean {
    return this.expiryS > 0;
  }

  /** The source of its messages' numbers; empty if they have none. */
  get numberedBy(): string {
    return this.isKept ? this.source : "";
  }

  /** Whether the budgets have room for one more message in flight. */
  get mayTakeMore(): boolean {
    this.#note();
    return this.#parts.budgets.underWay.allows(this.keyRef, 1);
  }

  /** Whether the budgets have room for one more subscription. */
  mayHear(filter: string): boolean {
    return this.#parts.budgets.subscriptions.allows(this.keyRef, SUBSCRIPTION_BYTES + filter.length);
  }

  /**
   * Adds a subscription, replacing one with the same filter. @returns the subscription; `undefined` when it matches no
   * event
   */
  subscribe(subscription: Subscription): Heard | undefined {
    const { filter } = subscription;
    const asked = parseEventFilter(filter);
    if (asked === null) return undefined;
    const order = this.unsubscribe(filter)?.order ?? ++this.#order;
    const heard = { ...subscription, asked, order };
    this.#subscriptions.set(filter, heard);
    this.#countFilter(filter, 1);
    this.#changed();
    return heard;
  }

  /** Removes a subscription. @returns the subscription; `undefined` for none */
  unsubscribe(filter: string): Heard | undefined {
    const heard = this.#subscriptions.get(filter);
    if (heard === undefined) return undefined;
    this.#subscriptions.delete(filter);
    this.#countFilter(filter, -1);
    this.#changed();
    return heard;
  }

  #countFilter({ length }: string, by: 1 | -1): void {
    this.#filterCharacters += by * length;
    this.#parts.budgets.subscriptions.use(this.keyRef, by * (SUBSCRIPTION_BYTES + length));
  }

  /** Notes that a processor has its numbers. */
  publishesTo(processorId: string): void {
    if (this.#processors.has(processorId)) return;
    this.#processors.add(processorId);
    this.#changed();
  }

  /** Whether the budgets have room for a will that replaces its own. */
  hasRoomFor(will: Will): boolean {
    const more = sizeOf(will) - (this.#will?.size ?? 0);
    return more <= 0 || this.#parts.budgets.wills.allows(this.keyRef, more);
  }

  /** Stores a will in place of the previous one, or deletes it. */
  set will(will: Will | undefined) {
    const { tables, budgets } = this.#parts;
    const size = will === undefined ? 0 : sizeOf(will);
    budgets.wills.use(this.keyRef, size - (this.#will?.size ?? 0));
    if (will !== undefined) tables.putWill(this.id, textOf(will), will.delayS);
    else if (this.#will !== undefined) tables.removeWill(this.id);
    this.#will = will === undefined ? undefined : { delayS: will.delayS, size };
  }

  /** Removes and returns the stored will, for {@link willFrom}; `undefined` for none. */
  takeWill(): string | undefined {
    const text = this.#will === undefined ? undefined : this.#parts.tables.will(this.id);
    this.will = undefined;
    return text;
  }

  about(): About {
    const { agent, keyRef, clientId, source, expiryS, processors, endedAt } = this;
    const subscriptions = [...this.#subscriptions.values()].map(({ asked: _, order: __, ...rest }) => rest);
    return { agent, keyRef, clientId, source, expiryS, subscriptions, processors: [...processors], endedAt };
  }

  /** Stores it, if it is kept or has a will, and has changed since. */
  save(): void {
    this.#note();
    if (this.#isOver) return;
    if (!this.isKept && this.#will === undefined) {
      if (this.#stored !== undefined) this.#unstore();
      return;
    }
    const { tables } = this.#parts;
    const { revision, changes } = this.inbox;
    const before = this.#stored;
    if (before?.isCurrent && before.changes === changes) return;
    // Without a client, nothing is to come: and no memory has to be asked when one comes back.
    const inbox = JSON.stringify(this.inbox.stored(this.#endedAt === undefined));
    if (before?.isCurrent) tables.putInbox(this.id, inbox);
    else tables.putSession({ id: this.id, about: JSON.stringify(this.about()), inbox });
    this.#stored = { revision, changes, isCurrent: true };
  }

  /** Whether what has changed since it was stored may be stored late. */
  get maySaveLate(): boolean {
    return this.#stored?.isCurrent === true && this.#stored.revision === this.inbox.revision;
  }

  /** Ends it: deletes its rows. */
  end(): void {
    this.will = undefined;
    for (const filter of [...this.#subscriptions.keys()]) this.unsubscribe(filter);
    this.#parts.budgets.underWay.use(this.keyRef, -this.#underWay);
    this.#underWay = 0;
    if (this.#stored !== undefined) this.#unstore();
    this.outbox.clear();
    this.#isOver = true;
  }

  /** Stores the messages of a session that is kept from now on, or deletes those of one that no longer is. */
  #keepMessages(): void {
    const { queues } = this.#parts;
    const messages = this.outbox.messages();
    if (this.isKept && messages.length > 0) this.save();
    for (const message of messages) {
      if (this.isKept) queues.add(this.id, message);
      else queues.remove(this.id, message);
    }
  }

  #unstore(): void {
    // A session that is stored only for its will has no stored messages.
    this.#parts.queues.removeAll(this.id, this.isKept ? this.outbox.messages() : []);
    this.#stored = undefined;
  }

  #changed(): void {
    if (this.#stored !== undefined) this.#stored.isCurrent = false;
  }

  /** Updates the count of messages in flight. */
  #note(): void {
    if (this.#isOver) return;
    const { size } = this.inbox;
    this.#parts.budgets.underWay.use(this.keyRef, size - this.#underWay);
    this.#underWay = size;
  }
}

/** Number of characters of {@link textOf}. */
function sizeOf({ topic, payload, qos, delayS }: Will): number {
  return JSON.stringify({ topic, payload: "", qos, delayS }).length + 4 * Math.ceil(payload.length / 3);
}

/** A will in its stored form: JSON, with the payload in base64. */
function textOf({ topic, payload, qos, delayS }: Will): string {
  let binary = "";
  for (const byte of payload) binary += String.fromCharCode(byte);
  const stored: StoredWill = { topic, payload: btoa(binary), qos, delayS };
  return JSON.stringify(stored);
}

/** Reads a stored will. @param text as returned by a session */
export function willFrom(text: string): Will {
  const will = JSON.parse(text) as StoredWill;
  return { ...will, payload: Uint8Array.from(atob(will.payload), (each) => each.charCodeAt(0)) };
}
