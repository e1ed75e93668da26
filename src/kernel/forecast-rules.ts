/** The rules of forecasts, counted by the kernel over the models of one tenant. */

import type {
  ForecastContext,
  ForecastRules,
  RuleAnswers,
  RuleTable,
  TableWishes,
} from "../processor/ports/forecaster";
import type { TenantMemory } from "./tenant-memory";

/** The counts of a table without an order. */
const NO_COUNTS = new Float64Array(0);

/** Queries the kernel for the rules' answers. */
export class KernelForecastRules implements ForecastRules {
  readonly #memory: TenantMemory;
  /** The numbers of the rules; the words of an outcome, and the place of its support among them. */
  readonly #layout: { readonly rules: readonly number[]; readonly width: number; readonly support: number };
  #steps = 0;
  #neighbourSteps = 0;

  constructor(memory: TenantMemory) {
    this.#memory = memory;
    const { RULES, OUTCOME_BYTES, OUTCOME_SUPPORT } = memory.shared.exports;
    const rules = Array.from({ length: RULES.value }, (_, rule) => rule);
    this.#layout = { rules, width: OUTCOME_BYTES.value / 4, support: OUTCOME_SUPPORT.value / 4 };
  }

  get steps(): number {
    return this.#steps;
  }

  get neighbourSteps(): number {
    return this.#neighbourSteps;
  }

  ask<Answer>(context: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const { exports, shared } = this.#memory;
    const { totals, steps, lengths } = context;
    shared.writeContext(context);
    const models = exports.beginForecast(lengths.length, excluded, totals.symbolFrequencies) >>> 0;
    const before = exports.stepsLeft();
    const answers = {
      context: exports.contextEvents() >>> 0,
      models,
      ahead: (first: number, last: number, { wanted, isWhole = true, isSupported = true }: TableWishes = {}) => {
        this.#announce(wanted);
        return this.#ahead(first, last, isWhole, isSupported);
      },
      together: (symbols: Uint32Array) => this.#together(symbols),
      strongest: (symbol: number) => this.#strongest(symbol),
      nearest: (most: number) => this.#nearest(most),
    };
    try {
      return work(answers);
    } finally {
      exports.endForecast();
      this.#steps = steps - exports.stepsLeft();
      this.#neighbourSteps = before - exports.stepsLeft();
    }
  }

  series<Answer>(work: () => Answer): Answer {
    const { exports } = this.#memory;
    exports.beginSeries();
    try {
      return work();
    } finally {
      exports.endSeries();
    }
  }

  /** Says which symbols it will be asked about together. */
  #announce(wanted: Uint32Array | undefined): void {
    const { exports, shared } = this.#memory;
    if (wanted === undefined || wanted.length < 2 || wanted.length > exports.MAX_WANTED.value) return;
    shared.writeSymbols(wanted);
    exports.wantTogether(wanted.length);
  }

  #ahead(first: number, last: number, isWhole: boolean, isSupported: boolean): RuleTable {
    const { exports } = this.#memory;
    const count = exports.countAhead(first, last, isWhole, isSupported) >>> 0;
    const { rules, width, support } = this.#layout;
    const { buffer } = exports.memory;
    const outcomes = new Uint32Array(buffer, exports.outcomesStart() >>> 0, width * count);
    const counted = exports.longestCounted();
    const alike = exports.alikeStart() >>> 0;
    return {
      speaking: rules.reduce((bits, rule) => bits | (Number(exports.speaks(rule)) << rule), 0),
      isCrowded: Boolean(exports.isCrowded()),
      behind: exports.meanBehind(),
      longestOrder: exports.longestOrder() >>> 0,
      counted,
      // Not copied, as the others: nothing that may be asked until the table is no longer valid grows the memory.
      symbols: new Uint32Array(buffer, exports.symbolsStart() >>> 0, count),
      supportOf: (entry) => outcomes[width * entry + support] ?? 0,
      rests: Float64Array.from(rules, (rule) => exports.restOf(rule)),
      counts: counted > 0 ? new Float64Array(buffer, exports.longestCounts() >>> 0, count) : NO_COUNTS,
      probabilities: new Float64Array(buffer, exports.probabilitiesStart() >>> 0, count * rules.length),
      ...(alike !== 0 && { alikeAlone: new Float64Array(buffer, alike, count) }),
    };
  }

  #together(symbols: Uint32Array): Float64Array {
    const { exports, shared } = this.#memory;
    shared.writeSymbols(symbols);
    const address = exports.countTogether(symbols.length) >>> 0;
    return new Float64Array(exports.memory.buffer, address, exports.MAX_LEVEL.value * (symbols.length + 1)).slice();
  }

  #nearest(most: number): number[] {
    const { exports } = this.#memory;
    const count = exports.neighbours() >>> 0;
    const ids: number[] = [];
    for (let at = 0; at < count && ids.length < most; at++) {
      const id = exports.nearestModel(at);
      if (id > 0) ids.push(id);
    }
    return ids;
  }

  #strongest(symbol: number): number[] {
    const { exports } = this.#memory;
    const count = exports.namedModels(symbol) >>> 0;
    return Array.from({ length: count }, (_, place) => exports.namedModel(symbol, place));
  }
}
