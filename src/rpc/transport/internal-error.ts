/** The error that stands for a defect on every transport. It says nothing of the defect, which belongs in the log. */

import { Code, ConnectError } from "@connectrpc/connect";

/** The error that a caller gets for a defect: code `Internal` and a message that never differs. */
export function internalError(): ConnectError {
  return new ConnectError("internal error", Code.Internal);
}
