/** The tables of the object that holds an agent's MQTT connections. A released migration is never edited. */

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
  {
    number: 2,
    statements: `
      -- What is to be published when clients are lost. They are read when they are sent.
      CREATE TABLE wills (
        session TEXT PRIMARY KEY,      -- the session's id
        will TEXT NOT NULL,            -- JSON object, as object/mqtt/session.ts has it
        delay INTEGER NOT NULL         -- after how many seconds without the client
      ) STRICT, WITHOUT ROWID;

      INSERT INTO wills (session, will, delay)
        SELECT id, json_extract(about, '$.will'), json_extract(about, '$.will.delayS') FROM sessions
        WHERE json_type(about, '$.will') = 'object';
      UPDATE sessions SET about = json_remove(about, '$.will') WHERE json_type(about, '$.will') IS NOT NULL;
    `,
  },
  {
    number: 3,
    statements: `
      -- Wills that are to be published, or were taken by a memory just now. They are read when they are sent.
      CREATE TABLE due_wills (
        source TEXT PRIMARY KEY,       -- a UUID, under which the memory takes it once
        about TEXT NOT NULL,           -- JSON object, as object/mqtt/due-wills.ts has it
        will TEXT NOT NULL             -- JSON object, as object/mqtt/session.ts has it
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    number: 4,
    statements: `
      -- Payloads that several sessions hear, once for all of them.
      CREATE TABLE payloads (
        id INTEGER PRIMARY KEY,
        payload BLOB NOT NULL
      ) STRICT;

      -- What a message says: a row of payloads, then its own payload is empty. NULL: its own payload.
      ALTER TABLE messages ADD COLUMN shared INTEGER;
    `,
  },
  {
    number: 5,
    statements: `
      -- Sessions that have ended, and whose numbers memories keep until a time.
      CREATE TABLE ended_sources (
        source TEXT PRIMARY KEY,       -- a UUID, under which memories have numbers
        about TEXT NOT NULL,           -- JSON object, as object/mqtt/ended-sources.ts has it
        at INTEGER NOT NULL            -- when the numbers are forgotten, epoch milliseconds
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    number: 6,
    statements: `
      -- Processors that could not be told what the endpoint wants to hear of.
      CREATE TABLE untold (
        processor TEXT PRIMARY KEY     -- its identifier
      ) STRICT, WITHOUT ROWID;
    `,
  },
];
