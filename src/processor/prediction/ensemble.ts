/**
 * The ensemble: the predictions from the remembered events, under the current knowledge, genes and target class.
 * Computed on demand and kept until one of them changes. The kernel finds the matches and computes their metrics; this
 * file adds names.
 */

import type { PackedEnsemble, Prediction, PredictionExplanation } from "../../gen/plain";
import { excerpt } from "../../text/excerpt";
import type { Genes } from "../genes/table";
import { meanEmotives } from "../knowledge/emotives";
import type { Knowledge } from "../knowledge/knowledge";
import type { ModelSummaries } from "../knowledge/model-summaries";
import type { AskedSymbols } from "../memory/asked-sequence";
import type { WorkingMemory } from "../memory/working-memory";
import { Fault } from "../ports/fault";
import {
  type GrowingMemory,
  type Match,
  type Matcher,
  METRIC,
  type Query,
  UNKNOWN_SYMBOL_BASE,
} from "../ports/matcher";
import type { Reader } from "../ports/store";
import { log2 } from "./logarithms";
import { packEnsemble, predictionFrom } from "./prediction";
import { explanationFrom } from "./prediction-explanation";
import type { StepBudget } from "./step-budget";

/** Everything that an ensemble is computed from. A mind is one. */
export interface EnsembleSource {
  readonly genes: Genes;
  /** The target class; empty for none. */
  readonly state: { readonly target: string };
  readonly knowledge: Knowledge;
  readonly summaries: ModelSummaries;
  readonly memory: WorkingMemory;
  readonly matcher: Matcher;
  readonly store: Reader;
  readonly steps: StepBudget;
}

/** The ensemble as computed so far, and what it was computed from. */
interface Memo {
  readonly revision: number;
  readonly genes: Genes;
  readonly start: number;
  readonly end: number;
  readonly target: string;
  any?: boolean;
  matches?: Match[];
  predictions?: Prediction[];
  packed?: PackedEnsemble;
}

/** What the matcher knows of the growing memory, and what else that depends on. */
interface Growth {
  readonly revision: number;
  readonly genes: Genes;
  readonly target: string;
  readonly memory: GrowingMemory;
}

/** Number of memories numbered in this isolate so far. */
let numbered = 0;

/** Approximate heap bytes of a prediction in each form kept. */
const PREDICTION_HEAP_BYTES = 2_048;

/** The ensemble of one mind. Its lists stay the same while nothing changes: callers only read them. */
export class Ensemble {
  readonly #source: EnsembleSource;
  #memo: Memo | undefined;
  #growth: Growth | undefined;

  constructor(source: EnsembleSource) {
    this.#source = source;
  }

  /** Approximate heap bytes of the predictions computed last. */
  get heapBytes(): number {
    const { matches, predictions, packed } = this.#memo ?? {};
    const kept = (matches?.length ?? 0) + (predictions?.length ?? 0) + (packed?.names.length ?? 0);
    return kept * PREDICTION_HEAP_BYTES;
  }

  /** Forgets the predictions. The next question computes them again. */
  forget(): void {
    this.#memo = undefined;
  }

  /**
   * Whether there is any prediction. Much faster than {@link predictions}, and cheap to ask after each event while
   * memory grows.
   * @returns `undefined` when the request's steps for it do not suffice, or parts of the processor cannot be reached
   */
  findAny(): boolean | undefined {
    if (!this.#source.memory.hasEnsemble) return false;
    const memo = this.#current();
    if (memo.any !== undefined) return memo.any;
    const any = this.#findAny();
    if (any !== undefined) memo.any = any;
    return any;
  }

  /** The predictions, best first. @throws Fault `too-large` beyond the budget of steps, like all methods below */
  predictions(): Prediction[] {
    const memo = this.#current();
    if (memo.predictions === undefined) {
      memo.predictions = this.#nameAll(this.#matches(memo), (id) => this.#source.memory.nameOf(id));
      dropMatches(memo);
    }
    return memo.predictions;
  }

  /** The same as {@link predictions}, as columns. */
  packed(): PackedEnsemble {
    const memo = this.#current();
    if (memo.packed === undefined) {
      memo.packed = this.#pack(this.#matches(memo), (id) => this.#source.memory.nameOf(id));
      dropMatches(memo);
    }
    return memo.packed;
  }

  /** The Shannon entropy, in bits, of the potentials normalised to sum 1; 0 when there are no predictions. */
  entropy(): number {
    const potentials = this.#matches(this.#current()).map(({ metrics }) => metrics[METRIC.potential] ?? 0);
    const sum = potentials.reduce((total, potential) => total + potential, 0);
    return potentials.reduce((entropy, potential) => {
      const share = potential / sum;
      return share > 0 ? entropy - share * log2(share) : entropy;
    }, 0);
  }

  /** The predictions as if the sequence of a model were in working memory; empty when there is no such model. */
  predictionsForModel(name: string): Prediction[] {
    return this.#nameAll(this.#matchesForModel(name), (id) => this.#source.knowledge.symbols.nameOf(id));
  }

  /** The same as {@link predictionsForModel}, as columns. */
  packedForModel(name: string): PackedEnsemble {
    return this.#pack(this.#matchesForModel(name), (id) => this.#source.knowledge.symbols.nameOf(id));
  }

  /**
   * The predictions from other symbols, as if they were in working memory. Not cached.
   *
   * @param most maximum number of predictions, in addition to the gene max_predictions
   */
  predictionsOf(asked: AskedSymbols, most?: number): Prediction[] {
    return this.#nameAll(this.#matchesOf(asked.numbers, most), (id) => asked.nameOf(id));
  }

  /** The same as {@link predictionsOf}, as columns. */
  packedOf(asked: AskedSymbols, most?: number): PackedEnsemble {
    return this.#pack(this.#matchesOf(asked.numbers, most), (id) => asked.nameOf(id));
  }

  /**
   * The inputs of one prediction's numbers, whether or not a gene cuts it off.
   *
   * @param name the model's, without prefix
   * @param asked the memory that it is predicted from
   * @returns `undefined` when the model does not match, or the target class does not admit it
   * @throws Fault `unknown` when there is no such model
   */
  explain(name: string, asked: AskedSymbols): PredictionExplanation | undefined {
    const { knowledge, store } = this.#source;
    const row = store.knowledge.modelByName(name);
    if (row === undefined) throw new Fault("unknown", `no model has the name ${excerpt(name)}`);
    const query = this.#queryFor(asked.numbers);
    if (query === undefined) return undefined;
    const explained = this.#ask(query, (matcher) => matcher.explain(query, row.id));
    if (explained === undefined) return undefined;
    const { symbols } = knowledge;
    return explanationFrom({
      explained,
      query,
      lengths: asked.lengths,
      name: row.name,
      kept: row.emotives,
      emotives: meanEmotives(row.emotives),
      nameOf: (id) => asked.nameOf(id),
      frequencyOf: (id) => (id < UNKNOWN_SYMBOL_BASE ? symbols.row(id).frequency : 0),
    });
  }

  /**
   * Number of models that each recall threshold would keep, regardless of the prediction threshold and the gene
   * max_predictions.
   *
   * @param thresholds one or more numbers from 0 to 1, ascending
   * @param asked what to match; the ensemble's own symbols if absent
   * @returns a count for each
   */
  countMatching(thresholds: Float64Array, asked?: AskedSymbols): number[] {
    const { memory } = this.#source;
    const own = memory.hasEnsemble ? memory.ensembleNumbers() : new Uint32Array();
    const query = this.#queryFor(asked?.numbers ?? own);
    if (query === undefined) return [...thresholds].map(() => 0);
    return this.#ask(query, (matcher) => matcher.countMatching(query, thresholds));
  }

  /** The memo; a new one if anything that it was computed from has changed. */
  #current(): Memo {
    const { genes, state, knowledge, memory } = this.#source;
    const { revision } = knowledge;
    const { ensembleStart: start, ensembleEnd: end } = memory.positions;
    const { target } = state;
    const memo = this.#memo;
    const isCurrent =
      memo?.revision === revision &&
      memo.genes === genes &&
      memo.start === start &&
      memo.end === end &&
      memo.target === target;
    if (isCurrent) return memo;
    this.#memo = { revision, genes, start, end, target };
    return this.#memo;
  }

  #findAny(): boolean | undefined {
    const { knowledge, matcher, memory, steps } = this.#source;
    const growth = this.#grown();
    const query = this.#queryFor(memory.ensembleNumbers(), 1, steps.leftForRecord);
    if (query === undefined) return false;
    if (growth.added < growth.noneUntil && query.symbols.length >= growth.noneFrom) return false;
    // A glance needs a model found before; and with fewer steps than symbols, writing the query is not worth it.
    if ((steps.onlyGlances && growth.found === 0) || query.steps < query.symbols.length) {
      steps.spendForRecord(0, false);
      return undefined;
    }
    knowledge.tellMatcher();
    const isAny = unlessAway(() => matcher.matchesAny(query, growth, steps.onlyGlances));
    steps.spendForRecord(matcher.steps, isAny !== undefined);
    return isAny;
  }

  /** What is known of the growing memory; nothing if anything else has changed. */
  #grown(): GrowingMemory {
    const { genes, state, knowledge, memory } = this.#source;
    const { revision } = knowledge;
    const { target } = state;
    const known = this.#growth;
    const added = memory.ensembleAppended;
    if (known?.revision === revision && known.genes === genes && known.target === target) {
      known.memory.added = added;
      return known.memory;
    }
    const fresh = { number: ++numbered, added, found: known?.memory.found ?? 0, noneUntil: 0, noneFrom: 0 };
    this.#growth = { revision, genes, target, memory: fresh };
    return fresh;
  }

  /**
   * The query for the symbol numbers of a sequence; `undefined` when no model can match.
   *
   * @param most maximum number of predictions
   */
  #queryFor(symbols: Uint32Array, most = Number.POSITIVE_INFINITY, steps = this.#source.steps.left): Query | undefined {
    const { genes, knowledge, state } = this.#source;
    const target = state.target === "" ? undefined : knowledge.symbols.idOf(state.target);
    const hasUnknownTarget = state.target !== "" && target === undefined;
    if (hasUnknownTarget || symbols.length === 0 || knowledge.models === 0) return undefined;
    return {
      symbols,
      target,
      recallThreshold: genes.recall_threshold,
      maxPredictions: Math.min(most, genes.max_predictions),
      sortMetric: genes.prediction_sort_metric,
      thresholdMetric: genes.prediction_threshold_metric,
      threshold: genes.prediction_threshold,
      thresholdAtLeast: genes.prediction_threshold_direction,
      totals: knowledge.totals,
      knownSymbols: knowledge.symbols.size,
      steps,
    };
  }

  /** Asks the matcher. @throws Fault `too-large` when the budget of steps is not enough for the answer */
  #ask<Answer>(query: Query, ask: (matcher: Matcher) => Answer): Answer {
    const { knowledge, matcher, steps } = this.#source;
    if (query.steps <= 0) throw refusal(query, steps);
    knowledge.tellMatcher();
    const answer = ask(matcher);
    const isAnswered = matcher.steps <= query.steps;
    // Before a retry changes them: the refusal names the steps that were left.
    const refused = isAnswered ? undefined : refusal(query, steps);
    steps.spend(matcher.steps);
    if (refused !== undefined) throw refused;
    return answer;
  }

  #matches(memo: Memo): Match[] {
    const { memory } = this.#source;
    if (memo.matches !== undefined) return memo.matches;
    if (memo.any === false || !memory.hasEnsemble) return [];
    const query = this.#queryFor(memory.ensembleNumbers());
    memo.matches = query === undefined ? [] : this.#ask(query, (matcher) => matcher.predict(query));
    return memo.matches;
  }

  #matchesForModel(name: string): Match[] {
    const row = this.#source.store.knowledge.modelByName(name);
    return row === undefined ? [] : this.#matchesOf(row.symbols);
  }

  #matchesOf(symbols: Uint32Array, most?: number): Match[] {
    const query = this.#queryFor(symbols, most);
    return query === undefined ? [] : this.#ask(query, (matcher) => matcher.predict(query));
  }

  #nameAll(matches: readonly Match[], nameOf: (id: number) => string): Prediction[] {
    const summaries = this.#source.summaries.of(matches.map(({ id }) => id));
    return summaries.flatMap((summary, at) => {
      const match = matches[at];
      return match === undefined ? [] : [predictionFrom(match, summary, nameOf)];
    });
  }

  #pack(matches: readonly Match[], nameOf: (id: number) => string): PackedEnsemble {
    return packEnsemble(matches, this.#source.summaries.of(matches.map(({ id }) => id)), nameOf);
  }
}

/**
 * The answer to a question; `undefined` when parts of the processor cannot be reached, because observing goes on
 * without them.
 */
function unlessAway<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Fault && error.kind === "unavailable") return undefined;
    throw error;
  }
}

/** Drops the matches once both forms of the ensemble are made. */
function dropMatches(memo: Memo): void {
  if (memo.predictions !== undefined && memo.packed !== undefined) delete memo.matches;
}

function refusal({ symbols }: Query, steps: StepBudget): Fault {
  return steps.exceededBy(
    `to match the models with the ${symbols.length} symbols of the sequence`,
    "learn or clear working memory, limit it with the gene max_sequence_length, or ask for fewer predictions with " +
      "the gene max_predictions",
  );
}
