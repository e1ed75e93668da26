/**
 * What every rpc of a processor has in common: it runs as a verb of the host, inside a transaction unless its contract says that it has
 * no side effects; its answer gets the processor's stamp; and what it throws becomes a Connect error.
 */

import type { DescMessage, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Stamp } from "../../gen/noema/v1/stamp_pb";
import type { Processor } from "../../processor/processor";
import { methodPath } from "../transport/unary";
import { toConnectError } from "./connect-error";

/** Owns one processor and decides when its changes are committed. */
export interface ProcessorHost {
  /**
   * The processor as it is now.
   *
   * @throws ConnectError `FailedPrecondition` when there is none
   */
  processor(): Processor;
  /**
   * Runs a verb. Passes on what the verb throws, and then keeps none of its changes.
   *
   * @param writes whether the verb may record changes; it then runs inside one transaction
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  run<Reply>(writes: boolean, verb: (processor: Processor) => Reply): Reply;
  /**
   * Called before genes change. The change waits for what it returns, and does not happen when that rejects. `undefined` when there
   * is nothing to wait for.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  beforeTuning?(): Promise<void> | undefined;
}

/** What services are registered on: the library's ConnectRouter, or the server of the unary path. */
export interface Registrar {
  service<Service extends DescService>(service: Service, implementation: Partial<ServiceImpl<Service>>): unknown;
}

/** Makes the implementation of an rpc from a verb, which returns the answer without its stamp. */
export type Serve = <Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  verb: (processor: Processor, request: MessageShape<Input>) => MessageInitShape<Output>,
) => (request: MessageShape<Input>) => MessageInitShape<Output>;

/** Serves the processor of a host. */
export function serveOn(host: ProcessorHost): Serve {
  return (method, verb) => {
    const writes = method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    return (request) => {
      try {
        return host.run(writes, (processor) => Object.assign(verb(processor, request), { stamp: stampOf(processor) }));
      } catch (error) {
        throw toConnectError(error, methodPath(method), () => stampOf(host.processor()));
      }
    };
  };
}

function stampOf(processor: Processor): Stamp {
  return { $typeName: "noema.v1.Stamp", id: processor.id, time: processor.time };
}
