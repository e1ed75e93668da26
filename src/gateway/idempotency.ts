/**
 * The header `Idempotency-Key`: which operations take it, which keys are accepted, and how requests are told apart.
 * Stores nothing: the processor's object keeps the answers.
 */

import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { AgentService } from "../gen/noema/v1/agent_service_pb";
import { KeyService } from "../gen/noema/v1/key_service_pb";
import { RouteService } from "../gen/noema/v1/route_service_pb";
import { IDEMPOTENCY_HEADER } from "../rpc/transport/endpoint-transport";
import type { Idempotency } from "../rpc/transport/unary";
import { excerpt } from "../text/excerpt";
import { Refusal } from "./refusal";

/** The header of a kept answer, with the value `true`. */
export const REPLAYED_HEADER = "idempotency-replayed";

/**
 * What an operation does with a key: keeps its answer, ignores the key because the operation
 * changes nothing, or refuses it.
 */
export type KeyUse = "ignores" | "keeps" | "refuses";

/** The part of an operation that decides about keys. */
interface Calling {
  readonly methods: readonly string[];
  readonly path: string;
  /** The calls that it makes. */
  readonly rpcs: readonly DescMethod[];
}

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

const encoder = new TextEncoder();

/** The services of agents, which keep no answers. */
const OF_AGENTS: readonly DescService[] = [AgentService, KeyService, RouteService];

/** Whether a call may change something. */
export function isWriting({ idempotency }: DescMethod): boolean {
  return idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

/**
 * What an operation does with a key. It keeps its answer if exactly one of its calls writes, and that call is to a
 * processor: only then are answer and effect stored together.
 */
export function keyUseOf({ methods, rpcs }: Omit<Calling, "path">): KeyUse {
  const writing = rpcs.filter(isWriting);
  if (writing.length === 0 || methods.every((method) => method === "GET")) return "ignores";
  const [only, ...others] = writing;
  const isOneProcessor = others.length === 0 && only !== undefined && !OF_AGENTS.includes(only.parent);
  return isOneProcessor ? "keeps" : "refuses";
}

/**
 * The key of a request.
 *
 * @returns `undefined` for none, or the operation ignores it
 * @throws Refusal 400 when the operation takes no key, or the key is not accepted
 */
export function keyIn({ headers, method }: Request, operation: Calling): string | undefined {
  const key = headers.get(IDEMPOTENCY_HEADER);
  if (key === null) return undefined;
  const use = keyUseOf(operation);
  if (use === "ignores") return undefined;
  if (use === "refuses") {
    throw new Refusal(400, `${method} ${operation.path.replace(/:(\w+)/g, "<$1>")} ${TAKES_NO_KEY}`);
  }
  const refusal = keyRefusal(key);
  if (refusal !== undefined) throw new Refusal(400, refusal);
  return key;
}

/** The end of a sentence about a call whose answer is not kept. */
export const TAKES_NO_KEY =
  "takes no Idempotency-Key: only a call that changes one processor at once has its answer kept; " +
  "send it without the header";

/** Why a key is refused; `undefined` if it is accepted. */
export function keyRefusal(key: string): string | undefined {
  if (KEY.test(key)) return undefined;
  return `the header Idempotency-Key must be 1 to 255 visible ASCII characters, got ${excerpt(key)}`;
}

/**
 * A key together with the fingerprint of its request: a hash of method, address and body.
 *
 * @param address path, query, and anything else that decides where the request goes
 * @param keyId the identifier of the issued key; empty for a configured one
 */
export async function idempotencyOf(key: string, address: string, body: Uint8Array, keyId = ""): Promise<Idempotency> {
  const head = encoder.encode(`${address}\n`);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  const fingerprint = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  return { key, fingerprint, ...(keyId !== "" && { keyId }) };
}
