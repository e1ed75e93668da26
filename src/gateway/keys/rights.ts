/**
 * The rights of a key, and the refusals of everything else. A key with all rights is checked without work. Knows no
 * header and no secret.
 */

import { excerpt } from "../../text/excerpt";
import { Refusal } from "../refusal";
import type { Role } from "./role";

/** The rights of a key. */
export interface Rights {
  /** The identifier of the key; empty for a configured key. */
  readonly keyId: string;
  readonly roles: readonly Role[];
  /** The identifiers of the only processors that it opens; `undefined` for all. */
  readonly processors?: readonly string[] | undefined;
  /**
   * The only sessions that it opens: names, or prefixes followed by an asterisk; `undefined` for all, and for the
   * processors' own memories.
   */
  readonly sessions?: readonly string[] | undefined;
  /**
   * Makes sure that the key is still valid, for a long request. Absent for keys that are always valid.
   *
   * @throws Refusal 500 when it is not, 503 when that cannot be found out
   */
  confirm?(): undefined | Promise<void>;
}

/** The rights of the keys that the deployment configures. */
export const ALL_RIGHTS: Rights = { keyId: "", roles: ["admin"] };

/** What a request asks for. */
interface Wish {
  /** The key must have one of these roles; any key will do if there are none. */
  readonly roles: readonly Role[];
  /** Its name in a sentence: `POST /<id>/learn`. */
  readonly what: string;
}

/** The processor and session that a request is about. */
export interface RightsPlace {
  /** The processor, as named in the request; `undefined` for the agent itself. */
  readonly processor: string | undefined;
  /** The session; `undefined` for the processor's own memory, or for no memory at all. */
  readonly session: string | undefined;
  /** Whether a key that is limited to sessions may ask this outside sessions. */
  readonly isOutsideSessions: boolean;
}

/** The path of a row in a sentence. */
export function shownPath(path: string): string {
  return path.replace(/:(\w+)\+?/g, "<$1>");
}

/** Whether a key has limits in addition to its roles. */
export function isLimited({ processors, sessions }: Rights): boolean {
  return processors !== undefined || sessions !== undefined;
}

/** @throws Refusal 403 naming the roles when the key has none of them */
export function checkRole(rights: Rights, wish: Wish): void {
  const { roles } = wish;
  if (rights.roles.includes("admin") || roles.length === 0 || roles.some((role) => rights.roles.includes(role))) return;
  throw lacking(wish, "", `has ${rights.roles.join(", ")}`);
}

/**
 * Checks the limits of a key. Use the returned identifier from then on, because a name may mean another processor a
 * moment later.
 *
 * @param idOf the identifier of the processor with an identifier or friendly name; `undefined` for none
 * @returns the identifier of the processor; `undefined` for the agent itself
 * @throws Refusal 403 when the key does not open the place
 */
export async function checkPlace(
  rights: Rights,
  wish: Wish,
  place: RightsPlace,
  idOf: (idOrName: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { processors, sessions } = rights;
  const { processor, session, isOutsideSessions } = place;
  if (processor === undefined) {
    if (wish.roles.length === 0) return undefined;
    throw lacking(wish, " without limits", `is limited to ${limitsOf(rights)}`);
  }
  if (sessions !== undefined && !isOutsideSessions && !opensSession(sessions, session)) {
    const meant = session === undefined ? "the memory without a session" : `the session ${excerpt(session)}`;
    throw lacking(wish, ` that opens ${meant}`, `is limited to ${limitsOf(rights)}`);
  }
  const id = await idOf(processor);
  if (processors === undefined) return id ?? processor;
  // The holder of a limited key may not learn whether another processor exists.
  if (id !== undefined && processors.includes(id)) return id;
  throw lacking(wish, ` that opens the processor ${excerpt(processor)}`, `is limited to ${limitsOf(rights)}`);
}

/**
 * Whether a key opens a memory, for any operation.
 *
 * @param processorId an identifier, not a name
 * @param session `undefined` for the processor's own memory
 */
export function opens({ processors, sessions }: Rights, processorId: string, session: string | undefined): boolean {
  if (processors !== undefined && !processors.includes(processorId)) return false;
  return sessions === undefined || opensSession(sessions, session);
}

function opensSession(accepted: readonly string[], session: string | undefined): boolean {
  if (session === undefined) return false;
  return accepted.some((each) => (each.endsWith("*") ? session.startsWith(each.slice(0, -1)) : session === each));
}

function limitsOf({ processors, sessions }: Rights): string {
  const parts = [
    ...(processors === undefined ? [] : [`the processors ${brief(processors)}`]),
    ...(sessions === undefined ? [] : [`the sessions ${brief(sessions)}`]),
  ];
  return parts.join(" and ");
}

/** Maximum number of names listed in a sentence. */
const MAX_NAMED = 5;

function brief(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => excerpt(name));
  return names.length > MAX_NAMED ? `${shown.join(", ")} and ${names.length - MAX_NAMED} more` : shown.join(", ");
}

function lacking({ roles, what }: Wish, besides: string, has: string): Refusal {
  const needed = roles.length === 0 ? "a key" : `a key with the role ${roles.join(" or ")}`;
  return new Refusal(403, `${what} needs ${needed}${besides}; this one ${has}`);
}
