/** The memory that evidence is about: the current one, or one in the URL, so that the evidence does not change. */

import type { Schemas } from "../../client";
import { linkTo, place } from "../place";

/** Events, oldest first. */
type Events = readonly (readonly string[])[];

/** The parameter of the URL that holds a memory, as JSON. */
const AFTER = "after";

/** Maximum length of a memory in a URL, in characters. */
const MAX_CHARACTERS = 4_000;

/** The memory in the URL; `undefined` for the current one. */
export function momentOf({ after }: { readonly [name: string]: string | undefined }): Schemas.Sequence | undefined {
  if (after === undefined) return undefined;
  try {
    const events: unknown = JSON.parse(after);
    return isSequence(events) ? events : undefined;
  } catch {
    return undefined;
  }
}

/** The event in the URL; `undefined` for the newest in memory. */
export function eventOf({ event }: { readonly [name: string]: string | undefined }): readonly string[] | undefined {
  return event === undefined ? undefined : momentOf({ after: `[${event}]` })?.[0];
}

function isSequence(value: unknown): value is Schemas.Sequence {
  return Array.isArray(value) && value.every((event) => Array.isArray(event) && event.every(isString));
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** The URL parameters that hold a memory; none if it is too long. */
export function keeping(events: Events): { readonly after?: string } {
  // Each symbol takes three characters or more.
  if (events.reduce((sum, { length }) => sum + 3 * length, 0) > MAX_CHARACTERS) return {};
  const text = JSON.stringify(events);
  return text.length > MAX_CHARACTERS ? {} : { [AFTER]: text };
}

/** The URL parameters that identify the memory: the memory itself, or its {@link digest} if it is too long. */
export function meaning(events: Events): { readonly after?: string; readonly of?: string } {
  const kept = keeping(events);
  return AFTER in kept ? kept : { of: digest(events) };
}

/** Number of events that a forecast considers. */
export const MAX_BEFORE = 10;

/** Number of newest events that the digest covers. */
const MAX_DIGESTED = 100;

/** A short text that shows whether a memory has changed: its number of events, and a hash (FNV-1a) of the newest. */
export function digest(events: Events): string {
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify(events.slice(-MAX_DIGESTED))) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  }
  return `${events.length}-${(hash >>> 0).toString(36)}`;
}

/** A link from evidence about the current memory to the same evidence with the memory in the URL. */
export function keptLink(events: Events): string | undefined {
  const kept = keeping(events);
  return AFTER in kept ? linkTo({ query: { ...place.value.query, of: undefined, ...kept } }) : undefined;
}
