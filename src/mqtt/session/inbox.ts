/**
 * What a session knows of the messages of QoS 1 and 2 that its client has sent and not finished. Each has a number, by
 * which a memory takes it once; numbers rise, in the order in which messages came. Pure: no socket, no clock, no
 * storage.
 *
 * A message is first noted, then does its work in a memory, then is acknowledged. Between two of these steps the server
 * may be lost. So of a session that is kept the inbox is stored before the work begins, and when the session goes on,
 * the memories are asked which of the numbers they have taken ({@link Inbox.settle}). For a message of QoS 1 that can
 * be foreseen nothing is stored: see {@link Ahead}.
 */

/** Maximum number of unacknowledged messages of QoS 1 and 2 from a client. */
export const MOST_UNDER_WAY = 256;

/**
 * How many messages of QoS 1 that have done their work may wait for their client to send them again. Without PUBACK are
 * those of one call alone, which are fewer; of the rest the client has it, or has forgotten them, and repeats none.
 */
export const MOST_DONE = 128;

/**
 * After how many messages in a row whose packet identifiers rise a client is one that counts. One that takes the lowest
 * that is free comes no further than {@link MOST_UNDER_WAY}.
 */
export const COUNTED = MOST_UNDER_WAY + 1;

/** By how much an identifier is greater than the one before where a client counts: SUBSCRIBE takes some, too. */
const MOST_STEP = 16;

/** How many numbers are foreseen at a time. */
const MOST_AHEAD = 1000;

/** How many packet identifiers there are: 1 to this one. */
const IDENTIFIERS = 65_535;

/** A message in flight. */
interface Entry {
  readonly number: number;
  readonly qos: 1 | 2;
  /** Which memory it is for, as {@link placeKey} writes it; empty once it has done its work. */
  place: string;
  /**
   * Tells messages of QoS 1 apart that have the same packet identifier; `null` for one that is known by its number
   * alone.
   */
  readonly digest: number | null;
  /** Whether it has done its work. */
  isDone: boolean;
}

/**
 * What storage says of messages that are to come, so that they need not be stored: the one with the number `from` + n
 * has the packet identifier `id` + n, is of QoS 1, and for this place. One of these is under way at a time. So when the
 * server is lost, the number that the place took last tells which message did its work, and may be sent again.
 *
 * That a message is acknowledged is stored late then. It is foreseen of clients alone that count their identifiers:
 * they give no other message the same one soon, which would be taken for a repetition.
 */
interface Ahead {
  readonly place: string;
  readonly from: number;
  readonly id: number;
}

type StoredEntry = readonly [id: number, number: number, qos: 1 | 2, place: string, digest: number | null, done: 0 | 1];

/** An inbox as JSON. `number`: all numbers that were given are at most as great. */
export type StoredInbox = readonly [
  number: number,
  entries: readonly StoredEntry[],
  ahead?: readonly [place: string, from: number, id: number],
];

/**
 * What is known of a message that has come: `new`; `done` when it has done its work, so that only the acknowledgement
 * is to be sent again; `busy` when it is at work; `behind` when another one with its packet identifier is; `taken` when
 * another one has the identifier, and is not finished.
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

/** A 32-bit hash, so that two messages hardly ever share it: FNV-1a of the topic and the payload. */
export function digestOf(topic: string, payload: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < topic.length; at++) hash = Math.imul(hash ^ topic.charCodeAt(at), 0x01000193);
  for (const byte of payload) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The packet identifier of a message, when another one has `id`, and is so many messages before. */
function identifierAfter(id: number, count: number): number {
  return ((id - 1 + count) % IDENTIFIERS) + 1;
}

/** The messages of one session that are under way to memories. */
export class Inbox {
  #number: number;
  readonly #entries: Map<number, Entry>;
  /** What the storage of a lost server has foreseen, until the place has said what it took. */
  #lost: Ahead | undefined;
  /** What is foreseen now, and the last number. */
  #ahead: (Ahead & { readonly until: number }) | undefined;
  /** The packet identifier of the message that a lost server had foreseen, and that has done its work. */
  #undigested: number | undefined;
  /** The message that is under way, and only foreseen. */
  #foreseen: Entry | undefined;
  /** The message of QoS 1 that came last. */
  #last: Ahead | undefined;
  /** The last packet identifier, and how many in a row were greater than the one before. */
  #id = 0;
  #counted = 0;
  readonly #counts: number;
  /**
   * How often it has changed in a way that must be stored before a message does its work: what was stored at the same
   * revision may be as it is.
   */
  revision = 0;
  /** How often it has changed in any way. */
  changes = 0;

  /**
   * @param stored what {@link stored} has said; `undefined` for a new session
   * @param counts as {@link COUNTED}; tests need fewer
   */
  constructor(stored?: StoredInbox, counts = COUNTED) {
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

  /** Whether the client counts its packet identifiers: then it may be stored late that messages are acknowledged. */
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
   * A message has come.
   *
   * @param id its packet identifier
   * @param isRepeated whether the client says that it has sent it before
   * @param digest its {@link digestOf}, asked for where it is needed
   */
  arrive(id: number, qos: 1 | 2, isRepeated: boolean, digest: () => number): Arrival {
    const known = this.#entries.get(id);
    if (known === undefined) return "new";
    const isLike = qos === known.qos && (qos === 2 || known.digest === null || known.digest === digest());
    if (!known.isDone) return isLike ? "busy" : "behind";
    // Of QoS 2, the identifier is free again only after PUBREL. Of QoS 1, it is when the client has the
    // acknowledgement, which the server does not hear: only the same message again is taken for a repetition.
    if (isLike && (qos === 2 || isRepeated)) return "done";
    return known.qos === 2 ? "taken" : "new";
  }

  /**
   * A message is to do its work, in the place of one that had its packet identifier.
   *
   * @returns its number; `undefined` when more are under way than may be
   */
  begin(id: number, qos: 1 | 2, place: string, digest: number): number | undefined {
    // Those of a lost server are settled before a client may send; the connection of this one was not lost.
    this.#lost = undefined;
    if (this.#entries.delete(id)) this.#mustStore();
    this.#dropDone();
    if (this.#entries.size >= MOST_UNDER_WAY) return undefined;
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
    this.#counted = step > 0 && step <= MOST_STEP ? this.#counted + 1 : 0;
    this.#id = id;
  }

  #isForeseen(id: number, { number, qos, place }: Entry): boolean {
    const ahead = this.#ahead;
    if (ahead === undefined || this.#foreseen !== undefined || !this.isCounted) return false;
    const isNext = number <= ahead.until && id === identifierAfter(ahead.id, number - ahead.from);
    return isNext && qos === 1 && place === ahead.place;
  }

  /**
   * Drops messages of QoS 1 that wait to be sent again: the oldest, where they are too many, and one without a digest.
   */
  #dropDone(): void {
    // It would have come first. From now on its identifier may be that of another message.
    if (this.#undigested !== undefined && this.#entries.get(this.#undigested)?.digest === null) {
      this.#entries.delete(this.#undigested);
      this.#mustStore();
    }
    this.#undigested = undefined;
    if (this.#entries.size < MOST_DONE) return;
    const done = [...this.#entries].filter(([, { qos, isDone }]) => qos === 1 && isDone);
    for (const [id] of done.slice(0, Math.max(0, done.length - MOST_DONE))) {
      this.#entries.delete(id);
      this.#mustStore();
    }
  }

  /** A message has done its work. */
  done(id: number): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#close(entry);
  }

  /**
   * A message is finished: PUBACK of it is sent, PUBREL of it has come, or it was refused.
   *
   * @returns whether it was known
   */
  finish(id: number): boolean {
    const entry = this.#entries.get(id);
    this.#changed(entry);
    if (entry !== undefined && entry === this.#foreseen) this.#foreseen = undefined;
    return this.#entries.delete(id);
  }

  /** The places of messages of which it is not known whether they have done their work. */
  unsettled(): string[] {
    const places = [...this.#entries.values()].filter(({ isDone }) => !isDone).map(({ place }) => place);
    if (this.#lost !== undefined) places.push(this.#lost.place);
    return [...new Set(places)];
  }

  /**
   * Says which number a memory took last. What it has taken has done its work. The rest never will, because the memory
   * takes no number of it any more, and is forgotten: the client sends it again.
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

  /** What was foreseen of a place, and has done its work: what came before the last of it was acknowledged. */
  #settleLost({ from, id: first }: Ahead, last: number): void {
    this.#lost = undefined;
    this.#mustStore();
    const id = identifierAfter(first, last - from);
    if (last <= from || this.#entries.has(id)) return;
    this.#entries.set(id, { number: last, qos: 1, place: "", digest: null, isDone: true });
    this.#undigested = id;
  }

  /** Whether a message did its work is asked of its place; then the place is needed no more. */
  #close(entry: Entry): void {
    this.#changed(entry);
    entry.isDone = true;
    entry.place = "";
  }

  /**
   * A message has done its work, or is finished. Of QoS 1, its client sends no other one soon that could be taken for
   * it.
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
   * What is to be stored.
   *
   * @param isAhead whether to foresee messages that come next, where that may be done: then this must be stored
   */
  stored(isAhead = false): StoredInbox {
    const entries = [...this.#entries].map(
      ([id, { number, qos, place, digest, isDone }]) => [id, number, qos, place, digest, isDone ? 1 : 0] as const,
    );
    this.#ahead = undefined;
    // Now it is stored.
    this.#foreseen = undefined;
    const ahead = this.#lost ?? (isAhead && this.isCounted ? this.#last : undefined);
    if (ahead === undefined) return [this.#number, entries];
    const isLost = ahead === this.#lost;
    const until = this.#number + (isLost ? 0 : MOST_AHEAD);
    if (!isLost) this.#ahead = { ...ahead, until };
    return [until, entries, [ahead.place, ahead.from, ahead.id]];
  }
}
