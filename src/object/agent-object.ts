/**
 * The Durable Object of one agent: keeps the genome, and puts the processors that it describes into service. A gateway
 * asks it when it does not know the agent yet, not for every call.
 */

import { DurableObject } from "cloudflare:workers";
import { AgentRestoreService } from "../gen/noema/v1/backup_service_pb";
import { HealthService } from "../gen/noema/v1/health_service_pb";
import { registerAgent } from "../rpc/services/agent-service";
import { agentRestoreService } from "../rpc/services/backup-service";
import { toConnectError } from "../rpc/services/connect-error";
import { healthService } from "../rpc/services/health-service";
import { registerKeys } from "../rpc/services/key-service";
import { registerRoutes } from "../rpc/services/route-service";
import { endpointRefusal } from "../rpc/transport/endpoint-transport";
import { createTransports, jurisdictionRefusal, type TransportsEnv } from "../rpc/transport/transports";
import type { UnaryReply } from "../rpc/transport/unary";
import { UnaryServer } from "../rpc/transport/unary-server";
import { type BudgetsEnv, budgetsOf } from "../text/budgets";
import { firstGenome } from "./genome/default";
import { StoredAgent } from "./stored-agent";
import { StoredKeys } from "./stored-keys";
import { StoredRoutes } from "./stored-routes";

/** The bindings and variables that an agent uses. */
export interface AgentEnv extends TransportsEnv, BudgetsEnv {
  /** The agents in addition to the default one, separated by white space or commas. */
  readonly NOEMA_AGENTS?: string;
}

/** One agent. The object has the agent's name. */
export class AgentObject extends DurableObject<AgentEnv> {
  readonly #agent: StoredAgent;
  readonly #server = new UnaryServer(toConnectError);

  constructor(ctx: DurableObjectState, env: AgentEnv) {
    super(ctx, env);
    const transports = createTransports(env);
    const routes = new StoredRoutes(ctx.storage, () => this.#agent.opened());
    this.#agent = new StoredAgent(ctx.storage, {
      name: ctx.id.name,
      firstGenome: (name) => firstGenome(name, env.NOEMA_AGENTS ?? undefined),
      processor: (agent, id, place) => transports.processor(agent, id, { endpoint: "", place }),
      unrestricted: (agent) => transports.agent(agent, ""),
      replacingRoutes: (all) => routes.replacing(all),
      rules: {
        mostDeliveries: budgetsOf(env).deliveries,
        endpointRefusal: (endpoint) => endpointRefusal(endpoint, env),
        jurisdiction: env.NOEMA_JURISDICTION || "",
        jurisdictionRefusal: (jurisdiction) => jurisdictionRefusal(jurisdiction, env),
      },
    });
    registerAgent(this.#server, this.#agent);
    registerKeys(this.#server, new StoredKeys(ctx.storage, () => this.#agent.opened(), budgetsOf(env).keys));
    registerRoutes(this.#server, routes);
    this.#server.service(
      HealthService,
      healthService(() => store(ctx.storage)),
    );
    this.#server.service(AgentRestoreService, agentRestoreService(this.#agent));
  }

  /**
   * Answers one call of a service.
   *
   * @param path the method, for example `/noema.v1.AgentService/GetGenome`
   * @param body the bytes of the request message
   */
  unary(path: string, body: Uint8Array): UnaryReply | Promise<UnaryReply> {
    return this.#server.call(path, body);
  }

  /** Resumes an interrupted change of genomes. */
  override alarm(): Promise<void> {
    return this.#agent.resume();
  }
}

/**
 * Stores a row and waits until it is on disk. Only the object that is asked for its health has
 * this row, and nothing else.
 */
async function store(storage: DurableObjectStorage): Promise<void> {
  await storage.put("checked_at", Date.now());
  await storage.sync();
}
