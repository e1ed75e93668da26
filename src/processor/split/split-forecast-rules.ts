/**
 * The rules of forecasts of a split processor. All parts are asked for the neighbours, and then for the events of the
 * chosen ones; the rules run here.
 */

import { CONTEXT_EVENTS, type ForecastContext, type ForecastRules, type RuleAnswers } from "../ports/forecaster";
import type { PartContext, PartNeighbours, Parts } from "../ports/parts";
import { chosenAmong } from "./neighbour-choice";
import { batchOf, type ScratchKernel, ScratchSymbols } from "./scratch";

/** The newest events of a context; earlier ones do not count. */
function newestOf(context: ForecastContext, excluded: number): PartContext {
  const { symbols, target, totals, steps } = context;
  const lengths = context.lengths.slice(-CONTEXT_EVENTS);
  const count = lengths.reduce((sum, length) => sum + length, 0);
  return { symbols: symbols.slice(symbols.length - count), lengths, target, totals, steps, excluded };
}

/**
 * Makes answers from the neighbours alone look like answers from all models. @param models number of models that count
 */
function answersOf(answers: RuleAnswers, models: number, symbols: ScratchSymbols): RuleAnswers {
  return {
    context: answers.context,
    models,
    ahead: (first, last, wishes = {}) => {
      const wanted = wishes.wanted && symbols.numbersOf(wishes.wanted);
      const table = answers.ahead(first, last, { ...wishes, wanted });
      return { ...table, symbols: symbols.symbolsOf(table.symbols) };
    },
    together: (wanted) => answers.together(symbols.numbersOf(wanted)),
    strongest: (symbol) => answers.strongest(symbols.numberOf(symbol)),
    nearest: (most) => answers.nearest(most),
  };
}

/** The frequencies of neighbours in the order of these ids. Mostly all are 1. */
function frequenciesIn(ids: Float64Array, chosen: Pick<PartNeighbours, "frequencies" | "ids">): Float64Array {
  const [first = 0] = chosen.frequencies;
  if (chosen.frequencies.every((frequency) => frequency === first)) return chosen.frequencies;
  const frequencyOf = new Map<number, number>();
  for (let at = 0; at < ids.length; at++) frequencyOf.set(chosen.ids[at] ?? 0, chosen.frequencies[at] ?? 0);
  return ids.map((id) => frequencyOf.get(id) ?? 0);
}

/** The neighbours that are in the kernel. */
interface Loaded {
  readonly chosen: PartNeighbours;
  /** The numbers of their symbols, and of the context's. */
  readonly symbols: ScratchSymbols;
  /** Those of the context. */
  readonly numbers: Uint32Array;
  /** Whether they are loaded: not while their events are unknown, or while results are only placeholders. */
  readonly isKnown: boolean;
}

/** See the head of the file. */
export class SplitForecastRules implements ForecastRules {
  readonly #parts: Parts;
  readonly #scratch: ScratchKernel;
  /** The numbers of the symbols that the kernel holds. */
  readonly #symbols = new ScratchSymbols();
  /** What the kernel holds. */
  #loaded: Loaded | undefined;
  #steps = 0;

  /** @param scratch its models are cleared, its vectors kept */
  constructor(parts: Parts, scratch: ScratchKernel) {
    this.#parts = parts;
    this.#scratch = scratch;
  }

  /** The maximum over the parts, plus those taken here. */
  get steps(): number {
    return this.#steps;
  }

  get neighbourSteps(): number {
    return this.#scratch.forecastRules.neighbourSteps;
  }

  /** Bytes of heap kept between forecasts, besides what the kernel holds. */
  get heapBytes(): number {
    return this.#symbols.bytes;
  }

  ask<Answer>(context: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const newest = newestOf(context, excluded);
    const answers = this.#parts.ask<"neighbours">({ kind: "neighbours", contexts: [newest] });
    const chosen = chosenAmong(answers.flatMap(({ found }) => found));
    const { candidates, steps: taken } = chosen;
    const { forecastRules } = this.#scratch;
    try {
      const loaded = this.#loadedWith(chosen, newest);
      const { symbols } = loaded;
      const target = context.target === undefined ? undefined : symbols.numberOf(context.target);
      const own = {
        symbols: loaded.numbers,
        lengths: newest.lengths,
        target,
        steps: Math.max(0, context.steps - taken),
      };
      // While none is loaded, there is nothing to count.
      const models = loaded.isKnown ? candidates : 0;
      // Nothing is excluded here: the parts have left the occurrence out of their counts.
      return forecastRules.ask({ ...context, ...own }, 0, (said) => work(answersOf(said, models, symbols)));
    } finally {
      this.#steps = taken + forecastRules.steps;
    }
  }

  /** Each question is asked separately. */
  series<Answer>(work: () => Answer): Answer {
    return work();
  }

  /** The neighbours in the kernel. An identical answer of the parts means the same models, symbols and context. */
  #loadedWith(chosen: PartNeighbours, { symbols: context }: PartContext): Loaded {
    if (this.#loaded?.chosen === chosen) return this.#loaded;
    this.#loaded = undefined;
    this.#scratch.clear();
    const symbols = this.#symbols;
    symbols.clear();
    const numbers = symbols.numbersOf(context);
    const isKnown = this.#load(chosen, symbols);
    const loaded = { chosen, symbols, numbers, isKnown };
    if (isKnown) this.#loaded = loaded;
    return loaded;
  }

  /**
   * Loads the neighbours, and sets the frequencies of their symbols and of the context's.
   *
   * @returns whether they are loaded, see {@link Loaded}
   */
  #load(chosen: Pick<PartNeighbours, "frequencies" | "ids">, symbols: ScratchSymbols): boolean {
    const ids = chosen.ids.slice().sort();
    const bodies = this.#parts.bodiesOf(ids);
    if (bodies === undefined || this.#parts.isAhead) return false;
    const frequencies = frequenciesIn(ids, chosen);
    const batch = batchOf(ids, frequencies, bodies, symbols);
    const { all } = symbols;
    const occurrences = new Float64Array(all.length);
    for (let at = 0; at < all.length; at++) occurrences[at] = this.#parts.frequencyOf(all[at] ?? 0);
    this.#scratch.setFirstFrequencies(occurrences);
    this.#scratch.addBatch(batch);
    return true;
  }
}
