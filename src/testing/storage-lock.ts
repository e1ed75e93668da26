/**
 * Reserves a storage folder for one agent at a time, since two would overwrite each other's rows. Uses a lock of the
 * operating system, which ends with its holder.
 */

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** Never deleted: a new file of that name would be another lock. */
const LOCK = "lock";

/** Locks an open file; false if it is already locked. */
type TryLock = (fd: number) => boolean;

/**
 * Locks a folder, also against other agents of this process.
 *
 * @param storage a folder that exists
 * @returns a function that releases the folder
 * @throws Error if another agent uses it
 */
export async function lockStorage(storage: string): Promise<() => void> {
  const fd = openSync(join(storage, LOCK), "a", 0o600);
  if (await isLockedNow(fd)) return () => closeSync(fd);
  closeSync(fd);
  throw new Error(
    `the storage in ${storage} is in use by another agent: stop that one first, or name another folder, ` +
      "or none for a temporary one",
  );
}

async function isLockedNow(fd: number): Promise<boolean> {
  try {
    const { tryLock } = (await import(LOCKS)) as { readonly tryLock: TryLock };
    return tryLock(fd);
  } catch {
    // The file system has no locks, so the user must keep other agents out.
    return true;
  }
}

/** The package is a dependency without types. */
const LOCKS: string = "fs-native-extensions";
