/**
 * Routes: they turn messages of devices into records of memories. Checks a route, finds the one for a topic, and
 * creates its record. Pure: shared by the Worker's endpoint and the command line's bridge.
 */

import { nameRefusal } from "../text/chosen-names";
import { compareCodePoints } from "../text/code-points";
import { ACCEPTED_TIME_OR_TEXT, isTime, timeOfText } from "../text/event-time";
import { excerpt } from "../text/excerpt";
import { isJsonObject, type JsonObject, memberPath } from "../text/located";
import { nearestName } from "../text/nearest-name.mjs";
import { observationsOf, PayloadFault, payloadJson, payloadText } from "./payload";
import { filterFault, isShared, matchesFilter, OWN_LEVEL, type Place, placeFault } from "./topics";

/** Maximum number of routes of an agent: matching a message against all of them takes about 0.1 ms. */
export const MAX_ROUTES = 1_000;

/** Maximum size of all routes of an agent, in bytes as JSON, 1 MiB: the endpoint and a bridge hold them all. */
export const MAX_ROUTES_BYTES = 1_048_576;

/** Maximum number of members in each of `strings` and `numbers` of a route. */
export const MAX_ROUTE_MEMBERS = 100;

/** Maximum length of a route's topic filter, and of the text for its processor, in UTF-16 units. */
export const MAX_ROUTE_TEXT_UNITS = 1_000;

/** Turns messages into records of a memory. */
export interface Route {
  /** Its name. If several routes match a message, the first by name applies, in the order of bytes. */
  readonly name: string;
  /** The filter of its topics. */
  readonly topic: string;
  /** The id or name of the processor; `{1}` stands for the first level of the topic, and so on. */
  readonly processor: string;
  /** The session, with levels as in `processor`; absent for the processor's own memory. */
  readonly session?: string;
  /** The members of the payload that become symbols `member=value`. */
  readonly strings: readonly string[];
  /** The members of the payload that become numbers of the member's name. */
  readonly numbers: readonly string[];
  /** The member with the time of the event. */
  readonly time?: string;
  /** Whether to learn after each record. */
  readonly learn: boolean;
}

/** The result of routing a message. */
export interface RoutedRecord {
  /** The memory. The processor may not exist. */
  readonly place: Place;
  /** A GDF. */
  readonly record: JsonObject;
  /** Whether to learn after it. */
  readonly learn: boolean;
}

/** A wrong route, or a message that a route cannot turn into a record. Its message says why, and what is accepted. */
export class RouteFault extends Error {
  override readonly name = "RouteFault";
}

/** The members of a route in PUT. */
const MEMBERS = ["topic", "processor", "session", "strings", "numbers", "time", "learn"];

/** The placeholder of a level: `{1}`. */
const LEVEL = /\{(\d{1,9})\}/g;

/**
 * Reads a route in the form of PUT: `{topic, processor, session?, strings?, numbers?, time?, learn = false}`.
 *
 * @param name its name
 * @param value its parsed JSON
 * @param path the path of the value in messages; empty if it is the whole text
 * @throws RouteFault naming the wrong member and what is accepted
 */
export function readRoute(name: string, value: unknown, path = "data"): Route {
  const refusal = nameRefusal(name);
  if (refusal !== undefined) throw new RouteFault(`the name of a route must be ${refusal}, got ${excerpt(name)}`);
  const data = { value, path };
  if (!isJsonObject(value)) throw wrong(data, 'an object such as {"topic": "sensors/+", "processor": "P1"}');
  refuseUnknown(value, path);
  const at = (member: string) => ({ value: value[member], path: memberPath(path, member) });
  const topic = filterAt(at("topic"));
  const session = value.session === undefined ? undefined : sessionAt(at("session"), topic);
  const strings = membersAt(at("strings"));
  const numbers = membersAt(at("numbers"));
  return {
    name,
    topic,
    processor: placeTextAt(at("processor"), topic),
    ...(session !== undefined && { session }),
    strings,
    numbers,
    ...(value.time !== undefined && { time: memberNameAt(at("time")) }),
    learn: value.learn === undefined ? false : flagAt(at("learn")),
  };
}

/** A route in the form of GET and PUT: without its name. */
export function routeData({ name: _, ...data }: Route): JsonObject {
  return data;
}

/** A value of a route, and its path in messages. */
interface At {
  readonly value: unknown;
  readonly path: string;
}

function wrong({ value, path }: At, accepted: string): RouteFault {
  const got = value === undefined ? "nothing" : excerpt(value);
  return new RouteFault(`${path === "" ? "the route" : path} must be ${accepted}, got ${got}`);
}

function refuseUnknown(route: JsonObject, path: string): void {
  const unknown = Object.keys(route).find((member) => !MEMBERS.includes(member));
  if (unknown === undefined) return;
  const near = nearestName(unknown, MEMBERS);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new RouteFault(`${memberPath(path, unknown)} is unknown (accepted: ${MEMBERS.join(", ")})${hint}`);
}

function filterAt(at: At): string {
  const { value, path } = at;
  if (typeof value !== "string") throw wrong(at, 'a topic filter such as "sensors/+"');
  if (value.length > MAX_ROUTE_TEXT_UNITS)
    throw wrong(at, `a topic filter of at most ${MAX_ROUTE_TEXT_UNITS} characters`);
  const fault = filterFault(value);
  if (fault !== null) throw new RouteFault(`${path} cannot be a topic filter: ${fault}`);
  if (isShared(value)) throw wrong(at, "a topic filter that does not begin with $share/");
  if (value === OWN_LEVEL || value.startsWith(`${OWN_LEVEL}/`)) {
    throw wrong(at, `a filter of other topics than ${OWN_LEVEL}/..., which are Noema's own and never routed`);
  }
  return value;
}

/** The text of a processor or a session. Every topic that matches the filter must have a level for each `{n}`. */
function placeTextAt(at: At, filter: string): string {
  const { value, path } = at;
  if (typeof value !== "string" || value === "") throw wrong(at, "a string that is not empty, in which {1} is a level");
  if (value.length > MAX_ROUTE_TEXT_UNITS) throw wrong(at, `a string of at most ${MAX_ROUTE_TEXT_UNITS} characters`);
  const levels = filter.split("/");
  const isOpen = levels.at(-1) === "#";
  for (const [written, digits] of value.matchAll(LEVEL)) {
    const level = Number(digits);
    if (level >= 1 && (isOpen || level <= levels.length)) continue;
    const accepted = isOpen ? "from {1}" : `from {1} to {${levels.length}}`;
    throw new RouteFault(`${path} has ${written}, and the levels of ${excerpt(filter)} count ${accepted}`);
  }
  return value;
}

/** The text of a session, which must be a valid name both before and after its placeholders are filled. */
function sessionAt(at: At, filter: string): string {
  const refusal = typeof at.value === "string" ? nameRefusal(at.value) : undefined;
  if (refusal !== undefined) throw wrong(at, refusal);
  return placeTextAt(at, filter);
}

function membersAt(at: At): string[] {
  const { value, path } = at;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong(at, "a list of members of the payload");
  if (value.length > MAX_ROUTE_MEMBERS) {
    throw new RouteFault(`${path} may have ${MAX_ROUTE_MEMBERS} members, got ${value.length}`);
  }
  const members = value.map((member, place) => memberNameAt({ value: member, path: `${path}[${place}]` }));
  return [...new Set(members)];
}

/** The path of a member. Numbers have encoders with this name, so it must be a valid encoder's name. */
function memberNameAt(at: At): string {
  const { value } = at;
  if (typeof value !== "string")
    throw wrong(at, 'a member of the payload, such as "state", "a.b", or "" for all of it');
  const refusal = value === "" ? undefined : nameRefusal(value);
  if (refusal !== undefined) throw wrong(at, `"", or ${refusal}`);
  return value;
}

function flagAt(at: At): boolean {
  if (typeof at.value !== "boolean") throw wrong(at, "true or false");
  return at.value;
}

/** Whether a topic is one of Noema's own, which routes never match. */
export function isOwnTopic(topic: string): boolean {
  return topic === OWN_LEVEL || topic.startsWith(`${OWN_LEVEL}/`);
}

/**
 * The route for a topic: the first matching one by name, in the order of bytes. None for Noema's own topics.
 *
 * @param routes in any order
 * @returns `null` if no route matches
 */
export function routeOf(routes: readonly Route[], topic: string): Route | null {
  if (isOwnTopic(topic)) return null;
  let first: Route | null = null;
  for (const route of routes) {
    if (!matchesFilter(route.topic, topic)) continue;
    if (first === null || compareCodePoints(route.name, first.name) < 0) first = route;
  }
  return first;
}

/**
 * The record that a route creates from a message, and its memory. A route with neither strings nor numbers uses the
 * payload as the record: a GDF, or text as one string. Members that are absent, or null, are skipped.
 *
 * @param topic one that the route's filter matches
 * @param called what refusals call the route, without an article
 * @throws RouteFault when the topic does not lead to a memory, or a value of the payload has the wrong type for the
 *   route
 */
export function recordOf(
  route: Route,
  topic: string,
  payload: Uint8Array,
  called = `route ${excerpt(route.name)}`,
): RoutedRecord {
  const place = placeIn(route, topic, called);
  try {
    const record = route.strings.length + route.numbers.length === 0 ? wholeOf(payload) : {};
    return { place, record: { ...record, ...partsOf(route, payload) }, learn: route.learn };
  } catch (error) {
    if (error instanceof PayloadFault) throw new RouteFault(`${error.message} (${called})`);
    throw error;
  }
}

function placeIn({ processor, session }: Route, topic: string, called: string): Place {
  const levels = topic.split("/");
  const filled = (text: string) =>
    text.replaceAll(LEVEL, (written, digits) => {
      const level = levels[Number(digits) - 1];
      if (level !== undefined) return level;
      throw new RouteFault(
        `the ${called} takes the level ${written} of the topic; of levels ${excerpt(topic)} has ${levels.length}`,
      );
    });
  const place = { processor: filled(processor), session: session === undefined ? null : filled(session) };
  const fault = placeFault(place);
  if (fault === null) return place;
  throw new RouteFault(`${fault}, by the ${called} from the topic ${excerpt(topic)}`);
}

/** The payload as a single record. */
function wholeOf(payload: Uint8Array): JsonObject {
  const [record, ...others] = observationsOf(payload);
  if (record !== undefined && others.length === 0) return record;
  throw new PayloadFault(`the payload must be one GDF or text, got a list of ${others.length + (record ? 1 : 0)} GDFs`);
}

/** The symbols, numbers and time that a route selects from a payload. */
function partsOf(route: Route, payload: Uint8Array): JsonObject {
  const text = payloadText(payload);
  const value = contentOf(text, route);
  const isPicked = route.strings.length + route.numbers.length > 0;
  const strings = route.strings.flatMap((member) => symbolOf(memberAt(value, member), member));
  const numbers = route.numbers.flatMap((member) => numberOf(memberAt(value, member), member, route.name));
  const time = route.time === undefined ? undefined : timeAt(memberAt(value, route.time), route.time);
  return {
    ...(isPicked && { strings }),
    // From entries, because a member may be called __proto__.
    ...(numbers.length > 0 && { numbers: Object.fromEntries(numbers) }),
    ...(time !== undefined && { time }),
  };
}

/** The payload as JSON, or as plain text if the route uses all of it. */
function contentOf(text: string, { strings, numbers, time }: Route): unknown {
  const members = [...strings, ...numbers, ...(time === undefined ? [] : [time])];
  if (members.length === 0) return undefined;
  const value = payloadJson(text);
  const takesAll = members.includes("") || strings.length + numbers.length === 0;
  if (isJsonObject(value) || takesAll) return value === undefined ? text : value;
  throw new PayloadFault(`the payload must be a JSON object, got ${excerpt(text)}`);
}

/**
 * A member of a value.
 *
 * @param member its name, or the names on the path to it, separated by dots; empty for the value itself
 * @returns `undefined` if it is absent or null
 */
function memberAt(value: unknown, member: string): unknown {
  if (member === "") return value ?? undefined;
  if (isJsonObject(value) && Object.hasOwn(value, member)) return value[member] ?? undefined;
  let inner = value;
  for (const name of member.split(".")) {
    if (!isJsonObject(inner) || !Object.hasOwn(inner, name)) return undefined;
    inner = inner[name];
  }
  return inner ?? undefined;
}

function symbolOf(value: unknown, member: string): string[] {
  if (value === undefined) return [];
  const isText = typeof value === "string" || typeof value === "boolean";
  if (isText || (typeof value === "number" && Number.isFinite(value))) return [`${member}=${value}`];
  throw notTaken(member, "a string, a number, true or false, to be a symbol", value);
}

/** A number with the name of its encoder: the member's, or the route's if it is the whole payload. */
function numberOf(value: unknown, member: string, route: string): [string, number][] {
  if (value === undefined) return [];
  if (typeof value === "number" && Number.isFinite(value)) return [[member === "" ? route : member, value]];
  throw notTaken(member, "a number", value);
}

function timeAt(value: unknown, member: string): number | undefined {
  if (value === undefined) return undefined;
  const time = typeof value === "string" ? timeOfText(value) : value;
  if (isTime(time)) return time;
  throw notTaken(member, ACCEPTED_TIME_OR_TEXT, value);
}

function notTaken(member: string, accepted: string, value: unknown): PayloadFault {
  const what = member === "" ? "the payload" : `the payload's member ${excerpt(member)}`;
  return new PayloadFault(`${what} must be ${accepted}, got ${excerpt(value)}`);
}
