/** The rules of forecasts, counted by the kernel over the models of one mind. */

import type { ForecastContext, ForecastRules, RuleAnswers, RuleTable } from "../processor/ports/forecaster";
import type { MindMemory } from "./mind-memory";

/** Asks the kernel what the rules say. */
export class KernelForecastRules implements ForecastRules {
  readonly #memory: MindMemory;
  #steps = 0;

  constructor(memory: MindMemory) {
    this.#memory = memory;
  }

  get steps(): number {
    return this.#steps;
  }

  ask<Answer>(context: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const { exports, shared } = this.#memory;
    const { totals, steps, lengths } = context;
    shared.writeContext(context);
    const models = exports.beginForecast(lengths.length, excluded, totals.symbolFrequencies) >>> 0;
    const answers = {
      context: exports.forecastContext() >>> 0,
      models,
      ahead: (first: number, last: number) => this.#ahead(first, last),
      together: (symbols: Uint32Array) => this.#together(symbols),
      strongest: (symbol: number) => this.#strongest(symbol),
    };
    try {
      return work(answers);
    } finally {
      exports.endForecast();
      this.#steps = steps - exports.stepsLeft();
    }
  }

  #ahead(first: number, last: number): RuleTable {
    const { exports } = this.#memory;
    const count = exports.countAhead(first, last) >>> 0;
    const bits = exports.rulesSpeaking() >>> 0;
    const rules = exports.RULES.value;
    const entry = exports.ENTRY_BYTES.value;
    const view = new DataView(exports.memory.buffer, exports.entriesStart() >>> 0, count * entry);
    const probabilities = new Float64Array(count * rules);
    for (let at = 0; at < count; at++) {
      for (let rule = 0; rule < rules; rule++) {
        const offset = at * entry + exports.ENTRY_PROBABILITIES.value + rule * 8;
        probabilities[at * rules + rule] = view.getFloat64(offset, true);
      }
    }
    const words = (offset: number) =>
      Uint32Array.from({ length: count }, (_, at) => view.getUint32(at * entry + offset, true));
    return {
      speaking: bits & ((1 << rules) - 1),
      isCrowded: bits >> rules === 1,
      symbols: words(exports.ENTRY_SYMBOL.value),
      supports: words(exports.ENTRY_SUPPORT.value),
      probabilities,
    };
  }

  #together(symbols: Uint32Array): Float64Array {
    const { exports, shared } = this.#memory;
    shared.writeSymbols(symbols);
    const address = exports.countTogether(symbols.length) >>> 0;
    return new Float64Array(exports.memory.buffer, address, exports.MOST_LEVEL.value * (symbols.length + 1)).slice();
  }

  #strongest(symbol: number): number[] {
    const { exports } = this.#memory;
    const count = exports.namedModels(symbol) >>> 0;
    return Array.from({ length: count }, (_, place) => exports.namedModel(symbol, place));
  }
}
