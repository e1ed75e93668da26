/** What the reference says of the rows in src/gateway/operations/keys.ts. */

import type { Reference } from "./entry";
import { envelope, inData, list, ref, word } from "./schemas/schema";

const ISSUED = {
  created: 1795250628,
  id: "5f1d7a0c93be2468",
  key: "noema_5f1d7a0c93be2468_0123456789abcdef0123456789abcdef01234567",
  name: "sensor-7",
  per_minute: 600,
  roles: ["observe"],
  sessions: ["sensor-7"],
};

const { key: _, ...LISTED } = ISSUED;

const REQUEST = { data: { name: "sensor-7", roles: ["observe"], sessions: ["sensor-7"], per_minute: 600 } };

/** By row. */
export const keyReference: Reference = {
  "POST /keys": {
    operationId: ["createKey"],
    doc: [
      "Issues a key. Never retried: if no answer came, look for it with {@link listKeys}, and delete it, since its text is lost.",
      "@returns the key; its member `key` is the text that clients send, and no later answer has it",
      "@throws NoemaError 400 if a right is wrong, 403 if the role admin is missing, 429 if the agent already has the maximum number of keys",
    ],
    takes:
      "`{name, roles, processors?, sessions?, expires?, per_minute?}`. Roles: `read`, `observe`, `learn`, `manage`, `admin`. `processors` (identifiers) and `sessions` (names, or beginnings of names with `*` behind) limit the key to these. `expires` is in seconds since 1970. [keys.md](keys.md) says what each opens.",
    returns:
      "The key: `{created, expires?, id, key, name, per_minute?, processors?, roles, sessions?}`. `key` is what a client sends; no later answer has it.",
    request: inData(ref("NewKey")),
    answer: envelope(ref("CreatedKey")),
    example: {
      request: { method: "POST", path: "/keys", body: REQUEST },
      response: { id: "agent", interval: 0, message: ISSUED, status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /keys": {
    operationId: ["listKeys"],
    doc: ["The issued keys, oldest first, without their secrets."],
    returns: "A list of keys, as POST /keys returns them, without `key`.",
    answer: envelope(list("The keys in the order in which they were made.", ref("IssuedKey"))),
    example: {
      after: [{ method: "POST", path: "/keys", body: REQUEST }],
      request: { method: "GET", path: "/keys" },
      response: { id: "agent", interval: 0, message: [LISTED], status: "okay", time_stamp: 1795250628 },
    },
  },
  "DELETE /keys/:key": {
    operationId: ["deleteKey"],
    doc: [
      "Deletes an issued key, if there is one. Within 30 s, no server accepts it any more.",
      "@param id its identifier, which is the middle part of its text",
    ],
    returns: '`"key-deleted"`, also if there was no such key.',
    answer: envelope(word("key-deleted", "The key is not there any more.")),
    example: {
      request: { method: "DELETE", path: "/keys/5f1d7a0c93be2468" },
      response: { id: "agent", interval: 0, message: "key-deleted", status: "okay", time_stamp: 1795250628 },
    },
  },
};
