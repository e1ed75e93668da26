/**
 * Serves the services of `proto/` to clients generated from it: Connect with JSON and binary, and gRPC-Web. A call
 * needs the same key, has the same effect and gets the same refusals as the HTTP/JSON operation. Provisioning is not
 * served.
 */

import {
  clearField,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  getOption,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type ServiceImpl,
} from "@connectrpc/connect";
import {
  type UniversalHandler,
  type UniversalServerRequest,
  universalServerResponseToFetch,
} from "@connectrpc/connect/protocol";
import { codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import { AgentService } from "../gen/noema/v1/agent_service_pb";
import { EncoderService } from "../gen/noema/v1/encoder_service_pb";
import { GeneService } from "../gen/noema/v1/gene_service_pb";
import { InspectionService } from "../gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../gen/noema/v1/memory_service_pb";
import { ModeService } from "../gen/noema/v1/mode_service_pb";
import { serves_session } from "../gen/noema/v1/session_pb";
import { StampSchema } from "../gen/noema/v1/stamp_pb";
import { IDEMPOTENCY_HEADER, PROCESSOR_HEADER, SESSION_HEADER } from "../rpc/transport/endpoint-transport";
import { sessionIn } from "../rpc/transport/session";
import type { Idempotency } from "../rpc/transport/unary";
import type { Budgets } from "../text/budgets";
import type { Admission, Turn } from "./admission";
import type { Agent } from "./agents/agent";
import { checkServiceBody } from "./decode/service-body";
import type { Stamped } from "./encode/envelope";
import { idempotencyOf, isWriting, keyRefusal, keyUseOf, REPLAYED_HEADER, TAKES_NO_KEY } from "./idempotency";
import { MAX_BODY_BYTES } from "./json/body";
import { wholeBytes } from "./json/body-bytes";
import { type HeldBody, heldBytes } from "./json/held-bytes";
import { keyNameOf } from "./keys/offered-key";
import { isLimited, type Rights } from "./keys/rights";
import { operations } from "./operations/table";
import { checkCallRole, permittedProcessor } from "./permission";
import { isOverload, refusalOf } from "./refusal";
import { failed, rpcError, unreadAnswer } from "./rpc-refusal";
import type { WatchedRequest } from "./watching/watched-request";

/** Prefix of the paths of all services. */
const PREFIX = "/noema.v1.";

/** The services of a processor. */
const PROCESSOR_SERVICES = [
  MemoryService,
  GeneService,
  EncoderService,
  ModeService,
  InspectionService,
  KnowledgeService,
];

/** The calls that take an idempotency key: those of operations that take one. */
const REPEATABLE: ReadonlySet<DescMethod> = new Set(
  operations.filter((operation) => keyUseOf(operation) === "keeps").flatMap(({ rpcs }) => rpcs.filter(isWriting)),
);

/** One call of a service. */
interface Call {
  readonly agent: Agent;
  /** The rights of its key. */
  readonly rights: Rights;
  /** The incoming request. */
  readonly request: Request;
  readonly url: URL;
  /** Its session; absent for the processor's own memory. */
  readonly session: string | undefined;
  /** The bytes of its body. */
  readonly body: Uint8Array;
  readonly watched: WatchedRequest;
  /** Whether the library could read the request. */
  isRead: boolean;
}

const CALL = createContextKey<Call | undefined>(undefined);

/** Whether a URL is that of a service's method. */
export function isRpc({ pathname }: Pick<URL, "pathname">): boolean {
  return pathname.startsWith(PREFIX);
}

/** How a request is admitted. */
export interface Entrance {
  readonly url: URL;
  /**
   * Finds its agent, and the rights of its key. Rejects with a Refusal when there is no such agent or the key does not
   * open it.
   */
  admit(): Promise<{ readonly agent: Agent; readonly rights: Rights }>;
  readonly admission: Admission;
  readonly budgets: Budgets;
  /** The number of the look that it waited for on arrival; 0 for none. */
  readonly look: number;
  readonly watched: WatchedRequest;
}

/** Answers a call of a service. Never throws. Asks for the agent before it reads the body. */
export async function answerRpc(request: Request, entrance: Entrance): Promise<Response> {
  const { url, admission, budgets, look, watched } = entrance;
  let turn: Turn | undefined;
  let held: HeldBody | undefined;
  try {
    const { agent, rights } = await entrance.admit();
    watched.agent = agent;
    const handler = handlers.get(url.pathname);
    if (handler === undefined) throw new ConnectError("unknown method", Code.Unimplemented);
    watched.asksFor(handler.method, () => url.pathname);
    watched.processor = request.headers.get(PROCESSOR_HEADER) ?? undefined;
    checkCallRole(rights, handler.method);
    const session = sessionFor(request, handler.method);
    const counted = agent.countedAs(request.headers.get(PROCESSOR_HEADER) ?? "");
    const body = await wholeBytes(request, MAX_BODY_BYTES, () => {
      held = heldBytes.body(keyNameOf(request, rights));
      return held;
    });
    // Only once the body is there: a slow client must not take the turn of another.
    turn = admission.begin(counted, look, rights.keyId);
    checkServiceBody(handler.method.input, request.headers, body, budgets);
    const call: Call = { agent, rights, request, url, session, body, watched, isRead: false };
    const answer = await handler(libraryRequest(call));
    if (call.isRead) return universalServerResponseToFetch(answer);
    watched.failed(undefined, "", { status: 400, isOverload: false });
    return await unreadAnswer(answer, request, handler.method.input);
  } catch (reason) {
    return failed(request, noted(reason, watched));
  } finally {
    admission.end(turn);
    held?.release();
  }
}

/** A call's request in the library's form. */
function libraryRequest(call: Call): UniversalServerRequest {
  const { url, body } = call;
  const { method, headers: header, signal } = call.request;
  const contextValues = createContextValues().set(CALL, call);
  return { httpVersion: "", method, url: url.href, header, signal, body: partsOf(body), contextValues };
}

/** The error to send for anything thrown, after noting it as the outcome of the request. */
function noted(reason: unknown, watched: WatchedRequest): ConnectError {
  const error = rpcError(reason);
  const status = codeToHttpStatus(error.code);
  const refusal = refusalOf(reason);
  watched.failed(reason, error.rawMessage, {
    status,
    isOverload: isOverload(refusal),
    isOfKey: refusal.extras.isOfKey,
  });
  return error;
}

/** The bytes of a body in the library's form. */
async function* partsOf(body: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  if (body.byteLength > 0) yield body;
}

/** The handlers by path. They live as long as the isolate, because they hold nothing of a request. */
const handlers: ReadonlyMap<string, UniversalHandler> = publicHandlers();

function publicHandlers(): Map<string, UniversalHandler> {
  // Plain gRPC needs HTTP/2 trailers, which never reach a Worker.
  const router = createConnectRouter({
    grpc: false,
    readMaxBytes: MAX_BODY_BYTES,
    jsonOptions: { ignoreUnknownFields: false },
    // Keeping unknown fields takes up to a microsecond each, and processors do not read them.
    binaryOptions: { readUnknownFields: false },
  });
  for (const service of PROCESSOR_SERVICES) router.service(service, forward(service));
  router.service(AgentService, {
    getGenome: (request, context) =>
      withRpcErrors(context, () => callOf(context).agent.ask(AgentService.method.getGenome, request)),
    hotswap: ({ genomeJson, purge }, context) =>
      withRpcErrors(context, async () => {
        const call = callOf(context);
        await idempotencyFor(call, AgentService.method.hotswap);
        return call.agent.hotswap(genomeJson, purge);
      }),
    previewHotswap: (request, context) =>
      withRpcErrors(context, () => callOf(context).agent.ask(AgentService.method.previewHotswap, request)),
  });
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

/** Implements a service by forwarding every call to the processor that the request is for. */
function forward<Service extends DescService>(service: Service): Partial<ServiceImpl<Service>> {
  const methods = service.methods.filter((method): method is DescMethodUnary => method.methodKind === "unary");
  const answers = methods.map((method) => {
    const answer = (message: MessageInitShape<typeof method.input>, context: HandlerContext) =>
      withRpcErrors(context, async () => {
        const call = callOf(context);
        const { agent, rights, session } = call;
        const named = await processorFor(agent, context);
        const processor = await permittedProcessor({ rights, agent, method, processor: named, session, message });
        const idempotency = await idempotencyFor(call, method);
        const about = { session, keyId: rights.keyId || undefined, idempotency };
        const reply = await agent.call(processor, method, message, about, isLimited(rights));
        return idempotency === undefined ? reply : asFirst(reply, context);
      });
    return [method.localName, answer] as const;
  });
  // The compiler cannot follow that a method's input and output stay together through the list.
  return Object.fromEntries(answers) as unknown as Partial<ServiceImpl<Service>>;
}

/** The call that a service answers. The library has read its request by now. */
function callOf({ values }: HandlerContext): Call {
  const call = values.get(CALL);
  if (call === undefined) throw new Error("a call has no context");
  call.isRead = true;
  return call;
}

/**
 * The idempotency key of a call, with its fingerprint.
 *
 * @returns `undefined` if it has no key, or changes nothing
 * @throws ConnectError `InvalidArgument` when the method takes no key, or the key is not accepted
 */
async function idempotencyFor(
  { request, url, session = "", body, rights }: Call,
  method: DescMethod,
): Promise<Idempotency | undefined> {
  const { headers } = request;
  const key = headers.get(IDEMPOTENCY_HEADER);
  if (key === null || !isWriting(method)) return undefined;
  const refusal = REPEATABLE.has(method) ? keyRefusal(key) : `${method.parent.name}/${method.name} ${TAKES_NO_KEY}`;
  if (refusal !== undefined) throw new ConnectError(refusal, Code.InvalidArgument);
  return idempotencyOf(key, `${url.pathname} ${session}`, body, rights.keyId);
}

/** A reply as given the first time. A header tells whether it was kept. */
function asFirst<Reply extends object>(reply: Reply, { responseHeader }: HandlerContext): Reply {
  const { stamp }: Stamped = reply;
  if (stamp?.replayed !== true) return reply;
  clearField(stamp, StampSchema.field.replayed);
  responseHeader.set(REPLAYED_HEADER, "true");
  return reply;
}

/**
 * The session of a call.
 *
 * @returns `undefined` for the processor's own memory
 * @throws ConnectError `InvalidArgument` when the header is not a session's name, or the method is not about a single
 *   memory
 */
function sessionFor({ headers }: Request, method: DescMethod): string | undefined {
  const header = headers.get(SESSION_HEADER);
  if (header === null) return undefined;
  if (getOption(method, serves_session)) return sessionIn(header);
  throw new ConnectError(
    `${method.parent.name}/${method.name} concerns no single memory: it takes no header X-Session`,
    Code.InvalidArgument,
  );
}

/** The identifier or friendly name of the processor that a call is for. An agent with one processor needs no header. */
async function processorFor(agent: Agent, context: HandlerContext): Promise<string> {
  const idOrName = context.requestHeader.get(PROCESSOR_HEADER);
  if (idOrName !== null && idOrName !== "") return idOrName;
  const only = await agent.onlyProcessor();
  if (only !== undefined) return only;
  throw new ConnectError(
    "the agent has not just one processor; the header X-Processor-Id must hold the id or the name of one",
    Code.InvalidArgument,
  );
}

async function withRpcErrors<Reply>(context: HandlerContext, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (reason) {
    throw noted(reason, callOf(context).watched);
  }
}
