/**
 * Serves the services of `proto/` to clients that are generated from it: Connect with JSON and binary, and gRPC-Web. A call needs
 * the same key, has the same effect and gets the same refusals as the HTTP/JSON operation. Provisioning is not served.
 */

import type { DescMethodUnary, DescService, MessageInitShape } from "@bufbuild/protobuf";
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
  universalServerRequestFromFetch,
  universalServerResponseToFetch,
} from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { AgentService } from "../gen/noema/v1/agent_service_pb";
import { GeneService } from "../gen/noema/v1/gene_service_pb";
import { InspectionService } from "../gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../gen/noema/v1/memory_service_pb";
import { ModeService } from "../gen/noema/v1/mode_service_pb";
import { PROCESSOR_HEADER } from "../rpc/transport/endpoint-transport";
import { internalError } from "../rpc/transport/internal-error";
import type { Agent } from "./agents/agent";
import { MAX_BODY_BYTES } from "./json/body";
import { Refusal } from "./refusal";

/** The beginning of the paths of all services. */
const PREFIX = "/noema.v1.";

/** The services of a processor. */
const PROCESSOR_SERVICES = [MemoryService, GeneService, ModeService, InspectionService, KnowledgeService];

/** The agent that a call is for. */
const AGENT = createContextKey<Agent | undefined>(undefined);

/** Whether a URL is that of a service's method. */
export function isRpc({ pathname }: URL): boolean {
  return pathname.startsWith(PREFIX);
}

/**
 * Answers a call of a service. Never throws.
 *
 * @param admit finds the agent that it is for; throws a Refusal when there is none or the request's key does not open it. Called
 *   before the body is read
 */
export async function answerRpc(request: Request, admit: () => Agent): Promise<Response> {
  try {
    const agent = admit();
    const handler = handlers.get(new URL(request.url).pathname);
    if (handler === undefined) throw new ConnectError("there is no such method", Code.Unimplemented);
    const context = { contextValues: createContextValues().set(AGENT, agent) };
    const answer = await handler({ ...universalServerRequestFromFetch(request, {}), ...context });
    return universalServerResponseToFetch(answer);
  } catch (reason) {
    return failure(request, rpcError(reason));
  }
}

/** The handlers by path. They live as long as the isolate, because they hold nothing of a request. */
const handlers: ReadonlyMap<string, UniversalHandler> = publicHandlers();

function publicHandlers(): Map<string, UniversalHandler> {
  // Plain gRPC needs HTTP/2 trailers, which never reach a Worker.
  const router = createConnectRouter({
    grpc: false,
    readMaxBytes: MAX_BODY_BYTES,
    jsonOptions: { ignoreUnknownFields: false },
  });
  for (const service of PROCESSOR_SERVICES) router.service(service, forward(service));
  router.service(AgentService, {
    getGenome: (request, context) => withRpcErrors(() => agentOf(context).ask(AgentService.method.getGenome, request)),
    hotswap: ({ genomeJson, purge }, context) => withRpcErrors(() => agentOf(context).hotswap(genomeJson, purge)),
    previewHotswap: (request, context) =>
      withRpcErrors(() => agentOf(context).ask(AgentService.method.previewHotswap, request)),
  });
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

/** Implements a service by forwarding every call to the processor that the request is for. */
function forward<Service extends DescService>(service: Service): Partial<ServiceImpl<Service>> {
  const methods = service.methods.filter((method): method is DescMethodUnary => method.methodKind === "unary");
  const answers = methods.map((method) => {
    const answer = (message: MessageInitShape<typeof method.input>, context: HandlerContext) =>
      withRpcErrors(async () => agentOf(context).call(await processorFor(context), method, message));
    return [method.localName, answer] as const;
  });
  // The compiler cannot follow that a method's input and output stay together through the list.
  return Object.fromEntries(answers) as unknown as Partial<ServiceImpl<Service>>;
}

function agentOf({ values }: HandlerContext): Agent {
  const agent = values.get(AGENT);
  if (agent === undefined) throw new Error("a call has no agent");
  return agent;
}

/** The identifier or friendly name of the processor that a call is for. An agent with one processor needs no header. */
async function processorFor(context: HandlerContext): Promise<string> {
  const idOrName = context.requestHeader.get(PROCESSOR_HEADER);
  if (idOrName !== null && idOrName !== "") return idOrName;
  const only = await agentOf(context).onlyProcessor();
  if (only !== undefined) return only;
  throw new ConnectError(
    "the agent has not just one processor; the header X-Processor-Id must hold the id or the name of one",
    Code.InvalidArgument,
  );
}

async function withRpcErrors<Reply>(answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (reason) {
    throw rpcError(reason);
  }
}

/** The error that tells a client about anything thrown. */
function rpcError(reason: unknown): ConnectError {
  if (reason instanceof ConnectError) return reason;
  if (reason instanceof Refusal) return new ConnectError(reason.message, codeOf(reason), undefined, undefined, reason);
  console.error("a call of a service failed:", reason);
  return internalError();
}

/** The code of a refusal by the gateway itself: of the processor, or of the key. */
function codeOf({ http }: Refusal): Code {
  return http === 404 ? Code.NotFound : Code.Unauthenticated;
}

/** Answers a call that failed before a handler could answer, in the protocol that the client speaks. */
function failure(request: Request, error: ConnectError): Response {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/grpc-web")) {
    const headers = new Headers({ "content-type": type });
    setTrailerStatus(headers, error);
    return new Response(null, { headers });
  }
  return new Response(errorToJsonBytes(error, undefined), {
    status: codeToHttpStatus(error.code),
    headers: { "content-type": "application/json" },
  });
}
