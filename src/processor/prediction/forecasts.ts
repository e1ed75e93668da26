/**
 * The forecasts of one mind: what comes after the events that the ensemble is about, or after others. Keeps what the last one said of the next event: who
 * asks for a forecast and then observes with an explanation needs it again.
 */

import { compareCodePoints } from "../../text/code-points";
import type { Knowledge } from "../knowledge/knowledge";
import type { ModelSummaries } from "../knowledge/model-summaries";
import { eventsOf } from "../knowledge/symbol-table";
import type { AskedSymbols } from "../memory/asked-sequence";
import type { WorkingMemory } from "../memory/working-memory";
import type { Surprise } from "../ports/activity";
import type { Fault } from "../ports/fault";
import {
  CONTEXT_EVENTS,
  type ForecastContext,
  type Forecaster,
  type ForecastQuery,
  type ForecastStep,
  MOST_TOP,
  type Forecast as NumberedForecast,
} from "../ports/forecaster";
import type { Sequence } from "../ports/matcher";
import { MOST_TIMED_MODELS, whenOf } from "./event-times";
import { emptyForecast, type Forecast, type ForecastSymbol, named } from "./forecast";
import { explainedWith, type ForecastExplanation, type SurpriseExplanation } from "./forecast-explanation";
import type { StepBudget } from "./step-budget";
import { type AskTogether, type Factor, factorsOf, type Rest, surpriseFrom, unexpectedProbability } from "./surprise";

/** Everything that a forecast is computed from. A mind is one. */
export interface ForecastSource {
  /** The target class is empty when there is none. */
  readonly state: { readonly target: string };
  readonly knowledge: Knowledge;
  readonly summaries: ModelSummaries;
  readonly memory: WorkingMemory;
  readonly forecaster: Forecaster;
  readonly steps: StepBudget;
}

/** How far a forecast looks, and how much it says. */
export interface Extent {
  /** How many events ahead, from 1 on. */
  readonly horizon: number;
  /** The most symbols of each list, 1 to {@link MOST_TOP}. */
  readonly top: number;
}

/** How many of the most probable symbols a surprise names. */
const MOST_EXPECTED = 5;

/** How many of the likeliest symbols are kept for a surprise: nearly every symbol that comes is among them. */
const SURPRISE_TOP = 100;

/**
 * What a list of a forecast counts besides the kernel's own steps, from the second question of a request on: pooling
 * the rules takes about as long as this number of steps.
 */
export const LIST_STEPS = 2_500;

/** A number that no symbol has. */
const NO_SYMBOL = 2 ** 32 - 1;

/** What a forecast of the remembered events is computed from. */
interface Moment {
  readonly revision: number;
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

/** What a forecast says of the next event, and how much of it. */
interface Said {
  /** The most symbols that the step may have. */
  readonly top: number;
  readonly step: Pick<ForecastStep, "rest" | "symbols">;
}

/** What was said, and of what moment. */
type Memo = Moment & Said;

/** What the forecaster is asked with. */
interface Context extends ForecastContext {
  /** Number of symbols of all events that the question is about, those that the forecaster does not look at too. */
  readonly size: number;
}

/** The newest of the events that a question is about. @param lengths those of the newest events at least */
function newestOf({ numbers, lengths }: Pick<AskedSymbols, "numbers" | "lengths">): Sequence {
  const newest = lengths.subarray(Math.max(0, lengths.length - CONTEXT_EVENTS));
  const symbols = newest.reduce((sum, length) => sum + length, 0);
  return { symbols: numbers.subarray(numbers.length - symbols), lengths: newest };
}

/** How unexpected an event is, and what that follows from. */
interface Surprised {
  readonly surprise: Surprise;
  /** What the forecast gives each symbol; 0 for none. */
  readonly chances: ArrayLike<number>;
  readonly factors: Factor[];
  readonly rest: Rest;
  /** `undefined` when no model can speak. */
  readonly answer: NumberedForecast | undefined;
}

/** About how many bytes of heap a symbol of a step takes, with the models that say it. */
const SYMBOL_HEAP_BYTES = 160;

/** The forecasts of one mind. */
export class Forecasts {
  readonly #source: ForecastSource;
  #memo: Memo | undefined;
  #factors: readonly Factor[] = [];

  constructor(source: ForecastSource) {
    this.#source = source;
  }

  /** About how many bytes of heap it keeps. */
  get heapBytes(): number {
    return (this.#memo?.step.symbols.length ?? 0) * SYMBOL_HEAP_BYTES;
  }

  /** The factors of the probability that {@link surpriseOf} computed last. */
  get lastFactors(): readonly Factor[] {
    return this.#factors;
  }

  /** Forgets what it keeps. The next question computes it again. */
  forget(): void {
    this.#memo = undefined;
  }

  /**
   * What comes next.
   *
   * @param sequence the events that it comes after; those that the ensemble is about when absent
   * @throws Fault `too-large` when it takes more steps than a request may take
   */
  forecast({ horizon, top }: Extent, sequence?: AskedSymbols): Forecast {
    const asked = sequence ?? this.#remembered();
    const context = asked === undefined ? undefined : this.#contextOf(asked);
    if (asked === undefined || context === undefined) return emptyForecast(horizon);
    const nameOf = (symbol: number) => asked.nameOf(symbol);
    const compare = compareBy(nameOf);
    const { knowledge, memory, summaries } = this.#source;
    const mostNearest = knowledge.mayHaveTimes() ? MOST_TIMED_MODELS : 0;
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
   * @param doubt the symbol; how many events ahead; and whether in one or more of the events up to there
   * @param sequence as in {@link forecast}
   * @returns `undefined` when there is nothing to forecast from, or no model speaks
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
   * How unexpected an event is after others, and why: the same as {@link surpriseOf} of these.
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
      symbols: symbols.map((symbol, at) => ({ symbol, given: chances[at] ?? 0, probability: chances[at] || floor })),
      factors,
      models: answer?.models ?? 0,
      knownSymbols: knowledge.symbols.size,
      ...rest,
      unexpectedProbability: floor,
    };
  }

  /**
   * How unexpected each event of a sequence is after those before it, from the second one on.
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
   * How unexpected an event is, by one question.
   *
   * @param symbols its distinct symbols
   * @param context of the events before it; `undefined` when no model can speak
   */
  #surprised(symbols: readonly string[], context: Context | undefined, nameOf: (symbol: number) => string): Surprised {
    if (context === undefined) return this.#surprisedBy(symbols, undefined, nameOf, () => []);
    const compare = compareBy(nameOf);
    const wanted = this.#numbersOf(symbols);
    const question = { horizon: 1, top: MOST_EXPECTED, compare, isWithoutModels: true, wanted };
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
    const factors = factorsOf(symbols, chances, rest, together);
    return { surprise: surpriseFrom(symbols, chances, factors, expected), chances, factors, rest, answer };
  }

  /** The numbers of symbols; one that no symbol has for those that no model holds. */
  #numbersOf(symbols: readonly string[]): Uint32Array {
    const { knowledge } = this.#source;
    return Uint32Array.from(symbols, (symbol) => knowledge.symbols.idOf(symbol) ?? NO_SYMBOL);
  }

  /**
   * What some symbols have in `within`, by horizon and symbol, by one question: a symbol that has nothing there, or is
   * not among the {@link MOST_TOP} most probable, is missing.
   *
   * @param wanted by horizon the symbols; not empty
   * @returns `undefined` when the ensemble is about nothing, so that there is nothing to forecast from
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
    const answer = this.#forecast(context, { horizon, shorter, top: MOST_TOP, compare: compareBy(nameOf) });
    // The surprise of the next event needs the same forecast.
    this.#keep(answer, MOST_TOP);
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
   * How unexpected an event is after those that the ensemble is about.
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
    if (context === undefined || kept === undefined || kept.top < MOST_EXPECTED || !isSame(kept, this.#moment())) {
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
      .slice(0, MOST_EXPECTED)
      .map(({ symbol, probability }) => ({ symbol: nameOf(symbol), probability }));
    this.#factors = factorsOf(symbols, probabilities, this.#restOf(step), (ordered) =>
      this.#together(context, ordered),
    );
    return surpriseFrom(symbols, probabilities, this.#factors, expected);
  }

  /** What the probability of an unexpected symbol follows from. @param step of the next event; `undefined` when no model can speak */
  #restOf(step: Pick<ForecastStep, "rest"> | undefined): Rest {
    const { modelFrequencies, symbolFrequencies } = this.#source.knowledge.totals;
    return { rest: step?.rest ?? 1, occurrences: modelFrequencies + symbolFrequencies };
  }

  /** How often symbols came together, as the forecaster counts it. */
  #together(context: Context, symbols: readonly string[]): ArrayLike<number> {
    const ids = this.#numbersOf(symbols);
    return this.#ask(context, (forecaster, asked) => forecaster.together(asked, ids), 0);
  }

  #keep({ steps: [step] }: NumberedForecast, top: number): void {
    if (step === undefined) return;
    const few = { rest: step.rest, symbols: step.symbols.slice(0, SURPRISE_TOP) };
    this.#memo = { ...this.#moment(), step: few, top: Math.min(top, SURPRISE_TOP) };
  }

  /** What a forecast of the remembered events depends on. */
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
   * The events that the ensemble is about, with the lengths of the newest only: an observation that asks takes as long
   * with a long memory as with a short one. `undefined` when there are none. The views are valid until the memory is
   * asked again.
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

  /** `undefined` when no model can speak. */
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

  /** @param lists how many lists the question makes */
  #ask<Answer>(
    context: Context,
    ask: (forecaster: Forecaster, asked: ForecastContext) => Answer,
    lists: number,
  ): Answer {
    const { forecaster, knowledge, steps } = this.#source;
    // The first question of a request may take all steps for itself.
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

/** How many lists a forecast makes: of each event ahead, and within each horizon from 2 on. */
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
