/**
 * Where the platform keeps an object: its places, and the variables that place the objects of a deployment. An object
 * stays where it was first accessed.
 */

import { excerpt } from "./excerpt";

/** Where an object is to live. */
export interface Place {
  /** The region near which the platform creates the object on first access; empty for near the caller. */
  readonly locationHint: string;
  /** The jurisdiction that the object's data never leaves; empty for none. It is part of the object's identity. */
  readonly jurisdiction: string;
}

/** The place of an object without a configured place. */
export const ANYWHERE: Place = { locationHint: "", jurisdiction: "" };

/** The regions that the platform accepts as a hint. It silently ignores any other word. */
export const LOCATION_HINTS: readonly string[] = ["afr", "apac", "eeur", "enam", "me", "oc", "sam", "weur", "wnam"];

/** The platform's jurisdictions. */
export const JURISDICTIONS: readonly string[] = ["eu", "fedramp", "fedramp-high", "us"];

/** The variables that place a deployment's objects. One that is not set may be absent, null or empty. */
export interface PlacementEnv {
  /** The region for agents, and for processors without a hint of their own if the first caller is a client. */
  readonly NOEMA_LOCATION_HINT?: string | null;
  /** The jurisdiction of every agent, and of every processor. */
  readonly NOEMA_JURISDICTION?: string | null;
}

/** Whether two places are the same. */
export function isSamePlace(a: Place, b: Place): boolean {
  return a.locationHint === b.locationHint && a.jurisdiction === b.jurisdiction;
}

/** Which variable has a wrong value, in a sentence; `undefined` when none has. */
export function wrongPlacement(env: PlacementEnv): string | undefined {
  const { NOEMA_LOCATION_HINT: hint, NOEMA_JURISDICTION: jurisdiction } = env;
  if (hint && !LOCATION_HINTS.includes(hint)) return wrongVariable("NOEMA_LOCATION_HINT", hint, LOCATION_HINTS);
  if (jurisdiction && !JURISDICTIONS.includes(jurisdiction))
    return wrongVariable("NOEMA_JURISDICTION", jurisdiction, JURISDICTIONS);
  return undefined;
}

function wrongVariable(name: string, value: string, accepted: readonly string[]): string {
  return `the variable ${name} is ${excerpt(value)}; it must be one of ${accepted.join(", ")}`;
}
