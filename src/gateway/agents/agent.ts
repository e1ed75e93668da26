/**
 * One agent as the gateway sees it: finds processors by identifier or friendly name and calls them. Owns the cache of
 * the topology. The cache holds plain data only, because one request must not use the I/O of another.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { AgentService, type HotswapResponse, type ProcessorPlace } from "../../gen/noema/v1/agent_service_pb";
import {
  AgentRestoreService,
  type CommitRestoreRequestSchema,
  type CommitRestoreResponse,
} from "../../gen/noema/v1/backup_service_pb";
import {
  type CreateKeyRequestSchema,
  type DeleteKeyRequestSchema,
  type GetKeysResponse,
  type IssuedKey,
  KeyService,
} from "../../gen/noema/v1/key_service_pb";
import type { StreamPlace } from "../../rpc/transport/stream-upgrade";
import type { Transports } from "../../rpc/transport/transports";
import type { UnaryCall } from "../../rpc/transport/unary";
import { excerpt } from "../../text/excerpt";
import { ANYWHERE } from "../../text/placement";
import { Refusal } from "../refusal";
import { countRepeats } from "../watching/metrics";
import { type Primitive, type Topology, topologyOf } from "./topology";

/** A genome as text, and its parsed parts. */
export interface Genome {
  /** The genome as JSON text. */
  readonly json: string;
  readonly topology: Topology;
}

/** The current genome of an agent. */
interface LiveGenome extends Genome {
  /** The identifiers of the processors whose genes may differ from their nodes' settings. */
  readonly tuned: readonly string[];
}

/** Parameters of a call besides its message. */
export type CallAbout = Omit<UnaryCall, "calledName">;

/** One agent. Lives as long as the isolate. */
export class Agent {
  /** The agent's name in the deployment. */
  readonly name: string;
  readonly #transports: Transports;
  readonly #locationHint: string;
  /** Number of changes of the agent's keys through this gateway. */
  keyChanges = 0;
  /** The genome read last, with its revision. */
  #known: (Genome & { readonly revision: number }) | undefined;

  /** @param locationHint the region for processors without a place of their own; empty for none */
  constructor(name: string, transports: Transports, locationHint = "") {
    this.name = name;
    this.#transports = transports;
    this.#locationHint = locationHint;
  }

  /**
   * Asks the agent for its genome.
   *
   * @param wanted the identifier or friendly name of a processor for the agent to put into service, if it has it
   */
  async genome(wanted = ""): Promise<LiveGenome> {
    // Read it before the call: another request may drop it meanwhile, and the agent may answer that it is unchanged.
    const known = this.#known;
    const { genomeJson, revision, tuned, placed } = await this.ask(AgentService.method.getGenome, {
      knownRevision: known?.revision ?? 0,
      wanted,
    });
    const isNew = genomeJson !== "" && (genomeJson !== known?.json || placed.length > 0);
    const genome = isNew ? { json: genomeJson, topology: this.#topologyOf(genomeJson, placed) } : known;
    if (genome === undefined)
      throw new Error("an agent says that the gateway knows its genome, but the gateway does not");
    this.#known = { json: genome.json, topology: genome.topology, revision };
    return { ...genome, tuned };
  }

  #topologyOf(genomeJson: string, placed: readonly ProcessorPlace[]): Topology {
    const otherPlace = { ...ANYWHERE, locationHint: this.#locationHint };
    const places = placed.map(({ id, locationHint, jurisdiction }) => {
      return [id, { locationHint: locationHint || this.#locationHint, jurisdiction }] as const;
    });
    return topologyOf(genomeJson, new Map(places), otherPlace);
  }

  /**
   * Replaces the agent's genome.
   *
   * @param purge whether to delete the data of processors that the new genome does not have
   * @throws ConnectError `InvalidArgument` when the agent does not accept it; nothing has changed
   */
  async hotswap(genomeJson: string, purge: boolean): Promise<HotswapResponse> {
    const answer = await this.ask(AgentService.method.hotswap, { genomeJson, purge });
    this.#known = undefined;
    return answer;
  }

  /** The identifier of the agent's only processor; `undefined` if it has none, or several. */
  async onlyProcessor(): Promise<string | undefined> {
    const { primitives } = (await this.genome()).topology;
    return primitives.length === 1 ? primitives[0]?.id : undefined;
  }

  /**
   * Finds a processor.
   *
   * @param idOrName its identifier or its friendly name
   * @throws Refusal 404 when the agent has no such processor
   */
  async find(idOrName: string): Promise<Primitive> {
    return this.#fromCache(idOrName) ?? this.#lookUp(idOrName);
  }

  /**
   * The processor from the cache; `undefined` when it must be looked up. A processor on another server is always looked
   * up, because an old address would answer as if nothing had changed.
   */
  #fromCache(idOrName: string): Primitive | undefined {
    const known = this.#known?.topology.byIdOrName.get(idOrName);
    return known?.endpoint === "" ? known : undefined;
  }

  /**
   * The object under which the calls of a processor are counted: the same one while the genome stays the same.
   *
   * @param idOrName its identifier or its friendly name
   * @returns the agent itself for a processor that it does not know; `undefined` for one on another server
   */
  countedAs(idOrName: string): object | undefined {
    const known = this.#known?.topology.byIdOrName.get(idOrName);
    if (known === undefined) return this;
    return known.endpoint === "" ? known : undefined;
  }

  /** The identifier of a processor that the agent is known to have; `undefined` for any other text. Makes no call. */
  idOf(idOrName: string): string | undefined {
    return this.#known?.topology.byIdOrName.get(idOrName)?.id;
  }

  /**
   * Calls a processor. If it answers that it is not in service, or has another name, looks it up and calls it once
   * more: the cached topology may be outdated, and the lookup puts new processors into service.
   *
   * @param idOrName the processor's identifier or its friendly name
   * @param about parameters of the call besides the message
   * @param isId whether it must be the identifier, because a former identifier may be another processor's name by now
   * @throws Refusal 404 when the agent has no such processor, 500 when it has, but the processor's storage is
   *   empty
   * @throws ConnectError when it refuses or cannot be reached
   */
  call<I extends DescMessage, O extends DescMessage>(
    idOrName: string,
    rpc: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
    about: CallAbout = {},
    isId = false,
  ): Promise<MessageShape<O>> {
    return this.#reach(idOrName, isId, (primitive) => {
      const { id, endpoint } = primitive;
      if (endpoint !== "" && about.idempotency !== undefined) throw keepsNoAnswers(id);
      const call = idOrName === id ? about : { ...about, calledName: idOrName };
      return messageOf(this.#transports.processor(this.name, id, primitive, call), rpc, message);
    });
  }

  /**
   * Opens a stream to a processor.
   *
   * @param idOrName the processor's identifier or its friendly name
   * @param isId whether only an identifier counts
   * @throws Refusal 404 when the agent has no such processor, 400 when it is on another server, 500 as {@link call}
   * @throws ConnectError when it refuses or cannot be reached
   */
  openStream(idOrName: string, stream: Omit<StreamPlace, "calledName">, isId = false): Promise<WebSocket> {
    return this.#reach(idOrName, isId, async ({ id, endpoint, place }) => {
      if (endpoint !== "") {
        throw new Refusal(400, `the processor ${excerpt(id)} is served elsewhere, and streams do not reach it`);
      }
      const calledName = idOrName === id ? undefined : idOrName;
      return this.#transports.openStream(this.name, id, place, { ...stream, calledName });
    });
  }

  /**
   * Runs an action on a processor. If the processor is out of service, or has another name, looks it up and tries once
   * more.
   */
  async #reach<Answer>(
    idOrName: string,
    isId: boolean,
    answerOf: (primitive: Primitive) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const first = this.#fromCache(idOrName) ?? (await this.#lookUp(idOrName));
      if (isId && first.id !== idOrName) throw unknownProcessor(idOrName);
      return await answerOf(first);
    } catch (reason) {
      if (!isOutOfService(reason)) throw reason;
    }
    const found = await this.#lookUp(idOrName, idOrName);
    if (isId && found.id !== idOrName) throw unknownProcessor(idOrName);
    try {
      return await answerOf(found);
    } catch (reason) {
      if (!isOutOfService(reason)) throw reason;
      throw found.endpoint === "" ? emptyProcessor(found.id) : unknownProcessor(idOrName);
    }
  }

  /**
   * Calls a processor of the genome once, without putting it into service.
   *
   * @returns `undefined` if it is not in service because it was never used
   * @throws ConnectError when it refuses or cannot be reached
   */
  async callIfInService<I extends DescMessage, O extends DescMessage>(
    primitive: Primitive,
    rpc: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
  ): Promise<MessageShape<O> | undefined> {
    try {
      return await messageOf(this.#transports.processor(this.name, primitive.id, primitive), rpc, message);
    } catch (reason) {
      if (isOutOfService(reason)) return undefined;
      throw reason;
    }
  }

  /**
   * Calls the object of a processor of this deployment, in service or not.
   *
   * @throws ConnectError when it refuses or cannot be reached
   */
  callObject<I extends DescMessage, O extends DescMessage>(
    { id, place }: Pick<Primitive, "id" | "place">,
    rpc: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    return messageOf(this.#transports.processor(this.name, id, { endpoint: "", place }), rpc, message);
  }

  /**
   * Replaces the agent by what a restore staged, all or nothing.
   *
   * @throws ConnectError when the agent or one of its processors refuses
   */
  async restore(message: MessageInitShape<typeof CommitRestoreRequestSchema>): Promise<CommitRestoreResponse> {
    try {
      return await this.ask(AgentRestoreService.method.commitRestore, message);
    } finally {
      this.#known = undefined;
    }
  }

  async #lookUp(idOrName: string, wanted?: string): Promise<Primitive> {
    const primitive = (await this.genome(wanted)).topology.byIdOrName.get(idOrName);
    if (primitive === undefined) throw unknownProcessor(idOrName);
    return primitive;
  }

  /**
   * The keys that the agent has issued, up to date.
   *
   * @param knownRevision the revision already known; `undefined` for none
   */
  askKeys(knownRevision?: number): Promise<GetKeysResponse> {
    return this.ask(KeyService.method.getKeys, knownRevision === undefined ? {} : { knownRevision });
  }

  /** Stores a new key. @throws ConnectError `ResourceExhausted` if the agent already has the maximum number */
  async createKey(request: MessageInitShape<typeof CreateKeyRequestSchema>): Promise<IssuedKey> {
    const { key } = await this.#changeKeys(() => this.ask(KeyService.method.createKey, request));
    if (key === undefined) throw new Error("an agent's answer lacks the stored key");
    return key;
  }

  /** Removes a key, if there is one. */
  async deleteKey(request: MessageInitShape<typeof DeleteKeyRequestSchema>): Promise<void> {
    await this.#changeKeys(() => this.ask(KeyService.method.deleteKey, request));
  }

  async #changeKeys<Reply>(change: () => Promise<Reply>): Promise<Reply> {
    try {
      return await change();
    } finally {
      // Even without an answer: the change may have taken place.
      this.keyChanges += 1;
    }
  }

  /**
   * Calls the agent itself.
   *
   * @throws Refusal 500 when the agent lives in another jurisdiction than the deployment's
   * @throws ConnectError when it refuses or cannot be reached
   */
  async ask<I extends DescMessage, O extends DescMessage>(
    rpc: DescMethodUnary<I, O>,
    message: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    try {
      return await messageOf(this.#transports.agent(this.name), rpc, message);
    } catch (reason) {
      // The operator has to correct a variable.
      if (reason instanceof ConnectError && isOutOfService(reason)) throw new Refusal(500, reason.rawMessage);
      throw reason;
    }
  }
}

/** A processor on another server may be any program, and may not keep answers. */
function keepsNoAnswers(id: string): Refusal {
  return new Refusal(
    400,
    `the processor ${excerpt(id)} is served elsewhere and keeps no answers; ` +
      "send the call without the header Idempotency-Key",
  );
}

/** The message that answers a call, counted. */
function messageOf<I extends DescMessage, O extends DescMessage>(
  transport: Transport,
  rpc: DescMethodUnary<I, O>,
  message: MessageInitShape<I>,
): Promise<MessageShape<O>> {
  return transport.unary(rpc, undefined, undefined, undefined, message).then((reply) => countRepeats(reply.message));
}

function isOutOfService(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.FailedPrecondition;
}

/** The agent has put the processor in service, so what the processor stored is lost. */
function emptyProcessor(id: string): Refusal {
  return new Refusal(
    500,
    `the agent's genome has the processor ${excerpt(id)}, but the processor's storage holds nothing: ` +
      "docs/damage.md says how to restore it",
  );
}

function unknownProcessor(idOrName: string): Refusal {
  return new Refusal(
    404,
    `there is no processor ${excerpt(idOrName)}; the path must begin with the id or the name of one`,
  );
}
