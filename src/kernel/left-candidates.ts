/**
 * What a part keeps between the two questions of a prediction: the models that can still be one. The second question
 * need not look at all models again then. It only saves work.
 */

import type { Query } from "../processor/ports/matcher";

/** What a pass has left, as the kernel has it. */
export interface LeftCandidates {
  bytes: Uint8Array;
  /** How many bytes are of survivors, of deferred models that share one symbol, and of those that match in singles. */
  survivors: number;
  shared: number;
  singles: number;
}

/** How many bytes all parts of an isolate keep together: those of a part of a million models are less than 6 MB. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;

/** Whether two queries have the same answer. How many steps they may take does not matter. */
function isSame(one: Query, other: Query): boolean {
  return (
    one.symbols.length === other.symbols.length &&
    one.symbols.every((symbol, at) => symbol === other.symbols[at]) &&
    one.target === other.target &&
    one.recallThreshold === other.recallThreshold &&
    one.maxPredictions === other.maxPredictions &&
    one.sortMetric === other.sortMetric &&
    one.thresholdMetric === other.thresholdMetric &&
    one.threshold === other.threshold &&
    one.thresholdAtLeast === other.thresholdAtLeast &&
    one.totals.modelFrequencies === other.totals.modelFrequencies &&
    one.totals.memberFrequencies === other.totals.memberFrequencies &&
    one.knownSymbols === other.knownSymbols
  );
}

/** The candidates that the parts of an isolate keep, one query a part; the oldest are dropped for newer ones. */
export class KeptCandidates {
  readonly #mostBytes: number;
  readonly #kept = new Map<object, { query: Query; left: LeftCandidates }>();
  #bytes = 0;

  /** @param mostBytes the most that are kept */
  constructor(mostBytes = MOST_KEPT_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Keeps what a part has left of a query, in place of what it has kept before. */
  keep(part: object, query: Query, left: LeftCandidates): void {
    this.drop(part);
    this.#kept.set(part, { query: { ...query, symbols: query.symbols.slice(), totals: { ...query.totals } }, left });
    this.#bytes += left.bytes.length;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
      this.drop(oldest);
    }
  }

  /** What a part has kept of a query, which it keeps no longer; `undefined` for none. */
  take(part: object, query: Query): LeftCandidates | undefined {
    const kept = this.#kept.get(part);
    if (kept === undefined || !isSame(kept.query, query)) return undefined;
    this.drop(part);
    return kept.left;
  }

  /** Forgets what a part keeps: its models or symbols change. */
  drop(part: object): void {
    this.#bytes -= this.#kept.get(part)?.left.bytes.length ?? 0;
    this.#kept.delete(part);
  }
}
