/**
 * The roles that a key can have, and the roles that each call requires. Both are declared in proto/noema/v1/role.proto.
 */

import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { RoleSchema, Role as RoleValue, roles } from "../../gen/noema/v1/role_pb";

/** A role of a key. */
export type Role = Lowercase<Exclude<keyof typeof RoleValue, "ANY" | "UNSPECIFIED">>;

/** All roles. `admin` has the rights of all of them; no other role includes another. */
export const ROLES: readonly Role[] = RoleSchema.values
  .filter(({ number }) => number > RoleValue.ANY)
  .map(({ number }) => wordOf(number));

function wordOf(value: RoleValue): Role {
  return (RoleValue[value] ?? "").toLowerCase() as Role;
}

/** Whether a word is a role. */
export function isRole(word: unknown): word is Role {
  return ROLES.some((role) => role === word);
}

/**
 * The roles of which a key needs one to make a call; any key will do if there are none. A call without declared roles
 * needs `admin`.
 */
export function rolesFor(method: DescMethod): readonly Role[] {
  let needed = known.get(method);
  if (needed === undefined) {
    const accepted = getOption(method, roles);
    needed = accepted.length === 0 ? ["admin"] : accepted.filter((value) => value !== RoleValue.ANY).map(wordOf);
    known.set(method, needed);
  }
  return needed;
}

/** The roles of each call seen so far: the library decodes an option each time. */
const known = new WeakMap<DescMethod, readonly Role[]>();

/**
 * The roles that observations need in addition to `observe`: `learn` to learn at the end, and `read` for an answer with
 * surprises.
 */
export function rolesForObserving({ learn, explain }: Partial<Record<"explain" | "learn", boolean>>): readonly Role[] {
  if (learn) return explain ? ["learn", "read"] : ["learn"];
  return explain ? ["read"] : [];
}
