/**
 * Failures of an object's storage, as the runtime reports them to the caller: the object itself is gone by then and can neither answer nor
 * log. Logs what the runtime says, with the object's name and file, and nothing that a user sent.
 */

import { Code, ConnectError } from "@connectrpc/connect";

/** Which object was called, for the log. */
export interface ObjectName {
  /** What it is, for example `processor simple/p46b6b076c`. */
  readonly name: string;
  /** Its identifier, which names its files. */
  readonly id: string;
}

/** Stands in what the runtime says when a disk, or the file system's quota, is full. */
const FULL = "SQLITE_FULL";

/** SQLite's codes for a file that is none of its, or not as SQLite left it. */
const DAMAGED = /SQLITE_(CORRUPT|NOTADB)/;

/** How the runtime hides what it did not expect. A database that it cannot open is that, too; its own log then has SQLite's words. */
const HIDDEN = /^internal error; reference = /;

const FULL_SENTENCE =
  "the disk of the server is full: the request was rolled back and changed nothing, unless it had already reached other processors";
const DAMAGED_SENTENCE =
  "this processor's storage cannot be used: it is damaged, or the server's disk fails; the server's log says more, and docs/damage.md how to restore it";

/**
 * The error that a caller gets when the storage of an object failed; `undefined` for any other failure. Logs it.
 *
 * @returns `ResourceExhausted` when the disk is full, `DataLoss` when the storage is damaged
 */
export function storageFailure(error: unknown, called: () => ObjectName): ConnectError | undefined {
  const words = error instanceof Error ? error.message : "";
  const isFull = words.includes(FULL);
  if (!isFull && !DAMAGED.test(words) && !HIDDEN.test(words)) return undefined;
  const { name, id } = called();
  console.error(`the storage of ${name} (${id}.sqlite) failed: ${words}`);
  return isFull
    ? new ConnectError(FULL_SENTENCE, Code.ResourceExhausted, undefined, undefined, error)
    : new ConnectError(DAMAGED_SENTENCE, Code.DataLoss, undefined, undefined, error);
}
