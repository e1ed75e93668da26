/**
 * The changes of one part's models and symbols, in the order in which the head made them: the stored ones, then those
 * of the current verb. A verb that runs again makes the same changes again. If it makes others, the part was told
 * something wrong; then a new log begins, and the part is filled again.
 */

import type { PartChange } from "../../processor/ports/parts";
import { isSameValue } from "./same-value";

/** Approximate bytes of a change, and of a number in it. */
const CHANGE_BYTES = 64;
const NUMBER_BYTES = 8;

/** Approximate bytes of a change in memory. */
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

/** The log of one part. Places are counted from its first change. */
export class ChangeLog {
  readonly #mostBytes: number;
  #epoch: string = crypto.randomUUID();
  /** The place of the first change kept. */
  #base = 0;
  readonly #changes: PartChange[] = [];
  #bytes = 0;
  /** The place after the stored changes. */
  #stored = 0;
  /** The place after the changes of the current attempt. */
  #now = 0;
  /** The greatest place that the part may have reached. */
  #told = 0;
  /** The place that the part is known to have reached; `undefined` if unknown. */
  #known: number | undefined;
  /** Whether the part must be filled to follow this log. */
  #needsFill = false;

  /** @param mostBytes beyond this, the log drops changes that the part has not been sent; the part is filled again */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The name of the log; a new one each time it starts over. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The place after the stored changes. */
  get stored(): number {
    return this.#stored;
  }

  /** The place after the last change. */
  get now(): number {
    return this.#now;
  }

  /** The place that the part is known to have reached; `undefined` if unknown. */
  get known(): number | undefined {
    return this.#known;
  }

  /**
   * Whether it is the head's first log, from its beginning: the part may still be there from an earlier life of the
   * head.
   */
  get isFirst(): boolean {
    return this.#base === 0 && !this.#needsFill;
  }

  /** Whether the part must be filled to follow this log. */
  get needsFill(): boolean {
    return this.#needsFill;
  }

  /** The changes from a place, which is {@link known} or the beginning, up to {@link now} or an earlier place. */
  from(place: number, to = this.#now): readonly PartChange[] {
    if (place < this.#base) throw new Error(`the log of a part begins at ${this.#base}, not at ${place}`);
    this.#told = Math.max(this.#told, to);
    return this.#changes.slice(place - this.#base, to - this.#base);
  }

  /** The place from which the part can be sent changes: its known place, or the beginning of the log. */
  get begin(): number {
    return this.#known ?? this.#base;
  }

  /** Approximate bytes of the changes that the part may not have yet. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  /** Adds the next change of the attempt. */
  add(change: PartChange): void {
    const before = this.#changes[this.#now - this.#base];
    if (before === undefined || !isSameValue(before, change)) {
      this.#cut();
      this.#changes.push(change);
      this.#bytes += changeBytes(change);
    }
    this.#now++;
  }

  /** Begins an attempt, which is expected to repeat the changes of the previous one. */
  begins(): void {
    this.#now = this.#stored;
  }

  /** Notes that the changes of the attempt are stored. */
  commits(): void {
    this.#cut();
    this.#stored = this.#now;
    if (this.#bytes > this.#mostBytes) this.#forget();
  }

  /** Notes that the changes of the attempts are taken back for good. */
  fails(): void {
    this.#now = this.#stored;
    this.#cut();
  }

  /**
   * Notes the place of the part. @returns false when the log cannot continue from there, so that the part must be
   * filled
   */
  isAt(place: number): boolean {
    if (this.#needsFill || place < this.#base || place > this.#base + this.#changes.length) return false;
    this.#known = place;
    this.#told = Math.max(this.#told, place);
    this.#trim(Math.min(place, this.#stored));
    return true;
  }

  /** Notes that the part was filled with the stored state. */
  isFilled(): void {
    this.#needsFill = false;
    this.isAt(this.#stored);
  }

  /** Starts over: the part must be filled with the stored state. */
  renew(): void {
    this.#epoch = crypto.randomUUID();
    this.#known = undefined;
    this.#needsFill = true;
    this.#told = this.#stored;
    this.#trim(this.#stored);
  }

  /** Drops the changes after {@link now}, which will not be made again. */
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

  /** Drops the changes that the part was not sent yet. */
  #forget(): void {
    if (this.#known === undefined || this.#known < this.#stored) this.renew();
  }
}
