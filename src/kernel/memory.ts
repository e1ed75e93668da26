/**
 * The only TypeScript that accesses linear memory. Every view is used once, because growing memory detaches older
 * views. Owns the one instance and memory in which many tenants live, and the transfer of queries and matches; knows no
 * rule of matching.
 */

import type { ForecastContext } from "../processor/ports/forecaster";
import {
  type ExplainedMatch,
  type GrowingMemory,
  type Match,
  METRIC,
  type Query,
  type Sequence,
} from "../processor/ports/matcher";
import type { PackedMatches } from "../processor/ports/parts";
import type { BatchPart } from "./batch";
import { instantiateKernel, type KernelExports } from "./module";
import { checkLayout, PackedRecords, readMatches } from "./record";

/** The default limit. An isolate has 128 MB for everything, code and replies included. */
const DEFAULT_LIMIT_BYTES = 96 * 1024 * 1024;

/**
 * Where the kernel reads the parts of a query: the address of the block, and offsets in it. They are the same in every
 * instance, and are read once, because each exported global is read by a call of the runtime.
 */
type QueryOffsets = ReturnType<typeof queryOffsetsOf>;

function queryOffsetsOf(exports: KernelExports) {
  return {
    block: exports.queryBlock.value >>> 0,
    recallThreshold: exports.QUERY_RECALL_THRESHOLD.value,
    threshold: exports.QUERY_THRESHOLD.value,
    modelFrequencies: exports.QUERY_MODEL_FREQUENCIES.value,
    memberFrequencies: exports.QUERY_MEMBER_FREQUENCIES.value,
    knownSymbols: exports.QUERY_KNOWN_SYMBOLS.value,
    steps: exports.QUERY_STEPS.value,
    length: exports.QUERY_LENGTH.value,
    hasTarget: exports.QUERY_HAS_TARGET.value,
    target: exports.QUERY_TARGET.value,
    maxPredictions: exports.QUERY_MAX_PREDICTIONS.value,
    sortMetric: exports.QUERY_SORT_METRIC.value,
    thresholdMetric: exports.QUERY_THRESHOLD_METRIC.value,
    thresholdAtLeast: exports.QUERY_THRESHOLD_AT_LEAST.value,
    memory: exports.QUERY_MEMORY.value,
    added: exports.QUERY_ADDED.value,
    hint: exports.QUERY_HINT.value,
  };
}

function codesOf(exports: KernelExports) {
  return {
    absent: exports.ABSENT.value,
    hasPrediction: exports.HAS_PREDICTION.value,
    undecided: exports.UNDECIDED.value,
  };
}

/** The linear memory of the tenants of one isolate, with typed access. */
export class KernelMemory {
  /** Maximum bytes of the memory. */
  readonly limitBytes: number;
  /** The results of calls that are no numbers of things. */
  readonly codes: ReturnType<typeof codesOf>;
  readonly #module: WebAssembly.Module;
  #exports: KernelExports;
  readonly #offsets: QueryOffsets;
  #life = 0;

  /**
   * @param module the compiled kernel
   * @param limitBytes size at which the memory refuses more models and vectors
   * @param memory fresh; passed by tests that need a small one
   */
  constructor(module: WebAssembly.Module, limitBytes = DEFAULT_LIMIT_BYTES, memory?: WebAssembly.Memory) {
    this.#module = module;
    this.limitBytes = limitBytes;
    this.#exports = this.#instantiate(memory);
    this.#offsets = queryOffsetsOf(this.#exports);
    this.codes = codesOf(this.#exports);
    checkLayout(this.#exports);
  }

  /** The instance's exports. */
  get exports(): KernelExports {
    return this.#exports;
  }

  /** Number of times that memory was cleared. Tenants of earlier lives are gone. */
  get life(): number {
    return this.#life;
  }

  /**
   * Forgets all tenants and starts over on the same memory, as if it were fresh. Works in any state, even after a trap.
   * Memory does not shrink.
   */
  clear(): void {
    this.#life++;
    this.#exports.end();
    this.#exports = this.#instantiate(this.#exports.memory);
  }

  /** Joins the free blocks that released tenants left. */
  joinFree(): void {
    this.exports.joinFree();
  }

  /** Current size of the memory in bytes. */
  get bytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Writes the symbols and then the event lengths into the input. Returns false when the input does not fit. */
  writeSequence({ symbols, lengths }: Sequence): boolean {
    const address = this.exports.input((symbols.length + lengths.length) * 4) >>> 0;
    if (address === 0) {
      return false;
    }
    const words = new Uint32Array(this.exports.memory.buffer, address, symbols.length + lengths.length);
    words.set(symbols);
    words.set(lengths, symbols.length);
    return true;
  }

  /** Writes the events of a forecast into the input, symbols and then lengths, and the rest into the query block. */
  writeContext({
    symbols,
    lengths,
    target,
    totals,
    steps,
  }: Pick<ForecastContext, "symbols" | "lengths" | "target" | "totals" | "steps">): void {
    const { exports } = this;
    const address = exports.queryInput((symbols.length + lengths.length) * 4) >>> 0;
    const words = new Uint32Array(exports.memory.buffer, address, symbols.length + lengths.length);
    words.set(symbols);
    words.set(lengths, symbols.length);
    const at = this.#offsets;
    const view = new DataView(exports.memory.buffer, at.block);
    view.setFloat64(at.modelFrequencies, totals.modelFrequencies, true);
    view.setFloat64(at.steps, steps, true);
    view.setUint32(at.length, symbols.length, true);
    view.setUint32(at.hasTarget, target === undefined ? 0 : 1, true);
    view.setUint32(at.target, target ?? 0, true);
  }

  /** Writes symbols alone, within a forecast. */
  writeSymbols(symbols: Uint32Array): void {
    const address = this.exports.queryInput(symbols.length * 4) >>> 0;
    new Uint32Array(this.exports.memory.buffer, address, symbols.length).set(symbols);
  }

  /** Writes words into the input, regardless of the limit. */
  writeWords(words: ArrayLike<number>): void {
    const address = this.exports.queryInput(words.length * 4) >>> 0;
    new Uint32Array(this.exports.memory.buffer, address, words.length).set(words);
  }

  /** Writes lists of doubles into the input, one after the other, regardless of the limit. */
  writeDoubles(...lists: readonly Float64Array[]): void {
    const length = lists.reduce((sum, list) => sum + list.length, 0);
    const address = this.exports.queryInput(length * 8) >>> 0;
    const doubles = new Float64Array(this.exports.memory.buffer, address, length);
    let at = 0;
    for (const list of lists) {
      doubles.set(list, at);
      at += list.length;
    }
  }

  /** Copies doubles out. @param address of the first */
  readDoubles(address: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, address >>> 0, count).slice();
  }

  /** Adds the models of a part; returns the number that fitted. */
  writeBatch(part: BatchPart): number {
    const { ids, frequencies, symbolCounts, eventCounts, symbols, lengths } = part;
    const wordCount = symbolCounts.length + eventCounts.length + symbols.length + lengths.length;
    const address = this.exports.input(ids.length * 16 + wordCount * 4) >>> 0;
    if (address === 0) {
      return 0;
    }
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

  /** Writes the components of a vector to learn into the input. Returns false when the input does not fit. */
  writeComponents(components: Float64Array): boolean {
    const address = this.exports.input(components.length * 8) >>> 0;
    if (address === 0) {
      return false;
    }
    new Float64Array(this.exports.memory.buffer, address, components.length).set(components);
    return true;
  }

  /** Writes the components of a vector to search for into the input, regardless of the limit. */
  writeQueryComponents(components: Float64Array): void {
    const address = this.exports.queryInput(components.length * 8) >>> 0;
    new Float64Array(this.exports.memory.buffer, address, components.length).set(components);
  }

  /**
   * Writes the query's symbols into the input, and the rest into the query block.
   *
   * @param growing the memory that they belong to
   */
  writeQuery(query: Query, growing?: GrowingMemory): void {
    const address = this.exports.queryInput(query.symbols.length * 4) >>> 0;
    const { buffer } = this.exports.memory;
    new Uint32Array(buffer, address, query.symbols.length).set(query.symbols);
    const at = this.#offsets;
    const view = new DataView(buffer, at.block);
    this.#writeNumbers(view, query);
    this.#writeWords(view, query);
    const { number = 0, added = 0, found = 0 } = growing ?? {};
    view.setFloat64(at.memory, number, true);
    view.setFloat64(at.added, added, true);
    view.setFloat64(at.hint, found, true);
  }

  /**
   * Writes thresholds, room for a count each, and the query's symbols into the input, and the
   * rest into the query block.
   *
   * @returns the address of the counts
   */
  writeThresholds(query: Query, thresholds: Float64Array): number {
    const { length } = thresholds;
    const address = this.exports.queryInput(length * 16 + query.symbols.length * 4) >>> 0;
    const { memory } = this.exports;
    const doubles = new Float64Array(memory.buffer, address, length * 2);
    doubles.set(thresholds);
    doubles.fill(0, length);
    new Uint32Array(memory.buffer, address + length * 16, query.symbols.length).set(query.symbols);
    const view = new DataView(memory.buffer, this.#offsets.block);
    this.#writeNumbers(view, query);
    this.#writeWords(view, query);
    return address + length * 8;
  }

  /**
   * Writes into the input the query's symbols, a word for each that tells whether it has weight, and bytes; and the
   * rest into the query block.
   */
  writeSums(query: Query, weighs: Uint8Array, bytes: Uint8Array): void {
    const { length } = query.symbols;
    const address = this.exports.queryInput(length * 8 + bytes.length) >>> 0;
    const { memory } = this.exports;
    const words = new Uint32Array(memory.buffer, address, length * 2);
    words.set(query.symbols);
    words.set(weighs, length);
    new Uint8Array(memory.buffer, address + length * 8, bytes.length).set(bytes);
    const view = new DataView(memory.buffer, this.#offsets.block);
    this.#writeNumbers(view, query);
    this.#writeWords(view, query);
  }

  /** Copies bytes out. */
  readBytes(address: number, count: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, address >>> 0, count >>> 0).slice();
  }

  /** Copies counts out. @param address of the first */
  readCounts(address: number, count: number): number[] {
    return [...new Float64Array(this.exports.memory.buffer, address, count)];
  }

  /** Copies the `count` predictions of the last query out. */
  readMatches(count: number): Match[] {
    const { exports } = this;
    const matches: Match[] = [];
    // A query that ran out of steps writes nothing useful; the caller discards it.
    while (matches.length < count && exports.stepsLeft() >= 0) {
      const written = exports.writeMatches(matches.length) >>> 0;
      const start = exports.recordsStart() >>> 0;
      const copy = exports.memory.buffer.slice(start, start + (exports.recordsSize() >>> 0));
      readMatches(copy, written, matches);
    }
    return matches;
  }

  /** Copies the `count` predictions of the last query out as they are. @param metric the code of the metric to name */
  readPacked(count: number, metric: number): PackedMatches {
    const { exports } = this;
    const packing = new PackedRecords(count, metric);
    while (packing.count < count && exports.stepsLeft() >= 0) {
      const written = exports.writeMatches(packing.count) >>> 0;
      const start = exports.recordsStart() >>> 0;
      packing.add(exports.memory.buffer.slice(start, start + (exports.recordsSize() >>> 0)), written);
    }
    return packing.all();
  }

  /** The match of one model under the last query, which has `length` symbols; `undefined` if it is not kept. */
  readExplainedMatch(id: number, length: number): ExplainedMatch | undefined {
    const { exports } = this;
    const matches: Match[] = [];
    if (exports.stepsLeft() < 0 || exports.writeMatchOf(id) === 0) return undefined;
    const start = exports.recordsStart() >>> 0;
    readMatches(exports.memory.buffer.slice(start, start + (exports.recordsSize() >>> 0)), 1, matches);
    const [match] = matches;
    if (match === undefined) return undefined;
    const partners = Int32Array.from({ length }, (_, at) => exports.partnerOf(at));
    const weighs = Uint8Array.from({ length }, (_, at) => exports.weighs(at));
    return { match, partners, weighs, keptFrequencies: exports.keptFrequencies() };
  }

  #instantiate(memory?: WebAssembly.Memory): KernelExports {
    const exports = instantiateKernel(this.#module, memory);
    exports.setLimit(this.limitBytes);
    return exports;
  }

  #writeNumbers(view: DataView, query: Query): void {
    const at = this.#offsets;
    view.setFloat64(at.recallThreshold, query.recallThreshold, true);
    view.setFloat64(at.threshold, query.threshold, true);
    view.setFloat64(at.modelFrequencies, query.totals.modelFrequencies, true);
    view.setFloat64(at.memberFrequencies, query.totals.memberFrequencies, true);
    view.setFloat64(at.knownSymbols, query.knownSymbols, true);
    view.setFloat64(at.steps, query.steps, true);
  }

  #writeWords(view: DataView, query: Query): void {
    const at = this.#offsets;
    view.setUint32(at.length, query.symbols.length, true);
    view.setUint32(at.hasTarget, query.target === undefined ? 0 : 1, true);
    view.setUint32(at.target, query.target ?? 0, true);
    view.setUint32(at.maxPredictions, query.maxPredictions, true);
    view.setUint32(at.sortMetric, METRIC[query.sortMetric], true);
    view.setUint32(at.thresholdMetric, METRIC[query.thresholdMetric], true);
    view.setUint32(at.thresholdAtLeast, query.thresholdAtLeast ? 1 : 0, true);
  }
}
