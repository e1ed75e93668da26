/** A gateway over an in-memory transport to processors that record what they are asked and answer what a test says. */

import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { type Code, ConnectError, createRouterTransport, type Transport } from "@connectrpc/connect";
import { createGateway, type Gateway } from "../../src/gateway/gateway";
import type { KeyEnv } from "../../src/gateway/key";
import { operations } from "../../src/gateway/operations/table";
import { AgentService } from "../../src/gen/noema/v1/agent_service_pb";
import { GeneService } from "../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../src/gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../src/gen/noema/v1/mode_service_pb";
import { StampSchema } from "../../src/gen/noema/v1/stamp_pb";

/** The processor of the agent in the house. */
export const P1 = "p46b6b076c";

/** Who answers unless a test says otherwise. */
export const STAMP = { id: P1, time: 7 };

/** The genome of the agent in the house. */
export const GENOME = `{"agent":"simple","elements":{"nodes":[{"data":{"id":"${P1}","name":"P1","sort":true,"type":"primitive"}}]}}`;

const SERVICES = [MemoryService, ModeService, GeneService, InspectionService, KnowledgeService, AgentService];

/** One call that a processor or the agent got. */
export interface Heard {
  /** `<agent>` or `<agent>/<processor>`. */
  readonly to: string;
  readonly rpc: string;
  readonly request: Message;
}

/** How a test asks. */
export interface Asking {
  readonly body?: unknown;
  readonly key?: string | null;
  readonly accept?: string;
}

/** An answer, read. */
export interface Heeded {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

type Answerer = (request: Message, to: string) => Message | Promise<Message>;

/** A gateway with all that stands behind it. */
export class House {
  readonly heard: Heard[] = [];
  readonly gateway: Gateway;
  readonly #answerers = new Map<DescMethodUnary, Answerer>();

  constructor(keys: KeyEnv = { NOEMA_LOCAL: "true" }) {
    this.gateway = createGateway(keys, {
      agent: (agent) => this.#transport(agent),
      processor: (agent, id) => this.#transport(`${agent}/${id}`),
    });
    this.answer(AgentService.method.getGenome, { genomeJson: GENOME });
  }

  /** Says what a call is answered with from now on. */
  answer<I extends DescMessage, O extends DescMessage>(rpc: DescMethodUnary<I, O>, reply: MessageInitShape<O>): void {
    this.#answerers.set(rpc, () => create(rpc.output, reply));
  }

  /** Says how a call is answered from now on. */
  answerWith(rpc: DescMethodUnary, answerer: Answerer): void {
    this.#answerers.set(rpc, answerer);
  }

  /** Says what a call fails with from now on, with the stamp of the processor attached as a processor does. */
  fail(rpc: DescMethodUnary, code: Code, message: string): void {
    this.#answerers.set(rpc, () => {
      throw new ConnectError(message, code, undefined, [{ desc: StampSchema, value: STAMP }]);
    });
  }

  /** The request of the last call heard of a kind. */
  lastOf(rpc: DescMethodUnary): unknown {
    return this.heard.findLast((one) => one.rpc === rpc.name)?.request;
  }

  /** Asks the gateway. `path` begins with a slash; a body that is no string is sent as JSON. */
  async ask(method: string, path: string, asking: Asking = {}): Promise<Heeded> {
    const response = await this.gateway(requestOf(method, path, asking));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  }

  #transport(to: string): Transport {
    return createRouterTransport((router) => {
      for (const method of SERVICES.flatMap((service): DescMethod[] => service.methods).filter(isUnary)) {
        router.rpc(method, (request) => {
          this.heard.push({ to, rpc: method.name, request });
          const answerer = this.#answerers.get(method);
          return answerer?.(request, to) ?? create(method.output, { stamp: STAMP });
        });
      }
    });
  }
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

/** A request, with a body on GET too, which sockets carry but the constructor refuses. */
export function requestOf(method: string, path: string, { body, key, accept }: Asking = {}): Request {
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

/** A body with its time taken out, so that it can be compared to the byte. */
export function timeless(text: string): string {
  return text.replace(/"time_stamp":\d+/, '"time_stamp":T');
}

/** The whole answer around a message, time taken out. */
export function okay(message: string): string {
  return `{"id":"${P1}","interval":${STAMP.time},"message":${message},"status":"okay","time_stamp":T}`;
}

/** Every verb and path of the table, with something in the place of every name. */
export const asked = operations.flatMap(({ verbs, path }) =>
  verbs.map((verb) => [verb, path.replace(":id", P1).replace(/:(\w+)\+?/, "some-$1")] as const),
);
