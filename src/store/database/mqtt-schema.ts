/** The tables of the object that has an agent's MQTT connections. A released migration is never edited. */

import type { Migration } from "./migrations";

/** The schema, from its first release on. */
export const MQTT_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    statements: `
      -- Sessions that are kept, and those that leave a will.
      CREATE TABLE sessions (
        id TEXT PRIMARY KEY,           -- JSON list of the key and the client identifier
        about TEXT NOT NULL,           -- JSON object, as object/mqtt/session.ts has it
        inbox TEXT NOT NULL            -- messages of the client that are under way: JSON, as mqtt/session/inbox.ts has it
      ) STRICT, WITHOUT ROWID;

      -- Messages for clients.
      CREATE TABLE messages (
        session TEXT NOT NULL,         -- the session's id
        number INTEGER NOT NULL,       -- the order in the session
        packet_id INTEGER NOT NULL,    -- 1 to 65535, unique in the session
        topic TEXT NOT NULL,           -- '' once it is released
        payload BLOB NOT NULL,
        qos INTEGER NOT NULL,          -- 1 or 2
        retained INTEGER NOT NULL,     -- 1: it is sent with RETAIN
        subscriptions TEXT NOT NULL,   -- the identifiers of subscriptions: JSON list of numbers
        released INTEGER NOT NULL,     -- 1: the client has it, and PUBREL is under way
        PRIMARY KEY (session, number)
      ) STRICT, WITHOUT ROWID;
    `,
  },
];
