/**
 * Lists symbols, and learned vectors, sorted and searched, a page at a time: one pass over the symbols or
 * names, which are in memory.
 */

import type { ListedVector, ListPlace, ListSymbolsRequest, ListVectorsRequest, SymbolRecord } from "../../../gen/plain";
import { compareCodePoints } from "../../../text/code-points";
import { VECTOR_PREFIX } from "../../../text/names";
import { checkSymbols } from "../../input/gdf-input";
import type { Mind } from "../../mind";
import { PageSelector, textKey } from "./list-page";
import { getSymbol, getVector } from "./lookups";
import { checkNameStart, compareNames, FIRST_PAGE } from "./model-list";
import { compilePatterns } from "./model-search";

/** A page of symbols. */
export interface SymbolListPage {
  symbols: SymbolRecord[];
  place: ListPlace;
}

/** A page of vectors. */
export interface VectorListPage {
  vectors: ListedVector[];
  place: ListPlace;
}

const SYMBOL_SORTS = ["frequency", "model_member_frequency", "name"] as const;
const VECTOR_SORTS = ["order", "frequency", "name"] as const;

const ROW_BYTES = 100;

/**
 * One page of the known symbols. Names are sorted by their first 1,000 characters. Reads no row.
 * @throws Fault `invalid` when the query is wrong; `too-large` when the patterns exceed a budget
 */
export function listSymbols(mind: Mind, { page, name: start, patterns }: ListSymbolsRequest): SymbolListPage {
  const selector = new PageSelector(page ?? FIRST_PAGE, SYMBOL_SORTS, "name", compareCodePoints);
  const [beginning = ""] = checkSymbols([start], "name");
  const compiled = compilePatterns(mind, [...new Set(patterns)]);
  const { symbols } = mind.knowledge;
  for (const row of symbols.rows()) {
    if (!row.name.startsWith(beginning) || !compiled.every(({ matches }) => matches(row.name))) continue;
    if (selector.sort === "name") selector.offer(textKey(row.name), row.id);
    else selector.offer(selector.sort === "frequency" ? row.frequency : row.memberFrequency, row.id);
  }
  const { rows, place } = selector.page(
    ({ id }) => {
      const { name, frequency, memberFrequency } = symbols.row(id);
      return { name, frequency, modelMemberFrequency: memberFrequency };
    },
    ({ name }) => name.length + ROW_BYTES,
  );
  return { symbols: rows, place };
}

/** The counters of a vector as a symbol; 0 if no model holds it. */
function countsOf(mind: Mind, vector: string): SymbolRecord {
  const name = VECTOR_PREFIX + vector;
  return getSymbol(mind, name) ?? { name, frequency: 0, modelMemberFrequency: 0 };
}

/**
 * One page of the learned vectors. Reads only the rows of the page.
 * @throws Fault `invalid` when the query is wrong
 */
export function listVectors(mind: Mind, { page, name: start }: ListVectorsRequest): VectorListPage {
  const selector = new PageSelector(page ?? FIRST_PAGE, VECTOR_SORTS, "name", compareNames);
  const beginning = checkNameStart(start, "vector");
  let order = 0;
  for (const name of mind.vectors.names()) {
    order++;
    if (!name.startsWith(beginning)) continue;
    if (selector.sort === "name") selector.offer(name, order);
    else selector.offer(selector.sort === "frequency" ? countsOf(mind, name).frequency : order, order);
  }
  const { rows, place } = selector.page(
    ({ id }) => {
      const name = mind.vectors.nameOf(id);
      const vector = getVector(mind, name);
      if (vector === undefined) throw new Error(`no vector has the name ${name}`);
      return { vector: { ...vector, components: [], order: id }, symbol: countsOf(mind, name) };
    },
    () => ROW_BYTES,
  );
  return { vectors: rows, place };
}
