/**
 * What every rpc of a processor has in common: it runs as a verb of the host, inside a transaction unless its contract says that it has
 * no side effects; its answer gets the processor's stamp; and what it throws becomes a Connect error.
 */

import {
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  getOption,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { serves_session } from "../../gen/noema/v1/session_pb";
import type { Stamp } from "../../gen/noema/v1/stamp_pb";
import { Fault } from "../../processor/ports/fault";
import type { Processor } from "../../processor/processor";
import { sessionOf } from "../transport/session";
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
   * @param session the session whose memory the verb is about; empty for the processor's own memory
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  run<Reply>(writes: boolean, verb: (processor: Processor) => Reply, session: string): Reply;
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
) => (request: MessageShape<Input>, context: HandlerContext) => MessageInitShape<Output>;

/** Serves the processor of a host. */
export function serveOn(host: ProcessorHost): Serve {
  return (method, verb) => {
    const writes = method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    const servesSession = getOption(method, serves_session);
    return (request, context) => {
      let session = "";
      try {
        session = sessionOf(context);
        if (session !== "" && !servesSession) throw noSession(method);
        const answer = (processor: Processor) => Object.assign(verb(processor, request), { stamp: stampOf(processor) });
        return host.run(writes, answer, session);
      } catch (error) {
        throw toConnectError(error, methodPath(method), () => stampOf(host.processor().in(session)));
      }
    };
  };
}

/** The refusal of a session where the call is not about one memory. */
function noSession({ parent, name }: DescMethod): Fault {
  return new Fault("invalid", `${parent.name}/${name} is about no single memory: it takes no session`);
}

function stampOf(processor: Processor): Stamp {
  return { $typeName: "noema.v1.Stamp", id: processor.id, time: processor.time };
}
