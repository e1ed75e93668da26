/**
 * Writes ensembles as JSON text. A packed ensemble, which comes as columns with each symbol spelled once, gives the
 * same text as its predictions one by one.
 */

import type { Emotive } from "../../gen/noema/v1/gdf_pb";
import type { PackedEnsemble, Prediction } from "../../gen/noema/v1/prediction_pb";
import { ensembleBytes, MOST_ANSWER_BYTES } from "../../text/answer-bytes";
import { list, number, text, texts } from "../json/writer";
import { Refusal } from "../refusal";
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
 * @param fields the members to write of each; all when there are none
 * @throws Error when the columns of a packed ensemble do not fit each other, or one refers to a
 *   symbol that is not there
 * @throws Refusal 413 when the columns of a packed ensemble would take too many bytes
 */
export function ensembleList({ predictions, packed }: Ensemble, fields: readonly string[] = []): string {
  const members = fields.length === 0 ? MEMBERS : MEMBERS.filter(({ name }) => fields.includes(name));
  if (packed !== undefined) {
    assertFits(packed, fields);
    return new PackedWriter(packed, members).all();
  }
  return list(predictions.map((prediction) => written(plainPrediction(prediction), members)));
}

/** A processor elsewhere does not count what it packs. */
function assertFits(packed: PackedEnsemble, fields: readonly string[]): void {
  const bytes = ensembleBytes(packed, fields, MOST_ANSWER_BYTES);
  if (bytes <= MOST_ANSWER_BYTES) return;
  throw new Refusal(
    413,
    `the predictions would take ${bytes} bytes as JSON, and an answer may take ${MOST_ANSWER_BYTES}; ask for fewer with top, or for some of their members with fields`,
  );
}

/** One prediction. */
export function predictionObject(prediction: Prediction): string {
  return whole(plainPrediction(prediction));
}

/** A member of a prediction, and how it is written. */
interface Member {
  readonly name: string;
  readonly write: (prediction: WrittenPrediction) => string;
}

/** How a prediction is written, member by member, sorted. {@link whole} writes the same at once. */
const MEMBERS: readonly Member[] = [
  { name: "confidence", write: (p) => number(p.confidence) },
  { name: "confluence", write: (p) => number(p.confluence) },
  { name: "emotives", write: (p) => emotives(p.emotives) },
  { name: "entropy", write: (p) => number(p.entropy) },
  { name: "evidence", write: (p) => number(p.evidence) },
  { name: "extras", write: (p) => p.extras },
  { name: "fragmentation", write: (p) => number(p.fragmentation) },
  { name: "frequency", write: (p) => number(p.frequency) },
  { name: "future", write: (p) => p.future },
  { name: "grand_hamiltonian", write: (p) => number(p.grandHamiltonian) },
  { name: "hamiltonian", write: (p) => number(p.hamiltonian) },
  { name: "itfdf_similarity", write: (p) => number(p.itfdfSimilarity) },
  { name: "matches", write: (p) => p.matches },
  { name: "missing", write: (p) => p.missing },
  { name: "name", write: (p) => text(p.name) },
  { name: "past", write: (p) => p.past },
  { name: "potential", write: (p) => number(p.potential) },
  { name: "present", write: (p) => p.present },
  { name: "similarity", write: (p) => number(p.similarity) },
  { name: "snr", write: (p) => number(p.snr) },
  { name: "type", write: () => '"prototypical"' },
];

/** A prediction with all members: written so, it takes half of the time. */
function whole(p: WrittenPrediction): string {
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

/** A prediction with some members. */
function written(prediction: WrittenPrediction, members: readonly Member[]): string {
  if (members === MEMBERS) return whole(prediction);
  let out = "";
  for (const { name, write } of members) out += `${out === "" ? "{" : ","}"${name}":${write(prediction)}`;
  return `${out}}`;
}

function plainPrediction(p: Prediction): WrittenPrediction {
  return {
    ...p,
    past: events(p.past),
    present: events(p.present),
    future: events(p.future),
    matches: texts(p.matches),
    missing: texts(p.missing),
    extras: texts(p.extras),
  };
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

/** Text for events that were not requested. */
const NO_EVENTS = { past: "", present: "", future: "" };

/** Reads the columns of one ensemble, a prediction at a time. Escapes each symbol once. */
class PackedWriter {
  readonly #ensemble: PackedEnsemble;
  readonly #members: readonly Member[];
  /** The names of the members; `undefined` for all. */
  readonly #wanted: ReadonlySet<string> | undefined;
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

  /** @param members those to write; the columns of others may be missing */
  constructor(ensemble: PackedEnsemble, members: readonly Member[]) {
    this.#ensemble = ensemble;
    this.#members = members;
    this.#wanted = members === MEMBERS ? undefined : new Set(members.map(({ name }) => name));
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
    const { past, present, future } = this.#allEvents();
    const prediction = {
      name,
      past,
      present,
      future,
      matches: this.#symbolList("matches", this.#matches, this.#matchCounts),
      missing: this.#symbolList("missing", this.#missing, this.#missingCounts),
      extras: this.#symbolList("extras", this.#extras, this.#extraCounts),
      emotives: this.#wants("emotives") ? this.#emotives.take(this.#emotiveCounts.next()) : [],
      frequency: this.#metric("frequency", e.frequencies, at),
      confidence: this.#metric("confidence", e.confidence, at),
      confluence: this.#metric("confluence", e.confluence, at),
      entropy: this.#metric("entropy", e.entropy, at),
      evidence: this.#metric("evidence", e.evidence, at),
      fragmentation: this.#metric("fragmentation", e.fragmentation, at),
      grandHamiltonian: this.#metric("grand_hamiltonian", e.grandHamiltonian, at),
      hamiltonian: this.#metric("hamiltonian", e.hamiltonian, at),
      itfdfSimilarity: this.#metric("itfdf_similarity", e.itfdfSimilarity, at),
      potential: this.#metric("potential", e.potential, at),
      similarity: this.#metric("similarity", e.similarity, at),
      snr: this.#metric("snr", e.snr, at),
    };
    return written(prediction, this.#members);
  }

  #wants(member: string): boolean {
    return this.#wanted === undefined || this.#wanted.has(member);
  }

  #allEvents(): Pick<WrittenPrediction, "past" | "present" | "future"> {
    if (!(this.#wants("past") || this.#wants("present") || this.#wants("future"))) return NO_EVENTS;
    // The order matters: past, present and future follow each other in the columns of events.
    const past = this.#events(this.#pastCounts.next());
    const present = this.#events(this.#presentCounts.next());
    const future = this.#events(this.#futureCounts.next());
    return { past, present, future };
  }

  #events(count: number): string {
    const events: string[] = [];
    for (let i = 0; i < count; i++) events.push(this.#texts(this.#eventSymbols, this.#eventLengths.next()));
    return list(events);
  }

  #symbolList(member: string, places: Column<number>, counts: Column<number>): string {
    return this.#wants(member) ? this.#texts(places, counts.next()) : "";
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

  #metric(member: string, column: readonly number[], at: number): number {
    const value = column[at];
    if (value !== undefined) return value;
    if (!this.#wants(member)) return 0;
    throw new Error(`a packed ensemble must have a number for each prediction in every metric, got ${column.length}`);
  }
}
