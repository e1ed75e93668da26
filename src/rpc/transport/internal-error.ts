/**
 * The error that is sent for a defect on every transport. It does not describe the defect, which belongs in the log.
 */

import { Code, ConnectError } from "@connectrpc/connect";

/** The error that a caller gets for a defect: code `Internal` and always the same message. */
export function internalError(): ConnectError {
  return new ConnectError("internal error", Code.Internal);
}
