/**
 * The processor's store over a Durable Object's SQLite: turns each Change into statements, and rows into records. The
 * object holds the transaction; the processor knows what the records mean.
 */

import type { StoredAlert } from "../processor/ports/alert";
import { Fault } from "../processor/ports/fault";
import type { KeptThreshold } from "../processor/ports/incident";
import type {
  Change,
  EncoderRow,
  GeneSetting,
  IncidentReader,
  KnowledgeReader,
  MemoriesReader,
  ScoreBlock,
  Sender,
  SilenceReader,
  SourceNumber,
  StagedReader,
  Staging,
  State,
  Store,
} from "../processor/ports/store";
import { AlertQueueTable } from "./alerts/alert-queue-table";
import { AlertTable } from "./alerts/alert-table";
import { Database, isTooBig } from "./database/database";
import { STAGED } from "./database/schema";
import { BlacklistTable } from "./tables/blacklist-table";
import { DiscardedTables } from "./tables/discarded-tables";
import { EncoderTable } from "./tables/encoder-table";
import { IncidentTable } from "./tables/incident-table";
import { KnowledgeTables } from "./tables/knowledge-tables";
import { MemoryTable } from "./tables/memory-table";
import { OutboxTable } from "./tables/outbox-table";
import { PublicationTable } from "./tables/publication-table";
import { ScoreTable } from "./tables/score-table";
import { SilenceTable } from "./tables/silence-table";
import { SourceTable } from "./tables/source-table";
import { StagingTable } from "./tables/staging-table";
import { StateTable } from "./tables/state-table";
import { rowNoun, type Writers, writers } from "./writers";

/** The limit of one row in a Durable Object, in megabytes, for the message. */
const ROW_LIMIT_MB = 2;

/** The advice when an observation does not fit into the row with its memory's state. */
const ADVICE =
  "; it counts with the emotives that wait to be learned and the target class: learn or clear working memory, clear the " +
  "target class, or send less with a record";

/** The changes that empty tables. */
const EMPTYING: ReadonlySet<Change["kind"]> = new Set<Change["kind"]>([
  "sessions-ended",
  "knowledge-cleared",
  "staging-begun",
  "staging-dropped",
  "staging-committed",
]);

/** The change of one memory. */
type MemoryChange = Extract<Change, { kind: "memory" }>;

/** A verb recorded more than expected: it must run again, in a transaction, with the processor rebuilt. */
export class NeedsTransaction extends Error {
  constructor() {
    super("a verb that was to record the change of one memory records something else");
  }
}

/** How a verb runs. */
export interface VerbRun {
  /** Whether the run under way will be taken back, whatever comes of it. */
  readonly isAhead: boolean;
}

/**
 * A {@link Store} over SQLite whose schema exists. Its tables cache what they wrote, so discard it after a rollback.
 */
export class SqliteStore implements Store {
  readonly knowledge: KnowledgeReader & Pick<KnowledgeTables, "counts">;
  readonly memories: MemoriesReader;
  readonly silences: SilenceReader;
  readonly incidents: IncidentReader & Pick<IncidentTable, "newestThresholds">;
  readonly staged: StagedReader;
  readonly discarded: DiscardedTables;
  readonly #sql: SqlStorage;
  readonly #state: StateTable;
  readonly #memories: MemoryTable;
  readonly #sources: SourceTable;
  readonly #blacklist: BlacklistTable;
  readonly #encoders: EncoderTable;
  readonly #staging: StagingTable;
  readonly #outbox: OutboxTable;
  readonly #alerts: AlertTable;
  readonly #alertQueue: AlertQueueTable;
  readonly #scores: ScoreTable;
  readonly #writers: Writers;
  /** Whether writes must wait until the current verb has ended; and the change it has recorded so far. */
  #isHolding = false;
  #held: MemoryChange | undefined;
  #recorded = 0;
  #touched = 0;
  #forwarded = 0;
  #told = 0;
  #begun = 0;
  #emptied = 0;
  #mostDeliveries: number | undefined;

  readonly #run: VerbRun | undefined;

  /**
   * @param sql the storage of one object, migrated to the schema of this release
   * @param run what runs the verbs that record here; absent where none is taken back on purpose
   */
  constructor(sql: SqlStorage, run?: VerbRun) {
    const database = new Database(sql);
    this.#sql = sql;
    this.#run = run;
    this.#state = new StateTable(database);
    this.#memories = new MemoryTable(database);
    this.memories = this.#memories;
    this.#sources = new SourceTable(database);
    this.#blacklist = new BlacklistTable(database);
    this.#encoders = new EncoderTable(database);
    const knowledge = new KnowledgeTables(database, "");
    this.knowledge = knowledge;
    this.#staging = new StagingTable(database);
    const staged = new KnowledgeTables(database, STAGED);
    this.staged = staged;
    this.#outbox = new OutboxTable(sql);
    // A new store is created after a rollback.
    this.#outbox.forgetSize();
    this.#alerts = new AlertTable(database);
    const incidents = new IncidentTable(database);
    this.incidents = incidents;
    this.#scores = new ScoreTable(database);
    const silences = new SilenceTable(database);
    this.silences = silences;
    this.#alertQueue = new AlertQueueTable(database);
    this.discarded = new DiscardedTables(database);
    this.#writers = writers({
      state: this.#state,
      memories: this.#memories,
      sources: this.#sources,
      publications: new PublicationTable(database),
      blacklist: this.#blacklist,
      encoders: this.#encoders,
      outbox: this.#outbox,
      alerts: this.#alerts,
      alertQueue: this.#alertQueue,
      incidents,
      scores: this.#scores,
      silences,
      discarded: this.discarded,
      knowledge,
      staging: this.#staging,
      staged,
    });
  }

  /** Approximate heap bytes of the store. */
  get heapBytes(): number {
    return this.#memories.heapBytes;
  }

  /** Number of Changes recorded, including rolled-back ones. Grows during a verb that records. */
  get recorded(): number {
    return this.#recorded;
  }

  /**
   * Number of announced changes of memories. Grows during a verb that changes a memory, before it records the change.
   */
  get touched(): number {
    return this.#touched;
  }

  /** Number of recorded events for other processors. */
  get forwarded(): number {
    return this.#forwarded;
  }

  /** Number of recorded changes to the queue of alerts. */
  get told(): number {
    return this.#told;
  }

  /** Number of recorded incidents that were new. */
  get begun(): number {
    return this.#begun;
  }

  /** Number of recorded changes that may have left rows to be deleted later. */
  get emptied(): number {
    return this.#emptied;
  }

  /** Number of notices dropped because too many were waiting. */
  get dropped(): number {
    return this.#alertQueue.dropped;
  }

  /**
   * Maximum number of deliveries caused by the events recorded last, directly and further on; `undefined` if not set.
   */
  get mostDeliveries(): number | undefined {
    return this.#mostDeliveries;
  }

  /**
   * Writes a Change.
   *
   * @throws Fault `too-large` if one of its rows would exceed 2 MB; the caller rolls the transaction back
   */
  record(change: Change): void {
    this.#recorded++;
    // All of it is taken back: rows that are written are billed nevertheless.
    if (this.#run?.isAhead) return;
    if (this.#isHolding && change.kind !== "source-kept") {
      // Nothing has been written so far: a source's number waits for the change of its memory.
      if (change.kind !== "memory" || this.#held !== undefined) throw new NeedsTransaction();
      this.#held = change;
      return;
    }
    this.#write(change, this.#writers[change.kind] as (change: Change) => void);
  }

  /**
   * Runs a verb that records the change of one memory and nothing else, and writes the change once the verb has ended.
   *
   * @param transaction runs work that takes more than one statement
   * @throws NeedsTransaction when the verb records anything else; then nothing was written. Else as {@link record}
   */
  withOneChange<Reply>(verb: () => Reply, transaction: <Result>(work: () => Result) => Result): Reply {
    this.#isHolding = true;
    this.#held = undefined;
    try {
      const reply = verb();
      const held = this.#held as MemoryChange | undefined;
      if (held !== undefined) this.#write(held, (change) => this.#memories.put(change, transaction));
      return reply;
    } finally {
      this.#isHolding = false;
      this.#held = undefined;
    }
  }

  /** @throws Fault `too-large` when a row of a Change would exceed 2 MB */
  #write<Some extends Change>(change: Some, write: (change: Some) => void): void {
    if (change.kind === "event-forwarded") {
      this.#forwarded++;
      this.#mostDeliveries = change.mostDeliveries;
    }
    if (change.kind === "alert-told") this.#told++;
    if (EMPTYING.has(change.kind)) this.#emptied++;
    if (change.kind === "silences-told") this.#told += change.notices.length;
    if (change.kind === "incident-put" && change.incident.id > this.incidents.last()) this.#begun++;
    try {
      write(change);
    } catch (error) {
      if (!isTooBig(error)) throw error;
      const noun = rowNoun(change.kind);
      const advice = change.kind === "memory" ? ADVICE : "";
      throw new Fault(
        "too-large",
        `${noun} takes more than ${ROW_LIMIT_MB} MB, the most that can be stored as one${advice}`,
      );
    }
  }

  touch(): void {
    this.#touched++;
  }

  state(): State | undefined {
    return this.#state.read();
  }

  genes(): Record<string, GeneSetting> {
    return this.#state.readGenes();
  }

  roomToTell(): number {
    return this.#outbox.room;
  }

  storedBytes(): number {
    return this.#sql.databaseSize;
  }

  get hasDiscarded(): boolean {
    return this.discarded.isAny;
  }

  /**
   * The number of stored models, symbols, vectors and sessions. Counts rows: ask the processor instead if it is in
   * memory.
   */
  counts(): { models: number; symbols: number; vectors: number; sessions: number } {
    return { ...this.knowledge.counts(), sessions: this.#memories.sessionCount() };
  }

  keptSource(session: string, sender: Sender, source: string): number {
    return this.#memories.source(session, sender, source) || this.#sources.read(session, sender, source);
  }

  keptSources(session: string): SourceNumber[] {
    const heardLater = this.#memories.sources(session);
    const later = new Set(heardLater.map(({ sender, source }) => `${sender} ${source}`));
    const earlier = this.#sources.list(session).filter(({ sender, source }) => !later.has(`${sender} ${source}`));
    return [...earlier, ...heardLater.map(({ sender, source, number }) => ({ sender, source, number }))];
  }

  encoders(): EncoderRow[] {
    return this.#encoders.read();
  }

  scoreBlocks(): ScoreBlock[] {
    return this.#scores.read();
  }

  blacklist(): string[] {
    return this.#blacklist.read();
  }

  alerts(): StoredAlert[] {
    return this.#alerts.all();
  }

  newestThresholds(): readonly KeptThreshold[] {
    return [...this.incidents.newestThresholds(), ...this.#memories.thresholds()];
  }

  staging(): Staging | undefined {
    return this.#staging.read();
  }
}
