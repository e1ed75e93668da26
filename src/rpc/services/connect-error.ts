/** How a refusal of the processor travels: which Connect code each kind of Fault has, and who refused. */

import { Code, ConnectError } from "@connectrpc/connect";
import { type Stamp, StampSchema } from "../../gen/noema/v1/stamp_pb";
import type { Fault, FaultKind } from "../../processor/ports/fault";

/** The id and time of the processor that refused, as a plain message. */
export type PlainStamp = Pick<Stamp, "id" | "time">;

/** The Connect code of a kind of Fault. */
export function codeOf(kind: FaultKind): Code {
  switch (kind) {
    case "invalid":
      return Code.InvalidArgument;
    case "too-large":
      return Code.OutOfRange;
    case "exhausted":
      return Code.ResourceExhausted;
    case "conflict":
      return Code.Aborted;
  }
}

/**
 * A Fault as the error that travels. The stamp goes along as an error detail, so that the caller can say who failed and when.
 *
 * @param stamp who refused; `undefined` when no processor was there to say
 */
export function connectErrorOf(fault: Fault, stamp: PlainStamp | undefined): ConnectError {
  const details = stamp === undefined ? [] : [{ desc: StampSchema, value: { id: stamp.id, time: stamp.time } }];
  return new ConnectError(fault.message, codeOf(fault.kind), undefined, details, fault);
}
