/** One request on its way through the gateway: its address, its body, its agent, and its operation. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Idempotency } from "../rpc/transport/unary";
import { LARGE_BYTES, yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { Budgets } from "../text/budgets";
import type { Agent } from "./agents/agent";
import type { Stamped } from "./encode/envelope";
import { idempotencyOf, isWriting } from "./idempotency";
import { type Body, bodyOf, MAX_BODY_BYTES } from "./json/body";
import { wholeBytes } from "./json/body-bytes";
import { type HeldBody, heldBytes } from "./json/held-bytes";
import { keyNameOf } from "./keys/offered-key";
import { checkRole, isLimited, type Rights, shownPath } from "./keys/rights";
import type { Role } from "./keys/role";
import { refusalOf } from "./refusal";
import type { RequestTarget } from "./request-target";
import type { WatchedRequest } from "./watching/watched-request";

/** The parameters of a path, percent-decoded. */
export type Params = { readonly [name: string]: string | undefined };

/** The members of a query; a list for a repeated name. */
export type Query = { readonly [name: string]: string | string[] | undefined };

/** What the address of a request holds in addition to the operation. */
export interface Address {
  readonly params: Params;
  readonly query: Query;
  /** The session in the path, if the operation is about one memory; absent for the processor's own memory. */
  readonly session?: string | undefined;
}

/** A request, and the agent that its host names. */
interface Arrived {
  readonly request: Request;
  readonly target: Pick<RequestTarget, "url">;
  readonly agent: Agent;
  readonly rights: Rights;
  readonly watched: Pick<WatchedRequest, "brokeOff">;
  readonly budgets: Budgets;
}

/** The body of an answer: canonical JSON text, whole or as a stream; or an open WebSocket. */
export type Answer = string | ReadableStream<Uint8Array> | WebSocket;

/** The request that an operation answers. */
export class RequestContext implements Address {
  readonly request: Request;
  readonly agent: Agent;
  readonly params: Params;
  readonly query: Query;
  readonly session: string | undefined;
  /** The rights of its key. */
  readonly rights: Rights;
  readonly #path: string;
  readonly #target: Pick<RequestTarget, "url">;
  /** The work limits of one request. */
  readonly budgets: Budgets;
  /** Whether the answer was kept from an earlier request. */
  isReplayed = false;
  /** Called with the reason why an answer broke off after its status was sent. */
  readonly brokeOff: (reason: unknown) => void;
  readonly #key: string | undefined;
  #idempotency: Idempotency | undefined;
  readonly #begin: () => void;
  #hasBegun = false;
  #held: HeldBody | undefined;

  /**
   * @param key the idempotency key under which the answer is kept, if any
   * @param begin counts the request as a running call, or throws a Refusal 503. Called once, after everything that the
   *   client has to send has arrived, because a slow client must not block others
   */
  constructor(
    { request, target, agent, rights, watched, budgets }: Arrived,
    { operation, params, query, session }: Address & { readonly operation: { readonly path: string } },
    key: string | undefined,
    begin: () => void,
  ) {
    this.request = request;
    this.agent = agent;
    this.params = params;
    this.query = query;
    this.session = session;
    this.rights = rights;
    this.#path = operation.path;
    this.#target = target;
    this.budgets = budgets;
    this.#key = key;
    this.#begin = begin;
    this.brokeOff = (reason) => watched.brokeOff(reason, refusalOf(reason));
  }

  /**
   * Reads the body. Call it once, before {@link call}.
   *
   * @throws Refusal 413 when the body is too large, 400 when it is not JSON, 503 when too many calls are running, 429
   *   or 503 when bodies hold too much; then it was not parsed
   */
  async body(): Promise<Body> {
    const bytes = await wholeBytes(this.request, MAX_BODY_BYTES, () => this.held());
    this.#beginOnce();
    if (this.#key !== undefined) {
      const { pathname, search } = this.#target.url;
      const address = `${this.request.method} ${pathname}${search}`;
      this.#idempotency = await idempotencyOf(this.#key, address, bytes, this.rights.keyId);
    }
    const body = bodyOf(bytes, this.budgets);
    if (bytes.byteLength > LARGE_BYTES) await yieldToEventLoop();
    return body;
  }

  /** The bytes held for the body. Release them when the request has ended. */
  held(): HeldBody {
    this.#held ??= heldBytes.body(keyNameOf(this.request, this.rights));
    return this.#held;
  }

  /** Notes that the request has ended, with any outcome. */
  end(): void {
    this.#held?.release();
  }

  /** @throws Refusal 403 if the key lacks an additional role that the request needs */
  checkRole(role: Role): void {
    checkRole(this.rights, { roles: [role], what: `${this.request.method} ${shownPath(this.#path)}` });
  }

  /**
   * Calls the processor that the path names, by identifier or friendly name.
   *
   * @throws Refusal 404 when the agent has no such processor, 503 when too many calls are running, 500 when the key is
   *   no longer valid
   * @throws ConnectError when the processor refuses or cannot be reached
   */
  call<I extends DescMessage, O extends DescMessage>(
    rpc: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    this.#beginOnce();
    const confirming = this.rights.confirm?.();
    if (confirming !== undefined || this.#key !== undefined) return this.#callOnce(rpc, message, confirming);
    const { params, rights, session } = this;
    const about = { session, keyId: rights.keyId || undefined };
    return this.agent.call(params.id ?? "", rpc, message, about, isLimited(rights));
  }

  /** {@link call} for a request with an idempotency key, and for a key that has to be confirmed. */
  async #callOnce<I extends DescMessage, O extends DescMessage>(
    rpc: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
    confirming: Promise<void> | undefined,
  ): Promise<MessageShape<O>> {
    if (confirming !== undefined) await confirming;
    const id = this.params.id ?? "";
    const { session } = this;
    const keyId = this.rights.keyId || undefined;
    if (this.#key !== undefined && this.#idempotency === undefined && isWriting(rpc)) {
      throw new Error("an operation whose answer is kept must read its body first");
    }
    const isId = isLimited(this.rights);
    if (this.#idempotency === undefined || !isWriting(rpc))
      return this.agent.call(id, rpc, message, { session, keyId }, isId);
    const about = { session, keyId, idempotency: this.#idempotency };
    const reply = await this.agent.call(id, rpc, message, about, isId);
    this.isReplayed = (reply as Stamped).stamp?.replayed === true;
    return reply;
  }

  /**
   * Opens a stream at the processor that the path names.
   *
   * @param source the client's name for its frames; `undefined` for none
   * @throws Refusal 404 when the agent has no such processor, 400 when it is on another server
   * @throws ConnectError when the processor refuses or cannot be reached
   */
  openStream(source: string | undefined): Promise<WebSocket> {
    this.#beginOnce();
    const { rights, session = "" } = this;
    const isAll = rights.roles.includes("admin");
    const [keyId, roles] = [rights.keyId || undefined, isAll ? undefined : rights.roles];
    const isId = isLimited(rights);
    return this.agent.openStream(this.params.id ?? "", { session, source, keyId, rights: roles }, isId);
  }

  /** An operation that reads its body piece by piece makes calls before the body has ended. */
  #beginOnce(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#begin();
  }
}
