/**
 * The Durable Object of one agent: keeps the genome, and puts the processors that it describes into service. It is asked when a
 * gateway does not know the agent yet, not for every call.
 */

import { DurableObject } from "cloudflare:workers";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { AgentService } from "../gen/noema/v1/agent_service_pb";
import { ProvisioningService } from "../gen/noema/v1/provisioning_service_pb";
import { agentService, type GenomeKeeper } from "../rpc/agent-service";
import { UnaryServer } from "../rpc/unary";
import type { UnaryReply } from "../rpc/unary-reply";
import { createUnaryTransport } from "../rpc/unary-transport";
import { GenomeTable } from "../store/genome-table";
import { DEFAULT_AGENT, DEFAULT_GENOME } from "./default-genome";
import type { ObjectEnv } from "./env";
import { type ProcessorNode, processorNodes } from "./genome-nodes";
import { HttpServices } from "./http-services";

/** How many processors are put into service at once. */
const PROVISIONED_AT_ONCE = 16;

/** One agent, named as such. */
export class AgentObject extends DurableObject<ObjectEnv> {
  readonly #unary: UnaryServer;
  readonly #keeper: GenomeKeeper;
  #http: HttpServices | undefined;

  constructor(ctx: DurableObjectState, env: ObjectEnv) {
    super(ctx, env);
    // An object found by a bare id has no name; only the default agent is ever found so.
    this.#keeper = new StoredGenome(ctx.id.name ?? DEFAULT_AGENT, ctx.storage, env.PROCESSORS);
    this.#unary = new UnaryServer().service(AgentService, agentService(this.#keeper));
  }

  /**
   * Answers one call of a service.
   *
   * @param path the method, for example `/noema.v1.AgentService/GetGenome`
   * @param body the bytes of the request message
   */
  unary(path: string, body: Uint8Array): UnaryReply | Promise<UnaryReply> {
    return this.#unary.call(path, body);
  }

  /** Serves Connect and gRPC-Web over HTTP. */
  override fetch(request: Request): Promise<Response> {
    this.#http ??= new HttpServices((router) => router.service(AgentService, agentService(this.#keeper)));
    return this.#http.handle(request);
  }
}

/** The genome in one object's storage, and the way to its processors. */
class StoredGenome implements GenomeKeeper {
  readonly #agent: string;
  readonly #storage: DurableObjectStorage;
  readonly #table: GenomeTable;
  readonly #processors: ObjectEnv["PROCESSORS"];
  #genome: string | undefined;
  #provisioned = false;

  constructor(agent: string, storage: DurableObjectStorage, processors: ObjectEnv["PROCESSORS"]) {
    this.#agent = agent;
    this.#storage = storage;
    this.#table = new GenomeTable(storage.sql);
    this.#processors = processors;
  }

  async genome(): Promise<string> {
    this.#genome ??= this.#table.read() ?? this.#first();
    this.#provisioned ||= this.#table.isProvisioned();
    if (!this.#provisioned) await this.#provision(processorNodes(this.#genome));
    return this.#genome;
  }

  /** The genome that an agent begins with. */
  #first(): string {
    if (this.#agent !== DEFAULT_AGENT) {
      throw new ConnectError(`there is no agent "${this.#agent}": no genome was given to it`, Code.NotFound);
    }
    this.#storage.transactionSync(() => this.#table.put(DEFAULT_GENOME));
    return DEFAULT_GENOME;
  }

  /** Puts processors into service. Repeating it, after a failure half-way, does no harm. */
  async #provision(nodes: readonly ProcessorNode[]): Promise<void> {
    for (let at = 0; at < nodes.length; at += PROVISIONED_AT_ONCE) {
      await Promise.all(nodes.slice(at, at + PROVISIONED_AT_ONCE).map((node) => this.#provisionOne(node)));
    }
    this.#storage.transactionSync(() => this.#table.markProvisioned());
    this.#provisioned = true;
  }

  async #provisionOne(node: ProcessorNode): Promise<void> {
    const transport = createUnaryTransport(() => this.#processors.getByName(`${this.#agent}/${node.id}`));
    await createClient(ProvisioningService, transport).provision(node);
  }
}
