/**
 * A cognitive processor: one mind and the verbs that act on it, grouped by service. It keeps in memory what it needs, reads and records
 * through the store, and leaves the hot work to the matcher and the neighbours. It knows no network, no database and no clock.
 *
 * A verb runs inside one transaction of the owner. When it throws after it has recorded something, the owner rolls the records back
 * and drops the processor, because its memory may be ahead of what lasts; then it opens a new one from the store.
 */

import { changeGenes, type GeneChange, genesFrom, genesToStore } from "./genes/genes";
import { freshState, Mind, type MindParts } from "./mind";
import { Fault } from "./ports/fault";
import type { Store } from "./ports/store";
import type { Manipulative } from "./prediction/manipulative";
import { GeneVerbs } from "./verbs/gene-verbs";
import { InspectionVerbs } from "./verbs/inspection-verbs";
import { KnowledgeVerbs } from "./verbs/knowledge-verbs";
import { MemoryVerbs } from "./verbs/memory-verbs";
import { ModeVerbs } from "./verbs/mode-verbs";

/** One processor: a group of verbs per service. Callers only read the lists that verbs return. */
export class Processor {
  readonly memory: MemoryVerbs;
  readonly genes: GeneVerbs;
  readonly modes: ModeVerbs;
  readonly inspection: InspectionVerbs;
  readonly knowledge: KnowledgeVerbs;
  readonly #mind: Mind;

  private constructor(mind: Mind) {
    this.#mind = mind;
    this.memory = new MemoryVerbs(mind);
    this.genes = new GeneVerbs(mind);
    this.modes = new ModeVerbs(mind);
    this.inspection = new InspectionVerbs(mind);
    this.knowledge = new KnowledgeVerbs(mind);
  }

  /**
   * Opens a processor from its store and fills the matcher and the neighbours, which nobody else may use.
   * @throws Fault `exhausted` when the matcher or the neighbours cannot hold it
   */
  static open(parts: MindParts): Processor {
    return new Processor(new Mind(parts));
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

  /** Identifies the processor in its agent. */
  get id(): string {
    return this.#mind.id;
  }

  /** The friendly name. */
  get name(): string {
    return this.#mind.name;
  }

  /** Observations made while awake, since the last time that all memory was cleared. */
  get time(): number {
    return this.#mind.state.time;
  }

  /** About how many bytes of heap the processor holds. All of it can be built again from the store. */
  get heapBytes(): number {
    return this.#mind.heapBytes;
  }

  /** Changes the friendly name. The owner stores it. */
  rename(name: string): void {
    this.#mind.name = name;
  }

  /** Changes the manipulatives. The owner stores them. */
  relink(manipulatives: readonly Manipulative[]): void {
    this.#mind.manipulatives = manipulatives;
  }
}
