/**
 * One agent as the gateway sees it: finds processors by identifier or friendly name and calls them. Owns the cache of the
 * topology, which holds plain data only, because what belongs to one request's I/O may not be used by another.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { AgentService } from "../gen/noema/v1/agent_service_pb";
import { Refusal } from "./refusal";
import { type Topology, topologyOf } from "./topology";
import { quoted } from "./value-text";

/**
 * How the gateway reaches agents and their processors. Asked for a transport within the request that uses it. Deadlines are
 * the transport's: a bundled object shares its fate with the gateway and needs none.
 */
export interface Switchboard {
  /** The transport to an agent's own object. */
  agent(agent: string): Transport;
  /** The transport to a processor of an agent. */
  processor(agent: string, id: string): Transport;
}

/** A genome and what the gateway read from it. */
export interface Genome {
  /** The genome as JSON text. */
  readonly json: string;
  readonly topology: Topology;
}

/** One agent. Lives as long as the isolate. */
export class Agent {
  /** The name under which the deployment knows the agent. */
  readonly name: string;
  readonly #switchboard: Switchboard;
  #genome: Genome | undefined;

  constructor(name: string, switchboard: Switchboard) {
    this.name = name;
    this.#switchboard = switchboard;
  }

  /** Asks the agent for its genome, which also puts its processors in service. */
  async genome(): Promise<Genome> {
    const { message } = await this.#switchboard
      .agent(this.name)
      .unary(AgentService.method.getGenome, undefined, undefined, undefined, {});
    if (message.genomeJson !== this.#genome?.json) {
      this.#genome = { json: message.genomeJson, topology: topologyOf(message.genomeJson) };
    }
    return this.#genome;
  }

  /**
   * Finds a processor.
   *
   * @param word its identifier or its friendly name
   * @returns its identifier
   * @throws Refusal 404 when the agent has no such processor
   */
  async find(word: string): Promise<string> {
    const id = this.#genome?.topology.ids.get(word) ?? (await this.genome()).topology.ids.get(word);
    if (id === undefined) throw unknownProcessor(word);
    return id;
  }

  /**
   * Calls a processor. One that says it is not in service is looked up and called once more, because the topology known
   * here may be older than the agent's, and reading it again puts new processors in service.
   *
   * @param word the processor's identifier or its friendly name
   * @throws Refusal 404 when the agent has no such processor
   * @throws ConnectError when it refuses or cannot be reached
   */
  async call<I extends DescMessage, O extends DescMessage>(
    word: string,
    rpc: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    try {
      return await this.#callOnce(await this.find(word), rpc, input);
    } catch (reason) {
      if (!isOutOfService(reason)) throw reason;
    }
    const id = (await this.genome()).topology.ids.get(word);
    if (id === undefined) throw unknownProcessor(word);
    try {
      return await this.#callOnce(id, rpc, input);
    } catch (reason) {
      throw isOutOfService(reason) ? unknownProcessor(word) : reason;
    }
  }

  async #callOnce<I extends DescMessage, O extends DescMessage>(
    id: string,
    rpc: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    const transport = this.#switchboard.processor(this.name, id);
    return (await transport.unary(rpc, undefined, undefined, undefined, input)).message;
  }
}

function isOutOfService(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.FailedPrecondition;
}

function unknownProcessor(word: string): Refusal {
  return new Refusal(404, `there is no processor ${quoted(word)}; the path must begin with the id or the name of one`);
}
