/**
 * Writes ensembles as JSON text. A packed ensemble, which comes as columns with each symbol spelled once, gives the same text as
 * its predictions one by one.
 */

import type { Emotive } from "../../gen/noema/v1/gdf_pb";
import type { PackedEnsemble, Prediction } from "../../gen/noema/v1/prediction_pb";
import { list, number, text, texts } from "../json/writer";
import { emotives, events } from "./envelope";

/** An ensemble in one of its two forms. */
interface Ensemble {
  readonly predictions: readonly Prediction[];
  /** Replaces `predictions` when it is there. Older processors do not set it, even when they are asked to. */
  readonly packed?: PackedEnsemble | undefined;
}

/** The members of a prediction that hold symbols. */
type SymbolMember = "past" | "present" | "future" | "matches" | "missing" | "extras";

/** A prediction whose symbols are JSON text already. */
type WrittenPrediction = Omit<Prediction, SymbolMember | "$typeName" | "$unknown"> & {
  readonly [Name in SymbolMember]: string;
};

/**
 * An ensemble as a list of predictions, in the order given.
 *
 * @throws Error when the columns of a packed ensemble do not fit each other, or one refers to a symbol that is not there
 */
export function ensembleList({ predictions, packed }: Ensemble): string {
  return packed === undefined ? list(predictions.map(plainPrediction)) : new PackedWriter(packed).all();
}

/** The one place that says how a prediction is written. */
function prediction(p: WrittenPrediction): string {
  return (
    `{"confidence":${number(p.confidence)},"confluence":${number(p.confluence)},"emotives":${emotives(p.emotives)},` +
    `"entropy":${number(p.entropy)},"evidence":${number(p.evidence)},"extras":${p.extras},` +
    `"fragmentation":${number(p.fragmentation)},"frequency":${number(p.frequency)},"future":${p.future},` +
    `"grand_hamiltonian":${number(p.grandHamiltonian)},"hamiltonian":${number(p.hamiltonian)},` +
    `"itfdf_similarity":${number(p.itfdfSimilarity)},"matches":${p.matches},"missing":${p.missing},` +
    `"name":${text(p.name)},"past":${p.past},"potential":${number(p.potential)},"present":${p.present},` +
    `"similarity":${number(p.similarity)},"snr":${number(p.snr)},"type":"prototypical"}`
  );
}

function plainPrediction(p: Prediction): string {
  return prediction({
    ...p,
    past: events(p.past),
    present: events(p.present),
    future: events(p.future),
    matches: texts(p.matches),
    missing: texts(p.missing),
    extras: texts(p.extras),
  });
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
    // The order of these three matters: past, present and future follow each other in the columns of events.
    const past = this.#events(this.#pastCounts.next());
    const present = this.#events(this.#presentCounts.next());
    const future = this.#events(this.#futureCounts.next());
    return prediction({
      name,
      past,
      present,
      future,
      matches: this.#texts(this.#matches, this.#matchCounts.next()),
      missing: this.#texts(this.#missing, this.#missingCounts.next()),
      extras: this.#texts(this.#extras, this.#extraCounts.next()),
      emotives: this.#emotives.take(this.#emotiveCounts.next()),
      frequency: metric(e.frequencies, at),
      confidence: metric(e.confidence, at),
      confluence: metric(e.confluence, at),
      entropy: metric(e.entropy, at),
      evidence: metric(e.evidence, at),
      fragmentation: metric(e.fragmentation, at),
      grandHamiltonian: metric(e.grandHamiltonian, at),
      hamiltonian: metric(e.hamiltonian, at),
      itfdfSimilarity: metric(e.itfdfSimilarity, at),
      potential: metric(e.potential, at),
      similarity: metric(e.similarity, at),
      snr: metric(e.snr, at),
    });
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

function metric(column: readonly number[], at: number): number {
  const value = column[at];
  if (value !== undefined) return value;
  throw new Error(`a packed ensemble must have a number for each prediction in every metric, got ${column.length}`);
}
