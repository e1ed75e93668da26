/**
 * The tables of a processor: what each column holds, with unit and encoding. `rows/columns.ts` has the encodings. Text
 * is UTF-8 and may hold NUL; byte order is code point order.
 *
 * A released migration is never edited, because objects already store its tables. SQLite keeps the text of each CREATE
 * TABLE, with the comments inside its parentheses, so these stay as they are, too.
 */

import type { Migration } from "./migrations";

/** The prefix of the tables that hold a load until it is committed. */
export const STAGED = "staged_";

/** The tables of a knowledge base. Committing a load drops the live ones and gives their names to the staged ones. */
export const KNOWLEDGE = ["vectors", "symbols", "models", "chunks", "changed"] as const;

/**
 * The statements that create the tables of an empty knowledge base.
 *
 * @param prefix the beginning of the tables' names
 */
export function knowledgeTables(prefix: string): string {
  return `${firstKnowledgeTables(prefix)}${eventTimes(prefix)}`;
}

/** Migration 12 of a knowledge base: when the events of each model happened. */
function eventTimes(prefix: string): string {
  // Doubles blob, in the form of knowledge/model-times.ts: epoch milliseconds, a run of all events for each of the
  // latest learnings. NULL for none.
  return `
      ALTER TABLE ${prefix}models ADD COLUMN times BLOB;`;
}

/** The same tables in release 1.0.0. */
function firstKnowledgeTables(prefix: string): string {
  return `
      -- The learned vectors.
      CREATE TABLE ${prefix}vectors (
        id INTEGER PRIMARY KEY,        -- greater is newer
        name BLOB NOT NULL UNIQUE,     -- SHA-1, 20 bytes
        components BLOB NOT NULL       -- doubles blob
      ) STRICT;

      -- The symbols in models. All are read at the start; nothing searches them by name.
      CREATE TABLE ${prefix}symbols (
        id INTEGER PRIMARY KEY,                -- dense from 0; given away again when a symbol is forgotten
        name TEXT NOT NULL,
        frequency INTEGER NOT NULL,            -- unused, 0: the counters are derived from the models
        member_frequency INTEGER NOT NULL      -- the same
      ) STRICT;

      -- The learned models.
      CREATE TABLE ${prefix}models (
        id INTEGER PRIMARY KEY,        -- age: greater is newer
        name BLOB NOT NULL UNIQUE,     -- SHA-1, 20 bytes
        frequency INTEGER NOT NULL,    -- learnings, 1 or more
        symbols BLOB NOT NULL,         -- u32 blob: the symbol ids of all events, one after the other
        lengths BLOB NOT NULL,         -- u32 blob: the number of symbols of each event
        emotives TEXT,                 -- emotive values text; NULL when none
        metadata TEXT,                 -- JSON list of text, each a JSON object, one an event; NULL when each is {}
        learned_at INTEGER             -- epoch seconds of the last learning; NULL if it was not recorded
      ) STRICT;

      -- Copies of models, packed by the thousand for a quick start.
      CREATE TABLE ${prefix}chunks (
        last INTEGER PRIMARY KEY,      -- greatest id; the chunk holds the models after the last of the chunk before
        bytes BLOB,                    -- packed as corpus-chunk.ts says; NULL when too large, then the rows are read
        checksum INTEGER NOT NULL      -- of bytes, as corpus-chunk.ts says
      ) STRICT;

      -- The models in chunks whose rows were changed or removed since.
      CREATE TABLE ${prefix}changed (
        id INTEGER PRIMARY KEY
      ) STRICT;`;
}

/**
 * The tables of memories and of what belongs to them. Applying a restore drops the live ones and gives their
 * names to the staged ones.
 */
export const MEMORIES = ["memories", "sources", "blacklist"] as const;

/**
 * The statements that create empty tables of memories.
 *
 * @param prefix the beginning of the tables' names
 */
export function memoryTables(prefix: string): string {
  return `
      -- The memories, as memory-rows.ts encodes them. A memory has one or more rows. The row with the greatest number
      -- holds its state; together the rows hold its events and waiting vectors. What a row holds may be out of date:
      -- only the state says what is needed.
      CREATE TABLE ${prefix}memories (
        session TEXT NOT NULL,         -- the session's name, '' for the processor's own memory
        slot INTEGER NOT NULL,         -- 0, 1, 2, …; used again when nothing in the row is needed
        number INTEGER NOT NULL,       -- the order of writing within the memory
        changed_at INTEGER NOT NULL,   -- when the memory changed, epoch milliseconds
        state TEXT NOT NULL,           -- JSON object; '' in a row that holds only events and vectors
        percept_metadata TEXT,         -- of the last observation: JSON object, as it came; NULL when there is none
        percept_vectors BLOB,          -- of the last observation: vectors blob; NULL when there are none
        events TEXT,                   -- events text; NULL when there are none
        waiting BLOB,                  -- waiting vectors blob; NULL when there are none
        PRIMARY KEY (session, slot)
      ) STRICT, WITHOUT ROWID;

      -- The last numbers of sources that have no place in the state of their memory.
      CREATE TABLE ${prefix}sources (
        session TEXT NOT NULL,         -- as in memories
        sender TEXT NOT NULL,          -- 'client' or 'processor'
        source TEXT NOT NULL,
        number INTEGER NOT NULL,
        heard INTEGER NOT NULL,        -- the order of writing: greater is later
        PRIMARY KEY (session, sender, source)
      ) STRICT, WITHOUT ROWID;

      -- Symbols that observations drop.
      CREATE TABLE ${prefix}blacklist (
        position INTEGER PRIMARY KEY,  -- the order of adding
        symbol TEXT NOT NULL UNIQUE
      ) STRICT;`;
}

/**
 * The statement that creates an empty table of encoders.
 *
 * @param prefix the beginning of the table's name
 */
export function encoderTable(prefix: string): string {
  return `
      -- What turns numbers into symbols.
      CREATE TABLE ${prefix}encoders (
        number INTEGER PRIMARY KEY AUTOINCREMENT,   -- the order of putting; never given twice: memories name it
        name TEXT NOT NULL UNIQUE,
        definition TEXT NOT NULL                    -- JSON object
      ) STRICT;`;
}

/**
 * The statement of migration 11 that creates an empty table of incidents.
 *
 * @param prefix the beginning of the table's name
 */
export function incidentTable(prefix: string): string {
  return `
      -- Events that passed an alert, in a ring: rows are overwritten and never deleted.
      CREATE TABLE ${prefix}incidents (
        slot INTEGER PRIMARY KEY,      -- id modulo the size of the ring; -1: only the greatest id that was used before a restore
        id INTEGER NOT NULL,           -- greater is newer; none is given twice
        alert TEXT NOT NULL,           -- the alert's name when it began
        session TEXT NOT NULL,         -- '' for the processor's own memory
        verdict TEXT,                  -- 'normal', 'fault' or 'ignored'; NULL until there is one
        running INTEGER NOT NULL,      -- 1 while the state of the memory may know more
        learned INTEGER NOT NULL,      -- 1 once its events were learned
        note TEXT NOT NULL,
        facts TEXT NOT NULL,           -- what the list of incidents shows: JSON object
        thresholds TEXT NOT NULL,      -- thresholds of alerts when it began: JSON list of lists of numbers
        evidence TEXT NOT NULL         -- JSON list of events
      ) STRICT;`;
}

/**
 * The statement of migration 14 that creates an empty table of silences.
 *
 * @param prefix the beginning of the table's name
 */
export function silenceTable(prefix: string): string {
  return `
      -- What alerts have told of memories that do not observe. A row is out of date once its memory has observed again.
      CREATE TABLE ${prefix}silences (
        session TEXT PRIMARY KEY,      -- as in memories
        arrival INTEGER NOT NULL,      -- when the memory last observed, epoch milliseconds
        since INTEGER,                 -- from when its silence counts, epoch milliseconds; NULL: from the arrival
        told TEXT NOT NULL             -- the numbers of the alerts that have told it: JSON list
      ) STRICT, WITHOUT ROWID;`;
}

/** The schema of release 1.0.0, and all changes since. */
export const PROCESSOR_MIGRATIONS: readonly Migration[] = [
  {
    number: 8,
    statements: `
      -- Which processor this object is. No row until it is provisioned.
      CREATE TABLE identity (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        id TEXT NOT NULL,              -- unique in the agent
        name TEXT NOT NULL,            -- the friendly name
        in_service INTEGER NOT NULL,   -- 0 once retired with its data kept
        agent TEXT NOT NULL,           -- the agent's name, '' for a processor that has none to report to
        incarnation TEXT NOT NULL,     -- UUID made when the processor was: the source of its deliveries
        tuned INTEGER NOT NULL,        -- 1 once the agent knows that the genes are not those of the genome
        outlets TEXT NOT NULL          -- manipulatives: JSON list of {manipulative, fields, targets: [{id, endpoint}]}
      ) STRICT;

      -- What the memories share, besides the knowledge. One row.
      CREATE TABLE state (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        predict INTEGER NOT NULL,                   -- 0 or 1
        autolearn INTEGER NOT NULL,                 -- 0 or 1
        sleeping INTEGER NOT NULL,                  -- 0 or 1
        vector_dimensionality INTEGER NOT NULL,     -- components, -1 until a vector is learned
        total_model_frequencies INTEGER NOT NULL,   -- sum over all models
        total_member_frequencies INTEGER NOT NULL,  -- sum over all symbols
        total_symbol_frequencies INTEGER NOT NULL,  -- sum over all symbols
        next_model_id INTEGER NOT NULL,             -- the id that the next new model gets
        revision INTEGER NOT NULL,                  -- grows with every change of models, symbols or vectors
        -- What forecasts would have said of the models when they were learned: a JSON list of lists of numbers, as
        -- ports/forecaster.ts has it.
        forecast_record TEXT NOT NULL DEFAULT '[]'
      ) STRICT;

      -- Genes that differ from their defaults.
      CREATE TABLE genes (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL            -- JSON: true, false, a number or a string
      ) STRICT, WITHOUT ROWID;

      ${memoryTables("")}
      ${memoryTables(STAGED)}

      ${firstKnowledgeTables("")}
      ${firstKnowledgeTables(STAGED)}

      ${encoderTable("")}
      ${encoderTable(STAGED)}

      -- Events that other processors have not observed yet.
      CREATE TABLE outbox (
        number INTEGER PRIMARY KEY AUTOINCREMENT,   -- the order of delivery
        target TEXT NOT NULL,                       -- the identifier of the processor that observes
        symbols TEXT NOT NULL,                      -- JSON list of text
        emotives TEXT NOT NULL,                     -- emotives text
        unique_id TEXT NOT NULL,                    -- of the observation that led to it
        path TEXT NOT NULL,                         -- JSON list of text
        -- The session that observed, '' for the processor's own memory; the target observes in the session of the same
        -- name.
        session TEXT NOT NULL DEFAULT ''
      ) STRICT;

      -- The load under way. No row when there is none.
      CREATE TABLE staging (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        load_id TEXT NOT NULL,                      -- identifies the load
        total_model_frequencies INTEGER NOT NULL,   -- sums over what is staged
        total_member_frequencies INTEGER NOT NULL,
        total_symbol_frequencies INTEGER NOT NULL,
        models INTEGER NOT NULL,                    -- how many are staged
        vectors INTEGER NOT NULL,
        dimensionality INTEGER NOT NULL             -- components of the staged vectors, -1 while there are none
      ) STRICT;

      -- The restore under way. No row when there is none. Its knowledge is staged as that of a load, and has its
      -- identifier.
      CREATE TABLE restore (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        restore_id TEXT NOT NULL,      -- identifies the restore
        touched_at INTEGER NOT NULL,   -- when it was last added to, epoch milliseconds
        agent TEXT NOT NULL,           -- '' until it is sealed; then the agent that decides about it
        settings TEXT NOT NULL         -- '' until they are staged; then the processor's record as JSON
      ) STRICT;

      -- Answers by idempotency key, in a ring: rows are overwritten and never deleted.
      CREATE TABLE answers (
        slot INTEGER PRIMARY KEY,      -- number modulo the size of the ring
        number INTEGER NOT NULL,       -- which answer of the object it is: 1, 2, 3, ...
        key TEXT NOT NULL,             -- the idempotency key; a later answer may have it again
        fingerprint BLOB NOT NULL,     -- SHA-256 of the request
        kept_at INTEGER NOT NULL,      -- seconds since 1970
        whole INTEGER NOT NULL,        -- 0 while the call has done some of its parts
        reply BLOB NOT NULL            -- the bytes of the reply message, so far
      ) STRICT;

      -- The alerts, as clients have set them.
      CREATE TABLE alerts (
        number INTEGER PRIMARY KEY AUTOINCREMENT,   -- memories name an alert by it; another condition gets another one
        name TEXT NOT NULL UNIQUE,
        condition TEXT NOT NULL,       -- JSON object, as ports/alert.ts has it
        url TEXT NOT NULL,
        secret TEXT NOT NULL,          -- whsec_ and base64
        last_at INTEGER,               -- end of the last attempt to deliver, epoch milliseconds; NULL before the first
        last_status INTEGER,           -- its HTTP status; NULL when there was no answer
        last_failure TEXT              -- why it failed, a sentence; NULL when it succeeded
      ) STRICT;

      -- Deliveries of alerts that no webhook has taken yet.
      CREATE TABLE alert_queue (
        number INTEGER PRIMARY KEY AUTOINCREMENT,   -- the order of happening
        alert TEXT NOT NULL,           -- the alert's name
        webhook_id TEXT NOT NULL,      -- the same for each attempt
        kind TEXT NOT NULL,            -- 'surprise', 'forecast', 'learned' or 'test'
        told TEXT NOT NULL,            -- what happened: JSON object, as ports/alert.ts has it
        session TEXT NOT NULL,         -- '' for the processor's own memory
        interval INTEGER NOT NULL,     -- the time of the memory
        happened_at INTEGER NOT NULL,  -- epoch milliseconds
        count INTEGER NOT NULL,        -- for how many of its kind in this memory it stands
        attempts INTEGER NOT NULL,     -- how many were begun
        queued_at INTEGER NOT NULL,    -- epoch milliseconds
        due_at INTEGER NOT NULL        -- when the next attempt is, epoch milliseconds
      ) STRICT;
    `,
  },
  {
    number: 9,
    statements: `
      -- How unusual the newest learned sequences were: how many learns were ever scored, and the latest scores, a JSON
      -- list of whole numbers of 1/1024 bit.
      ALTER TABLE state ADD COLUMN scored_learns INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE state ADD COLUMN latest_scores TEXT NOT NULL DEFAULT '[]';
      -- Earlier ones, by blocks.
      CREATE TABLE learn_scores (
        place INTEGER PRIMARY KEY,     -- the newest block takes the place of the oldest
        scores TEXT NOT NULL           -- JSON list of whole numbers
      ) STRICT;
    `,
  },
  {
    number: 10,
    statements: `
      -- When the event behind a forwarded one happened, epoch seconds; NULL when its sender did not say it.
      ALTER TABLE outbox ADD COLUMN time REAL;
    `,
  },
  {
    number: 11,
    statements: `
      ${incidentTable("")}
      ${incidentTable(STAGED)}

      -- How deliveries are written: 'standard', 'slack', 'ntfy' or 'text'.
      ALTER TABLE alerts ADD COLUMN format TEXT NOT NULL DEFAULT 'standard';
      -- The threshold that the alert chooses, as it was restored: JSON list of numbers; NULL for none.
      ALTER TABLE alerts ADD COLUMN threshold TEXT;
    `,
  },
  {
    number: 12,
    statements: `${eventTimes("")}${eventTimes(STAGED)}`,
  },
  {
    number: 13,
    statements: `
      -- Which messages of MQTT sessions have taken effect.
      CREATE TABLE publications (
        session TEXT NOT NULL,         -- '' for the processor's own memory
        source TEXT NOT NULL,          -- UUID of the MQTT session
        last INTEGER NOT NULL,         -- the number of the last message that has; 0 for none
        closed INTEGER NOT NULL,       -- no message up to this number takes effect any more
        PRIMARY KEY (session, source)
      ) STRICT, WITHOUT ROWID;

      -- What the MQTT endpoint of the agent wants to hear of. No row until it has said so.
      CREATE TABLE watched (
        row INTEGER PRIMARY KEY CHECK (row = 0),
        events TEXT NOT NULL           -- JSON list of 'observed', 'learned', 'surprise' and 'incident'
      ) STRICT;
    `,
  },
  {
    number: 14,
    statements: `
      ${silenceTable("")}
      ${silenceTable(STAGED)}

      -- When the processor last woke, epoch milliseconds; 0 if it has never slept.
      ALTER TABLE state ADD COLUMN awake_since INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    number: 15,
    statements: `
      -- How many parts hold the models of the processor.
      ALTER TABLE identity ADD COLUMN parts INTEGER NOT NULL DEFAULT 1;
    `,
  },
  {
    number: 16,
    statements: `
      -- The revision of what the MQTT endpoint wants to hear of: a call with a smaller one comes late, and is ignored.
      ALTER TABLE watched ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    `,
  },
];
