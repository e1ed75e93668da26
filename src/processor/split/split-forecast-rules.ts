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
    ahead: (first, last, wanted, isWhole) => {
      const announced = wanted === undefined ? undefined : symbols.numbersOf(wanted);
      const table = answers.ahead(first, last, announced, isWhole);
      return { ...table, symbols: table.symbols.map((number) => symbols.symbolOf(number)) };
    },
    together: (wanted) => answers.together(symbols.numbersOf(wanted)),
    strongest: (symbol) => answers.strongest(symbols.numberOf(symbol)),
    nearest: (most) => answers.nearest(most),
  };
}

/** See the head of the file. */
export class SplitForecastRules implements ForecastRules {
  readonly #parts: Parts;
  readonly #scratch: ScratchKernel;
  #steps = 0;

  /** @param scratch without models; vectors that it has are kept */
  constructor(parts: Parts, scratch: ScratchKernel) {
    this.#parts = parts;
    this.#scratch = scratch;
  }

  /** The maximum over the parts, plus the steps taken here. */
  get steps(): number {
    return this.#steps;
  }

  get neighbourSteps(): number {
    return this.#scratch.forecastRules.neighbourSteps;
  }

  ask<Answer>(context: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const newest = newestOf(context, excluded);
    const answers = this.#parts.ask<"neighbours">({ kind: "neighbours", contexts: [newest] });
    const { candidates: models, steps: taken, ...chosen } = chosenAmong(answers.flatMap(({ found }) => found));
    const symbols = new ScratchSymbols();
    const numbers = symbols.numbersOf(newest.symbols);
    const scratch = this.#scratch;
    try {
      // Where nothing of the neighbours is known yet, there is nothing to count.
      const speaking = this.#load(chosen, symbols) ? models : 0;
      // Nothing is excluded here: the parts have already left the occurrence out of their counts.
      const steps = Math.max(0, context.steps - taken);
      const asked = { ...context, symbols: numbers, lengths: newest.lengths, steps };
      const target = context.target === undefined ? undefined : symbols.numberOf(context.target);
      return scratch.forecastRules.ask({ ...asked, target }, 0, (said) => work(answersOf(said, speaking, symbols)));
    } finally {
      this.#steps = taken + scratch.forecastRules.steps;
      scratch.clear();
    }
  }

  /** Each query runs on its own. */
  series<Answer>(work: () => Answer): Answer {
    return work();
  }

  /**
   * Loads the neighbours, and tells how often the symbols occur that they and the context hold.
   *
   * @returns whether their events are known
   */
  #load(chosen: Pick<PartNeighbours, "frequencies" | "ids">, symbols: ScratchSymbols): boolean {
    const ids = chosen.ids.slice().sort();
    const bodies = this.#parts.bodiesOf(ids);
    if (bodies === undefined) return false;
    const frequencyOf = new Map<number, number>();
    for (const [at, id] of chosen.ids.entries()) frequencyOf.set(id, chosen.frequencies[at] ?? 0);
    const frequencies = ids.map((id) => frequencyOf.get(id) ?? 0);
    const batch = batchOf(ids, frequencies, bodies, symbols);
    for (const [number, symbol] of symbols.all.entries()) {
      this.#scratch.setSymbolFrequency(number, this.#parts.frequencyOf(symbol));
    }
    this.#scratch.addBatch(batch);
    return true;
  }
}
