/**
 * A cognitive processor: the verbs of one mind. It keeps what it needs in memory, reads and records through the store, and lets the
 * matcher and the neighbours do the hot work. It knows no network, no database and no clock.
 *
 * A verb runs inside one transaction of the owner. When it throws after it has recorded something, the owner takes the records back
 * and drops the processor, for its memory may be ahead of what lasts; a new one is opened from the store.
 */

import { excerpt } from "../text/excerpt";
import { changeGenes, type Gene, type GeneChange, genesFrom, genesToStore, readGene, unknownGene } from "./genes/genes";
import { GENE_NAMES, isGeneName } from "./genes/table";
import type { Delivery } from "./input/delivery";
import type { Event } from "./memory/event";
import { freshState, Mind, type MindParts } from "./mind";
import { Fault } from "./ports/fault";
import type { Gdf } from "./ports/gdf";
import type { Store } from "./ports/store";
import { packedPredictionsOf, predictionsOf } from "./prediction/ensemble";
import type { Manipulative } from "./prediction/manipulative";
import { type PackedEnsemble, packedFrom } from "./prediction/packed-ensemble";
import type { Prediction } from "./prediction/prediction";
import { assertWellFormed } from "./text/well-formed";
import { clearAll, clearMemory } from "./verbs/clearing";
import { KnowledgeVerbs } from "./verbs/knowledge-verbs";
import { learn } from "./verbs/learning";
import {
  type ObserveOutcome,
  observe,
  observeSequence,
  type SequenceObserved,
  type SequenceRequest,
} from "./verbs/observing";
import { type Status, statusOf } from "./verbs/status";

/** The last observation as it was understood. All empty when fresh. */
export interface Cognition {
  /** As it came; missing when fresh. */
  gdf?: Gdf;
  /** The way it came, this processor's own entry last. */
  path: string[];
  /** The event it became: vectors looked up, sorted. */
  symbols: string[];
  /** Oldest event first. */
  workingMemory: Event[];
  /** The ensemble. */
  predictions: Prediction[];
}

/** The verbs of one processor. Lists that it gives out are only to be read. */
export class Processor extends KnowledgeVerbs {
  /**
   * Opens a processor on what its store holds, filling the matcher and the neighbours, which it has for itself.
   * @throws Fault `exhausted` when the matcher or the neighbours cannot hold it
   */
  static open(parts: MindParts): Processor {
    return new Processor(new Mind(parts));
  }

  /**
   * Gives a new processor its first genes and state; one that already has a state stays as it is.
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
    return this.mind.id;
  }

  /** The friendly name. */
  get name(): string {
    return this.mind.name;
  }

  /** Observations made while awake since everything was cleared. */
  get time(): number {
    return this.mind.mood.time;
  }

  /** Takes another friendly name. Names are the owner's to keep. */
  rename(name: string): void {
    this.mind.name = name;
  }

  /** Takes other manipulatives. They are the owner's to keep. */
  relink(manipulatives: readonly Manipulative[]): void {
    this.mind.manipulatives = manipulatives;
  }

  /**
   * Observes one record; asleep, nothing changes.
   * @param gdf the record; its `uniqueId` is not empty
   * @param path the way it came, without this processor's own entry
   * @param delivery given by a sender that may repeat itself: the record is then taken once
   * @throws Fault `invalid` when the record is wrong; `exhausted` when it led to a model for which there is no memory
   */
  observe(gdf: Gdf, path: readonly string[], delivery?: Delivery): ObserveOutcome {
    return observe(this.mind, gdf, path, delivery);
  }

  /** Observes several records, all or none. @throws Fault as {@link observe} */
  observeSequence(request: SequenceRequest): SequenceObserved {
    return observeSequence(this.mind, request);
  }

  /**
   * Learns working memory and clears it.
   * @returns the model's name without prefix, empty when fewer than two symbols were in memory
   * @throws Fault `exhausted` when there is no memory for the model
   */
  learn(): { model: string } {
    const model = learn(this.mind);
    this.mind.commit();
    return { model };
  }

  /** The events of working memory, oldest first. */
  getWorkingMemory(): { events: Event[] } {
    return { events: this.mind.memory.events().map(({ symbols }) => ({ symbols })) };
  }

  /** Empties working memory. */
  clearWorkingMemory(): Record<string, never> {
    clearMemory(this.mind);
    this.mind.commit();
    return {};
  }

  /** The ensemble, best first. @param uniqueId when not empty: only if the last observation had this identifier, else none */
  getPredictions(uniqueId: string): { predictions: Prediction[] } {
    return { predictions: this.#isLast(uniqueId) ? predictionsOf(this.mind) : [] };
  }

  /** The same as {@link getPredictions}, as columns. */
  getPackedPredictions(uniqueId: string): { packed: PackedEnsemble } {
    return { packed: this.#isLast(uniqueId) ? packedPredictionsOf(this.mind) : packedFrom([], [], String) };
  }

  /** Forgets everything learned and observed; genes, flags and the target class stay. */
  clearAllMemory(keepBlacklist: boolean): Record<string, never> {
    clearAll(this.mind, keepBlacklist);
    this.mind.commit();
    return {};
  }

  /** The last observation as it came; no `gdf` when there was none since the last clear. */
  getPercept(): { gdf?: Gdf; path: string[] } {
    const { percept } = this.mind.mood;
    return percept === undefined ? { path: [] } : { gdf: percept.gdf, path: percept.path };
  }

  /** The last observation as it was understood. */
  getCognition(): Cognition {
    const { percept } = this.mind.mood;
    return {
      ...this.getPercept(),
      symbols: percept?.symbols ?? [],
      workingMemory: this.getWorkingMemory().events,
      predictions: predictionsOf(this.mind),
    };
  }

  /** Switches predicting. */
  setPredicting(on: boolean): Record<string, never> {
    return this.#feel({ predict: on });
  }

  /** Switches automatic learning. */
  setAutolearning(on: boolean): Record<string, never> {
    return this.#feel({ autolearn: on });
  }

  /** Switches sleeping. Falling asleep clears working memory. */
  setSleeping(on: boolean): Record<string, never> {
    if (on) clearMemory(this.mind);
    return this.#feel({ sleeping: on });
  }

  /**
   * Sets the symbol that a model's last event must hold to be predicted; empty clears it.
   * @throws Fault `invalid` when it holds a lone surrogate
   */
  setTargetClass(target: string): Record<string, never> {
    assertWellFormed(target, "the target class");
    return this.#feel({ target });
  }

  /** The genes, sorted by name in byte order, or the one named; `refusal` says why there is none of that name. */
  getGenes(name: string): { genes: Gene[]; refusal: string } {
    const { genes } = this.mind;
    if (name === "") return { genes: GENE_NAMES.map((each) => readGene(genes, each)), refusal: "" };
    return isGeneName(name)
      ? { genes: [readGene(genes, name)], refusal: "" }
      : { genes: [], refusal: unknownGene(name) };
  }

  /** Sets several genes, all or none; `refusal` says why none was. */
  changeGenes(changes: readonly GeneChange[]): { refusal: string } {
    const { genes, refusal } = changeGenes(this.mind.genes, changes);
    if (genes !== undefined) this.mind.setGenes(genes);
    return { refusal };
  }

  /**
   * Adds to the gene recall_threshold.
   * @throws Fault `invalid` when the sum leaves 0 to 1
   */
  incrementRecallThreshold(increment: number): { recallThreshold: number; text: string } {
    const value = this.mind.genes.recall_threshold + increment;
    const change: GeneChange = { name: "recall_threshold", value: { value: { case: "number", value } } };
    const { refusal } = this.changeGenes([change]);
    if (refusal !== "") throw new Fault("invalid", `${refusal} after an increment of ${excerpt(increment)}`);
    const { text } = readGene(this.mind.genes, "recall_threshold");
    return { recallThreshold: this.mind.genes.recall_threshold, text };
  }

  /** The state at a glance. */
  getStatus(): { status: Status } {
    return { status: statusOf(this.mind) };
  }

  /** Name, classifier and use of memory. */
  getInfo(): { name: string; classifier: string; memoryBytes: number; memoryLimitBytes: number } {
    const { genes, matcher, name } = this.mind;
    return {
      name,
      classifier: genes.classifier,
      memoryBytes: matcher.bytes,
      memoryLimitBytes: matcher.limitBytes,
    };
  }

  /** Whether the last observation had the identifier; any has the empty one. */
  #isLast(uniqueId: string): boolean {
    return uniqueId === "" || uniqueId === this.mind.mood.percept?.gdf.uniqueId;
  }

  #feel(change: Parameters<Mind["feel"]>[0]): Record<string, never> {
    this.mind.feel(change);
    this.mind.commit();
    return {};
  }
}
