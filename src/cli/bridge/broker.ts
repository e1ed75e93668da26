/**
 * The connection to the user's broker. A message is acknowledged when its handler has ended: QoS 1 by PUBACK, QoS 2 by
 * PUBREC, which is when the broker no longer owns it. Connects again by itself, and keeps its session at the broker.
 */

import { createHash } from "node:crypto";
import { type EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from "mqtt";
import type { Delivery, DeliveryLog } from "./delivery-log";
import type { Outgoing } from "./home-assistant";

/** How to reach a broker. */
export interface BrokerOptions {
  /** `mqtt://`, `mqtts://`, `ws://` or `wss://`, without user and password. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** A certificate authority in PEM, where the system does not know it. */
  readonly ca?: Buffer | undefined;
  /** What the broker says when the bridge is gone. */
  readonly lastWill: Outgoing;
}

/** Handles a message, one after the other. Resolves when it may be acknowledged, and rejects when it must not be. */
export type Handle = (topic: string, payload: Uint8Array, delivery: Delivery) => Promise<void>;

/** What a bridge hears of its broker. */
export interface BrokerEvents {
  /** Connected, for the first time or again. */
  readonly onOpen: () => void;
  /** Lost, or refused. */
  readonly onLost: (reason: string) => void;
}

/** How long a farewell may take, in milliseconds. */
const FAREWELL_MS = 1_000;

/** The pause before the broker is tried again, in milliseconds. */
const RECONNECT_MS = 1_000;

type Done = (error?: Error) => void;

/** A connection to a broker. */
export class Broker {
  readonly #client: MqttClient;

  private constructor(client: MqttClient) {
    this.#client = client;
  }

  /** Opens a connection, and waits until the broker has accepted it. @throws Error when it refuses */
  static async open(options: BrokerOptions, log: DeliveryLog, handle: Handle, events: BrokerEvents): Promise<Broker> {
    const { url, user, password, ca, lastWill } = options;
    const incoming = new Incoming(log, handle);
    const { topic, payload, isRetained: retain } = lastWill;
    const settings: IClientOptions = {
      clientId: log.client,
      // The broker keeps what comes while the bridge is away.
      clean: false,
      reconnectPeriod: RECONNECT_MS,
      // What was not sent in time is old: events are dropped instead, and states are sent anew.
      queueQoSZero: false,
      incomingStore: incoming as never,
      manualConnect: true,
      will: { topic, payload: Buffer.from(payload), qos: 1, retain },
      ...(user !== undefined && { username: user }),
      ...(password !== undefined && { password }),
      ...(ca !== undefined && { ca }),
    };
    const client = connect(url, settings);
    // Before it connects: the broker may begin with messages that it has kept.
    client.handleMessage = (packet, done) => incoming.handleMessage(packet, done as Done);
    client.on("packetreceive", (packet) => {
      if (packet.cmd === "connack" && !packet.sessionPresent) log.forget();
    });
    client.connect();
    try {
      await once(client as unknown as EventEmitter, "connect");
    } catch (error) {
      // The client would try again though it was ended, when its socket closes only afterwards.
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

  /** Subscribes to filters at QoS 2, and ends the subscriptions of others. @throws Error when the broker refuses one */
  async subscribe(filters: readonly string[], others: readonly string[]): Promise<void> {
    if (others.length > 0) await this.#client.unsubscribeAsync([...others]);
    if (filters.length === 0) return;
    const granted = await this.#client.subscribeAsync([...filters], { qos: 2 });
    const refused = granted.find(({ qos }) => qos >= 128);
    if (refused !== undefined) throw new Error(`the broker refuses the subscription to ${refused.topic}`);
  }

  /** Publishes a message, unless the connection is lost. @returns whether it was sent */
  async publish({ topic, payload, isRetained }: Outgoing): Promise<boolean> {
    if (!this.#client.connected) return false;
    await this.#client.publishAsync(topic, payload, { qos: 1, retain: isRetained });
    return true;
  }

  /**
   * Ends the connection; the broker keeps the session, and publishes the last will where it hears no farewell: MQTT.js
   * reads nothing more, and sends none, while a message waits that is not to be acknowledged.
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
 * The messages that come in. MQTT.js calls `put` before it sends PUBREC, and `get` when PUBREL has come; it calls
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
    // What has QoS 2 was handled by put.
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
    // The broker is told that it is complete after a crash, too.
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
    // What the broker kept is from before: it says what was, and not what happens.
    if (packet.retain) return;
    const { topic, messageId: id, dup } = packet;
    const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
    const digest = createHash("sha256").update(`${topic}\0`).update(payload).digest("base64");
    const delivery = this.#log.take(id, dup, digest);
    if (delivery.isObserved) return;
    // The broker sends a message again over a new connection while the old one's is under way.
    const key = `${delivery.source} ${delivery.number}`;
    const known = this.#underWay.get(key);
    if (known !== undefined) return known;
    // One after the other, also where two connections overlap: the numbers of a source must rise.
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

/** The bridge ends: the broker sends the message again. */
function unacknowledged(): void {}
