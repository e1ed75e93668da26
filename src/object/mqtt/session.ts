/** One session of a client: what it subscribes to, what is under way both ways, its will, and how long it stays. */

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
  /** Grows with each filter of the session. */
  readonly order: number;
}

/** What a subscription takes in memory besides its filter, in bytes. */
export const SUBSCRIPTION_BYTES = 512;

/** How many bytes the subscriptions of an agent's sessions may take, with {@link SUBSCRIPTION_BYTES} for each. */
export const MOST_SUBSCRIBED_BYTES = 33_554_432;

/** How many of them the sessions of one key may take. */
export const MOST_SUBSCRIBED_BYTES_OF_A_KEY = 16_777_216;

/** How many bytes the wills of an agent's sessions may take, as they are stored: JSON, with the payload in base64. */
export const MOST_WILL_BYTES = 8_388_608;

/** How many of them the sessions of one key may take. */
export const MOST_WILL_BYTES_OF_A_KEY = 4_194_304;

/** How many messages of QoS 1 and 2 the clients of an agent may have under way. */
export const MOST_UNDER_WAY_TOGETHER = 65_536;

/** How many of them the clients of one key may have. */
export const MOST_UNDER_WAY_OF_A_KEY = 32_768;

/** What all sessions of an agent have together. */
export class SessionBudgets {
  readonly subscriptions = new SharedBudget(MOST_SUBSCRIBED_BYTES, MOST_SUBSCRIBED_BYTES_OF_A_KEY);
  readonly wills = new SharedBudget(MOST_WILL_BYTES, MOST_WILL_BYTES_OF_A_KEY);
  /** What the queues of all take. */
  readonly queued = new QueuedBytes();
  readonly underWay = new SharedBudget(MOST_UNDER_WAY_TOGETHER, MOST_UNDER_WAY_OF_A_KEY);
}

/** A will as JSON. */
interface StoredWill {
  readonly topic: string;
  /** base64. */
  readonly payload: string;
  readonly qos: 0 | 1 | 2;
  readonly delayS: number;
}

/** What is known of a will while it is not sent: what it says is stored, and in memory only when it is sent. */
interface NotedWill {
  /** After how many seconds without the client it is published. */
  readonly delayS: number;
  /** How many bytes are stored. */
  readonly size: number;
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
  /** When the connection ended, epoch milliseconds; `undefined` while there is one. */
  readonly endedAt?: number | undefined;
}

/** What a session needs of the endpoint. */
export interface SessionParts {
  /** Where kept sessions are. */
  readonly tables: MqttTables;
  readonly queues: KeptQueues;
  readonly budgets: SessionBudgets;
}

/** What the tables have of a session. */
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
  /** The connection that it has now. */
  connection: Peer | undefined;
  readonly #parts: SessionParts;
  readonly #subscriptions = new Map<string, Heard>();
  readonly #processors: Set<string>;
  #expiryS: number;
  #endedAt: number | undefined;
  #will: NotedWill | undefined;
  #filterCharacters = 0;
  #order = 0;
  /** How many messages under way the budget has counted. */
  #underWay = 0;
  /** What of it the tables have: the inbox at which revision and change, and whether the rest is as it is now. */
  #stored: { revision: number; changes: number; isCurrent: boolean } | undefined;
  #isOver = false;

  /** @param stored what the tables have of it; `undefined` for nothing */
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

  /** For how many seconds it stays without a connection; 0: not at all. */
  get expiryS(): number {
    return this.#expiryS;
  }

  set expiryS(seconds: number) {
    if (seconds !== this.#expiryS) this.#changed();
    this.#expiryS = seconds;
  }

  /** When the connection ended, epoch milliseconds; `undefined` while there is one. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  set endedAt(at: number | undefined) {
    if (at !== this.#endedAt) this.#changed();
    this.#endedAt = at;
  }

  /** Its subscriptions by their filters. */
  get subscriptions(): ReadonlyMap<string, Heard> {
    return this.#subscriptions;
  }

  /** How many characters the filters of its subscriptions have. */
  get filterCharacters(): number {
    return this.#filterCharacters;
  }

  /** The processors that have numbers of it. */
  get processors(): ReadonlySet<string> {
    return this.#processors;
  }

  /** After how many seconds without the client its will is published; `undefined` when it has none. */
  get willDelayS(): number | undefined {
    return this.#will?.delayS;
  }

  /** Whether it has ended, and nothing of it is kept any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it stays when its connection ends. */
  get isKept(): boolean {
    return this.expiryS > 0;
  }

  /** The source under which its messages have numbers; empty when they have none. */
  get numberedBy(): string {
    return this.isKept ? this.source : "";
  }

  /** Whether the budgets have room for one more message under way. */
  get mayTakeMore(): boolean {
    this.#note();
    return this.#parts.budgets.underWay.allows(this.keyRef, 1);
  }

  /** Whether the budgets have room for one more subscription. */
  mayHear(filter: string): boolean {
    return this.#parts.budgets.subscriptions.allows(this.keyRef, SUBSCRIPTION_BYTES + filter.length);
  }

  /** Adds a subscription, in the place of one with the same filter. @returns it; `undefined` when it matches no event */
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

  /** Removes a subscription. @returns it; `undefined` when there is none */
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

  /** Notes that a processor has numbers of it. */
  publishesTo(processorId: string): void {
    if (this.#processors.has(processorId)) return;
    this.#processors.add(processorId);
    this.#changed();
  }

  /** Whether the budgets have room for a will in the place of its own. */
  hasRoomFor(will: Will): boolean {
    const more = sizeOf(will) - (this.#will?.size ?? 0);
    return more <= 0 || this.#parts.budgets.wills.allows(this.keyRef, more);
  }

  /** Stores a will in the place of the one before, or deletes that. */
  set will(will: Will | undefined) {
    const { tables, budgets } = this.#parts;
    const size = will === undefined ? 0 : sizeOf(will);
    budgets.wills.use(this.keyRef, size - (this.#will?.size ?? 0));
    if (will !== undefined) tables.putWill(this.id, textOf(will), will.delayS);
    else if (this.#will !== undefined) tables.removeWill(this.id);
    this.#will = will === undefined ? undefined : { delayS: will.delayS, size };
  }

  /** Removes and returns the will as {@link willFrom} reads it; `undefined` when there is none. */
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

  /** Stores it, if it is kept or has a will, and something has changed since. */
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

  /** It has ended: deletes what is stored of it. */
  end(): void {
    this.will = undefined;
    for (const filter of [...this.#subscriptions.keys()]) this.unsubscribe(filter);
    this.#parts.budgets.underWay.use(this.keyRef, -this.#underWay);
    this.#underWay = 0;
    if (this.#stored !== undefined) this.#unstore();
    this.outbox.clear();
    this.#isOver = true;
  }

  #unstore(): void {
    this.#parts.queues.removeAll(this.id, this.outbox.messages());
    this.#stored = undefined;
  }

  #changed(): void {
    if (this.#stored !== undefined) this.#stored.isCurrent = false;
  }

  /** Counts the messages under way. */
  #note(): void {
    if (this.#isOver) return;
    const { size } = this.inbox;
    this.#parts.budgets.underWay.use(this.keyRef, size - this.#underWay);
    this.#underWay = size;
  }
}

/** How many characters {@link textOf} has. */
function sizeOf({ topic, payload, qos, delayS }: Will): number {
  return JSON.stringify({ topic, payload: "", qos, delayS }).length + 4 * Math.ceil(payload.length / 3);
}

/** A will as it is stored: JSON, with its payload in base64. */
function textOf({ topic, payload, qos, delayS }: Will): string {
  let binary = "";
  for (const byte of payload) binary += String.fromCharCode(byte);
  const stored: StoredWill = { topic, payload: btoa(binary), qos, delayS };
  return JSON.stringify(stored);
}

/** A will that was stored. @param text as a session returns it */
export function willFrom(text: string): Will {
  const will = JSON.parse(text) as StoredWill;
  return { ...will, payload: Uint8Array.from(atob(will.payload), (each) => each.charCodeAt(0)) };
}
