/**
 * One agent as the gateway sees it: finds processors by identifier or friendly name and calls them. Owns the cache of the
 * topology, which holds plain data only, because what belongs to one request's I/O may not be used by another.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { AgentService } from "../../gen/noema/v1/agent_service_pb";
import { excerpt } from "../../text/excerpt";
import { Refusal } from "../json/refusal";
import { type Primitive, type Topology, topologyOf } from "./topology";

/**
 * How the gateway reaches agents and their processors. Asked for a transport within the request that uses it. Deadlines are
 * the transport's: a bundled object shares its fate with the gateway and needs none.
 */
export interface Switchboard {
  /** The transport to an agent's own object. */
  agent(agent: string): Transport;
  /** The transport to a processor of an agent. */
  processor(agent: string, id: string, how: Addressing): Transport;
}

/** How a processor is addressed besides by its identifier. */
export interface Addressing {
  /** The URL at which it is served; empty when it is an object of this deployment. */
  readonly endpoint: string;
  /** The friendly name that a request used for it: a bundled object that is called otherwise by now refuses. */
  readonly calledName: string | undefined;
}

/** A genome and what the gateway read from it. */
export interface Genome {
  /** The genome as JSON text. */
  readonly json: string;
  readonly topology: Topology;
}

/** A genome as it is now. */
export interface LiveGenome extends Genome {
  /** The identifiers of the processors whose genes may differ from what their nodes say. */
  readonly tuned: readonly string[];
}

/** One agent. Lives as long as the isolate. */
export class Agent {
  /** The name under which the deployment knows the agent. */
  readonly name: string;
  readonly #switchboard: Switchboard;
  /** The genome read last, and its revision. */
  #known: (Genome & { readonly revision: number }) | undefined;

  constructor(name: string, switchboard: Switchboard) {
    this.name = name;
    this.#switchboard = switchboard;
  }

  /**
   * Asks the agent for its genome.
   *
   * @param wanted the identifier or friendly name of a processor that is not in service, and is to be, when the agent has it
   */
  async genome(wanted = ""): Promise<LiveGenome> {
    // Kept from before the call: another request may forget it meanwhile, and the answer may be that it is still the one.
    const known = this.#known;
    const { genomeJson, revision, tuned } = await this.ask(AgentService.method.getGenome, {
      knownRevision: known?.revision ?? 0,
      wanted,
    });
    const isNew = genomeJson !== "" && genomeJson !== known?.json;
    const genome = isNew ? { json: genomeJson, topology: topologyOf(genomeJson) } : known;
    if (genome === undefined) throw new Error("an agent says that its genome is known, and it is not");
    this.#known = { json: genome.json, topology: genome.topology, revision };
    return { ...genome, tuned };
  }

  /**
   * Gives the agent another genome.
   *
   * @param purge delete the data of processors that are in it no more
   * @returns the genome's revision
   * @throws ConnectError `InvalidArgument` when the agent does not accept it; nothing has changed
   */
  async hotswap(genomeJson: string, purge: boolean): Promise<{ revision: number }> {
    const { revision } = await this.ask(AgentService.method.hotswap, { genomeJson, purge });
    this.#known = undefined;
    return { revision };
  }

  /** The identifier of the agent's only processor; `undefined` when it has none, or several. */
  async onlyProcessor(): Promise<string | undefined> {
    const { primitives } = (await this.genome()).topology;
    return primitives.length === 1 ? primitives[0]?.id : undefined;
  }

  /**
   * Finds a processor.
   *
   * @param word its identifier or its friendly name
   * @throws Refusal 404 when the agent has no such processor
   */
  async find(word: string): Promise<Primitive> {
    return this.#bundled(word) ?? this.#findAnew(word);
  }

  /**
   * A processor that need not be looked up. The agent is asked about one that is served elsewhere every time: an old address would
   * answer as if all were well.
   */
  #bundled(word: string): Primitive | undefined {
    const known = this.#known?.topology.byWord.get(word);
    return known?.endpoint === "" ? known : undefined;
  }

  /**
   * Calls a processor. One that says it is not in service, or not called so, is looked up and called once more, because the
   * topology known here may be older than the agent's, and reading it again puts new processors in service.
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
      return await this.#callOnce(this.#bundled(word) ?? (await this.#findAnew(word)), word, rpc, input);
    } catch (reason) {
      if (!isOutOfService(reason)) throw reason;
    }
    try {
      return await this.#callOnce(await this.#findAnew(word, word), word, rpc, input);
    } catch (reason) {
      throw isOutOfService(reason) ? unknownProcessor(word) : reason;
    }
  }

  async #findAnew(word: string, wanted?: string): Promise<Primitive> {
    const primitive = (await this.genome(wanted)).topology.byWord.get(word);
    if (primitive === undefined) throw unknownProcessor(word);
    return primitive;
  }

  async #callOnce<I extends DescMessage, O extends DescMessage>(
    { id, endpoint }: Primitive,
    word: string,
    rpc: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    const calledName = word === id ? undefined : word;
    const transport = this.#switchboard.processor(this.name, id, { endpoint, calledName });
    return (await transport.unary(rpc, undefined, undefined, undefined, input)).message;
  }

  /** Calls the agent itself. @throws ConnectError when it refuses or cannot be reached */
  async ask<I extends DescMessage, O extends DescMessage>(
    rpc: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    return (await this.#switchboard.agent(this.name).unary(rpc, undefined, undefined, undefined, input)).message;
  }
}

function isOutOfService(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.FailedPrecondition;
}

function unknownProcessor(word: string): Refusal {
  return new Refusal(404, `there is no processor ${excerpt(word)}; the path must begin with the id or the name of one`);
}
