/**
 * The tables of an agent: what each column holds, with unit and encoding. Text is UTF-8 and may hold NUL; byte order is
 * code point order. A released migration is never edited; `schema.ts` gives the reason.
 */

import type { Migration } from "./migrations";

/** The first is the schema of release 1.0.0. */
export const AGENT_MIGRATIONS: readonly Migration[] = [
  {
    number: 3,
    statements: `
      -- Which agent this object is. No row until it has a genome.
      CREATE TABLE agent (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        name TEXT NOT NULL,
        revision INTEGER NOT NULL      -- grows with every genome
      ) STRICT;

      -- The genome: UTF-8 JSON as it was given, cut into parts anywhere.
      CREATE TABLE genome (
        part INTEGER PRIMARY KEY,      -- 0, 1, 2, …
        bytes BLOB NOT NULL
      ) STRICT;

      -- The steps that are left before all processors are as the genome says.
      CREATE TABLE steps (
        id TEXT PRIMARY KEY,           -- the processor
        action TEXT NOT NULL           -- 'provision', 'admit', 'retire' or 'purge'
      ) STRICT, WITHOUT ROWID;

      -- Processors of earlier genomes whose data was kept.
      CREATE TABLE retired (
        id TEXT PRIMARY KEY
      ) STRICT, WITHOUT ROWID;

      -- Processors whose genes may differ from what their nodes say.
      CREATE TABLE tuned (
        id TEXT PRIMARY KEY
      ) STRICT, WITHOUT ROWID;

      -- Where the objects of processors live, for those that a genome has placed. The first genome that has a processor
      -- decides it.
      CREATE TABLE places (
        id TEXT PRIMARY KEY,           -- the processor
        location_hint TEXT NOT NULL,   -- the platform's word for a region, '' when the genome does not say
        jurisdiction TEXT NOT NULL     -- the platform's word, '' when the genome does not say
      ) STRICT, WITHOUT ROWID;

      -- The jurisdiction in which the agent of this name lives. Stored in its own object, and in the object of its name
      -- that is in no jurisdiction. No row: in none.
      CREATE TABLE residence (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        jurisdiction TEXT NOT NULL     -- the platform's word
      ) STRICT;

      -- The keys that the agent has issued.
      CREATE TABLE keys (
        number INTEGER PRIMARY KEY AUTOINCREMENT,   -- the order in which they were made
        id TEXT NOT NULL UNIQUE,                    -- 16 hex digits
        secret_sha256 BLOB NOT NULL,                -- SHA-256 of the secret, 32 bytes
        name TEXT NOT NULL,                         -- what its owner calls it
        roles TEXT NOT NULL,                        -- JSON list of text
        processors TEXT NOT NULL,                   -- JSON list of identifiers; empty: all
        sessions TEXT NOT NULL,                     -- JSON list of names, or prefixes with * behind; empty: all
        expires REAL,                               -- seconds since 1970; NULL: never
        per_minute INTEGER,                         -- requests a minute; NULL: no limit
        created INTEGER NOT NULL                    -- seconds since 1970
      ) STRICT;

      -- No row until there is a key.
      CREATE TABLE key_revision (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        revision INTEGER NOT NULL                   -- grows with every key that is made or removed
      ) STRICT;
    `,
  },
  {
    number: 4,
    statements: `
      -- The routes: which messages of MQTT become records.
      CREATE TABLE routes (
        name TEXT PRIMARY KEY,
        json TEXT NOT NULL             -- the route without its name: a JSON object
      ) STRICT, WITHOUT ROWID;

      -- No row until there is a route.
      CREATE TABLE route_revision (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        revision INTEGER NOT NULL      -- grows with every route that is put or removed
      ) STRICT;
    `,
  },
];
