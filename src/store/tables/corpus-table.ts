/**
 * The tables `chunks` and `changed`: a copy of the models, packed for a quick start. The rows of `models` are
 * authoritative. A chunk is packed when enough models were learned, and repacked when enough of them have changed or it
 * is damaged. So a learn writes only its own rows, except about once in a thousand learns.
 */

import type { MatchableModel, ModelBatch, Sequence } from "../../processor/ports/matcher";
import type { Database } from "../database/database";
import { checksumOf, packChunk, unpackChunk } from "../rows/corpus-chunk";
import { batchOf, modelsOf } from "../rows/model-batch";

/** Maximum number of models in a chunk, and so of models that a start reads from their rows and packs at once. */
const MAX_MODELS = 4096;
/** Maximum bytes of a chunk. A row holds 2 MB. */
const MAX_BYTES = 1024 * 1024;
/** A chunk with this many changed models is packed again. */
const MAX_CHANGED = 1024;
/** Adjacent chunks with at most this many models together are merged when one of them is repacked. */
const FEW_MODELS = MAX_MODELS / 2;

/** The columns of `models` that matching needs. */
type CorpusColumns = [id: number, frequency: number, symbols: ArrayBuffer, lengths: ArrayBuffer];

/** A stored chunk. It covers the ids after the previous chunk's last one. */
interface Chunk {
  last: number;
  /** The ids of models that were changed, added or removed since it was packed. */
  changed: Set<number>;
  /** Number of models when it was packed; `undefined` until it is packed or read. */
  models: number | undefined;
  /** Known number of models removed since. */
  removed: number;
}

/** What the tables hold, and how much was learned after the last chunk. */
interface Contents {
  /** By `last`. */
  chunks: Chunk[];
  tailModels: number;
  tailBytes: number;
}

/** Maximum bytes of a packed model. */
function bytesOf({ symbols, lengths }: Sequence): number {
  return 24 + 4 * (symbols.length + lengths.length);
}

/** Reads the corpus, and keeps its packed copy up to date. */
export class CorpusTable {
  readonly #database: Database;
  readonly #prefix: string;
  readonly #select: string;
  /** Read on first use. */
  #contents: Contents | undefined;

  /** @param prefix the beginning of the tables' names */
  constructor(database: Database, prefix: string) {
    this.#database = database;
    this.#prefix = prefix;
    this.#select = `SELECT id, frequency, symbols, lengths FROM ${prefix}models`;
  }

  /** All models by id, a chunk at a time. */
  *batches(): Iterable<ModelBatch> {
    let after = 0;
    for (const chunk of [...this.#read().chunks]) {
      yield this.#batch(chunk, after);
      after = chunk.last;
    }
    yield batchOf(this.#rows(after, Number.MAX_SAFE_INTEGER));
  }

  /** All models by id. */
  *models(): Iterable<MatchableModel> {
    for (const batch of this.batches()) yield* modelsOf(batch);
  }

  /** Call this when a model was written to its row. */
  written(model: MatchableModel): void {
    // Contents read after this already count the row.
    const counted = this.#contents === undefined;
    if (model.id <= this.#end()) this.changed(model.id);
    else this.#lengthenTail(model, counted);
  }

  /** Call this when the row of the model with this id was changed. */
  changed(id: number): void {
    const chunk = this.#chunkOf(id);
    if (chunk === undefined) return;
    this.#note(chunk, id);
    if (chunk.changed.size >= MAX_CHANGED) this.#packAgain(chunk);
  }

  /**
   * Call this when the row of the model with this id was removed. A chunk that has lost half its models is repacked
   * even if it is small.
   */
  removed(id: number): void {
    const chunk = this.#chunkOf(id);
    if (chunk === undefined) return;
    this.#note(chunk, id);
    chunk.removed++;
    if (chunk.changed.size >= MAX_CHANGED || leftIn(chunk) <= chunk.removed) this.#packAgain(chunk);
  }

  /** Packs all models after the last chunk, except the last few. */
  packTail(): void {
    while (this.packNext());
    this.forget();
  }

  /** Packs the next models after the last chunk. @returns whether there were enough for a chunk */
  packNext(): boolean {
    const after = this.#end();
    const statement =
      `SELECT id, 24 + length(symbols) + length(lengths) FROM ${this.#prefix}models ` +
      `WHERE id > ? ORDER BY id LIMIT ${MAX_MODELS}`;
    let models = 0;
    let bytes = 0;
    for (const [id, more] of this.#database.all<[number, number]>(statement, after)) {
      models++;
      bytes += more;
      if (models < MAX_MODELS && bytes < MAX_BYTES) continue;
      this.#pack(after, id);
      return true;
    }
    return false;
  }

  /** Deletes all chunks, because models were written only to their rows. */
  clear(): void {
    this.#database.run(`DELETE FROM ${this.#prefix}chunks`);
    this.#database.run(`DELETE FROM ${this.#prefix}changed`);
    this.forget();
  }

  /** Call this when the tables were emptied or replaced. */
  forget(): void {
    this.#contents = undefined;
  }

  /** @param counted whether the known tail includes the model */
  #lengthenTail(model: MatchableModel, counted: boolean): void {
    const contents = this.#read();
    contents.tailModels += counted ? 0 : 1;
    contents.tailBytes += counted ? 0 : bytesOf(model);
    if (contents.tailModels < MAX_MODELS && contents.tailBytes < MAX_BYTES) return;
    this.#pack(this.#end(), model.id);
    contents.tailModels = 0;
    contents.tailBytes = 0;
  }

  #chunkOf(id: number): Chunk | undefined {
    return id > this.#end() ? undefined : this.#read().chunks.find(({ last }) => id <= last);
  }

  #note(chunk: Chunk, id: number): void {
    if (chunk.changed.has(id)) return;
    chunk.changed.add(id);
    this.#database.run(`INSERT INTO ${this.#prefix}changed (id) VALUES (?)`, id);
  }

  /**
   * Repacks what is left of a chunk, together with the previous one if both are small: in an endless stream, few models
   * of each chunk may survive.
   */
  #packAgain(chunk: Chunk): void {
    const { chunks } = this.#read();
    const at = chunks.indexOf(chunk);
    const before = chunks[at - 1];
    const isSmall = before !== undefined && leftIn(before) + leftIn(chunk) <= FEW_MODELS;
    this.#pack(chunks[isSmall ? at - 2 : at - 1]?.last ?? 0, chunk.last);
  }

  #end(): number {
    return this.#read().chunks.at(-1)?.last ?? 0;
  }

  #read(): Contents {
    this.#contents ??= this.#contentsOfTables();
    return this.#contents;
  }

  #contentsOfTables(): Contents {
    const lasts = this.#database.all<[number]>(`SELECT last FROM ${this.#prefix}chunks ORDER BY last`);
    const chunks = lasts.map(([last]): Chunk => ({ last, changed: new Set(), models: undefined, removed: 0 }));
    let at = 0;
    for (const [id] of this.#database.all<[number]>(`SELECT id FROM ${this.#prefix}changed ORDER BY id`)) {
      while (id > (chunks[at]?.last ?? id)) at++;
      chunks[at]?.changed.add(id);
    }
    const [tailModels = 0, tailBytes = 0] =
      this.#database.first<[number, number]>(
        "SELECT count(*), coalesce(sum(24 + length(symbols) + length(lengths)), 0) " +
          `FROM ${this.#prefix}models WHERE id > ?`,
        chunks.at(-1)?.last ?? 0,
      ) ?? [];
    return { chunks, tailModels, tailBytes };
  }

  #batch(chunk: Chunk, after: number): ModelBatch {
    const [bytes, checksum] =
      this.#database.first<[ArrayBuffer | null, number]>(
        `SELECT bytes, checksum FROM ${this.#prefix}chunks WHERE last = ?`,
        chunk.last,
      ) ?? [];
    // Too large to be packed.
    if (bytes === null) {
      const rows = this.#rows(after, chunk.last);
      chunk.models = rows.length + chunk.removed;
      return batchOf(rows);
    }
    if (bytes === undefined || bytes.byteLength % 4 !== 0 || checksumOf(new Uint8Array(bytes)) !== checksum) {
      console.error(`the packed copy of the models ${after + 1} to ${chunk.last} is damaged; it is packed again`);
      this.#pack(after, chunk.last);
      return batchOf(this.#rows(after, chunk.last));
    }
    const batch = unpackChunk(bytes);
    chunk.models = batch.ids.length;
    return chunk.changed.size === 0 ? batch : this.#renewed(batch, chunk, after);
  }

  /** The batch with its changed models read from their rows. */
  #renewed(batch: ModelBatch, chunk: Chunk, after: number): ModelBatch {
    const { changed, last } = chunk;
    const statement = `${this.#select} WHERE id IN (SELECT id FROM ${this.#prefix}changed WHERE id > ? AND id <= ?)`;
    const rows = this.#database.all<CorpusColumns>(statement, after, last).map(modelOf);
    chunk.removed = changed.size - rows.length;
    const unchanged = modelsOf(batch).filter(({ id }) => !changed.has(id));
    return batchOf([...unchanged, ...rows].sort((a, b) => a.id - b.id));
  }

  #rows(after: number, last: number): MatchableModel[] {
    const statement = `${this.#select} WHERE id > ? AND id <= ? ORDER BY id`;
    return this.#database.all<CorpusColumns>(statement, after, last).map(modelOf);
  }

  /** Packs the models with ids after `after` up to `last`, and replaces the chunks that held them. */
  #pack(after: number, last: number): void {
    const contents = this.#read();
    this.#database.run(`DELETE FROM ${this.#prefix}chunks WHERE last > ? AND last <= ?`, after, last);
    this.#database.run(`DELETE FROM ${this.#prefix}changed WHERE id > ? AND id <= ?`, after, last);
    const packed: Chunk[] = [];
    for (const models of runs(this.#rows(after, last))) packed.push(this.#putChunk(models));
    const before = contents.chunks.filter((chunk) => chunk.last <= after);
    const following = contents.chunks.filter((chunk) => chunk.last > last);
    contents.chunks = [...before, ...packed, ...following];
  }

  #putChunk(models: readonly MatchableModel[]): Chunk {
    const last = models.at(-1)?.id ?? 0;
    const bytes = packChunk(batchOf(models));
    const statement = `INSERT INTO ${this.#prefix}chunks (last, bytes, checksum) VALUES (?, ?, ?)`;
    this.#database.run(statement, last, bytes.byteLength > MAX_BYTES ? null : bytes, checksumOf(bytes));
    return { last, changed: new Set(), models: models.length, removed: 0 };
  }
}

/** Number of models left in a chunk; infinite if unknown. */
function leftIn({ models = Number.POSITIVE_INFINITY, removed }: Chunk): number {
  return models - removed;
}

function modelOf([id, frequency, symbols, lengths]: CorpusColumns): MatchableModel {
  return { id, frequency, symbols: new Uint32Array(symbols), lengths: new Uint32Array(lengths) };
}

/** Cuts models into runs that fit into a chunk. A model too large for a chunk is a run of its own. */
function runs(models: readonly MatchableModel[]): MatchableModel[][] {
  const cut: MatchableModel[][] = [];
  let room = 0;
  for (const model of models) {
    const bytes = bytesOf(model);
    if (room < bytes || (cut.at(-1)?.length ?? 0) >= MAX_MODELS) {
      cut.push([]);
      room = MAX_BYTES;
    }
    cut.at(-1)?.push(model);
    room -= bytes;
  }
  return cut;
}
