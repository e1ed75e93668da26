/**
 * What every rpc of a processor has in common, said once: it runs as a verb of the host, writing only when the contract does not
 * call it free of side effects; its answer is stamped; its refusals become Connect errors and its defects internal ones.
 */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import type { Stamp } from "../../gen/noema/v1/stamp_pb";
import { Fault } from "../../processor/ports/fault";
import type { Processor } from "../../processor/processor";
import { methodPath } from "../transport/method-path";
import { connectErrorOf, type PlainStamp } from "./connect-error";
import { defectError } from "./defect";
import type { ProcessorHost } from "./host";

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
        throw travelling(error, methodPath(method), () => stampOf(host.processor()));
      }
    };
  };
}

/**
 * An error as it may travel.
 *
 * @param where the path of the method that failed, for the log
 * @param stamp who failed; asked only for a refusal
 */
export function travelling(error: unknown, where: string, stamp: () => PlainStamp | undefined): ConnectError {
  if (error instanceof ConnectError) return error;
  if (!(error instanceof Fault)) return defectError(where, error);
  try {
    return connectErrorOf(error, stamp());
  } catch (defect) {
    // The refusal stands, whatever kept the processor from being rebuilt.
    defectError(where, defect);
    return connectErrorOf(error, undefined);
  }
}

function stampOf(processor: Processor): Stamp {
  return { $typeName: "noema.v1.Stamp", id: processor.id, time: processor.time };
}
