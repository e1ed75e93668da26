/** The verbs about what a processor has learned: models, symbols, vectors, the blacklist, export and load. */

import type { Mind } from "../mind";
import { packedPredictionsForModel, predictionsForModel } from "../prediction/ensemble";
import type { PackedEnsemble } from "../prediction/packed-ensemble";
import type { Prediction } from "../prediction/prediction";
import { addToBlacklist, removeFromBlacklist } from "./blacklist";
import { abortLoad, beginLoad, commitLoad, type KnowledgePart, loadKnowledge } from "./knowledge-load";
import { exportKnowledge, type KnowledgePage, type PageRequest } from "./knowledge-page";
import { getSymbol, getVector, type SymbolRecord, type VectorRecord } from "./lookups";
import {
  addModel,
  deleteModel,
  getModel,
  type Model,
  type ModelAddition,
  type ModelUpdate,
  updateModel,
} from "./models";
import { type ModelRename, removeSymbols } from "./symbol-removal";
import { findModels, type SymbolSearch } from "./symbol-search";

/** The part of a processor's verbs that is about its knowledge base. Names of models and vectors come without their prefix. */
export class KnowledgeVerbs {
  protected readonly mind: Mind;

  protected constructor(mind: Mind) {
    this.mind = mind;
  }

  /** A model; missing when there is none of this name. */
  getModel(name: string): { model?: Model } {
    const model = getModel(this.mind, name);
    return model === undefined ? {} : { model };
  }

  /** Removes a model and takes its occurrences out of the counters. `deleted` says whether there was one. */
  deleteModel(name: string): { deleted: boolean } {
    return { deleted: deleteModel(this.mind, name) };
  }

  /**
   * Replaces members of a model; a new sequence renames it.
   * @returns its name now, empty when there was no such model
   * @throws Fault `invalid` when a member is wrong; `exhausted` when memory is used up
   */
  updateModel(update: ModelUpdate): { name: string } {
    return { name: updateModel(this.mind, update) };
  }

  /**
   * Adds a model as if it had been learned.
   * @throws Fault `invalid` when a member is wrong; `exhausted` when memory is used up
   */
  addModel(addition: ModelAddition): { name: string } {
    return { name: addModel(this.mind, addition) };
  }

  /** The models that hold all symbols, or a match for each pattern, sorted by name. @throws Fault `invalid` */
  findModels(search: SymbolSearch): { names: string[] } {
    return { names: findModels(this.mind, search) };
  }

  /** What is predicted as if a model's sequence were in working memory; empty when there is no such model. */
  getPredictionsForModel(name: string): { predictions: Prediction[] } {
    return { predictions: predictionsForModel(this.mind, name) };
  }

  /** The same as {@link getPredictionsForModel}, as columns. */
  getPackedPredictionsForModel(name: string): { packed: PackedEnsemble } {
    return { packed: packedPredictionsForModel(this.mind, name) };
  }

  /** A symbol; missing when it is not known. */
  getSymbol(name: string): { symbol?: SymbolRecord } {
    const symbol = getSymbol(this.mind, name);
    return symbol === undefined ? {} : { symbol };
  }

  /** A learned vector; missing when there is none of this name. */
  getVector(name: string): { vector?: VectorRecord } {
    const vector = getVector(this.mind, name);
    return vector === undefined ? {} : { vector };
  }

  /**
   * Removes symbols, which are blacklisted too, or those that patterns match, from every model.
   * @returns what became of the models that held one, sorted by old name
   * @throws Fault `invalid` when a pattern or a symbol is wrong
   */
  removeSymbols(search: SymbolSearch): { renames: ModelRename[] } {
    return { renames: removeSymbols(this.mind, search) };
  }

  /** Adds symbols that are to be dropped from observations. @throws Fault `invalid` when one is malformed */
  addBlacklistedSymbols(symbols: readonly string[]): Record<string, never> {
    addToBlacklist(this.mind, symbols);
    return {};
  }

  /** Takes symbols from the blacklist. @returns those that were not on it */
  removeBlacklistedSymbols(symbols: readonly string[]): { unknown: string[] } {
    return { unknown: removeFromBlacklist(this.mind, symbols) };
  }

  /** The symbols that are dropped from observations, in the order of adding. */
  listBlacklistedSymbols(): { symbols: string[] } {
    return { symbols: [...this.mind.blacklist] };
  }

  /** One page of the knowledge base. @throws Fault `conflict` when it is of another revision than the first page was */
  exportKnowledge(request: PageRequest): KnowledgePage {
    return exportKnowledge(this.mind, request);
  }

  /** Begins a load; one begun before and not committed is dropped. @param loadId new with every load, not empty */
  beginLoad(loadId: string): { loadId: string } {
    beginLoad(this.mind, loadId);
    return { loadId };
  }

  /**
   * Stages a part of the new knowledge base, all or nothing of it.
   * @throws Fault `conflict` when the load is not under way; `invalid` when a record is wrong
   */
  loadKnowledge(part: KnowledgePart): Record<string, never> {
    loadKnowledge(this.mind, part);
    return {};
  }

  /**
   * Replaces the knowledge base by what was staged, at once.
   * @throws Fault `conflict` when the load is not under way; `invalid` when vectors in working memory do not fit; `exhausted` when there
   * is no memory for it
   */
  commitLoad(loadId: string): Record<string, never> {
    commitLoad(this.mind, loadId);
    return {};
  }

  /** Drops what was staged. */
  abortLoad(loadId: string): Record<string, never> {
    abortLoad(this.mind, loadId);
    return {};
  }
}
