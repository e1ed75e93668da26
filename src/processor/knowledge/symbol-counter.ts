/** Counts the symbols of many models, batch by batch. The counters are not stored: they are derived from the models. */

import type { ModelBatch, Totals, Unsigned } from "../ports/matcher";
import { eachModel } from "./model-batch";
import type { SymbolTable } from "./symbol-table";

/** Counts into a table, which must not add or remove symbols meanwhile. Skips numbers without a symbol. */
export class SymbolCounter {
  readonly totals: Totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
  /** Number of models counted. */
  models = 0;
  readonly #table: SymbolTable;
  /** By symbol: the last model that contained it, counted from 1. */
  readonly #foundIn: Uint32Array;

  /** @param table its counters are 0 */
  constructor(table: SymbolTable) {
    this.#table = table;
    this.#foundIn = new Uint32Array(table.numbers);
  }

  /** Counts the models of a batch. */
  count(batch: ModelBatch): void {
    const { frequencies, symbols } = batch;
    eachModel(batch, (at, from, to) => this.#countModel(symbols, from, to, frequencies[at] ?? 0));
  }

  #countModel(symbols: Unsigned, from: number, to: number, frequency: number): void {
    const { totals } = this;
    this.models++;
    totals.modelFrequencies += frequency;
    for (let at = from; at < to; at++) {
      const id = symbols[at] ?? 0;
      if (!this.#table.isInUse(id)) continue;
      const members = this.#foundIn[id] === this.models ? 0 : frequency;
      this.#foundIn[id] = this.models;
      this.#table.count(id, frequency, members);
      totals.symbolFrequencies += frequency;
      totals.memberFrequencies += members;
    }
  }
}
