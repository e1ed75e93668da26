/**
 * Measures forecasts of a set: a processor learns sequences as it learns any, and says what comes where the protocol
 * asks; beside it others do the same.
 */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { Mind } from "../../src/processor/mind";
import type { ForecastContext } from "../../src/processor/ports/forecaster";
import type { Change } from "../../src/processor/ports/store";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { ESTIMATOR, type EstimatorSettings } from "../../src/processor/prediction/estimator/settings";
import { log2 } from "../../src/processor/prediction/logarithms";
import { ProcessorCore } from "../../src/processor/processor-core";
import { learn } from "../../src/processor/verbs/learning";
import { compareCodePoints } from "../../src/text/code-points";
import { OracleNeighbours } from "../oracle/neighbours";
import { MemoryStore } from "../support/memory-store";
import { type Fold, type ForecastSet, hashOf, type Question, type TextOf } from "./forecast-data";
import { BackOff, type Peer, VisitNeighbours } from "./forecast-peers";

/** How good the forecasts of a set are. */
export interface Quality {
  /** Who says so. */
  name: string;
  asked: number;
  /** The share of right first symbols, 0 to 1. */
  accuracy: number;
  /** Bits for the symbol that comes next, on average; `undefined` without probabilities. */
  logLoss: number | undefined;
  /**
   * How far the probabilities of first symbols are from how often they are right, in ten ranges, on average;
   * `undefined` without probabilities.
   */
  calibrationError: number | undefined;
  /**
   * What that would be on average if the probabilities were exactly true: so few questions deviate by chance;
   * `undefined` where it is.
   */
  chanceError: number | undefined;
  /**
   * The share of questions whose next symbol is in the list, and the mean of 1 / its place there; `undefined` without a
   * list.
   */
  hitRate: number | undefined;
  reciprocalRank: number | undefined;
  /** Milliseconds that a learn and a question take, on average. */
  learnMs: number;
  askMs: number;
}

/** What is measured. */
export interface Extent {
  /** Reads a file of the data. */
  textOf: TextOf;
  /** How many folds, from the first on. */
  folds: number;
  /** One in this many questions is asked. */
  part: number;
  /** The constants of the estimator; the standard ones when absent. */
  estimator?: EstimatorSettings;
  /** Measures a processor alone. */
  isAlone?: boolean;
}

const NOEMA = "Noema";
const RANGES = 10;
/** The order of the back-off. */
const ORDER = 4;
/** No event is less probable, as in a surprise. */
const LEAST = 2 ** -1022;
/** How often what comes is drawn, to see how far true probabilities deviate by chance. */
const DRAWS = 200;
/** A symbol that was never learned counts as if it had occurred so often. */
const UNSEEN = 0.5;
/** A question may take any number of steps. */
const STEPS = 2 ** 40;
/** A number that no symbol has. */
const NO_SYMBOL = 2 ** 32 - 1;

/** What one question found. */
interface Answer {
  /** Most probable first; where the first symbol is of several events, `first` is its list. */
  symbols: readonly { symbol: string; probability: number }[];
  first: { symbol: string; probability: number } | undefined;
  /** The probability of the symbol that comes next. */
  next: number;
}

/**
 * An answer, given that a symbol does not come next.
 *
 * @param first most probable first
 * @param chance the probability of the symbol that is excluded
 */
function without(
  { symbols, first, next }: Omit<Answer, "first"> & { first: Answer["symbols"] },
  excluded: string | undefined,
  chance: number,
): Answer {
  const left = 1 - chance;
  const others = first.find(({ symbol }) => symbol !== excluded);
  const most = others === undefined ? undefined : { ...others, probability: others.probability / left };
  return { symbols, first: most, next: next / left };
}

/** What is measured: it learns, then it is asked. */
interface Measured {
  readonly name: string;
  learn(sequence: readonly string[]): void;
  ask(question: Question, list: number): Answer;
  /** Whether it gives probabilities. */
  readonly isProbable: boolean;
  release(): void;
}

/** A store that finds models by name, and the newest, as fast as a database does. None is ever removed. */
class IndexedStore extends MemoryStore {
  readonly #ids = new Map<string, number>();
  #newest = 0;

  constructor() {
    super();
    const { knowledge } = this;
    knowledge.newestModels = (limit) => {
      const ids = Array.from({ length: Math.min(limit, this.#newest) }, (_, at) => this.#newest - at);
      return ids.flatMap((id) => knowledge.modelById(id) ?? []);
    };
    knowledge.modelByName = (name) => {
      const id = this.#ids.get(name);
      return id === undefined ? undefined : knowledge.modelById(id);
    };
  }

  override record(change: Change): void {
    if (change.kind === "model-put") {
      this.#ids.set(change.model.name, change.model.id);
      this.#newest = Math.max(this.#newest, change.model.id);
    }
    super.record(change);
  }
}

/** A processor. */
class Learner implements Measured {
  readonly name = NOEMA;
  readonly isProbable = true;
  readonly #kernel: Kernel;
  readonly #mind: Mind;

  constructor(module: WebAssembly.Module, estimator: EstimatorSettings) {
    const kernel = Kernel.create(new KernelMemory(module));
    const store = new IndexedStore();
    const forecaster = new PoolingForecaster(kernel.forecastRules, estimator);
    const parts = { store, matcher: kernel, neighbours: new OracleNeighbours(), forecaster, estimator };
    this.#kernel = kernel;
    this.#mind = new Mind(new ProcessorCore({ id: "p46b6b076c", name: "P1", ...parts }), "", undefined);
  }

  learn(sequence: readonly string[]): void {
    for (const symbol of sequence) this.#mind.memory.append([symbol], "", 0);
    learn(this.#mind);
  }

  ask({ context, horizon, next, excluded }: Question, list: number): Answer {
    const { knowledge, forecaster } = this.#mind;
    const { symbols: known, totals, forecastRecord: record } = knowledge;
    const symbols = Uint32Array.from(context, (symbol) => known.idOf(symbol) ?? NO_SYMBOL);
    const lengths = new Uint32Array(symbols.length).fill(1);
    const asked = { symbols, lengths, target: undefined, totals, record, steps: STEPS };
    const compare = (one: number, other: number) => compareCodePoints(known.nameOf(one), known.nameOf(other));
    knowledge.tellMatcher();
    const top = Math.max(1, list) + Number(excluded !== undefined);
    const { steps, within } = forecaster.forecast({ ...asked, horizon, top, compare });
    const named = (each: { symbol: number; probability: number }) => ({
      symbol: known.nameOf(each.symbol),
      probability: each.probability,
    });
    const [step] = steps;
    const listed = step?.symbols.map(named) ?? [];
    const id = known.idOf(next);
    const chanceOf = (number: number | undefined) =>
      number === undefined ? 0 : (forecaster.probabilities(asked, Uint32Array.of(number))[0] ?? 0);
    const other = () => (step?.rest ?? 1) * this.#partOfRest(asked, id);
    const answer = { symbols: listed, first: within.map(named), next: chanceOf(id) || other() };
    return without(answer, excluded, excluded === undefined ? 0 : chanceOf(known.idOf(excluded)));
  }

  /**
   * The part of a symbol in what is left to all that are not named: as often as it occurs among them. What is left to
   * an end counts as one of them.
   *
   * @param id `undefined` for one that was never learned
   */
  #partOfRest(asked: ForecastContext, id: number | undefined): number {
    const { knowledge, forecaster } = this.#mind;
    const { symbols: known, totals } = knowledge;
    const all = [...known.rows()];
    const given = forecaster.probabilities(
      asked,
      Uint32Array.from(all, (row) => row.id),
    );
    const named = all.reduce((sum, { frequency }, at) => sum + ((given[at] ?? 0) > 0 ? frequency : 0), 0);
    const others = totals.modelFrequencies + totals.symbolFrequencies - named;
    return (id === undefined ? UNSEEN : known.row(id).frequency) / others;
  }

  release(): void {
    this.#kernel.release();
  }
}

/** Another predictor, asked the same. */
class Other implements Measured {
  readonly name: string;
  readonly isProbable: boolean;
  readonly #peer: Peer;

  constructor(name: string, isProbable: boolean, peer: Peer) {
    this.name = name;
    this.isProbable = isProbable;
    this.#peer = peer;
  }

  learn(sequence: readonly string[]): void {
    this.#peer.learn(sequence);
  }

  ask({ context, next, excluded }: Question, list: number): Answer {
    const { symbols, other } = this.#peer.ask(context);
    const chanceOf = (name: string) => symbols.find(({ symbol }) => symbol === name)?.probability ?? other;
    const answer = { symbols: symbols.slice(0, list), first: symbols, next: chanceOf(next) };
    return without(answer, excluded, excluded === undefined ? 0 : chanceOf(excluded));
  }

  release(): void {}
}

/** How far what came is from what was said, in each range, of all answers. */
function errorOf(said: Float64Array, came: Float64Array, answers: number): number {
  return said.reduce((sum, value, range) => sum + Math.abs(value - (came[range] ?? 0)), 0) / answers;
}

function rangeOf(probability: number): number {
  return Math.min(RANGES - 1, Math.floor(probability * RANGES));
}

/** The mean error of draws from probabilities: what is left of it when they are true. */
function chanceErrorOf(probabilities: readonly number[]): number {
  const said = new Float64Array(RANGES);
  const add = (sums: Float64Array, range: number, by: number) => {
    sums[range] = (sums[range] ?? 0) + by;
  };
  for (const probability of probabilities) add(said, rangeOf(probability), probability);
  let errors = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const came = new Float64Array(RANGES);
    for (const [at, probability] of probabilities.entries()) {
      const isRight = hashOf(draw * probabilities.length + at) < probability * 2 ** 32;
      if (isRight) add(came, rangeOf(probability), 1);
    }
    errors += errorOf(said, came, probabilities.length);
  }
  return errors / DRAWS;
}

/** Sums up answers. */
class Sums {
  readonly #said = new Float64Array(RANGES);
  readonly #came = new Float64Array(RANGES);
  readonly #probabilities: number[] = [];
  asked = 0;
  #answered = 0;
  #right = 0;
  #bits = 0;
  #hits = 0;
  #ranks = 0;

  /** @param answer `undefined` where there is nothing to ask from */
  add({ right, next }: Question, answer: Answer | undefined): void {
    this.asked++;
    if (answer === undefined) return;
    this.#answered++;
    const { first, symbols } = answer;
    const isRight = first !== undefined && right.includes(first.symbol);
    const range = rangeOf(first?.probability ?? 0);
    this.#probabilities.push(first?.probability ?? 0);
    this.#right += Number(isRight);
    this.#said[range] = (this.#said[range] ?? 0) + (first?.probability ?? 0);
    this.#came[range] = (this.#came[range] ?? 0) + Number(isRight);
    this.#bits -= log2(Math.max(LEAST, answer.next));
    const place = symbols.findIndex(({ symbol }) => symbol === next);
    if (place < 0) return;
    this.#hits++;
    this.#ranks += 1 / (place + 1);
  }

  /**
   * @param isProbable whether the answers have probabilities
   * @param isExact whether the first symbol's is of what it may be right by
   */
  quality(list: number, isProbable: boolean, isExact: boolean) {
    const isStated = isProbable && isExact;
    return {
      asked: this.asked,
      accuracy: this.#right / this.asked,
      logLoss: isProbable ? this.#bits / this.#answered : undefined,
      calibrationError: isStated ? errorOf(this.#said, this.#came, this.#answered) : undefined,
      chanceError: isStated ? chanceErrorOf(this.#probabilities) : undefined,
      hitRate: list > 0 ? this.#hits / this.asked : undefined,
      reciprocalRank: list > 0 ? this.#ranks / this.asked : undefined,
    };
  }
}

/** What a set is measured with: a processor, and unless it is alone back-off, and for lists nearest neighbours. */
function measuredBy(module: WebAssembly.Module, list: number, { estimator = ESTIMATOR, isAlone }: Extent): Measured[] {
  const learner = new Learner(module, estimator);
  if (isAlone === true) return [learner];
  const backOff = new Other(`back-off, order ${ORDER}`, true, new BackOff(ORDER));
  const others = list > 0 ? [backOff, new Other("V-SKNN", false, new VisitNeighbours())] : [backOff];
  return [learner, ...others];
}

/** What is known of one who is measured, over all folds. */
interface Total {
  sums: Sums;
  isProbable: boolean;
  learned: number;
  learning: number;
  /** How many questions took that long: of equal ones, the first. */
  answered: number;
  asking: number;
}

function newTotal(isProbable: boolean): Total {
  return { sums: new Sums(), isProbable, learned: 0, learning: 0, answered: 0, asking: 0 };
}

/** Has one learn a fold, and asks about it. Equal questions have equal answers, and logs have many: one is asked. */
function addFold(total: Total, measured: Measured, { learned, asked }: Fold, list: number): void {
  const begun = performance.now();
  for (const sequence of learned) measured.learn(sequence);
  total.learned += learned.length;
  total.learning += performance.now() - begun;
  const answers = new Map<string, Answer>();
  for (const question of asked) {
    const { context, horizon, next } = question;
    if (context.length === 0) {
      total.sums.add(question, undefined);
      continue;
    }
    const key = JSON.stringify([horizon, next, context]);
    let answer = answers.get(key);
    if (answer === undefined) {
      const asks = performance.now();
      answer = measured.ask(question, list);
      total.asking += performance.now() - asks;
      total.answered++;
      answers.set(key, answer);
    }
    total.sums.add(question, answer);
  }
}

/** Measures folds of a set. @returns one for a processor, and one for each of its peers */
export function measure(module: WebAssembly.Module, set: ForecastSet, extent: Extent): Quality[] {
  const { textOf, folds, part } = extent;
  const { list, ahead } = set;
  const totals = new Map<string, Total>();
  for (let number = 0; number < Math.min(folds, set.folds); number++) {
    const fold = set.read(textOf, number);
    const asked = fold.asked.filter((_, at) => part === 1 || hashOf(at) % part === 0);
    for (const measured of measuredBy(module, list, extent)) {
      const total = totals.get(measured.name) ?? newTotal(measured.isProbable);
      totals.set(measured.name, total);
      addFold(total, measured, { ...fold, asked }, list);
      measured.release();
    }
  }
  return [...totals].map(([name, { sums, isProbable, learned, learning, answered, asking }]) => {
    // Peers say what comes next alone: that is no probability of what may come within several events.
    const quality = sums.quality(list, isProbable, ahead === 1 || name === NOEMA);
    return { name, ...quality, learnMs: learning / learned, askMs: asking / Math.max(1, answered) };
  });
}

/** A constant of the estimator with another value, and what else changes with it. */
export interface Variation {
  name: string;
  /** "doubled" or "halved". */
  by: string;
  value: number;
  estimator: EstimatorSettings;
}

/** Constants that are whole numbers. */
const WHOLE: ReadonlySet<string> = new Set([
  "gradedOneIn",
  "modelsADoubling",
  "fewModels",
  "onceMore",
  "endsLooked",
  "leastContext",
  "contextLengths",
]);

/** Constants that only matter where a knowledge without a record is graded; and the one that follows from another. */
const UNUSED: ReadonlySet<string> = new Set(["loadedDraws", "mostLoadedSteps", "ownPart"]);

/** Each constant that learning and asking depend on, doubled and halved. */
export function variations(): Variation[] {
  const names = Object.keys(ESTIMATOR) as (keyof EstimatorSettings)[];
  return names
    .filter((name) => !UNUSED.has(name))
    .flatMap((name) =>
      [2, 0.5].map((factor) => {
        const exact = ESTIMATOR[name] * factor;
        const value = WHOLE.has(name) ? Math.max(1, Math.floor(exact)) : exact;
        // The two parts of a rule's probability sum to 1.
        const others = name === "basePart" ? { ownPart: 1 - value } : {};
        return {
          name,
          by: factor > 1 ? "doubled" : "halved",
          value,
          estimator: { ...ESTIMATOR, ...others, [name]: value },
        };
      }),
    );
}
