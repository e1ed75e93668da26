/**
 * What each part of a processor is to hold, counted from everything that the head stores: so it is known how large a
 * part will be, also while it is not in memory or has not said it.
 */

import { eachModel } from "../../processor/knowledge/model-batch";
import type { MatchableModel, ModelBatch } from "../../processor/ports/matcher";
import { type PartChange, partOf } from "../../processor/ports/parts";
import { type Amount, bytesOf } from "./part-bytes";

const nothing = (): Amount => ({ models: 0, symbols: 0, events: 0 });

/** What all parts are to hold: as it is stored, and as the verb under way has changed it. */
export class PartSizes {
  readonly #count: number;
  #stored: Amount[];
  #now: Amount[];
  #isChanged = false;

  /** @param count how many parts there are */
  constructor(count: number) {
    this.#count = count;
    this.#stored = Array.from({ length: count }, nothing);
    this.#now = this.#stored.map((each) => ({ ...each }));
  }

  /** A run of a verb begins, with what is stored. */
  begins(): void {
    if (!this.#isChanged) return;
    this.#now = this.#stored.map((each) => ({ ...each }));
    this.#isChanged = false;
  }

  /** What the run has changed is stored. */
  commits(): void {
    if (!this.#isChanged) return;
    this.#stored = this.#now.map((each) => ({ ...each }));
    this.#isChanged = false;
  }

  /** Nothing is held any more. */
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

  /** Takes a model away. */
  remove({ id, symbols, events }: Extract<PartChange, { kind: "remove" }>): void {
    this.#isChanged = true;
    const amount = this.#of(partOf(id, this.#count));
    amount.models--;
    amount.symbols -= symbols;
    amount.events -= events;
  }

  /** How many models each part is to hold. */
  get models(): number[] {
    return this.#now.map(({ models }) => models);
  }

  /** About how many bytes a part will take. @param numbers all numbers of symbols are less than this */
  bytesOf(part: number, numbers: number): number {
    return bytesOf(this.#of(part), numbers);
  }

  /**
   * In how many parts all would fit.
   *
   * @param mostBytes what each may take
   * @param most the most parts to think of
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
