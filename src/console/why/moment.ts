/**
 * The memory that a piece of evidence is about: that of now, or one that the URL holds, so that the evidence stays what
 * it is.
 */

import type { Schemas } from "../../client";
import { linkTo, place } from "../place";

/** Events, oldest first. */
type Events = readonly (readonly string[])[];

/** The parameter of the URL that holds a memory, as JSON. */
const AFTER = "after";

/** A longer memory does not go into a URL. */
const MOST_CHARACTERS = 4_000;

/** The memory in the URL; `undefined`: that of now. */
export function momentOf({ after }: { readonly [name: string]: string | undefined }): Schemas.Sequence | undefined {
  if (after === undefined) return undefined;
  try {
    const events: unknown = JSON.parse(after);
    return isSequence(events) ? events : undefined;
  } catch {
    return undefined;
  }
}

/** The event in the URL; `undefined`: the newest of the memory. */
export function eventOf({ event }: { readonly [name: string]: string | undefined }): readonly string[] | undefined {
  return event === undefined ? undefined : momentOf({ after: `[${event}]` })?.[0];
}

function isSequence(value: unknown): value is Schemas.Sequence {
  return Array.isArray(value) && value.every((event) => Array.isArray(event) && event.every(isString));
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** The parameters of a URL that hold a memory; none where it is too long. */
export function keeping(events: Events): { readonly after?: string } {
  // Each symbol takes three characters or more.
  if (events.reduce((sum, { length }) => sum + 3 * length, 0) > MOST_CHARACTERS) return {};
  const text = JSON.stringify(events);
  return text.length > MOST_CHARACTERS ? {} : { [AFTER]: text };
}

/**
 * The parameters of a URL that say which memory it was made for: the memory itself, or where that is too long, its
 * {@link digest}.
 */
export function meaning(events: Events): { readonly after?: string; readonly of?: string } {
  const kept = keeping(events);
  return AFTER in kept ? kept : { of: digest(events) };
}

/** A forecast takes no more events into account. */
export const MOST_BEFORE = 10;

/** Number of the newest events by which one memory is told from another. */
const MOST_DIGESTED = 100;

/**
 * A few letters by which one sees whether a memory is another one: how many events it has, and a hash (FNV-1a) of the
 * newest.
 */
export function digest(events: Events): string {
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify(events.slice(-MOST_DIGESTED))) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  }
  return `${events.length}-${(hash >>> 0).toString(36)}`;
}

/** A link from evidence about the memory of now to the same, kept. */
export function keptLink(events: Events): string | undefined {
  const kept = keeping(events);
  return AFTER in kept ? linkTo({ query: { ...place.value.query, of: undefined, ...kept } }) : undefined;
}
