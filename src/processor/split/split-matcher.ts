/**
 * The matcher of a split processor. It has no models of its own: it asks all parts and combines their answers. All sums
 * over models are whole numbers, so the answers equal those of one matcher with all models, to the last bit.
 */

import type { ComparedSequence, Comparison } from "../ports/comparison";
import type {
  ExplainedMatch,
  GrowingMemory,
  Match,
  MatchableModel,
  Matcher,
  Metric,
  ModelBatch,
  Query,
  Sequence,
} from "../ports/matcher";
import type { KeptSums, PackedMatches, PartAnswers, Parts, ReadMatches } from "../ports/parts";
import { SplitComparison } from "./split-comparison";

/** Metrics that are 0 or more for every match. */
const NEVER_BELOW_ZERO: ReadonlySet<Metric> = new Set([
  "similarity",
  "number_of_blocks",
  "potential",
  "evidence",
  "fragmentation",
  "snr",
  "confidence",
]);

/**
 * Whether the prediction threshold keeps everything that the recall threshold keeps. Then each model alone decides
 * whether it is a prediction.
 */
function everyKeptPasses({ threshold, thresholdAtLeast, thresholdMetric }: Query): boolean {
  return thresholdAtLeast && threshold <= 0 && NEVER_BELOW_ZERO.has(thresholdMetric);
}

/** The maximum of the parts' steps. */
function mostSteps(answers: readonly { steps: number }[]): number {
  return answers.reduce((most, { steps }) => Math.max(most, steps), 0);
}

/** Numbers of several lists, the greatest first. */
function sortedDescending(lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all.sort().reverse();
}

/** The sums over all parts. The floor is a value that the maximum number of predictions surely reaches. */
function summed(answers: readonly PartAnswers["sums"][], { maxPredictions, symbols }: Query): KeptSums {
  const floors = sortedDescending(answers.map((answer) => answer.floors));
  return {
    keptFrequencies: answers.reduce((sum, { keptFrequencies }) => sum + keptFrequencies, 0),
    weighs: Uint8Array.from(symbols, (_, at) => Number(answers.some(({ weighs }) => weighs[at] === 1))),
    floor: floors[maxPredictions - 1] ?? Number.NEGATIVE_INFINITY,
  };
}

/** A position in the matches of a part. */
interface Cursor {
  readonly matches: PackedMatches;
  at: number;
}

/** Whether a part's next match precedes another's: the greater value first, then the newer model. */
function precedes(one: Cursor, other: Cursor): boolean {
  const [value, otherValue] = [one.matches.values[one.at] ?? 0, other.matches.values[other.at] ?? 0];
  if (value !== otherValue) return value > otherValue;
  return (one.matches.ids[one.at] ?? 0) > (other.matches.ids[other.at] ?? 0);
}

/** The records of the best matches of all parts, best first. */
function best(answers: readonly PartAnswers["predict"][], { maxPredictions }: Query): Uint8Array[] {
  let left = answers.map(({ matches }): Cursor => ({ matches, at: 0 })).filter(hasMore);
  const records: Uint8Array[] = [];
  while (left.length > 0 && records.length < maxPredictions) {
    const next = left.reduce((one, other) => (precedes(other, one) ? other : one));
    const { starts, records: own } = next.matches;
    records.push(own.subarray(starts[next.at], starts[next.at + 1]));
    next.at++;
    if (!hasMore(next)) left = left.filter(hasMore);
  }
  return records;
}

function hasMore({ matches, at }: Cursor): boolean {
  return at < matches.ids.length;
}

/** Copies records one after the other, so that the memory of the others can be freed. */
function joined(records: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    at += record.length;
  }
  return bytes.buffer;
}

/** See the head of the file. */
export class SplitMatcher implements Matcher {
  readonly #parts: Parts;
  readonly #readMatches: ReadMatches;
  #steps = 0;

  /** @param readMatches reads matches as the parts' kernels write them */
  constructor(parts: Parts, readMatches: ReadMatches) {
    this.#parts = parts;
    this.#readMatches = readMatches;
  }

  /**
   * The maximum over the parts, added up over the questions of the latest query: each part may use all steps of a
   * query.
   */
  get steps(): number {
    return this.#steps;
  }

  get symbolCount(): number {
    return this.#parts.symbolCount;
  }

  get bytes(): number {
    return this.#parts.bytes;
  }

  get limitBytes(): number {
    return this.#parts.limitBytes;
  }

  add(model: MatchableModel): void {
    this.#parts.changed({ kind: "add", model });
  }

  /** Only counts: parts are filled from the store, not from here. */
  addBatch(batch: ModelBatch): void {
    this.#parts.holds(batch);
  }

  remove(id: number, { symbols, lengths }: Sequence): void {
    this.#parts.changed({ kind: "remove", id, symbols: symbols.length, events: lengths.length });
  }

  setFrequency(id: number, frequency: number): void {
    this.#parts.changed({ kind: "frequency", id, frequency });
  }

  setSymbolFrequency(symbol: number, frequency: number): void {
    const [ids, frequencies] = [Uint32Array.of(symbol), Float64Array.of(frequency)];
    this.#parts.changed({ kind: "symbols", ids, frequencies });
  }

  clear(): void {
    this.#parts.replaced();
  }

  predict(query: Query): Match[] {
    const sums = this.#sums(query);
    if (sums === undefined) return [];
    const answers = this.#parts.ask<"predict">({ kind: "predict", query: this.#rest(query), sums });
    this.#steps += mostSteps(answers);
    const records = best(answers, query);
    return this.#readMatches(joined(records), records.length);
  }

  /** A glance asks no part, because it is not known which part has the model found last. */
  matchesAny(query: Query, _memory?: GrowingMemory, glance = false): boolean | undefined {
    this.#steps = 0;
    if (glance) return undefined;
    if (everyKeptPasses(query)) {
      const answers = this.#parts.ask<"any">({ kind: "any", query });
      // Most memories have predictions, so while that is unknown, the questions that follow from a prediction are asked
      // too.
      if (answers.length === 0) return true;
      this.#steps = mostSteps(answers);
      if (this.#steps > query.steps) return undefined;
      if (answers.some(({ any }) => any === true)) return true;
      return answers.some(({ any }) => any === undefined) ? undefined : false;
    }
    const isAny = this.predict({ ...query, maxPredictions: 1 }).length > 0;
    return this.#steps > query.steps ? undefined : isAny;
  }

  /** Asks for the sums as {@link predict} does, which usually has them already. */
  explain(query: Query, id: number): ExplainedMatch | undefined {
    const sums = this.#sums(query);
    if (sums === undefined) return undefined;
    const answers = this.#parts.ask<"explain">({ kind: "explain", query: this.#rest(query), sums, id });
    this.#steps += mostSteps(answers);
    return answers.find(({ explained }) => explained !== undefined)?.explained;
  }

  countMatching(query: Query, thresholds: Float64Array): number[] {
    const answers = this.#parts.ask<"count">({ kind: "count", query, thresholds });
    this.#steps = mostSteps(answers);
    return Array.from(thresholds, (_, at) => answers.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0));
  }

  compare<Answer>(sequence: ComparedSequence, work: (comparison: Comparison) => Answer): Answer {
    return work(new SplitComparison(this.#parts, sequence));
  }

  /** The sums over all parts; `undefined` when no model is kept, or the steps did not suffice. */
  #sums(query: Query): KeptSums | undefined {
    const answers = this.#parts.ask<"sums">({ kind: "sums", query });
    this.#steps = mostSteps(answers);
    const sums = summed(answers, query);
    return sums.keptFrequencies === 0 || this.#steps > query.steps ? undefined : sums;
  }

  /** The query with the steps left. */
  #rest(query: Query): Query {
    return { ...query, steps: query.steps - this.#steps };
  }
}
