/**
 * The Durable Object of one agent: keeps the genome, and puts the processors that it describes into service. It is asked when a
 * gateway does not know the agent yet, not for every call.
 */

import { DurableObject } from "cloudflare:workers";
import { registerAgent } from "../rpc/services/agent-service";
import type { Registrar } from "../rpc/services/host";
import { endpointRefusal } from "../rpc/transport/endpoint-transport";
import { createTransports, type TransportsEnv } from "../rpc/transport/transports";
import type { UnaryReply } from "../rpc/transport/unary";
import { UnaryServer } from "../rpc/transport/unary-server";
import { firstGenome } from "./genome/default";
import { HttpServices } from "./http-services";
import { StoredAgent } from "./stored-agent";

/** The bindings and variables that an agent uses. */
export interface AgentEnv extends TransportsEnv {
  /** The agents besides the default one, separated by white space or commas. */
  readonly NOEMA_AGENTS?: string;
}

/** One agent. The object has the agent's name. */
export class AgentObject extends DurableObject<AgentEnv> {
  readonly #agent: StoredAgent;
  readonly #unary = new UnaryServer();
  #http: HttpServices | undefined;

  constructor(ctx: DurableObjectState, env: AgentEnv) {
    super(ctx, env);
    const transports = createTransports(env);
    this.#agent = new StoredAgent(ctx.storage, {
      name: ctx.id.name,
      firstGenome: (name) => firstGenome(name, env.NOEMA_AGENTS ?? undefined),
      processor: (agent, id) => transports.processor(agent, id, { endpoint: "" }),
      endpointRefusal: (endpoint) => endpointRefusal(endpoint, env),
    });
    this.#register(this.#unary);
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
    this.#http ??= new HttpServices((router) => this.#register(router));
    return this.#http.handle(request);
  }

  /** Goes on with a change of genomes that was interrupted. */
  override alarm(): Promise<void> {
    return this.#agent.resume();
  }

  #register(registrar: Registrar): void {
    registerAgent(registrar, this.#agent);
  }
}
