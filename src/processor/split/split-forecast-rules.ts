/**
 * The rules of forecasts of a split processor. All parts are asked for the neighbours, and for the events of those that
 * are chosen; what the rules say of them is counted here.
 */

import { CONTEXT_EVENTS, type ForecastContext, type ForecastRules, type RuleAnswers } from "../ports/forecaster";
import type { PartContext, Parts } from "../ports/parts";
import { chosenAmong } from "./neighbour-choice";
import { batchOf, type ScratchKernel, ScratchSymbols } from "./scratch";

/** The newest events of a context: those before them are not taken into account. */
function newestOf(context: ForecastContext, excluded: number): PartContext {
  const { symbols, target, totals, steps } = context;
  const lengths = context.lengths.slice(-CONTEXT_EVENTS);
  const count = lengths.reduce((sum, length) => sum + length, 0);
  return { symbols: symbols.slice(symbols.length - count), lengths, target, totals, steps, excluded };
}

/** The answers about the neighbours alone, as they are about all models. @param models how many speak */
function answersOf(answers: RuleAnswers, models: number, symbols: ScratchSymbols): RuleAnswers {
  return {
    context: answers.context,
    models,
    ahead: (first, last, wanted) => {
      const table = answers.ahead(first, last, wanted === undefined ? undefined : symbols.numbersOf(wanted));
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

  /** @param scratch without models; its vectors, if it has any, stay */
  constructor(parts: Parts, scratch: ScratchKernel) {
    this.#parts = parts;
    this.#scratch = scratch;
  }

  /** The most that any part took, and what was counted here. */
  get steps(): number {
    return this.#steps;
  }

  get neighbourSteps(): number {
    return this.#scratch.forecastRules.neighbourSteps;
  }

  ask<Answer>(context: ForecastContext, excluded: number, work: (answers: RuleAnswers) => Answer): Answer {
    const newest = newestOf(context, excluded);
    const found = this.#parts
      .ask<"neighbours">({ kind: "neighbours", contexts: [newest] })
      .flatMap((answer) => answer.found);
    const taken = found.reduce((most, { steps }) => Math.max(most, steps), 0);
    const models = found.reduce((sum, { candidates }) => sum + candidates, 0);
    const symbols = new ScratchSymbols();
    const numbers = symbols.numbersOf(newest.symbols);
    const scratch = this.#scratch;
    try {
      this.#load(chosenAmong(found), symbols);
      // What is left out is left out already: the parts say how many occurrences count.
      const asked = { ...context, symbols: numbers, lengths: newest.lengths, steps: context.steps - taken };
      const target = context.target === undefined ? undefined : symbols.numberOf(context.target);
      return scratch.forecastRules.ask({ ...asked, target }, 0, (answers) => work(answersOf(answers, models, symbols)));
    } finally {
      this.#steps = taken + scratch.forecastRules.steps;
      scratch.clear();
    }
  }

  /** Each question is asked by itself. */
  series<Answer>(work: () => Answer): Answer {
    return work();
  }

  /** Loads the neighbours, and tells how often the symbols occur that they and the context hold. */
  #load(frequencies: ReadonlyMap<number, number>, symbols: ScratchSymbols): void {
    const ids = Float64Array.from(frequencies.keys()).sort();
    const answers = ids.length === 0 ? [] : this.#parts.ask<"bodies">({ kind: "bodies", ids });
    const batch = batchOf(
      answers.map(({ bodies }) => bodies),
      frequencies,
      symbols,
    );
    for (const [number, symbol] of symbols.all.entries()) {
      this.#scratch.setSymbolFrequency(number, this.#parts.frequencyOf(symbol));
    }
    this.#scratch.addBatch(batch);
  }
}
