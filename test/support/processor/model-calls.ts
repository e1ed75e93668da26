/** Shortcuts to add models and read them back. */

import type { Processor } from "../../../src/processor/processor";
import { gdfOf, geneChangesOf } from "./calls";
import { membersOf, recordForm, type SentModel } from "./message-form";

/** Adds a model. @returns its name */
export function add(processor: Processor, sent: SentModel): string {
  return processor.knowledge.addModel(membersOf(sent)).name;
}

/** The record of a model; empty when there is none. */
export function recordOf(processor: Processor, name: string): Record<string, unknown> {
  const { model } = processor.knowledge.getModel(name);
  return model === undefined ? {} : recordForm(model);
}

/** The names of the models that a symbol predicts, newest first, because the metrics are made equal. */
export function byAge(processor: Processor, symbol: string): string[] {
  processor.genes.change(geneChangesOf({ prediction_sort_metric: "number_of_blocks", recall_threshold: 0 }));
  processor.memory.clearWorkingMemory();
  processor.memory.observe(gdfOf({ strings: [symbol] }), []);
  return processor.memory.getPredictions("").predictions.map(({ name }) => name);
}
