/**
 * Counts what each part of a processor must hold, from everything that the head stores. So the size of a part is known
 * even before the part reports it.
 */

import { eachModel } from "../../processor/knowledge/model-batch";
import type { MatchableModel, ModelBatch } from "../../processor/ports/matcher";
import { type PartChange, partOf } from "../../processor/ports/parts";
import { type Amount, bytesOf } from "./part-bytes";

const nothing = (): Amount => ({ models: 0, symbols: 0, events: 0 });

/** The contents of all parts: as stored, and with the changes of the current verb. */
export class PartSizes {
  readonly #count: number;
  #stored: Amount[];
  #now: Amount[];
  #isChanged = false;

  /** @param count number of parts */
  constructor(count: number) {
    this.#count = count;
    this.#stored = Array.from({ length: count }, nothing);
    this.#now = this.#stored.map((each) => ({ ...each }));
  }

  /** Begins a run of a verb with the stored state. */
  begins(): void {
    if (!this.#isChanged) return;
    this.#now = this.#stored.map((each) => ({ ...each }));
    this.#isChanged = false;
  }

  /** Notes that the changes of the run are stored. */
  commits(): void {
    if (!this.#isChanged) return;
    this.#stored = this.#now.map((each) => ({ ...each }));
    this.#isChanged = false;
  }

  /** Notes that the parts hold nothing. */
  clear(): void {
    this.#isChanged = true;
    this.#now = Array.from({ length: this.#count }, nothing);
  }

  /** Adds stored models. */
  addBatch(batch: ModelBatch): void {
    this.#isChanged = true;
    eachModel(batch, (at, from, to) => {
      const amount = this.#of(partOf(batch.ids[at] ?? 0, this.#count));
      amount.models++;
      amount.symbols += to - from;
      amount.events += batch.eventCounts[at] ?? 0;
    });
  }

  /** Counts a change. */
  note(change: PartChange): void {
    if (change.kind === "add") this.add(change.model);
    else if (change.kind === "remove") this.remove(change);
  }

  /** Adds a model. */
  add({ id, symbols, lengths }: MatchableModel): void {
    this.#isChanged = true;
    const amount = this.#of(partOf(id, this.#count));
    amount.models++;
    amount.symbols += symbols.length;
    amount.events += lengths.length;
  }

  /** Removes a model. */
  remove({ id, symbols, events }: Extract<PartChange, { kind: "remove" }>): void {
    this.#isChanged = true;
    const amount = this.#of(partOf(id, this.#count));
    amount.models--;
    amount.symbols -= symbols;
    amount.events -= events;
  }

  /** Number of models of each part. */
  get models(): number[] {
    return this.#now.map(({ models }) => models);
  }

  /** Approximate bytes of a part. @param numbers all numbers of symbols are less than this */
  bytesOf(part: number, numbers: number): number {
    return bytesOf(this.#of(part), numbers);
  }

  /**
   * The least number of parts into which all models fit.
   *
   * @param mostBytes maximum bytes of each part
   * @param most maximum number of parts
   * @returns `undefined` when more are needed
   */
  fittingParts(numbers: number, mostBytes: number, most: number): number | undefined {
    const all = nothing();
    for (const { models, symbols, events } of this.#now) {
      all.models += models;
      all.symbols += symbols;
      all.events += events;
    }
    for (let parts = 1; parts <= most; parts++) {
      const share = { models: all.models / parts, symbols: all.symbols / parts, events: all.events / parts };
      if (bytesOf(share, numbers) <= mostBytes) return parts;
    }
    return undefined;
  }

  #of(part: number): Amount {
    const amount = this.#now[part];
    if (amount === undefined) throw new Error(`there is no part ${part}`);
    return amount;
  }
}
