/**
 * The knowledge base as it was at one moment, for an export that is read page by page while learning goes on; for a
 * backup, also the sessions. Holds only rows that have changed since and that the reader has not had yet, as they were.
 * Who exports reads all other rows from the store.
 */

import { compareCodePoints } from "../../text/code-points";
import type { ForecastRecord } from "../ports/forecaster";
import type { Totals } from "../ports/matcher";
import type { ModelRow, SourceNumber, StoredMemory, VectorRow } from "../ports/store";
import type { CountedSymbol } from "./symbol-table";

/** The sections of a knowledge base, in the order in which an export reads them. */
const KNOWLEDGE_SECTIONS = ["models", "symbols", "vectors"] as const;

/** What a reader reads: a backup begins with the sessions, an export with the models. */
const SECTIONS = ["sessions", ...KNOWLEDGE_SECTIONS] as const;

/** A section of the knowledge base. */
export type KnowledgeSection = (typeof KNOWLEDGE_SECTIONS)[number];

/** A section of what a snapshot is of. */
export type SnapshotSection = (typeof SECTIONS)[number];

/** A memory as it was. */
export interface PastMemory {
  memory: StoredMemory;
  /** The sources that had no place in its state, heard longest ago first. */
  kept: SourceNumber[];
}

/** A model as it was, with its symbols, because a symbol's number may have another meaning by now. */
export interface PastModel {
  row: ModelRow;
  /** The symbols of each event. */
  events: string[][];
}

/** What a snapshot notes at its moment. */
export interface Moment {
  revision: number;
  totals: Totals;
  /** The id that the next new model gets. Ids only grow, so greater ids tell later models. */
  nextModelId: number;
  /** What past forecasts tell. */
  forecastRecord: ForecastRecord;
  /** How many vectors are learned. Their ids count them. */
  vectors: number;
}

/** What a row takes beside its texts and numbers: objects, and its entry by name. */
const ROW_BYTES = 256;
const NUMBER_BYTES = 8;
const CHARACTER_BYTES = 2;

function textBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length * CHARACTER_BYTES + NUMBER_BYTES, 0);
}

/** About how many bytes a kept model takes. The texts of its symbols are the table's. */
function modelBytes({ row, events }: PastModel): number {
  const values = row.emotives.reduce((sum, { values }) => sum + ROW_BYTES + values.length * NUMBER_BYTES, 0);
  const numbers = 2 * row.symbols.length + 3 * events.length;
  return ROW_BYTES + numbers * NUMBER_BYTES + values + textBytes(row.metadata);
}

/** About how many bytes a kept memory takes; next to nothing when there was none. */
function memoryBytes(past: PastMemory | undefined): number {
  if (past === undefined) return ROW_BYTES;
  const { memory, kept } = past;
  const { percept, emotives, pendingEmotives, sources } = memory.state;
  const gdf = percept?.gdf;
  const texts = memory.events.reduce(
    (sum, { symbols, metadata }) => sum + ROW_BYTES + textBytes([...symbols, metadata]),
    0,
  );
  const record = gdf === undefined ? 0 : textBytes([...gdf.strings, gdf.metadataJson, ...(percept?.symbols ?? [])]);
  const vectors = [
    ...memory.waiting.map(({ components }) => components),
    ...(gdf?.vectors ?? []).map((each) => each.components),
  ];
  const numbers = vectors.reduce((sum, { length }) => sum + ROW_BYTES + length * NUMBER_BYTES, 0);
  const entries = emotives.length + pendingEmotives.length + (gdf?.emotives.length ?? 0) + sources.length + kept.length;
  return 4 * ROW_BYTES + texts + record + numbers + entries * ROW_BYTES;
}

/** One moment of a knowledge base. Its budget may end it at any time. */
export class Snapshot {
  readonly moment: Moment;
  /** The bytes of all kept rows, about. */
  bytes = 0;
  /** When a page was last asked for, in milliseconds. */
  askedAt: number;
  /** For a backup: the records of the processor's own that its reader has not had, all of its moment. */
  ownRecords: readonly unknown[] | undefined;
  readonly #models = new Map<string, PastModel>();
  /** A symbol that there was not has the frequency 0. */
  readonly #symbols = new Map<string, CountedSymbol>();
  readonly #vectors = new Map<string, VectorRow>();
  /** A session that there was not is `undefined`. */
  readonly #sessions = new Map<string, PastMemory | undefined>();
  #names: readonly string[] | undefined;
  #section: number;
  #after = "";
  #isDetached = false;
  #isEnded = false;

  /** @param first the section with which its reader begins; the ones before need not be kept */
  constructor(moment: Moment, askedAt: number, first: SnapshotSection = "models") {
    this.moment = moment;
    this.askedAt = askedAt;
    this.#section = SECTIONS.indexOf(first);
  }

  /** Whether it is lost. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Whether everything of the knowledge base that the reader has not had yet is kept here, so that
   * the store need not be read.
   */
  get isDetached(): boolean {
    return this.#isDetached;
  }

  /** The kept models in no particular order. */
  get models(): Iterable<PastModel> {
    return this.#models.values();
  }

  /** The kept vectors in no particular order. There are none unless it is detached. */
  get vectors(): Iterable<VectorRow> {
    return this.#vectors.values();
  }

  /** The kept symbols. One that there was not has the frequency 0. */
  get symbols(): Iterable<CountedSymbol> {
    return this.#symbols.values();
  }

  /** The kept sessions by name, in no particular order. One that there was not is `undefined`. */
  get sessions(): ReadonlyMap<string, PastMemory | undefined> {
    return this.#sessions;
  }

  /** Whether a stored model is as it was. */
  holdsNow({ id, name }: ModelRow): boolean {
    return id < this.moment.nextModelId && !this.#models.has(name);
  }

  /** A symbol as it was, if it has changed since; with the frequency 0 if there was none. */
  symbol(name: string): CountedSymbol | undefined {
    return this.#symbols.get(name);
  }

  /** The names of all symbols that there were, sorted. @param list lists them, when they are first asked for */
  names(list: () => readonly string[]): readonly string[] {
    this.#names ??= list();
    return this.#names;
  }

  /**
   * The reader asks for the page that follows a name. Forgets what the pages before it needed.
   * @returns false when that page is before one that the reader has asked for
   */
  advance(section: SnapshotSection, after: string): boolean {
    const to = SECTIONS.indexOf(section);
    if (to < this.#section || (to === this.#section && compareCodePoints(after, this.#after) < 0)) return false;
    this.#section = to;
    this.#after = after;
    this.#forgetRead("sessions", this.#sessions, memoryBytes);
    this.#forgetRead("models", this.#models, modelBytes);
    this.#forgetRead("symbols", this.#symbols, symbolBytes);
    this.#forgetRead("vectors", this.#vectors, vectorBytes);
    return true;
  }

  /** Keeps a model that is about to change, unless an earlier change kept it. */
  keepModel(model: PastModel): void {
    if (this.holdsNow(model.row) && this.#isWanted("models", model.row.name)) {
      this.#keep(this.#models, model.row.name, model, modelBytes);
    }
  }

  /** Keeps a symbol whose counters are about to change, unless an earlier change kept it. */
  keepSymbol(symbol: CountedSymbol): void {
    // Once the names are listed, a new symbol does not concern the reader.
    if (symbol.frequency === 0 && this.#names !== undefined) return;
    if (!this.#symbols.has(symbol.name) && this.#isWanted("symbols", symbol.name)) {
      this.#keep(this.#symbols, symbol.name, symbol, symbolBytes);
    }
  }

  /** Keeps a vector, because all of them are about to be replaced. */
  keepVector(vector: VectorRow): void {
    if (vector.id <= this.moment.vectors && this.#isWanted("vectors", vector.name)) {
      this.#keep(this.#vectors, vector.name, vector, vectorBytes);
    }
  }

  /** Whether the reader still needs a session that is about to change. */
  wantsSession(name: string): boolean {
    return !this.#isEnded && !this.#sessions.has(name) && this.#isUnread("sessions", name);
  }

  /** Keeps a session that is about to change. @param past `undefined` when there is none of this name */
  keepSession(name: string, past: PastMemory | undefined): void {
    if (this.wantsSession(name)) this.#keep(this.#sessions, name, past, memoryBytes);
  }

  /** Everything of the knowledge base is kept: changes from now on do not concern it. */
  detach(): void {
    this.#isDetached = true;
  }

  /** The last name of a section that the reader has had, "" for none; `undefined` when it has had the whole section. */
  unreadAfter(section: SnapshotSection): string | undefined {
    const at = SECTIONS.indexOf(section);
    if (at < this.#section) return undefined;
    return at === this.#section ? this.#after : "";
  }

  /** Gives everything up. */
  end(): void {
    this.ownRecords = undefined;
    this.#isEnded = true;
    this.#names = undefined;
    for (const kept of [this.#models, this.#symbols, this.#vectors, this.#sessions]) kept.clear();
    this.bytes = 0;
  }

  #isUnread(section: SnapshotSection, name: string): boolean {
    const after = this.unreadAfter(section);
    // The empty name is a symbol's, and no page ends with it.
    return after !== undefined && (after === "" || compareCodePoints(name, after) > 0);
  }

  #isWanted(section: SnapshotSection, name: string): boolean {
    return !this.#isDetached && !this.#isEnded && this.#isUnread(section, name);
  }

  #keep<Row>(kept: Map<string, Row>, name: string, row: Row, bytesOf: (row: Row) => number): void {
    kept.set(name, row);
    this.bytes += bytesOf(row);
  }

  #forgetRead<Row>(section: SnapshotSection, kept: Map<string, Row>, bytesOf: (row: Row) => number): void {
    for (const [name, row] of kept) {
      if (this.#isUnread(section, name)) continue;
      kept.delete(name);
      this.bytes -= bytesOf(row);
    }
  }
}

function symbolBytes({ name }: CountedSymbol): number {
  return ROW_BYTES + name.length * CHARACTER_BYTES;
}

function vectorBytes({ components }: VectorRow): number {
  return ROW_BYTES + components.length * NUMBER_BYTES;
}
