/** A random sequence of verbs for a processor, with some bad requests. */

import type { Gdf } from "../../../src/gen/plain";
import type { Processor } from "../../../src/processor/processor";
import type { Random } from "../random";
import { gdfOf, geneChangesOf } from "./calls";
import { pagesOf } from "./knowledge-form";

const SYMBOLS = ["a", "b", "c", "d", "e", "\u{1f600}", "\ufb01", "it's", "", "__proto__"];

/** Makes random calls. */
export class RandomLife {
  readonly #random: Random;
  #loads = 0;
  readonly #verbs: ((processor: Processor) => unknown)[];

  constructor(random: Random) {
    this.#random = random;
    this.#verbs = [
      ...Array.from({ length: 24 }, () => (processor: Processor) => processor.memory.observe(this.#gdf(), [])),
      ...Array.from({ length: 5 }, () => (processor: Processor) => processor.memory.learn()),
      ...Array.from({ length: 3 }, () => (processor: Processor) => processor.memory.observeSequence(this.#sequence())),
      (processor) => processor.memory.clearWorkingMemory(),
      (processor) => processor.modes.setAutolearning(this.#chance(2)),
      (processor) => processor.modes.setPredicting(!this.#chance(4)),
      (processor) => processor.modes.setSleeping(this.#chance(8)),
      (processor) => processor.modes.setTargetClass(this.#chance(6) ? this.#symbol() : ""),
      (processor) => processor.genes.change(this.#genes()),
      (processor) => processor.knowledge.addModel({ ...this.#members(), sequence: { events: this.#events() } }),
      (processor) => processor.knowledge.updateModel({ name: this.#modelName(processor), ...this.#members() }),
      (processor) => processor.knowledge.deleteModel(this.#modelName(processor)),
      (processor) => processor.knowledge.forgetModels(this.#forgetting()),
      (processor) =>
        processor.knowledge.removeSymbols({ symbols: this.#chance(3) ? [this.#symbol()] : [], patterns: [] }),
      (processor) => processor.knowledge.removeSymbols({ symbols: [], patterns: [this.#pattern()] }),
      (processor) => processor.knowledge.addBlacklistedSymbols([this.#symbol()]),
      (processor) => processor.knowledge.removeBlacklistedSymbols(processor.knowledge.listBlacklistedSymbols().symbols),
      (processor) => this.#load(processor),
      (processor) => this.#chance(6) && processor.memory.clearAllMemory(this.#chance(2)),
    ];
  }

  /** Makes one call. @throws Fault when the processor refuses it */
  live(processor: Processor): void {
    this.#random.pick(this.#verbs)(processor);
  }

  #chance(oneIn: number): boolean {
    return this.#random.below(oneIn) === 0;
  }

  #symbol(): string {
    return this.#random.pick(SYMBOLS);
  }

  #some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.#random.below(most + 1) }, make);
  }

  #vector(): number[] {
    const length = this.#chance(12) ? 3 : 2;
    return Array.from({ length }, () => this.#random.below(4) / 2);
  }

  #emotives(): Record<string, number> {
    const value = this.#chance(40) ? 1e308 : this.#random.below(10) - 3;
    return this.#chance(3) ? { [this.#random.pick(["u", "__proto__", "v"])]: value } : {};
  }

  #gdf(): Gdf {
    return gdfOf({
      strings: this.#some(3, () => this.#symbol()),
      vectors: this.#chance(4) ? this.#some(2, () => this.#vector()) : [],
      emotives: this.#emotives(),
      metadata: this.#chance(3) ? { n: this.#random.below(5) } : {},
    });
  }

  #sequence() {
    return { sequence: this.#some(3, () => this.#gdf()), learn: this.#chance(2), clear: this.#chance(2) };
  }

  #events() {
    return this.#some(3, () => ({ symbols: this.#some(3, () => this.#symbol()) }));
  }

  #members() {
    const frequency = this.#random.below(4);
    return {
      sequence: this.#chance(2) ? { events: this.#events() } : undefined,
      frequency: this.#chance(2) ? frequency : undefined,
      emotives: this.#chance(2) ? { emotives: [{ name: "u", values: this.#some(7, () => frequency) }] } : undefined,
      metadata: this.#chance(2) ? { metadataJson: this.#some(3, () => '{"k":1}') } : undefined,
      vector: this.#chance(4) ? { components: this.#vector() } : undefined,
    };
  }

  #forgetting() {
    return {
      frequencyBelow: this.#chance(2) ? this.#random.below(3) : undefined,
      keepAtMost: this.#chance(2) ? this.#random.below(12) - 1 : undefined,
      dryRun: this.#chance(4),
    };
  }

  #genes() {
    return geneChangesOf(
      this.#random.pick<Record<string, boolean | number | string>>([
        { SORT: this.#chance(2) },
        { max_sequence_length: this.#random.below(5), wm_resolution: this.#random.pick(["symbol", "event"]) },
        { auto_learn_metric: this.#random.pick(["wm_size", "entropy"]), smoothness: this.#random.below(3) },
        { max_models: this.#random.pick([0, 0, 2, 5, 8]), wm_mode: this.#random.pick(["clear", "rolling"]) },
        { predict_on_nth_event: 1 + this.#random.below(2) },
        { recall_threshold: this.#random.below(4) / 10 },
        { persistence: 1 + this.#random.below(3), max_predictions: 1 + this.#random.below(9) },
        { classifier: this.#random.pick(["CVC", "DVC"]), search_depth: 3 },
        { near_vector_count: this.#random.below(4) },
        { prediction_threshold: this.#random.below(3) / 2, prediction_threshold_direction: true },
        { prediction_threshold: 3, prediction_threshold_direction: this.#chance(2) },
        { quiescence: -1, recall_threshold: 0.5 },
      ]),
    );
  }

  #modelName(processor: Processor): string {
    const names = pagesOf(processor, "models").flatMap((page) => page.models.map(({ name }) => name));
    return this.#chance(5) || names.length === 0 ? "none" : this.#random.pick(names);
  }

  #pattern(): string {
    return this.#random.pick(["[ab]", "c|d", "VECTOR\\|[0-7].*", "(", "nothing", "none", "never"]);
  }

  /** Loads a part of what is known, with new frequencies; sometimes with a wrong name, sometimes without a commit. */
  #load(processor: Processor): void {
    const loadId = `load-${++this.#loads}`;
    const ordered = this.#chance(2);
    const kept = pagesOf(processor, "models", ordered)
      .flatMap((page) => page.models)
      .filter(() => !this.#chance(4));
    const vectors = pagesOf(processor, "vectors", ordered).flatMap((page) => page.vectors);
    processor.knowledge.beginLoad(loadId);
    for (const model of kept) {
      const name = this.#chance(60) ? "wrong" : model.name;
      processor.knowledge.loadKnowledge({
        loadId,
        models: [{ ...model, name, frequency: 1 + this.#random.below(3) }],
        vectors: [],
      });
    }
    processor.knowledge.loadKnowledge({ loadId, models: [], vectors });
    const end = this.#random.pick(["abortLoad", "commitLoad", "commitLoad", "mergeLoad"] as const);
    processor.knowledge[end](loadId);
  }
}
