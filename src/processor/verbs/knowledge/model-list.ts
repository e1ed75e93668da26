/** Lists models, sorted and searched, a page at a time: one pass over the sort keys, then only the rows of the page. */

import type { ListPlace } from "../../../gen/plain";
import { excerpt } from "../../../text/excerpt";
import { eachModel } from "../../knowledge/model-batch";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import { type PageAsked, PageSelector } from "./list-page";
import { assertAnswerable, type Model, modelOf } from "./model-record";
import { modelsWhere, type Passes, passesOf, type SymbolSearch } from "./model-search";

/** Filters for models, which must all hold. */
export interface ModelListRequest extends SymbolSearch {
  page?: PageAsked | undefined;
  /** The beginning of the name, without prefix: at most 40 hex digits; empty for any. */
  name: string;
}

/** A page of models, without emotives and metadata. */
export interface ModelListPage {
  models: Model[];
  place: ListPlace;
}

/** The sort keys of models. */
const SORTS = ["order", "learned_at", "frequency", "length", "name"] as const;

type ModelSelector = PageSelector<(typeof SORTS)[number]>;

/** The first page in the default order. */
export const FIRST_PAGE: PageAsked = { sort: "", descending: false, cursor: "" };

/** The key of a model whose time of learning is unknown: it sorts before all others. */
const TIME_UNKNOWN = -1;

const SYMBOL_BYTES = 4;
const ROW_BYTES = 120;

/** The order of names: they are hex digits. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** @param noun the kind of thing that has the name @throws Fault `invalid` if no name can begin like this */
export function checkNameStart(start: string, noun: string): string {
  if (/^[0-9a-f]{0,40}$/.test(start)) return start;
  throw new Fault(
    "invalid",
    `name must be what the name of a ${noun} begins with, at most 40 hex digits in lower case, got ${excerpt(start)}`,
  );
}

/** The models to select. */
interface Sought {
  /** The test for their symbols; `undefined` for any. */
  passes: Passes | undefined;
  /** The beginning of their names. */
  name: string;
}

type IdTest = (id: number) => boolean;

function isAny(): boolean {
  return true;
}

/** Tests whether an id is in a list. Takes eight bytes an id, where a Set takes forty: there may be a million. */
function among(ids: readonly number[]): IdTest {
  const sorted = Float64Array.from(ids).sort();
  return (id) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return sorted[low] === id;
  };
}

/** Tests a model's symbols. */
function symbolTest(mind: Mind, { passes }: Sought): IdTest {
  return passes === undefined ? isAny : among(modelsWhere(mind, passes));
}

/** Tests a model's name. */
function nameTest(mind: Mind, { name }: Sought): IdTest {
  if (name === "") return isAny;
  const named: number[] = [];
  for (const [id] of mind.store.knowledge.modelNamesFrom(name)) named.push(id);
  return among(named);
}

function offerNames(mind: Mind, page: ModelSelector, sought: Sought): void {
  const passes = symbolTest(mind, sought);
  for (const [id, name] of mind.store.knowledge.modelNamesFrom(sought.name)) if (passes(id)) page.offer(name, id);
}

function offerMoments(mind: Mind, page: ModelSelector, sought: Sought): void {
  const passes = symbolTest(mind, sought);
  const isNamed = nameTest(mind, sought);
  for (const [id, learnedAt = TIME_UNKNOWN] of mind.store.knowledge.modelMoments()) {
    if (isNamed(id) && passes(id)) page.offer(learnedAt, id);
  }
}

/** Offers models by what their packed copies hold: id, frequency and symbols. */
function offerPacked(mind: Mind, page: ModelSelector, sought: Sought): void {
  const { sort } = page;
  const { passes = isAny } = sought;
  const isNamed = nameTest(mind, sought);
  for (const batch of mind.store.knowledge.corpusBatches()) {
    const { ids, frequencies, symbols } = batch;
    eachModel(batch, (at, from, to) => {
      const id = ids[at] ?? 0;
      if (!isNamed(id) || !passes(symbols, from, to)) return;
      if (sort === "frequency") page.offer(frequencies[at] ?? 0, id);
      else page.offer(sort === "length" ? to - from : id, id);
    });
  }
}

/** Offers every matching model. */
function offerAll(mind: Mind, page: ModelSelector, { name, symbols, patterns }: ModelListRequest): void {
  const passes = passesOf(mind, { symbols, patterns });
  if (passes === undefined) return;
  const sought = { name, passes: symbols.length + patterns.length === 0 ? undefined : passes };
  if (page.sort === "name") offerNames(mind, page, sought);
  else if (page.sort === "learned_at") offerMoments(mind, page, sought);
  else offerPacked(mind, page, sought);
}

/** Approximate bytes of a model in an answer. */
function bytesOf({ sequence }: Model): number {
  const symbols = sequence.flatMap((event) => event.symbols);
  return symbols.reduce((sum, symbol) => sum + symbol.length + SYMBOL_BYTES, ROW_BYTES);
}

/**
 * One page of the models. Reads only the rows of the page, and, to sort by `name` or `learned_at`, that column of all
 * rows.
 * @throws Fault `invalid` if the query is wrong; `too-large` when the search exceeds a budget, or a model of the page
 *   is too large for an answer
 */
export function listModels(mind: Mind, request: ModelListRequest): ModelListPage {
  const selector = new PageSelector(request.page ?? FIRST_PAGE, SORTS, "name", compareNames);
  offerAll(mind, selector, { ...request, name: checkNameStart(request.name, "model") });
  const { rows, place } = selector.page(({ id }) => {
    const [row] = mind.store.knowledge.modelsById([id]);
    if (row === undefined) throw new Error(`no model has the id ${id}`);
    const { learnedAt } = row;
    const events = mind.knowledge.eventsOf(row);
    const model = { ...modelOf({ row, events }), emotives: [], metadataJson: [], order: id, learnedAt };
    assertAnswerable(model);
    return model;
  }, bytesOf);
  return { models: rows, place };
}
