/** One session of a client: what it subscribes to, what is under way both ways, its will, and how long it stays. */

import type { Will } from "../../mqtt/packets/packet";
import { Inbox, type StoredInbox } from "../../mqtt/session/inbox";
import { Outbox, type OutboxStore } from "../../mqtt/session/outbox";
import { type EventFilter, parseEventFilter } from "../../mqtt/topics";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";

/** The connection of a session. */
export interface Peer {
  /** Ends it, because another one takes over. */
  takenOver(): void;
  /** Ends it, because its key is not valid any more. */
  expelled(): void;
  /** When it has done all that it was sent. */
  settled(): Promise<void>;
  /** Sends what may be sent. */
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
}

/** A will as JSON. */
interface StoredWill {
  readonly topic: string;
  /** base64. */
  readonly payload: string;
  readonly qos: 0 | 1 | 2;
  readonly delayS: number;
}

/** What of a session is stored with it as JSON. */
export interface About {
  readonly agent: string;
  readonly keyRef: string;
  readonly clientId: string;
  /** The reserved source of its numbers: a UUID, another one for each session. */
  readonly source: string;
  /** For how many seconds it stays without a connection; 0: not at all. */
  readonly expiryS: number;
  readonly subscriptions: readonly Subscription[];
  /** The processors that have numbers of it. */
  readonly processors: readonly string[];
  readonly will?: StoredWill | undefined;
  /** When the connection ended, epoch milliseconds; `undefined` while there is one. */
  readonly endedAt?: number | undefined;
}

/** One session. */
export class Session {
  readonly id: string;
  readonly agent: string;
  readonly keyRef: string;
  readonly clientId: string;
  readonly source: string;
  expiryS: number;
  readonly subscriptions = new Map<string, Heard>();
  readonly processors: Set<string>;
  readonly inbox: Inbox;
  readonly outbox: Outbox;
  will: Will | undefined;
  endedAt: number | undefined;
  /** The connection that it has now. */
  connection: Peer | undefined;
  readonly #tables: MqttTables;
  #stored = "";

  /**
   * @param tables where kept sessions are
   * @param inbox as it was; `undefined` for a new session
   * @param isStored whether the tables have it
   */
  constructor(id: string, about: About, tables: MqttTables, inbox?: StoredInbox, isStored = false) {
    this.id = id;
    this.agent = about.agent;
    this.keyRef = about.keyRef;
    this.clientId = about.clientId;
    this.source = about.source;
    this.expiryS = about.expiryS;
    this.processors = new Set(about.processors);
    this.will = willFrom(about.will);
    this.endedAt = about.endedAt;
    this.#tables = tables;
    for (const each of about.subscriptions) this.subscribe(each);
    this.inbox = new Inbox(inbox);
    const store: OutboxStore = {
      add: (message) => this.isKept && tables.addMessage(id, message),
      release: (order) => this.isKept && tables.releaseMessage(id, order),
      remove: (order) => this.isKept && tables.removeMessage(id, order),
    };
    this.outbox = new Outbox(store, isStored && this.isKept ? tables.messages(id) : []);
    if (isStored) this.#stored = this.#text();
  }

  /** The identifier of the session of a client. */
  static idOf(keyRef: string, clientId: string): string {
    return JSON.stringify([keyRef, clientId]);
  }

  /** Whether it stays when its connection ends. */
  get isKept(): boolean {
    return this.expiryS > 0;
  }

  /** The source under which its messages have numbers; empty when they have none. */
  get numberedBy(): string {
    return this.isKept ? this.source : "";
  }

  /** Adds a subscription, in the place of one with the same filter. */
  subscribe(subscription: Subscription): void {
    const asked = parseEventFilter(subscription.filter);
    if (asked !== null) this.subscriptions.set(subscription.filter, { ...subscription, asked });
  }

  about(): About {
    const { agent, keyRef, clientId, source, expiryS, processors, will, endedAt } = this;
    const subscriptions = [...this.subscriptions.values()].map(({ asked: _, ...rest }) => rest);
    return {
      agent,
      keyRef,
      clientId,
      source,
      expiryS,
      subscriptions,
      processors: [...processors],
      will: stored(will),
      endedAt,
    };
  }

  /** Stores it, if it is kept or has a will, and something has changed since. */
  save(): void {
    if (!this.isKept && this.will === undefined) {
      if (this.#stored !== "") this.remove();
      return;
    }
    const text = this.#text();
    if (text === this.#stored) return;
    this.#stored = text;
    const inbox = JSON.stringify(this.inbox.stored());
    this.#tables.putSession({ id: this.id, about: JSON.stringify(this.about()), inbox });
  }

  /** Deletes what is stored of it. */
  remove(): void {
    if (this.#stored !== "") this.#tables.removeSession(this.id);
    this.#stored = "";
  }

  #text(): string {
    return JSON.stringify([this.about(), this.inbox.stored()]);
  }
}

function stored(will: Will | undefined): StoredWill | undefined {
  if (will === undefined) return undefined;
  let binary = "";
  for (const byte of will.payload) binary += String.fromCharCode(byte);
  return { topic: will.topic, payload: btoa(binary), qos: will.qos, delayS: will.delayS };
}

function willFrom(will: StoredWill | undefined): Will | undefined {
  if (will === undefined) return undefined;
  return { ...will, payload: Uint8Array.from(atob(will.payload), (each) => each.charCodeAt(0)) };
}
