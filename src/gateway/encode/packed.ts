/** Writes predictions that came as columns as the same JSON text that they would be one by one. Escapes each symbol once. */

import type { Emotive } from "../../gen/noema/v1/gdf_pb";
import type { PackedEnsemble } from "../../gen/noema/v1/prediction_pb";
import { list, number, text } from "../json/writer";
import { emotives } from "./noun";

/**
 * An ensemble as a list of predictions, in the order given.
 *
 * @throws Error when the columns do not fit each other, or one refers to a symbol that is not there
 */
export function packedPredictions(ensemble: PackedEnsemble): string {
  return new PackedWriter(ensemble).all();
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

/** The columns of one ensemble, and how far they are written. */
class PackedWriter {
  readonly #ensemble: PackedEnsemble;
  /** As JSON, by place. */
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

  constructor(ensemble: PackedEnsemble) {
    this.#ensemble = ensemble;
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
    const e = this.#ensemble;
    // The events of one prediction stand together, though they are members apart.
    const past = this.#events(this.#pastCounts.next());
    const present = this.#events(this.#presentCounts.next());
    const future = this.#events(this.#futureCounts.next());
    return (
      `{"confidence":${metric(e.confidence, at)},"confluence":${metric(e.confluence, at)},` +
      `"emotives":${emotives(this.#emotives.take(this.#emotiveCounts.next()))},` +
      `"entropy":${metric(e.entropy, at)},"evidence":${metric(e.evidence, at)},` +
      `"extras":${this.#texts(this.#extras, this.#extraCounts.next())},` +
      `"fragmentation":${metric(e.fragmentation, at)},"frequency":${metric(e.frequencies, at)},"future":${future},` +
      `"grand_hamiltonian":${metric(e.grandHamiltonian, at)},"hamiltonian":${metric(e.hamiltonian, at)},` +
      `"itfdf_similarity":${metric(e.itfdfSimilarity, at)},` +
      `"matches":${this.#texts(this.#matches, this.#matchCounts.next())},` +
      `"missing":${this.#texts(this.#missing, this.#missingCounts.next())},` +
      `"name":${text(name)},"past":${past},"potential":${metric(e.potential, at)},"present":${present},` +
      `"similarity":${metric(e.similarity, at)},"snr":${metric(e.snr, at)},"type":"prototypical"}`
    );
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

function metric(column: readonly number[], at: number): string {
  const value = column[at];
  if (value !== undefined) return number(value);
  throw new Error(`a packed ensemble must have a number for each prediction in every metric, got ${column.length}`);
}
