/**
 * A cognitive processor: the verbs that act on one of its memories, grouped by service. It keeps in memory what it
 * needs, reads and records through the store, and leaves the hot work to the matcher and the neighbours. It knows no
 * network and no database.
 *
 * A verb runs inside one transaction of the owner. When it throws after it has recorded something, the owner rolls the
 * records back and drops the processor, because it may be ahead of what lasts; then it opens a new one from the store.
 * When it throws a Fault before that, only the memory that it was about can be ahead: {@link Processor.reread}.
 */

import { changeGenes, type GeneChange, genesFrom, genesToStore } from "./genes/genes";
import { Mind } from "./mind";
import { Fault } from "./ports/fault";
import type { Reader, Store } from "./ports/store";
import type { Manipulative } from "./prediction/manipulative";
import { nextEndOf, Sessions, ttlMsOf } from "./sessions";
import { freshState, type ProcessorParts, Shared } from "./shared";
import { AlertVerbs } from "./verbs/alerts/alert-verbs";
import { type BackupPage, type BackupRequest, readBackup } from "./verbs/backup/backup-page";
import { EncoderVerbs } from "./verbs/encoder-verbs";
import { GeneVerbs } from "./verbs/gene-verbs";
import { InspectionVerbs } from "./verbs/inspection-verbs";
import { KnowledgeVerbs } from "./verbs/knowledge-verbs";
import { MemoryVerbs } from "./verbs/memory-verbs";
import { ModeVerbs } from "./verbs/mode-verbs";

export type { Usage } from "./verbs/inspection-verbs";

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
  readonly #shared: Shared;
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
  }

  /**
   * Opens a processor from its store and fills the matcher and the neighbours, which nobody else may use.
   * @throws Fault `exhausted` when the matcher or the neighbours cannot hold it; `damaged` when what is
   *   stored contradicts itself
   */
  static open(parts: ProcessorParts): Processor {
    const shared = new Shared(parts);
    const own = new Mind(shared, "", parts.store.memory(""));
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
    store.record({ kind: "state", state: freshState() });
  }

  /**
   * The same processor in a session, or with its own memory. The verbs of memory, the target class, time and
   * status are then the session's; everything else is shared. Ask again for every call: another one may send
   * a session out of memory.
   * @param session the name of the session; empty for the processor's own memory
   */
  in(session: string): Processor {
    const mind = session === "" ? this.#own : this.#sessions.mind(session);
    return mind === this.#mind ? this : new Processor(this.#sessions, this.#own, mind);
  }

  /**
   * Reads one memory anew: a verb about it has failed after it had told the store of a change, but
   * before it recorded anything.
   * @param session the session; empty for the processor's own memory
   * @returns the processor to use from now on
   */
  reread(session: string): Processor {
    if (session !== "") {
      this.#sessions.forget(session);
      return this;
    }
    const own = new Mind(this.#shared, "", this.#shared.store.memory(""));
    return new Processor(this.#sessions, own, own);
  }

  /** Identifies the processor in its agent. */
  get id(): string {
    return this.#shared.id;
  }

  /** The friendly name. */
  get name(): string {
    return this.#shared.name;
  }

  /** How many records the memory in use has observed while awake, since it was made or all memory was cleared. */
  get time(): number {
    return this.#mind.state.time;
  }

  /** About how many bytes of heap the processor holds. All of it can be built again from the store. */
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

  /** After how many milliseconds without a change the time of a session is up; 0 for never. */
  get sessionTtlMs(): number {
    return this.#sessions.ttlMs;
  }

  /**
   * When the time of the next session of a processor will be up. Reads the store alone: no processor is opened.
   *
   * @param now epoch milliseconds
   * @returns epoch milliseconds; `undefined` for never
   */
  static nextSessionEnd(store: Pick<Reader, "genes" | "oldestChange">, now: number): number | undefined {
    return nextEndOf(genesFrom(store.genes()), store, now);
  }

  /** What {@link Processor.sessionTtlMs} says, from the store alone. */
  static sessionTtlMs(store: Pick<Reader, "genes">): number {
    return ttlMsOf(genesFrom(store.genes()));
  }

  /**
   * Deletes sessions whose time is up, those unchanged longest first. @param limit how many at most @returns how many
   */
  endSessionsOver(limit: number): number {
    return this.#sessions.endOver(limit);
  }
}
