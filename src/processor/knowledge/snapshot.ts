/**
 * The knowledge base as it was at one moment, for an export that is read page by page while learning goes on; for a
 * backup, also the sessions. Holds the old version of each row that has changed since, until the reader has passed it.
 * All other rows come from the store.
 */

import { compareCodePoints } from "../../text/code-points";
import type { ForecastRecord } from "../ports/forecaster";
import type { IncidentRow } from "../ports/incident";
import type { Totals } from "../ports/matcher";
import type { StoredSilence } from "../ports/silence";
import type { ModelRow, SourceNumber, StoredMemory, VectorRow } from "../ports/store";
import type { CountedSymbol } from "./symbol-table";

/** The sections of a knowledge base, in the order in which an export reads them. */
const KNOWLEDGE_SECTIONS = ["models", "symbols", "vectors"] as const;

/** The sections in reading order: a backup begins with the sessions, an export with the models. */
const SECTIONS = ["sessions", "incidents", ...KNOWLEDGE_SECTIONS] as const;

/** A section of the knowledge base. */
export type KnowledgeSection = (typeof KNOWLEDGE_SECTIONS)[number];

/** A section of a snapshot. */
export type SnapshotSection = (typeof SECTIONS)[number];

/** An old version of a memory. */
export interface PastMemory {
  memory: StoredMemory;
  /** The sources that did not fit into its state, least recently used first. */
  kept: SourceNumber[];
  /** What was reported of its silence; may be out of date. */
  silence?: StoredSilence | undefined;
}

/** An old version of a model, with its symbols, because symbol numbers may have been reused since. */
export interface PastModel {
  row: ModelRow;
  /** The symbols of each event. */
  events: string[][];
}

/** What a snapshot notes when it is opened. */
export interface Moment {
  revision: number;
  totals: Totals;
  /** The id that the next new model gets. Ids only grow, so models with greater ids are later. */
  nextModelId: number;
  /** The record of past forecasts. */
  forecastRecord: ForecastRecord;
  /** Number of learned vectors, which is also the greatest id. */
  vectors: number;
  /** The greatest id of an incident; 0 where it does not matter. */
  lastIncident: number;
}

/** The name by which a backup reads an incident: names of rising ids rise. */
export function incidentName(id: number): string {
  return String(id).padStart(16, "0");
}

/** Bytes of a row in addition to its texts and numbers, for its objects and its map entry. */
const ROW_BYTES = 256;
const NUMBER_BYTES = 8;
const CHARACTER_BYTES = 2;

function textBytes(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length * CHARACTER_BYTES + NUMBER_BYTES, 0);
}

/** Approximate bytes of a kept model, without the texts of its symbols, which belong to the table. */
function modelBytes({ row, events }: PastModel): number {
  const values = row.emotives.reduce((sum, { values }) => sum + ROW_BYTES + values.length * NUMBER_BYTES, 0);
  const numbers = 2 * row.symbols.length + 3 * events.length + (row.times?.length ?? 0);
  return ROW_BYTES + numbers * NUMBER_BYTES + values + textBytes(row.metadata);
}

/** Approximate bytes of a kept memory; nearly 0 if there was none. */
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

/** The knowledge base at one moment. The budget may end it at any time. */
export class Snapshot {
  readonly moment: Moment;
  /** Approximate bytes of all kept rows. */
  bytes = 0;
  /** When a page was last asked for, in milliseconds. */
  askedAt: number;
  /** For a backup: the processor's own records that are still to be read, as of the snapshot's moment. */
  ownRecords: readonly unknown[] | undefined;
  readonly #models = new Map<string, PastModel>();
  /** A symbol that did not exist has the frequency 0. */
  readonly #symbols = new Map<string, CountedSymbol>();
  readonly #vectors = new Map<string, VectorRow>();
  /** A session that did not exist is `undefined`. */
  readonly #sessions = new Map<string, PastMemory | undefined>();
  /** By {@link incidentName}. */
  readonly #incidents = new Map<string, IncidentRow>();
  #names: readonly string[] | undefined;
  #section: number;
  #after = "";
  #isDetached = false;
  #isEnded = false;

  /** @param first the section with which reading begins; earlier ones are not kept */
  constructor(moment: Moment, askedAt: number, first: SnapshotSection = "models") {
    this.moment = moment;
    this.askedAt = askedAt;
    this.#section = SECTIONS.indexOf(first);
  }

  /** Whether the snapshot has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether all unread parts of the knowledge base are kept here, so that the store need not be read. */
  get isDetached(): boolean {
    return this.#isDetached;
  }

  /** The kept models in no particular order. */
  get models(): Iterable<PastModel> {
    return this.#models.values();
  }

  /** The kept vectors in no particular order. Empty unless the snapshot is detached. */
  get vectors(): Iterable<VectorRow> {
    return this.#vectors.values();
  }

  /** The kept symbols. A symbol that did not exist has the frequency 0. */
  get symbols(): Iterable<CountedSymbol> {
    return this.#symbols.values();
  }

  /** The kept sessions by name, in no particular order. A session that did not exist is `undefined`. */
  get sessions(): ReadonlyMap<string, PastMemory | undefined> {
    return this.#sessions;
  }

  /** The kept incidents by {@link incidentName}, in no particular order. */
  get incidents(): ReadonlyMap<string, IncidentRow> {
    return this.#incidents;
  }

  /** Whether a stored model is unchanged since. */
  holdsNow({ id, name }: ModelRow): boolean {
    return id < this.moment.nextModelId && !this.#models.has(name);
  }

  /** The old version of a symbol that has changed since, with the frequency 0 if it did not exist. */
  symbol(name: string): CountedSymbol | undefined {
    return this.#symbols.get(name);
  }

  /** The names of all symbols at that moment, sorted. @param list called on first use */
  names(list: () => readonly string[]): readonly string[] {
    this.#names ??= list();
    return this.#names;
  }

  /**
   * Call it when the page after a name is requested. Drops what only earlier pages needed.
   * @returns false if a later page was already requested
   */
  advance(section: SnapshotSection, after: string): boolean {
    const to = SECTIONS.indexOf(section);
    if (to < this.#section || (to === this.#section && compareCodePoints(after, this.#after) < 0)) return false;
    this.#section = to;
    this.#after = after;
    this.#forgetRead("sessions", this.#sessions, memoryBytes);
    this.#forgetRead("incidents", this.#incidents, incidentBytes);
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
    // Once the names are listed, new symbols cannot appear in the export.
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

  /** Keeps an incident that is about to change or to be overwritten, unless an earlier change kept it. */
  keepIncident(row: IncidentRow): void {
    const name = incidentName(row.id);
    const isUnread = !this.#isEnded && this.#isUnread("incidents", name);
    if (isUnread && row.id <= this.moment.lastIncident && !this.#incidents.has(name)) {
      this.#keep(this.#incidents, name, row, incidentBytes);
    }
  }

  /** Call it once all of the knowledge base is kept here: later changes no longer matter. */
  detach(): void {
    this.#isDetached = true;
  }

  /** The last name read of a section, "" if none was read yet; `undefined` if the whole section was. */
  unreadAfter(section: SnapshotSection): string | undefined {
    const at = SECTIONS.indexOf(section);
    if (at < this.#section) return undefined;
    return at === this.#section ? this.#after : "";
  }

  /** Ends the snapshot and frees everything. */
  end(): void {
    this.ownRecords = undefined;
    this.#isEnded = true;
    this.#names = undefined;
    for (const kept of [this.#models, this.#symbols, this.#vectors, this.#sessions, this.#incidents]) kept.clear();
    this.bytes = 0;
  }

  #isUnread(section: SnapshotSection, name: string): boolean {
    const after = this.unreadAfter(section);
    // Only a symbol can have the empty name, and no page ends with it.
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

function incidentBytes({ causes, evidence, expected, note }: IncidentRow): number {
  const texts = [...causes, ...expected].map(({ symbol }) => symbol);
  return 4 * ROW_BYTES + textBytes([note, ...texts, ...evidence.flatMap(({ symbols }) => symbols)]);
}

function symbolBytes({ name }: CountedSymbol): number {
  return ROW_BYTES + name.length * CHARACTER_BYTES;
}

function vectorBytes({ components }: VectorRow): number {
  return ROW_BYTES + components.length * NUMBER_BYTES;
}
