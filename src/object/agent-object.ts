/**
 * The Durable Object of one agent: keeps the genome, and puts the processors that it describes into service. A gateway
 * asks it only when it does not know the agent yet.
 */

import { DurableObject } from "cloudflare:workers";
import { AgentRestoreService } from "../gen/noema/v1/backup_service_pb";
import { HealthService } from "../gen/noema/v1/health_service_pb";
import type { MqttPort } from "../mqtt/port";
import { registerAgent } from "../rpc/services/agent-service";
import { agentRestoreService } from "../rpc/services/backup-service";
import { toConnectError } from "../rpc/services/connect-error";
import { healthService } from "../rpc/services/health-service";
import { registerKeys } from "../rpc/services/key-service";
import { registerRoutes } from "../rpc/services/route-service";
import { endpointRefusal } from "../rpc/transport/endpoint-transport";
import type { Carried } from "../rpc/transport/message-bytes";
import { mqttPlaceIn } from "../rpc/transport/mqtt-upgrade";
import { createTransports, jurisdictionRefusal, MQTT, type TransportsEnv } from "../rpc/transport/transports";
import type { UnaryReply } from "../rpc/transport/unary";
import { UnaryServer } from "../rpc/transport/unary-server";
import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { Database } from "../store/database/database";
import { isMqttStored, MqttTables } from "../store/mqtt/mqtt-tables";
import { type BudgetsEnv, budgetsOf } from "../text/budgets";
import { streamCounts } from "./counts/counts";
import { firstGenome } from "./genome/default";
import { Endpoint } from "./mqtt/endpoint";
import type { ToldEvent } from "./mqtt/event-watch";
import { ObjectAlarm } from "./object-alarm";
import { StoredAgent } from "./stored-agent";
import { StoredKeys } from "./stored-keys";
import { StoredRoutes } from "./stored-routes";

/** Maximum time that a stop waits for work of MQTT connections, in milliseconds. */
const STOP_WITHIN_MS = 500;

/** Number of messages of MQTT clients after which the runtime reads what others have sent; some milliseconds of work. */
const MESSAGES_A_TURN = 256;

/** The bindings and variables that an agent uses. */
export interface AgentEnv extends TransportsEnv, BudgetsEnv {
  /** The agents in addition to the default one, separated by white space or commas. */
  readonly NOEMA_AGENTS?: string;
}

/**
 * One agent. The object has the agent's name. An object of this class whose name begins with {@link MQTT} holds the
 * agent's MQTT connections instead, so that deployments need no further class for them.
 */
export class AgentObject extends DurableObject<AgentEnv> {
  readonly #agent: StoredAgent;
  readonly #server = new UnaryServer(toConnectError);
  readonly #alarm: ObjectAlarm;
  #endpoint: Endpoint | undefined;
  /** Number of messages of MQTT clients since the runtime last read what others have sent. */
  #messages = 0;

  constructor(ctx: DurableObjectState, env: AgentEnv) {
    super(ctx, env);
    const transports = createTransports(env);
    const routes = new StoredRoutes(
      ctx.storage,
      () => this.#agent.opened(),
      (agent) => transports.mqtt(agent).routesChanged(),
    );
    this.#agent = new StoredAgent(ctx.storage, {
      name: ctx.id.name,
      firstGenome: (name) => firstGenome(name, env.NOEMA_AGENTS ?? undefined),
      processor: (agent, id, place) => transports.processor(agent, id, { endpoint: "", place }),
      unrestricted: (agent) => transports.agent(agent, ""),
      replacingRoutes: (all) => routes.replacing(all),
      rules: {
        mostDeliveries: budgetsOf(env).deliveries,
        mostParts: budgetsOf(env).parts,
        endpointRefusal: (endpoint) => endpointRefusal(endpoint, env),
        jurisdiction: env.NOEMA_JURISDICTION || "",
        jurisdictionRefusal: (jurisdiction) => jurisdictionRefusal(jurisdiction, env),
      },
    });
    this.#alarm = new ObjectAlarm(ctx.storage);
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
   * @param body the request message
   */
  unary(path: string, body: Carried): UnaryReply | Promise<UnaryReply> {
    return this.#server.call(path, body);
  }

  /**
   * Opens a connection of an MQTT client. The gateway sends such requests to the object that holds the MQTT
   * connections.
   */
  override fetch(request: Request): Response {
    const place = mqttPlaceIn(request);
    if (place === undefined) return new Response(null, { status: 404 });
    if (streamCounts.isStopping) return new Response(null, { status: 503 });
    return this.#mqtt(place.agent).open(place);
  }

  /** Receives events from a processor's memories. @returns the kinds of events to send from now on */
  async tell(processorId: string, events: readonly ToldEvent[]): Promise<readonly string[]> {
    return this.#mqtt().tell(processorId, events);
  }

  /** Notes that the agent's routes have changed. Without an endpoint in memory, they are not known either. */
  async routesChanged(): Promise<void> {
    this.#endpoint?.routesChanged();
  }

  /** Closes all MQTT connections, because the server is stopping. */
  async endMqtt(): Promise<void> {
    this.#mqtt().stop();
    setTimeout(() => this.ctx.abort("the server stops"), STOP_WITHIN_MS);
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#mqtt().take(socket, message);
    this.#messages += 1;
    if (this.#messages < MESSAGES_A_TURN) return;
    this.#messages = 0;
    // While messages are there, the runtime reads nothing else. No event comes to this object until the pause is over.
    void this.ctx.blockConcurrencyWhile(yieldToEventLoop);
  }

  override webSocketClose(socket: WebSocket): Promise<void> {
    return this.#mqtt().closed(socket);
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.#mqtt().closed(socket);
  }

  /** Resumes an interrupted change of genomes. The object with the MQTT connections looks after these instead. */
  override async alarm(): Promise<void> {
    if (!this.#isMqtt) return this.#agent.resume();
    this.#mqtt();
    await this.#alarm.ring();
  }

  /** Whether this object holds an agent's MQTT connections. */
  get #isMqtt(): boolean {
    const { name } = this.ctx.id;
    return name?.startsWith(MQTT) ?? (this.ctx.getWebSockets().length > 0 || isMqttStored(this.ctx.storage.sql));
  }

  /** The endpoint. @param agent the agent's name, if the request has it */
  #mqtt(agent?: string): Endpoint {
    if (this.#endpoint !== undefined) return this.#endpoint;
    const { storage } = this.ctx;
    const tables = new MqttTables(new Database(storage.sql), storage);
    let port: MqttPort | undefined;
    const name = () => agent ?? this.ctx.id.name?.slice(MQTT.length) ?? this.#endpoint?.agent ?? "";
    this.#endpoint = new Endpoint({
      objectId: this.ctx.id.toString(),
      sockets: this.ctx,
      tables,
      port: () => {
        port ??= this.portOf(name());
        return port;
      },
      ringBy: (at) => this.#alarm.ringBy(at),
    });
    this.#alarm.add(this.#endpoint);
    return this.#endpoint;
  }

  /** Keys and roles, JSON, and calls of processors. The Worker's class implements it. */
  protected portOf(agent: string): MqttPort {
    throw new Error(`this Worker has no MQTT for the agent ${agent}`);
  }
}

/**
 * Stores a row and waits until it is on disk. Only the object for health checks has this row, and stores nothing else.
 */
async function store(storage: DurableObjectStorage): Promise<void> {
  await storage.put("checked_at", Date.now());
  await storage.sync();
}
