/**
 * The only TypeScript that sees an address of linear memory. Views are made for one use each, because memory that grows leaves
 * older views empty. Owns how a question goes in and how a match comes out; knows no rule of matching.
 */

import { Fault } from "../processor/fault";
import { type Match, METRICS, type Metric, type Query, type Sequence } from "../processor/matcher";
import { instantiateKernel, type KernelExports } from "./module";

/** Linear memory of one kernel, with typed ways in and out. */
export class KernelMemory {
  readonly exports: KernelExports;
  readonly limitBytes: number;

  /** @param limitBytes how far linear memory may grow before adding to it is refused */
  constructor(module: WebAssembly.Module, limitBytes: number) {
    this.exports = instantiateKernel(module);
    this.exports.setLimit(limitBytes);
    this.limitBytes = limitBytes;
  }

  /** How large linear memory is. */
  get bytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Puts the symbols and then the event lengths into the input. Throws a Fault `exhausted`. */
  writeSequence({ symbols, lengths }: Sequence): void {
    const address = this.#input((symbols.length + lengths.length) * 4);
    const words = new Uint32Array(this.exports.memory.buffer, address, symbols.length + lengths.length);
    words.set(symbols);
    words.set(lengths, symbols.length);
  }

  /** Puts the components into the input. Throws a Fault `exhausted`. */
  writeComponents(components: Float64Array): void {
    const address = this.#input(components.length * 8);
    new Float64Array(this.exports.memory.buffer, address, components.length).set(components);
  }

  /** Puts the components that are asked about into the input. */
  writeAskedComponents(components: Float64Array): void {
    const address = this.exports.queryInput(components.length * 8) >>> 0;
    new Float64Array(this.exports.memory.buffer, address, components.length).set(components);
  }

  /** Puts the query's memory into the input, and the rest where the kernel looks for it. */
  writeQuery(query: Query): void {
    const address = this.exports.queryInput(query.memory.length * 4) >>> 0;
    const { memory, query: block } = this.exports;
    new Uint32Array(memory.buffer, address, query.memory.length).set(query.memory);
    const view = new DataView(memory.buffer, block.value >>> 0);
    this.#writeNumbers(view, query);
    this.#writeWords(view, query);
  }

  /** A copy of the match at an address that the kernel gave. */
  readMatch(address: number): Match {
    const { exports } = this;
    const view = new DataView(exports.memory.buffer, address);
    const word = (offset: { value: number }) => view.getUint32(offset.value, true);
    const counts = [
      word(exports.MATCH_SYMBOLS),
      word(exports.MATCH_LENGTHS),
      word(exports.MATCH_MATCHES),
      word(exports.MATCH_MISSING),
      word(exports.MATCH_EXTRAS),
    ];
    const [symbols, lengths, matches, missing, extras] = this.#readParts(address + exports.MATCH_WORDS.value, counts);
    const none = new Uint32Array();
    return {
      id: view.getFloat64(exports.MATCH_ID.value, true),
      frequency: view.getFloat64(exports.MATCH_FREQUENCY.value, true),
      symbols: symbols ?? none,
      lengths: lengths ?? none,
      presentStart: word(exports.MATCH_PRESENT_START),
      presentEnd: word(exports.MATCH_PRESENT_END),
      matches: matches ?? none,
      missing: missing ?? none,
      extras: extras ?? none,
      metrics: readMetrics(view, exports.MATCH_METRICS.value),
    };
  }

  #input(bytes: number): number {
    const address = this.exports.input(bytes) >>> 0;
    if (address === 0) {
      throw this.exhausted();
    }
    return address;
  }

  /** The refusal when the budget is used up. */
  exhausted(): Fault {
    return new Fault(
      "exhausted",
      `the memory of this processor is used up: ${this.bytes} of ${this.limitBytes} bytes are held; ` +
        "delete models or clear the memory to free some",
    );
  }

  #writeNumbers(view: DataView, query: Query): void {
    const { exports } = this;
    view.setFloat64(exports.QUERY_RECALL_THRESHOLD.value, query.recallThreshold, true);
    view.setFloat64(exports.QUERY_THRESHOLD.value, query.threshold, true);
    view.setFloat64(exports.QUERY_MODEL_FREQUENCIES.value, query.totals.modelFrequencies, true);
    view.setFloat64(exports.QUERY_MEMBER_FREQUENCIES.value, query.totals.memberFrequencies, true);
    view.setFloat64(exports.QUERY_KNOWN_SYMBOLS.value, query.knownSymbols, true);
  }

  #writeWords(view: DataView, query: Query): void {
    const { exports } = this;
    view.setUint32(exports.QUERY_MEMORY_LENGTH.value, query.memory.length, true);
    view.setUint32(exports.QUERY_HAS_TARGET.value, query.target === undefined ? 0 : 1, true);
    view.setUint32(exports.QUERY_TARGET.value, query.target ?? 0, true);
    view.setUint32(exports.QUERY_MAX_PREDICTIONS.value, query.maxPredictions, true);
    view.setUint32(exports.QUERY_SORT_METRIC.value, METRICS.indexOf(query.sortMetric), true);
    view.setUint32(exports.QUERY_THRESHOLD_METRIC.value, METRICS.indexOf(query.thresholdMetric), true);
    view.setUint32(exports.QUERY_THRESHOLD_AT_LEAST.value, query.thresholdAtLeast ? 1 : 0, true);
  }

  /** Copies all parts at once; each part is a window on the copy. */
  #readParts(address: number, counts: number[]): Uint32Array[] {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const copy = new Uint32Array(this.exports.memory.buffer, address, total).slice();
    let start = 0;
    return counts.map((count) => {
      start += count;
      return copy.subarray(start - count, start);
    });
  }
}

function readMetrics(view: DataView, offset: number): Record<Metric, number> {
  const metrics = {} as Record<Metric, number>;
  METRICS.forEach((metric, code) => {
    metrics[metric] = view.getFloat64(offset + code * 8, true);
  });
  return metrics;
}
