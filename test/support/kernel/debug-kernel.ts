/** The debug build of the kernel, with its counters and hooks in reach. */

import type { instantiate } from "../../../build/kernel.debug";
import wasm from "../../../build/kernel.debug.wasm";
import { KernelMemory } from "../../../src/kernel/memory";
import type { Match, MatchableModel, Query } from "../../../src/processor/ports/matcher";

/** What the debug build exports: all of the release build's exports, and those of assembly/debug.ts. */
export type DebugExports = Awaited<ReturnType<typeof instantiate>>;

const LIMIT_BYTES = 2 ** 24;

/** A kernel of the debug build, as far as tests need one. */
export class DebugKernel {
  readonly exports: DebugExports;
  readonly #memory: KernelMemory;

  constructor() {
    this.#memory = new KernelMemory(wasm, LIMIT_BYTES);
    this.exports = this.#memory.exports as DebugExports;
    this.exports.createTenant();
  }

  add(model: MatchableModel): void {
    this.#memory.writeSequence(model);
    this.exports.addModel(model.id, model.frequency, model.symbols.length, model.lengths.length);
  }

  setSymbolFrequency(symbol: number, frequency: number): void {
    this.exports.setSymbolFrequency(symbol, frequency);
  }

  clear(): void {
    this.exports.clearModels();
  }

  predict(query: Query): Match[] {
    this.#memory.writeQuery(query);
    const matches = this.#memory.readMatches(this.exports.predict() >>> 0);
    this.exports.endQuery();
    return matches;
  }

  /** How many answers of a kind were counted; the name is that of its code in assembly/abi/trace.ts. */
  answers(name: string): number {
    const code: unknown = this.exports[name as keyof DebugExports];
    if (!(code instanceof WebAssembly.Global)) {
      throw new Error(`assembly/debug.ts exports no ${name}`);
    }
    return this.exports.answersOf(code.value);
  }
}
