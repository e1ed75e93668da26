/**
 * Whether a key may do what a request asks for: by the roles of its row or of its call, and by the processors and
 * sessions that the key is limited to. A key with all rights is let through without work.
 */

import type { DescMethod } from "@bufbuild/protobuf";
import { MemoryService } from "../gen/noema/v1/memory_service_pb";
import type { Agent } from "./agents/agent";
import { ALL_RIGHTS, checkPlace, checkRole, isLimited, type Rights, shownPath } from "./keys/rights";
import { rolesFor, rolesForObserving } from "./keys/role";
import { Refusal } from "./refusal";
import type { Match } from "./routes";

/**
 * The match of a request, if its key allows it.
 *
 * @returns the match, with the processor's identifier instead of its name if the key is limited, because a name may
 *   mean another processor a moment later
 * @throws Refusal, or rejects with it, 403 naming the role when the key does not allow it; then no processor was asked
 */
export function permitted(rights: Rights, match: Match, method: string, agent: Agent): Match | Promise<Match> {
  if (rights === ALL_RIGHTS) return match;
  const { operation, params, session = params.session } = match;
  const wish = { roles: operation.roles, what: `${method} ${shownPath(operation.path)}` };
  checkRole(rights, wish);
  if (!isLimited(rights) || operation.limitsItself) return match;
  const place = { processor: params.id, session, isOutsideSessions: operation.roles.length === 0 };
  return checkPlace(rights, wish, place, (idOrName) => idIn(agent, idOrName)).then((id) =>
    id === undefined ? match : { ...match, params: { ...params, id } },
  );
}

/** A call of a public service. */
interface PublicCall {
  readonly rights: Rights;
  readonly agent: Agent;
  readonly method: DescMethod;
  /** The processor's identifier or friendly name. */
  readonly processor: string;
  /** The session that its header names. */
  readonly session: string | undefined;
  readonly message: { readonly explain?: boolean; readonly learn?: boolean; readonly session?: string };
}

/** @throws Refusal 403 naming the role when the key lacks a role that the call needs */
export function checkCallRole(rights: Rights, method: DescMethod): void {
  if (rights !== ALL_RIGHTS) checkRole(rights, wishFor(method));
}

/**
 * Checks a call to a processor, once its message is known.
 *
 * @returns the processor to call: its identifier if the key is limited, else as named by the caller
 * @throws Refusal 403 naming the role when the key does not allow the call
 */
export async function permittedProcessor(call: PublicCall): Promise<string> {
  const { rights, agent, method, processor, message } = call;
  if (rights === ALL_RIGHTS) return processor;
  const wish = wishFor(method);
  checkRole(rights, wish);
  const { observe, observeSequence, endSession } = MemoryService.method;
  const isObserving = method === observe || method === observeSequence;
  for (const role of isObserving ? rolesForObserving(message) : []) checkRole(rights, { ...wish, roles: [role] });
  if (!isLimited(rights)) return processor;
  const session = method === endSession ? message.session : call.session;
  const place = { processor, session, isOutsideSessions: false };
  return (await checkPlace(rights, wish, place, (idOrName) => idIn(agent, idOrName))) ?? processor;
}

function wishFor(method: DescMethod) {
  return { roles: rolesFor(method), what: `${method.parent.name}/${method.name}` };
}

async function idIn(agent: Agent, idOrName: string): Promise<string | undefined> {
  try {
    return (await agent.find(idOrName)).id;
  } catch (reason) {
    if (reason instanceof Refusal && reason.http === 404) return undefined;
    throw reason;
  }
}
