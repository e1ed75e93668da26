/**
 * One connection of a client: cuts the input into packets, handles them in order, and answers. Consecutive waiting
 * publications to the same processor are handled together. State that must outlive the object's memory is in the {@link
 * Attachment}.
 */

import { Framing, MAX_PACKET_BYTES } from "../../mqtt/packets/framing";
import {
  type Ack,
  type AckType,
  type ClientPacket,
  type Disconnect,
  ProtocolFault,
  type Publish,
  REASON,
  type Version,
} from "../../mqtt/packets/packet";
import { readPacket } from "../../mqtt/packets/reading";
import { ack, disconnect, PINGRESP, publish } from "../../mqtt/packets/writing";
import { type Holder, type Numbered, type Publication, Refused, type Taken } from "../../mqtt/port";
import { digestOf, placeKey, type StoredInbox } from "../../mqtt/session/inbox";
import { yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";
import { streamCounts } from "../counts/counts";
import type { HeldClient } from "../holdings";
import { type BufferingSocket, Unread } from "../unread";
import type { InputTurns } from "./input-turns";
import type { Peer, Session, Subscription } from "./session";

/** Maximum time that a session is kept without a connection, in seconds: 7 days. */
export const MAX_EXPIRY_S = 604_800;

/** Maximum number of topic aliases that a client may set. */
export const MAX_ALIASES = 32;

/** Maximum total length of their topics, in UTF-16 units: they are kept with the socket. */
const MAX_ALIAS_UNITS = 4096;

/** Maximum number of waiting packets, and of their bytes, before messages of QoS 0 are dropped. */
const MAX_WAITING_PACKETS = 1024;
const MAX_WAITING_BYTES = 4_194_304;

/** Bytes counted for a waiting packet in addition to its own. */
const PACKET_BYTES = 256;

/** Bytes of packets handled before others get a turn. */
const LARGE_BYTES = 65_536;

/** Maximum number of publications in one call, and their approximate bytes. */
const MAX_BATCH = 64;
const MAX_BATCH_BYTES = 1_048_576;

/** Maximum lag of {@link Attachment.seenAt}, in milliseconds, because it is not written for every packet. */
const SEEN_WITHIN_MS = 500;

/** Close codes of the WebSocket. */
const CLOSE = { normal: 1000, going: 1001, protocol: 1002, text: 1003, policy: 1008, overload: 1013 } as const;

/** What the platform keeps for a connection while the object is not in memory, at most 16 KB. */
export interface Attachment {
  /** The agent, and the host that the client connected to. */
  readonly agent: string;
  readonly host: string;
  /** When the socket was opened, epoch milliseconds. */
  readonly openedAt: number;
  /** `undefined` before CONNECT is accepted. */
  readonly accepted?: AcceptedClient | undefined;
  /** When the client was last heard, epoch milliseconds; lags by up to {@link SEEN_WITHIN_MS}. */
  readonly seenAt: number;
  /** Topic aliases. */
  readonly aliases: readonly (readonly [alias: number, topic: string])[];
  /** For a session that is not kept: its subscriptions, and its messages of QoS 2 in flight. */
  readonly subscriptions: readonly Subscription[];
  readonly inbox?: StoredInbox | undefined;
}

/** A client whose CONNECT was accepted. */
export interface AcceptedClient {
  readonly version: Version;
  readonly keyRef: string;
  readonly clientId: string;
  /** In seconds; 0 for none. */
  readonly keepAliveS: number;
  readonly receiveMaximum: number;
  /** In bytes; `null` for no limit. */
  readonly maximumPacketSize: number | null;
  readonly wantsReasons: boolean;
  /** Lifetime of the session without a connection, in seconds. */
  readonly expiryS: number;
  /** Whether it continues an earlier session. */
  readonly isResumed: boolean;
}

/** What a connection needs from the endpoint. */
export interface ConnectionHost {
  /** When the runtime reads what others have sent. */
  readonly turns: InputTurns;
  prepare(holder: Holder, topic: string, payload: Uint8Array): Promise<Publication>;
  /** Passes messages to a processor. */
  publish(processorId: string, source: string, messages: readonly Numbered[], holder: Holder): Promise<Taken>;
  /** Reads the first packet and binds the connection to its session. @throws ProtocolFault, Refused */
  connect(connection: Connection, bytes: Uint8Array): Promise<void>;
  /** Handles SUBSCRIBE or UNSUBSCRIBE, and answers. @throws Refused when it cannot be done now */
  change(connection: Connection, packet: Extract<ClientPacket, { type: "subscribe" | "unsubscribe" }>): Promise<void>;
  /** The key in its current state. @throws Refused when it is no longer valid */
  holderOf(connection: Connection): Promise<Holder>;
  /** Stores a session a little later, with others. */
  saveLate(session: Session): void;
  /** Notes that the connection has ended. @param isOrderly whether the client said goodbye and wants no will */
  over(connection: Connection, isOrderly: boolean): void;
  /** Notes that the bytes held for a connection have changed. @param held their number now */
  holding(connection: Connection, held: number, by: number): void;
}

/** A publication waiting for the others of its call. */
interface Item extends Numbered {
  readonly packet: Publish;
}

/** One connection. */
export class Connection implements Peer, HeldClient {
  readonly socket: BufferingSocket;
  readonly #unread: Unread;
  readonly #host: ConnectionHost;
  readonly #framing = new Framing();
  #attachment: Attachment;
  /** The changes of the session's messages under way that the attachment has. */
  #attachedChanges = 0;
  #packets: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Bytes of the packets being handled. */
  #workingBytes = 0;
  /** The held bytes last reported to the endpoint. */
  #held = 0;
  #running: Promise<void> | undefined;
  /** Nothing more is read from it or sent to it. */
  #isEnded = false;
  #isOver = false;
  readonly #aliases: Map<number, string>;
  session: Session | undefined;
  /** When the client was last heard, epoch milliseconds. */
  #seenAt: number;

  constructor(socket: WebSocket, attachment: Attachment, host: ConnectionHost) {
    this.socket = socket;
    this.#unread = new Unread(socket);
    this.#attachment = attachment;
    this.#host = host;
    this.#aliases = new Map(attachment.aliases);
    this.#seenAt = attachment.seenAt + SEEN_WITHIN_MS;
    if (attachment.accepted !== undefined) this.#framing.most = MAX_PACKET_BYTES;
  }

  get about(): Attachment {
    return this.#attachment;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether the endpoint knows of its end. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * When the client was last heard, epoch milliseconds. After the object was not in memory, up to half a second off.
   */
  get seenAt(): number {
    return this.#seenAt;
  }

  /** The version that CONNECT named; 4 before. */
  get version(): Version {
    return this.#attachment.accepted?.version ?? 4;
  }

  /** Whether some of its state is only in memory, so that the object must stay there. */
  get isBusy(): boolean {
    if (this.#isEnded) return false;
    return this.#framing.held > 0 || this.#running !== undefined || (this.session?.outbox.size ?? 0) > 0;
  }

  /** Keeps with the socket what must survive until the object is back in memory. */
  attach(change: Partial<Attachment>): void {
    const attachment = { ...this.#attachment, ...change };
    // First: it throws when it is too large, and the next one must not be too large for that.
    this.socket.serializeAttachment(attachment);
    this.#attachment = attachment;
  }

  /** Keeps the state of a session that is not kept itself. @returns whether it fits */
  attachSession(): boolean {
    const { session } = this;
    if (session === undefined || session.isKept) return true;
    const { subscriptions } = session.about();
    try {
      this.attach({ subscriptions, inbox: session.inbox.stored() });
      this.#attachedChanges = session.inbox.changes;
      return true;
    } catch {
      // The platform accepts at most 16 KB.
      return false;
    }
  }

  /** Notes that the client was accepted. */
  accepted(client: AcceptedClient, session: Session): void {
    // From here on, its held bytes count among accepted clients.
    this.#tell(0);
    this.session = session;
    this.holding();
    session.connection = this;
    session.outbox.window = client.receiveMaximum;
    this.#framing.most = MAX_PACKET_BYTES;
    this.#seenAt = Date.now();
    this.attach({ accepted: client, seenAt: this.#seenAt });
    this.attachSession();
  }

  /** Receives input. */
  take(message: string | ArrayBuffer): void {
    // After a fault, whatever follows is not read: the client hears of the first one.
    if (this.#isEnded || this.#fault !== undefined) return;
    if (typeof message === "string") {
      this.fail(new ProtocolFault(REASON.protocolError, "MQTT packets must be in binary frames"), CLOSE.text);
      return;
    }
    this.#seenAt = Date.now();
    if (this.#seenAt - this.#attachment.seenAt > SEEN_WITHIN_MS) this.attach({ seenAt: this.#seenAt });
    try {
      this.#framing.push(new Uint8Array(message));
      for (let next = this.#framing.next(); next !== undefined; next = this.#framing.next()) this.#wait(next);
    } catch (error) {
      this.#framing.drop();
      this.#packets.push(FAULT);
      this.#fault = error;
    }
    this.holding();
    this.#running ??= this.#run();
  }

  #fault: unknown;

  /** Bytes held for the client: waiting packets, packets being handled, and output that it has not read. */
  holding(): number {
    const waiting = this.#waitingBytes + this.#packets.length * PACKET_BYTES;
    const open = this.#isEnded ? 0 : this.#workingBytes + this.#framing.capacity + this.#unread.bytes;
    return this.#tell(waiting + open);
  }

  #tell(held: number): number {
    const by = held - this.#held;
    this.#held = held;
    if (by !== 0) this.#host.holding(this, held, by);
    return held;
  }

  overload(): void {
    this.#drop();
    this.close(REASON.quota, "the server holds too much for its clients, most of it for this one", CLOSE.overload);
    this.holding();
  }

  #wait(bytes: Uint8Array): void {
    const isFull = this.#packets.length >= MAX_WAITING_PACKETS || this.#waitingBytes + bytes.length > MAX_WAITING_BYTES;
    if (isFull && isOnce(bytes) && this.session !== undefined) {
      streamCounts.refused++;
      return;
    }
    if (isFull) throw new ProtocolFault(REASON.quota, "too many packets are waiting");
    this.#packets.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    try {
      // Handle together whatever arrives in the same turn.
      await Promise.resolve();
      while (this.#packets.length > 0) {
        const { due } = this.#host.turns;
        if (due !== undefined) {
          await due;
          // The connection may have ended meanwhile, or others may have had this turn.
          continue;
        }
        const isTogether = isPublish(this.#packets[0] ?? FAULT);
        this.#host.turns.handling(isTogether ? Math.min(this.#packets.length, MAX_BATCH) : 1);
        await this.#some();
        const isLarge = this.#workingBytes > LARGE_BYTES;
        this.#workingBytes = 0;
        this.holding();
        // What the gateway refuses does not wait for anything, so yield here.
        if (isLarge) await yieldToEventLoop();
      }
    } catch (error) {
      this.#drop();
      this.fail(error);
    } finally {
      this.#running = undefined;
      this.#workingBytes = 0;
      this.holding();
      if (!this.#isEnded && this.session !== undefined) this.#save(this.session);
    }
  }

  /** Handles the packets at the head of the queue: one, or several consecutive publications. */
  async #some(): Promise<void> {
    const bytes = this.#shift();
    if (this.session === undefined) {
      await this.#host.connect(this, bytes);
      return;
    }
    const packet = readPacket(bytes, this.version);
    if (packet.type !== "publish") {
      await this.#one(packet);
      return;
    }
    const publications: Publish[] = [packet];
    let size = bytes.length;
    let next = this.#packets[0];
    while (next !== undefined && isPublish(next) && publications.length < MAX_BATCH) {
      size += next.length;
      if (size > MAX_BATCH_BYTES) break;
      try {
        publications.push(readPacket(next, this.version) as Publish);
      } catch {
        // It is read again after those before it.
        break;
      }
      this.#shift();
      next = this.#packets[0];
    }
    await this.#publish(this.session, publications);
  }

  #shift(): Uint8Array {
    const bytes = this.#packets.shift() ?? FAULT;
    if (bytes === FAULT) throw this.#fault ?? new Error("a packet was lost");
    this.#waitingBytes -= bytes.length;
    this.#workingBytes += bytes.length;
    return bytes;
  }

  #drop(): void {
    for (const bytes of this.#packets) if (bytes !== FAULT && isOnce(bytes)) streamCounts.refused++;
    this.#waitingBytes = 0;
    this.#packets = [];
  }

  async #one(packet: Exclude<ClientPacket, Publish>): Promise<void> {
    switch (packet.type) {
      case "pingreq":
        this.send(PINGRESP);
        return;
      case "disconnect":
        this.#disconnect(packet);
        return;
      case "subscribe":
      case "unsubscribe":
        await this.#host.change(this, packet);
        return;
      default:
        this.#acknowledge(packet);
    }
  }

  #disconnect({ code, expiryS }: Disconnect): void {
    const { session } = this;
    if (session !== undefined && expiryS !== undefined) {
      if (session.expiryS === 0 && expiryS > 0) {
        throw new ProtocolFault(REASON.protocolError, "a session that ends with its connection cannot be kept");
      }
      session.expiryS = Math.min(expiryS, MAX_EXPIRY_S);
    }
    this.#drop();
    this.#end(CLOSE.normal, "");
    this.#over(code === REASON.success);
  }

  #acknowledge({ type, id, code }: Ack): void {
    const { session } = this;
    if (session === undefined) return;
    if (type !== "pubrel" && !session.outbox.mayAnswer(id, type)) {
      throw new ProtocolFault(
        REASON.protocolError,
        `${type} does not acknowledge the message with the packet identifier ${id}`,
      );
    }
    switch (type) {
      case "pubrel": {
        const isKnown = session.inbox.finish(id);
        this.#saveInbox(session);
        // A client that missed PUBCOMP asks again over its next connection. That is no error, and clients would take an
        // error code for one and publish the message again.
        const isMissing = !isKnown && !this.#attachment.accepted?.isResumed;
        this.send(ack(this.version, "pubcomp", id, isMissing ? REASON.unknownIdentifier : REASON.success));
        return;
      }
      case "pubrec":
        if (code >= REASON.unspecified) session.outbox.acknowledged(id);
        else {
          const isKnown = session.outbox.received(id);
          this.send(ack(this.version, "pubrel", id, isKnown ? REASON.success : REASON.unknownIdentifier));
        }
        break;
      default:
        session.outbox.acknowledged(id);
    }
    this.pump();
  }

  /** Handles publications in order; those to the same processor together. */
  async #publish(session: Session, packets: readonly Publish[]): Promise<void> {
    let together: Item[] = [];
    const flush = async () => {
      const items = together;
      together = [];
      if (items.length > 0) await this.#take(session, items);
    };
    const holder = await this.#host.holderOf(this);
    for (const packet of packets) {
      const topic = this.#topicOf(packet);
      let item: Item;
      try {
        if (await this.#isAnswered(session, packet, topic, flush)) continue;
        const publication = await this.#host.prepare(holder, topic, packet.payload);
        item = this.#numbered(session, packet, publication, topic);
      } catch (error) {
        await flush();
        if (!(error instanceof Refused && error.isFinal)) throw error;
        this.#answer(session, packet, error);
        continue;
      }
      if (together[0] !== undefined && together[0].publication.processorId !== item.publication.processorId) {
        await flush();
      }
      together.push(item);
    }
    await flush();
  }

  /**
   * Answers a message that was known before.
   *
   * @param flush handles the messages that are waiting
   * @returns false when it is new
   */
  async #isAnswered(session: Session, packet: Publish, topic: string, flush: () => Promise<void>): Promise<boolean> {
    const { qos, id, isRepeated, payload } = packet;
    if (qos === 0) return false;
    const arrive = () => session.inbox.arrive(id, qos, isRepeated, () => digestOf(topic, payload));
    let arrival = arrive();
    if (arrival === "new") return false;
    // A repeated message of QoS 1 still being handled needs only one acknowledgement.
    if (arrival === "busy" && qos === 1) return true;
    await flush();
    arrival = arrive();
    if (arrival === "done") this.#repeat(session, packet);
    // MQTT 3.1.1 cannot express this: there, the new message replaces one that its client has forgotten.
    if (arrival !== "taken" || this.version === 4) return arrival === "done";
    streamCounts.refused++;
    const reason = `another message with the packet identifier ${id} is not finished`;
    const type = qos === 1 ? "puback" : "pubrec";
    this.reply((said) => ack(this.version, type, id, REASON.identifierInUse, said), reason);
    return true;
  }

  #topicOf({ topic, alias }: Publish): string {
    if (alias === undefined) return topic;
    if (alias > MAX_ALIASES) {
      throw new ProtocolFault(REASON.badAlias, `a topic alias may be ${MAX_ALIASES} at most, got ${alias}`);
    }
    if (topic === "") {
      const known = this.#aliases.get(alias);
      if (known === undefined) throw new ProtocolFault(REASON.protocolError, `the topic alias ${alias} was never set`);
      return known;
    }
    if (this.#aliases.get(alias) === topic) return topic;
    this.#aliases.set(alias, topic);
    const units = [...this.#aliases.values()].reduce((sum, each) => sum + each.length, 0);
    if (units > MAX_ALIAS_UNITS) {
      throw new ProtocolFault(REASON.quota, `the topics of aliases may have ${MAX_ALIAS_UNITS} characters together`);
    }
    this.attach({ aliases: [...this.#aliases] });
    return topic;
  }

  /** A publication with its number. @throws ProtocolFault when too many are in flight */
  #numbered(session: Session, packet: Publish, publication: Publication, topic: string): Item {
    const { qos, id } = packet;
    if (qos === 0) return { packet, publication, number: 0 };
    if (!session.inbox.has(id) && !session.mayTakeMore) {
      throw new ProtocolFault(REASON.quota, "too many messages of all clients are under way");
    }
    const place = placeKey(publication.processorId, publication.session);
    const number = session.inbox.begin(id, qos, place, digestOf(topic, packet.payload));
    if (number !== undefined) return { packet, publication, number: session.isKept ? number : 0 };
    throw new ProtocolFault(REASON.receiveMaximum, "more messages are under way than the receive maximum allows");
  }

  /** Handles the repetition of a message that has already taken effect. */
  #repeat(session: Session, { qos, id }: Publish): void {
    streamCounts.redelivered++;
    const isSent = this.send(ack(this.version, qos === 2 ? "pubrec" : "puback", id));
    if (qos === 1 && isSent) session.inbox.finish(id);
  }

  async #take(session: Session, items: readonly Item[]): Promise<void> {
    const [first] = items;
    if (first === undefined) return;
    const { processorId } = first.publication;
    if (session.isKept && items.some(({ number }) => number > 0)) session.publishesTo(processorId);
    // Stored before anything happens: the runtime holds calls back until it is on disk.
    this.#saveInbox(session);
    const holder = await this.#host.holderOf(this);
    const { outcomes, later } = await this.#host.publish(processorId, session.numberedBy, items, holder);
    for (const [at, { packet }] of items.entries()) {
      if (at < outcomes.length) this.#answer(session, packet, outcomes[at]);
    }
    if (later !== undefined) {
      for (const { packet } of items.slice(outcomes.length)) if (packet.qos === 0) streamCounts.refused++;
      throw later;
    }
  }

  /** Answers a message that took effect, or never will. */
  #answer(session: Session, { qos, id }: Publish, refused: Refused | undefined): void {
    if (refused !== undefined) streamCounts.refused++;
    if (qos === 0) return;
    const type: AckType = qos === 1 ? "puback" : "pubrec";
    session.inbox.done(id);
    // MQTT 3.1.1 has no refusals: the message is acknowledged, and counted.
    const code = refused === undefined || this.version === 4 ? REASON.success : refused.code;
    const reason = refused?.message ?? "";
    // A client that misses the acknowledgement sends the message again.
    const isSent = this.reply((said) => ack(this.version, type, id, code, said), reason);
    if (isSent && (qos === 1 || code !== REASON.success)) session.inbox.finish(id);
  }

  /**
   * Stores what is under way, where that must be before anything happens: a session that is not kept ends with the
   * server.
   */
  #saveInbox(session: Session): void {
    if (session.isKept && !session.maySaveLate) session.save();
  }

  /** Stores what has happened. */
  #save(session: Session): void {
    if (session.isKept && session.maySaveLate) this.#host.saveLate(session);
    else session.save();
    if (!session.isKept) this.#attachInbox(session);
  }

  /** Keeps the unfinished messages with the socket, if they have changed. Those of QoS 1 are finished by now. */
  #attachInbox({ inbox }: Session): void {
    const kept = this.#attachment.inbox?.[1].length ?? 0;
    if (inbox.changes === this.#attachedChanges || inbox.size + kept === 0) return;
    this.attachSession();
  }

  /** Sends what the queue may send now. */
  pump(): void {
    const { session } = this;
    if (session === undefined) return;
    for (let next = session.outbox.next(); next !== undefined && !this.#isEnded; next = session.outbox.next()) {
      const { message, isRepeated } = next;
      if (message.isReleased) this.send(ack(this.version, "pubrel", message.id));
      else if (!this.#sendMessage({ ...message, payload: message.payload.bytes, isRepeated }))
        session.outbox.acknowledged(message.id);
    }
  }

  sendOnce(message: {
    topic: string;
    payload: Uint8Array;
    isRetained: boolean;
    subscriptionIds: readonly number[];
  }): void {
    this.#sendMessage({ ...message, qos: 0, id: 0, isRepeated: false });
  }

  /** @returns false when it exceeds the client's maximum packet size */
  #sendMessage(message: Omit<Publish, "alias" | "type">): boolean {
    const bytes = publish(this.version, message);
    if (this.#isTooLarge(bytes)) return false;
    streamCounts.events++;
    this.send(bytes);
    return true;
  }

  /** Whether a packet exceeds the client's maximum packet size. */
  #isTooLarge(bytes: Uint8Array): boolean {
    return bytes.length > (this.#attachment.accepted?.maximumPacketSize ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Sends a packet with a reason, if the client wants reasons and the packet fits.
   *
   * @param write builds the packet with a reason, empty for none
   * @returns whether it was sent
   */
  reply(write: (reason: string) => Uint8Array, reason: string): boolean {
    const full = write(this.#attachment.accepted?.wantsReasons ? reason : "");
    return this.send(this.#isTooLarge(full) ? write("") : full);
  }

  /** Sends a packet. A client that does not read loses its connection. @returns whether it was sent */
  send(bytes: Uint8Array): boolean {
    if (this.#isEnded) return false;
    // A packet too large for the client is dropped as if it had been sent (MQTT 5, 3.1.2.11.4).
    if (this.#isTooLarge(bytes)) return true;
    try {
      this.socket.send(bytes);
    } catch {
      // The client is gone, but the runtime has not reported it yet.
      this.#isEnded = true;
      return false;
    }
    if (this.#unread.sent(bytes.length)) {
      this.#end(CLOSE.overload, "more than 1 MiB was not read");
      this.#over(false);
    } else if (this.#unread.bytes > 0) this.holding();
    return true;
  }

  takenOver(): void {
    this.#drop();
    this.close(REASON.sessionTakenOver, "another connection has the same client identifier", CLOSE.policy);
  }

  expelled(): void {
    this.#drop();
    this.close(REASON.notAuthorized, "the key is no longer valid");
  }

  /** Ends the connection because of an error. */
  fail(error: unknown, closeCode: number = CLOSE.protocol): void {
    if (error instanceof ProtocolFault) this.close(error.code, error.message, closeCode);
    else if (error instanceof Refused) this.close(error.code, error.message, CLOSE.overload);
    else {
      console.error(`an MQTT connection failed: ${error instanceof Error ? error.name : typeof error}`);
      this.close(REASON.unspecified, "the server failed", CLOSE.overload);
    }
  }

  /** Sends the reason, and ends the connection. */
  close(code: number, reason: string, closeCode: number = CLOSE.policy): void {
    if (this.#isEnded) return;
    const { accepted } = this.#attachment;
    if (accepted?.version === 5) this.reply((said) => disconnect(code, said), reason);
    this.#end(closeCode, "");
    this.#over(false);
  }

  /** Ends the connection because the server is stopping. */
  stop(): void {
    this.close(REASON.shuttingDown, "the server stops", CLOSE.going);
  }

  #end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    try {
      this.socket.close(code, reason);
    } catch {
      // The client has already closed it.
    }
  }

  /** Notes that the socket has closed. Input that arrived before is still handled. */
  async lost(): Promise<void> {
    this.#isEnded = true;
    await this.settled();
    this.#over(false);
  }

  #over(isOrderly: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#framing.drop();
    this.holding();
    this.#host.over(this, isOrderly);
  }
}

/** Marks the place in the queue of input that could not be cut into packets. */
const FAULT = new Uint8Array();

function isPublish(bytes: Uint8Array): boolean {
  return (bytes[0] ?? 0) >> 4 === 3;
}

/** Whether it is a message of QoS 0. */
function isOnce(bytes: Uint8Array): boolean {
  return isPublish(bytes) && ((bytes[0] ?? 0) & 0x06) === 0;
}
