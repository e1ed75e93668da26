/** The keys that the agent has issued. All functions need the role admin. */

import type { CreatedKey, IssuedKey, NewKey } from "./gen/operations";
import { message } from "./transport/call";
import type { Noema } from "./transport/connection";
import type { CallOptions } from "./transport/exchange";
import { checked } from "./transport/members";
import { segment } from "./transport/names";

/**
 * Issues a key. Never retried: if no answer came, look for it with {@link listKeys}, and delete
 * it, since its text is lost.
 *
 * @returns the key; its member `key` is the text that clients send, and no later answer has it
 * @throws NoemaError 400 if a right is wrong, 403 if the role admin is missing, 429 if the agent already has
 *   the maximum number of keys
 */
export async function createKey(noema: Noema, rights: NewKey, options?: CallOptions): Promise<CreatedKey> {
  checked("a key", "member", rights, { name: 1, roles: 1, processors: 1, sessions: 1, expires: 1, per_minute: 1 });
  const call = {
    operation: "createKey",
    method: "POST",
    path: "keys",
    body: { data: rights },
    repeats: "once",
  } as const;
  return message(noema, call, options);
}

/** The issued keys, oldest first, without their secrets. */
export function listKeys(noema: Noema, options?: CallOptions): Promise<IssuedKey[]> {
  return message(noema, { operation: "listKeys", method: "GET", path: "keys", repeats: "read" }, options);
}

/**
 * Deletes an issued key, if there is one. Within 30 s, no server accepts it any more.
 *
 * @param id its identifier, which is the middle part of its text
 */
export async function deleteKey(noema: Noema, id: string, options?: CallOptions): Promise<void> {
  const path = `keys/${segment("the id of a key", id)}`;
  // Idempotent.
  await message(noema, { operation: "deleteKey", method: "DELETE", path, repeats: "read" }, options);
}
