/**
 * What the key of the page allows, as the server has said. The server decides; this only keeps the page from offering
 * what it would refuse. Knows no view.
 */

import type { Schemas } from "../client";
import { agent, currentProcessor } from "./server";

type Role = Schemas.Role;

/** What somebody wants to do something with. */
type What =
  /** The agent as a whole. */
  | { readonly of: "agent" }
  /** A processor, in none of its sessions; without one, that of the place. */
  | { readonly of: "processor"; readonly processor?: string }
  /** One memory of the processor of the place; without a session, its own. */
  | { readonly of: "memory"; readonly session: string | undefined };

/** What a key lets nobody do, and why: the end of a sentence. Empty where the key allows it. */
export type Refusal = string;

/**
 * Why the key does not allow something.
 *
 * @param roles the roles of which it must have one; any key will do when there are none
 * @returns the end of a sentence, such as "that needs the role manage, and it has read"; empty where it allows it
 */
export function refusal(what: What, ...roles: readonly Role[]): Refusal {
  const rights = agent.value?.rights;
  if (rights === undefined) return "";
  return withoutRole(rights, roles) || withoutPlace(rights, what);
}

/** Whether the key allows something. */
export function may(what: What, ...roles: readonly Role[]): boolean {
  return refusal(what, ...roles) === "";
}

/** Whether the key opens a processor, be it only in some sessions. */
export function opens(processor: string): boolean {
  return agent.value?.rights?.processors?.includes(processor) ?? true;
}

function withoutRole({ roles: has }: Schemas.KeyRights, roles: readonly Role[]): Refusal {
  if (roles.length === 0 || has.includes("admin") || roles.some((role) => has.includes(role))) return "";
  return `that needs the role ${roles.join(" or ")}, and it has ${listed(has)}`;
}

function withoutPlace({ processors, sessions }: Schemas.KeyRights, what: What): Refusal {
  if (what.of === "agent") {
    const isLimited = processors !== undefined || sessions !== undefined;
    return isLimited ? "that needs a key that is not limited to processors or sessions" : "";
  }
  const processor = ("processor" in what ? what.processor : undefined) ?? currentProcessor.value?.id ?? "";
  if (!opens(processor)) return `it opens only the processors ${listed((processors ?? []).map(nameOf))}`;
  if (sessions === undefined) return "";
  const session = what.of === "memory" ? what.session : undefined;
  return session !== undefined && sessions.some((each) => isMeant(each, session))
    ? ""
    : `it opens only the sessions ${listed(sessions)}`;
}

/** @param name a name, or the beginning of names with an asterisk behind */
function isMeant(name: string, session: string): boolean {
  return name.endsWith("*") ? session.startsWith(name.slice(0, -1)) : session === name;
}

function nameOf(processor: string): string {
  return agent.value?.processors.find(({ id }) => id === processor)?.name ?? processor;
}

/** Words in a sentence. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
