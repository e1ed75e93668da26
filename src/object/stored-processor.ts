/**
 * Owns one processor: builds it from the object's SQLite when it is first needed, runs its verbs, and commits what they
 * record. Verbs' transactions are held only here. Memory never runs ahead of disk: when a verb that recorded changes
 * throws, they are rolled back, and processor, kernel and store are dropped and rebuilt from the rows.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import type { Device, GeneChange, PartInfo } from "../gen/plain";
import type { Kernel } from "../kernel/kernel";
import { matchesIn } from "../kernel/record";
import { genesFrom } from "../processor/genes/genes";
import { SnapshotBudget, Snapshots } from "../processor/knowledge/snapshots";
import type { Activity } from "../processor/ports/activity";
import { Fault } from "../processor/ports/fault";
import type { DevicesAsked } from "../processor/ports/incident";
import type { Arrivals } from "../processor/ports/silence";
import type { GradingsInPieces } from "../processor/prediction/estimator/gradings";
import { PoolingForecaster } from "../processor/prediction/estimator/pooling-forecaster";
import {
  type LooksAsked,
  type NextLook,
  type NextLooks,
  Processor,
  type SilenceRules,
  type TellingAsked,
} from "../processor/processor";
import type { KeptKnowledge } from "../processor/processor-core";
import { SplitForecastRules } from "../processor/split/split-forecast-rules";
import { SplitMatcher } from "../processor/split/split-matcher";
import type { AnswerKeeper } from "../rpc/services/answer-keeper";
import type { PlainStamp } from "../rpc/services/connect-error";
import { incidentCounts } from "../rpc/services/memory/incident-counts";
import type { Membership, Provisioner } from "../rpc/services/provisioning-service";
import type { ProcessorHost, StoredUsage, ToldOthers } from "../rpc/services/serve";
import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { Database } from "../store/database/database";
import { isMigrated } from "../store/database/migrations";
import { STAGED } from "../store/database/schema";
import { NeedsTransaction, SqliteStore } from "../store/store";
import { type Identity, readIdentity, writeIdentity } from "../store/tables/identity";
import { KnowledgeTables } from "../store/tables/knowledge-tables";
import { type Budgets, DEFAULT_BUDGETS } from "../text/budgets";
import { counted, countedInPieces } from "./counts/counts";
import { type IsolateKernels, type KernelOwner, MemoryCleared } from "./isolate-kernels";
import { KeptAnswers } from "./kept-answers";
import { fromStored, toStored } from "./manipulatives";
import type { Outbox } from "./outbox";
import { InTurn } from "./parts/in-turn";
import { type Journal, PartsNeeded } from "./parts/journal";
import { PartsHead, type PartsHeadParts } from "./parts/parts-head";
import type { WantedIdentity } from "./restore/processor-restore";
import { type Caller, ownCaller, type Take, type Turns } from "./turns/turns";

/**
 * The budget for rows kept by exports, in all objects of the isolate. The first object creates it, because all have the
 * same environment.
 */
let snapshotBudget: SnapshotBudget | undefined;

/**
 * A processor in memory, with its store, which knows whether a verb recorded changes, its kept answers and its
 * identity.
 */
interface Built {
  processor: Processor;
  store: SqliteStore;
  answers: KeptAnswers;
  identity: Identity;
  /** As the processor has it; changes with a gene. */
  sessionTtlMs: number;
  /** As the processor has them; a new object after every change. */
  silenceRules: SilenceRules | undefined;
  readonly kernel: Kernel;
  /** The parts of a split processor. */
  readonly head: PartsHead | undefined;
  /** The rules of its forecasts. */
  readonly splitRules: SplitForecastRules | undefined;
}

/** What a verb may change. */
interface Changing {
  readonly writes: boolean;
  /** Whether it usually records the change of one memory and nothing else. */
  readonly isMostlyOneRow: boolean;
}

/** Receives what others need to know about a processor. */
export interface ProcessorListener {
  /**
   * Events for other processors were recorded. Called in the turn that recorded them.
   *
   * @param most maximum number of deliveries caused by them, directly and further on; `undefined` for no limit
   */
  eventsRecorded(count: number, most: number | undefined): void;
  /** The processor's genes are about to differ from its node's. They change once this resolves. */
  noteTuned(agent: string, id: string): Promise<void>;
  /**
   * Notices of alerts were queued. Called in the turn that queued them.
   *
   * @param dropped number of notices dropped for them
   */
  noticesQueued(count: number, dropped: number): void;
  /** Something of a session was stored. Called in the turn that stored it. */
  sessionChanged(): void;
  /** The lifetime of sessions has changed. */
  sessionTtlChanged(): void;
  /** Alerts of silence were set or removed, or the processor fell asleep or woke. */
  silenceChanged(): void;
  /**
   * A memory has observed, and is to be reported if it stays silent. Called in the turn of the commit.
   *
   * @param session the session; empty for the processor's own memory
   * @param silentAt when, epoch milliseconds; `undefined` for never
   */
  arrived(session: string, silentAt: number | undefined): void;
  /** The processor is out of service. */
  retired(): void;
  /** The processor is in service again, with its data. Called in the turn that stored it. */
  returned(): void;
  /** All that was stored is deleted, with the object's alarm. */
  storageDeleted(): void;
  /** Approximate heap bytes that the object holds for the processor besides the processor itself. */
  heapBytes(): number;
  /** Whether there is a listener for what happens in memories. */
  isListening(): boolean;
  /**
   * Whether a listener wants the surprise of a memory's records.
   *
   * @param session the session; empty for the processor's own memory
   */
  wantsSurprise(session: string): boolean;
  /** These things happened in memories, and are committed; oldest first. Called in the turn of the commit. */
  notify(activities: readonly Activity[]): void;
  /** Rows are left to be deleted. Called in the turn that left them. */
  deletionDue(): void;
  /** Deletes rows until the incidents of all deleted sessions have ended. */
  endIncidents(): Promise<void>;
  /** The knowledge has no record of forecasts and is to be graded. Called after each call while that holds. */
  gradingDue(): void;
  /** Grades the knowledge. Resolves when that is done or has failed: then it is tried again later. */
  grade(): Promise<void>;
  /**
   * The processor left memory because others need it; the next call builds it again. Called while other objects work.
   */
  processorReleased(): void;
}

/** What a processor needs besides its storage. */
export interface ProcessorParts {
  /** The object's own identifier, by which its next kernel replaces its previous one. */
  objectId: string;
  /** The kernels of the isolate. */
  kernels: IsolateKernels;
  /** Counts of the processor's outbox: what has left it and what waits; absent without an outbox. */
  outbox?: () => Pick<Outbox, "links" | "waiting">;
  /** The work limits of one request; the defaults if absent. */
  budgets?: Budgets;
  /** Whether a restore waits for the agent's decision; never if absent. */
  isSealed?(): boolean;
  /** Whose turn it is; absent where there are no turns. */
  caller?(): Caller | undefined;
  /** Takes a turn for pieces of work while the object lets nothing in, as `Turns.takeApart` does. */
  takeApart?: Turns["takeApart"];
  /** How a split processor reaches its parts; absent where none can be split. */
  split?: Pick<PartsHeadParts, "fanOut"> & {
    readonly jurisdiction: string;
    /** Takes a turn for work. */
    take?: Take;
  };
  listener: ProcessorListener;
}

/** Hosts the processor of one object's storage. */
export class StoredProcessor implements ProcessorHost, Provisioner, KernelOwner {
  readonly #storage: DurableObjectStorage;
  readonly #parts: ProcessorParts;
  readonly #snapshots: Snapshots;
  #built: Built | undefined;
  /** Activities of the current verb. */
  #activities: Activity[] = [];
  /** The parts of a split processor, as last reached. */
  #head: PartsHead | undefined;
  readonly #inTurn = new InTurn();
  readonly #lateEndings = Processor.lateEndings();
  /**
   * Whether knowledge is yet to be graded, as of the last verb: the processor may have left memory since. `undefined`
   * where the rows say it.
   */
  #wasUngraded: boolean | undefined;
  /** How far the knowledge of a split processor is graded, as of the last verb. */
  #gradings: GradingsInPieces | undefined;
  /** Start of a split processor's current verb, epoch milliseconds. */
  #begunAt: number | undefined;
  /** Whether the verbs that run are pieces of one transaction. */
  #isInPieces = false;

  constructor(storage: DurableObjectStorage, parts: ProcessorParts) {
    this.#storage = storage;
    this.#parts = parts;
    snapshotBudget ??= new SnapshotBudget((parts.budgets ?? DEFAULT_BUDGETS).exportBytes);
    this.#snapshots = new Snapshots(snapshotBudget, Date.now);
  }

  processor(): Processor {
    return this.#build().processor;
  }

  /**
   * The answers that the processor's object keeps.
   *
   * @throws ConnectError `FailedPrecondition` when there is no processor
   */
  get answers(): AnswerKeeper {
    return this.#build().answers;
  }

  /** As the interface says. @param kind empty for work that no call asked for, which is not counted */
  run<Reply>(
    writes: boolean,
    verb: (processor: Processor) => Reply,
    session = "",
    kind = "",
    isMostlyOneRow = false,
  ): Reply | Promise<Reply> {
    const change = { writes, isMostlyOneRow };
    if (this.isSplit) {
      const { incarnation } = this.#identityInService();
      const { take = atOnce } = this.#parts.split ?? {};
      const caller = this.#parts.caller?.() ?? OWN_CALLER;
      const turn: Turn = (work) => take(caller, work);
      const runSplit = () => this.#runSplit(change, verb, session, { kind, incarnation, turn });
      if (this.#isInPieces) return runSplit();
      return this.#inTurn.run((hasWaited) => (hasWaited ? turn(runSplit) : runSplit()), {
        key: caller.keyId,
        bytes: caller.bytes ?? 0,
      });
    }
    this.#assertNotSealed(writes, kind);
    if (kind === "") return this.#runWithMemory(change, verb, session);
    return counted(kind, () => this.#runWithMemory(change, verb, session));
  }

  /** As the interface says. The runtime lets nothing else into the object meanwhile, and no more than 30 s pass. */
  async inPieces(piece: () => boolean): Promise<void> {
    const caller = this.#parts.caller?.() ?? OWN_CALLER;
    const whole = () => this.#inOneTransaction(caller, piece);
    await (this.isSplit ? this.#inTurn.run(whole, { key: caller.keyId, bytes: caller.bytes ?? 0 }) : whole());
    const { listener } = this.#parts;
    if (this.hasDiscarded) listener.deletionDue();
    if (this.isUngraded) listener.gradingDue();
  }

  async #inOneTransaction(caller: Caller, piece: () => boolean): Promise<void> {
    const { takeApart = inOneGo } = this.#parts;
    try {
      await this.#storage.transaction(async () => {
        const begunMs = Date.now();
        this.#isInPieces = true;
        for (let tookMs = 0; !(await takeApart(caller, piece, tookMs > LATE_MS)); tookMs = Date.now() - begunMs) {
          if (tookMs > MAX_PIECES_MS) throw takesTooLong();
        }
      });
    } catch (error) {
      // Memory is ahead of what is stored, and so are the logs of parts.
      this.#drop(error);
      this.#head = undefined;
      throw error;
    } finally {
      this.#isInPieces = false;
    }
    this.#head?.tellStored();
  }

  /**
   * Reads the processor as it is stored, at once: unlike a verb, this does not wait for others to end.
   *
   * @param look changes nothing and queries no model
   */
  look<Seen>(look: (processor: Processor) => Seen, session: string): Seen {
    return look(this.#build().processor.in(session));
  }

  /** Whether the processor has parts. */
  get isSplit(): boolean {
    if (this.#built !== undefined) return this.#built.head !== undefined;
    return (this.identity()?.parts ?? 1) > 1;
  }

  /**
   * Runs a verb repeatedly, until all its questions to the parts are answered. The clock stands still for the verb.
   *
   * @param about for the counters, which life of the processor the call was for, and how each later run takes its turn
   */
  #runSplit<Reply>(
    change: Changing,
    verb: (processor: Processor) => Reply,
    session: string,
    { kind, incarnation, turn }: { readonly kind: string; readonly incarnation: string; readonly turn: Turn },
  ): Reply | Promise<Reply> {
    const begunAt = Date.now();
    const counting = countedInPieces(kind);
    let head: PartsHead | undefined;
    let journal: Journal | undefined;
    const run = (): { reply: Reply } | undefined => {
      if (this.#identityInService().incarnation !== incarnation) throw replacedMeanwhile();
      this.#assertNotSealed(change.writes, kind);
      // With another number of parts, the answers so far are useless.
      if (head !== this.#headNow()) {
        head = this.#headNow();
        journal = head?.newJournal();
      }
      this.#begunAt = begunAt;
      if (journal !== undefined) head?.begins(journal);
      try {
        return { reply: counting(() => this.#runWithMemory(change, verb, session)) };
      } catch (error) {
        if (error instanceof PartsNeeded) return undefined;
        head?.fails();
        throw error;
      } finally {
        this.#begunAt = undefined;
      }
    };
    const first = run();
    if (first !== undefined) return first.reply;
    const goOn = async (): Promise<Reply> => {
      for (;;) {
        await head?.answer();
        const next = await turn(run);
        if (next !== undefined) return next.reply;
      }
    };
    return goOn();
  }

  /**
   * A call that has waited, for parts or for its turn, may run after a restore was sealed. What it wrote then would be
   * replaced after its answer. Work that no call asked for has no answer, and may be lost.
   *
   * @throws Fault `unavailable`
   */
  #assertNotSealed(writes: boolean, kind: string): void {
    if (writes && kind !== "" && this.#parts.isSealed?.()) throw sealedMeanwhile();
  }

  /** @throws PartsNeeded when a verb is under way that has asked its parts what is not known yet */
  assertKnown(): void {
    this.#built?.head?.assertKnown();
  }

  /** The parts of the processor in its current form. Builds the processor. */
  #headNow(): PartsHead | undefined {
    return this.#build().head;
  }

  /** Runs a verb, and repeats it once if it lacked memory or a transaction that it then gets. */
  #runWithMemory<Reply>(change: Changing, verb: (processor: Processor) => Reply, session: string): Reply {
    try {
      return this.#runOnce(change, verb, session);
    } catch (error) {
      if (!(error instanceof MemoryCleared || error instanceof NeedsTransaction)) throw error;
      return this.#runOnce({ ...change, isMostlyOneRow: false }, verb, session);
    }
  }

  kernelReleased(): void {
    this.#built = undefined;
    this.#head?.released();
    this.#parts.listener.processorReleased();
  }

  #runOnce<Reply>(change: Changing, verb: (processor: Processor) => Reply, session: string): Reply {
    const { processor: whole, store, answers, head, splitRules } = this.#build();
    const { kernels, listener, objectId } = this.#parts;
    const { recorded, touched, forwarded, told, dropped, begun, emptied } = store;
    this.#activities = [];
    if (head !== undefined) whole.keepChanges();
    head?.runs();
    try {
      const processor = whole.in(session);
      const { arrivals } = processor;
      const reply = this.#committed(change, store, processor, head?.whole(verb) ?? verb);
      head?.commits();
      if (store.forwarded !== forwarded) listener.eventsRecorded(store.forwarded - forwarded, store.mostDeliveries);
      if (store.told !== told) listener.noticesQueued(store.told - told, store.dropped - dropped);
      incidentCounts.begun += store.begun - begun;
      this.#noteEmptied(store, emptied);
      if (session !== "" && store.recorded !== recorded) listener.sessionChanged();
      this.#noteChanges(whole, processor, session, arrivals);
      const own = whole.heapBytes + store.heapBytes + answers.heapBytes;
      kernels.use(objectId, own + listener.heapBytes() + heapBytesOf(head, splitRules));
      return reply;
    } catch (error) {
      if (head !== undefined) throw this.#goBackFrom(error, head, change.writes, session);
      // A refusal that recorded nothing changed at most its own memory. Anything else, such as a trap of the kernel,
      // may have changed more.
      if (!(error instanceof Fault) || store.recorded !== recorded) this.#drop(error);
      else if (store.touched !== touched && this.#built !== undefined) this.#built.processor = whole.reread(session);
      throw error;
    }
  }

  /** Takes a split processor back as {@link #goBack} does. @returns what the run has ended with */
  #goBackFrom(error: unknown, head: PartsHead, isChanged: boolean, session: string): unknown {
    const isAhead = head.ends();
    this.#goBack(error, isChanged, session, isAhead);
    // Whatever goes wrong with an answer that stands for nothing, goes wrong again if it must.
    const isGuess = isAhead && !(error instanceof MemoryCleared || error instanceof NeedsTransaction);
    return isGuess ? new PartsNeeded() : error;
  }

  /**
   * Takes a split processor back to what is stored after a verb has ended with an error. Models and vectors are read
   * again only where that cannot be avoided: the same verb may run many times.
   *
   * @param isChanged whether the verb may have changed anything, recorded or not
   * @param session the memory that it was about; empty for the processor's own
   * @param isAhead whether it went on with answers that stand for nothing: memories may keep what follows from them
   */
  #goBack(error: unknown, isChanged: boolean, session: string, isAhead: boolean): void {
    const built = this.#built;
    if (built === undefined) return;
    const isOrderly = endsOrderly(error);
    if (isOrderly && !isChanged) {
      if (isAhead) built.processor = built.processor.reread(session).reread("");
      return;
    }
    const store = this.#newStore(built.head);
    const kept = isOrderly ? built.processor.takenBack(store) : undefined;
    if (kept === undefined) this.#drop(error);
    else this.#openOn(built, store, kept);
  }

  /** Runs a verb in a transaction if it writes. A single statement is atomic, and needs none. */
  #committed<Reply>(
    { writes, isMostlyOneRow }: Changing,
    store: SqliteStore,
    processor: Processor,
    verb: (processor: Processor) => Reply,
  ): Reply {
    if (!writes) return verb(processor);
    const transaction = <Result>(work: () => Result) => this.#storage.transactionSync(work);
    if (!isMostlyOneRow || !processor.observesQuietly) return transaction(() => verb(processor));
    return store.withOneChange(() => verb(processor), transaction);
  }

  /** Notes a verb's changes of the processor. @param arrivals those of its memory before the verb */
  #noteChanges(whole: Processor, processor: Processor, session: string, arrivals: Arrivals): void {
    const { listener } = this.#parts;
    if (this.#activities.length > 0) listener.notify(this.#activities);
    this.#noteTtl(whole);
    this.#noteSilence(processor, session, arrivals);
    this.#wasUngraded = whole.knowledge.isUngraded;
    this.#gradings = whole.gradingsInPieces;
    if (this.#wasUngraded && !this.#isInPieces) listener.gradingDue();
  }

  /** @param before how often tables had been emptied before a verb */
  #noteEmptied(store: SqliteStore, before: number): void {
    if (store.emptied !== before && !this.#isInPieces && store.hasDiscarded) this.#parts.listener.deletionDue();
  }

  #noteTtl({ sessionTtlMs }: Processor): void {
    if (this.#built === undefined || this.#built.sessionTtlMs === sessionTtlMs) return;
    this.#built.sessionTtlMs = sessionTtlMs;
    this.#parts.listener.sessionTtlChanged();
  }

  /** @param before the arrivals before the verb */
  #noteSilence(processor: Processor, session: string, before: Arrivals): void {
    if (this.#built === undefined) return;
    const { silenceRules: rules } = processor;
    if (this.#built.silenceRules !== rules) {
      this.#built.silenceRules = rules;
      this.#parts.listener.silenceChanged();
    } else if (rules !== undefined && processor.arrivals !== before) {
      this.#parts.listener.arrived(session, processor.silenceAfterArrival(rules));
    }
  }

  beforeTuning(): Promise<void> | undefined {
    const { identity } = this.#build();
    return identity.tuned || identity.agent === "" ? undefined : this.#noteTuned(identity);
  }

  /** The processor's identity, in service or not; `undefined` for an object that was never provisioned. */
  identity(): Identity | undefined {
    return this.#built?.identity ?? this.#storage.transactionSync(() => readIdentity(this.#storage.sql));
  }

  usage(): StoredUsage {
    const { id } = this.#identityInService();
    const storageBytes = this.#storage.sql.databaseSize;
    const processor = this.#built?.processor;
    if (processor !== undefined) {
      return { ...processor.inspection.getUsage(), storageBytes, stamp: { id, time: processor.time } };
    }
    const store = new SqliteStore(this.#storage.sql);
    const memoryLimitBytes = this.#parts.kernels.limitBytes;
    const stamp = { id, time: store.memories.time("") };
    const { max_models: maxModels } = genesFrom(store.genes());
    return { ...store.counts(), memoryBytes: undefined, memoryLimitBytes, maxModels, storageBytes, stamp };
  }

  async devices(asked: DevicesAsked): Promise<{ devices: Device[]; stamp: PlainStamp }> {
    const { id } = this.#identityInService();
    const store = this.#built?.store ?? new SqliteStore(this.#storage.sql);
    const time = this.#built?.processor.time ?? store.memories.time("");
    const parts = Processor.devicesInParts(store, asked, Date.now());
    for (;;) {
      const { done, value } = parts.next();
      if (done) return { devices: value, stamp: { id, time } };
      await yieldToEventLoop();
    }
  }

  async parts(): Promise<readonly PartInfo[]> {
    const { head } = this.#build();
    if (head === undefined) return [];
    const { models } = head;
    return (await head.look()).map((memoryBytes, part) => ({ memoryBytes, models: models[part] ?? 0 }));
  }

  toldOthers(): ToldOthers {
    const { id, manipulatives } = this.#identityInService();
    const outbox = this.#parts.outbox?.();
    if (outbox === undefined) throw new Error("this processor was made without an outbox");
    const { links: counts } = outbox;
    const links = manipulatives.flatMap(({ id: manipulative, targets }) =>
      targets.map(({ id: processor }) => ({ manipulative, processor, ...counts.of(manipulative, processor) })),
    );
    const time = this.#built?.processor.time ?? new SqliteStore(this.#storage.sql).memories.time("");
    return { ...outbox.waiting(), countedSince: counts.since, links, stamp: { id, time } };
  }

  /** Whether the knowledge is yet to be graded. Does not build the processor. */
  get isUngraded(): boolean {
    if (this.#built !== undefined) return this.#built.processor.knowledge.isUngraded;
    this.#wasUngraded ??= Processor.isUngraded(this.#unbuiltStore());
    return this.#wasUngraded;
  }

  /** As the interface says. */
  graded(): Promise<void> {
    return this.isUngraded ? this.#parts.listener.grade() : Promise.resolve();
  }

  /** As the interface says. */
  async stagedPacked(): Promise<void> {
    const { sql } = this.#storage;
    if (!isMigrated(sql)) return;
    const staged = new KnowledgeTables(new Database(sql), STAGED);
    while (this.#storage.transactionSync(() => staged.packSome())) await yieldToEventLoop();
  }

  /** Whether rows are left to be deleted. Does not build the processor. */
  get hasDiscarded(): boolean {
    return this.#unbuiltStore().hasDiscarded;
  }

  /** Whether incidents of deleted sessions have not ended yet. Does not build the processor. */
  get hasLateEndings(): boolean {
    return this.#unbuiltStore().discarded.ended().length > 0;
  }

  /** As the interface says. */
  incidentsEnded(): Promise<void> {
    return this.hasLateEndings ? this.#parts.listener.endIncidents() : Promise.resolve();
  }

  /** Deletes some of the rows that are left to be deleted, or ends incidents in them, in one transaction. */
  deleteSome(): void {
    const store = this.#unbuiltStore();
    const { discarded } = store;
    try {
      this.#storage.transactionSync(() => {
        const deletions = discarded.ended();
        if (deletions.length === 0) discarded.deleteSome();
        else if (!this.#lateEndings.endSome({ snapshots: this.#snapshots, store }, deletions)) discarded.discardEnded();
      });
    } catch (error) {
      this.#lateEndings.startOver();
      throw error;
    }
  }

  /** Whether there is a processor to run verbs. */
  get isInService(): boolean {
    return this.identity()?.inService ?? false;
  }

  /**
   * When the next session expires, epoch milliseconds; `undefined` for never. Does not build the processor, because
   * this may be asked every few seconds while it is not in memory.
   */
  get nextSessionEnd(): number | undefined {
    return Processor.nextSessionEnd(this.#built?.store ?? new SqliteStore(this.#storage.sql), Date.now());
  }

  /** Milliseconds without a change after which a session expires; 0 for never. Does not build the processor. */
  get sessionTtlMs(): number {
    return Processor.sessionTtlMs(this.#built?.store ?? new SqliteStore(this.#storage.sql));
  }

  /** The alerts of silence; `undefined` if none applies. Does not build the processor. */
  get silenceRules(): SilenceRules | undefined {
    if (!this.isInService) return undefined;
    return this.#built === undefined ? Processor.silenceRules(this.#unbuiltStore()) : this.#built.silenceRules;
  }

  /** {@link Processor.nextLooks}, without building the processor. @param now epoch milliseconds */
  nextLooks(rules: SilenceRules, asked: LooksAsked): NextLooks {
    return Processor.nextLooks(this.#unbuiltStore(), rules, asked);
  }

  /** Reports silent memories in one transaction, as `Processor.tellSilences` does. */
  tellSilences(rules: SilenceRules, asked: TellingAsked): NextLook[] {
    const store = this.#unbuiltStore();
    const { told, dropped } = store;
    const looks = this.#storage.transactionSync(() => Processor.tellSilences(store, rules, asked));
    if (store.told !== told) this.#parts.listener.noticesQueued(store.told - told, store.dropped - dropped);
    return looks;
  }

  /** The store of the processor in memory, or one for a processor that is not in memory. */
  #unbuiltStore(): SqliteStore {
    return this.#built?.store ?? new SqliteStore(this.#storage.sql);
  }

  provision(id: string, name: string, genes: readonly GeneChange[], membership: Membership): PlainStamp {
    if (id === "")
      throw new Fault("invalid", "a processor's id is empty; it must be a string that is unique in its agent");
    const manipulatives = toStored(membership.manipulatives);
    const identity = this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      const before = readIdentity(sql);
      if (before !== undefined && before.id !== id) {
        throw new Fault("invalid", `this object is the processor "${before.id}" and cannot become "${id}"`);
      }
      const { tuned = false, incarnation = crypto.randomUUID() } = before ?? {};
      const { agent } = membership;
      // Parts store nothing, so their number may change; but not during calls.
      const { parts = 1 } = before?.inService ? before : membership;
      const after = { id, name, inService: true, agent, incarnation, tuned, manipulatives, parts };
      writeIdentity(sql, after);
      if (before === undefined) Processor.provision(new SqliteStore(sql), genes);
      else if (!before.inService) this.#parts.listener.returned();
      return after;
    });
    if (this.#built !== undefined) {
      this.#built.identity = identity;
      this.#built.processor.rename(name);
      this.#built.processor.relink(fromStored(manipulatives));
    }
    // Do not build the processor: an agent of a thousand processors would hold a thousand unused kernels.
    const time = this.#built?.processor.time ?? new SqliteStore(this.#storage.sql).memories.time("");
    return { id, time };
  }

  /**
   * Replaces the processor in one transaction, and opens it there to check that this works.
   *
   * @param change writes the replacement
   * @param wanted its new identity; unchanged if absent
   * @param rehearsal whether to roll everything back at the end
   * @throws Fault when it cannot be opened, and what `change` throws; then nothing has changed
   */
  replace(change: () => void, wanted: WantedIdentity | undefined, rehearsal: boolean): PlainStamp {
    this.#drop();
    try {
      return this.#replaceOnce(change, wanted, rehearsal);
    } catch (error) {
      this.#drop(error);
      if (!(error instanceof MemoryCleared)) throw error;
      return this.#replaceOnce(change, wanted, rehearsal);
    }
  }

  /** Deletes the storage of an object that is not a processor. */
  async forget(): Promise<void> {
    this.#drop();
    await this.#storage.deleteAll();
    this.#parts.listener.storageDeleted();
  }

  async retire(purge: boolean): Promise<void> {
    const identity = this.identity();
    if (identity === undefined) throw notInService();
    this.#drop();
    this.#snapshots.endAll();
    this.#parts.listener.retired();
    if (purge) {
      await this.#storage.deleteAll();
      this.#parts.listener.storageDeleted();
    } else this.#storage.transactionSync(() => writeIdentity(this.#storage.sql, { ...identity, inService: false }));
  }

  #replaceOnce(change: () => void, wanted: WantedIdentity | undefined, rehearsal: boolean): PlainStamp {
    const { sql } = this.#storage;
    let stamp: PlainStamp | undefined;
    try {
      this.#storage.transactionSync(() => {
        const before = readIdentity(sql);
        const identity = identityAfter(before, wanted);
        change();
        writeIdentity(sql, identity);
        const { processor, head } = this.#open(identity);
        head?.assertHoldsAll();
        stamp = { id: processor.id, time: processor.time };
        if (rehearsal) throw new Rehearsed();
      });
    } catch (error) {
      if (!(error instanceof Rehearsed) || stamp === undefined) throw error;
      // Drop what was opened, because it is rolled back.
      this.#drop();
      return stamp;
    }
    if (stamp === undefined) throw new Error("a transaction ended without its work");
    this.#snapshots.endAll();
    this.#parts.listener.sessionChanged();
    if (this.hasDiscarded) this.#parts.listener.deletionDue();
    return stamp;
  }

  /** Done once in a processor's life, before any gene changes: first the agent stores the note, then the processor. */
  async #noteTuned({ agent, id }: Identity): Promise<void> {
    await this.#parts.listener.noteTuned(agent, id);
    const identity = this.identity();
    // The processor may have been retired and purged meanwhile.
    if (identity === undefined) return;
    const tuned = { ...identity, tuned: true };
    this.#storage.transactionSync(() => writeIdentity(this.#storage.sql, tuned));
    if (this.#built !== undefined) this.#built.identity = tuned;
  }

  #build(): Built {
    if (this.#built !== undefined) return this.#built;
    const identity = this.#identityInService();
    try {
      return this.#open(identity);
    } catch (error) {
      this.#drop(error);
      if (!(error instanceof MemoryCleared)) throw error;
      return this.#open(identity);
    }
  }

  #identityInService(): Identity {
    const identity = this.identity();
    if (identity === undefined || !identity.inService) throw notInService();
    return identity;
  }

  #open(identity: Identity): Built {
    const head = this.#headOf(identity);
    const store = this.#newStore(head);
    const kernel = this.#parts.kernels.create(this.#parts.objectId, this);
    return this.#openOn({ identity, kernel, head }, store);
  }

  #newStore(head: PartsHead | undefined): SqliteStore {
    return new SqliteStore(this.#storage.sql, head);
  }

  /** The head of a processor's parts; `undefined` when it is not split. */
  #headOf({ agent, id, incarnation, parts: count }: Identity): PartsHead | undefined {
    const { kernels, objectId, split } = this.#parts;
    if (count === 1) {
      this.#head = undefined;
    } else if (this.#head?.count !== count || this.#head.incarnation !== incarnation) {
      if (split === undefined) throw new Error("this processor was made without a way to its parts");
      const { fanOut, jurisdiction } = split;
      this.#head = new PartsHead({
        count,
        family: { agent, id, jurisdiction },
        incarnation,
        limitBytes: kernels.limitBytes,
        fanOut,
        corpusBatches: () => new SqliteStore(this.#storage.sql).knowledge.corpusBatches(),
        isUsed: () => kernels.touch(objectId),
        isStoring: () => this.#isInPieces,
        pause: yieldToEventLoop,
      });
    }
    return this.#head;
  }

  /** Opens the processor on a new kernel. @param kept what need not be read again */
  #openOn(
    { identity, kernel, head }: Pick<Built, "identity" | "kernel" | "head">,
    store: SqliteStore,
    kept?: KeptKnowledge,
  ) {
    const { id, name } = identity;
    const manipulatives = fromStored(identity.manipulatives);
    const { budgets = DEFAULT_BUDGETS } = this.#parts;
    const matcher = head === undefined ? kernel : new SplitMatcher(head, matchesIn);
    const splitRules = head && new SplitForecastRules(head, kernel);
    const own = {
      store,
      matcher,
      neighbours: kernel.neighbours,
      forecaster: new PoolingForecaster(splitRules ?? kernel.forecastRules),
      snapshots: this.#snapshots,
      gradesLaterFrom: GRADED_LATER_FROM,
      ...(head !== undefined && {
        gradesLater: true,
        now: () => this.#begunAt ?? Date.now(),
        gradingsInPieces: this.#gradings,
      }),
      ...(kept !== undefined && { kept }),
    };
    const { listener } = this.#parts;
    const activityListener = {
      get isListening() {
        return listener.isListening();
      },
      wantsSurprise: (session: string) => listener.wantsSurprise(session),
      notify: (activity: Activity) => this.#activities.push(activity),
    };
    const open = () => Processor.open({ id, name, ...own, manipulatives, budgets, activityListener });
    const processor = head === undefined ? open() : head.opening(open);
    const answers = new KeptAnswers(new Database(this.#storage.sql, () => head?.assertKnown()), Date.now);
    const { sessionTtlMs, silenceRules } = processor;
    this.#built = { processor, store, answers, identity, sessionTtlMs, silenceRules, kernel, head, splitRules };
    return this.#built;
  }

  /** Drops the processor in memory and frees its memory. @param error what made it unusable, if anything */
  #drop(error?: unknown): void {
    this.#built = undefined;
    this.#wasUngraded = undefined;
    // Where others needed its memory, what was graded is still true.
    if (!(error instanceof MemoryCleared || endsOrderly(error))) this.#gradings = undefined;
    this.#parts.kernels.discard(this.#parts.objectId, error);
  }
}

/**
 * From this many models on, or ten times as many symbols, loaded knowledge is graded in parts after the load, with
 * turns for others between them.
 */
const GRADED_LATER_FROM = 5_000;

/** Whether an error that has ended a verb leaves nothing half done but what is taken back. */
function endsOrderly(error: unknown): boolean {
  return error instanceof Fault || error instanceof PartsNeeded || error instanceof NeedsTransaction;
}

/** About how many bytes of heap the head of parts and its forecasts take, if there is one. */
function heapBytesOf(head: PartsHead | undefined, rules: SplitForecastRules | undefined): number {
  return (head?.heapBytes ?? 0) + (rules?.heapBytes ?? 0);
}

/** Takes a turn for work of a caller. */
type Turn = <Reply>(work: () => Reply) => Reply | Promise<Awaited<Reply>>;

/** The caller of work that no call has asked for. */
const OWN_CALLER = ownCaller("work");

/** Milliseconds for all pieces of one transaction. The runtime ends an object that lets nothing in for 30 s. */
const MAX_PIECES_MS = 25_000;

/** Milliseconds after which the pieces leave others less time, so that they are done before that. */
const LATE_MS = 8_000;

/** Runs pieces where there are no turns. */
async function inOneGo(_: Caller, piece: () => boolean): Promise<boolean> {
  return piece();
}

/** The refusal of a change whose pieces take too long beside what others ask. */
function takesTooLong(): Fault {
  return new Fault(
    "too-large",
    `this takes more than ${MAX_PIECES_MS / 1_000} s beside what others ask; nothing has changed: send it in smaller ` +
      "files, or when others ask less",
  );
}

/** Where there are no turns. */
function atOnce<Reply>(_: Caller, work: () => Reply): Reply {
  return work();
}

/** The refusal of a call that waited for its turn, or for parts, while a restore replaced the processor. */
function replacedMeanwhile(): Fault {
  return new Fault("unavailable", "the processor was restored while the call waited; nothing was done: try again");
}

/** The refusal of a call that waited while a restore began that is yet to be decided. */
function sealedMeanwhile(): Fault {
  const words = "a restore of the processor began while the call waited; nothing was done: try again in a moment";
  return new Fault("unavailable", words);
}

/** Thrown to roll back the transaction of a rehearsal. */
class Rehearsed extends Error {
  override readonly name = "Rehearsed";
}

/**
 * A processor's identity after a restore. It gets a new incarnation: its deliveries count from 1 again, and must not be
 * mistaken for those of the one it replaces.
 */
function identityAfter(before: Identity | undefined, wanted: WantedIdentity | undefined): Identity {
  const fresh = { inService: true, incarnation: crypto.randomUUID(), tuned: true };
  if (wanted === undefined) {
    if (before === undefined || !before.inService) throw notInService();
    return { ...before, ...fresh };
  }
  const { id, name, agent, outlets, parts } = wanted;
  if (before !== undefined && before.id !== id) {
    throw new Fault("invalid", `this object is the processor "${before.id}" and cannot become "${id}"`);
  }
  const manipulatives = outlets.map(({ manipulative, fields, targets }) => ({ id: manipulative, fields, targets }));
  return { id, name, agent, ...fresh, manipulatives: toStored(manipulatives), parts: Math.max(1, parts) };
}

/** The error of an object that no agent has put into service, or that was taken out of it. */
function notInService(): ConnectError {
  return new ConnectError("this processor is not in service: no agent has provisioned it", Code.FailedPrecondition);
}
