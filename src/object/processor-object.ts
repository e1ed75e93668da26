/**
 * The Durable Object of one processor: joins what comes in, over HTTP or as one native call, to the processor in its storage, and
 * has what it predicts delivered before it answers. Whatever is public here is callable from the Worker.
 */

import { DurableObject } from "cloudflare:workers";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { ProvisioningService, RosterService } from "../gen/noema/v1/provisioning_service_pb";
import type { Registrar } from "../rpc/services/host";
import { registerProcessor } from "../rpc/services/processor-services";
import { provisioningService } from "../rpc/services/provisioning-service";
import { createTransports, type TransportsEnv } from "../rpc/transport/transports";
import type { UnaryReply } from "../rpc/transport/unary";
import { failed, UnaryServer } from "../rpc/transport/unary-server";
import { BUILD } from "./build-info";
import { HttpServices } from "./http-services";
import { Outbox } from "./outbox";
import { post } from "./outbox-relay";
import { type Correspondence, KERNEL_LIMIT_BYTES, StoredProcessor } from "./stored-processor";

/** One processor, named `<agent>/<processor id>`. */
export class ProcessorObject extends DurableObject<TransportsEnv> {
  readonly #stored: StoredProcessor;
  readonly #outbox: Outbox;
  readonly #unary = new UnaryServer();
  #http: HttpServices | undefined;
  #hasAnswered = false;

  constructor(ctx: DurableObjectState, env: TransportsEnv) {
    super(ctx, env);
    const transports = createTransports(env);
    const correspondence: Correspondence = {
      eventsRecorded: () => this.#outbox.recorded(),
      noteTuned: async (agent, id) => {
        await createClient(RosterService, transports.agent(agent)).noteTuned({ id });
      },
    };
    this.#stored = new StoredProcessor(ctx.storage, KERNEL_LIMIT_BYTES, correspondence, ctx.id.toString());
    this.#outbox = new Outbox(ctx.storage, async (event) => {
      const sender = this.#stored.identity();
      if (sender !== undefined) await post(event, sender, transports);
    });
    this.#register(this.#unary);
  }

  /**
   * Answers one call of a service.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
   * @param body the bytes of the request message
   * @param calledName the friendly name under which the caller looked for the processor, if it did
   */
  unary(path: string, body: Uint8Array, calledName?: string): UnaryReply | Promise<UnaryReply> {
    if (calledName !== undefined && calledName !== this.#stored.identity()?.name) {
      return failed(path, new ConnectError("this processor has another name now", Code.FailedPrecondition));
    }
    const before = this.#outbox.recordings;
    const reply = this.#unary.call(path, body);
    if (this.#outbox.recordings === before && !this.#isOwing()) return reply;
    return this.#outbox.deliver().then(() => reply);
  }

  /** Serves Connect and gRPC-Web over HTTP. */
  override async fetch(request: Request): Promise<Response> {
    this.#http ??= new HttpServices((router) => this.#register(router));
    const before = this.#outbox.recordings;
    const response = await this.#http.handle(request);
    if (this.#outbox.recordings !== before || this.#isOwing()) await this.#outbox.deliver();
    return response;
  }

  /** Goes on with events that other processors have not observed yet. */
  override async alarm(): Promise<void> {
    if (this.#stored.identity() !== undefined) await this.#outbox.wake();
  }

  /**
   * Whether an earlier life of the object may have left events undelivered; said once a life. Its sender, which was not answered
   * then, is answered now, when they are.
   */
  #isOwing(): boolean {
    if (this.#hasAnswered) return false;
    const identity = this.#stored.identity();
    if (identity === undefined) return false;
    this.#hasAnswered = true;
    return identity.outlets.length > 0;
  }

  #register(registrar: Registrar): void {
    registerProcessor(registrar, this.#stored, BUILD);
    registrar.service(ProvisioningService, provisioningService(this.#stored));
  }
}
