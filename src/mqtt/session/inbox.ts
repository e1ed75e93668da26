/**
 * The unfinished messages of QoS 1 and 2 that the client of a session has sent. Each gets a number, so that a memory
 * takes it only once; numbers rise in order of arrival. Pure: no socket, no clock, no storage.
 *
 * A message is noted, takes effect in a memory, and is acknowledged; the server may be lost between any two of these
 * steps. A kept session therefore stores its inbox before the effect, and when it resumes, it asks the memories which
 * numbers they have taken ({@link Inbox.settle}). A message of QoS 1 that was foreseen needs no such write: see
 * {@link Ahead}.
 */

/** Maximum number of unacknowledged messages of QoS 1 and 2 from a client. */
export const MAX_UNDER_WAY = 256;

/**
 * Maximum number of messages of QoS 1 that are kept after their effect, in case the client sends them again. Only the
 * messages of one call, which are fewer, can lack their PUBACK; the client has it for the others, or has forgotten
 * them.
 */
export const MAX_KEPT_AFTER_EFFECT = 128;

/**
 * Number of consecutive messages with rising packet identifiers after which a client is known to count them. A client
 * that reuses the lowest free identifier never gets beyond {@link MAX_UNDER_WAY}.
 */
export const MIN_COUNTING_RUN = MAX_UNDER_WAY + 1;

/** Maximum step between the identifiers of a client that counts: packets such as SUBSCRIBE use identifiers as well. */
const MAX_COUNTING_STEP = 16;

/** Number of messages that are foreseen at a time. */
const MAX_FORESEEN = 1000;

/** The greatest packet identifier; the least is 1. */
const IDENTIFIERS = 65_535;

/** A message in flight. */
interface Entry {
  readonly number: number;
  readonly qos: 1 | 2;
  /** The memory that it is for, as {@link placeKey} writes it; empty after its effect. */
  place: string;
  /**
   * Distinguishes messages of QoS 1 with the same packet identifier; `null` if only the number of the message is known.
   */
  readonly digest: number | null;
  /** Whether it has taken effect. */
  isDone: boolean;
}

/**
 * Messages that storage foresees, so that they need not be stored one by one: the message with the number `from` + n
 * has the packet identifier `id` + n, has QoS 1, and is for this place. At most one of them is in flight. If the server
 * is lost, the last number that the place took therefore identifies the message that took effect and may be sent again.
 *
 * The acknowledgement of such a message is stored late. Only messages of clients that count their identifiers are
 * foreseen: these do not soon give the same identifier to another message, which would pass for a repetition.
 */
interface Ahead {
  readonly place: string;
  readonly from: number;
  readonly id: number;
}

type StoredEntry = readonly [id: number, number: number, qos: 1 | 2, place: string, digest: number | null, done: 0 | 1];

/** An inbox as JSON. `number` is the greatest number given so far, or more. */
export type StoredInbox = readonly [
  number: number,
  entries: readonly StoredEntry[],
  ahead?: readonly [place: string, from: number, id: number],
];

/**
 * The state of a message on arrival: `new`; `done` if it has taken effect, so that only the acknowledgement is sent
 * again; `busy` while it takes effect; `behind` while another message with its packet identifier takes effect; `taken`
 * if another unfinished message has the identifier.
 */
export type Arrival = "behind" | "busy" | "done" | "new" | "taken";

/** A place as one text. @param session empty for the processor's own memory */
export function placeKey(processorId: string, session: string): string {
  return JSON.stringify([processorId, session]);
}

/** The reverse of {@link placeKey}. */
export function placeOfKey(key: string): readonly [processorId: string, session: string] {
  return JSON.parse(key) as [string, string];
}

/** A 32-bit hash that two messages hardly ever share: FNV-1a of the topic and the payload. */
export function digestOf(topic: string, payload: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < topic.length; at++) hash = Math.imul(hash ^ topic.charCodeAt(at), 0x01000193);
  for (const byte of payload) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The packet identifier of the message that comes `count` messages after the one with `id`. */
function identifierAfter(id: number, count: number): number {
  return ((id - 1 + count) % IDENTIFIERS) + 1;
}

/** The unfinished messages of one session. */
export class Inbox {
  #number: number;
  readonly #entries: Map<number, Entry>;
  /** The messages that a lost server had foreseen, until the place has said which numbers it took. */
  #lost: Ahead | undefined;
  /** The messages foreseen now, and the last of their numbers. */
  #ahead: (Ahead & { readonly until: number }) | undefined;
  /** The packet identifier of the message that a lost server had foreseen and that took effect. */
  #undigested: number | undefined;
  /** The message in flight that is foreseen and not stored. */
  #foreseen: Entry | undefined;
  /** The latest message, if it has QoS 1. */
  #last: Ahead | undefined;
  /** The last packet identifier, and the number of consecutive messages whose identifiers rose. */
  #id = 0;
  #counted = 0;
  readonly #counts: number;
  /**
   * Number of changes that must be stored before a message takes effect: what was stored at the same revision need not
   * be stored again.
   */
  revision = 0;
  /** Number of all changes. */
  changes = 0;

  /**
   * @param stored a result of {@link stored}; `undefined` for a new session
   * @param counts replaces {@link MIN_COUNTING_RUN} in tests
   */
  constructor(stored?: StoredInbox, counts = MIN_COUNTING_RUN) {
    const [number, entries, ahead] = stored ?? [0, []];
    this.#number = number;
    this.#counts = counts;
    if (ahead !== undefined) this.#lost = { place: ahead[0], from: ahead[1], id: ahead[2] };
    this.#entries = new Map(
      entries.map(([id, own, qos, place, digest, done]) => [
        id,
        { number: own, qos, place, digest, isDone: done === 1 },
      ]),
    );
    this.#undigested = entries.find(([, , , , digest]) => digest === null)?.[0];
  }

  /** Number of messages in flight. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether a message with this packet identifier is in flight. */
  has(id: number): boolean {
    return this.#entries.has(id);
  }

  /** Whether the client counts its packet identifiers: then acknowledgements may be stored late. */
  get isCounted(): boolean {
    return this.#counted >= this.#counts;
  }

  /** A new number, greater than all before. */
  next(): number {
    this.#mustStore();
    this.#number += 1;
    return this.#number;
  }

  /**
   * The state of a message that arrives. Changes nothing.
   *
   * @param id its packet identifier
   * @param isRepeated whether the client says that it has sent it before
   * @param digest computes its {@link digestOf}, if it is needed
   */
  arrive(id: number, qos: 1 | 2, isRepeated: boolean, digest: () => number): Arrival {
    const known = this.#entries.get(id);
    if (known === undefined) return "new";
    const isLike = qos === known.qos && (qos === 2 || known.digest === null || known.digest === digest());
    if (!known.isDone) return isLike ? "busy" : "behind";
    // With QoS 2, an identifier is free again only after PUBREL. With QoS 1, it is free once the client has the PUBACK,
    // which the server does not learn: so only the same message again counts as a repetition.
    if (isLike && (qos === 2 || isRepeated)) return "done";
    return known.qos === 2 ? "taken" : "new";
  }

  /**
   * Begins a message, which replaces a finished one with the same packet identifier.
   *
   * @returns its number; `undefined` if the maximum number is in flight
   */
  begin(id: number, qos: 1 | 2, place: string, digest: number): number | undefined {
    // The messages of a lost server are settled before a client may send, so these belong to a server that still runs.
    this.#lost = undefined;
    if (this.#entries.delete(id)) this.#mustStore();
    this.#dropDone();
    if (this.#entries.size >= MAX_UNDER_WAY) return undefined;
    this.#count(id);
    const entry = { number: this.#number + 1, qos, place, digest, isDone: false };
    if (this.#isForeseen(id, entry)) {
      this.#number = entry.number;
      this.#foreseen = entry;
      this.changes++;
    } else this.next();
    this.#last = qos === 1 ? { place, from: entry.number, id } : undefined;
    this.#entries.set(id, entry);
    return entry.number;
  }

  /** Notes a packet identifier. */
  #count(id: number): void {
    const step = (id - this.#id + IDENTIFIERS) % IDENTIFIERS;
    this.#counted = step > 0 && step <= MAX_COUNTING_STEP ? this.#counted + 1 : 0;
    this.#id = id;
  }

  #isForeseen(id: number, { number, qos, place }: Entry): boolean {
    const ahead = this.#ahead;
    if (ahead === undefined || this.#foreseen !== undefined || !this.isCounted) return false;
    const isNext = number <= ahead.until && id === identifierAfter(ahead.id, number - ahead.from);
    return isNext && qos === 1 && place === ahead.place;
  }

  /**
   * Drops messages of QoS 1 that are kept in case of a repetition: the one without a digest, and the oldest beyond the
   * maximum.
   */
  #dropDone(): void {
    // Its repetition would have been the first message. From now on another message may have its identifier.
    if (this.#undigested !== undefined && this.#entries.get(this.#undigested)?.digest === null) {
      this.#entries.delete(this.#undigested);
      this.#mustStore();
    }
    this.#undigested = undefined;
    if (this.#entries.size < MAX_KEPT_AFTER_EFFECT) return;
    const done = [...this.#entries].filter(([, { qos, isDone }]) => qos === 1 && isDone);
    for (const [id] of done.slice(0, Math.max(0, done.length - MAX_KEPT_AFTER_EFFECT))) {
      this.#entries.delete(id);
      this.#mustStore();
    }
  }

  /** Notes that a message has taken effect. */
  done(id: number): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#close(entry);
  }

  /**
   * Notes that a message is finished: its PUBACK was sent, its PUBREL arrived, or it was refused.
   *
   * @returns whether it was known
   */
  finish(id: number): boolean {
    const entry = this.#entries.get(id);
    this.#changed(entry);
    if (entry !== undefined && entry === this.#foreseen) this.#foreseen = undefined;
    return this.#entries.delete(id);
  }

  /** The places of messages that may or may not have taken effect. */
  unsettled(): string[] {
    const places = [...this.#entries.values()].filter(({ isDone }) => !isDone).map(({ place }) => place);
    if (this.#lost !== undefined) places.push(this.#lost.place);
    return [...new Set(places)];
  }

  /**
   * Settles the messages of a place by the last number that it took. Messages up to that number have taken effect. The
   * others never will, because the place refuses their numbers from now on; they are forgotten, and the client sends
   * them again.
   */
  settle(place: string, last: number): void {
    for (const [id, entry] of this.#entries) {
      if (entry.place !== place || entry.isDone) continue;
      this.#mustStore();
      if (entry.number <= last) this.#close(entry);
      else this.#entries.delete(id);
      if (entry === this.#foreseen) this.#foreseen = undefined;
    }
    if (this.#lost?.place === place) this.#settleLost(this.#lost, last);
  }

  /** Keeps the last foreseen message that took effect; the ones before it were acknowledged. */
  #settleLost({ from, id: first }: Ahead, last: number): void {
    this.#lost = undefined;
    this.#mustStore();
    const id = identifierAfter(first, last - from);
    if (last <= from || this.#entries.has(id)) return;
    this.#entries.set(id, { number: last, qos: 1, place: "", digest: null, isDone: true });
    this.#undigested = id;
  }

  /** Marks a message as having taken effect. Its place is only needed until then. */
  #close(entry: Entry): void {
    this.#changed(entry);
    entry.isDone = true;
    entry.place = "";
  }

  /**
   * Notes the change of a message that took effect or is finished. If it has QoS 1 and its client counts, the client
   * will not soon send another message that could pass for it, so the change may be stored late.
   */
  #changed(entry: Entry | undefined): void {
    if (entry?.qos === 1 && this.isCounted) this.changes++;
    else this.#mustStore();
  }

  #mustStore(): void {
    this.revision++;
    this.changes++;
  }

  /**
   * The inbox as JSON, to be stored.
   *
   * @param isAhead whether to foresee the next messages, if possible: then the result must be stored
   */
  stored(isAhead = false): StoredInbox {
    const entries = [...this.#entries].map(
      ([id, { number, qos, place, digest, isDone }]) => [id, number, qos, place, digest, isDone ? 1 : 0] as const,
    );
    this.#ahead = undefined;
    // It is among the entries.
    this.#foreseen = undefined;
    const ahead = this.#lost ?? (isAhead && this.isCounted ? this.#last : undefined);
    if (ahead === undefined) return [this.#number, entries];
    const isLost = ahead === this.#lost;
    const until = this.#number + (isLost ? 0 : MAX_FORESEEN);
    if (!isLost) this.#ahead = { ...ahead, until };
    return [until, entries, [ahead.place, ahead.from, ahead.id]];
  }
}
