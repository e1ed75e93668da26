/**
 * Writes ensembles as JSON text. A packed ensemble, whose columns hold each symbol once, gives the same text as its
 * separate predictions.
 */

import { ScalarType } from "@bufbuild/protobuf";
import type { Emotive } from "../../gen/noema/v1/gdf_pb";
import { type PackedEnsemble, type Prediction, PredictionSchema } from "../../gen/noema/v1/prediction_pb";
import { ensembleBytes, MAX_ANSWER_BYTES } from "../../text/answer-bytes";
import { compareCodePoints } from "../../text/code-points";
import { list, number, record, text, texts } from "../json/writer";
import { Refusal } from "../refusal";
import { emotives, events } from "./envelope";

/** An ensemble in one of its two forms. */
interface Ensemble {
  readonly predictions: readonly Prediction[];
  /** Replaces `predictions` if present. Older processors do not set it, even on request. */
  readonly packed?: PackedEnsemble | undefined;
}

/** The members of a prediction that are numbers: the metrics, and the frequency. */
const NUMBERS = PredictionSchema.fields.filter(({ scalar }) => scalar === ScalarType.DOUBLE);

/** The members of a prediction that hold symbols. */
type SymbolMember = "past" | "present" | "future" | "matches" | "missing" | "extras";

/** The type of every prediction: the reference agent has no other. */
const TYPE = '"prototypical"';

/** The names of the members in answers, sorted. */
const MEMBERS = [...PredictionSchema.fields.map(({ name }) => name), "type"].sort(compareCodePoints);

/**
 * An ensemble as a list of predictions, in the order given.
 *
 * @param fields the members of each to write; all if empty
 * @throws Error when the columns of a packed ensemble do not fit each other, or one refers to a missing symbol
 * @throws Refusal 413 when the columns of a packed ensemble would take too many bytes
 */
export function ensembleList({ predictions, packed }: Ensemble, fields: readonly string[] = []): string {
  const members = fields.length === 0 ? MEMBERS : MEMBERS.filter((name) => fields.includes(name));
  if (packed !== undefined) {
    assertFits(packed, fields);
    return new PackedWriter(packed, members).all();
  }
  return list(predictions.map((prediction) => written(prediction, members)));
}

/** A processor on another server may not limit what it packs. */
function assertFits(packed: PackedEnsemble, fields: readonly string[]): void {
  const bytes = ensembleBytes(packed, fields, MAX_ANSWER_BYTES);
  if (bytes <= MAX_ANSWER_BYTES) return;
  throw new Refusal(
    413,
    `the predictions would take ${bytes} bytes as JSON, and an answer may take ${MAX_ANSWER_BYTES}; ` +
      "ask for fewer with top, or for some of their members with fields",
  );
}

/** One prediction. */
export function predictionObject(prediction: Prediction): string {
  return written(prediction, MEMBERS);
}

function written(prediction: Prediction, members: readonly string[]): string {
  const values: { [member: string]: string } = {
    past: events(prediction.past),
    present: events(prediction.present),
    future: events(prediction.future),
    matches: texts(prediction.matches),
    missing: texts(prediction.missing),
    extras: texts(prediction.extras),
    emotives: emotives(prediction.emotives),
    name: text(prediction.name),
    type: TYPE,
  };
  for (const { name, localName } of NUMBERS) values[name] = number(prediction[localName as "snr"]);
  return record(members.map((name) => [name, values[name] ?? ""]));
}

/** Reads a column from its beginning to its end. */
class Column<T> {
  readonly #name: string;
  readonly #values: readonly T[];
  #at = 0;

  /** @param name for messages */
  constructor(name: string, values: readonly T[]) {
    this.#name = name;
    this.#values = values;
  }

  next(): T {
    const value = this.#values[this.#at++];
    if (value !== undefined) return value;
    throw new Error(`a packed ensemble must have more than ${this.#values.length} values in ${this.#name}`);
  }

  take(count: number): T[] {
    const taken: T[] = [];
    for (let i = 0; i < count; i++) taken.push(this.next());
    return taken;
  }
}

/** Reads the columns of one ensemble, a prediction at a time. Escapes each symbol once. */
class PackedWriter {
  readonly #ensemble: PackedEnsemble;
  /** The text before the value of each written member. */
  readonly #heads: readonly string[];
  /** For each of these members, its column of numbers; `undefined` if it is not a number. */
  readonly #columns: readonly (readonly number[] | undefined)[];
  /** For each of these members, the current prediction's value, as JSON. */
  readonly #values: string[];
  /** The index in `#values` of each written member. */
  readonly #places: { readonly [member in "name" | "emotives" | SymbolMember]?: number };
  /** The symbols as JSON, by index. */
  readonly #symbols: readonly string[];
  readonly #pastCounts: Column<number>;
  readonly #presentCounts: Column<number>;
  readonly #futureCounts: Column<number>;
  readonly #eventLengths: Column<number>;
  readonly #eventSymbols: Column<number>;
  readonly #matchCounts: Column<number>;
  readonly #matches: Column<number>;
  readonly #missingCounts: Column<number>;
  readonly #missing: Column<number>;
  readonly #extraCounts: Column<number>;
  readonly #extras: Column<number>;
  readonly #emotiveCounts: Column<number>;
  readonly #emotives: Column<Emotive>;

  /** @param members to write; the columns of others may be missing */
  constructor(ensemble: PackedEnsemble, members: readonly string[]) {
    this.#ensemble = ensemble;
    this.#heads = members.map((name, at) => `${at === 0 ? "{" : ","}"${name}":`);
    this.#columns = members.map((name) => columnOf(ensemble, name));
    this.#values = members.map(() => TYPE);
    this.#places = Object.fromEntries(members.map((name, at) => [name, at]));
    this.#symbols = ensemble.symbols.map(text);
    this.#pastCounts = new Column("past_counts", ensemble.pastCounts);
    this.#presentCounts = new Column("present_counts", ensemble.presentCounts);
    this.#futureCounts = new Column("future_counts", ensemble.futureCounts);
    this.#eventLengths = new Column("event_lengths", ensemble.eventLengths);
    this.#eventSymbols = new Column("event_symbols", ensemble.eventSymbols);
    this.#matchCounts = new Column("match_counts", ensemble.matchCounts);
    this.#matches = new Column("matches", ensemble.matches);
    this.#missingCounts = new Column("missing_counts", ensemble.missingCounts);
    this.#missing = new Column("missing", ensemble.missing);
    this.#extraCounts = new Column("extra_counts", ensemble.extraCounts);
    this.#extras = new Column("extras", ensemble.extras);
    this.#emotiveCounts = new Column("emotive_counts", ensemble.emotiveCounts);
    this.#emotives = new Column("emotives", ensemble.emotives);
  }

  all(): string {
    return list(this.#ensemble.names.map((name, at) => this.#prediction(name, at)));
  }

  #prediction(name: string, at: number): string {
    const { past, present, future, matches, missing, extras, emotives: felt } = this.#places;
    const values = this.#values;
    if (past !== undefined || present !== undefined || future !== undefined) {
      // The order matters: past, present and future follow each other in the columns of events.
      put(values, past, this.#events(this.#pastCounts.next()));
      put(values, present, this.#events(this.#presentCounts.next()));
      put(values, future, this.#events(this.#futureCounts.next()));
    }
    if (matches !== undefined) values[matches] = this.#texts(this.#matches, this.#matchCounts.next());
    if (missing !== undefined) values[missing] = this.#texts(this.#missing, this.#missingCounts.next());
    if (extras !== undefined) values[extras] = this.#texts(this.#extras, this.#extraCounts.next());
    if (felt !== undefined) values[felt] = emotives(this.#emotives.take(this.#emotiveCounts.next()));
    put(values, this.#places.name, text(name));
    return this.#joined(at);
  }

  #joined(at: number): string {
    const heads = this.#heads;
    const columns = this.#columns;
    const values = this.#values;
    let out = "";
    for (let member = 0; member < heads.length; member++) {
      const column = columns[member];
      out += heads[member];
      out += column === undefined ? values[member] : metric(column, at);
    }
    return `${out}}`;
  }

  #events(count: number): string {
    const events: string[] = [];
    for (let i = 0; i < count; i++) events.push(this.#texts(this.#eventSymbols, this.#eventLengths.next()));
    return list(events);
  }

  #texts(places: Column<number>, count: number): string {
    let out = "[";
    for (let i = 0; i < count; i++) out += i === 0 ? this.#symbol(places.next()) : `,${this.#symbol(places.next())}`;
    return `${out}]`;
  }

  #symbol(place: number): string {
    const symbol = this.#symbols[place];
    if (symbol !== undefined) return symbol;
    throw new Error(`a packed ensemble has ${this.#symbols.length} symbols, but refers to the one at place ${place}`);
  }
}

/** Sets the value of a member, if it is written. */
function put(values: string[], place: number | undefined, json: string): void {
  if (place !== undefined) values[place] = json;
}

/** The column of a numeric member. */
function columnOf(ensemble: PackedEnsemble, member: string): readonly number[] | undefined {
  if (member === "frequency") return ensemble.frequencies;
  const field = NUMBERS.find(({ name }) => name === member);
  return field && ensemble[field.localName as "snr"];
}

function metric(column: readonly number[], at: number): string {
  const value = column[at];
  if (value !== undefined) return number(value);
  throw new Error(`a packed ensemble must have a number for each prediction in every metric, got ${column.length}`);
}
