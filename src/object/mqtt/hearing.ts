/**
 * Delivers events to clients: subscriptions, the events that processors report, and retained messages. A message goes
 * once to each session with a matching subscription, at the highest quality of service among them.
 */

import { REASON, type Subscribe, type Unsubscribe, type Wish } from "../../mqtt/packets/packet";
import { suback, unsuback } from "../../mqtt/packets/writing";
import { type Holder, type MqttPort, type Named, Refused } from "../../mqtt/port";
import { type QueuedBytes, SharedPayload } from "../../mqtt/session/shared-payload";
import { SharedAnswers } from "../../mqtt/shared-answers";
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
import { type Occasion, SubscriptionIndex } from "./subscription-index";
import type { UntoldProcessors } from "./untold-processors";

/** Maximum number of subscriptions of a session, and of the characters of their filters. */
export const MAX_SUBSCRIPTIONS = 100;
export const MAX_FILTER_CHARACTERS = 8192;

/** Maximum number of memories whose retained messages one SUBSCRIBE gets. */
export const MAX_RETAINED = 100;

/** Maximum number of memories waiting for their forecast. */
const MAX_FORECASTS = 1000;

/**
 * Maximum bytes of the queues of all sessions together, with `ENTRY_BYTES` for each message. A payload shared by
 * several queues counts once.
 */
export const MAX_QUEUED_BYTES_OF_AGENT = 16_777_216;

/** Fraction of that to which queues that are too long are shortened, so that it does not happen for each message. */
const SHORTENED_TO = 15 / 16;

/** Bytes of messages given to sessions before others get a turn, including the overhead of each message. */
const GIVEN_AT_ONCE = 131_072;

/** Overhead of giving a message, in bytes; more if it is stored. */
const GIVEN_BYTES = 512;
const STORED_BYTES = 4096;

/** Pause after such a turn for others, in milliseconds: each of their calls comes here many times. */
const PAUSE_MS = 10;

/** The kinds of events whose latest message is retained. */
const RETAINED: readonly EventName[] = ["forecast", "incident"];

/** The events after which the forecast changes. */
const FORECAST_ANEW: readonly EventName[] = ["observed", "learned"];

const encoder = new TextEncoder();

/** One event of one memory. */
interface Happened extends Occasion {
  readonly text: string;
}

/** What a filter asks for, and from which processors. */
interface Meaning {
  readonly asked: EventFilter;
  readonly processors: readonly Named[];
}

/** An accepted filter. */
interface Granted extends Meaning {
  readonly wish: Wish;
  readonly isNew: boolean;
}

/** Delivers events to the clients of one agent. */
export class Hearing {
  readonly #sessions: () => Iterable<Session>;
  readonly #port: () => MqttPort;
  /** The kinds of events that each processor was asked for, as one text. */
  readonly #watched = new Map<string, string>();
  /** The memories whose forecast is to be sent. */
  readonly #forecasts = new Map<string, readonly [processorId: string, session: string]>();
  #isForecasting = false;
  /** The retained messages of memories. */
  readonly #latest = new SharedAnswers<string>();
  readonly #sessionNames = new SharedAnswers<readonly string[]>();
  readonly #index = new SubscriptionIndex();
  /** The bytes of the queues of all sessions. */
  readonly #queued: QueuedBytes;
  /** The latest call to each processor that asks for kinds of events. */
  readonly #telling = new Map<string, Promise<void>>();
  /** The processors that could not be asked for kinds of events. */
  readonly #untold: UntoldProcessors;
  /** The revision of the last call that asked for kinds of events. */
  #revision = 0;
  /** Bytes given since others last had a turn. */
  #given = 0;

  /**
   * @param sessions all sessions of the agent; the first call reads those stored
   * @param queued the bytes of their queues
   * @param untold the processors that could not be sent the wanted kinds of events
   */
  constructor(sessions: () => Iterable<Session>, port: () => MqttPort, queued: QueuedBytes, untold: UntoldProcessors) {
    this.#sessions = sessions;
    this.#port = port;
    this.#queued = queued;
    this.#untold = untold;
  }

  /** Notes that a session was added, with all its subscriptions. */
  joined(session: Session): void {
    this.#index.join(session);
  }

  /** Notes that a session is about to end. */
  left(session: Session): void {
    this.#index.leave(session);
  }

  /** Handles SUBSCRIBE and answers it, then sends retained messages. */
  async subscribe(connection: Connection, { id, wishes, subscriptionId }: Subscribe): Promise<void> {
    const { session } = connection;
    if (session === undefined) return;
    const holder = await this.#holderOf(session);
    const meanings = await this.#meaningsOf(holder, wishes);
    // The session may have ended meanwhile, because its key did.
    if (session.isOver) return;
    const codes: number[] = [];
    const granted: Granted[] = [];
    let reason = "";
    for (const [at, wish] of wishes.entries()) {
      try {
        granted.push(this.#grant(session, wish, subscriptionId, meanings[at]));
        codes.push(wish.qos);
      } catch (error) {
        if (!(error instanceof Refused) || !error.isFinal) throw error;
        codes.push(error.code);
        reason ||= error.message;
      }
    }
    const full = this.#takenBack(connection, session, granted);
    const kept = granted.filter(({ wish }) => !full.has(wish.filter));
    const answers = codes.map((code, at) => (full.has(wishes[at]?.filter ?? "") ? REASON.quota : code));
    if (full.size > 0) reason ||= tooMany().message;
    session.save();
    const processors = new Set(kept.flatMap((each) => each.processors.map((named) => named.id)));
    for (const processorId of processors) await this.#watch(processorId);
    connection.reply((said) => suback(connection.version, id, answers, said), reason);
    let left = MAX_RETAINED;
    for (const one of kept) left = await this.#sendRetained(session, holder, one, left);
    connection.pump();
  }

  /**
   * Keeps the subscriptions of a packet with the connection, at once: all those of the session are written each time.
   *
   * @returns the filters, of the last ones, that were taken back because there was no room for all
   */
  #takenBack(connection: Connection, session: Session, granted: readonly Granted[]): ReadonlySet<string> {
    const filters = new Set(granted.map(({ wish }) => wish.filter));
    const full = new Set<string>();
    for (const filter of [...filters].reverse()) {
      if (connection.attachSession()) return full;
      this.#unsubscribe(session, filter);
      full.add(filter);
    }
    if (full.size > 0) connection.attachSession();
    return full;
  }

  /** Handles UNSUBSCRIBE and answers it. */
  async unsubscribe(connection: Connection, { id, filters }: Unsubscribe): Promise<void> {
    const { session } = connection;
    if (session === undefined) return;
    const codes = filters.map((filter) => {
      if (this.#unsubscribe(session, filter)) return REASON.success;
      return filterFault(filter) === null ? REASON.noSubscription : REASON.badFilter;
    });
    session.save();
    connection.attachSession();
    connection.send(unsuback(connection.version, id, codes));
  }

  #unsubscribe(session: Session, filter: string): boolean {
    const heard = session.unsubscribe(filter);
    if (heard === undefined) return false;
    this.#index.remove(session, heard);
    return true;
  }

  /**
   * What filters ask for, and from which processors, found out with one query for all. @throws Refused when that is
   * impossible
   */
  async #meaningsOf(holder: Holder, wishes: readonly Wish[]): Promise<(Meaning | Refused)[]> {
    const asked = wishes.map(({ filter }) => askedBy(filter));
    const parts = asked.map((each) => (each instanceof Refused ? [] : partsOf(each)));
    const heard = (await this.#port().heard(holder, parts.flat())).values();
    return asked.map((each, at) => {
      // Consume all answers of this filter, so that the next filter gets its own.
      const found = (parts[at] ?? []).map(() => heard.next().value ?? []);
      if (each instanceof Refused) return each;
      const processors = new Map<string, Named>();
      for (const one of found) {
        if (one instanceof Refused) return one;
        for (const named of one) processors.set(named.id, named);
      }
      if (processors.size === 0) return new Refused(REASON.notAuthorized, "the key may not subscribe to this");
      return { asked: each, processors: [...processors.values()] };
    });
  }

  /** @throws Refused */
  #grant(
    session: Session,
    wish: Wish,
    subscriptionId: number | undefined,
    meaning: Meaning | Refused | undefined,
  ): Granted {
    const { filter, qos, isRetainAsPublished } = wish;
    assertRoom(session, filter);
    if (meaning === undefined || meaning instanceof Refused) throw meaning ?? new Error("a filter has no meaning");
    const isNew = !this.#unsubscribe(session, filter);
    const heard = session.subscribe({ filter, qos, isRetainAsPublished, subscriptionId });
    if (heard !== undefined) this.#index.add(session, heard);
    return { wish, isNew, ...meaning };
  }

  /**
   * Asks a processor for the wanted kinds of events, with one call at a time: none may overtake another.
   *
   * @param isRepeated whether a call has failed before; otherwise a processor that could not be asked is left to later
   */
  async #watch(processorId: string, isRepeated = false): Promise<void> {
    const before = this.#telling.get(processorId) ?? Promise.resolve();
    const own = before.then(() => this.#tellProcessor(processorId, isRepeated));
    const settled = own.catch(() => {});
    this.#telling.set(processorId, settled);
    try {
      await own;
    } finally {
      if (this.#telling.get(processorId) === settled) this.#telling.delete(processorId);
    }
  }

  async #tellProcessor(processorId: string, isRepeated: boolean): Promise<void> {
    if (this.#untold.has(processorId) && !isRepeated) return;
    const name = await this.#port().nameOf(processorId);
    const kinds = this.#wanted(processorId, name);
    const text = kinds.join(" ");
    if (this.#watched.get(processorId) === text) return;
    // Until the processor answers, what it knows is unclear.
    this.#watched.delete(processorId);
    try {
      await this.#setWanted(processorId, kinds);
      this.#watched.set(processorId, text);
      this.#untold.remove(processorId);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.error(`a processor could not be sent the subscriptions of MQTT clients: ${error.message}`);
      this.#untold.add(processorId);
    }
  }

  /**
   * Sets the kinds of events that are wanted from a processor. Calls are numbered by the time, so that one of a lost
   * life of this object that arrives late changes nothing. Where the clock of an earlier life was ahead, the processor
   * says so.
   */
  async #setWanted(processorId: string, kinds: readonly string[]): Promise<void> {
    for (let inForce = 0; ; ) {
      const revision = Math.max(Date.now(), this.#revision + 1, inForce + 1);
      this.#revision = revision;
      inForce = await this.#port().watch(processorId, kinds, revision);
      if (inForce <= revision) return;
    }
  }

  /** Asks the processors again that could not be asked. Never rejects. */
  async tellAgain(): Promise<void> {
    for (const processorId of this.#untold.due()) {
      try {
        // Subscriptions may name it. Without a name it was deleted, or the agent cannot be reached.
        if ((await this.#port().nameOf(processorId)) !== undefined) await this.#watch(processorId, true);
      } catch (error) {
        console.error(`a processor could not be sent the subscriptions of MQTT clients: ${error}`);
      }
    }
  }

  /** The kinds of events that clients want from a processor. */
  #wanted(processorId: string, name: string | undefined): string[] {
    const kinds = new Set<string>(this.#index.kindsOf(processorId, name));
    if (kinds.delete("forecast")) for (const kind of FORECAST_ANEW) kinds.add(kind);
    return [...kinds].sort();
  }

  /**
   * Receives events from a processor's memories.
   *
   * @returns the kinds of events that the endpoint wants from it
   */
  async tell(processorId: string, events: readonly ToldEvent[]): Promise<readonly string[]> {
    this.#sessions();
    const name = await this.#port().nameOf(processorId);
    const holders = new Map<string, Holder | undefined>();
    for (const { kind, session, text } of events) {
      const event = kind as EventName;
      await this.#spread({ processorId, name, session, event, text }, holders);
      if (
        FORECAST_ANEW.includes(event) &&
        this.#index.listenersTo({ processorId, name, session, event: "forecast" }).isAny
      ) {
        this.#forecastSoon(processorId, session);
      }
    }
    const wanted = this.#wanted(processorId, name);
    // The answer may be lost, so this does not say what the processor knows.
    if (this.#watched.get(processorId) !== wanted.join(" ")) this.#watched.delete(processorId);
    return wanted;
  }

  /** Gives an event to all sessions that want it. @param holders keys already checked, with their validity */
  async #spread(happened: Happened, holders: Map<string, Holder | undefined>): Promise<void> {
    const { processorId, session: memory, event, text } = happened;
    let payload: SharedPayload | undefined;
    const listeners = this.#index.listenersTo(happened);
    const sessions = listeners.sessions();
    const isShared = sessions.filter(({ isKept }) => isKept).length > 1;
    for (const session of sessions) {
      this.#given += text.length + (session.isKept ? STORED_BYTES : GIVEN_BYTES);
      if (this.#given > GIVEN_AT_ONCE) await this.#rest();
      const { keyRef } = session;
      if (!holders.has(keyRef)) holders.set(keyRef, await this.#validHolder(keyRef));
      const holder = holders.get(keyRef);
      if (holder === undefined || !this.#port().mayHear(holder, processorId, memory)) continue;
      const matching = matchesOf(listeners.heardBy(session), happened);
      const [first] = matching;
      // It may have ended or unsubscribed while others had their turn.
      if (first === undefined || session.isOver) continue;
      payload ??= new SharedPayload(encoder.encode(text), isShared);
      const isPublished = RETAINED.includes(event);
      const isRetained = isPublished && matching.some(({ heard }) => heard.isRetainAsPublished);
      this.#give(session, matching, { topic: first.topic, payload, isRetained });
    }
  }

  /** Leaves time for others. */
  #rest(): Promise<void> {
    this.#given = 0;
    return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  /** Gives a message to a session: directly, or through its queue. */
  #give(
    session: Session,
    matching: readonly Match[],
    message: { readonly topic: string; readonly payload: SharedPayload; readonly isRetained: boolean },
  ): void {
    const qos = Math.max(...matching.map(({ heard }) => heard.qos));
    const subscriptionIds = matching.flatMap(({ heard }) => heard.subscriptionId ?? []);
    const { connection, outbox } = session;
    if (qos === 0) {
      connection?.sendOnce({ ...message, payload: message.payload.bytes, subscriptionIds });
      return;
    }
    if (connection === undefined && !session.isKept) return;
    outbox.add({ ...message, qos: qos === 2 ? 2 : 1, subscriptionIds });
    connection?.pump();
    if (this.#queued.held > MAX_QUEUED_BYTES_OF_AGENT) this.#shorten();
  }

  /** Drops the oldest messages of the longest queues, if all queues together are too long. */
  #shorten(): void {
    const enough = SHORTENED_TO * MAX_QUEUED_BYTES_OF_AGENT;
    const queues = [...this.#sessions()].map(({ outbox }) => outbox).filter(({ held }) => held > 0);
    // Repeat, because bytes that one queue dropped may still be in another.
    while (this.#queued.held > enough && queues.some(({ size }) => size > 0)) {
      queues.sort((one, other) => other.held - one.held);
      // No queue is emptied for the sake of others: half of each suffices.
      for (const queue of queues) {
        const half = queue.held / 2;
        while (queue.held > half && this.#queued.held > enough) queue.drop();
      }
    }
  }

  async #validHolder(keyRef: string): Promise<Holder | undefined> {
    try {
      return await this.#port().holder(keyRef);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The validity of the key cannot be found out now: send nothing until it can.
      return undefined;
    }
  }

  async #holderOf({ keyRef }: Session): Promise<Holder> {
    const holder = await this.#port().holder(keyRef);
    if (holder === undefined) throw new Refused(REASON.notAuthorized, "the key is no longer valid");
    return holder;
  }

  /** Sends the forecast of a memory, once for all events until it is computed. */
  #forecastSoon(processorId: string, session: string): void {
    const key = JSON.stringify([processorId, session]);
    if (this.#forecasts.size >= MAX_FORECASTS && !this.#forecasts.has(key)) return;
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

  /**
   * Sends the retained messages of the memories that a filter matches. @returns for how many more memories they may be
   * sent
   */
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
    const topic = topicFor(heard, { processorId: id, name, session: memory, event });
    const text = topic === undefined ? undefined : await this.#retained(event, id, memory);
    if (topic === undefined || text === undefined) return;
    const payload = new SharedPayload(encoder.encode(text));
    this.#give(session, [{ heard, topic }], { topic, payload, isRetained: true });
  }

  async #memoriesOf(asked: EventFilter, id: string, name: string, most: number): Promise<string[]> {
    const memories: string[] = [];
    if (asked.own !== null && means(asked.own, id, name)) memories.push("");
    if (asked.sessions !== null && means(asked.sessions, id, name) && isRetainedIn(asked.sessions)) {
      const { session } = asked.sessions;
      memories.push(...(session === null ? await this.#sessionsOf(id, Math.max(1, most)) : [session]));
    }
    return memories.slice(0, Math.max(0, most));
  }

  #sessionsOf(id: string, most: number): Promise<readonly string[]> {
    return this.#sessionNames.to(JSON.stringify([id, most]), () => this.#port().sessions(id, most));
  }

  async #retained(event: EventName, processorId: string, session: string): Promise<string | undefined> {
    const port = this.#port();
    const ask = () =>
      event === "forecast" ? port.forecast(processorId, session) : port.incident(processorId, session);
    try {
      // Many clients may reconnect at once, all for the same messages.
      return await this.#latest.to(JSON.stringify([event, processorId, session]), ask);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // A processor on another server, or an unreachable one: nothing is retained for it.
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
    `a session may have ${MAX_SUBSCRIPTIONS} subscriptions, and ${MAX_FILTER_CHARACTERS} characters of filters`,
  );
}

/** @throws Refused when there is no room for another filter */
function assertRoom(session: Session, filter: string): void {
  const { subscriptions, filterCharacters } = session;
  if (subscriptions.has(filter)) return;
  if (subscriptions.size >= MAX_SUBSCRIPTIONS) throw tooMany();
  if (filterCharacters + filter.length > MAX_FILTER_CHARACTERS) throw tooMany();
  if (session.mayHear(filter)) return;
  throw new Refused(
    REASON.quota,
    "the clients of this key, or of all keys, have reached the maximum number of subscriptions",
  );
}

/** What a filter asks for, or why it is refused: it is malformed, or cannot match an event. */
function askedBy(filter: string): EventFilter | Refused {
  if (isShared(filter)) return new Refused(REASON.noSharedSubscriptions, "this server has no shared subscriptions");
  const fault = filterFault(filter);
  if (fault !== null) return new Refused(REASON.badFilter, fault);
  try {
    const asked = parseEventFilter(filter);
    if (asked !== null) return asked;
  } catch (error) {
    if (error instanceof TopicFault) return new Refused(REASON.badFilter, error.message);
    throw error;
  }
  return new Refused(
    REASON.badFilter,
    "a topic filter must match noema/<processor>[/sessions/<session>]/{observed|learned|surprise|forecast|incident}",
  );
}

/** The parts of a filter: for the processors' own memories, and for sessions. */
function partsOf({ own, sessions }: EventFilter): Asked[] {
  return [own, sessions].filter((part) => part !== null);
}

/** Whether a part of a filter matches a processor. */
function means({ processor }: Asked, id: string, name: string | undefined): boolean {
  return processor === null || processor === id || processor === name;
}

/** A subscription, and the topic under which it gets the event. */
interface Match {
  readonly heard: Heard;
  readonly topic: string;
}

/** The topic under which a subscription gets the event; `undefined` when it does not match. */
function topicFor({ asked }: Heard, { processorId, name, session, event }: Occasion): string | undefined {
  const part = session === "" ? asked.own : asked.sessions;
  if (part === null || !means(part, processorId, name) || !part.events.includes(event)) return undefined;
  if (part.session !== null && part.session !== session) return undefined;
  return eventTopic({ processor: part.processor ?? processorId, session: session === "" ? null : session }, event);
}

function matchesOf(heard: readonly Heard[], occasion: Occasion): Match[] {
  return heard.flatMap((each) => {
    const topic = topicFor(each, occasion);
    return topic === undefined ? [] : [{ heard: each, topic }];
  });
}
