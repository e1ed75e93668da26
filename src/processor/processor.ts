/**
 * A cognitive processor: the verbs that act on one of its memories, grouped by service. It keeps in memory what it
 * needs, reads and records through the store, and leaves the hot work to the matcher and the neighbours. It knows no
 * network and no database.
 *
 * A verb runs inside one transaction of the owner. If it throws after recording something, the owner rolls back and
 * discards the processor, which may be ahead of the store, and opens a new one. If it throws a Fault before that, only
 * its own memory can be ahead: {@link Processor.reread}.
 */

import type { Device, GeneChange } from "../gen/plain";
import { changeGenes, genesFrom, genesToStore } from "./genes/genes";
import { devicesInParts, devicesOf } from "./incidents/devices";
import { LateEndings } from "./incidents/ending";
import { Mind } from "./mind";
import { Fault } from "./ports/fault";
import type { DevicesAsked } from "./ports/incident";
import type { Arrivals } from "./ports/silence";
import { newState, type Reader, type Store } from "./ports/store";
import type { Manipulative } from "./prediction/manipulative";
import { type KeptKnowledge, ProcessorCore, type ProcessorParts } from "./processor-core";
import { nextEndOf, Sessions, ttlMsOf } from "./sessions";
import { nextSilence, type SilenceRules, silenceRules } from "./silence/rules";
import { type Looking, type NextLook, type NextLooks, nextLooks, tellSilences } from "./silence/telling";
import { AlertVerbs } from "./verbs/alerts/alert-verbs";
import { type BackupPage, type BackupRequest, readBackup } from "./verbs/backup/backup-page";
import { EncoderVerbs } from "./verbs/encoder-verbs";
import { GeneVerbs } from "./verbs/gene-verbs";
import { IncidentVerbs } from "./verbs/incidents/incident-verbs";
import { InspectionVerbs } from "./verbs/inspection-verbs";
import { KnowledgeVerbs } from "./verbs/knowledge-verbs";
import { MemoryVerbs } from "./verbs/memory-verbs";
import { ModeVerbs } from "./verbs/mode-verbs";

export type { SilenceRules } from "./silence/rules";
export type { NextLook, NextLooks } from "./silence/telling";
export type { Usage } from "./verbs/inspection-verbs";

/** The memories to check for silence. */
export interface LooksAsked {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Those whose names follow it, in the order of UTF-8 bytes; `undefined` to start with the processor's own. */
  readonly after: string | undefined;
  /** Maximum number of memories read. */
  readonly limit: number;
}

/** The memories to report if they are silent. */
export interface TellingAsked {
  readonly sessions: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Start of a silence that would otherwise start in the future, epoch milliseconds. */
  readonly born: number;
}

/**
 * One processor, with its own memory or in a session: a group of verbs per service. Callers only read the
 * lists that verbs return.
 */
export class Processor {
  readonly memory: MemoryVerbs;
  readonly genes: GeneVerbs;
  readonly encoders: EncoderVerbs;
  readonly modes: ModeVerbs;
  readonly inspection: InspectionVerbs;
  readonly knowledge: KnowledgeVerbs;
  readonly alerts: AlertVerbs;
  readonly incidents: IncidentVerbs;
  readonly #shared: ProcessorCore;
  readonly #sessions: Sessions;
  readonly #own: Mind;
  readonly #mind: Mind;

  private constructor(sessions: Sessions, own: Mind, mind: Mind) {
    this.#shared = own.shared;
    this.#sessions = sessions;
    this.#own = own;
    this.#mind = mind;
    this.memory = new MemoryVerbs(mind, { own, sessions });
    this.genes = new GeneVerbs(own);
    this.encoders = new EncoderVerbs(own);
    this.modes = new ModeVerbs(mind, own);
    this.inspection = new InspectionVerbs(mind);
    this.knowledge = new KnowledgeVerbs(own);
    this.alerts = new AlertVerbs(own);
    this.incidents = new IncidentVerbs(mind, sessions);
  }

  /**
   * Opens a processor from its store and fills the matcher and the neighbours, which it must own exclusively.
   * @throws Fault `exhausted` when the matcher or the neighbours cannot hold it; `damaged` when what is
   *   stored contradicts itself
   */
  static open(parts: ProcessorParts): Processor {
    const shared = new ProcessorCore(parts);
    const own = new Mind(shared, "", parts.store.memories.read(""));
    return new Processor(new Sessions(shared), own, own);
  }

  /**
   * Gives a new processor its first genes and state. Does nothing when it already has a state.
   * @throws Fault `invalid` when a gene is unknown or its value is not accepted; nothing is recorded
   */
  static provision(store: Store, changes: readonly GeneChange[]): void {
    if (store.state() !== undefined) return;
    const { genes, refusal } = changeGenes(genesFrom({}), changes);
    if (genes === undefined) throw new Fault("invalid", refusal);
    store.record({ kind: "genes", genes: genesToStore(genes) });
    store.record({ kind: "state", state: newState() });
  }

  /**
   * The same processor in a session, or with its own memory. The verbs of memory, the target class, time and status are
   * then the session's; everything else is shared. Call it again for every verb, because another session's verb may
   * evict this one from memory.
   * @param session the name of the session; empty for the processor's own memory
   */
  in(session: string): Processor {
    const mind = session === "" ? this.#own : this.#sessions.mind(session);
    return mind === this.#mind ? this : new Processor(this.#sessions, this.#own, mind);
  }

  /**
   * Reloads one memory after a verb announced a change to the store and then failed without recording it.
   * @param session the session; empty for the processor's own memory
   * @returns the processor to use from now on
   */
  reread(session: string): Processor {
    if (session !== "") {
      this.#sessions.forget(session);
      return this;
    }
    const own = new Mind(this.#shared, "", this.#shared.store.memories.read(""));
    return new Processor(this.#sessions, own, own);
  }

  /** Starts to keep what {@link takenBack} needs. Call it between verbs. */
  keepChanges(): void {
    this.#shared.keepChanges();
  }

  /**
   * What the next processor need not read again, after the changes since {@link keepChanges} were rolled back. This
   * processor cannot be used afterwards.
   *
   * @param store a new one
   * @returns `undefined` when everything has to be read again
   */
  takenBack(store: Store): KeptKnowledge | undefined {
    return this.#shared.takenBack(store);
  }

  /** How far the knowledge of a split processor is graded, for the next processor of the same rows. */
  get gradingsInPieces(): ProcessorCore["gradingsInPieces"] {
    return this.#shared.gradingsInPieces;
  }

  /** The number of models, the number of their symbols, and the occurrences of a symbol in them. */
  get counted(): Pick<ProcessorCore["knowledge"], "models" | "symbolCount" | "symbols" | "revision"> {
    return this.#shared.knowledge;
  }

  /** Identifies the processor in its agent. */
  get id(): string {
    return this.#shared.id;
  }

  /** The friendly name. */
  get name(): string {
    return this.#shared.name;
  }

  /**
   * Number of records that the current memory has observed while awake, since its creation, or since all memory was
   * cleared.
   */
  get time(): number {
    return this.#mind.state.time;
  }

  /**
   * Whether an observation of the current memory changes nothing stored except this memory: it neither learns, nor
   * notifies others, nor begins a session.
   */
  get observesQuietly(): boolean {
    const { alerts, manipulatives, state } = this.#shared;
    return !state.autolearn && alerts.length === 0 && manipulatives.length === 0 && this.#mind.isStored;
  }

  /** The alerts of silence; `undefined` if none applies. A new object after every change. */
  get silenceRules(): SilenceRules | undefined {
    return this.#shared.silence;
  }

  /** When records arrived in the current memory. A new list after every arrival. */
  get arrivals(): Arrivals {
    return this.#mind.state.arrivals;
  }

  /** When to report the current memory, which has just observed, as silent, if ever. Epoch milliseconds. */
  silenceAfterArrival(rules: SilenceRules): number | undefined {
    return nextSilence(rules, this.arrivals, this.#shared.now());
  }

  /** Approximate heap bytes of the processor. All of it can be rebuilt from the store. */
  get heapBytes(): number {
    return this.#shared.heapBytes + this.#own.heapBytes + this.#sessions.heapBytes;
  }

  /** Changes the friendly name. The owner stores it. */
  rename(name: string): void {
    this.#shared.name = name;
  }

  /** Changes the manipulatives. The owner stores them. */
  relink(manipulatives: readonly Manipulative[]): void {
    this.#shared.manipulatives = manipulatives;
  }

  /**
   * One page of the processor's backup.
   * @throws Fault as {@link readBackup}
   */
  readBackup(request: BackupRequest): BackupPage {
    return readBackup(this.#own, request);
  }

  /** Milliseconds without a change after which a session expires; 0 for never. */
  get sessionTtlMs(): number {
    return this.#sessions.ttlMs;
  }

  /**
   * When the next session of a processor expires. Reads only the store, without opening a processor.
   *
   * @param now epoch milliseconds
   * @returns epoch milliseconds; `undefined` for never
   */
  static nextSessionEnd(store: Pick<Reader, "genes" | "memories">, now: number): number | undefined {
    return nextEndOf(genesFrom(store.genes()), store, now);
  }

  /** Whether knowledge has no record of forecasts and is yet to be graded. Reads only the store. */
  static isUngraded(store: Pick<Reader, "state">): boolean {
    return KnowledgeVerbs.isUngradedIn(store.state() ?? newState());
  }

  /** The alerts of silence of a processor. Reads only the store, without opening a processor. */
  static silenceRules(store: Pick<Reader, "alerts" | "state">): SilenceRules | undefined {
    const alerts = store.alerts().map((alert) => ({ ...alert, delivers: alert.url !== "" }));
    const { awakeSince = 0, sleeping = false } = store.state() ?? {};
    return silenceRules({ alerts, awakeSince, sleeping });
  }

  /** Ends, later, the incidents of sessions that are deleted together. */
  static lateEndings(): LateEndings {
    return new LateEndings();
  }

  /** When to check memories for silence, as {@link nextLooks} computes it. Reads only the store. */
  static nextLooks(store: Reader, rules: SilenceRules, { now, after, limit }: LooksAsked): NextLooks {
    return nextLooks(store, Processor.#looking(store, rules, now), after, limit);
  }

  /** Reports silent memories, see {@link tellSilences}. Needs only the store. */
  static tellSilences(store: Store, rules: SilenceRules, { sessions, now, born }: TellingAsked): NextLook[] {
    return tellSilences(store, sessions, Processor.#looking(store, rules, now), born);
  }

  static #looking(store: Pick<Reader, "genes">, rules: SilenceRules, now: number): Looking {
    return { rules, now, isOver: isOverAt(store, now) };
  }

  /**
   * The memories of a processor at a glance, read in parts. Reads only the store, without opening a processor.
   *
   * @param now epoch milliseconds
   */
  static devicesInParts(store: Reader, asked: DevicesAsked, now: number): Generator<void, Device[], void> {
    return devicesInParts(store, asked, { isOver: isOverAt(store, now), rules: Processor.silenceRules(store) });
  }

  /** {@link Processor.devicesInParts} of this processor in one go. */
  listDevices(asked: DevicesAsked): Device[] {
    const { store } = this.#shared;
    return devicesOf(store, asked, { isOver: isOverAt(store, this.#shared.now()), rules: this.silenceRules });
  }

  /** {@link Processor.sessionTtlMs} read from the store. */
  static sessionTtlMs(store: Pick<Reader, "genes">): number {
    return ttlMsOf(genesFrom(store.genes()));
  }

  /** Deletes expired sessions, oldest change first. @param limit the maximum number @returns the number deleted */
  endSessionsOver(limit: number): number {
    return this.#sessions.endOver(limit);
  }
}

/** Whether a session is expired, by its last change. @param now epoch milliseconds */
function isOverAt(store: Pick<Reader, "genes">, now: number): (changedAt: number) => boolean {
  const ttlMs = Processor.sessionTtlMs(store);
  return (changedAt) => ttlMs > 0 && changedAt + ttlMs <= now;
}
