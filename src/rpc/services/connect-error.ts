/**
 * The error that a caller gets for anything a service threw. A refusal is sent with its code, its message and the
 * refusing processor; a defect is sent as an internal error without details, and logged without user data.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { MemoryFullSchema } from "../../gen/noema/v1/memory_full_pb";
import { OverLimitSchema } from "../../gen/noema/v1/over_limit_pb";
import { ProcessorUnavailableSchema } from "../../gen/noema/v1/processor_unavailable_pb";
import { type Stamp, StampSchema } from "../../gen/noema/v1/stamp_pb";
import { Fault, type FaultKind } from "../../processor/ports/fault";
import { internalError } from "../transport/internal-error";

/** The id and time of the processor that refused, as a plain message. */
export type PlainStamp = Pick<Stamp, "id" | "time">;

/**
 * The lines of a stack that name a place in the code. The lines before them repeat the message,
 * which may quote user data.
 */
const FRAME = /^\s+at /;

/** SQLite's code at the end of its message, which tells what failed without quoting user data. */
const SQLITE_CODE = /\bSQLITE_[A-Z_]+$/;

/**
 * Converts anything that a service threw into the error for the caller. A ConnectError is unchanged.
 *
 * @param path the path of the method that failed, for the log
 * @param stampOf the processor's stamp for a refusal; called only for a Fault
 */
export function toConnectError(error: unknown, path: string, stampOf?: () => PlainStamp): ConnectError {
  if (error instanceof ConnectError) return error;
  if (!(error instanceof Fault)) return defectError(error, path);
  if (error.kind === "damaged") console.error(`${path} failed: ${error.message}`);
  try {
    return refusalError(error, stampOf?.());
  } catch (defect) {
    // The processor could not be rebuilt for its stamp; send the refusal without it.
    defectError(defect, path);
    return refusalError(error, undefined);
  }
}

/** The stamp is an error detail. */
function refusalError(fault: Fault, stamp: PlainStamp | undefined): ConnectError {
  const stamps = stamp === undefined ? [] : [{ desc: StampSchema, value: { id: stamp.id, time: stamp.time } }];
  const full = fault.kind === "exhausted" ? [{ desc: MemoryFullSchema, value: {} }] : [];
  const limits = fault.kind === "over-limit" ? [{ desc: OverLimitSchema, value: {} }] : [];
  const away = fault.kind === "unavailable" ? [{ desc: ProcessorUnavailableSchema, value: {} }] : [];
  return new ConnectError(
    fault.message,
    codeOf(fault.kind),
    undefined,
    [...stamps, ...full, ...limits, ...away],
    fault,
  );
}

function codeOf(kind: FaultKind): Code {
  switch (kind) {
    case "invalid":
      return Code.InvalidArgument;
    case "unknown":
      return Code.NotFound;
    case "too-large":
      return Code.OutOfRange;
    case "over-limit":
    case "exhausted":
      return Code.ResourceExhausted;
    case "key-reused":
      return Code.AlreadyExists;
    case "conflict":
      return Code.Aborted;
    case "unavailable":
      return Code.Unavailable;
    case "damaged":
      return Code.DataLoss;
  }
}

/** Logs a defect and creates the error to send instead. */
function defectError(defect: unknown, path: string): ConnectError {
  const name = defect instanceof Error ? defect.name : typeof defect;
  const frames = defect instanceof Error ? (defect.stack ?? "").split("\n").filter((line) => FRAME.test(line)) : [];
  const code = defect instanceof Error ? (SQLITE_CODE.exec(defect.message)?.[0] ?? "") : "";
  console.error([`${path} failed with ${[name, code].join(" ").trimEnd()}`, ...frames].join("\n"));
  return internalError();
}
