/**
 * What a part keeps between the two questions of a prediction: the models that can still be one. Then the second
 * question does not have to examine all models again. It only saves work.
 */

import type { Query } from "../processor/ports/matcher";

/** The candidates left by a pass, in the kernel's form. */
export interface LeftCandidates {
  bytes: Uint8Array;
  /** Bytes of the survivors, of the deferred models that share one symbol, and of those that match in singles. */
  survivors: number;
  shared: number;
  singles: number;
}

/** Maximum bytes that all parts of an isolate keep together. A part of a million models keeps less than 6 MB. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** About how many bytes a query takes that is kept, besides its symbols and candidates. */
const KEPT_BYTES = 1_024;

/** Whether two queries have the same answer. Their limits of steps do not matter. */
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

/** What a part keeps of one query. */
interface Kept {
  readonly part: object;
  readonly query: Query;
  readonly left: LeftCandidates;
  readonly bytes: number;
}

/** The candidates that the parts of an isolate keep; the oldest are dropped for newer ones. */
export class KeptCandidates {
  readonly #mostBytes: number;
  /** Oldest first. */
  #kept: Kept[] = [];
  #bytes = 0;

  /** @param mostBytes maximum bytes kept */
  constructor(mostBytes = MAX_KEPT_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Keeps what a part has left of a query. */
  keep(part: object, query: Query, left: LeftCandidates): void {
    this.take(part, query);
    const bytes = left.bytes.length + query.symbols.byteLength + KEPT_BYTES;
    const own = { ...query, symbols: query.symbols.slice(), totals: { ...query.totals } };
    this.#kept.push({ part, query: own, left, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#mostBytes) this.#bytes -= this.#kept.shift()?.bytes ?? 0;
  }

  /** Removes and returns the candidates of a part for a query; `undefined` for none. */
  take(part: object, query: Query): LeftCandidates | undefined {
    const at = this.#kept.findIndex((one) => one.part === part && isSame(one.query, query));
    if (at < 0) return undefined;
    const [kept] = this.#kept.splice(at, 1);
    this.#bytes -= kept?.bytes ?? 0;
    return kept?.left;
  }

  /** Forgets the candidates of a part, because its models or symbols change. */
  drop(part: object): void {
    const stays = ({ part: other }: Kept) => other !== part;
    if (this.#kept.every(stays)) return;
    this.#kept = this.#kept.filter(stays);
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
