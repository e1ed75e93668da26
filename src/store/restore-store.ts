/**
 * What a restore stages in addition to knowledge: memories, the numbers of their sources, the blacklist, encoders and
 * the processor's record. Swaps it with the live tables at the end. The caller holds the transaction.
 */

import type { RestoredAlert } from "../processor/ports/alert";
import type { StoredSilence } from "../processor/ports/silence";
import type { SourceNumber, StoredMemory } from "../processor/ports/store";
import { AlertTable } from "./alerts/alert-table";
import { Database } from "./database/database";
import { encoderTable, incidentTable, MEMORIES, memoryTables, STAGED, silenceTable } from "./database/schema";
import { BlacklistTable } from "./tables/blacklist-table";
import { DiscardedTables } from "./tables/discarded-tables";
import { EncoderTable } from "./tables/encoder-table";
import { IncidentTable } from "./tables/incident-table";
import { KnowledgeTables } from "./tables/knowledge-tables";
import { MemoryTable } from "./tables/memory-table";
import { RestoreTable } from "./tables/restore-table";
import { SilenceTable } from "./tables/silence-table";
import { SourceTable } from "./tables/source-table";

/** The tables that a restore replaces in addition to knowledge. */
const REPLACED = [...MEMORIES, "encoders", "incidents", "silences"];

/** The staged tables of one processor. */
export class RestoreStore {
  readonly #database: Database;
  readonly #discarded: DiscardedTables;
  /** The progress of the restore. */
  readonly restore: RestoreTable;
  /** The staged memories. */
  readonly memories: MemoryTable;
  readonly #sources: SourceTable;
  /** The staged blacklist. */
  readonly blacklist: BlacklistTable;
  /** The staged encoders. */
  readonly encoders: EncoderTable;
  /** The staged incidents. */
  readonly incidents: IncidentTable;
  readonly #silences: SilenceTable;
  readonly #knowledge: KnowledgeTables;

  /** @param sql the storage of one object, migrated to the schema of this release */
  constructor(sql: SqlStorage) {
    this.#database = new Database(sql);
    this.#discarded = new DiscardedTables(this.#database);
    this.restore = new RestoreTable(this.#database);
    this.memories = new MemoryTable(this.#database, STAGED);
    this.#sources = new SourceTable(this.#database, STAGED);
    this.blacklist = new BlacklistTable(this.#database, STAGED);
    this.encoders = new EncoderTable(this.#database, STAGED);
    this.incidents = new IncidentTable(this.#database, STAGED);
    this.#silences = new SilenceTable(this.#database, STAGED);
    this.#knowledge = new KnowledgeTables(this.#database, STAGED);
  }

  /** Packs some thousand of the staged models for a quick start. @returns whether there may be more to pack */
  packModels(): boolean {
    return this.#knowledge.packSome();
  }

  /**
   * Stages a memory.
   *
   * @param kept the sources that do not fit into its state, least recently used first
   * @param silence what was reported of its silence, if anything
   */
  putMemory(session: string, memory: StoredMemory, kept: readonly SourceNumber[], silence?: StoredSilence): void {
    const { state, events, waiting } = memory;
    if (silence !== undefined) this.#silences.put(session, silence);
    this.memories.put({ kind: "memory", session, state, events, waiting, clean: false });
    for (const source of kept) this.#sources.put(session, source);
  }

  /** Drops everything staged here. */
  drop(): void {
    for (const noun of REPLACED) this.#discarded.empty(`${STAGED}${noun}`);
    this.restore.drop();
  }

  /**
   * Replaces the live tables by the staged ones, and deletes kept answers, outgoing events and queued notices, which
   * belong to the old state.
   *
   * @param alerts the alerts of the restored processor
   * @param lastIncident the greatest id of any incident so far of the restored processor
   */
  takeOver(alerts: readonly RestoredAlert[], lastIncident: number): void {
    const used = Math.max(lastIncident, new IncidentTable(this.#database).last());
    // The restored incidents are others, even those with the same ids.
    this.#discarded.discardEnded();
    for (const noun of REPLACED) this.#discarded.replace(noun, `${STAGED}${noun}`);
    this.#database.run(memoryTables(STAGED));
    this.#database.run(encoderTable(STAGED));
    this.#database.run(incidentTable(STAGED));
    this.#database.run(silenceTable(STAGED));
    new IncidentTable(this.#database).putLast(used);
    new AlertTable(this.#database).replaceAll(alerts);
    this.#discarded.empty("answers");
    for (const noun of ["outbox", "alert_queue", "restore"]) this.#database.run(`DELETE FROM ${noun}`);
  }
}
