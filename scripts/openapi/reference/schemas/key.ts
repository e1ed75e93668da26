/** Schemas of issued keys. */

import type { Schema } from "../entry";
import { closed, list, open, ref, type Schemas, text } from "./schema";

const NAME = "1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.";

const FORM = { minLength: 1, maxLength: 128, pattern: "^(?!\\.{1,2}$)[^\\p{Cc}\\p{Cs}]+$" };

/** The roles, and what each opens, for whoever gives it to a key. docs/keys.md names the operations. */
const MEANINGS = {
  read: "Ask for predictions and forecasts, and read what was learned, genes and metrics.",
  observe: "Observe, clear working memory and open streams; and read working memory.",
  learn: "Learn working memory. To learn what it observes in the same call, a key needs observe, too.",
  manage: "Change genes, encoders, alerts, models, symbols and sessions, and read them; load and clear knowledge.",
  admin: "Everything. Genomes, keys, backups and restores need it. It cannot be limited to processors or sessions.",
};

const ROLES = list("What the key may do. Each role once.", ref("Role"), { minItems: 1 });
const PROCESSORS = list(
  "The identifiers of the only processors that the key opens. Not with the role admin.",
  text("The identifier of a processor.", FORM),
  { minItems: 1, maxItems: 32 },
);
const SESSIONS = list(
  "The only sessions that the key opens: names, or beginnings of names with `*` behind. Not with the role admin.",
  text(`A name: ${NAME}`, FORM),
  { minItems: 1, maxItems: 32 },
);
const EXPIRES: Schema = {
  type: "number",
  description: "From when on the key is not accepted, in seconds since 1970. In the future, when the key is made.",
  minimum: 0,
  maximum: 253_402_300_799,
};
const PER_MINUTE: Schema = {
  type: "integer",
  description: "How many requests the key may make in a minute, counted where they arrive.",
  minimum: 1,
  maximum: 1_000_000,
};

const RIGHTS = {
  name: text(`What the owner calls the key: ${NAME}`, FORM),
  roles: ROLES,
  "processors?": PROCESSORS,
  "sessions?": SESSIONS,
  "expires?": EXPIRES,
  "per_minute?": PER_MINUTE,
};

const KEPT = {
  created: { type: "integer", description: "When the key was made, in seconds since 1970.", minimum: 0 },
  id: text("The key's identifier, 16 hex digits.", { pattern: "^[0-9a-f]{16}$" }),
  ...RIGHTS,
};

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
  KeyRights: open("What the key of the request allows. A key that the deployment configures has the role admin.", {
    roles: ROLES,
    "processors?": PROCESSORS,
    "sessions?": SESSIONS,
  }),
  NewKey: closed("The rights of a new key.", RIGHTS),
  IssuedKey: open("An issued key, without its secret.", KEPT),
  CreatedKey: open("A new key, whose text no later answer has.", {
    ...KEPT,
    key: text("The key, as a client sends it.", { pattern: "^noema_[0-9a-f]{16}_[0-9a-f]{40}$" }),
  }),
};
