/** Schemas of issued keys. */

import { IssuedKeySchema, KeyRightsSchema } from "../../../../src/gen/noema/v1/key_service_pb";
import { Role, RoleSchema } from "../../../../src/gen/noema/v1/role_pb";
import { answered, asked, meaningsOf, membersOf } from "../../from-contract";
import { open, type Schemas, text } from "./schema";

/** The roles, and what each opens, for the owner of a key. docs/keys.md names the operations. */
const MEANINGS = meaningsOf(RoleSchema, Role.READ);

const ISSUED = { without: ["secret_sha256", "rights"], further: membersOf(KeyRightsSchema) };

/** By name. */
export const keySchemas: Schemas = {
  Role: {
    type: "string",
    description: `What a key may do. ${Object.entries(MEANINGS)
      .map(([role, meaning]) => `\`${role}\`: ${meaning}`)
      .join(" ")}`,
    enum: Object.keys(MEANINGS),
    "x-meanings": MEANINGS,
  },
  KeyRights: answered(KeyRightsSchema, {
    says: "What the key of the request allows. A key that the deployment configures has the role admin.",
    without: ["name", "expires", "per_minute"],
  }),
  NewKey: asked(KeyRightsSchema, { says: "The rights of a new key." }),
  IssuedKey: answered(IssuedKeySchema, { ...ISSUED, says: "An issued key, without its secret." }),
  CreatedKey: open("A new key, whose text no later answer has.", {
    ...membersOf(IssuedKeySchema, ISSUED),
    key: text("The key, as a client sends it.", { pattern: "^noema_[0-9a-f]{16}_[0-9a-f]{40}$" }),
  }),
};
