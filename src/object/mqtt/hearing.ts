/**
 * What clients hear: subscriptions, the events that processors tell, and what is retained. A message goes once to each
 * session that has a subscription for it, at the highest quality of service of these.
 */

import { REASON, type Subscribe, type Unsubscribe, type Wish } from "../../mqtt/packets/packet";
import { suback, unsuback } from "../../mqtt/packets/writing";
import { type Holder, type MqttPort, type Named, Refused } from "../../mqtt/port";
import {
  type Asked,
  type EventFilter,
  type EventName,
  eventTopic,
  filterFault,
  isShared,
  parseEventFilter,
  TopicFault,
} from "../../mqtt/topics";
import type { Connection } from "./connection";
import type { ToldEvent } from "./event-watch";
import type { Heard, Session } from "./session";

/** How many subscriptions a session may have, and how many characters their filters. */
export const MOST_SUBSCRIPTIONS = 100;
export const MOST_FILTER_CHARACTERS = 8192;

/** Of how many memories one SUBSCRIBE is told what is retained. */
export const MOST_RETAINED = 100;

/** How many memories may wait for their forecast. */
const MOST_FORECASTS = 1000;

/** The kinds of events of which the latest is retained. */
const RETAINED: readonly EventName[] = ["forecast", "incident"];

/** The events after which a forecast is another one. */
const FORECAST_ANEW: readonly EventName[] = ["observed", "learned"];

const encoder = new TextEncoder();

/** One event of one memory. */
interface Happened {
  readonly processorId: string;
  readonly name: string | undefined;
  /** Empty for the processor's own memory. */
  readonly session: string;
  readonly event: EventName;
  readonly text: string;
}

/** A filter that was accepted. */
interface Granted {
  readonly wish: Wish;
  readonly asked: EventFilter;
  readonly processors: readonly Named[];
  readonly isNew: boolean;
}

/** What the clients of one agent hear. */
export class Hearing {
  readonly #sessions: () => Iterable<Session>;
  readonly #port: () => MqttPort;
  /** What processors were told that the endpoint wants to hear of, as one text each. */
  readonly #watched = new Map<string, string>();
  /** The memories whose forecast is to be told. */
  readonly #forecasts = new Map<string, readonly [processorId: string, session: string]>();
  #isForecasting = false;

  /** @param sessions all of the agent */
  constructor(sessions: () => Iterable<Session>, port: () => MqttPort) {
    this.#sessions = sessions;
    this.#port = port;
  }

  /** Does SUBSCRIBE and answers it; then sends what is retained. */
  async subscribe(connection: Connection, { id, wishes, subscriptionId }: Subscribe): Promise<void> {
    const { session } = connection;
    if (session === undefined) return;
    const holder = await this.#holderOf(session);
    const codes: number[] = [];
    const granted: Granted[] = [];
    let reason = "";
    for (const wish of wishes) {
      try {
        granted.push(await this.#grant(connection, session, holder, wish, subscriptionId));
        codes.push(wish.qos);
      } catch (error) {
        if (!(error instanceof Refused) || !error.isFinal) throw error;
        codes.push(error.code);
        reason ||= error.message;
      }
    }
    session.save();
    for (const { processors } of granted) for (const { id: processorId } of processors) await this.#watch(processorId);
    connection.reply((said) => suback(connection.version, id, codes, said), reason);
    let left = MOST_RETAINED;
    for (const one of granted) left = await this.#sendRetained(session, holder, one, left);
    connection.pump();
  }

  /** Does UNSUBSCRIBE and answers it. */
  async unsubscribe(connection: Connection, { id, filters }: Unsubscribe): Promise<void> {
    const { session } = connection;
    if (session === undefined) return;
    const codes = filters.map((filter) => {
      if (session.subscriptions.delete(filter)) return REASON.success;
      return filterFault(filter) === null ? REASON.noSubscription : REASON.badFilter;
    });
    session.save();
    connection.attachSession();
    connection.send(unsuback(connection.version, id, codes));
  }

  async #grant(
    connection: Connection,
    session: Session,
    holder: Holder,
    wish: Wish,
    subscriptionId: number | undefined,
  ): Promise<Granted> {
    const { filter, qos, isRetainAsPublished } = wish;
    const asked = askedBy(filter);
    const processors = new Map<string, Named>();
    for (const part of [asked.own, asked.sessions]) {
      if (part === null) continue;
      for (const each of await this.#port().heard(holder, part)) processors.set(each.id, each);
    }
    if (processors.size === 0) throw new Refused(REASON.notAuthorized, "the key may hear nothing of this");
    const before = session.subscriptions.get(filter);
    const characters = [...session.subscriptions.keys()].reduce((sum, each) => sum + each.length, filter.length);
    const isTooMuch = session.subscriptions.size >= MOST_SUBSCRIPTIONS || characters > MOST_FILTER_CHARACTERS;
    if (before === undefined && isTooMuch) throw tooMany();
    session.subscribe({ filter, qos, isRetainAsPublished, subscriptionId });
    if (!connection.attachSession()) {
      session.subscriptions.delete(filter);
      throw tooMany();
    }
    return { wish, asked, processors: [...processors.values()], isNew: before === undefined };
  }

  /** Tells a processor what the endpoint wants to hear of. One that cannot be told is told with the next subscription. */
  async #watch(processorId: string): Promise<void> {
    const name = await this.#port().nameOf(processorId);
    const kinds = this.#wanted(processorId, name);
    const text = kinds.join(" ");
    if (this.#watched.get(processorId) === text) return;
    try {
      await this.#port().watch(processorId, kinds);
      this.#watched.set(processorId, text);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.error(`a processor could not be told what MQTT clients want to hear of: ${error.message}`);
    }
  }

  /** The kinds of events that clients want to hear of from a processor. */
  #wanted(processorId: string, name: string | undefined): string[] {
    const kinds = new Set<string>();
    for (const { subscriptions } of this.#sessions()) {
      for (const { asked } of subscriptions.values()) {
        for (const event of eventsOf(asked, processorId, name)) kinds.add(event);
      }
    }
    if (kinds.delete("forecast")) for (const kind of FORECAST_ANEW) kinds.add(kind);
    return [...kinds].sort();
  }

  /**
   * A processor tells what has happened in its memories.
   *
   * @returns the kinds of events that the endpoint wants to hear of from it
   */
  async tell(processorId: string, events: readonly ToldEvent[]): Promise<readonly string[]> {
    const name = await this.#port().nameOf(processorId);
    const holders = new Map<string, Holder | undefined>();
    for (const { kind, session, text } of events) {
      const event = kind as EventName;
      await this.#spread({ processorId, name, session, event, text }, holders);
      if (FORECAST_ANEW.includes(event) && this.#isHeard(processorId, name, session, "forecast")) {
        this.#forecastSoon(processorId, session);
      }
    }
    // Noted in the same turn: a subscription that comes now is told to the processor by a call of its own.
    const wanted = this.#wanted(processorId, name);
    this.#watched.set(processorId, wanted.join(" "));
    return wanted;
  }

  #isHeard(processorId: string, name: string | undefined, session: string, event: EventName): boolean {
    for (const { subscriptions } of this.#sessions()) {
      for (const heard of subscriptions.values()) if (topicFor(heard, processorId, name, session, event)) return true;
    }
    return false;
  }

  /** Gives an event to all sessions that want it. @param holders the keys that are known to be valid, or not */
  async #spread(happened: Happened, holders: Map<string, Holder | undefined>): Promise<void> {
    const { processorId, name, session: memory, event, text } = happened;
    let payload: Uint8Array | undefined;
    for (const session of [...this.#sessions()]) {
      const matching = matchingOf(session, processorId, name, memory, event);
      const [first] = matching;
      if (first === undefined) continue;
      const { keyRef } = session;
      if (!holders.has(keyRef)) holders.set(keyRef, await this.#validHolder(keyRef));
      const holder = holders.get(keyRef);
      if (holder === undefined || !this.#port().mayHear(holder, processorId, memory)) continue;
      payload ??= encoder.encode(text);
      const isPublished = RETAINED.includes(event);
      const isRetained = isPublished && matching.some(({ heard }) => heard.isRetainAsPublished);
      give(session, matching, { topic: first.topic, payload, isRetained });
    }
  }

  async #validHolder(keyRef: string): Promise<Holder | undefined> {
    try {
      return await this.#port().holder(keyRef);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // It cannot be found out now whether the key is valid: nothing is told until it can.
      return undefined;
    }
  }

  async #holderOf({ keyRef }: Session): Promise<Holder> {
    const holder = await this.#port().holder(keyRef);
    if (holder === undefined) throw new Refused(REASON.notAuthorized, "the key is no longer valid");
    return holder;
  }

  /** Tells the forecast of a memory, once for all that happens until it is made. */
  #forecastSoon(processorId: string, session: string): void {
    const key = JSON.stringify([processorId, session]);
    if (this.#forecasts.size >= MOST_FORECASTS && !this.#forecasts.has(key)) return;
    this.#forecasts.set(key, [processorId, session]);
    if (!this.#isForecasting) void this.#forecastAll();
  }

  async #forecastAll(): Promise<void> {
    this.#isForecasting = true;
    try {
      for (let next = first(this.#forecasts); next !== undefined; next = first(this.#forecasts)) {
        const [key, [processorId, session]] = next;
        this.#forecasts.delete(key);
        await this.#tellForecast(processorId, session);
      }
    } finally {
      this.#isForecasting = false;
    }
  }

  async #tellForecast(processorId: string, session: string): Promise<void> {
    try {
      const text = await this.#port().forecast(processorId, session);
      const name = await this.#port().nameOf(processorId);
      await this.#spread({ processorId, name, session, event: "forecast", text }, new Map());
    } catch (error) {
      if (!(error instanceof Refused)) console.error(`a forecast for MQTT clients failed: ${error}`);
    }
  }

  /** Sends what is retained of the memories that a filter means. @returns of how many more memories it may be sent */
  async #sendRetained(
    session: Session,
    holder: Holder,
    { wish, asked, processors, isNew }: Granted,
    most: number,
  ): Promise<number> {
    const { filter, retainHandling } = wish;
    const heard = session.subscriptions.get(filter);
    if (heard === undefined || retainHandling === 2 || (retainHandling === 1 && !isNew)) return most;
    let left = most;
    for (const processor of processors) {
      const memories = await this.#memoriesOf(asked, processor.id, processor.name, left);
      left -= memories.length;
      for (const memory of memories) {
        if (!this.#port().mayHear(holder, processor.id, memory)) continue;
        for (const event of RETAINED) await this.#sendLatest(session, heard, processor, memory, event);
      }
    }
    return left;
  }

  async #sendLatest(session: Session, heard: Heard, { id, name }: Named, memory: string, event: EventName) {
    const topic = topicFor(heard, id, name, memory, event);
    const text = topic === undefined ? undefined : await this.#retained(event, id, memory);
    if (topic === undefined || text === undefined) return;
    give(session, [{ heard, topic }], { topic, payload: encoder.encode(text), isRetained: true });
  }

  async #memoriesOf(asked: EventFilter, id: string, name: string, most: number): Promise<string[]> {
    const memories: string[] = [];
    if (asked.own !== null && means(asked.own, id, name)) memories.push("");
    if (asked.sessions !== null && means(asked.sessions, id, name) && isRetainedIn(asked.sessions)) {
      const { session } = asked.sessions;
      memories.push(...(session === null ? await this.#port().sessions(id, Math.max(1, most)) : [session]));
    }
    return memories.slice(0, Math.max(0, most));
  }

  async #retained(event: EventName, processorId: string, session: string): Promise<string | undefined> {
    try {
      const port = this.#port();
      return await (event === "forecast" ? port.forecast(processorId, session) : port.incident(processorId, session));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // A processor elsewhere, or one that is out of reach: nothing is retained of it.
      return undefined;
    }
  }
}

function first<Key, Value>(map: ReadonlyMap<Key, Value>): [Key, Value] | undefined {
  return map.entries().next().value;
}

function isRetainedIn({ events }: Asked): boolean {
  return events.some((event) => RETAINED.includes(event));
}

function tooMany(): Refused {
  return new Refused(
    REASON.quota,
    `a session may have ${MOST_SUBSCRIPTIONS} subscriptions, and ${MOST_FILTER_CHARACTERS} characters of filters`,
  );
}

/** What a filter asks for. @throws Refused when it cannot match an event, or is none */
function askedBy(filter: string): EventFilter {
  if (isShared(filter)) throw new Refused(REASON.noSharedSubscriptions, "this server has no shared subscriptions");
  const fault = filterFault(filter);
  if (fault !== null) throw new Refused(REASON.badFilter, fault);
  try {
    const asked = parseEventFilter(filter);
    if (asked !== null) return asked;
  } catch (error) {
    if (error instanceof TopicFault) throw new Refused(REASON.badFilter, error.message);
    throw error;
  }
  throw new Refused(
    REASON.badFilter,
    "a topic filter must match noema/<processor>[/sessions/<session>]/{observed|learned|surprise|forecast|incident}",
  );
}

/** Whether a part of a filter means a processor. */
function means({ processor }: Asked, id: string, name: string | undefined): boolean {
  return processor === null || processor === id || processor === name;
}

/** The events of a processor that a filter asks for. */
function eventsOf({ own, sessions }: EventFilter, id: string, name: string | undefined): EventName[] {
  return [own, sessions].flatMap((part) => (part !== null && means(part, id, name) ? part.events : []));
}

/** A subscription, and the topic by which it knows the event. */
interface Match {
  readonly heard: Heard;
  readonly topic: string;
}

/** The topic by which a subscription knows an event; `undefined` when it does not ask for it. */
function topicFor(
  { asked }: Heard,
  processorId: string,
  name: string | undefined,
  session: string,
  event: EventName,
): string | undefined {
  const part = session === "" ? asked.own : asked.sessions;
  if (part === null || !means(part, processorId, name) || !part.events.includes(event)) return undefined;
  if (part.session !== null && part.session !== session) return undefined;
  return eventTopic({ processor: part.processor ?? processorId, session: session === "" ? null : session }, event);
}

function matchingOf(
  { subscriptions }: Session,
  processorId: string,
  name: string | undefined,
  session: string,
  event: EventName,
): Match[] {
  const matching: Match[] = [];
  for (const heard of subscriptions.values()) {
    const topic = topicFor(heard, processorId, name, session, event);
    if (topic !== undefined) matching.push({ heard, topic });
  }
  return matching;
}

/** Gives a message to a session: at once, or to its queue. */
function give(
  session: Session,
  matching: readonly Match[],
  message: { readonly topic: string; readonly payload: Uint8Array; readonly isRetained: boolean },
): void {
  const qos = Math.max(...matching.map(({ heard }) => heard.qos));
  const subscriptionIds = matching.flatMap(({ heard }) => heard.subscriptionId ?? []);
  const { connection } = session;
  if (qos === 0) {
    connection?.sendOnce({ ...message, subscriptionIds });
    return;
  }
  if (connection === undefined && !session.isKept) return;
  session.outbox.add({ ...message, qos: qos === 2 ? 2 : 1, subscriptionIds });
  connection?.pump();
}
