/**
 * Connects an agent to the user's own broker: observes the messages that the agent's routes accept, and publishes what
 * happens. A message is acknowledged to the broker only once Noema has accepted it.
 */

import { setTimeout as pause } from "node:timers/promises";
import { type Noema, NoemaError, type Stream, type StreamOptions } from "../../client";
import { type Route, RouteFault, recordOf, routeOf } from "../../mqtt/routes";
import type { Place } from "../../mqtt/topics";
import { Broker, type BrokerOptions } from "./broker";
import { type Delivery, DeliveryLog } from "./delivery-log";
import { availabilityTopic } from "./home-assistant";
import { Memories } from "./memories";
import { OutgoingEvents, type Wanted } from "./outgoing";
import { keptRoutes } from "./trying";

/** The interval at which the agent's routes and the open incidents are read again, in milliseconds. */
const LOOK_EVERY_MS = 10_000;

/** The pause before a record that Noema could not accept for now is sent again, in milliseconds. */
const RETRY_MS = 1_000;

/** Answers that sending again would not change: the record, its place or the right is wrong. */
const FINAL_STATUSES: readonly number[] = [400, 403, 404, 413, 422];

/** What a bridge needs. */
export interface BridgeParts extends Wanted {
  readonly noema: Noema;
  readonly broker: Omit<BrokerOptions, "lastWill">;
  /** The file in which the bridge saves its progress. */
  readonly state: string;
  readonly signal: AbortSignal;
  /** Opens a stream to a memory. The stream reconnects when its link is lost. */
  open(place: Place, settings: Pick<StreamOptions, "events" | "onEvent" | "sessions" | "source">): Stream;
  /** Prints a message to the user. */
  note(sentence: string): void;
}

/**
 * Runs a bridge until `signal` is aborted.
 *
 * @throws Error when the bridge cannot start, or cannot subscribe to what the routes accept
 */
export async function runBridge(parts: BridgeParts): Promise<void> {
  const bridge = new Bridge(parts);
  try {
    await bridge.run();
  } finally {
    await bridge.close();
  }
}

class Bridge {
  readonly #parts: BridgeParts;
  readonly #log: DeliveryLog;
  readonly #memories: Memories;
  readonly #outgoing: OutgoingEvents;
  #routes: readonly Route[] = [];
  #filters: readonly string[] = [];
  #broker: Broker | undefined;
  #noted = "";

  constructor(parts: BridgeParts) {
    const { noema, signal } = parts;
    this.#parts = parts;
    this.#log = new DeliveryLog(parts.state);
    this.#memories = new Memories((place, source) => parts.open(place, { source }));
    this.#outgoing = new OutgoingEvents(parts, {
      noema,
      client: this.#log.client,
      signal,
      hear: (processor, events, onEvent) =>
        parts.open({ processor, session: null }, { events, onEvent, sessions: true }),
      publish: async (message) => (await this.#broker?.publish(message)) ?? false,
      note: (sentence) => this.#note(sentence),
    });
  }

  async run(): Promise<void> {
    const { noema, signal, broker } = this.#parts;
    this.#routes = await keptRoutes(noema, signal);
    const topic = availabilityTopic(this.#log.client);
    this.#broker = await Broker.open(
      { ...broker, lastWill: { topic, payload: "offline", isRetained: true } },
      this.#log,
      (...message) => this.#take(...message),
      {
        onOpen: () => void this.#opened().catch(() => {}),
        onLost: (reason) => {
          if (!signal.aborted) this.#note(`the broker cannot be reached; trying again: ${reason}`);
        },
      },
    );
    await this.#opened();
    await this.#follow();
    const count = this.#routes.length === 1 ? "1 route" : `${this.#routes.length} routes`;
    this.#parts.note(`Bridging ${count}; Ctrl-C ends.`);
    for (;;) {
      await pause(LOOK_EVERY_MS, undefined, { signal });
      await this.#look();
    }
  }

  async close(): Promise<void> {
    const topic = availabilityTopic(this.#log.client);
    // Not awaited: the connection may no longer be reading the broker's answer.
    this.#broker?.publish({ topic, payload: "offline", isRetained: true }).catch(() => {});
    await Promise.all([this.#memories.close(), this.#outgoing.close()]);
    await this.#broker?.close();
  }

  async #opened(): Promise<void> {
    this.#noted = "";
    await this.#broker?.publish({ topic: availabilityTopic(this.#log.client), payload: "online", isRetained: true });
    await this.#outgoing.again();
  }

  /** Reads the routes again. If that fails, the known routes stay in use. */
  async #look(): Promise<void> {
    const { noema, signal } = this.#parts;
    try {
      this.#routes = await keptRoutes(noema, signal);
      if (this.#broker?.isOpen) await this.#follow();
      await this.#outgoing.lookAgain();
    } catch (error) {
      if (signal.aborted) throw error;
      this.#note(`the routes could not be read: ${(error as Error).message}`);
    }
  }

  /** Subscribes to the topics of the routes, and listens to the processors that they name. */
  async #follow(): Promise<void> {
    const filters = [...new Set(this.#routes.map(({ topic }) => topic))];
    const others = this.#filters.filter((filter) => !filters.includes(filter));
    const added = filters.filter((filter) => !this.#filters.includes(filter));
    await this.#broker?.subscribe(added, others);
    this.#filters = filters;
    for (const { processor } of this.#routes) if (!/\{\d+\}/.test(processor)) this.#outgoing.hear(processor);
  }

  /** Observes the records that a route makes of a message. @throws unless the message may be acknowledged */
  async #take(topic: string, payload: Uint8Array, delivery: Delivery): Promise<void> {
    const route = routeOf(this.#routes, topic);
    // The bridge's own discovery messages for Home Assistant are not readings.
    if (route === null || this.#isDiscovery(topic)) return;
    try {
      const { place, record, learn } = recordOf(route, topic, payload);
      await this.#observe(place, record, learn, delivery);
      this.#outgoing.hear(place.processor);
    } catch (error) {
      if (!(error instanceof RouteFault)) throw error;
      this.#note(`a message on ${topic} has no effect: ${error.message}`);
    }
  }

  /** Observes a record, and waits while Noema cannot be reached. */
  async #observe(place: Place, record: Parameters<Memories["observe"]>[1], learn: boolean, delivery: Delivery) {
    const { signal } = this.#parts;
    for (;;) {
      try {
        await this.#memories.observe(place, record, learn, delivery);
        this.#noted = "";
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof NoemaError)) throw new RouteFault((error as Error).message);
        if (FINAL_STATUSES.includes(error.status)) throw new RouteFault(`${error.message} (HTTP ${error.status})`);
        this.#note(`Noema cannot be reached; trying again: ${error.message}`);
        await pause(RETRY_MS, undefined, { signal });
      }
    }
  }

  #isDiscovery(topic: string): boolean {
    const { homeAssistant } = this.#parts;
    return homeAssistant !== undefined && topic.startsWith(`${homeAssistant}/`) && topic.includes("/noema_");
  }

  /** Prints a message once, however often it repeats in a row. */
  #note(sentence: string): void {
    if (sentence !== this.#noted) this.#parts.note(`noema: ${sentence}`);
    this.#noted = sentence;
  }
}
