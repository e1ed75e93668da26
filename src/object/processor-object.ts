/**
 * The Durable Object of one processor: joins what comes in, over HTTP or as one native call, to the processor in its storage.
 * Whatever is public here is callable from the Worker.
 */

import { DurableObject } from "cloudflare:workers";
import { ProvisioningService } from "../gen/noema/v1/provisioning_service_pb";
import type { Registrar } from "../rpc/host";
import { registerProcessor } from "../rpc/processor-services";
import { provisioningService } from "../rpc/provisioning-service";
import { UnaryServer } from "../rpc/unary";
import type { UnaryReply } from "../rpc/unary-reply";
import { BUILD } from "./build-info";
import type { ObjectEnv } from "./env";
import { HttpServices } from "./http-services";
import { StoredProcessor } from "./stored-processor";

/** One processor, named `<agent>/<processor id>`. */
export class ProcessorObject extends DurableObject<ObjectEnv> {
  readonly #stored: StoredProcessor;
  readonly #unary = new UnaryServer();
  #http: HttpServices | undefined;

  constructor(ctx: DurableObjectState, env: ObjectEnv) {
    super(ctx, env);
    this.#stored = new StoredProcessor(ctx.storage);
    this.#register(this.#unary);
  }

  /**
   * Answers one call of a service.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
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

  #register(registrar: Registrar): void {
    registerProcessor(registrar, this.#stored, BUILD);
    registrar.service(ProvisioningService, provisioningService(this.#stored));
  }
}
