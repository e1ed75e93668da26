/** Knowledge bases of the workloads as load_kb takes them. */

import type { MatchableModel } from "../../src/processor/matcher";
import { modelName } from "../../src/processor/names";
import type { Generator } from "./workload";

/** The symbol behind a number of a workload. */
export function symbolName(symbol: number): string {
  return `s${symbol}`;
}

/** The events of a model as symbols. */
export function eventsOf({ symbols, lengths }: MatchableModel): string[][] {
  let from = 0;
  return Array.from(lengths, (length) => {
    from += length;
    return Array.from(symbols.subarray(from - length, from), symbolName);
  });
}

/** A knowledge base of the next models of a workload, each once, as JSON text. */
export function knowledgeBase(generator: Generator, models: number): string {
  const records = new Map<string, string>();
  for (let id = 1; records.size < models; id++) {
    const sequence = eventsOf(generator.model(id));
    const name = modelName(sequence);
    const metadata = sequence.map(() => ({}));
    const length = sequence.flat().length;
    records.set(name, JSON.stringify({ emotives: {}, frequency: 1, length, metadata, name, sequence }));
  }
  // Sorted as get_kb sorts them, so that the text that comes back can be compared.
  const sorted = [...records].sort(([a], [b]) => (a < b ? -1 : 1));
  const members = sorted.map(([name, record]) => `${JSON.stringify(name)}:${record}`);
  return `{"models_kb":{${members.join(",")}},"symbols_kb":{},"vectors_kb":{},"metadata":{}}`;
}
