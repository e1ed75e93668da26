/**
 * What the page's key allows, according to the server. The server decides; this only prevents the page from offering
 * what the server would refuse. Knows no view.
 */

import type { Schemas } from "../client";
import { agent, currentProcessor } from "./server";

type Role = Schemas.Role;

/** What an action is about. */
type What =
  /** The agent as a whole. */
  | { readonly of: "agent" }
  /** A processor outside its sessions; by default the current one. */
  | { readonly of: "processor"; readonly processor?: string }
  /** One memory of a processor, by default the current one; without a session, its own. */
  | { readonly of: "memory"; readonly processor?: string; readonly session: string | undefined };

/** Why a key does not allow something, as the end of a sentence. Empty if the key allows it. */
export type Refusal = string;

/**
 * Why the key does not allow something.
 *
 * @param roles the roles of which it must have one; if none are given, any key will do
 * @returns the end of a sentence, such as "that needs the role manage, and it has read"; empty if it allows it
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

/** Whether the key opens a processor, even if only in some sessions. */
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

/** @param name a name, or a prefix followed by an asterisk */
function isMeant(name: string, session: string): boolean {
  return name.endsWith("*") ? session.startsWith(name.slice(0, -1)) : session === name;
}

function nameOf(processor: string): string {
  return agent.value?.processors.find(({ id }) => id === processor)?.name ?? processor;
}

/** Words joined as in a sentence. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
