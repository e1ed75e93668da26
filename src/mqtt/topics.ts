/**
 * Topics and topic filters of MQTT, and Noema's own topics: `noema/<processor>[/sessions/<session>]/<verb or event>`,
 * in which `/`, `+`, `#` and `%` of names are percent-encoded. Knows no packet and no connection.
 */

import { nameRefusal } from "../text/chosen-names";
import { excerpt } from "../text/excerpt";

/** A memory, named by a topic or a route. */
export interface Place {
  /** The id or the name of a processor. */
  readonly processor: string;
  /** The name of a session; `null` for the processor's own memory. */
  readonly session: string | null;
}

/** The effect of a message to one of Noema's topics. */
export type PublishVerb = "observe" | "learn" | "clear";

/** The events that clients can subscribe to. */
export type EventName = "observed" | "learned" | "surprise" | "forecast" | "incident";

/** All effects of publishing. */
export const PUBLISH_VERBS: readonly PublishVerb[] = ["observe", "learn", "clear"];

/** All events that clients can subscribe to. */
export const EVENT_NAMES: readonly EventName[] = ["observed", "learned", "surprise", "forecast", "incident"];

/**
 * Maximum length of a topic, and of a filter, in bytes of UTF-8: packets store the length in two bytes (MQTT 3.1.1,
 * 1.5.3).
 */
export const MAX_TOPIC_BYTES = 65_535;

/** The first level of Noema's own topics. Routes never match a topic that begins with it. */
export const OWN_LEVEL = "noema";

/** Prefix of the filters of shared subscriptions. */
const SHARED = "$share/";

/** The level before the name of a session. */
const SESSIONS = "sessions";

/** Levels of a topic about a processor's own memory. */
const OWN_LEVELS = 3;

/** Levels of a topic about a session. */
const SESSION_LEVELS = 5;

/** U+0000 and lone surrogates, which MQTT texts may not contain (MQTT 3.1.1, 1.5.3). */
const FORBIDDEN_CHARACTERS = /\0|\p{Cs}/u;

const encoder = new TextEncoder();

/** A wrong topic or filter. Its message names the value and what is accepted. */
export class TopicFault extends Error {
  override readonly name = "TopicFault";
}

/**
 * Why a text cannot be the topic of a message.
 *
 * @returns a sentence that names the topic; `null` if it can
 */
export function topicFault(topic: string): string | null {
  const fault = textFault("the topic", topic);
  if (fault !== null) return fault;
  return /[+#]/.test(topic) ? `the topic of a message must have no + and no #, got ${excerpt(topic)}` : null;
}

/**
 * Why a text cannot be a topic filter.
 *
 * @returns a sentence that names the filter; `null` if it can
 */
export function filterFault(filter: string): string | null {
  const fault = textFault("the topic filter", filter);
  if (fault !== null) return fault;
  const levels = filter.split("/");
  const wrong = levels.find(
    (level, at) => /[+#]/.test(level) && level !== "+" && (level !== "#" || at !== levels.length - 1),
  );
  if (wrong === undefined) return null;
  const accepted = "+ must stand alone between slashes, and # alone at the end";
  return `${accepted}, got ${excerpt(wrong)} in the topic filter ${excerpt(filter)}`;
}

/** Whether a filter is one of a shared subscription, `$share/…`. */
export function isShared(filter: string): boolean {
  return filter.startsWith(SHARED);
}

function textFault(what: string, text: string): string | null {
  if (text === "") return `${what} must not be empty`;
  const bytes = text.length > MAX_TOPIC_BYTES ? text.length : encoder.encode(text).length;
  if (bytes > MAX_TOPIC_BYTES) return `${what} must have at most ${MAX_TOPIC_BYTES} bytes, got ${bytes} or more`;
  if (FORBIDDEN_CHARACTERS.test(text)) return `${what} must be UTF-8 text without U+0000, got ${excerpt(text)}`;
  return null;
}

/**
 * Whether a filter matches a topic (MQTT 3.1.1, 4.7): `+` is one level, `#` at the end any number of remaining levels,
 * and neither matches a first level that begins with `$`. One pass over both, without allocation.
 *
 * @param filter one that {@link filterFault} accepts
 * @param topic one that {@link topicFault} accepts
 */
export function matchesFilter(filter: string, topic: string): boolean {
  if (topic.startsWith("$") && !filter.startsWith("$")) return false;
  let at = 0;
  let read = 0;
  while (read < filter.length) {
    const unit = filter[read];
    if (unit === "#") return true;
    if (unit === "+") {
      const slash = topic.indexOf("/", at);
      at = slash < 0 ? topic.length : slash;
      read += 1;
    } else if (unit === topic[at]) {
      at += 1;
      read += 1;
    } else {
      // `a/#` also matches `a`.
      return at === topic.length && filter.endsWith("/#") && read === filter.length - 2;
    }
  }
  return at === topic.length;
}

/**
 * The effect of a message to one of Noema's own topics.
 *
 * @param topic one that {@link topicFault} accepts
 * @returns `null` if it does not have the form `noema/<processor>[/sessions/<session>]/{observe|learn|clear}`
 * @throws TopicFault when a level is not percent-encoded UTF-8, or no processor or session can have the name
 */
export function parsePublishTopic(topic: string): { readonly place: Place; readonly verb: PublishVerb } | null {
  const levels = topic.split("/");
  const [first, processor = "", sessions, session = ""] = levels;
  const verb = PUBLISH_VERBS.find((known) => known === levels.at(-1));
  if (first !== OWN_LEVEL || verb === undefined) return null;
  if (levels.length === OWN_LEVELS) return { place: placeOf(processor, null, topic), verb };
  if (levels.length !== SESSION_LEVELS || sessions !== SESSIONS) return null;
  return { place: placeOf(processor, session, topic), verb };
}

function placeOf(processor: string, session: string | null, topic: string): Place {
  const place = { processor: decoded(processor, topic), session: session === null ? null : decoded(session, topic) };
  const fault = placeFault(place);
  if (fault !== null) throw new TopicFault(`${fault} in the topic ${excerpt(topic)}`);
  return place;
}

/**
 * Why a memory cannot have these names.
 *
 * @returns the beginning of a sentence that names the wrong one and what is accepted; `null` if it can
 */
export function placeFault({ processor, session }: Place): string | null {
  if (processor === "") return "the processor must have a name, got an empty one";
  const refusal = session === null ? undefined : nameRefusal(session);
  return refusal === undefined ? null : `the session must be ${refusal}, got ${excerpt(session)}`;
}

function decoded(level: string, topic: string): string {
  if (!level.includes("%")) return level;
  try {
    return decodeURIComponent(level);
  } catch {
    // The only possible error: an escape is cut short or is not UTF-8.
    throw new TopicFault(
      `the levels of a topic of Noema must be percent-encoded UTF-8 (%25 for a percent sign), got ${excerpt(level)} ` +
        `in the topic ${excerpt(topic)}`,
    );
  }
}

/** Characters that a level of a topic must encode. */
const ENCODED = /[/+#%]/g;

/** A name as a level of a topic: `/`, `+`, `#` and `%` are percent-encoded, nothing else is. */
export function topicLevel(name: string): string {
  return name.replace(ENCODED, (character) => encodeURIComponent(character));
}

/** The topic of a memory's events, as Noema writes it: `noema/P1/sessions/press-7/surprise`. */
export function eventTopic({ processor, session }: Place, event: EventName): string {
  const memory = session === null ? [] : [SESSIONS, topicLevel(session)];
  return [OWN_LEVEL, topicLevel(processor), ...memory, event].join("/");
}

/** What a filter asks for from one kind of memories: processors' own ones, or sessions. */
export interface Asked {
  /** The id or name of the processor; `null` for all. */
  readonly processor: string | null;
  /** The session; `null` for all. Always `null` for own memories. */
  readonly session: string | null;
  /** The events, in the order of {@link EVENT_NAMES}; one or all. */
  readonly events: readonly EventName[];
}

/** The events of Noema that a topic filter matches. */
export interface EventFilter {
  /** Events of processors' own memories; `null` for none. */
  readonly own: Asked | null;
  /** Events of sessions; `null` for none. */
  readonly sessions: Asked | null;
}

/**
 * The events that a filter asks for: `noema/P1/surprise`, `noema/P1/sessions/+/incident`, `noema/#`. Levels are
 * compared after percent-decoding, so a name may be encoded more than necessary.
 *
 * @param filter one that {@link filterFault} accepts
 * @returns `null` if it matches no event
 * @throws TopicFault when a level is not percent-encoded UTF-8
 */
export function parseEventFilter(filter: string): EventFilter | null {
  const levels = filter.split("/");
  const own = aligned(levels, [OWN_LEVEL, null, null], filter);
  const inside = aligned(levels, [OWN_LEVEL, null, SESSIONS, null, null], filter);
  const asked = {
    own: own && askedOf(own[1], null, own[2]),
    sessions: inside && askedOf(inside[1], inside[3], inside[4]),
  };
  return asked.own === null && asked.sessions === null ? null : asked;
}

/**
 * The levels of a topic that a filter and a form of topics agree on.
 *
 * @param form the levels of the topics; `null` for any name
 * @returns each level, `null` if both leave it open; `null` if no topic of the form matches the filter
 */
function aligned(
  levels: readonly string[],
  form: readonly (string | null)[],
  filter: string,
): (string | null)[] | null {
  const isOpen = levels.at(-1) === "#";
  const given = isOpen ? levels.slice(0, -1) : levels;
  if (given.length > form.length || (given.length < form.length && !isOpen)) return null;
  const both: (string | null)[] = [];
  for (const [at, fixed] of form.entries()) {
    const level = given[at];
    const wanted = level === undefined || level === "+" ? null : level;
    if (fixed !== null && wanted !== null && wanted !== fixed) return null;
    both.push(fixed ?? (wanted === null ? null : decoded(wanted, filter)));
  }
  return both;
}

function askedOf(
  processor: string | null = null,
  session: string | null = null,
  event: string | null = null,
): Asked | null {
  const events = event === null ? EVENT_NAMES : EVENT_NAMES.filter((known) => known === event);
  return events.length === 0 ? null : { processor, session, events };
}
