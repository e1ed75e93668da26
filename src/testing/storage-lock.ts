/**
 * Keeps a folder of storage for one agent at a time: two would overwrite each other's rows. A lock of the system,
 * which ends with its holder.
 */

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** Never deleted: a new file of that name would be another lock. */
const LOCK = "lock";

/** Locks an open file; false when somebody else has it locked. */
type TryLock = (fd: number) => boolean;

/**
 * Locks a folder, also against other agents of this process.
 *
 * @param storage a folder that exists
 * @returns gives the folder free
 * @throws Error if another agent uses it
 */
export async function lockStorage(storage: string): Promise<() => void> {
  const fd = openSync(join(storage, LOCK), "a", 0o600);
  if (await isLockedNow(fd)) return () => closeSync(fd);
  closeSync(fd);
  throw new Error(
    `the storage in ${storage} is in use by another agent: stop that one first, or name another folder, or none for a temporary one`,
  );
}

async function isLockedNow(fd: number): Promise<boolean> {
  try {
    const { tryLock } = (await import(LOCKS)) as { readonly tryLock: TryLock };
    return tryLock(fd);
  } catch {
    // The file system has no locks. Then the folder is its user's to guard.
    return true;
  }
}

/** The package comes with this one, and has no types. */
const LOCKS: string = "fs-native-extensions";
