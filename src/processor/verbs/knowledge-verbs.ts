/** The verbs of KnowledgeService: models, symbols, vectors, the blacklist, export and load. */

import type {
  ForgetModelsRequest,
  ListSymbolsRequest,
  ListVectorsRequest,
  ModelRename,
  PackedEnsemble,
  Prediction,
  SymbolRecord,
  VectorRecord,
} from "../../gen/plain";
import { type CarriedRecord, isUngraded, mergedRecords, recordFrom, withoutFormer } from "../knowledge/forecast-record";
import type { Mind } from "../mind";
import type { ForecastRecord } from "../ports/forecaster";
import type { State } from "../ports/store";
import { GradingsInPieces, gradeAll } from "../prediction/estimator/gradings";
import { Forgetting } from "./knowledge/forgetting";
import {
  abortLoad,
  beginLoad,
  commitLoad,
  type KnowledgePart,
  loadKnowledge,
  mergeLoad,
} from "./knowledge/knowledge-load";
import { exportKnowledge, type KnowledgePage, type PageRequest } from "./knowledge/knowledge-page";
import { getSymbol, getVector } from "./knowledge/lookups";
import { listModels, type ModelListPage, type ModelListRequest } from "./knowledge/model-list";
import { findModels, type SymbolSearch } from "./knowledge/model-search";
import {
  addModel,
  deleteModel,
  getModel,
  type Model,
  type ModelAddition,
  type ModelUpdate,
  updateModel,
} from "./knowledge/models";
import { listSymbols, listVectors, type SymbolListPage, type VectorListPage } from "./knowledge/symbol-list";
import { addToBlacklist, removeFromBlacklist, SymbolRemoval } from "./knowledge/symbols";

/**
 * All knowledge is graded in parts. A part ends after this many steps of matching, some ten milliseconds, or this many
 * sequences.
 */
const PART_STEPS = 1_000_000;
const MOST_PARTS = 32;

/** One method per rpc of KnowledgeService. Names of models and vectors have no prefix. */
export class KnowledgeVerbs {
  readonly #mind: Mind;

  constructor(mind: Mind) {
    this.#mind = mind;
  }

  /** A model; absent if none has the name. */
  getModel(name: string): { model?: Model } {
    const model = getModel(this.#mind, name);
    return model === undefined ? {} : { model };
  }

  /** Removes a model and subtracts it from the counters. `deleted` says whether there was one. */
  deleteModel(name: string): { deleted: boolean } {
    return { deleted: deleteModel(this.#mind, name) };
  }

  /**
   * Replaces members of a model; a new sequence renames it.
   * @returns its new name, empty when there was no such model
   * @throws Fault `invalid` when a member is wrong; `exhausted` when memory is used up
   */
  updateModel(update: ModelUpdate): { name: string } {
    return { name: updateModel(this.#mind, update) };
  }

  /**
   * Adds a model as if it had been learned. A known model is learned again.
   * @throws Fault `invalid` when a member is wrong; `exhausted` when memory is used up
   */
  addModel(addition: ModelAddition): { name: string } {
    return { name: addModel(this.#mind, addition) };
  }

  /**
   * The names of the models that hold every symbol, or a match of every pattern, sorted. @throws Fault
   * `invalid` when one is wrong
   */
  findModels(search: SymbolSearch): { names: string[] } {
    return { names: findModels(this.#mind, search) };
  }

  /**
   * A page of the models, sorted and searched. @throws Fault `invalid` when the query is wrong; `too-large` beyond a
   * budget
   */
  listModels(request: ModelListRequest): ModelListPage {
    return listModels(this.#mind, request);
  }

  /** A page of the symbols. @throws Fault as {@link listModels} */
  listSymbols(request: ListSymbolsRequest): SymbolListPage {
    return listSymbols(this.#mind, request);
  }

  /** A page of the learned vectors. @throws Fault as {@link listModels} */
  listVectors(request: ListVectorsRequest): VectorListPage {
    return listVectors(this.#mind, request);
  }

  /** The predictions as if a model's sequence were in working memory; empty when there is no such model. */
  getPredictionsForModel(name: string): { predictions: Prediction[] } {
    return { predictions: this.#mind.ensemble.predictionsForModel(name) };
  }

  /** The same as {@link getPredictionsForModel}, as columns. */
  getPackedPredictionsForModel(name: string): { packed: PackedEnsemble } {
    return { packed: this.#mind.ensemble.packedForModel(name) };
  }

  /** A symbol; absent if unknown. */
  getSymbol(name: string): { symbol?: SymbolRecord } {
    const symbol = getSymbol(this.#mind, name);
    return symbol === undefined ? {} : { symbol };
  }

  /** A learned vector; absent if none has the name. */
  getVector(name: string): { vector?: VectorRecord } {
    const vector = getVector(this.#mind, name);
    return vector === undefined ? {} : { vector };
  }

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
    return new SymbolRemoval(this.#mind, search);
  }

  /**
   * One part of {@link removeSymbols}, so that other calls can run between parts. @throws Fault as {@link
   * removeSymbols}
   */
  removePart(removal: SymbolRemoval): Record<string, never> {
    removal.step(this.#mind);
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
    return new Forgetting(this.#mind, request);
  }

  /** One part of {@link forgetModels}, so that other calls can run between parts. */
  forgetPart(forgetting: Forgetting): Record<string, never> {
    forgetting.step(this.#mind);
    return {};
  }

  /**
   * Adds symbols to the blacklist: observations drop them. @throws Fault `invalid` when one is malformed;
   * `over-limit` when it is full
   */
  addBlacklistedSymbols(symbols: readonly string[]): Record<string, never> {
    addToBlacklist(this.#mind, symbols);
    return {};
  }

  /** Removes symbols from the blacklist. @returns those that were not on it */
  removeBlacklistedSymbols(symbols: readonly string[]): { unknown: string[] } {
    return { unknown: removeFromBlacklist(this.#mind, symbols) };
  }

  /** The blacklisted symbols, in the order of adding. */
  listBlacklistedSymbols(): { symbols: string[] } {
    return { symbols: [...this.#mind.blacklist] };
  }

  /**
   * One page of the knowledge base.
   * @throws Fault `conflict` when it could not show the same moment as the first page; `exhausted` when too many
   *   exports are being read
   */
  exportKnowledge(request: PageRequest): KnowledgePage {
    return exportKnowledge(this.#mind, request);
  }

  /**
   * Begins a load and drops an earlier one in progress. @param loadId identifies the load: a new one for every load,
   * not empty
   */
  beginLoad(loadId: string): { loadId: string } {
    beginLoad(this.#mind.shared, loadId);
    return { loadId };
  }

  /**
   * Stages a part of the knowledge base to load, all or nothing of it.
   * @throws Fault `conflict` when the load is not in progress; `invalid` when a record is wrong
   */
  loadKnowledge(part: KnowledgePart): Record<string, never> {
    loadKnowledge(this.#mind.shared, part);
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
    const mind = this.#mind;
    const carried = recordFrom(record);
    const isLeft = isUngraded(carried) && mind.shared.gradesLater;
    const grade = () => mind.knowledge.noteForecasts(isUngraded(carried) ? this.#gradedAtOnce() : carried);
    mind.shared.gradingsInPieces = undefined;
    commitLoad(mind, loadId, isLeft ? () => {} : grade);
    return {};
  }

  /**
   * Adds the staged knowledge base to what is known, all at once. Known models merge.
   * @param record of its past forecasts, to be merged with that of the existing knowledge
   * @throws Fault `conflict` when the load is not in progress; `invalid` when vectors do not fit, counters would grow
   *   too large or the record is wrong; `exhausted` when there is no memory for it
   */
  mergeLoad(loadId: string, record?: CarriedRecord): Record<string, never> {
    mergeLoad(this.#mind, loadId, mergedRecords(this.#mind.knowledge.forecastRecord, recordFrom(record)));
    return {};
  }

  /** {@link isUngraded} of a state as it is stored. */
  static isUngradedIn({ totals, forecastRecord }: Pick<State, "totals" | "forecastRecord">): boolean {
    return totals.modelFrequencies > 0 && isUngraded(withoutFormer(forecastRecord));
  }

  /** Whether the knowledge has no record of forecasts and is yet to be graded, by {@link gradePart}. */
  get isUngraded(): boolean {
    return isUngraded(this.#mind.knowledge.forecastRecord);
  }

  /**
   * One part of grading knowledge without a record, as after a load without a record. If something was learned since
   * the previous part, it starts over and does everything at once, so that it ends even under continuous learning.
   *
   * @returns whether there is a record now
   */
  gradePart(): { isDone: boolean } {
    const { shared, knowledge } = this.#mind;
    if (!this.isUngraded) {
      shared.gradingsInPieces = undefined;
      return { isDone: true };
    }
    if (shared.gradesLater) return this.#gradeNext();
    const { revision } = knowledge;
    const before = shared.gradings;
    if (before !== undefined && before.revision !== revision) return this.#noteGraded(this.#gradedAtOnce());
    const { parts } = before ?? { parts: gradeAll(shared.gradingSource) };
    // A failed part leaves nothing to continue from: the next one starts over.
    shared.gradings = undefined;
    let from: number | undefined;
    for (let done = 0; done < MOST_PARTS; done++) {
      const { value, done: isOver } = parts.next();
      if (isOver) return this.#noteGraded(value);
      from ??= value;
      if (value - from >= PART_STEPS) break;
    }
    shared.gradings = { revision, parts };
    return { isDone: false };
  }

  #gradeNext(): { isDone: boolean } {
    const { shared } = this.#mind;
    shared.gradingsInPieces ??= new GradingsInPieces(shared.gradingSource);
    const { gradingsInPieces: gradings } = shared;
    const next = gradings.next(shared.gradingSource);
    if (next === undefined) return this.#noteGraded(gradings.record);
    shared.gradingsInPieces = next;
    return { isDone: false };
  }

  #noteGraded(record: ForecastRecord): { isDone: boolean } {
    const { knowledge, shared } = this.#mind;
    shared.gradings = undefined;
    shared.gradingsInPieces = undefined;
    knowledge.noteForecasts(record);
    // Invalidates cached forecasts.
    knowledge.touch();
    this.#mind.recordState();
    return { isDone: true };
  }

  #gradedAtOnce(): ForecastRecord {
    const parts = gradeAll(this.#mind.shared.gradingSource);
    for (;;) {
      const { value, done } = parts.next();
      if (done) return value;
    }
  }

  /** Drops everything staged. */
  abortLoad(loadId: string): Record<string, never> {
    abortLoad(this.#mind, loadId);
    return {};
  }
}
