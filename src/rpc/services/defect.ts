/** What becomes of an error that is no refusal: the caller learns nothing of it, the log all but the user's data. */

import { Code, ConnectError } from "@connectrpc/connect";

/** The text of every internal error. */
const INTERNAL = "internal error";

/** The lines of a stack that say where; the first lines repeat the message, which may quote user data. */
const FRAME = /^\s+at /;

/**
 * Logs a defect and makes the error that travels instead.
 *
 * @param where the path of the method that failed, for the log
 */
export function defectError(where: string, defect: unknown): ConnectError {
  const name = defect instanceof Error ? defect.name : typeof defect;
  const frames = defect instanceof Error ? (defect.stack ?? "").split("\n").filter((line) => FRAME.test(line)) : [];
  console.error([`${where} failed with ${name}`, ...frames].join("\n"));
  return new ConnectError(INTERNAL, Code.Internal);
}
