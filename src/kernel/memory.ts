/**
 * The only TypeScript that sees an address of linear memory. Every view is used once, because growing memory detaches older views.
 * Owns how a query goes in and how matches come out; knows no rule of matching.
 */

import { Fault } from "../processor/ports/fault";
import { type Match, METRICS, type Query, type Sequence } from "../processor/ports/matcher";
import type { BatchPart } from "./batch";
import { instantiateKernel, type KernelExports } from "./module";
import { checkLayout, readMatches } from "./record";

/** The linear memory of one kernel, with typed ways in and out. */
export class KernelMemory {
  /** How many bytes memory may hold. */
  readonly limitBytes: number;
  #exports: KernelExports | undefined;

  /**
   * @param module the compiled kernel
   * @param limitBytes how many bytes memory may hold before it refuses more models and vectors
   * @param memory what {@link release} returned; without it, memory is fresh
   */
  constructor(module: WebAssembly.Module, limitBytes: number, memory?: WebAssembly.Memory) {
    const exports = instantiateKernel(module, memory);
    checkLayout(exports);
    exports.setLimit(limitBytes);
    this.#exports = exports;
    this.limitBytes = limitBytes;
  }

  /** The instance's exports. Throws after {@link release}: another kernel may own the memory now. */
  get exports(): KernelExports {
    if (this.#exports === undefined) {
      throw new Error("this kernel has released its memory; a kernel is used no more after its release");
    }
    return this.#exports;
  }

  /** Gives the memory up. Later calls throw. */
  release(): WebAssembly.Memory {
    const { exports } = this;
    this.#exports = undefined;
    exports.end();
    return exports.memory;
  }

  /** How many bytes memory holds. */
  get bytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Writes the symbols and then the event lengths into the input. Throws a Fault `exhausted` when there is no room. */
  writeSequence({ symbols, lengths }: Sequence): void {
    const address = this.#input((symbols.length + lengths.length) * 4);
    const words = new Uint32Array(this.exports.memory.buffer, address, symbols.length + lengths.length);
    words.set(symbols);
    words.set(lengths, symbols.length);
  }

  /** Adds the models of a part; returns how many fitted. Throws a Fault `exhausted` when the input itself does not fit. */
  writeBatch(part: BatchPart): number {
    const { ids, frequencies, symbolCounts, eventCounts, symbols, lengths } = part;
    const wordCount = symbolCounts.length + eventCounts.length + symbols.length + lengths.length;
    const address = this.#input(ids.length * 16 + wordCount * 4);
    const doubles = new Float64Array(this.exports.memory.buffer, address, ids.length * 2);
    doubles.set(ids);
    doubles.set(frequencies, ids.length);
    const words = new Uint32Array(this.exports.memory.buffer, address + ids.length * 16, wordCount);
    let at = 0;
    for (const column of [symbolCounts, eventCounts, symbols, lengths]) {
      words.set(column, at);
      at += column.length;
    }
    return this.exports.addModels(ids.length, symbols.length) >>> 0;
  }

  /** Writes the components of a vector to learn into the input. Throws a Fault `exhausted` when there is no room. */
  writeComponents(components: Float64Array): void {
    const address = this.#input(components.length * 8);
    new Float64Array(this.exports.memory.buffer, address, components.length).set(components);
  }

  /** Writes the components of a vector to search for into the input, whatever the limit. */
  writeQueryComponents(components: Float64Array): void {
    const address = this.exports.queryInput(components.length * 8) >>> 0;
    new Float64Array(this.exports.memory.buffer, address, components.length).set(components);
  }

  /** Writes the query's symbols into the input, and the rest into the query block. */
  writeQuery(query: Query): void {
    const address = this.exports.queryInput(query.symbols.length * 4) >>> 0;
    const { memory, queryBlock: block } = this.exports;
    new Uint32Array(memory.buffer, address, query.symbols.length).set(query.symbols);
    const view = new DataView(memory.buffer, block.value >>> 0);
    this.#writeNumbers(view, query);
    this.#writeWords(view, query);
  }

  /** Copies the `count` predictions of the last query out. */
  readMatches(count: number): Match[] {
    const { exports } = this;
    const matches: Match[] = [];
    // A query that is out of steps writes nothing of use; the caller drops it.
    while (matches.length < count && exports.stepsLeft() >= 0) {
      const written = exports.writeMatches(matches.length) >>> 0;
      const start = exports.recordsStart() >>> 0;
      const copy = exports.memory.buffer.slice(start, start + (exports.recordsSize() >>> 0));
      readMatches(copy, written, matches);
    }
    return matches;
  }

  /** The Fault for a full memory. */
  exhausted(): Fault {
    return new Fault(
      "exhausted",
      `the memory of this processor is used up: ${this.bytes} of ${this.limitBytes} bytes are held; ` +
        "delete models or clear the memory to free some",
    );
  }

  #input(bytes: number): number {
    const address = this.exports.input(bytes) >>> 0;
    if (address === 0) {
      throw this.exhausted();
    }
    return address;
  }

  #writeNumbers(view: DataView, query: Query): void {
    const { exports } = this;
    view.setFloat64(exports.QUERY_RECALL_THRESHOLD.value, query.recallThreshold, true);
    view.setFloat64(exports.QUERY_THRESHOLD.value, query.threshold, true);
    view.setFloat64(exports.QUERY_MODEL_FREQUENCIES.value, query.totals.modelFrequencies, true);
    view.setFloat64(exports.QUERY_MEMBER_FREQUENCIES.value, query.totals.memberFrequencies, true);
    view.setFloat64(exports.QUERY_KNOWN_SYMBOLS.value, query.knownSymbols, true);
    view.setFloat64(exports.QUERY_STEPS.value, query.steps, true);
  }

  #writeWords(view: DataView, query: Query): void {
    const { exports } = this;
    view.setUint32(exports.QUERY_LENGTH.value, query.symbols.length, true);
    view.setUint32(exports.QUERY_HAS_TARGET.value, query.target === undefined ? 0 : 1, true);
    view.setUint32(exports.QUERY_TARGET.value, query.target ?? 0, true);
    view.setUint32(exports.QUERY_MAX_PREDICTIONS.value, query.maxPredictions, true);
    view.setUint32(exports.QUERY_SORT_METRIC.value, METRICS.indexOf(query.sortMetric), true);
    view.setUint32(exports.QUERY_THRESHOLD_METRIC.value, METRICS.indexOf(query.thresholdMetric), true);
    view.setUint32(exports.QUERY_THRESHOLD_AT_LEAST.value, query.thresholdAtLeast ? 1 : 0, true);
  }
}
