/** The roles that a key can have: what each row of the table and each call of a service asks for. */

/** All roles. `admin` has the rights of all of them; of the others none includes another. */
export const ROLES = ["read", "observe", "learn", "manage", "admin"] as const;

/** What a key may be allowed to do. */
export type Role = (typeof ROLES)[number];

/** Whether a word is a role. */
export function isRole(word: unknown): word is Role {
  return ROLES.some((role) => role === word);
}

/**
 * The roles that observations need besides `observe`: `learn` where they are to be learned at the end, and `read` where the answer is to say
 * what was expected.
 */
export function rolesForObserving({ learn, explain }: Partial<Record<"explain" | "learn", boolean>>): readonly Role[] {
  if (learn) return explain ? ["learn", "read"] : ["learn"];
  return explain ? ["read"] : [];
}
