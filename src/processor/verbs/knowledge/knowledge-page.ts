/**
 * Exports the knowledge base in pages, each section sorted by name. All pages show one moment: the reader either names
 * a snapshot, or accepts that the export ends when the knowledge base changes.
 */

import type { KnowledgeTotals, SymbolRecord, VectorRecord } from "../../../gen/plain";
import { compareCodePoints } from "../../../text/code-points";
import { type CarriedRecord, carried } from "../../knowledge/forecast-record";
import type { KnowledgeSection, PastModel, Snapshot } from "../../knowledge/snapshot";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import type { VectorRow } from "../../ports/store";
import { getSymbol, vectorFrom } from "./lookups";
import { assertAnswerable, type Model, modelOf, orderedModelOf } from "./model-record";

/** A request for one page. */
export interface PageRequest {
  section: KnowledgeSection;
  /** The last name on the previous page; empty for the first page. */
  after: string;
  /** The revision of the first page; 0 for the first page itself, or, without a snapshot, to accept any revision. */
  revision: number;
  /** Names the snapshot: any text that is new for each export. Absent or empty for an export without one. */
  snapshot?: string;
  /** Whether models and vectors include their order; they do not if absent. */
  order?: boolean;
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
  /** The record of past forecasts: on the first page of models, if the order was requested. */
  forecastRecord?: CarriedRecord;
}

/** Rows read at a time. */
const BATCH = 64;
/**
 * Approximate maximum bytes of a page; a single row may be larger. The processor's isolate holds a page several times
 * over, as rows, messages, bytes and text, beside a kernel that may fill three quarters of the isolate. And other
 * requests run between two pages: ten exports at once made them wait for 1.4 s with 128 KB, and for 0.4 s with 32 KB,
 * at no longer a total time.
 */
const PAGE_BYTES = 32 * 1024;
/** Size from which a row is measured exactly, in bytes. A smaller one fits whatever its characters. */
const LARGE_ROW_BYTES = 1024 * 1024;
const SYMBOL_BYTES = 40;
const COMPONENT_BYTES = 8;
/** Maximum length of a snapshot's name, in characters. */
const MAX_SNAPSHOT_NAME = 64;

/** Approximate bytes of a model on a page. */
export function modelBytes({ sequence, emotives, metadataJson, runs = [] }: Model): number {
  const times = runs.length * sequence.length * COMPONENT_BYTES;
  const symbols = sequence.flatMap((event) => event.symbols);
  const values = emotives.reduce((sum, { name, values }) => sum + name.length + values.length * COMPONENT_BYTES, 0);
  return [...symbols, ...metadataJson].reduce((sum, text) => sum + text.length + 2, values + times + SYMBOL_BYTES);
}

/** Approximate bytes of a vector on a page. */
export function vectorBytes({ components }: VectorRecord): number {
  return components.length * COMPONENT_BYTES + SYMBOL_BYTES;
}

/**
 * Takes rows until a page is full.
 * @param bytesOf approximate bytes of a row
 * @param assertFits refuses a row that is too large for a page of its own; called only for large rows
 */
export function fill<T>(
  all: Iterator<T>,
  bytesOf: (row: T) => number,
  assertFits: (row: T) => void = () => undefined,
): { rows: T[]; more: boolean } {
  const rows: T[] = [];
  let bytes = 0;
  for (;;) {
    const next = all.next();
    if (next.done) return { rows, more: false };
    if (bytes >= PAGE_BYTES) return { rows, more: true };
    const rowBytes = bytesOf(next.value);
    if (rowBytes >= LARGE_ROW_BYTES) assertFits(next.value);
    rows.push(next.value);
    bytes += rowBytes;
  }
}

/** Stored rows in order, a batch at a time. @param read reads the rows after a name, at most {@link BATCH} */
function* stored<T extends { name: string }>(first: string, read: (after: string) => T[]): Iterable<T> {
  for (let after = first; ; ) {
    const batch = read(after);
    yield* batch;
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return;
    after = last.name;
  }
}

/** The rows of two sorted lists, in order. */
function* merged<T>(rows: Iterable<T>, kept: readonly T[], nameOf: (row: T) => string): Iterable<T> {
  let at = 0;
  for (const row of rows) {
    for (let next = kept[at]; next !== undefined && nameOf(next) < nameOf(row); next = kept[++at]) yield next;
    yield row;
  }
  yield* kept.slice(at);
}

/** The models after a name, in order, as they were at a snapshot's moment. */
export function* modelsAfter(
  mind: Mind,
  { after, order }: Pick<PageRequest, "after" | "order">,
  snapshot: Snapshot | undefined,
): Iterator<Model> {
  const rows = snapshot?.isDetached ? [] : stored(after, (from) => mind.store.knowledge.modelsAfter(from, BATCH));
  const nameOf = ({ row }: PastModel) => row.name;
  const kept = Array.from(snapshot?.models ?? []).filter(({ row }) => row.name > after);
  kept.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const present = function* () {
    for (const row of rows) {
      if (snapshot?.holdsNow(row) ?? true) yield { row, events: mind.knowledge.eventsOf(row) };
    }
  };
  for (const model of merged(present(), kept, nameOf)) {
    yield order ? orderedModelOf(model) : modelOf(model);
  }
}

/** The vectors after a name, likewise. */
export function* vectorsAfter(
  mind: Mind,
  { after, order }: Pick<PageRequest, "after" | "order">,
  snapshot: Snapshot | undefined,
): Iterator<VectorRecord> {
  const recordOf = (row: VectorRow) => (order ? { ...vectorFrom(row), order: row.id } : vectorFrom(row));
  if (snapshot?.isDetached) {
    const kept = [...snapshot.vectors].filter(({ name }) => name > after);
    for (const row of kept.sort((a, b) => (a.name < b.name ? -1 : 1))) yield recordOf(row);
    return;
  }
  const known = snapshot?.moment.vectors ?? Number.POSITIVE_INFINITY;
  for (const row of stored(after, (from) => mind.store.knowledge.vectorsAfter(from, BATCH))) {
    if (row.id <= known) yield recordOf(row);
  }
}

/** All known symbols by code point, sorted once per revision. */
function sortedSymbols(mind: Mind): readonly string[] {
  const { revision, symbols } = mind.knowledge;
  if (mind.shared.symbolOrder.revision !== revision) {
    mind.shared.symbolOrder = { revision, names: [...symbols.names()].sort(compareCodePoints) };
  }
  return mind.shared.symbolOrder.names;
}

/** All symbols of a snapshot, by code point. */
function pastSymbols(mind: Mind, snapshot: Snapshot): readonly string[] {
  const changed = [...snapshot.symbols];
  // Nothing has changed since the snapshot: exports of the same symbols share one list, which only the first sorts.
  if (changed.length === 0 && !snapshot.isDetached) return sortedSymbols(mind);
  const kept = changed.filter(({ frequency }) => frequency > 0).map(({ name }) => name);
  const present = snapshot.isDetached ? [] : Array.from(mind.knowledge.symbols.names());
  return [...present.filter((name) => snapshot.symbol(name) === undefined), ...kept].sort(compareCodePoints);
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

function* symbolsAfter(mind: Mind, after: string, snapshot: Snapshot | undefined): Iterator<SymbolRecord> {
  const names = snapshot?.names(() => pastSymbols(mind, snapshot)) ?? sortedSymbols(mind);
  // The empty symbol is a valid name, and comes first.
  for (let at = after === "" ? 0 : indexAfter(names, after); at < names.length; at++) {
    const name = names[at] ?? "";
    const past = snapshot?.symbol(name);
    const symbol =
      past === undefined
        ? getSymbol(mind, name)
        : { name, frequency: past.frequency, modelMemberFrequency: past.memberFrequency };
    if (symbol === undefined) throw new Error("a symbol of an export is no longer known");
    yield symbol;
  }
}

/**
 * The snapshot of a request, opened if it is new. A lost one is opened again if nothing has changed since its moment.
 * @throws Fault `conflict` when it is lost or a later page was requested already; `unavailable` when too many are open;
 *   `invalid` when its name is too long
 */
function snapshotFor(mind: Mind, name: string, { section, after, revision }: PageRequest): Snapshot {
  if (name.length > MAX_SNAPSHOT_NAME) {
    throw new Fault(
      "invalid",
      `the name of a snapshot must have at most ${MAX_SNAPSHOT_NAME} characters, got ${name.length}`,
    );
  }
  const { knowledge, snapshots, vectors } = mind.shared;
  let snapshot = snapshots.find(name);
  if (snapshot === undefined) {
    if (revision !== 0 && revision !== knowledge.revision) {
      throw new Fault(
        "conflict",
        "the export was lost between two pages: the processor started again, the reader paused for too long, or more " +
          `changed meanwhile than the ${snapshots.limitBytes} bytes that exports may keep; begin again`,
      );
    }
    snapshot = snapshots.open(name, { ...knowledge.counters, vectors: vectors.count, lastIncident: 0 });
  }
  if (snapshot.advance(section, after)) return snapshot;
  throw new Fault(
    "conflict",
    "the pages of a snapshot are read in order, and a later one was read already; begin again",
  );
}

function assertRevision(mind: Mind, revision: number): void {
  if (revision === 0 || revision === mind.knowledge.revision) return;
  throw new Fault(
    "conflict",
    `the knowledge base changed between two pages, from revision ${revision} to ${mind.knowledge.revision}; begin ` +
      "again",
  );
}

function sectionAfter(mind: Mind, request: PageRequest, snapshot: Snapshot | undefined) {
  switch (request.section) {
    case "models": {
      const { rows, more } = fill(modelsAfter(mind, request, snapshot), modelBytes, assertAnswerable);
      return { models: rows, more };
    }
    case "symbols": {
      const { rows, more } = fill(
        symbolsAfter(mind, request.after, snapshot),
        ({ name }) => name.length + SYMBOL_BYTES,
      );
      return { symbols: rows, more };
    }
    case "vectors": {
      const { rows, more } = fill(vectorsAfter(mind, request, snapshot), vectorBytes);
      return { vectors: rows, more };
    }
  }
}

/**
 * Reads one page of the knowledge base. The last page closes the snapshot.
 * @throws Fault `conflict` when the page could not show the same moment as the first page; `unavailable` when too many
 *   exports are being read; `too-large` for a model stored by an earlier version that is too large; `invalid` when the
 *   request is wrong
 */
export function exportKnowledge(mind: Mind, request: PageRequest): KnowledgePage {
  const { section, after, order = false, snapshot: name = "" } = request;
  const snapshot = name === "" ? undefined : snapshotFor(mind, name, request);
  if (snapshot === undefined) assertRevision(mind, request.revision);
  const { revision, totals, forecastRecord } = snapshot?.moment ?? mind.knowledge;
  const isFirst = section === "models" && after === "";
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
    ...sectionAfter(mind, request, snapshot),
    ...(order && isFirst ? { forecastRecord: carried(forecastRecord) } : {}),
  };
  if (section === "vectors" && !page.more) mind.shared.snapshots.close(name);
  return page;
}
