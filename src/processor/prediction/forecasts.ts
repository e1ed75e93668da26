/**
 * The forecasts of one mind: what comes after the ensemble's events, or after others. Caches the latest forecast of the
 * next event: a client that asks for a forecast and then observes with an explanation needs it twice.
 */

import type {
  Forecast,
  ForecastExplanation,
  ForecastSymbol,
  Surprise,
  SurpriseExplanation,
  SurpriseFactor,
} from "../../gen/plain";
import { compareCodePoints } from "../../text/code-points";
import type { Knowledge } from "../knowledge/knowledge";
import type { ModelSummaries } from "../knowledge/model-summaries";
import { eventsOf } from "../knowledge/symbol-table";
import type { AskedSymbols } from "../memory/asked-sequence";
import type { WorkingMemory } from "../memory/working-memory";
import type { Fault } from "../ports/fault";
import {
  CONTEXT_EVENTS,
  type ForecastContext,
  type Forecaster,
  type ForecastQuery,
  type ForecastStep,
  MAX_TOP,
  type Forecast as NumberedForecast,
} from "../ports/forecaster";
import type { Sequence } from "../ports/matcher";
import { MAX_TIMED_MODELS, whenOf } from "./event-times";
import { emptyForecast, named } from "./forecast";
import { explainedWith } from "./forecast-explanation";
import type { StepBudget } from "./step-budget";
import {
  type AskTogether,
  factorsOf,
  type RemotenessOf,
  type Rest,
  surpriseFrom,
  unexpectedProbability,
} from "./surprise";

/** Everything that a forecast is computed from. A mind is one. */
export interface ForecastSource {
  /** The target class; empty for none. */
  readonly state: { readonly target: string };
  readonly knowledge: Knowledge;
  readonly summaries: ModelSummaries;
  readonly memory: WorkingMemory;
  readonly forecaster: Forecaster;
  readonly steps: StepBudget;
  readonly remotenessOf: RemotenessOf;
}

/** The horizon of a forecast, and the size of its lists. */
export interface Extent {
  /** Number of events ahead, 1 or more. */
  readonly horizon: number;
  /** Maximum number of symbols in each list, 1 to {@link MAX_TOP}. */
  readonly top: number;
}

/** Number of most probable symbols that a surprise names. */
const MAX_EXPECTED = 5;

/** Number of most probable symbols kept for a surprise: nearly every symbol that comes is among them. */
const SURPRISE_TOP = 100;

/**
 * Steps charged for each list of a forecast besides the kernel's own, from the second query of a request on: pooling
 * the rules takes about as long.
 */
export const LIST_STEPS = 2_500;

/** A number that stands for no symbol. */
const NO_SYMBOL = 2 ** 32 - 1;

/** The inputs of a forecast of the remembered events. */
interface Moment {
  readonly revision: number;
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

/** A forecast of the next event, and the size of its list. */
interface Said {
  /** Maximum number of symbols in the step. */
  readonly top: number;
  readonly step: Pick<ForecastStep, "rest" | "symbols">;
}

/** A cached forecast with its inputs. */
type Memo = Moment & Said;

/** The forecaster's input. */
interface Context extends ForecastContext {
  /** Number of symbols of all events of the query, including those beyond the forecaster's context. */
  readonly size: number;
}

/** The newest of a query's events. @param lengths at least those of the newest events */
function newestOf({ numbers, lengths }: Pick<AskedSymbols, "numbers" | "lengths">): Sequence {
  const newest = lengths.subarray(Math.max(0, lengths.length - CONTEXT_EVENTS));
  const symbols = newest.reduce((sum, length) => sum + length, 0);
  return { symbols: numbers.subarray(numbers.length - symbols), lengths: newest };
}

/** The surprise of an event, and its inputs. */
interface Surprised {
  readonly surprise: Surprise;
  /** The forecast's probability of each symbol; 0 for none. */
  readonly chances: ArrayLike<number>;
  readonly factors: SurpriseFactor[];
  readonly rest: Rest;
  /** `undefined` when no model can count. */
  readonly answer: NumberedForecast | undefined;
}

/** Approximate heap bytes of a symbol of a step, with the models that predict it. */
const SYMBOL_HEAP_BYTES = 160;

/** The forecasts of one mind. */
export class Forecasts {
  readonly #source: ForecastSource;
  #memo: Memo | undefined;
  #factors: readonly SurpriseFactor[] = [];
  readonly #remotenessOf: RemotenessOf = (symbol) => this.#source.remotenessOf(symbol);

  constructor(source: ForecastSource) {
    this.#source = source;
  }

  /** Approximate heap bytes of the cache. */
  get heapBytes(): number {
    return (this.#memo?.step.symbols.length ?? 0) * SYMBOL_HEAP_BYTES;
  }

  /** The factors of the probability that {@link surpriseOf} computed last. */
  get lastFactors(): readonly SurpriseFactor[] {
    return this.#factors;
  }

  /** Drops the cache. The next query fills it again. */
  forget(): void {
    this.#memo = undefined;
  }

  /**
   * What comes next.
   *
   * @param sequence the events before it; the ensemble's if absent
   * @throws Fault `too-large` when it takes more steps than a request may use
   */
  forecast({ horizon, top }: Extent, sequence?: AskedSymbols): Forecast {
    const asked = sequence ?? this.#remembered();
    const context = asked === undefined ? undefined : this.#contextOf(asked);
    if (asked === undefined || context === undefined) return emptyForecast(horizon);
    const nameOf = (symbol: number) => asked.nameOf(symbol);
    const compare = compareBy(nameOf);
    const { knowledge, memory, summaries } = this.#source;
    const mostNearest = knowledge.mayHaveTimes() ? MAX_TIMED_MODELS : 0;
    const answer = this.#forecast(context, { horizon, top, compare, mostNearest });
    if (sequence === undefined) this.#keep(answer, top);
    const { nearest = [] } = answer;
    const times = sequence === undefined && nearest.length > 0 ? memory.ensembleTimes(CONTEXT_EVENTS) : [];
    const { symbols, lengths } = context;
    const when = whenOf({ symbols, lengths, times }, nearest, (ids) => summaries.timed.of(ids), horizon);
    return named(answer, nameOf, (ids) => summaries.of(ids).map(({ name }) => name), when);
  }

  /**
   * Why a symbol has its probability.
   *
   * @param doubt the symbol, the horizon, and whether any event up to the horizon counts
   * @param sequence as in {@link forecast}
   * @returns `undefined` when there is nothing to forecast from, or no model counts
   * @throws Fault as {@link forecast}
   */
  explain(
    { symbol, horizon, within }: { symbol: string; horizon: number; within: boolean },
    sequence?: AskedSymbols,
  ): ForecastExplanation | undefined {
    const asked = sequence ?? this.#remembered();
    const context = asked === undefined ? undefined : this.#contextOf(asked);
    if (asked === undefined || context === undefined) return undefined;
    const { knowledge, summaries } = this.#source;
    const nameOf = (id: number) => asked.nameOf(id);
    const number = knowledge.symbols.idOf(symbol) ?? NO_SYMBOL;
    const doubt = { symbol: number, horizon, isWithin: within, compare: compareBy(nameOf) };
    const ask = (forecaster: Forecaster, known: ForecastContext) => forecaster.explain({ ...known, ...doubt });
    const explained = this.#ask(context, ask, listsTo(horizon));
    if (explained === undefined) return undefined;
    const events = eventsOf(context, nameOf);
    const namesOf = (ids: readonly number[]) => summaries.of(ids).map(({ name }) => name);
    return explainedWith(explained, { symbol, events, nameOf, namesOf });
  }

  /**
   * The surprise of an event after other events, and why. The value is that of {@link surpriseOf}.
   *
   * @param event its symbols
   * @param asked the events before it
   * @returns `undefined` as {@link surpriseOf}
   * @throws Fault as {@link forecast}
   */
  explainSurprise(event: readonly string[], asked: AskedSymbols): SurpriseExplanation | undefined {
    const { knowledge } = this.#source;
    if (event.length === 0 || asked.numbers.length === 0 || knowledge.models === 0) return undefined;
    const nameOf = (id: number) => asked.nameOf(id);
    const symbols = [...new Set(event)];
    const context = this.#contextOf(asked);
    const { surprise, chances, factors, rest, answer } = this.#surprised(symbols, context, nameOf);
    const floor = unexpectedProbability(rest);
    const events = eventsOf(context ?? newestOf(asked), nameOf);
    return {
      surprise,
      context: events.slice(events.length - (answer?.context ?? 0)),
      symbols: symbols.map((symbol, at) => {
        const given = chances[at] ?? 0;
        return { symbol, given, probability: given || floor / this.#remotenessOf(symbol) };
      }),
      factors,
      models: answer?.models ?? 0,
      knownSymbols: knowledge.symbols.size,
      ...rest,
      unexpectedProbability: floor,
    };
  }

  /**
   * The surprise of each event of a sequence given those before it, from the second event on.
   *
   * @param asked the sequence
   * @param events its events
   * @throws Fault as {@link forecast}
   */
  surprisesWithin(asked: AskedSymbols, events: readonly (readonly string[])[]): Surprise[] {
    const nameOf = (id: number) => asked.nameOf(id);
    let before = 0;
    const surpriseOf = (event: readonly string[], at: number) => {
      before += asked.lengths[at] ?? 0;
      const lengths = asked.lengths.subarray(0, at + 1);
      const context = this.#contextOf({ ...asked, numbers: asked.numbers.subarray(0, before), lengths });
      return this.#surprised([...new Set(event)], context, nameOf).surprise;
    };
    return this.#source.forecaster.series(() => events.slice(1).map(surpriseOf));
  }

  /**
   * The surprise of an event, by one query.
   *
   * @param symbols its distinct symbols
   * @param context of the events before it; `undefined` when no model can count
   */
  #surprised(symbols: readonly string[], context: Context | undefined, nameOf: (symbol: number) => string): Surprised {
    if (context === undefined) return this.#surprisedBy(symbols, undefined, nameOf, () => []);
    const compare = compareBy(nameOf);
    const wanted = this.#numbersOf(symbols);
    const question = { horizon: 1, top: MAX_EXPECTED, compare, isWithoutModels: true, wanted };
    return this.#ask(
      context,
      (forecaster, asked) =>
        forecaster.consider({ ...asked, ...question }, (answer, together) =>
          this.#surprisedBy(symbols, answer, nameOf, (ordered) => together(this.#numbersOf(ordered))),
        ),
      listsTo(1),
    );
  }

  #surprisedBy(
    symbols: readonly string[],
    answer: NumberedForecast | undefined,
    nameOf: (symbol: number) => string,
    together: AskTogether,
  ): Surprised {
    const step = answer?.steps[0];
    const chances = answer?.wanted ?? new Float64Array(symbols.length);
    const expected = (step?.symbols ?? []).map(({ symbol, probability }) => ({ symbol: nameOf(symbol), probability }));
    const rest = this.#restOf(step);
    const factors = factorsOf(symbols, chances, rest, together, this.#remotenessOf);
    return { surprise: surpriseFrom(symbols, chances, factors, expected), chances, factors, rest, answer };
  }

  /** The numbers of symbols; {@link NO_SYMBOL} for those that no model holds. */
  #numbersOf(symbols: readonly string[]): Uint32Array {
    const { knowledge } = this.#source;
    return Uint32Array.from(symbols, (symbol) => knowledge.symbols.idOf(symbol) ?? NO_SYMBOL);
  }

  /**
   * The probabilities of symbols in `within`, by horizon and symbol, by one query. A symbol that has none there, or is
   * not among the {@link MAX_TOP} most probable, is left out.
   *
   * @param wanted the symbols by horizon; not empty
   * @returns `undefined` when the ensemble has no events to forecast from
   * @throws Fault as {@link forecast}
   */
  chancesOf(
    wanted: ReadonlyMap<number, ReadonlySet<string>>,
  ): ReadonlyMap<number, ReadonlyMap<string, ForecastSymbol>> | undefined {
    const asked = this.#remembered();
    if (asked === undefined) return undefined;
    const context = this.#contextOf(asked);
    if (context === undefined) return new Map();
    const { summaries } = this.#source;
    const nameOf = (symbol: number) => asked.nameOf(symbol);
    const shorter = new Set(wanted.keys());
    const horizon = Math.max(...shorter);
    const answer = this.#forecast(context, { horizon, shorter, top: MAX_TOP, compare: compareBy(nameOf) });
    // The surprise of the next event needs the same forecast.
    this.#keep(answer, MAX_TOP);
    const namesOf = (models: readonly number[]) => summaries.of(models).map(({ name }) => name);
    const chancesWithin = (symbols: ReadonlySet<string>, horizonOf: number) => {
      const list = answer.withinShorter?.get(horizonOf) ?? [];
      const within = list.filter(({ symbol }) => symbols.has(nameOf(symbol)));
      const few = named({ ...answer, steps: [], within }, nameOf, namesOf);
      return new Map(few.within.map((chance) => [chance.symbol, chance]));
    };
    return new Map([...wanted].map(([horizonOf, symbols]) => [horizonOf, chancesWithin(symbols, horizonOf)]));
  }

  /**
   * The surprise of an event after the ensemble's events.
   *
   * @param event its symbols
   * @returns `undefined` without an event, a memory before it, or knowledge
   * @throws Fault as {@link forecast}
   */
  surpriseOf(event: readonly string[]): Surprise | undefined {
    const { knowledge, memory } = this.#source;
    const remembered = this.#remembered();
    if (event.length === 0 || remembered === undefined || knowledge.models === 0) return undefined;
    const symbols = [...new Set(event)];
    const context = this.#contextOf(remembered);
    const nameOf = (symbol: number) => memory.nameOf(symbol);
    const kept = this.#memo;
    if (context === undefined || kept === undefined || kept.top < MAX_EXPECTED || !isSame(kept, this.#moment())) {
      const { surprise, factors } = this.#surprised(symbols, context, nameOf);
      this.#factors = factors;
      return surprise;
    }
    const ids = symbols.map((symbol) => knowledge.symbols.idOf(symbol));
    const { step, top } = kept;
    const likely = step.symbols;
    const listed = new Map(likely.map(({ symbol, probability }) => [symbol, probability]));
    const isWhole = likely.length < top || ids.every((id) => id === undefined || listed.has(id));
    const probabilities = isWhole
      ? ids.map((id) => (id === undefined ? 0 : (listed.get(id) ?? 0)))
      : this.#probabilities(context, ids);
    const expected = likely
      .slice(0, MAX_EXPECTED)
      .map(({ symbol, probability }) => ({ symbol: nameOf(symbol), probability }));
    const together = (ordered: readonly string[]) => this.#together(context, ordered);
    this.#factors = factorsOf(symbols, probabilities, this.#restOf(step), together, this.#remotenessOf);
    return surpriseFrom(symbols, probabilities, this.#factors, expected);
  }

  /**
   * The inputs for an unexpected symbol's probability. @param step of the next event; `undefined` when no model can
   * count
   */
  #restOf(step: Pick<ForecastStep, "rest"> | undefined): Rest {
    const { modelFrequencies, symbolFrequencies } = this.#source.knowledge.totals;
    return { rest: step?.rest ?? 1, occurrences: modelFrequencies + symbolFrequencies };
  }

  /** How often symbols occurred together, as counted by the forecaster. */
  #together(context: Context, symbols: readonly string[]): ArrayLike<number> {
    const ids = this.#numbersOf(symbols);
    return this.#ask(context, (forecaster, asked) => forecaster.together(asked, ids), 0);
  }

  #keep({ steps: [step] }: NumberedForecast, top: number): void {
    if (step === undefined) return;
    const few = { rest: step.rest, symbols: step.symbols.slice(0, SURPRISE_TOP) };
    this.#memo = { ...this.#moment(), step: few, top: Math.min(top, SURPRISE_TOP) };
  }

  /** The inputs of a forecast of the remembered events. */
  #moment(): Moment {
    const { knowledge, memory, state } = this.#source;
    const { ensembleStart: start, ensembleEnd: end } = memory.positions;
    return { revision: knowledge.revision, start, end, target: state.target };
  }

  #probabilities(context: Context, ids: readonly (number | undefined)[]): number[] {
    const known = Uint32Array.from(ids.filter((id) => id !== undefined));
    const given = this.#ask(context, (forecaster, asked) => forecaster.probabilities(asked, known), 1);
    let at = 0;
    return ids.map((id) => (id === undefined ? 0 : (given[at++] ?? 0)));
  }

  /**
   * The ensemble's events, with the lengths of only the newest ones, so that the cost of an observation does not grow
   * with the memory. `undefined` when there are none. The views are valid until the next use of the memory.
   */
  #remembered(): AskedSymbols | undefined {
    const { memory } = this.#source;
    if (!memory.hasEnsemble) return undefined;
    return {
      numbers: memory.ensembleNumbers(),
      lengths: memory.ensembleLengths(CONTEXT_EVENTS),
      nameOf: (id) => memory.nameOf(id),
    };
  }

  /** `undefined` when no model can count. */
  #contextOf({ numbers, lengths }: AskedSymbols): Context | undefined {
    const { knowledge, state, steps } = this.#source;
    const target = state.target === "" ? undefined : knowledge.symbols.idOf(state.target);
    const hasUnknownTarget = state.target !== "" && target === undefined;
    if (hasUnknownTarget || numbers.length === 0 || knowledge.models === 0) return undefined;
    return {
      ...newestOf({ numbers, lengths }),
      size: numbers.length,
      target,
      totals: knowledge.totals,
      record: knowledge.forecastRecord,
      steps: steps.left,
    };
  }

  #forecast(context: Context, question: Omit<ForecastQuery, keyof ForecastContext>): NumberedForecast {
    const ask = (forecaster: Forecaster, asked: ForecastContext) => forecaster.forecast({ ...asked, ...question });
    return this.#ask(context, ask, listsTo(question.horizon));
  }

  /** @param lists number of lists that the query makes */
  #ask<Answer>(
    context: Context,
    ask: (forecaster: Forecaster, asked: ForecastContext) => Answer,
    lists: number,
  ): Answer {
    const { forecaster, knowledge, steps } = this.#source;
    // The first query of a request may use all of its steps.
    const listing = steps.left < steps.whole ? LIST_STEPS * lists : 0;
    const left = context.steps - listing;
    if (left < 0) throw refusal(context.size, steps);
    knowledge.tellMatcher();
    const answer = ask(forecaster, { ...context, steps: left });
    if (forecaster.steps > left) throw refusal(context.size, steps);
    steps.spend(forecaster.steps + listing);
    return answer;
  }
}

/** Number of lists in a forecast: one for each event ahead, and one within each horizon from 2 on. */
function listsTo(horizon: number): number {
  return 2 * horizon - 1;
}

function isSame(one: Moment, other: Moment): boolean {
  return (
    one.revision === other.revision && one.start === other.start && one.end === other.end && one.target === other.target
  );
}

function compareBy(nameOf: (symbol: number) => string): (one: number, other: number) => number {
  return (one, other) => compareCodePoints(nameOf(one), nameOf(other));
}

function refusal(symbols: number, steps: StepBudget): Fault {
  return steps.exceededBy(
    `to forecast what comes after the ${symbols} symbols of the sequence`,
    "observe without explain, learn or clear working memory, or limit it with the gene max_sequence_length",
  );
}
