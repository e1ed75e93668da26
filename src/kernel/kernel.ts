/** The fast matcher: models live in the memory of a WebAssembly instance, which matches and scores them there. */

import type { Match, MatchableModel, Matcher, ModelBatch, Neighbours, Query } from "../processor/ports/matcher";
import { partsOf } from "./batch";
import { KernelMemory } from "./memory";
import { KernelNeighbours } from "./neighbours";

/** The default limit. An isolate has 128 MB for everything, code and replies included. */
const DEFAULT_LIMIT_BYTES = 96 * 1024 * 1024;

/** A Matcher over WebAssembly. Its vectors share its memory and its limit. After a trap, only {@link release} may be called. */
export class Kernel implements Matcher {
  /** The learned vectors. */
  readonly neighbours: Neighbours;
  readonly #memory: KernelMemory;
  #steps = 0;

  private constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.neighbours = new KernelNeighbours(memory);
  }

  /**
   * Makes an empty kernel.
   * @param module the compiled `build/kernel.wasm`
   * @param limitBytes how many bytes its memory may hold
   * @param memory what {@link release} of another kernel of the module returned; without it, memory is fresh
   */
  static create(module: WebAssembly.Module, limitBytes = DEFAULT_LIMIT_BYTES, memory?: WebAssembly.Memory): Kernel {
    return new Kernel(new KernelMemory(module, limitBytes, memory));
  }

  /**
   * Gives the memory up, so that another kernel can be made on it. Works in any state, after a trap too. Later calls of this kernel or
   * its neighbours throw, so that they cannot spoil what the other kernel holds there.
   */
  release(): WebAssembly.Memory {
    return this.#memory.release();
  }

  /** How many bytes memory holds, used or not. */
  get bytes(): number {
    return this.#memory.bytes;
  }

  /** How many bytes memory may hold. */
  get limitBytes(): number {
    return this.#memory.limitBytes;
  }

  /** How many steps the last query took. */
  get steps(): number {
    return this.#steps;
  }

  add(model: MatchableModel): void {
    this.#memory.writeSequence(model);
    const { symbols, lengths } = model;
    const { exports } = this.#memory;
    this.#expectRoom(exports.addModel(model.id, model.frequency, symbols.length, lengths.length));
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
    this.#expectFound(this.#memory.exports.removeModel(id), id);
  }

  setFrequency(id: number, frequency: number): void {
    this.#expectFound(this.#memory.exports.setFrequency(id, frequency), id);
  }

  setSymbolFrequency(symbol: number, frequency: number): void {
    this.#expectRoom(this.#memory.exports.setSymbolFrequency(symbol, frequency));
  }

  clear(): void {
    this.#memory.exports.clearModels();
  }

  predict(query: Query): Match[] {
    const { exports } = this.#memory;
    this.#memory.writeQuery(query);
    const count = exports.predict() >>> 0;
    const matches = this.#memory.readMatches(count);
    this.#endQuery(query);
    return matches;
  }

  matchesAny(query: Query): boolean {
    const { exports } = this.#memory;
    this.#memory.writeQuery({ ...query, maxPredictions: 1 });
    const count = exports.predictsAny();
    this.#endQuery(query);
    return count > 0;
  }

  #endQuery({ steps }: Query): void {
    const { exports } = this.#memory;
    exports.endQuery();
    this.#steps = steps - exports.stepsLeft();
  }

  #expectRoom(result: number): void {
    if (result === this.#memory.exports.EXHAUSTED.value) {
      throw this.#memory.exhausted();
    }
  }

  #expectFound(result: number, id: number): void {
    if (result === this.#memory.exports.ABSENT.value) {
      throw new Error(`no model has the id ${id}`);
    }
  }
}
