/** The matcher that is fast: models live in the memory of a WebAssembly instance, and matching and scoring happen there. */

import type { Match, MatchableModel, Matcher, ModelBatch, Query } from "../processor/ports/matcher";
import type { Neighbours } from "../processor/ports/neighbours";
import { partsOf } from "./batch";
import { KernelMemory } from "./memory";
import { KernelNeighbours } from "./neighbours";

/** What a kernel may hold when nothing else is said: an isolate has 128 MB for everything, code and replies included. */
export const DEFAULT_LIMIT_BYTES = 96 * 1024 * 1024;

/** A Matcher over WebAssembly. Its vectors share its memory and its budget. After a trap it must not be used again, but for its memory. */
export class Kernel implements Matcher {
  /** The vectors. */
  readonly neighbours: Neighbours;
  readonly #memory: KernelMemory;

  private constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.neighbours = new KernelNeighbours(memory);
  }

  /**
   * An empty kernel.
   * @param module the compiled `build/kernel.wasm`
   * @param limitBytes how many bytes it may hold
   * @param memory what {@link release} of another kernel of the module gave; without it, linear memory is fresh
   */
  static create(module: WebAssembly.Module, limitBytes = DEFAULT_LIMIT_BYTES, memory?: WebAssembly.Memory): Kernel {
    return new Kernel(new KernelMemory(module, limitBytes, memory));
  }

  /**
   * Gives linear memory up, so that another kernel can be made on it; in whatever state this one is, after a trap too. What
   * would touch it later through this kernel or its neighbours throws, so that it cannot spoil what the other holds there.
   */
  release(): WebAssembly.Memory {
    return this.#memory.release();
  }

  /** How large linear memory is: what is held, used or not. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  get limitBytes(): number {
    return this.#memory.limitBytes;
  }

  add(model: MatchableModel): void {
    this.#memory.writeSequence(model);
    const { symbols, lengths } = model;
    const { exports } = this.#memory;
    this.#taken(exports.addModel(model.id, model.frequency, symbols.length, lengths.length));
  }

  addBatch(batch: ModelBatch): void {
    for (const part of partsOf(batch)) {
      const added = this.#memory.writeBatch(part);
      if (added < part.ids.length) {
        throw this.#memory.exhausted();
      }
    }
  }

  remove(id: number): void {
    this.#found(this.#memory.exports.removeModel(id), id);
  }

  setFrequency(id: number, frequency: number): void {
    this.#found(this.#memory.exports.setFrequency(id, frequency), id);
  }

  setSymbolFrequency(symbol: number, frequency: number): void {
    this.#taken(this.#memory.exports.setSymbolFrequency(symbol, frequency));
  }

  clear(): void {
    this.#memory.exports.clearModels();
  }

  predict(query: Query): Match[] {
    const { exports } = this.#memory;
    this.#memory.writeQuery(query);
    const count = exports.predict() >>> 0;
    const matches = this.#memory.readMatches(count);
    exports.endQuery();
    return matches;
  }

  matchesAny(query: Query): boolean {
    const { exports } = this.#memory;
    this.#memory.writeQuery({ ...query, maxPredictions: 1 });
    const count = exports.predictsAny();
    exports.endQuery();
    return count > 0;
  }

  #taken(outcome: number): void {
    if (outcome === this.#memory.exports.EXHAUSTED.value) {
      throw this.#memory.exhausted();
    }
  }

  #found(outcome: number, id: number): void {
    if (outcome === this.#memory.exports.ABSENT.value) {
      throw new Error(`no model has the id ${id}`);
    }
  }
}
