/** Reads everything that a processor answers, and counts its counters anew from its models. */

import type { Processor } from "../../../src/processor/processor";
import type { MemoryStore } from "../memory-store";
import { pagesOf } from "./knowledge-form";

/** Everything that one memory of a processor answers to reads; equal for two in the same state, with the same knowledge. */
export function memoryReadingsOf(processor: Processor): Record<string, unknown> {
  return {
    time: processor.time,
    status: processor.inspection.getStatus(),
    memory: processor.memory.getWorkingMemory(),
    percept: processor.memory.getPercept(),
    cognition: processor.memory.getCognition(),
    predictions: processor.memory.getPredictions(""),
  };
}

/** Everything that a processor answers to reads; equal for two processors in the same state. */
export function readingsOf(processor: Processor): Record<string, unknown> {
  return {
    ...memoryReadingsOf(processor),
    genes: processor.genes.get(""),
    blacklist: processor.knowledge.listBlacklistedSymbols(),
    models: pagesOf(processor, "models"),
    symbols: pagesOf(processor, "symbols"),
    vectors: pagesOf(processor, "vectors"),
  };
}

/** The counters computed from the models: of every symbol, and in total. */
export function recount(processor: Processor) {
  const models = pagesOf(processor, "models").flatMap((page) => page.models);
  const symbols = new Map<string, { frequency: number; modelMemberFrequency: number }>();
  for (const { sequence, frequency } of models) {
    const flat = sequence.flatMap((event) => event.symbols);
    for (const [at, name] of flat.entries()) {
      const record = symbols.get(name) ?? { frequency: 0, modelMemberFrequency: 0 };
      record.frequency += frequency;
      if (flat.indexOf(name) === at) record.modelMemberFrequency += frequency;
      symbols.set(name, record);
    }
  }
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const records = [...symbols.values()];
  return {
    symbols: Array.from(symbols, ([name, record]) => ({ name, ...record })),
    totals: {
      totalModelFrequencies: sum(models.map(({ frequency }) => frequency)),
      totalSymbolFrequencies: sum(records.map(({ frequency }) => frequency)),
      totalSymbolsInModelsFrequencies: sum(records.map(({ modelMemberFrequency }) => modelMemberFrequency)),
    },
  };
}

/** The symbol numbers in the store, ascending. */
export function symbolIds(store: MemoryStore): number[] {
  return store.knowledge
    .symbols()
    .map(({ id }) => id)
    .sort((a, b) => a - b);
}
