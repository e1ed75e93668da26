/** Answers about keys. Shows a secret only in the answer to the request that created it. */

import { type IssuedKey, IssuedKeySchema, KeyRightsSchema } from "../../gen/noema/v1/key_service_pb";
import { list, type Member, object, text, texts } from "../json/writer";
import { membersOf } from "./from-contract";

/** Keys as a list, without their secrets. */
export function keys(all: readonly IssuedKey[]): string {
  return list(all.map((key) => object(membersOfKey(key))));
}

/** A new key. @param secretText the whole key, which is never shown again */
export function newKey(key: IssuedKey, secretText: string): string {
  return object([...membersOfKey(key), ["key", text(secretText)]]);
}

/** Roles and limits of a key. */
interface KeyRights {
  readonly roles: readonly string[];
  readonly processors?: readonly string[] | undefined;
  readonly sessions?: readonly string[] | undefined;
}

/** The rights of a request's key. Absent limits are left out. */
export function rightsOfKey({ roles, processors, sessions }: KeyRights): string {
  const members: Member[] = [["roles", texts(roles)]];
  if (processors !== undefined) members.push(["processors", texts(processors)]);
  if (sessions !== undefined) members.push(["sessions", texts(sessions)]);
  return object(members);
}

/** Absent limits are left out. */
function membersOfKey(key: IssuedKey): Member[] {
  if (key.rights === undefined) throw new Error("an agent gave a key without rights");
  return [...membersOf(IssuedKeySchema, key, ["rights", "secret_sha256"]), ...membersOf(KeyRightsSchema, key.rights)];
}
