/**
 * Failures of an object's storage, as the runtime reports them to the caller, because the object itself is gone by then
 * and can neither answer nor log. Logs the runtime's message, with the object's name and file, and no user data.
 */

import { Code, ConnectError } from "@connectrpc/connect";

/** The folder of the objects' files, where the server keeps them itself. */
export interface Disk {
  /** Writes a file, or deletes it. */
  fetch(url: string, init: { method: "PUT" | "DELETE"; body?: Uint8Array }): Promise<Pick<Response, "ok">>;
}

/** The called object, for the log, and the folder of its files. */
export interface ObjectName {
  /** What it is, for example `processor simple/p46b6b076c`. */
  readonly name: string;
  /** Its identifier, which names its files. */
  readonly id: string;
  /** Absent if it cannot be inspected, as on Cloudflare. */
  readonly disk?: Disk | null | undefined;
}

/** Part of the runtime's message when a disk, or the file system's quota, is full. */
const FULL = "SQLITE_FULL";

/** SQLite's codes for a file that is not a database, or is damaged. */
const DAMAGED = /SQLITE_(CORRUPT|NOTADB)/;

/**
 * The runtime's message for unexpected errors. A database that it cannot open is one of them: SQLite needs disk space
 * even to read. The runtime's own log then has SQLite's words.
 */
const HIDDEN = /^internal error; reference = /;

const FULL_SENTENCE =
  "the disk of the server is full: the request was rolled back and changed nothing, " +
  "unless it had already reached other processors";
const UNWRITABLE_SENTENCE =
  "the disk of the server is full, or cannot be written: the request changed nothing, " +
  "unless it had already reached other processors";
const DAMAGED_SENTENCE =
  "this processor's storage cannot be used: it is damaged, or the server's disk fails; the server's log says more, " +
  "and docs/damage.md how to restore it";

/** More than SQLite needs to open a database: its file, its log and the index of that, in bytes. */
const ROOM_BYTES = 65_536;

/**
 * The error that a caller gets if the storage of an object failed; `undefined` for any other failure. Logs it.
 *
 * @returns `ResourceExhausted` when the disk is full, `DataLoss` when the storage is damaged
 */
export async function storageFailure(error: unknown, called: () => ObjectName): Promise<ConnectError | undefined> {
  const words = error instanceof Error ? error.message : "";
  const isFull = words.includes(FULL);
  const isHidden = HIDDEN.test(words);
  if (!isFull && !isHidden && !DAMAGED.test(words)) return undefined;
  const { name, id, disk } = called();
  const isUnwritable = isHidden && !(await hasRoom(disk));
  console.error(`the storage of ${name} (${id}.sqlite) failed: ${isUnwritable ? "no room on the disk: " : ""}${words}`);
  if (isFull || isUnwritable) {
    const sentence = isFull ? FULL_SENTENCE : UNWRITABLE_SENTENCE;
    return new ConnectError(sentence, Code.ResourceExhausted, undefined, undefined, error);
  }
  return new ConnectError(DAMAGED_SENTENCE, Code.DataLoss, undefined, undefined, error);
}

/** Whether a file of {@link ROOM_BYTES} can be written, or the disk cannot be inspected. Deletes the file. */
export async function hasRoom(disk: Disk | null | undefined): Promise<boolean> {
  if (!disk) return true;
  const url = `http://disk/room-${crypto.randomUUID()}`;
  try {
    const { ok } = await disk.fetch(url, { method: "PUT", body: new Uint8Array(ROOM_BYTES) });
    if (ok) await disk.fetch(url, { method: "DELETE" });
    return ok;
  } catch {
    // The runtime reports only that it failed.
    return false;
  }
}
