/** One request on its way through the gateway: what its address says, its body, the agent that it is for, and what answers it. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Agent } from "./agents/agent";
import { type Body, readBody } from "./json/body";

/** The parameters of a path, percent-decoded. */
export type Params = { readonly [name: string]: string | undefined };

/** The members of a query; a list where a name occurs twice. */
export type Query = { readonly [name: string]: string | string[] | undefined };

/** What the address of a request says besides which operation it is for. */
export interface Address {
  readonly params: Params;
  readonly query: Query;
}

/** The body of an answer: canonical JSON text, whole or as a stream. */
export type Answer = string | ReadableStream<Uint8Array>;

/** The request that an operation answers. */
export class RequestContext implements Address {
  readonly request: Request;
  readonly agent: Agent;
  readonly params: Params;
  readonly query: Query;

  constructor(request: Request, agent: Agent, params: Params, query: Query) {
    this.request = request;
    this.agent = agent;
    this.params = params;
    this.query = query;
  }

  /**
   * Reads the body. Call it once.
   *
   * @throws Refusal 413 when the body is too large, 400 when it is not JSON
   */
  body(): Promise<Body> {
    return readBody(this.request);
  }

  /**
   * Calls the processor that the path names, by identifier or friendly name.
   *
   * @throws Refusal 404 when the agent has no such processor
   * @throws ConnectError when the processor refuses or cannot be reached
   */
  call<I extends DescMessage, O extends DescMessage>(
    rpc: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    return this.agent.call(this.params.id ?? "", rpc, message);
  }
}
