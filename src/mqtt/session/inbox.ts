/**
 * What a session knows of the messages of QoS 1 and 2 that its client has sent and not finished. Each has a number, by
 * which a memory takes it once; numbers rise, in the order in which messages came. Pure: no socket, no clock, no storage.
 *
 * A message is first noted, then does its work in a memory, then is acknowledged. Between two of these steps the server
 * may be lost. So of a session that is kept the inbox is stored before the work begins, and when the session goes on,
 * the memories are asked which of the numbers they have taken ({@link Inbox.settle}).
 */

/** How many messages of QoS 1 and 2 a client may send before one is acknowledged. */
export const MOST_UNDER_WAY = 256;

/** A message under way. */
interface Entry {
  readonly number: number;
  readonly qos: 1 | 2;
  /** Which memory it is for, as {@link placeKey} writes it; empty once it has done its work. */
  place: string;
  /** Tells messages of QoS 1 apart that have the same packet identifier. */
  readonly digest: number;
  /** Whether it has done its work. */
  isDone: boolean;
}

/** An inbox as JSON. */
export type StoredInbox = readonly [
  number: number,
  entries: readonly (readonly [id: number, number: number, qos: 1 | 2, place: string, digest: number, done: 0 | 1])[],
];

/**
 * What is known of a message that has come: `new`; `done` when it has done its work, so that only the acknowledgement is to
 * be sent again; `busy` when it is at work; `behind` when another one with its packet identifier is; `taken` when another
 * one has the identifier, and is not finished.
 */
export type Arrival = "behind" | "busy" | "done" | "new" | "taken";

/** A place as one text. @param session empty for the processor's own memory */
export function placeKey(processorId: string, session: string): string {
  return JSON.stringify([processorId, session]);
}

/** The processor and the session of {@link placeKey}. */
export function placeOfKey(key: string): readonly [processorId: string, session: string] {
  return JSON.parse(key) as [string, string];
}

/** A number of 32 bits that hardly two messages share: FNV-1a of the topic and the payload. */
export function digestOf(topic: string, payload: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < topic.length; at++) hash = Math.imul(hash ^ topic.charCodeAt(at), 0x01000193);
  for (const byte of payload) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The messages of one session that are under way to memories. */
export class Inbox {
  #number: number;
  readonly #entries: Map<number, Entry>;
  /** How often it has changed: what was stored at the same revision is as it is now. */
  revision = 0;

  /** @param stored what {@link stored} has said; `undefined` for a new session */
  constructor(stored?: StoredInbox) {
    const [number, entries] = stored ?? [0, []];
    this.#number = number;
    this.#entries = new Map(
      entries.map(([id, own, qos, place, digest, done]) => [
        id,
        { number: own, qos, place, digest, isDone: done === 1 },
      ]),
    );
  }

  /** How many messages are under way. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether a message with this packet identifier is under way. */
  has(id: number): boolean {
    return this.#entries.has(id);
  }

  /** A new number, greater than all before. */
  next(): number {
    this.revision++;
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
    const isLike = qos === known.qos && (qos === 2 || known.digest === digest());
    if (!known.isDone) return isLike ? "busy" : "behind";
    // Of QoS 2, the identifier is free again only after PUBREL. Of QoS 1, it is when the client has the acknowledgement,
    // which the server does not hear: only the same message again is taken for a repetition.
    if (isLike && (qos === 2 || isRepeated)) return "done";
    return known.qos === 2 ? "taken" : "new";
  }

  /**
   * A message is to do its work, in the place of one that had its packet identifier.
   *
   * @returns its number; `undefined` when more are under way than may be
   */
  begin(id: number, qos: 1 | 2, place: string, digest: number): number | undefined {
    if (this.#entries.delete(id)) this.revision++;
    if (this.#entries.size >= MOST_UNDER_WAY) return undefined;
    const number = this.next();
    this.#entries.set(id, { number, qos, place, digest, isDone: false });
    return number;
  }

  /** A message has done its work. */
  done(id: number): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#close(entry);
  }

  /** A message is finished: PUBACK of it is sent, PUBREL of it has come, or it was refused. @returns whether it was known */
  finish(id: number): boolean {
    this.revision++;
    return this.#entries.delete(id);
  }

  /** The places of messages of which it is not known whether they have done their work. */
  unsettled(): string[] {
    return [...new Set([...this.#entries.values()].filter(({ isDone }) => !isDone).map(({ place }) => place))];
  }

  /**
   * Says which number a memory took last. What it has taken has done its work. The rest never will, because the memory
   * takes no number of it any more, and is forgotten: the client sends it again.
   */
  settle(place: string, last: number): void {
    for (const [id, entry] of this.#entries) {
      if (entry.place !== place || entry.isDone) continue;
      this.revision++;
      if (entry.number <= last) this.#close(entry);
      else this.#entries.delete(id);
    }
  }

  /** Whether a message did its work is asked of its place; then the place is needed no more. */
  #close(entry: Entry): void {
    this.revision++;
    entry.isDone = true;
    entry.place = "";
  }

  stored(): StoredInbox {
    const entries = [...this.#entries].map(
      ([id, { number, qos, place, digest, isDone }]) => [id, number, qos, place, digest, isDone ? 1 : 0] as const,
    );
    return [this.#number, entries];
  }
}
