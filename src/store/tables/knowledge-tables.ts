/**
 * The tables `models`, `symbols` and `vectors`, live or staged. Both have the same shape under two names, so that a
 * load is committed by renaming tables instead of copying rows.
 */

import { Fault } from "../../processor/ports/fault";
import type { MatchableModel, ModelBatch, Sequence } from "../../processor/ports/matcher";
import type { ModelFrequency, ModelRenewal, ModelRow, SymbolRow, VectorRow } from "../../processor/ports/store";
import { type Database, upsert } from "../database/database";
import { KNOWLEDGE, knowledgeTables } from "../database/schema";
import { elementsToColumn, hashNameFromColumn, hashNameToColumn, isHashName } from "../rows/columns";
import {
  MODEL_COLUMNS,
  type ModelColumns,
  modelOf,
  modelToColumns,
  RENEWED_COLUMNS,
  renewalToColumns,
  symbolOf,
  type VectorColumns,
  vectorOf,
} from "../rows/knowledge-rows";
import { CorpusTable } from "./corpus-table";
import { DiscardedTables } from "./discarded-tables";
import { NameFilter } from "./name-filter";

/** Maximum number of ids in one lookup: as text they stay below a value's 2 MB. */
const IDS_PER_STATEMENT = 50_000;

/** Maximum number of bound values in a statement. */
const MAX_BOUND = 100;

/** Number of symbols that one statement writes, at two values each. */
const SYMBOLS_PER_STATEMENT = MAX_BOUND / 2;

const VECTOR = ["id", "name", "components"] as const;

/** Number of ids or names read as one text, which is three times as fast as a row for each. */
const PACKED_TOGETHER = 4096;

/** Ids as JSON, their names one after the other, and the last name. */
type PackedNames = [ids: string, names: string | null, last: ArrayBuffer | null];

/** Ids as JSON, when they were learned, and the last id. */
type PackedMoments = [ids: string, moments: string, last: number | null];

/** A model's frequency. */
type FrequencyColumns = [id: number, name: ArrayBuffer, frequency: number];

/** The events of a model. */
type EventColumns = [id: number, symbols: ArrayBuffer, lengths: ArrayBuffer];

/** Number of hex digits in a name. */
const NAME_DIGITS = 40;

/** Sorts before all names. */
const BEFORE_ALL_NAMES = new Uint8Array(0);

/** Reads and writes one knowledge base. */
export class KnowledgeTables {
  readonly #database: Database;
  readonly #prefix: string;
  readonly #putModel: string;
  readonly #renewModel: string;
  readonly #addSymbol: string;
  readonly #addSymbols: string;
  readonly #putVector: string;
  readonly #modelByName: string;
  readonly #modelById: string;
  readonly #newestModels: string;
  readonly #vectorByName: string;
  readonly #corpus: CorpusTable;
  readonly #names: NameFilter;

  /** @param prefix the beginning of the tables' names; empty for the live ones */
  constructor(database: Database, prefix: string) {
    this.#database = database;
    this.#prefix = prefix;
    this.#putModel = upsert(`${prefix}models`, MODEL_COLUMNS);
    this.#renewModel = `UPDATE ${prefix}models SET ${RENEWED_COLUMNS.join(" = ?, ")} = ? WHERE id = ?`;
    this.#addSymbol = insertSymbols(prefix, 1);
    this.#addSymbols = insertSymbols(prefix, SYMBOLS_PER_STATEMENT);
    this.#putVector = upsert(`${prefix}vectors`, VECTOR);
    // Joined once: a new text must be hashed before its prepared statement is found.
    this.#modelByName = `SELECT ${MODEL_COLUMNS.join(", ")} FROM ${prefix}models WHERE name = ?`;
    this.#modelById = `SELECT ${MODEL_COLUMNS.join(", ")} FROM ${prefix}models WHERE id = ?`;
    this.#newestModels = `SELECT id, symbols, lengths FROM ${prefix}models ORDER BY id DESC LIMIT ?`;
    this.#vectorByName = `SELECT ${VECTOR.join(", ")} FROM ${prefix}vectors WHERE name = ?`;
    this.#corpus = new CorpusTable(database, prefix);
    this.#names = new NameFilter((after, most) => this.#namesAfter(after, most));
  }

  /** Number of rows of each kind. Reads an index entry for each row. */
  counts(): { models: number; symbols: number; vectors: number } {
    const count = (table: string) =>
      this.#database.first<[number]>(`SELECT count(*) FROM ${this.#prefix}${table}`)?.[0] ?? 0;
    return { models: count("models"), symbols: count("symbols"), vectors: count("vectors") };
  }

  /** Inserts the model, or replaces the one with its id. */
  putModel(model: ModelRow): void {
    this.#putRow(model);
    const { id, frequency, symbols, lengths } = model;
    this.#corpus.written({ id, frequency, symbols, lengths });
  }

  /**
   * {@link putModel} for models whose ids come in any order. {@link packSome} or {@link takeOver} pack them: packing
   * them here would repeat the work many times.
   */
  putUnpacked(models: readonly ModelRow[]): void {
    for (const model of models) this.#putRow(model);
    this.#corpus.clear();
  }

  /**
   * Packs some thousand models that {@link putUnpacked} has put, so that {@link takeOver} has less to do in one piece.
   *
   * @returns whether there may be more to pack
   */
  packSome(): boolean {
    return this.#corpus.packNext();
  }

  #putRow(model: ModelRow): void {
    this.#database.run(this.#putModel, ...modelToColumns(model));
    this.#names.add(model.name);
  }

  renewModel(renewal: ModelRenewal): void {
    this.#database.run(this.#renewModel, ...renewalToColumns(renewal), renewal.id);
    this.#corpus.changed(renewal.id);
  }

  removeModel(id: number): void {
    this.#database.run(`DELETE FROM ${this.#prefix}models WHERE id = ?`, id);
    this.#corpus.removed(id);
  }

  /** Adds symbols whose ids are not in use. */
  addSymbols(symbols: readonly SymbolRow[]): void {
    const rows = symbols.map(({ id, name }) => [id, name]);
    let at = 0;
    for (; at + SYMBOLS_PER_STATEMENT <= rows.length; at += SYMBOLS_PER_STATEMENT) {
      this.#database.run(this.#addSymbols, ...rows.slice(at, at + SYMBOLS_PER_STATEMENT).flat());
    }
    for (; at < rows.length; at++) this.#database.run(this.#addSymbol, ...(rows[at] ?? []));
  }

  removeSymbols(ids: readonly number[]): void {
    for (const id of ids) this.#database.run(`DELETE FROM ${this.#prefix}symbols WHERE id = ?`, id);
  }

  /** Inserts the vector, or replaces the one with its id. */
  putVector({ id, name, components }: VectorRow): void {
    this.#database.run(this.#putVector, id, hashNameToColumn(name), elementsToColumn(components));
  }

  /** Removes everything. */
  clear(): void {
    this.#corpus.forget();
    this.#names.reset();
    const discarded = new DiscardedTables(this.#database);
    for (const noun of KNOWLEDGE) discarded.empty(`${this.#prefix}${noun}`);
  }

  /**
   * Replaces everything here by everything that `other` holds. Vectors get ids that count from 1.
   * `other` is empty afterwards.
   */
  takeOver(other: KnowledgeTables): void {
    const discarded = new DiscardedTables(this.#database);
    for (const noun of KNOWLEDGE) discarded.replace(`${this.#prefix}${noun}`, `${other.#prefix}${noun}`);
    this.#database.run(knowledgeTables(other.#prefix));
    for (const tables of [this, other]) {
      tables.#corpus.forget();
      tables.#names.reset();
    }
    this.#corpus.packTail();
    this.#countVectors(other);
  }

  /** The greatest id of a model; 0 for none. */
  lastModelId(): number {
    return this.#database.first<[number]>(`SELECT coalesce(max(id), 0) FROM ${this.#prefix}models`)?.[0] ?? 0;
  }

  /** Renumbers the vectors 1, 2, 3, … in the order of their present ids. @param spare tables without vectors */
  #countVectors(spare: KnowledgeTables): void {
    const [own, other] = [`${this.#prefix}vectors`, `${spare.#prefix}vectors`];
    const [rows = 0, most = 0] = this.#database.first<[number, number]>(`SELECT count(*), max(id) FROM ${own}`) ?? [];
    if (rows === 0 || most === rows) return;
    this.#database.run(`INSERT INTO ${other} SELECT * FROM ${own}`);
    this.#database.run(`DELETE FROM ${own}`);
    const numbered = `SELECT row_number() OVER (ORDER BY id), name, components FROM ${other} ORDER BY id`;
    this.#database.run(`INSERT INTO ${own} (id, name, components) ${numbered}`);
    this.#database.run(`DELETE FROM ${other}`);
  }

  /** All models, oldest first, with only the columns that matching needs. Streams. */
  corpus(): Iterable<MatchableModel> {
    return this.#corpus.models();
  }

  /** {@link corpus} in batches. */
  corpusBatches(): Iterable<ModelBatch> {
    return this.#corpus.batches();
  }

  /** All symbols by id. Streams. */
  symbols(): Iterable<SymbolRow> {
    return this.#database.stream(symbolOf, `SELECT id, name FROM ${this.#prefix}symbols ORDER BY id`);
  }

  /** All vectors, oldest first. Streams. */
  vectors(): Iterable<VectorRow> {
    return this.#database.stream(vectorOf, `SELECT ${VECTOR.join(", ")} FROM ${this.#prefix}vectors ORDER BY id`);
  }

  modelByName(name: string): ModelRow | undefined {
    if (isHashName(name) && !this.#names.mayHold(name)) return undefined;
    const row = this.#byName<ModelColumns>(this.#modelByName, name);
    return row === undefined ? undefined : modelOf(row);
  }

  modelById(id: number): ModelRow | undefined {
    const row = this.#database.first<ModelColumns>(this.#modelById, id);
    return row === undefined ? undefined : modelOf(row);
  }

  vectorByName(name: string): VectorRow | undefined {
    const row = this.#byName<VectorColumns>(this.#vectorByName, name);
    return row === undefined ? undefined : vectorOf(row);
  }

  /**
   * The models with these ids, in their order.
   *
   * @throws Error when there is no model with one of the ids
   */
  modelsById(ids: readonly number[]): ModelRow[] {
    return this.#byIds<ModelColumns>(MODEL_COLUMNS, ids).map(modelOf);
  }

  /**
   * The names of the models with these ids, in their order.
   *
   * @throws Error when there is no model with one of the ids
   */
  modelNames(ids: readonly number[]): string[] {
    return this.#byIds<[ArrayBuffer]>(["name"], ids).map(([name]) => hashNameFromColumn(name));
  }

  /**
   * The ids and names of the models whose name begins with these hex digits, by name. Reads only the index of names.
   */
  *modelNamesFrom(start: string): Iterable<readonly [id: number, name: string]> {
    const [first, last] = ["0", "f"].map((digit) => hashNameToColumn(start.padEnd(NAME_DIGITS, digit)));
    const models = `${this.#prefix}models`;
    const part = `SELECT id, name FROM ${models} WHERE name BETWEEN ? AND ? AND name > ? ORDER BY name LIMIT ?`;
    const statement = `SELECT json_group_array(id), lower(group_concat(hex(name), '')), max(name) FROM (${part})`;
    for (let after: ArrayBuffer | Uint8Array | null = BEFORE_ALL_NAMES; after !== null; ) {
      const row: PackedNames | undefined = this.#database.first(
        statement,
        first ?? null,
        last ?? null,
        after,
        PACKED_TOGETHER,
      );
      const [packed = "[]", names, next = null]: Partial<PackedNames> = row ?? [];
      for (const [at, id] of (JSON.parse(packed) as number[]).entries()) {
        yield [id, names?.slice(NAME_DIGITS * at, NAME_DIGITS * (at + 1)) ?? ""];
      }
      after = next;
    }
  }

  /** As in the port. Returns one row, however many models are read. */
  timesBelow(below: number, most: number): { found: boolean; next: number } {
    const models = `${this.#prefix}models`;
    const part = `SELECT id, times IS NOT NULL AS timed FROM ${models} WHERE id < ? ORDER BY id DESC LIMIT ?`;
    const statement = `SELECT count(*), min(id), max(timed) FROM (${part})`;
    const row = this.#database.first<[number, number | null, number | null]>(statement, below, most);
    const [count = 0, least = null, timed = null] = row ?? [];
    return { found: timed === 1, next: count < most ? 0 : (least ?? 0) };
  }

  /** The ids of all models with when they were learned last, by id. */
  *modelMoments(): Iterable<readonly [id: number, learnedAt: number | undefined]> {
    const part = `SELECT id, learned_at FROM ${this.#prefix}models WHERE id > ? ORDER BY id LIMIT ?`;
    const statement = `SELECT json_group_array(id), json_group_array(learned_at), max(id) FROM (${part})`;
    for (let after: number | null = 0; after !== null; ) {
      const row: PackedMoments | undefined = this.#database.first(statement, after, PACKED_TOGETHER);
      const [packed = "[]", moments = "[]", next = null]: Partial<PackedMoments> = row ?? [];
      const learned = JSON.parse(moments) as (number | null)[];
      for (const [at, id] of (JSON.parse(packed) as number[]).entries()) yield [id, learned[at] ?? undefined];
      after = next;
    }
  }

  /** At most `limit` models whose name follows `after`, by name. */
  modelsAfter(after: string, limit: number): ModelRow[] {
    return this.#after<ModelColumns>("models", MODEL_COLUMNS, after, limit).map(modelOf);
  }

  /** At most `limit` models whose name follows `after`, by name, with how often each was learned. */
  modelFrequencies(after: string, limit: number): ModelFrequency[] {
    const rows = this.#after<FrequencyColumns>("models", ["id", "name", "frequency"], after, limit);
    return rows.map(([id, name, frequency]) => ({ id, name: hashNameFromColumn(name), frequency }));
  }

  #namesAfter(after: string, limit: number): string[] {
    return this.#after<[ArrayBuffer]>("models", ["name"], after, limit).map(([name]) => hashNameFromColumn(name));
  }

  /** The events of at most `limit` models, newest first. */
  newestModels(limit: number): (Sequence & { id: number })[] {
    const rows = this.#database.all<EventColumns>(this.#newestModels, limit);
    return rows.map(([id, symbols, lengths]) => ({
      id,
      symbols: new Uint32Array(symbols),
      lengths: new Uint32Array(lengths),
    }));
  }

  /** At most `limit` vectors whose name follows `after`, by name. */
  vectorsAfter(after: string, limit: number): VectorRow[] {
    return this.#after<VectorColumns>("vectors", VECTOR, after, limit).map(vectorOf);
  }

  /** At most `limit` models whose id follows `after`, by id. */
  modelsAfterId(after: number, limit: number): ModelRow[] {
    const statement = `SELECT ${MODEL_COLUMNS.join(", ")} FROM ${this.#prefix}models WHERE id > ? ORDER BY id LIMIT ?`;
    return this.#database.all<ModelColumns>(statement, after, limit).map(modelOf);
  }

  /** At most `limit` vectors whose id follows `after`, by id. */
  vectorsAfterId(after: number, limit: number): VectorRow[] {
    const statement = `SELECT ${VECTOR.join(", ")} FROM ${this.#prefix}vectors WHERE id > ? ORDER BY id LIMIT ?`;
    return this.#database.all<VectorColumns>(statement, after, limit).map(vectorOf);
  }

  /** Those of `ids` that the table has. */
  presentIds(table: "models" | "vectors", ids: readonly number[]): number[] {
    const statement = `SELECT id FROM ${this.#prefix}${table} WHERE id IN (SELECT value FROM json_each(?))`;
    return this.#database.all<[number]>(statement, JSON.stringify(ids)).map(([id]) => id);
  }

  /** Those of `names` that the table has. */
  present(table: "models" | "vectors", names: readonly string[]): string[] {
    const found = new Set<string>();
    for (let at = 0; at < names.length; at += MAX_BOUND) {
      const asked = names.slice(at, at + MAX_BOUND).map(hashNameToColumn);
      const statement = `SELECT name FROM ${this.#prefix}${table} WHERE name IN (${asked.map(() => "?").join(", ")})`;
      for (const [name] of this.#database.all<[ArrayBuffer]>(statement, ...asked)) found.add(hashNameFromColumn(name));
    }
    return names.filter((name) => found.has(name));
  }

  #byName<Row extends ModelColumns | VectorColumns>(statement: string, name: string) {
    // Clients may pass any text; only names can be stored.
    if (!isHashName(name)) return undefined;
    return this.#database.first<Row>(statement, hashNameToColumn(name));
  }

  #byIds<Row extends SqlStorageValue[]>(columns: readonly string[], ids: readonly number[]): Row[] {
    const rows: Row[] = [];
    for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
      for (const row of this.#rowsWith<Row>(columns, ids.slice(at, at + IDS_PER_STATEMENT))) rows.push(row);
    }
    return rows;
  }

  // One statement for many ids is 2.5 times as fast as one for each.
  #rowsWith<Row extends SqlStorageValue[]>(columns: readonly string[], ids: readonly number[]): Row[] {
    const wanted = columns.map((column) => `m.${column}`).join(", ");
    const models = `${this.#prefix}models`;
    const statement = `SELECT j.key, ${wanted} FROM json_each(?) j CROSS JOIN ${models} m ON m.id = j.value`;
    const rows = new Array<Row>(ids.length);
    let found = 0;
    for (const [place, ...row] of this.#database.all<[number, ...Row]>(statement, JSON.stringify(ids))) {
      rows[place] = row;
      found++;
    }
    if (found !== ids.length) throw new Error(`${ids.length - found} of ${ids.length} model ids are not stored`);
    return rows;
  }

  #after<Row extends ModelColumns | VectorColumns | FrequencyColumns | [ArrayBuffer]>(
    table: string,
    columns: readonly string[],
    after: string,
    limit: number,
  ): Row[] {
    if (after !== "" && !isHashName(after)) {
      throw new Fault(
        "invalid",
        `the page's start "${after}" is not the name of a row: 40 hex digits, or nothing for the first page`,
      );
    }
    const statement = `SELECT ${columns.join(", ")} FROM ${this.#prefix}${table} WHERE name > ? ORDER BY name LIMIT ?`;
    return this.#database.all<Row>(statement, after === "" ? BEFORE_ALL_NAMES : hashNameToColumn(after), limit);
  }
}

/** An `INSERT` of symbols. The counters are no longer read, but their columns must be filled. */
function insertSymbols(prefix: string, rows: number): string {
  const values = new Array<string>(rows).fill("(?, ?, 0, 0)").join(", ");
  return `INSERT INTO ${prefix}symbols (id, name, frequency, member_frequency) VALUES ${values}`;
}
