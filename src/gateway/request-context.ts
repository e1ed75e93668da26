/** One request on its way through the gateway: its path, its body, and the agent that it is for. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Address, Params, Query } from "./address";
import type { Agent } from "./agents/agent";
import { type Body, readBody } from "./json/body";

/** What an operation sees of a request. */
export class Exchange implements Address {
  readonly request: Request;
  readonly agent: Agent;
  /** Percent-decoded. */
  readonly params: Params;
  readonly query: Query;

  constructor(request: Request, agent: Agent, params: Params, query: Query) {
    this.request = request;
    this.agent = agent;
    this.params = params;
    this.query = query;
  }

  /**
   * Reads the body; once.
   *
   * @throws Refusal 413 or 400 when it is too large or not JSON
   */
  body(): Promise<Body> {
    return readBody(this.request);
  }

  /**
   * Calls the processor that the path names, by identifier or friendly name.
   *
   * @throws Refusal 404 when the agent has no such processor
   * @throws ConnectError when it refuses or cannot be reached
   */
  call<I extends DescMessage, O extends DescMessage>(
    rpc: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    return this.agent.call(this.params.id ?? "", rpc, input);
  }
}
