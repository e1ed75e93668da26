/**
 * What a restore stages in the storage of one object, checked record by record, until it replaces the live data. Uses
 * transactions of its own, except {@link RestoreStaging.takeOver}, which runs in its caller's.
 */

import type { BackupRecord } from "../../gen/noema/v1/backup_pb";
import type { Model, VectorRecord } from "../../gen/noema/v1/model_pb";
import type {
  AlertRecord,
  BlacklistRecord,
  EncoderRecord,
  GeneChange,
  IncidentRecord,
  ProcessorRecord,
} from "../../gen/plain";
import { MAX_ALERTS } from "../../processor/ports/alert";
import { Fault } from "../../processor/ports/fault";
import type { EncoderRow } from "../../processor/ports/store";
import { alertFrom } from "../../processor/verbs/alerts/alert-record";
import { incidentFrom } from "../../processor/verbs/backup/incident-record";
import { memoryFrom } from "../../processor/verbs/backup/memory-record";
import {
  type BlacklistSize,
  blacklistFrom,
  blacklistSizeWith,
  checkProcessor,
  encoderFrom,
  genesOf,
  restoredScores,
  restoredState,
} from "../../processor/verbs/backup/processor-record";
import { beginLoad, loadKnowledge, type StagingSite } from "../../processor/verbs/knowledge/knowledge-load";
import { isTooBig } from "../../store/database/database";
import { isMigrated, migrate } from "../../store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../store/database/schema";
import { RestoreStore } from "../../store/restore-store";
import { SqliteStore } from "../../store/store";
import type { RestoreRow } from "../../store/tables/restore-table";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";

/** The staged settings of a processor, besides its memories and knowledge. */
type Settings = ProcessorRecord & { alerts?: AlertRecord[] };

/**
 * A batch of records under way. What is staged as one row, or looked up for each record, is read once: a batch may have
 * thousands of records, and the row may take 2 MB.
 */
interface Batch {
  readonly store: RestoreStore;
  /** The state before the batch. */
  readonly row: RestoreRow;
  /** `undefined` until the processor's line has come. */
  settings: Settings | undefined;
  /** Whether they still have to be stored. */
  hasNewSettings: boolean;
  /** All staged encoders. */
  readonly encoders: EncoderRow[];
  /** Size of the staged blacklist; missing before the first line of it in the batch. */
  blacklistSize?: BlacklistSize;
  /** Models and vectors that are still to be staged. */
  readonly models: Model[];
  readonly vectors: VectorRecord[];
}

/** The staged restore of one object. */
export class RestoreStaging {
  readonly #storage: DurableObjectStorage;
  readonly #mostSessions: number;
  readonly #now: () => number;
  /**
   * Kept between batches, with the staged symbols. Dropped when a batch fails, because it may be ahead of the store.
   */
  #site: StagingSite | undefined;

  /**
   * @param mostSessions maximum number of sessions of the processor
   * @param now the time in milliseconds since 1970
   */
  constructor(storage: DurableObjectStorage, mostSessions: number, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.#mostSessions = mostSessions;
  }

  /** The restore in progress; `undefined` for none. Brings an existing schema up to date. */
  read(): RestoreRow | undefined {
    const { sql } = this.#storage;
    return this.#storage.transactionSync(() => {
      if (!isMigrated(sql)) return undefined;
      migrate(sql, PROCESSOR_MIGRATIONS);
      return new RestoreStore(sql).restore.read();
    });
  }

  /** Begins a restore, and drops what was staged before. @throws Fault `conflict` when that waits for a decision */
  begin(restoreId: string): void {
    const { sql } = this.#storage;
    this.#site = undefined;
    this.#storage.transactionSync(() => {
      migrate(sql, PROCESSOR_MIGRATIONS);
      const store = new RestoreStore(sql);
      const { agent = "" } = store.restore.read() ?? {};
      if (agent !== "")
        throw new Fault("conflict", "another restore of this processor is being completed; try again later");
      store.drop();
      beginLoad(this.#siteOf(sql), restoreId);
      store.restore.put({ restoreId, touchedAt: this.#now(), agent: "", settings: "" });
    });
  }

  /**
   * Stages records, all or none.
   *
   * @param firstLine the line number of the first record
   * @throws Fault `conflict` when the restore is not in progress; `invalid`, `too-large` or `over-limit` with the
   *   number of the wrong line
   */
  stage(restoreId: string, firstLine: number, records: readonly BackupRecord[]): void {
    try {
      this.#storage.transactionSync(() => this.#stageAll(restoreId, records));
    } catch (error) {
      this.#site = undefined;
      if (!isOfRecord(error)) throw error;
      this.#storage.transactionSync(() => this.#findWrong(restoreId, firstLine, records));
      throw error;
    }
  }

  /**
   * Packs some of the staged models, so that {@link takeOver} takes less time.
   *
   * @returns whether there may be more to pack
   * @throws Fault `conflict` when the restore is not in progress
   */
  packSome(restoreId: string): boolean {
    return this.#storage.transactionSync(() => {
      const store = new RestoreStore(this.#storage.sql);
      rowOf(store, restoreId);
      return store.packModels();
    });
  }

  /** Notes that from here on the agent decides. */
  seal(restoreId: string, agent: string): void {
    this.#change(restoreId, (row) => ({ ...row, agent }));
  }

  /** Notes that something was just staged. */
  touch(restoreId: string): void {
    this.#change(restoreId, (row) => ({ ...row, touchedAt: this.#now() }));
  }

  /** Drops everything staged. */
  drop(): void {
    const { sql } = this.#storage;
    this.#site = undefined;
    this.#storage.transactionSync(() => {
      new RestoreStore(sql).drop();
      new SqliteStore(sql).record({ kind: "staging-dropped" });
    });
  }

  /**
   * Replaces the live data by the staged data. The caller holds the transaction.
   *
   * @param unusedGenes the genes of a processor that was never called
   * @throws Fault `conflict` when nothing is staged; `invalid` when the staged data contradicts itself
   */
  takeOver(restoreId: string, unusedGenes: readonly GeneChange[]): void {
    const { sql } = this.#storage;
    const staged = new RestoreStore(sql);
    const live = new SqliteStore(sql);
    const { settings } = rowOf(staged, restoreId);
    const staging = live.staging();
    if (settings === "" || staging?.loadId !== restoreId) throw notUnderWay(restoreId);
    const { alerts = [], ...record } = JSON.parse(settings) as Settings;
    // Earlier releases staged none.
    const { lastIncident = 0 } = record;
    const before = live.state()?.revision ?? 0;
    const state = restoredState(record, staging, live.staged.lastModelId(), before);
    const genes = genesOf(record.unused ? { genes: [...unusedGenes] } : record);
    this.#site = undefined;
    live.record({ kind: "staging-committed" });
    staged.takeOver(alerts.map(alertFrom), lastIncident);
    live.record({ kind: "genes", genes });
    live.record({ kind: "scores-cleared" });
    for (const block of restoredScores(record)) live.record({ kind: "scores-kept", ...block });
    live.record({ kind: "state", state });
  }

  #stageAll(restoreId: string, records: readonly BackupRecord[]): void {
    const batch = this.#batchOf(restoreId);
    for (const { record } of records) this.#add(batch, record);
    this.#finish(batch);
  }

  #batchOf(restoreId: string): Batch {
    const { sql } = this.#storage;
    const store = new RestoreStore(sql);
    const row = rowOf(store, restoreId);
    const settings = row.settings === "" ? undefined : (JSON.parse(row.settings) as Settings);
    const encoders = store.encoders.read();
    return { store, row, settings, hasNewSettings: false, encoders, models: [], vectors: [] };
  }

  #add(batch: Batch, record: BackupRecord["record"]): void {
    if (record.case === "processor") {
      if (batch.settings !== undefined)
        throw new Fault("invalid", "the processor must have one line of its own, got two");
      checkProcessor(record.value);
      batch.settings = record.value;
      batch.hasNewSettings = true;
      return;
    }
    if (batch.settings === undefined)
      throw new Fault("invalid", "the line of the processor must come before those of its parts");
    if (record.case === "alert") {
      batch.settings = withAlert(batch.settings, record.value);
      batch.hasNewSettings = true;
    } else if (record.case === "incident") stageIncident(batch.store, record.value, batch.settings);
    else this.#addPart(batch, record);
  }

  #addPart(batch: Batch, record: BackupRecord["record"]): void {
    const { store, encoders, models, vectors } = batch;
    if (record.case === "memory") this.#stageMemory(store, record.value, encoders);
    else if (record.case === "encoder") encoders.push(stagedEncoder(store, record.value, encoders));
    else if (record.case === "blacklist") stageBlacklist(batch, record.value);
    else if (record.case === "model") models.push(withOrder(record.value, "model"));
    else if (record.case === "vector") vectors.push(withOrder(record.value, "vector"));
  }

  /** Stages what a batch has collected. */
  #finish(batch: Batch): void {
    this.#loadKnowledge(batch);
    const { store, row } = batch;
    const settings = batch.hasNewSettings ? settingsText(batch.settings) : row.settings;
    store.restore.put({ ...row, settings, touchedAt: this.#now() });
  }

  #loadKnowledge({ row, models, vectors }: Batch): void {
    if (models.length === 0 && vectors.length === 0) return;
    loadKnowledge(this.#siteOf(this.#storage.sql), {
      loadId: row.restoreId,
      models: models.splice(0),
      vectors: vectors.splice(0),
    });
  }

  /** Stages records one by one to find the first wrong one. @throws Fault naming its line */
  #findWrong(restoreId: string, firstLine: number, records: readonly BackupRecord[]): void {
    const batch = this.#batchOf(restoreId);
    for (const [at, { record }] of records.entries()) {
      try {
        this.#add(batch, record);
        this.#loadKnowledge(batch);
        if (batch.hasNewSettings) this.#finish(batch);
      } catch (error) {
        this.#site = undefined;
        if (!isOfRecord(error)) throw error;
        const { kind, message } = error instanceof Fault ? error : tooBig(record.case);
        throw new Fault(kind, `line ${firstLine + at}: ${message}`);
      }
    }
    this.#site = undefined;
  }

  #stageMemory(store: RestoreStore, record: Parameters<typeof memoryFrom>[0], encoders: readonly EncoderRow[]): void {
    const { session } = record;
    const refusal = session === "" ? undefined : nameRefusal(session);
    if (refusal !== undefined) throw new Fault("invalid", `a session must have ${refusal}, got ${excerpt(session)}`);
    if (store.memories.has(session)) {
      const subject = session === "" ? "the processor's own memory" : `the memory of the session ${excerpt(session)}`;
      throw new Fault("invalid", `${subject} may be given once, got it twice`);
    }
    const { memory, kept, silence } = memoryFrom(record, encoders, this.#now());
    store.putMemory(session, memory, kept, silence);
    if (store.memories.sessionCount() <= this.#mostSessions) return;
    const most = this.#mostSessions;
    throw new Fault("over-limit", `a processor may have ${most} sessions (NOEMA_SESSIONS), and this backup has more`);
  }

  #change(restoreId: string, change: (row: RestoreRow) => RestoreRow): void {
    const store = new RestoreStore(this.#storage.sql);
    this.#storage.transactionSync(() => store.restore.put(change(rowOf(store, restoreId))));
  }

  #siteOf(sql: SqlStorage): StagingSite {
    this.#site ??= { store: new SqliteStore(sql), staged: undefined, mostOrder: Number.MAX_SAFE_INTEGER - 1 };
    return this.#site;
  }
}

/**
 * Stages an incident.
 *
 * @param settings the staged settings
 * @throws Fault `invalid` when it is wrong, or not newer than the previous ones
 */
function stageIncident(store: RestoreStore, record: IncidentRecord, { lastIncident = 0 }: Settings): void {
  const incident = incidentFrom(record, lastIncident);
  if (incident.id <= store.incidents.last()) {
    throw new Fault("invalid", `the incident ${incident.id} must come after those with lower ids`);
  }
  store.incidents.put(incident);
}

/** Stages an encoder. @param before those already staged */
function stagedEncoder(store: RestoreStore, record: EncoderRecord, before: readonly EncoderRow[]): EncoderRow {
  const encoder = encoderFrom(record, before);
  store.encoders.restore(encoder);
  return encoder;
}

/**
 * The staged settings with one more alert.
 *
 * @throws Fault `invalid` when it is wrong, or another one has its name or number
 */
function withAlert({ alerts = [], ...rest }: Settings, record: AlertRecord): Settings {
  const alert = alertFrom(record);
  if (alerts.some(({ name, number }) => name === alert.name || number === alert.number)) {
    throw new Fault("invalid", `the alert ${excerpt(alert.name)}: each alert has a name and a number of its own`);
  }
  if (alerts.length >= MAX_ALERTS) {
    throw new Fault("over-limit", `a processor may have ${MAX_ALERTS} alerts, and this backup has more`);
  }
  const { name, number, when, url, secret, format, threshold } = record;
  const kept = { name, number, when, url, secret, format, threshold };
  return { ...rest, alerts: [...alerts, kept] };
}

/** Settings as they are stored. What Protobuf adds to a message has names that begin with $. */
function settingsText(settings: Settings | undefined): string {
  return JSON.stringify(settings, (name, value) => (name.startsWith("$") ? undefined : value)) ?? "";
}

/** Stages symbols of the blacklist. @throws Fault `invalid` when one is wrong, `over-limit` when there are too many */
function stageBlacklist(batch: Batch, record: BlacklistRecord): void {
  const { blacklist } = batch.store;
  const symbols = blacklistFrom(record, (symbol) => blacklist.has(symbol));
  batch.blacklistSize = blacklistSizeWith(batch.blacklistSize ?? blacklist.size(), symbols);
  blacklist.add(symbols);
}

/** Whether an error is about a record, and not about the restore or the server. */
function isOfRecord(error: unknown): boolean {
  return error instanceof Fault ? error.kind !== "conflict" : isTooBig(error);
}

function tooBig(kind: BackupRecord["record"]["case"]): Fault {
  return new Fault("too-large", `the ${kind} takes more than 2 MB, the most that can be stored as one row`);
}

/** @throws Fault `conflict` when another restore is in progress, or none */
function rowOf(store: RestoreStore, restoreId: string): RestoreRow {
  const row = store.restore.read();
  if (row?.restoreId !== restoreId) throw notUnderWay(restoreId);
  return row;
}

function notUnderWay(restoreId: string): Fault {
  return new Fault(
    "conflict",
    `the restore ${excerpt(restoreId)} is not under way: another one or a load has replaced it; begin again`,
  );
}

/** @throws Fault `invalid` when it is missing */
function withOrder<T extends { order?: number | undefined }>(record: T, kind: string): T {
  if (record.order !== undefined) return record;
  throw new Fault("invalid", `the ${kind} has no order; every ${kind} of a backup has one`);
}
