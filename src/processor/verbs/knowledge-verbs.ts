/** The verbs of KnowledgeService: models, symbols, vectors, the blacklist, export and load. */

import type { ForgetModelsRequest, ModelRename } from "../../gen/plain";
import { type CarriedRecord, isUngraded, recordFrom, withoutFormer } from "../knowledge/forecast-record";
import type { Mind } from "../mind";
import type { ForecastRecord } from "../ports/forecaster";
import type { State } from "../ports/store";
import { GradingsInPieces, gradeAll } from "../prediction/estimator/gradings";
import { Forgetting } from "./knowledge/forgetting";
import { abortLoad, beginLoad, commitLoad, type KnowledgePart, loadKnowledge } from "./knowledge/knowledge-load";
import { Merge } from "./knowledge/knowledge-merge";
import { exportKnowledge } from "./knowledge/knowledge-page";
import { getSymbol, getVector } from "./knowledge/lookups";
import { listModels } from "./knowledge/model-list";
import { findModels, type SymbolSearch } from "./knowledge/model-search";
import { addModel, deleteModel, getModel, type ModelAddition, type ModelUpdate, updateModel } from "./knowledge/models";
import { listSymbols, listVectors } from "./knowledge/symbol-list";
import { addToBlacklist, removeFromBlacklist, SymbolRemoval } from "./knowledge/symbols";
import { verbGroup } from "./verb-group";

/**
 * All knowledge is graded in parts. A part ends after this many steps of matching, some ten milliseconds, or this many
 * sequences.
 */
const PART_STEPS = 1_000_000;
const MAX_PARTS = 32;

/** Knowledge with this many symbols for each model from which it is graded in parts is graded so, too. */
const SYMBOLS_A_MODEL = 10;

/** The verbs that need nothing but the mind. Names of models and vectors have no prefix. */
const VERBS = {
  getModel: (mind: Mind, name: string) => ({ model: getModel(mind, name) }),
  deleteModel: (mind: Mind, name: string) => ({ deleted: deleteModel(mind, name) }),
  updateModel: (mind: Mind, update: ModelUpdate) => ({ name: updateModel(mind, update) }),
  addModel: (mind: Mind, addition: ModelAddition) => ({ name: addModel(mind, addition) }),
  findModels: (mind: Mind, search: SymbolSearch) => ({ names: findModels(mind, search) }),
  listModels,
  listSymbols,
  listVectors,
  getPredictionsForModel: ({ ensemble }: Mind, name: string) => ({ predictions: ensemble.predictionsForModel(name) }),
  getPackedPredictionsForModel: ({ ensemble }: Mind, name: string) => ({ packed: ensemble.packedForModel(name) }),
  getSymbol: (mind: Mind, name: string) => ({ symbol: getSymbol(mind, name) }),
  getVector: (mind: Mind, name: string) => ({ vector: getVector(mind, name) }),
  addBlacklistedSymbols(mind: Mind, symbols: readonly string[]) {
    addToBlacklist(mind, symbols);
    return {};
  },
  removeBlacklistedSymbols: (mind: Mind, symbols: readonly string[]) => ({
    unknown: removeFromBlacklist(mind, symbols),
  }),
  listBlacklistedSymbols: ({ blacklist }: Mind) => ({ symbols: [...blacklist] }),
  exportKnowledge,
  beginLoad({ shared }: Mind, loadId: string) {
    beginLoad(shared, loadId);
    return { loadId };
  },
  loadKnowledge({ shared }: Mind, part: KnowledgePart) {
    loadKnowledge(shared, part);
    return {};
  },
  abortLoad(mind: Mind, loadId: string) {
    abortLoad(mind, loadId);
    return {};
  },
};

/** One method per rpc of KnowledgeService. */
export class KnowledgeVerbs extends verbGroup(VERBS) {
  /**
   * Removes symbols, or the symbols that patterns match, from every model. Blacklists the given symbols too.
   * @returns the models that held one of them, before and after, sorted by old name
   * @throws Fault `invalid` when a pattern or a symbol is wrong
   */
  removeSymbols(search: SymbolSearch): { renames: ModelRename[] } {
    const removal = this.beginRemoval(search);
    while (!removal.isDone) this.removePart(removal);
    return { renames: removal.renames };
  }

  /**
   * Prepares a removal for {@link removePart}: finds what to remove, and changes nothing yet. @throws Fault as {@link
   * removeSymbols}
   */
  beginRemoval(search: SymbolSearch): SymbolRemoval {
    return new SymbolRemoval(this.mind, search);
  }

  /**
   * One part of {@link removeSymbols}, so that other calls can run between parts. @throws Fault as {@link
   * removeSymbols}
   */
  removePart(removal: SymbolRemoval): Record<string, never> {
    removal.step(this.mind);
    return {};
  }

  /** Forgets rarely learned models. @returns the number forgotten @throws Fault `invalid` when a number is wrong */
  forgetModels(request: ForgetModelsRequest): { models: number } {
    const forgetting = this.beginForgetting(request);
    while (!forgetting.isDone) this.forgetPart(forgetting);
    return { models: forgetting.models };
  }

  /**
   * Prepares a forgetting for {@link forgetPart}: finds what to forget, and changes nothing yet. @throws Fault as
   * {@link forgetModels}
   */
  beginForgetting(request: ForgetModelsRequest): Forgetting {
    return new Forgetting(this.mind, request);
  }

  /** One part of {@link forgetModels}, so that other calls can run between parts. */
  forgetPart(forgetting: Forgetting): Record<string, never> {
    forgetting.step(this.mind);
    return {};
  }

  /**
   * Replaces the knowledge base by the staged one, all at once.
   * @param record of its past forecasts; without one, or with an earlier release's, a sample of the models is graded,
   *   now or by {@link gradePart}
   * @throws Fault `conflict` when the load is not in progress; `invalid` when vectors in working memory do not fit, or
   *   the record is wrong; `exhausted` when there is no memory for it
   */
  commitLoad(loadId: string, record?: CarriedRecord): Record<string, never> {
    const mind = this.mind;
    const carried = recordFrom(record);
    const { gradesLater, gradesLaterFrom } = mind.shared;
    const { models = 0, totals } = mind.store.staging() ?? {};
    const isMuch = models >= gradesLaterFrom || (totals?.symbolFrequencies ?? 0) >= SYMBOLS_A_MODEL * gradesLaterFrom;
    const isLeft = isUngraded(carried) && (gradesLater || isMuch);
    const grade = () => mind.knowledge.noteForecasts(isUngraded(carried) ? this.#gradedAtOnce() : carried);
    mind.shared.gradingsInPieces = undefined;
    commitLoad(mind, loadId, isLeft ? () => {} : grade);
    return {};
  }

  /**
   * Adds the staged knowledge to what there is, see {@link Merge}.
   *
   * @param record the file's record of past forecasts; without one, the processor's own stays
   * @throws Fault `conflict` when the load is not in progress; `invalid` when vectors or the record do not fit, or the
   *   counters would leave the exact whole numbers; `exhausted` when there is no memory for it
   */
  mergeLoad(loadId: string, record?: CarriedRecord): Record<string, never> {
    const merge = this.beginMerge(loadId, record);
    while (!merge.isDone) this.mergePart(merge);
    return {};
  }

  /** Prepares a merge for {@link mergePart}, and changes nothing yet. @throws Fault `invalid` when the record is wrong */
  beginMerge(loadId: string, record?: CarriedRecord): Merge {
    return new Merge(loadId, record);
  }

  /**
   * One part of {@link mergeLoad}, so that others of the isolate can be served between parts. @throws Fault as {@link
   * mergeLoad}
   */
  mergePart(merge: Merge): Record<string, never> {
    merge.step(this.mind);
    return {};
  }

  /** {@link isUngraded} of a state as it is stored. */
  static isUngradedIn({ totals, forecastRecord }: Pick<State, "totals" | "forecastRecord">): boolean {
    return totals.modelFrequencies > 0 && isUngraded(withoutFormer(forecastRecord));
  }

  /** Whether the knowledge has no record of forecasts and is yet to be graded, by {@link gradePart}. */
  get isUngraded(): boolean {
    return isUngraded(this.mind.knowledge.forecastRecord);
  }

  /**
   * One part of grading knowledge without a record, as after a load without a record. If something was learned since
   * the previous part, it starts over, and later gradings take into account what is learned between them, so that it
   * ends even under continuous learning.
   *
   * @returns whether there is a record now
   */
  gradePart(): { isDone: boolean } {
    const { shared, knowledge } = this.mind;
    if (!this.isUngraded) {
      shared.gradingsInPieces = undefined;
      return { isDone: true };
    }
    if (shared.gradesLater || shared.gradingsInPieces !== undefined) return this.#gradeNext();
    const { revision } = knowledge;
    const before = shared.gradings;
    if (before !== undefined && before.revision !== revision) return this.#gradeNext();
    const { parts } = before ?? { parts: gradeAll(shared.gradingSource) };
    // A failed part leaves nothing to continue from: the next one starts over.
    shared.gradings = undefined;
    let steps = 0;
    for (let done = 0; done < MAX_PARTS && steps < PART_STEPS; done++) {
      const { value, done: isOver } = parts.next();
      if (isOver) return this.#noteGraded(value);
      steps += value;
    }
    shared.gradings = { revision, parts };
    return { isDone: false };
  }

  #gradeNext(): { isDone: boolean } {
    const { shared } = this.mind;
    shared.gradingsInPieces ??= new GradingsInPieces(shared.gradingSource);
    const { gradingsInPieces: gradings } = shared;
    const next = gradings.next(shared.gradingSource);
    if (next === undefined) return this.#noteGraded(gradings.record);
    shared.gradingsInPieces = next;
    return { isDone: false };
  }

  #noteGraded(record: ForecastRecord): { isDone: boolean } {
    const { knowledge, shared } = this.mind;
    shared.gradings = undefined;
    shared.gradingsInPieces = undefined;
    knowledge.noteForecasts(record);
    // Invalidates cached forecasts.
    knowledge.touch();
    this.mind.recordState();
    return { isDone: true };
  }

  #gradedAtOnce(): ForecastRecord {
    const parts = gradeAll(this.mind.shared.gradingSource);
    for (;;) {
      const { value, done } = parts.next();
      if (done) return value;
    }
  }
}
