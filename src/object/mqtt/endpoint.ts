/**
 * The MQTT endpoint of one agent: its connections, the sessions of its clients, and the events sent to them. One object
 * holds all of an agent's connections, so that a client's second connection meets the first, and processors report to
 * one object.
 */

import { MAX_PACKET_BYTES } from "../../mqtt/packets/framing";
import { type Connect, ProtocolFault, REASON, type Subscribe, type Unsubscribe } from "../../mqtt/packets/packet";
import { readConnect } from "../../mqtt/packets/reading";
import { connack, connackRefused } from "../../mqtt/packets/writing";
import {
  type Holder,
  ISSUED,
  type MqttPort,
  type Numbered,
  type Publication,
  Refused,
  type Taken,
} from "../../mqtt/port";
import { MAX_UNDER_WAY, placeOfKey, type StoredInbox } from "../../mqtt/session/inbox";
import { ENTRY_BYTES } from "../../mqtt/session/outbox";
import { MQTT_SUBPROTOCOL, type MqttPlace } from "../../rpc/transport/mqtt-upgrade";
import type { MqttTables } from "../../store/mqtt/mqtt-tables";
import { mqttCounts } from "../counts/counts";
import { Holdings } from "../holdings";
import type { ScheduledTask } from "../object-alarm";
import { type Attachment, Connection, type ConnectionHost, MAX_ALIASES, MAX_EXPIRY_S } from "./connection";
import { DueWills } from "./due-wills";
import { EndedSources } from "./ended-sources";
import type { ToldEvent } from "./event-watch";
import { Hearing, MAX_QUEUED_BYTES_OF_AGENT } from "./hearing";
import { InputTurns } from "./input-turns";
import { KeptQueues } from "./kept-queues";
import { type About, Session, SessionBudgets, type SessionParts } from "./session";
import { UntoldProcessors } from "./untold-processors";

/** Keep alive of a client of MQTT 5 or later that sets none or a longer one, in seconds. */
export const MAX_KEEP_ALIVE_S = 1200;

/** Maximum length of a client identifier, in bytes. */
export const MAX_CLIENT_ID_BYTES = 256;

/** Maximum number of concurrent connections of a key, and of its kept sessions. */
export const MAX_CONNECTIONS_OF_A_KEY = 5000;
export const MAX_SESSIONS_OF_A_KEY = 5000;

/** Maximum bytes held for all connections whose CONNECT is not accepted yet. */
export const MAX_HELD_OF_STRANGERS = 4_194_304;

/** Time limit for CONNECT, in milliseconds. */
const CONNECT_WITHIN_MS = 10_000;

/** Interval of checks of the connections' keys, in milliseconds. A removed key ends its connections within 30 s. */
const CHECK_KEYS_EVERY_MS = 20_000;

/** The first pause after a check that failed, in milliseconds. Each pause is twice the previous one. */
const CHECK_KEYS_AGAIN_MS = 2_000;

/** How long a key found to be invalid is refused without asking the gateway, in milliseconds. */
const INVALID_KEYS_MS = 60_000;

/** Interval of checks of connections without a keep alive, in milliseconds. */
const LOOK_EVERY_MS = 1000 * MAX_KEEP_ALIVE_S;

/** A client that is silent for this multiple of its keep alive is lost. */
const KEEP_ALIVES_UNTIL_LOST = 1.5;

/** Interval at which an object with state only in memory is kept there, in milliseconds: it would leave after 10 s. */
const STAY_IN_MEMORY_EVERY_MS = 5_000;

/** Delay before sessions with acknowledged messages are stored, where storing may wait, in milliseconds. */
const SAVE_LATE_MS = 100;

/**
 * Delay before sessions whose connections have ended are stored, in milliseconds, and the maximum number stored at
 * once.
 */
const SAVE_WITHIN_MS = 10;
const SAVED_AT_ONCE = 100;

/** Number of turns of the microtask queue in which a packet that needs no call is answered. */
const TURNS_OF_AN_ANSWER = 20;

const encoder = new TextEncoder();

/** What the endpoint needs from its object. */
export interface EndpointParts {
  readonly objectId: string;
  readonly sockets: Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">;
  readonly tables: MqttTables;
  port(): MqttPort;
  /** Requests a wake-up at a time, epoch milliseconds. */
  ringBy(at: number): void;
}

/** The connections and sessions of one agent. */
export class Endpoint implements ConnectionHost, ScheduledTask {
  readonly #parts: EndpointParts;
  readonly #connections = new WeakMap<WebSocket, Connection>();
  /** Connections whose sockets the platform has; `undefined` until it was asked. */
  #open: Set<Connection> | undefined;
  /** Number of connections by key. */
  readonly #openOfKeys = new Map<string, number>();
  /** The kept sessions that a timer stores {@link SAVE_LATE_MS} after a message. */
  readonly #late = new Set<Session>();
  /** The kept sessions that a timer stores next: of connections that have just ended, and earlier ones. */
  readonly #unsaved = new Set<Session>();
  /** Whether this life of the object has set the alarm for everything known. */
  #hasRung = false;
  #sessions: Map<string, Session> | undefined;
  /** Binding in progress, by session id. */
  readonly #binding = new Map<string, Promise<unknown>>();
  readonly #hearing: Hearing;
  readonly #untold: UntoldProcessors;
  readonly #budgets = new SessionBudgets();
  readonly #queues: KeptQueues;
  readonly #dueWills: DueWills;
  readonly #ended: EndedSources;
  readonly turns = new InputTurns();
  /** The connections for which bytes are held. */
  readonly #holders = new Set<Connection>();
  readonly #ofClients = new Holdings(() => [...this.#holders].filter(({ session }) => session !== undefined));
  /** Counted separately, so that a stranger cannot end the connections of clients. */
  readonly #ofStrangers = new Holdings(
    () => [...this.#holders].filter(({ session }) => session === undefined),
    MAX_HELD_OF_STRANGERS,
  );
  /** When the keys are to be checked next, epoch milliseconds, and how often the last checks have failed in a row. */
  #keysDueAt = 0;
  #keysFailures = 0;
  /** Keys found to be invalid, with the time of the check, in epoch milliseconds. */
  readonly #invalidKeys = new Map<string, number>();
  #staying: ReturnType<typeof setTimeout> | undefined;
  /** Timers that end connections without a CONNECT. An object with a timer does not sleep, and is billed. */
  readonly #connecting = new WeakMap<Connection, ReturnType<typeof setTimeout>>();

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.#queues = new KeptQueues(parts.tables);
    this.#untold = new UntoldProcessors(parts);
    this.#hearing = new Hearing(() => this.#known().values(), parts.port, this.#budgets.queued, this.#untold);
    this.#dueWills = new DueWills(parts);
    this.#ended = new EndedSources(parts);
  }

  /** Opens a connection. @returns the response that hands over the socket */
  open({ agent, host }: MqttPlace): Response {
    const all = this.#all();
    const { 0: client, 1: server } = new WebSocketPair();
    server.binaryType = "arraybuffer";
    this.#parts.sockets.acceptWebSocket(server);
    const now = Date.now();
    const connection = new Connection(
      server,
      { agent, host, openedAt: now, seenAt: now, aliases: [], subscriptions: [] },
      this,
    );
    connection.attach({});
    this.#connections.set(server, connection);
    all.add(connection);
    this.#countOpen();
    this.#ring(wakeOf(connection, now));
    const waiting = setTimeout(() => {
      if (connection.session === undefined) connection.close(REASON.protocolError, "CONNECT must arrive within 10 s");
    }, CONNECT_WITHIN_MS);
    this.#connecting.set(connection, waiting);
    return new Response(null, {
      status: 101,
      webSocket: client,
      headers: { "sec-websocket-protocol": MQTT_SUBPROTOCOL },
    });
  }

  /** The agent, as known to connections and sessions; `undefined` without any. */
  get agent(): string | undefined {
    for (const { about } of this.#all()) return about.agent;
    for (const { agent } of this.#known().values()) return agent;
    return this.#dueWills.agent ?? this.#ended.agent;
  }

  /** Receives input of a client. */
  take(socket: WebSocket, message: string | ArrayBuffer): void {
    const connection = this.#connectionOf(socket);
    connection.take(message);
    void this.#stayFor(connection);
  }

  /** Stays in memory for work that takes longer than an immediate answer, such as to PINGREQ. */
  async #stayFor(connection: Connection): Promise<void> {
    for (let turn = 0; turn < TURNS_OF_AN_ANSWER && connection.isBusy; turn++) await Promise.resolve();
    if (connection.isBusy) this.#stay();
  }

  /** Notes that a socket has closed. */
  async closed(socket: WebSocket): Promise<void> {
    const connection = this.#connectionOf(socket);
    await connection.lost();
    const { accepted } = connection.about;
    if (this.#all().delete(connection) && accepted !== undefined) this.#countOfKey(accepted.keyRef, -1);
    this.#countOpen();
  }

  /** Ends all connections, because the server is stopping. */
  stop(): void {
    for (const connection of [...this.#all()]) connection.stop();
  }

  holding(connection: Connection, held: number, by: number): void {
    if (held > 0) this.#holders.add(connection);
    else this.#holders.delete(connection);
    (connection.session === undefined ? this.#ofStrangers : this.#ofClients).changed(by);
  }

  // ---- Connections and sessions

  async connect(connection: Connection, bytes: Uint8Array): Promise<void> {
    const packet = this.#connectIn(connection, bytes);
    try {
      await this.#connectAs(connection, packet);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      connection.send(connackRefused(packet.version, error.code, packet.wantsReasons ? error.message : ""));
      throw error;
    }
  }

  /** @throws ProtocolFault when it is not a CONNECT. If the protocol allows it, the client gets the reason */
  #connectIn(connection: Connection, bytes: Uint8Array): Connect {
    try {
      return readConnect(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error;
      // A client of MQTT 3.1.1 can be told only that its version is not supported.
      const version = error.level >= 5 ? 5 : 4;
      const isTold = version === 5 || error.code === REASON.unsupportedVersion;
      if (isTold) connection.send(connackRefused(version, error.code, error.message));
      throw error;
    }
  }

  async #connectAs(connection: Connection, packet: Connect): Promise<void> {
    const { version, will } = packet;
    if (packet.authMethod !== undefined) {
      throw new Refused(REASON.badAuthMethod, "this server has no enhanced authentication: send a key as password");
    }
    if (encoder.encode(packet.clientId).length > MAX_CLIENT_ID_BYTES) {
      throw new Refused(REASON.badIdentifier, `a client identifier may have ${MAX_CLIENT_ID_BYTES} bytes`);
    }
    if (packet.clientId === "" && version === 4 && !packet.isClean) {
      throw new Refused(REASON.badIdentifier, "without a client identifier, the session must be clean");
    }
    const holder = await this.#admitted(connection, packet);
    if (will !== undefined) await this.#parts.port().prepare(holder, will.topic, will.payload);
    const clientId = packet.clientId === "" ? `noema-${crypto.randomUUID()}` : packet.clientId;
    const id = Session.idOf(holder.keyRef, clientId);
    const before = this.#binding.get(id) ?? Promise.resolve();
    const bound = before.then(() => this.#bind(connection, { ...packet, clientId }, holder, packet.clientId === ""));
    const settled = bound.catch(() => {});
    this.#binding.set(id, settled);
    try {
      await bound;
    } finally {
      if (this.#binding.get(id) === settled) this.#binding.delete(id);
    }
  }

  async #admitted(connection: Connection, { password }: Connect): Promise<Holder> {
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(password ?? new Uint8Array());
    } catch {
      throw new Refused(REASON.badPassword, "the password of CONNECT does not hold an accepted API key");
    }
    const holder = await this.#parts.port().admit(connection.about.host, text);
    // The gateway remembers valid keys for a while.
    if (this.#invalidKeys.has(holder.keyRef)) throw new Refused(REASON.badPassword, "the key is no longer valid");
    this.#assertMayConnect(holder);
    return holder;
  }

  /** @throws Refused when a key has its maximum of connections */
  #assertMayConnect({ keyRef }: Holder): void {
    if ((this.#openOfKeys.get(keyRef) ?? 0) < MAX_CONNECTIONS_OF_A_KEY) return;
    throw new Refused(REASON.quota, `a key may have ${MAX_CONNECTIONS_OF_A_KEY} connections at a time`);
  }

  async #bind(connection: Connection, packet: Connect, holder: Holder, isAssigned: boolean): Promise<void> {
    const id = Session.idOf(holder.keyRef, packet.clientId);
    const older = this.#known().get(id)?.connection;
    older?.takenOver();
    await older?.settled();
    const present = this.#present(id, packet.isClean);
    const expiryS = Math.min(packet.expiryS, MAX_EXPIRY_S);
    const session = present ?? this.#newSession(id, connection, packet.clientId, holder, expiryS);
    await this.#settle(session);
    // Others may have connected meanwhile.
    this.#assertMayConnect(holder);
    if (packet.will !== undefined && !session.hasRoomFor(packet.will)) {
      throw new Refused(
        REASON.quota,
        "the wills of this key's clients, or of all clients, have reached their maximum size",
      );
    }
    session.expiryS = expiryS;
    session.endedAt = undefined;
    session.outbox.resume();
    if (connection.isEnded && !session.isKept) return;
    session.will = packet.will;
    this.#join(session);
    this.#accept(connection, packet, session, { isAssigned, isPresent: present !== undefined });
    // It was closed before it was accepted.
    if (connection.isOver) this.over(connection, false);
  }

  /** The session that a client continues; `undefined` when it begins a new one. */
  #present(id: string, isClean: boolean): Session | undefined {
    const session = this.#known().get(id);
    if (session === undefined || (!isClean && !this.#hasExpired(session))) return session;
    this.#endSession(session);
    return undefined;
  }

  #newSession(id: string, { about }: Connection, clientId: string, { keyRef }: Holder, expiryS: number): Session {
    if (expiryS > 0) this.#assertRoom(keyRef);
    const source = crypto.randomUUID();
    const { agent } = about;
    const fresh = { agent, keyRef, clientId, source, expiryS, subscriptions: [], processors: [] };
    return new Session(id, fresh, this.#sessionParts);
  }

  #accept(
    connection: Connection,
    packet: Connect,
    session: Session,
    { isAssigned, isPresent }: { readonly isAssigned: boolean; readonly isPresent: boolean },
  ): void {
    const { version, keepAliveS, receiveMaximum, maximumPacketSize, wantsReasons } = packet;
    const { keyRef, clientId, expiryS } = session;
    const isLong = keepAliveS === 0 || keepAliveS > MAX_KEEP_ALIVE_S;
    const serverKeepAliveS = version === 5 && isLong ? MAX_KEEP_ALIVE_S : undefined;
    const client = {
      version,
      keyRef,
      clientId,
      keepAliveS: serverKeepAliveS ?? keepAliveS,
      receiveMaximum,
      maximumPacketSize: Number.isFinite(maximumPacketSize) ? maximumPacketSize : null,
      wantsReasons,
      expiryS,
      isResumed: isPresent,
    };
    clearTimeout(this.#connecting.get(connection));
    connection.accepted(client, session);
    this.#countOfKey(keyRef, 1);
    session.save();
    connection.send(
      connack(version, isPresent, {
        expiryS: packet.expiryS === expiryS ? undefined : expiryS,
        receiveMaximum: MAX_UNDER_WAY,
        maximumPacketSize: MAX_PACKET_BYTES,
        aliasMaximum: MAX_ALIASES,
        clientId: isAssigned ? clientId : undefined,
        keepAliveS: serverKeepAliveS,
      }),
    );
    connection.pump();
    const now = Date.now();
    this.#ring(Math.min(wakeOf(connection, now), this.#wakeOf(session, now)));
  }

  /** @throws Refused when a key has its maximum of kept sessions */
  #assertRoom(keyRef: string): void {
    let kept = 0;
    for (const session of this.#known().values()) if (session.keyRef === keyRef && session.isKept) kept++;
    if (kept < MAX_SESSIONS_OF_A_KEY) return;
    throw new Refused(REASON.quota, `a key may have ${MAX_SESSIONS_OF_A_KEY} sessions that are kept`);
  }

  /** Finds out which messages have taken effect, if unknown. */
  async #settle(session: Session): Promise<void> {
    const places = session.inbox.unsettled();
    if (places.length === 0) return;
    const fence = session.inbox.next();
    // Stored first, so that a number is never assigned twice.
    session.save();
    for (const place of places) {
      const [processorId, memory] = placeOfKey(place);
      session.inbox.settle(place, await this.#parts.port().settle(processorId, memory, session.source, fence));
    }
  }

  over(connection: Connection, isOrderly: boolean): void {
    const { session } = connection;
    if (session === undefined || session.connection !== connection) return;
    session.connection = undefined;
    if (isOrderly) session.will = undefined;
    const now = Date.now();
    session.endedAt = now;
    if (session.willDelayS === 0 || !session.isKept) this.#sendWill(session);
    if (!session.isKept) {
      this.#endSession(session);
      return;
    }
    this.#saveSoon(session);
    this.#ring(this.#wakeOf(session, now));
  }

  /**
   * Stores sessions in one transaction whose connections end, or whose messages are acknowledged, at about the same
   * time: each transaction waits for the disk, and delays all others. If the server is lost before, it still knows that
   * the connections are lost.
   */
  #saveSoon(session: Session): void {
    if (this.#unsaved.has(session)) return;
    this.#unsaved.add(session);
    if (this.#unsaved.size === 1) setTimeout(() => this.#saveSome(), SAVE_WITHIN_MS);
  }

  #saveSome(): void {
    let left = SAVED_AT_ONCE;
    try {
      for (const session of this.#unsaved) {
        if (left-- === 0) break;
        this.#unsaved.delete(session);
        session.save();
      }
    } finally {
      // Also when one cannot be stored.
      if (this.#unsaved.size > 0) setTimeout(() => this.#saveSome(), SAVE_WITHIN_MS);
    }
  }

  saveLate(session: Session): void {
    if (this.#late.has(session)) return;
    this.#late.add(session);
    if (this.#late.size > 1) return;
    setTimeout(() => {
      for (const each of this.#late) this.#saveSoon(each);
      this.#late.clear();
    }, SAVE_LATE_MS);
  }

  /** Has a will published, if its key still may publish. The caller stores the session without it in the same turn. */
  #sendWill(session: Session): void {
    const will = session.takeWill();
    if (will !== undefined) this.#dueWills.add(session, will);
  }

  #hasExpired({ endedAt, expiryS }: Session): boolean {
    return endedAt !== undefined && Date.now() >= endedAt + expiryS * 1000;
  }

  #endSession(session: Session): void {
    this.#sendWill(session);
    this.#hearing.left(session);
    session.end();
    this.#known().delete(session.id);
    if (session.processors.size > 0) this.#ended.add(session.source, session.agent, [...session.processors]);
  }

  /** All sessions: the stored ones, and those of connections that the platform kept. */
  #known(): Map<string, Session> {
    if (this.#sessions !== undefined) return this.#sessions;
    const sessions = new Map<string, Session>();
    this.#sessions = sessions;
    this.#readStored(sessions);
    for (const connection of this.#all()) this.#rebind(connection, sessions);
    const now = Date.now();
    for (const session of [...sessions.values()]) {
      this.#hearing.joined(session);
      // Its connection was lost with an earlier life of the object.
      if (session.connection === undefined && session.endedAt === undefined) {
        session.endedAt = now;
        session.save();
        // Its will is due before the client can return with another one.
        this.#wakeSession(session, now);
      }
    }
    return sessions;
  }

  #readStored(sessions: Map<string, Session>): void {
    const { tables } = this.#parts;
    // An earlier version may have stored more than should be read.
    tables.shortenQueues(MAX_QUEUED_BYTES_OF_AGENT, ENTRY_BYTES);
    const wills = new Map(tables.wills().map((will) => [will.session, will]));
    this.#queues.reading(() => {
      for (const { id, about, inbox } of tables.sessions()) {
        const stored = { inbox: JSON.parse(inbox) as StoredInbox, will: wills.get(id) };
        sessions.set(id, new Session(id, JSON.parse(about) as About, this.#sessionParts, stored));
      }
    });
  }

  get #sessionParts(): SessionParts {
    return { tables: this.#parts.tables, queues: this.#queues, budgets: this.#budgets };
  }

  /** Adds a session to the known ones. */
  #join(session: Session): void {
    const known = this.#known();
    if (known.get(session.id) === session) return;
    known.set(session.id, session);
    this.#hearing.joined(session);
  }

  /** Binds a connection that the platform kept to its session. */
  #rebind(connection: Connection, sessions: Map<string, Session>): void {
    const { agent, accepted, subscriptions, inbox } = connection.about;
    if (accepted === undefined) return;
    const { keyRef, clientId, expiryS } = accepted;
    const id = Session.idOf(keyRef, clientId);
    const about = { agent, keyRef, clientId, source: "", expiryS, subscriptions, processors: [] };
    const session = sessions.get(id) ?? new Session(id, about, this.#sessionParts, undefined, inbox);
    session.connection = connection;
    session.endedAt = undefined;
    session.outbox.window = accepted.receiveMaximum;
    connection.session = session;
    sessions.set(id, session);
  }

  #connectionOf(socket: WebSocket): Connection {
    this.#all();
    return this.#connections.get(socket) ?? this.#comeBack(socket);
  }

  /**
   * All connections. The platform is asked once in each life of the object: with thousands of connections that takes a
   * millisecond.
   */
  #all(): Set<Connection> {
    if (this.#open !== undefined) return this.#open;
    const all = new Set<Connection>();
    this.#open = all;
    for (const socket of this.#parts.sockets.getWebSockets()) this.#comeBack(socket);
    // Reading the sessions binds them to the connections.
    if (this.#openOfKeys.size > 0) this.#known();
    return all;
  }

  /** Restores a connection of an earlier life. */
  #comeBack(socket: WebSocket): Connection {
    socket.binaryType = "arraybuffer";
    const connection = new Connection(socket, socket.deserializeAttachment() as Attachment, this);
    this.#connections.set(socket, connection);
    this.#all().add(connection);
    const { accepted } = connection.about;
    if (accepted !== undefined) this.#countOfKey(accepted.keyRef, 1);
    return connection;
  }

  #countOfKey(keyRef: string, by: 1 | -1): void {
    const count = (this.#openOfKeys.get(keyRef) ?? 0) + by;
    if (count === 0) this.#openOfKeys.delete(keyRef);
    else this.#openOfKeys.set(keyRef, count);
  }

  #countOpen(): void {
    const open = this.#all().size;
    if (open === 0) mqttCounts.open.delete(this.#parts.objectId);
    else mqttCounts.open.set(this.#parts.objectId, open);
  }

  // ---- Publishing

  async holderOf(connection: Connection): Promise<Holder> {
    const holder = await this.#parts.port().holder(connection.about.accepted?.keyRef ?? "");
    if (holder === undefined) throw new Refused(REASON.notAuthorized, "the key is no longer valid");
    return holder;
  }

  prepare(holder: Holder, topic: string, payload: Uint8Array): Promise<Publication> {
    return this.#parts.port().prepare(holder, topic, payload);
  }

  publish(processorId: string, source: string, messages: readonly Numbered[], holder: Holder): Promise<Taken> {
    return this.#parts.port().take(processorId, source, messages, holder);
  }

  /** Notes that the agent's routes have changed. */
  routesChanged(): void {
    this.#parts.port().routesChanged();
  }

  change(connection: Connection, packet: Subscribe | Unsubscribe): Promise<void> {
    return packet.type === "subscribe"
      ? this.#hearing.subscribe(connection, packet)
      : this.#hearing.unsubscribe(connection, packet);
  }

  /**
   * Receives events from a processor's memories.
   *
   * @returns the kinds of events that the endpoint wants from it
   */
  tell(processorId: string, events: readonly ToldEvent[]): Promise<readonly string[]> {
    return this.#hearing.tell(processorId, events);
  }

  // ---- Time

  async wake(): Promise<void> {
    const now = Date.now();
    for (const connection of [...this.#all()]) this.#wakeConnection(connection, now);
    if (this.#keysDue(now) <= now) await this.#checkKeys(now);
    for (const session of [...this.#known().values()]) this.#wakeSession(session, now);
    // Not awaited: a processor may answer late, and the alarm rings again in time.
    this.#dueWills.publish();
    void this.#ended.forget();
    // Subscriptions belong to sessions: without a session, no event is wanted.
    if (this.#known().size > 0) void this.#hearing.tellAgain();
    else for (const processorId of this.#untold.due()) this.#untold.remove(processorId);
  }

  #wakeSession(session: Session, now: number): void {
    const { connection, endedAt = now, willDelayS, isKept } = session;
    if (connection !== undefined) return;
    if (willDelayS !== undefined && (!isKept || now >= endedAt + willDelayS * 1000)) {
      this.#sendWill(session);
      session.save();
    }
    if (!isKept || this.#hasExpired(session)) this.#endSession(session);
  }

  #wakeConnection(connection: Connection, now: number): void {
    const { seenAt } = connection;
    const { accepted, openedAt } = connection.about;
    if (accepted === undefined) {
      if (now < openedAt + CONNECT_WITHIN_MS) return;
      connection.close(REASON.protocolError, "CONNECT must arrive within 10 s");
    } else if (accepted.keepAliveS > 0 && now >= seenAt + KEEP_ALIVES_UNTIL_LOST * 1000 * accepted.keepAliveS) {
      connection.close(REASON.keepAliveTimeout, "nothing arrived for one and a half times the keep alive");
    }
  }

  /** Ends the connections and sessions of keys that are no longer valid. */
  async #checkKeys(now: number): Promise<void> {
    this.#keysDueAt = now + CHECK_KEYS_EVERY_MS;
    const refs = [...new Set([...this.#known().values()].map(({ keyRef }) => keyRef))];
    let valid: ReadonlySet<string>;
    try {
      valid = await this.#parts.port().validOf(refs);
      this.#keysFailures = 0;
    } catch (error) {
      this.#keysDueAt = now + Math.min(CHECK_KEYS_EVERY_MS, CHECK_KEYS_AGAIN_MS * 2 ** this.#keysFailures++);
      console.error(`the keys of MQTT connections could not be checked: ${error}`);
      return;
    }
    for (const [ref, at] of this.#invalidKeys) if (now >= at + INVALID_KEYS_MS) this.#invalidKeys.delete(ref);
    // Keys of clients that came during the call were not asked about.
    for (const ref of refs) if (!valid.has(ref)) this.#invalidKeys.set(ref, now);
    for (const session of [...this.#known().values()]) {
      if (!this.#invalidKeys.has(session.keyRef)) continue;
      session.will = undefined;
      session.connection?.expelled();
      this.#endSession(session);
    }
  }

  nextWake(): number | undefined {
    const now = Date.now();
    const others = [this.#dueWills.nextWake(), this.#ended.nextWake(), this.#untold.nextWake()];
    let next = Math.min(...others.map((at = Number.POSITIVE_INFINITY) => at));
    // One that was closed needs no attention, however late its client answers the close.
    for (const connection of this.#all()) if (!connection.isOver) next = Math.min(next, wakeOf(connection, now));
    for (const session of this.#known().values()) next = Math.min(next, this.#wakeOf(session, now));
    return Number.isFinite(next) ? next : undefined;
  }

  /** When the keys are to be checked, epoch milliseconds; now if the clock was set back since the last check. */
  #keysDue(now: number): number {
    const isAhead = this.#keysDueAt > now + CHECK_KEYS_EVERY_MS;
    return isAhead ? now : Math.max(now, this.#keysDueAt);
  }

  /** When a session needs attention. */
  #wakeOf({ connection, endedAt = 0, expiryS, willDelayS, keyRef, isKept }: Session, now: number): number {
    const check = keyRef.startsWith(ISSUED) ? this.#keysDue(now) : Number.POSITIVE_INFINITY;
    if (connection !== undefined) return check;
    const delayMs = 1000 * (willDelayS === undefined || !isKept ? expiryS : Math.min(expiryS, willDelayS));
    return Math.min(check, endedAt + delayMs);
  }

  /**
   * Makes sure that the alarm rings in time.
   *
   * @param at when the change needs attention, epoch milliseconds. For everything else the alarm is set already, except
   *   in a new life of the object, where that is unknown
   */
  #ring(at: number): void {
    const next = this.#hasRung ? at : this.nextWake();
    this.#hasRung = true;
    if (next !== undefined && Number.isFinite(next)) this.#parts.ringBy(next);
  }

  /** Keeps the object in memory while the state of a connection exists nowhere else. */
  #stay(): void {
    if (this.#staying !== undefined) return;
    this.#staying = setTimeout(() => {
      this.#staying = undefined;
      for (const { isBusy } of this.#all()) if (isBusy) return this.#stay();
    }, STAY_IN_MEMORY_EVERY_MS);
  }
}

/** When a connection needs attention, epoch milliseconds. */
function wakeOf({ about: { accepted, openedAt }, isEnded, seenAt }: Connection, now: number): number {
  // One that has ended is only waited for, until its last input is handled.
  if (!isEnded) {
    if (accepted === undefined) return openedAt + CONNECT_WITHIN_MS;
    if (accepted.keepAliveS > 0) return seenAt + KEEP_ALIVES_UNTIL_LOST * 1000 * accepted.keepAliveS;
  }
  // If the server is lost, nothing else would notice that this connection is too, and its will and session depend on
  // that.
  return now + LOOK_EVERY_MS;
}
