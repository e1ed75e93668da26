/**
 * Reads a knowledge base from JSON that arrives in pieces, in each of its forms: `{models_kb, symbols_kb, vectors_kb,
 * metadata}`, or a list of lines, each alone or inside `data`. Passes on models and vectors one by one, in the order of
 * the file, and the record of past forecasts. Checks symbols and counters but drops them, because they follow from the
 * models.
 */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ForecastRecordSchema } from "../../gen/noema/v1/forecast_pb";
import type { ModelSchema, VectorRecordSchema } from "../../gen/noema/v1/model_pb";
import { isJsonObject, memberPath } from "../../text/located";
import { checkSymbol, forecastRecordOf, modelOf, vectorOf } from "../decode/record";
import { asObject, memberOf, UNIQUE_ID, wrong } from "../decode/value";
import type { Body, LocatedInBody } from "../json/body";
import type { JsonStream } from "../json/stream";
import { UnknownMembers } from "../json/unknown-members";
import { Refusal } from "../refusal";

/** Receives models and vectors. */
export interface KnowledgeSink {
  model(model: MessageInitShape<typeof ModelSchema>): Promise<void>;
  vector(vector: MessageInitShape<typeof VectorRecordSchema>): Promise<void>;
  /** Receives the record of the models' past forecasts. */
  forecastRecord(told: MessageInitShape<typeof ForecastRecordSchema>): void;
}

/** The kind of the records in each member of a knowledge base. */
const KIND_OF: { readonly [section: string]: string } = {
  metadata: "metadata",
  models_kb: "model",
  symbols_kb: "symbol",
  vectors_kb: "vector",
};

const SECTIONS = Object.keys(KIND_OF);

/**
 * Maximum number of metadata members and unknown members together: only one of them is read, but each takes some
 * microseconds.
 */
const MAX_SKIPPED = 10_000;

/** The members of the whole body. */
const FILE_MEMBERS = ["data", ...SECTIONS];

/** The members of a model's record. */
const MODEL_MEMBERS = ["emotives", "frequency", "length", "metadata", "name", "order", "sequence", "times"];

/** The members of a vector's record. */
const VECTOR_MEMBERS = ["hash", "length", "name", "order", "vector"];

/** Further members of a record: a line has its kind and its processor, and GET model adds a member. */
const LINE_MEMBERS = ["kind", "node", "predecessor_model"];

/** The member of the metadata with the record of past forecasts. */
const FORECAST_RECORD = "forecast_record";

const ACCEPTED =
  "a knowledge base {metadata, models_kb, symbols_kb, vectors_kb} or a list of its lines, alone or as the member data";

/**
 * Reads a whole knowledge base.
 *
 * @returns the members that were skipped because they are unknown
 * @throws Refusal 400 naming the record and the wrong member
 */
export async function readKnowledge(stream: JsonStream, sink: KnowledgeSink): Promise<UnknownMembers> {
  const first = await stream.peek();
  if (first === "") throw wrong("", ACCEPTED, undefined);
  const reader = new KnowledgeReader(stream, sink);
  if (first === "[") await reader.lines("");
  else if (first === "{") await reader.base("");
  else throw wrong("", ACCEPTED, (await stream.value()).value);
  await stream.end();
  reader.finish();
  return reader.unknown;
}

class KnowledgeReader {
  readonly #stream: JsonStream;
  readonly #sink: KnowledgeSink;
  readonly unknown = new UnknownMembers();
  /** The parts of the knowledge base read so far. */
  readonly #seen = new Set<string>();
  /** Number of skipped members. */
  #skipped = 0;
  /** By kind: whether its records have their order. */
  readonly #ordered = new Map<string, boolean>();

  constructor(stream: JsonStream, sink: KnowledgeSink) {
    this.#stream = stream;
    this.#sink = sink;
  }

  /** Reads a knowledge base, or, if `path` is empty, an object with one as `data`. Other members are skipped. */
  async base(path: string): Promise<void> {
    for await (const name of this.#stream.members()) {
      const at = memberPath(path, name);
      if (name === "data" && path === "") await this.#data(at);
      else if (Object.hasOwn(KIND_OF, name)) await this.#section(name, at);
      else this.#skip(name, path, await this.#stream.value());
    }
  }

  /** @throws Refusal 413 when too many members were skipped */
  #countSkipped(): void {
    this.#skipped += 1;
    if (this.#skipped <= MAX_SKIPPED) return;
    throw new Refusal(
      413,
      `a knowledge base may have ${MAX_SKIPPED} members of its metadata and unknown ones together, ` +
        "and this one has more",
    );
  }

  #skip(name: string, path: string, { value }: Body): void {
    this.#countSkipped();
    this.unknown.note({ value: { [name]: value }, path }, path === "" ? FILE_MEMBERS : SECTIONS, UNIQUE_ID);
  }

  /** Reads a list of records, each with its kind. */
  async lines(path: string): Promise<void> {
    this.#note("models_kb", path);
    for await (const i of this.#stream.elements()) {
      const at = `${path === "" ? "body" : path}[${i}]`;
      const record = await this.#stream.value(at);
      const { value } = asObject(record.root(at), "a record");
      await this.#record(value.kind, asText(value.kind === "vector" ? value.hash : value.name), record, at);
    }
  }

  /**
   * @throws Refusal 400 when there was no member for models: such a file is not a knowledge base, and would erase
   *   everything
   */
  finish(): void {
    if (!this.#seen.has("models_kb")) throw new Refusal(400, `the body has no models_kb; it must be ${ACCEPTED}`);
  }

  async #data(path: string): Promise<void> {
    this.#note("data", path);
    const first = await this.#stream.peek();
    if (first === "[") await this.lines(path);
    else if (first === "{") await this.base(path);
    else throw wrong(path, "a knowledge base or a list of its lines", (await this.#stream.value()).value);
  }

  async #section(name: string, path: string): Promise<void> {
    this.#note(name, path);
    if ((await this.#stream.peek()) !== "{") throw wrong(path, "an object", (await this.#stream.value()).value);
    for await (const key of this.#stream.members()) {
      const at = memberPath(path, key);
      if (name === "metadata") this.#metadata(key, (await this.#stream.value(at)).root(at));
      else await this.#record(KIND_OF[name], key, await this.#stream.value(at), at);
    }
  }

  async #record(kind: unknown, key: string, record: Body, path: string): Promise<void> {
    switch (kind) {
      case "model":
        this.#noteIn(record, path, MODEL_MEMBERS);
        return this.#sink.model(this.#sameKind(modelOf(record, key, path), "model", path));
      case "vector":
        this.#noteIn(record, path, VECTOR_MEMBERS);
        return this.#sink.vector(this.#sameKind(vectorOf(record, key, path), "vector", path));
      case "symbol":
        return checkSymbol(record, path);
      case "metadata":
        return this.#metadata(FORECAST_RECORD, memberOf(asObject(record.root(path), "a record"), FORECAST_RECORD));
      default:
        throw wrong(`${path}.kind`, `"model", "vector", "symbol" or "metadata"`, kind);
    }
  }

  /** Reads a member of the metadata. All except one are counters, which follow from the models. */
  #metadata(name: string, { value, path }: LocatedInBody): void {
    this.#countSkipped();
    if (name !== FORECAST_RECORD || value === undefined || value === null) return;
    this.#note(FORECAST_RECORD, path);
    this.#sink.forecastRecord(forecastRecordOf(value, path));
  }

  /** @throws Refusal 400 when some records of a kind have their order and others do not */
  #sameKind<T extends { order?: number | undefined }>(message: T, kind: string, path: string): T {
    const hasOrder = message.order !== undefined;
    const before = this.#ordered.get(kind) ?? hasOrder;
    this.#ordered.set(kind, before);
    if (before === hasOrder) return message;
    const wrongness = before ? "is missing, but earlier records have one" : "is given, but earlier records have none";
    throw new Refusal(400, `${memberPath(path, "order")} ${wrongness}; give an order to every ${kind} or to none`);
  }

  #noteIn({ value }: Body, path: string, accepted: readonly string[]): void {
    if (isJsonObject(value)) this.unknown.note({ value, path }, accepted, LINE_MEMBERS);
  }

  #note(part: string, path: string): void {
    if (this.#seen.has(part)) throw new Refusal(400, `${path} is given twice; a knowledge base has one of each part`);
    this.#seen.add(part);
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
