/**
 * Finds the sessions that want an event without examining the others. Indexes subscriptions by processor, session and
 * event, each of them a name or any.
 */

import { type Asked, EVENT_NAMES, type EventName } from "../../mqtt/topics";
import type { Heard, Session } from "./session";

/** An event, and the memory in which it happens. */
export interface Occasion {
  readonly processorId: string;
  /** Its name; `undefined` if unknown. */
  readonly name: string | undefined;
  /** Empty for the processor's own memory. */
  readonly session: string;
  readonly event: EventName;
}

/** The sessions that want an event. */
export class Listeners {
  readonly #places: readonly ReadonlyMap<Session, readonly Heard[]>[];

  /** @param places the matching subscriptions; later removals from them take effect here */
  constructor(places: readonly ReadonlyMap<Session, readonly Heard[]>[]) {
    this.#places = places;
  }

  /** Whether there is any. */
  get isAny(): boolean {
    return this.#places.length > 0;
  }

  /** The sessions. */
  sessions(): Session[] {
    const sessions = new Set<Session>();
    for (const place of this.#places) for (const session of place.keys()) sessions.add(session);
    return [...sessions];
  }

  /** The subscriptions of a session that match the event, in the order of subscribing. */
  heardBy(session: Session): Heard[] {
    const heard = this.#places.flatMap((place) => place.get(session) ?? []);
    return heard.length > 1 ? heard.sort((one, other) => one.order - other.order) : heard;
  }
}

/** The subscriptions of all sessions. */
export class SubscriptionIndex {
  readonly #places = new Map<string, Map<Session, Heard[]>>();
  /** Number of subscriptions for each kind of event, by processor. */
  readonly #kinds = new Map<string, Map<EventName, number>>();

  /** Adds all subscriptions of a session. */
  join(session: Session): void {
    for (const heard of session.subscriptions.values()) this.add(session, heard);
  }

  /** Removes them. */
  leave(session: Session): void {
    for (const heard of session.subscriptions.values()) this.remove(session, heard);
  }

  /** Adds a subscription that is not present. */
  add(session: Session, heard: Heard): void {
    for (const place of placesOf(heard)) {
      let sessions = this.#places.get(place);
      if (sessions === undefined) {
        sessions = new Map();
        this.#places.set(place, sessions);
      }
      const own = sessions.get(session);
      if (own === undefined) sessions.set(session, [heard]);
      else own.push(heard);
    }
    this.#count(heard, 1);
  }

  /** Removes a subscription that is present. */
  remove(session: Session, heard: Heard): void {
    for (const place of placesOf(heard)) {
      const sessions = this.#places.get(place);
      const own = sessions?.get(session);
      if (sessions === undefined || own === undefined) continue;
      const at = own.indexOf(heard);
      if (at >= 0) own.splice(at, 1);
      if (own.length === 0) sessions.delete(session);
      if (sessions.size === 0) this.#places.delete(place);
    }
    this.#count(heard, -1);
  }

  /** The sessions that want an event. */
  listenersTo(occasion: Occasion): Listeners {
    return new Listeners(placesFor(occasion).flatMap((place) => this.#places.get(place) ?? []));
  }

  /** The kinds of events that sessions want from a processor, sorted. */
  kindsOf(processorId: string, name: string | undefined): EventName[] {
    const asked = processorsFor({ processorId, name }).map((processor) => this.#kinds.get(levelOf(processor)));
    return EVENT_NAMES.filter((event) => asked.some((kinds) => (kinds?.get(event) ?? 0) > 0)).sort();
  }

  #count({ asked }: Heard, by: 1 | -1): void {
    for (const part of [asked.own, asked.sessions]) {
      if (part === null) continue;
      const level = levelOf(part.processor);
      const kinds = this.#kinds.get(level) ?? new Map<EventName, number>();
      this.#kinds.set(level, kinds);
      for (const event of part.events) {
        const count = (kinds.get(event) ?? 0) + by;
        if (count === 0) kinds.delete(event);
        else kinds.set(event, count);
      }
      if (kinds.size === 0) this.#kinds.delete(level);
    }
  }
}

/** A name, or any, as one level of a place. */
function levelOf(name: string | null): string {
  return name === null ? "*" : `=${name}`;
}

function placeOf(isOwn: boolean, processor: string | null, session: string | null, event: string | null): string {
  return JSON.stringify([isOwn ? 0 : 1, processor, session, event]);
}

/** The places of a subscription: at most one for own memories, and one for sessions. */
function placesOf({ asked }: Heard): string[] {
  const place = (part: Asked | null, isOwn: boolean) =>
    part === null ? [] : [placeOf(isOwn, part.processor, part.session, part.events.length > 1 ? null : eventOf(part))];
  return [...place(asked.own, true), ...place(asked.sessions, false)];
}

function eventOf({ events }: Asked): EventName | null {
  return events[0] ?? null;
}

/** The places of subscriptions that match an event. */
function placesFor({ processorId, name, session, event }: Occasion): string[] {
  const isOwn = session === "";
  const sessions = isOwn ? [null] : [null, session];
  return processorsFor({ processorId, name }).flatMap((processor) =>
    sessions.flatMap((each) => [placeOf(isOwn, processor, each, event), placeOf(isOwn, processor, each, null)]),
  );
}

/** The names by which subscriptions may refer to a processor. */
function processorsFor({ processorId, name }: Pick<Occasion, "processorId" | "name">): (string | null)[] {
  const named = name === undefined || name === processorId ? [] : [name];
  return [null, processorId, ...named];
}
