/** The memory that a piece of evidence is about: that of now, or one that the URL holds, so that the evidence stays what it is. */

import type { Schemas } from "../../client";
import { linkTo, place } from "../place";

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
export function keeping(events: readonly (readonly string[])[]): { readonly after?: string } {
  const text = JSON.stringify(events);
  return text.length > MOST_CHARACTERS ? {} : { [AFTER]: text };
}

/** A link from evidence about the memory of now to the same, kept. */
export function keptLink(events: readonly (readonly string[])[]): string | undefined {
  const kept = keeping(events);
  return AFTER in kept ? linkTo({ query: { ...place.value.query, ...kept } }) : undefined;
}
