/** A gateway over an in-memory transport to processors that record their calls and answer as a test says. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type Transport } from "@connectrpc/connect";
import { createGateway, type Gateway } from "../../../src/gateway/gateway";
import { operations } from "../../../src/gateway/operations/table";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { AlertService } from "../../../src/gen/noema/v1/alert_service_pb";
import { EncoderService } from "../../../src/gen/noema/v1/encoder_service_pb";
import { GeneService } from "../../../src/gen/noema/v1/gene_service_pb";
import { HealthService } from "../../../src/gen/noema/v1/health_service_pb";
import { IncidentService } from "../../../src/gen/noema/v1/incident_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { KeyService } from "../../../src/gen/noema/v1/key_service_pb";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../../src/gen/noema/v1/mode_service_pb";
import { RouteService } from "../../../src/gen/noema/v1/route_service_pb";
import { StampSchema } from "../../../src/gen/noema/v1/stamp_pb";
import type { StreamPlace } from "../../../src/rpc/transport/stream-upgrade";
import type { Transports } from "../../../src/rpc/transport/transports";

/** The processor of the agent behind the gateway. */
export const P1 = "p46b6b076c";

/** The files of the pages as they were built, as the binding of a deployment has them. */
const ASSETS: NonNullable<Parameters<typeof createGateway>[0]["ASSETS"]> = {
  fetch: async (url) => {
    const path = join("assets", new URL(url).pathname);
    return existsSync(path) ? new Response(readFileSync(path)) : new Response(null, { status: 404 });
  },
};

/** Who answers unless a test says otherwise. */
export const STAMP = { id: P1, time: 7 };

/** The genome of that agent. */
export const GENOME = `{"agent":"simple","elements":{"nodes":[{"data":{"id":"${P1}","name":"P1","sort":true,"type":"primitive"}}]}}`;

const SERVICES = [
  MemoryService,
  ModeService,
  GeneService,
  EncoderService,
  InspectionService,
  KnowledgeService,
  AgentService,
  KeyService,
  RouteService,
  AlertService,
  IncidentService,
  HealthService,
];

const METHODS: ReadonlySet<DescMethod> = new Set(
  SERVICES.flatMap((service): DescMethod[] => service.methods).filter(isUnary),
);

/** One call that a processor or the agent got. */
export interface RecordedCall {
  /** `<agent>` or `<agent>/<processor>`. */
  readonly to: string;
  readonly rpc: string;
  readonly request: Message | StreamPlace;
  /** The session that it was about; absent for the processor's own memory. */
  readonly session?: string;
}

/** What a test sends besides method and path. */
export interface AskOptions {
  readonly body?: unknown;
  readonly key?: string | null;
  readonly accept?: string;
}

/** An answer whose body has been read. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

type Answerer = (request: Message, to: string) => Message | Promise<Message>;

/** A gateway whose agents and processors answer as a test says. */
export class TestGateway {
  readonly calls: RecordedCall[] = [];
  readonly handle: Gateway;
  /** The ways to its agents and processors. */
  readonly transports: Transports;
  readonly #answerers = new Map<DescMethodUnary, Answerer>();
  /** By agent or processor, session and method. */
  readonly #routers = new Map<string, Transport>();

  constructor(settings: Parameters<typeof createGateway>[0] = { NOEMA_LOCAL: "true" }) {
    this.transports = {
      agent: (agent) => this.#transport(agent),
      processor: (agent, id, _address, call) => this.#transport(`${agent}/${id}`, call?.session),
      openStream: (agent, id, _place, stream) => {
        this.calls.push({ rpc: "stream", to: `${agent}/${id}`, request: stream });
        return Promise.reject(new ConnectError("there are no streams here", Code.NotFound));
      },
      mqtt: () => ({
        fetch: async () => new Response(null, { status: 503 }),
        tell: async () => [],
        routesChanged: async () => {},
      }),
      health: () => this.#transport("health"),
    };
    this.handle = createGateway({ ASSETS, ...settings }, this.transports);
    this.answer(AgentService.method.getGenome, { genomeJson: GENOME });
  }

  /** Answers a call with a fixed reply from now on. */
  answer<I extends DescMessage, O extends DescMessage>(rpc: DescMethodUnary<I, O>, reply: MessageInitShape<O>): void {
    this.#answerers.set(rpc, () => create(rpc.output, reply));
  }

  /** Answers a call by a function from now on. */
  answerWith(rpc: DescMethodUnary, answerer: Answerer): void {
    this.#answerers.set(rpc, answerer);
  }

  /** Fails a call from now on, with the stamp attached that a processor attaches. */
  fail(rpc: DescMethodUnary, code: Code, message: string): void {
    this.#answerers.set(rpc, () => {
      throw new ConnectError(message, code, undefined, [{ desc: StampSchema, value: STAMP }]);
    });
  }

  /** The request of the last call of a method; `undefined` when there was none. */
  lastOf(rpc: DescMethodUnary): unknown {
    return this.calls.findLast((one) => one.rpc === rpc.name)?.request;
  }

  /** Asks the gateway. `path` begins with a slash; a body that is not a string is sent as JSON. */
  async ask(method: string, path: string, options: AskOptions = {}): Promise<ReadAnswer> {
    const response = await this.handle(requestOf(method, path, options));
    const text = await response.text();
    const isText = response.headers.get("content-type")?.startsWith("text/plain") ?? false;
    return { status: response.status, headers: response.headers, text, json: isText ? {} : JSON.parse(text) };
  }

  #transport(to: string, session?: string): Transport {
    return {
      unary: (called, ...call) => this.#router(called, to, session).unary(called, ...call),
      stream: () => {
        throw new Error("no processor is called by a stream");
      },
    };
  }

  /** The router for a method alone, because one for all of them takes longer to make than most tests need. */
  #router(method: DescMethodUnary, to: string, session: string | undefined): Transport {
    const name = JSON.stringify([method.parent.typeName, method.name, to, session]);
    const former = this.#routers.get(name);
    if (former !== undefined) return former;
    const router = createRouterTransport((router) => {
      if (METHODS.has(method)) router.rpc(method, (request) => this.#answerOf(method, request, to, session));
    });
    this.#routers.set(name, router);
    return router;
  }

  #answerOf(method: DescMethodUnary, request: Message, to: string, session?: string): Message | Promise<Message> {
    this.calls.push({ to, rpc: method.name, request, ...(session !== undefined && { session }) });
    const answerer = this.#answerers.get(method);
    return answerer?.(request, to) ?? create(method.output, { stamp: STAMP });
  }
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

/** A request, with a body on GET too, which sockets carry but the constructor refuses. */
export function requestOf(method: string, path: string, { body, key, accept }: AskOptions = {}): Request {
  const headers = new Headers();
  if (key !== null) headers.set("x-api-key", key ?? "ABCD-1234");
  if (accept !== undefined) headers.set("accept", accept);
  const url = `http://127.0.0.1:8787${path}`;
  if (body === undefined) return new Request(url, { method, headers });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request(url, { method: "POST", headers, body: text });
  Object.defineProperty(request, "method", { value: method });
  return request;
}

/** A body without its time, so that tests can compare it byte for byte. */
export function timeless(text: string): string {
  return text.replace(/"time_stamp":\d+/, '"time_stamp":T');
}

/** The whole answer around a message, without its time. */
export function okay(message: string): string {
  return `{"id":"${P1}","interval":${STAMP.time},"message":${message},"status":"okay","time_stamp":T}`;
}

/** Every method and path of the table, with an example in the place of every name. */
export const ALL_REQUESTS = operations.flatMap(({ methods, path }) =>
  methods.map((method) => [method, path.replace(":id", P1).replace(/:(\w+)\+?/, "some-$1")] as const),
);
