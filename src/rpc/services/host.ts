/** The ports through which the services reach what owns the processor, and what they are registered on. */

import type { DescService } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Processor } from "../../processor/processor";

/** Owns one processor and decides when what it records lasts. */
export interface ProcessorHost {
  /**
   * The processor as it is now.
   *
   * @throws ConnectError `FailedPrecondition` when there is none
   */
  processor(): Processor;
  /**
   * Runs a verb. What it throws is thrown on, and then nothing that it recorded lasts.
   *
   * @param writes whether the verb may record; it then runs inside one transaction
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  run<Reply>(writes: boolean, verb: (processor: Processor) => Reply): Reply;
  /**
   * Asked before genes are changed; what it returns is awaited first, and when it rejects, nothing is changed. `undefined` when
   * there is nothing to wait for.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  beforeTuning?(): Promise<void> | undefined;
}

/** What services are registered on: a ConnectRouter, or the server of the unary path. */
export interface Registrar {
  service<Service extends DescService>(service: Service, implementation: Partial<ServiceImpl<Service>>): unknown;
}
