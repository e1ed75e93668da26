/** The fast matcher: models live in the memory of a WebAssembly instance, which matches and scores them there. */

import type { ComparedSequence, Comparison } from "../processor/ports/comparison";
import type { ForecastRules } from "../processor/ports/forecaster";
import type {
  ExplainedMatch,
  GrowingMemory,
  Match,
  MatchableModel,
  Matcher,
  ModelBatch,
  Neighbours,
  Query,
} from "../processor/ports/matcher";
import { partsOf, restOf } from "./batch";
import { compareWith } from "./comparison";
import { KernelForecastRules } from "./forecast-rules";
import type { KeptCandidates } from "./left-candidates";
import type { KernelMemory } from "./memory";
import { KernelNeighbours } from "./neighbours";
import { KernelPart } from "./part";
import { type MakeRoom, TenantMemory } from "./tenant-memory";

/**
 * A Matcher over WebAssembly, for one tenant. Its vectors share its memory, and so do other kernels made in the same
 * memory. After a trap, all of them are unusable and the memory must be cleared.
 */
export class Kernel implements Matcher {
  /** The learned vectors. */
  readonly neighbours: Neighbours;
  /** The rules of forecasts over the models. */
  readonly forecastRules: ForecastRules;
  readonly #memory: TenantMemory;
  #steps = 0;

  private constructor(memory: TenantMemory) {
    this.#memory = memory;
    this.neighbours = new KernelNeighbours(memory);
    this.forecastRules = new KernelForecastRules(memory);
  }

  /**
   * Makes an empty kernel.
   *
   * @param memory its memory, shared with others or not
   * @param makeRoom called when a change does not fit; without it, there is nothing to free
   */
  static create(memory: KernelMemory, makeRoom: MakeRoom = () => false): Kernel {
    return new Kernel(new TenantMemory(memory, makeRoom));
  }

  /**
   * Its models as a part of a split processor. From then on, change it only through the part.
   *
   * @param kept what the part keeps between two questions; shared by all parts of the isolate if absent
   */
  asPart(kept?: KeptCandidates): KernelPart {
    return new KernelPart(this, this.#memory, kept);
  }

  /** Frees all memory that it holds. Later calls of this kernel or its neighbours throw. */
  release(): void {
    this.#memory.release();
  }

  /** Bytes of its models, symbols and vectors. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /** Maximum of these bytes, if no other kernel shares the memory. */
  get limitBytes(): number {
    return this.#memory.shared.limitBytes;
  }

  /** Total number of symbols of its models. */
  get symbolCount(): number {
    return this.#memory.exports.liveSymbols();
  }

  compare<Answer>(sequence: ComparedSequence, work: (comparison: Comparison) => Answer): Answer {
    return compareWith(this.#memory, sequence, work);
  }

  /** Number of steps of the latest query. */
  get steps(): number {
    return this.#steps;
  }

  add(model: MatchableModel): void {
    const { shared } = this.#memory;
    const { id, frequency, symbols, lengths } = model;
    this.#memory.change(
      (exports) =>
        shared.writeSequence(model) &&
        exports.addModel(id, frequency, symbols.length, lengths.length) !== exports.EXHAUSTED.value,
    );
  }

  addBatch(batch: ModelBatch): void {
    for (const part of partsOf(batch)) {
      let added = 0;
      this.#memory.change(() => {
        added += this.#memory.shared.writeBatch(added === 0 ? part : restOf(part, added));
        return added === part.ids.length;
      });
    }
  }

  remove(id: number): void {
    this.#expectFound(this.#memory.exports.removeModel(id), id);
  }

  setFrequency(id: number, frequency: number): void {
    this.#expectFound(this.#memory.exports.setFrequency(id, frequency), id);
  }

  setSymbolFrequency(symbol: number, frequency: number): void {
    this.#memory.change((exports) => exports.setSymbolFrequency(symbol, frequency) !== exports.EXHAUSTED.value);
  }

  /**
   * Sets how often some symbols occur, as {@link setSymbolFrequency}, but faster. Where it throws, those before stay.
   */
  setSymbolFrequencies(symbols: Uint32Array, frequencies: Float64Array): void {
    let at = 0;
    this.#memory.change((exports) => {
      const exhausted = exports.EXHAUSTED.value;
      for (; at < symbols.length; at++) {
        if (exports.setSymbolFrequency(symbols[at] ?? 0, frequencies[at] ?? 0) === exhausted) return false;
      }
      return true;
    });
  }

  /** The same of the symbols from 0 on. Where it throws, nothing has changed. */
  setFirstFrequencies(frequencies: Float64Array): void {
    this.#memory.change((exports) => {
      this.#memory.shared.writeQueryComponents(frequencies);
      return exports.setFirstFrequencies(frequencies.length) !== exports.EXHAUSTED.value;
    });
  }

  clear(): void {
    this.#memory.exports.clearModels();
  }

  predict(query: Query): Match[] {
    const { exports, shared } = this.#memory;
    shared.writeQuery(query);
    const count = exports.predict() >>> 0;
    const matches = shared.readMatches(count);
    this.#endQuery(query);
    return matches;
  }

  matchesAny(query: Query, memory?: GrowingMemory, glance = false): boolean | undefined {
    const { exports, shared } = this.#memory;
    shared.writeQuery({ ...query, maxPredictions: 1 }, memory);
    const answer = exports.predictsAny(glance);
    this.#endQuery(query);
    if (answer === shared.codes.undecided) return undefined;
    const isAny = answer === shared.codes.hasPrediction;
    if (memory !== undefined) {
      if (isAny) memory.found = exports.foundModel();
      memory.noneUntil = memory.added + exports.noneForSymbols();
      memory.noneFrom = query.symbols.length;
    }
    return isAny;
  }

  explain(query: Query, id: number): ExplainedMatch | undefined {
    const { exports, shared } = this.#memory;
    // One prediction suffices, because the pass over all models does the counting.
    shared.writeQuery({ ...query, maxPredictions: 1 });
    exports.predict();
    const explained = shared.readExplainedMatch(id, query.symbols.length);
    this.#endQuery(query);
    return explained;
  }

  countMatching(query: Query, thresholds: Float64Array): number[] {
    const { exports, shared } = this.#memory;
    const counts = shared.writeThresholds({ ...query, recallThreshold: thresholds[0] ?? 1 }, thresholds);
    exports.countMatching(thresholds.length);
    const added = shared.readCounts(counts, thresholds.length);
    this.#endQuery(query);
    // Each model is counted at the greatest threshold that keeps it, and lower ones keep it too, so sum from the top.
    for (let at = added.length - 2; at >= 0; at--) added[at] = (added[at] ?? 0) + (added[at + 1] ?? 0);
    return added;
  }

  #endQuery({ steps }: Query): void {
    const { exports } = this.#memory;
    exports.endQuery();
    this.#steps = steps - exports.stepsLeft();
  }

  #expectFound(result: number, id: number): void {
    if (result === this.#memory.shared.codes.absent) {
      throw new Error(`no model has the id ${id}`);
    }
  }
}
