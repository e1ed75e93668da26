/** The knowledge base given out in pages, each part sorted by name, all pages of one revision unless the asker lets that go. */

import { compareCodePoints } from "../../text/code-points";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import { getSymbol, type SymbolRecord, type VectorRecord, vectorFrom } from "./lookups";
import { type Model, modelFrom } from "./models";

/** A part of the knowledge base. */
export type KnowledgeSection = "models" | "symbols" | "vectors";

/** Asks for a page. */
export interface PageRequest {
  section: KnowledgeSection;
  /** The last name of the page before; empty for the first. */
  after: string;
  /** The revision that the first page had; 0 for the first, and for whatever there is now. */
  revision: number;
}

/** The counters of a knowledge base. */
export interface KnowledgeTotals {
  totalModelFrequencies: number;
  totalSymbolFrequencies: number;
  totalSymbolsInModelsFrequencies: number;
}

/** A page. Only the list of the part asked for is filled. */
export interface KnowledgePage {
  revision: number;
  totals: KnowledgeTotals;
  models: Model[];
  symbols: SymbolRecord[];
  vectors: VectorRecord[];
  /** Whether more follows. */
  more: boolean;
}

/** Rows read at a time. */
const BATCH = 64;
/**
 * Roughly how many bytes a page may hold; a single row may be larger. A page is held several times over, as rows, messages, bytes and
 * text, in the isolate of the processor, beside a kernel that may fill three quarters of it.
 */
const PAGE_BYTES = 128 * 1024;
const SYMBOL_BYTES = 40;
const COMPONENT_BYTES = 8;

function modelBytes({ sequence, emotives, metadataJson }: Model): number {
  const symbols = sequence.flatMap((event) => event.symbols);
  const values = emotives.reduce((sum, { name, values }) => sum + name.length + values.length * COMPONENT_BYTES, 0);
  return [...symbols, ...metadataJson].reduce((sum, text) => sum + text.length + 2, values + SYMBOL_BYTES);
}

/** Reads batches until a page is full. @param read the rows after a name, at most {@link BATCH} */
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

/** All known symbols by code point, sorted once a revision. */
function sortedSymbols(mind: Mind): readonly string[] {
  const { revision, symbols } = mind.knowledge;
  if (mind.symbolOrder.revision !== revision) {
    mind.symbolOrder = { revision, names: [...symbols.names()].sort(compareCodePoints) };
  }
  return mind.symbolOrder.names;
}

/** Index of the first name after one. */
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
  // The empty symbol is a name like any other: nothing comes before it.
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
 * @throws Fault `conflict` when the knowledge base is of another revision than the first page was
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
