/**
 * The changes of one part's models and symbols, in the order in which the head has made them: those that are stored,
 * then those of the verb under way. A verb that is run again makes the same changes again; where it makes others, what
 * the part was told of it is wrong, and a new log begins, for which the part is filled anew.
 */

import type { PartChange } from "../../processor/ports/parts";
import { isSameValue } from "./same-value";

/** About how many bytes a change takes, and a number in it. */
const CHANGE_BYTES = 64;
const NUMBER_BYTES = 8;

/** About how many bytes a change takes in memory. */
export function changeBytes(change: PartChange): number {
  switch (change.kind) {
    case "add":
      return CHANGE_BYTES + NUMBER_BYTES * (change.model.symbols.length + change.model.lengths.length);
    case "symbols":
      return CHANGE_BYTES + 2 * NUMBER_BYTES * change.ids.length;
    default:
      return CHANGE_BYTES;
  }
}

/** The log of one part. Places count from its first change. */
export class ChangeLog {
  readonly #mostBytes: number;
  #epoch: string = crypto.randomUUID();
  /** The place of the first change that is kept. */
  #base = 0;
  readonly #changes: PartChange[] = [];
  #bytes = 0;
  /** The place after the changes that are stored. */
  #stored = 0;
  /** The place after the changes that the attempt under way has made. */
  #now = 0;
  /** The greatest place that the part may have reached. */
  #told = 0;
  /** The place that the part is known to have; `undefined` when it is not. */
  #known: number | undefined;
  /** Whether the part has to be filled to follow this log. */
  #needsFill = false;

  /** @param mostBytes a log of more keeps no changes for a part that has not been told them: it is filled anew */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Names the log: another one after every new beginning. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The place after the changes that are stored. */
  get stored(): number {
    return this.#stored;
  }

  /** The place after the last change. */
  get now(): number {
    return this.#now;
  }

  /** The place that the part is known to have; `undefined` when it is not. */
  get known(): number | undefined {
    return this.#known;
  }

  /** Whether it is the first log of the head, from its beginning: a part may be where it begins. */
  get isFirst(): boolean {
    return this.#base === 0 && !this.#needsFill;
  }

  /** Whether the part has to be filled to follow this log. */
  get needsFill(): boolean {
    return this.#needsFill;
  }

  /** The changes from a place, which is {@link known} or the beginning, up to {@link now} or an earlier place. */
  from(place: number, to = this.#now): readonly PartChange[] {
    if (place < this.#base) throw new Error(`the log of a part begins at ${this.#base}, not at ${place}`);
    this.#told = Math.max(this.#told, to);
    return this.#changes.slice(place - this.#base, to - this.#base);
  }

  /** The place from which the part can be told: where it is known to be, or where the log begins. */
  get begin(): number {
    return this.#known ?? this.#base;
  }

  /** About how many bytes the changes take that the part may not have yet. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  /** Notes the next change of the attempt. */
  add(change: PartChange): void {
    const before = this.#changes[this.#now - this.#base];
    if (before === undefined || !isSameValue(before, change)) {
      this.#cut();
      this.#changes.push(change);
      this.#bytes += changeBytes(change);
    }
    this.#now++;
  }

  /** An attempt begins: the changes of the last one are expected again. */
  begins(): void {
    this.#now = this.#stored;
  }

  /** What the attempt has changed is stored. */
  commits(): void {
    this.#cut();
    this.#stored = this.#now;
    if (this.#bytes > this.#mostBytes) this.#forget();
  }

  /** What the attempts have changed is taken back for good. */
  fails(): void {
    this.#now = this.#stored;
    this.#cut();
  }

  /** The part is at a place. @returns false when it can be told nothing from there: it must be filled */
  isAt(place: number): boolean {
    if (this.#needsFill || place < this.#base || place > this.#base + this.#changes.length) return false;
    this.#known = place;
    this.#told = Math.max(this.#told, place);
    this.#trim(Math.min(place, this.#stored));
    return true;
  }

  /** The part has been filled with what is stored. */
  isFilled(): void {
    this.#needsFill = false;
    this.isAt(this.#stored);
  }

  /** Begins anew: the part has to be filled with what is stored. */
  renew(): void {
    this.#epoch = crypto.randomUUID();
    this.#known = undefined;
    this.#needsFill = true;
    this.#told = this.#stored;
    this.#trim(this.#stored);
  }

  /** Drops the changes after {@link now}, which are made no more. */
  #cut(): void {
    const kept = this.#now - this.#base;
    if (kept === this.#changes.length) return;
    for (const change of this.#changes.splice(kept)) this.#bytes -= changeBytes(change);
    if (this.#told > this.#now) this.renew();
  }

  /** Drops the changes before a place. */
  #trim(place: number): void {
    for (const change of this.#changes.splice(0, place - this.#base)) this.#bytes -= changeBytes(change);
    this.#base = Math.max(this.#base, place);
  }

  /** Drops what the part was not told yet. */
  #forget(): void {
    if (this.#known === undefined || this.#known < this.#stored) this.renew();
  }
}
