/** Exports the knowledge base in pages, each section sorted by name. All pages are of one revision unless the caller allows others. */

import { compareCodePoints } from "../../text/code-points";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import { getSymbol, type SymbolRecord, type VectorRecord, vectorFrom } from "./lookups";
import { type Model, modelFrom } from "./models";

/** A section of the knowledge base. */
export type KnowledgeSection = "models" | "symbols" | "vectors";

/** A request for one page. */
export interface PageRequest {
  section: KnowledgeSection;
  /** The last name on the page before; empty for the first page. */
  after: string;
  /** The revision of the first page; 0 for the first page, or to accept any revision. */
  revision: number;
}

/** The counters of a knowledge base. */
export interface KnowledgeTotals {
  totalModelFrequencies: number;
  totalSymbolFrequencies: number;
  totalSymbolsInModelsFrequencies: number;
}

/** One page. Only the list of the requested section is filled. */
export interface KnowledgePage {
  revision: number;
  totals: KnowledgeTotals;
  models: Model[];
  symbols: SymbolRecord[];
  vectors: VectorRecord[];
  /** Whether there is another page. */
  more: boolean;
}

/** Rows read at a time. */
const BATCH = 64;
/**
 * The approximate most bytes on a page; a single row may be larger. The processor's isolate holds a page several times over, as rows,
 * messages, bytes and text, beside a kernel that may fill three quarters of the isolate.
 */
const PAGE_BYTES = 128 * 1024;
const SYMBOL_BYTES = 40;
const COMPONENT_BYTES = 8;

function modelBytes({ sequence, emotives, metadataJson }: Model): number {
  const symbols = sequence.flatMap((event) => event.symbols);
  const values = emotives.reduce((sum, { name, values }) => sum + name.length + values.length * COMPONENT_BYTES, 0);
  return [...symbols, ...metadataJson].reduce((sum, text) => sum + text.length + 2, values + SYMBOL_BYTES);
}

/** Reads batches until a page is full. @param read reads the rows after a name, at most {@link BATCH} */
function fill<T extends { name: string }>(
  after: string,
  read: (after: string) => T[],
  bytesOf: (row: T) => number,
): { rows: T[]; more: boolean } {
  const rows: T[] = [];
  let bytes = 0;
  for (;;) {
    const batch = read(rows.at(-1)?.name ?? after);
    for (const [at, row] of batch.entries()) {
      rows.push(row);
      bytes += bytesOf(row);
      const last = at === batch.length - 1 && batch.length < BATCH;
      if (bytes >= PAGE_BYTES && !last) return { rows, more: true };
    }
    if (batch.length < BATCH) return { rows, more: false };
  }
}

/** All known symbols by code point, sorted once per revision. */
function sortedSymbols(mind: Mind): readonly string[] {
  const { revision, symbols } = mind.knowledge;
  if (mind.symbolOrder.revision !== revision) {
    mind.symbolOrder = { revision, names: [...symbols.names()].sort(compareCodePoints) };
  }
  return mind.symbolOrder.names;
}

/** The index of the first name after `after`. */
function indexAfter(names: readonly string[], after: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareCodePoints(names[middle] ?? "", after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function symbolPage(mind: Mind, after: string): { rows: SymbolRecord[]; more: boolean } {
  const names = sortedSymbols(mind);
  // The empty symbol is a name like any other, and it comes first.
  const first = after === "" ? 0 : indexAfter(names, after);
  const rows: SymbolRecord[] = [];
  let bytes = 0;
  for (const name of names.slice(first)) {
    const record = getSymbol(mind, name);
    if (bytes >= PAGE_BYTES || record === undefined) break;
    rows.push(record);
    bytes += name.length + SYMBOL_BYTES;
  }
  return { rows, more: first + rows.length < names.length };
}

function modelPage(mind: Mind, after: string): { rows: Model[]; more: boolean } {
  const read = (from: string) => mind.store.modelsAfter(from, BATCH).map((row) => modelFrom(mind, row));
  return fill(after, read, modelBytes);
}

function vectorPage(mind: Mind, after: string): { rows: VectorRecord[]; more: boolean } {
  const read = (from: string) => mind.store.vectorsAfter(from, BATCH).map(vectorFrom);
  return fill(after, read, ({ components }) => components.length * COMPONENT_BYTES + SYMBOL_BYTES);
}

/**
 * Reads one page of the knowledge base.
 * @throws Fault `conflict` when the knowledge base has another revision than the first page
 */
export function exportKnowledge(mind: Mind, request: PageRequest): KnowledgePage {
  const { revision, totals } = mind.knowledge;
  if (request.revision !== 0 && request.revision !== revision) {
    throw new Fault(
      "conflict",
      `the knowledge base changed between two pages, from revision ${request.revision} to ${revision}; begin again`,
    );
  }
  const page: KnowledgePage = {
    revision,
    totals: {
      totalModelFrequencies: totals.modelFrequencies,
      totalSymbolFrequencies: totals.symbolFrequencies,
      totalSymbolsInModelsFrequencies: totals.memberFrequencies,
    },
    models: [],
    symbols: [],
    vectors: [],
    more: false,
  };
  switch (request.section) {
    case "models": {
      const { rows, more } = modelPage(mind, request.after);
      return { ...page, models: rows, more };
    }
    case "symbols": {
      const { rows, more } = symbolPage(mind, request.after);
      return { ...page, symbols: rows, more };
    }
    case "vectors": {
      const { rows, more } = vectorPage(mind, request.after);
      return { ...page, vectors: rows, more };
    }
  }
}
