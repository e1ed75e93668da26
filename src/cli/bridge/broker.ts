/**
 * The connection to the user's broker. A message is acknowledged when its handler has finished: QoS 1 by PUBACK, and
 * QoS 2 by PUBREC, after which the message is no longer the broker's responsibility. Reconnects by itself, and keeps
 * its session at the broker.
 */

import { createHash } from "node:crypto";
import { type EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from "mqtt";
import type { Delivery, DeliveryLog } from "./delivery-log";
import type { Outgoing } from "./home-assistant";

/** How to reach a broker. */
export interface BrokerOptions {
  /** `mqtt://`, `mqtts://`, `ws://` or `wss://`, without username and password. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** A certificate authority in PEM, for one that the system does not know. */
  readonly ca?: Buffer | undefined;
  /** The message that the broker publishes when the bridge is gone. */
  readonly lastWill: Outgoing;
}

/** Handles one message at a time. Resolves when the message may be acknowledged, and rejects when it must not be. */
export type Handle = (topic: string, payload: Uint8Array, delivery: Delivery) => Promise<void>;

/** Callbacks for changes of the connection. */
export interface BrokerEvents {
  /** The connection is open, for the first time or again. */
  readonly onOpen: () => void;
  /** The connection was lost or refused. */
  readonly onLost: (reason: string) => void;
}

/** Time limit for disconnecting, in milliseconds. */
const FAREWELL_MS = 1_000;

/** The pause before reconnecting, in milliseconds. */
const RECONNECT_MS = 1_000;

type Done = (error?: Error) => void;

/** A connection to a broker. */
export class Broker {
  readonly #client: MqttClient;

  private constructor(client: MqttClient) {
    this.#client = client;
  }

  /** Opens a connection, and waits until the broker has accepted it. @throws Error when the broker refuses it */
  static async open(options: BrokerOptions, log: DeliveryLog, handle: Handle, events: BrokerEvents): Promise<Broker> {
    const { url, user, password, ca, lastWill } = options;
    const incoming = new Incoming(log, handle);
    const { topic, payload, isRetained: retain } = lastWill;
    const settings: IClientOptions = {
      clientId: log.client,
      // The broker keeps the messages that arrive while the bridge is away.
      clean: false,
      reconnectPeriod: RECONNECT_MS,
      // A message that was not sent in time is out of date: events are dropped, and states are sent again.
      queueQoSZero: false,
      incomingStore: incoming as never,
      manualConnect: true,
      will: { topic, payload: Buffer.from(payload), qos: 1, retain },
      ...(user !== undefined && { username: user }),
      ...(password !== undefined && { password }),
      ...(ca !== undefined && { ca }),
    };
    const client = connect(url, settings);
    // Set before connecting, because the broker may begin with messages that it has kept.
    client.handleMessage = (packet, done) => incoming.handleMessage(packet, done as Done);
    client.on("packetreceive", (packet) => {
      if (packet.cmd === "connack" && !packet.sessionPresent) log.forget();
    });
    client.connect();
    try {
      await once(client as unknown as EventEmitter, "connect");
    } catch (error) {
      // The client would otherwise reconnect after it was ended, if its socket closes later.
      client.options.reconnectPeriod = 0;
      await client.endAsync(true);
      throw new Error(`the broker does not accept the connection: ${(error as Error).message}`);
    }
    client.on("connect", events.onOpen);
    client.on("error", (error) => events.onLost(error.message));
    client.on("close", () => events.onLost("the connection is closed"));
    return new Broker(client);
  }

  get isOpen(): boolean {
    return this.#client.connected;
  }

  /** Subscribes to filters at QoS 2, and unsubscribes from `others`. @throws Error when the broker refuses a filter */
  async subscribe(filters: readonly string[], others: readonly string[]): Promise<void> {
    if (others.length > 0) await this.#client.unsubscribeAsync([...others]);
    if (filters.length === 0) return;
    const granted = await this.#client.subscribeAsync([...filters], { qos: 2 });
    const refused = granted.find(({ qos }) => qos >= 128);
    if (refused !== undefined) throw new Error(`the broker refuses the subscription to ${refused.topic}`);
  }

  /** Publishes a message, unless the connection is lost. @returns whether the message was sent */
  async publish({ topic, payload, isRetained }: Outgoing): Promise<boolean> {
    if (!this.#client.connected) return false;
    await this.#client.publishAsync(topic, payload, { qos: 1, retain: isRetained });
    return true;
  }

  /**
   * Ends the connection. The broker keeps the session, and publishes the last will if it gets no DISCONNECT: MQTT.js
   * neither reads nor sends one while a message waits that must not be acknowledged.
   */
  async close(): Promise<void> {
    const isOver = new AbortController();
    const farewell = this.#client.connected ? this.#client.endAsync() : Promise.resolve();
    await Promise.race([farewell, pause(FAREWELL_MS, undefined, { signal: isOver.signal })]);
    isOver.abort();
    await this.#client.endAsync(true);
  }
}

/**
 * The incoming messages. MQTT.js calls `put` before it sends PUBREC, and `get` when PUBREL has arrived; it calls
 * `handleMessage` before it sends PUBACK.
 */
class Incoming {
  readonly #log: DeliveryLog;
  readonly #handle: Handle;
  readonly #released = new Map<number, IPublishPacket>();
  readonly #underWay = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  constructor(log: DeliveryLog, handle: Handle) {
    this.#log = log;
    this.#handle = handle;
  }

  handleMessage(packet: IPublishPacket, done: Done): void {
    // `put` has already handled messages of QoS 2.
    if (packet.qos === 2) {
      done();
      return;
    }
    this.#take(packet).then(() => {
      if (packet.messageId !== undefined) this.#log.settle(packet.messageId);
      done();
    }, unacknowledged);
  }

  put(packet: IPublishPacket, done: Done): this {
    const { messageId: id = 0 } = packet;
    this.#take(packet).then(() => {
      this.#log.observed(id);
      this.#released.set(id, packet);
      done();
    }, unacknowledged);
    return this;
  }

  get(
    { messageId: id = 0 }: { readonly messageId?: number },
    done: (error?: Error, packet?: IPublishPacket) => void,
  ): this {
    const packet = this.#released.get(id);
    // PUBCOMP is sent to the broker after a crash, too.
    this.#log.settle(id);
    if (packet === undefined) done(new Error("no such message"));
    else done(undefined, packet);
    return this;
  }

  del({ messageId: id = 0 }: { readonly messageId?: number }, done: Done): this {
    this.#released.delete(id);
    done();
    return this;
  }

  close(done: Done): void {
    done();
  }

  async #take(packet: IPublishPacket): Promise<void> {
    // A retained message is an old one: it says what happened before, not what happens now.
    if (packet.retain) return;
    const { topic, messageId: id, dup } = packet;
    const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
    const digest = createHash("sha256").update(`${topic}\0`).update(payload).digest("base64");
    const delivery = this.#log.take(id, dup, digest);
    if (delivery.isObserved) return;
    // The broker sends a message again over a new connection while the handler of the old connection is still running.
    const key = `${delivery.source} ${delivery.number}`;
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    // One at a time, even when two connections overlap: the numbers of a source must rise.
    const handled = this.#last.then(() => this.#handle(topic, payload, delivery));
    this.#last = handled.catch(() => {});
    this.#underWay.set(key, handled);
    try {
      await handled;
    } finally {
      this.#underWay.delete(key);
    }
  }
}

/** The bridge is ending: the broker will send the message again. */
function unacknowledged(): void {}
