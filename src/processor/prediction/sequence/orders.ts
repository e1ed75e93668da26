/** What came after what: counts, for each place of a sequence, what followed its last event and its last two in the models, and what surprise that makes. */

import { log2 } from "../logarithms";
import { SHORTER_WEIGHT, UNSEEN_NEXT } from "./constants";
import type { ReadModel } from "./learned-models";
import { BEGINNING, type NumberedSequence } from "./numbered-sequence";

/** The kind of an event that the sequence does not have. */
const OTHER = -1;

/** How often something followed, by what it followed: the last event, or the last two. */
class Followers {
  /** By context: how often it was followed by anything, an end included. */
  readonly #totals: number[] = [];
  /** By context and symbol: where it is counted. */
  readonly #cells = new Map<number, number>();
  readonly #counts: number[] = [];
  /** By cell: the event in which it was counted last. */
  readonly #countedIn: number[] = [];
  readonly #row: number;

  /** @param symbols how many numbers symbols have; the next one is the end's */
  constructor(symbols: number) {
    this.#row = symbols + 1;
  }

  /** Wants to know how often a symbol follows. */
  want(context: number, symbol: number): void {
    const key = context * this.#row + symbol;
    this.#totals[context] ??= 0;
    if (this.#cells.has(key)) return;
    this.#cells.set(key, this.#counts.length);
    this.#counts.push(0);
    this.#countedIn.push(-1);
  }

  /**
   * Counts an event that follows a context.
   *
   * @param numbers the event's from one index to another; -1 for a symbol that the sequence does not have
   * @param event a number that no other event has
   */
  count(context: number, numbers: Int32Array, from: number, to: number, event: number, frequency: number): void {
    const total = this.#totals[context];
    if (total === undefined) return;
    this.#totals[context] = total + frequency;
    for (let at = from; at < to; at++) {
      const symbol = numbers[at] ?? -1;
      if (symbol < 0) continue;
      const cell = this.#cells.get(context * this.#row + symbol);
      if (cell === undefined || this.#countedIn[cell] === event) continue;
      this.#countedIn[cell] = event;
      this.#counts[cell] = (this.#counts[cell] ?? 0) + frequency;
    }
  }

  /** How often the context was followed by anything. */
  total(context: number): number {
    return this.#totals[context] ?? 0;
  }

  /** How often by the symbol. */
  of(context: number, symbol: number): number {
    const cell = this.#cells.get(context * this.#row + symbol);
    return cell === undefined ? 0 : (this.#counts[cell] ?? 0);
  }
}

/** The order of the events of one sequence, compared with that of the models. */
export class Orders {
  readonly #sequence: NumberedSequence;
  readonly #end: number;
  readonly #ends: Int32Array;
  /** By the kind of the last event. */
  readonly #afterOne: Followers;
  /** By the kinds of the last two. */
  readonly #afterTwo: Followers;
  readonly #pairs = new Map<number, number>();
  /** The kinds of events of one symbol, by its number. */
  readonly #kindOfSingle: number[] = [];
  #event = 0;

  constructor(sequence: NumberedSequence) {
    const { kindOf, kinds, names, events } = sequence;
    this.#sequence = sequence;
    this.#end = names.length;
    this.#ends = Int32Array.of(names.length);
    this.#afterOne = new Followers(names.length);
    this.#afterTwo = new Followers(names.length);
    for (let number = 0; number < names.length; number++) this.#kindOfSingle.push(kindOf.get(`${number}`) ?? OTHER);
    for (let place = 0; place <= kinds.length; place++) {
      const last = this.#kindAt(place - 1);
      const pair = this.#pairOf(this.#kindAt(place - 2), last, true);
      for (const symbol of events[place] ?? [this.#end]) {
        this.#afterOne.want(last, symbol);
        if (pair !== undefined) this.#afterTwo.want(pair, symbol);
      }
    }
  }

  /** Counts a model. */
  countModel({ endEvent, firstEvent, firstSymbol, frequency, numbers, part }: ReadModel): void {
    let before: number = OTHER;
    let last: number = BEGINNING;
    let from = firstSymbol;
    for (let event = firstEvent; event < endEvent; event++) {
      const to = from + (part.lengths[event] ?? 0);
      this.#countEvent(before, last, numbers, from, to, frequency);
      before = last;
      last = this.#kindOf(numbers, from, to);
      from = to;
    }
    this.#countEvent(before, last, this.#ends, 0, 1, frequency);
  }

  /**
   * The surprise of a place in bits: of its event, or of the end behind the last one.
   *
   * @param symbols how many symbols are known
   */
  bitsAt(place: number, symbols: number): number {
    const { events } = this.#sequence;
    return (events[place] ?? [this.#end]).reduce(
      (bits, symbol) => bits - log2(this.#chance(place, symbol, symbols)),
      0,
    );
  }

  /** The probability of a symbol at a place: after the last two events, corrected towards that after the last one. */
  #chance(place: number, symbol: number, symbols: number): number {
    const last = this.#kindAt(place - 1);
    const one = this.#afterOne;
    // Besides the known symbols there are the end and whatever is unknown.
    const chance = (one.of(last, symbol) + UNSEEN_NEXT / (symbols + 2)) / (one.total(last) + UNSEEN_NEXT);
    const pair = this.#pairOf(this.#kindAt(place - 2), last, false);
    if (pair === undefined) return chance;
    return (this.#afterTwo.of(pair, symbol) + SHORTER_WEIGHT * chance) / (this.#afterTwo.total(pair) + SHORTER_WEIGHT);
  }

  #countEvent(before: number, last: number, numbers: Int32Array, from: number, to: number, frequency: number): void {
    if (last === OTHER) return;
    this.#event++;
    this.#afterOne.count(last, numbers, from, to, this.#event, frequency);
    const pair = this.#pairOf(before, last, false);
    if (pair !== undefined) this.#afterTwo.count(pair, numbers, from, to, this.#event, frequency);
  }

  /** The kind of the event at a place: {@link BEGINNING} before the first, {@link OTHER} before that. */
  #kindAt(place: number): number {
    return place === -1 ? BEGINNING : (this.#sequence.kinds[place] ?? OTHER);
  }

  /** The number of two kinds that follow each other in the sequence; `undefined` for others. */
  #pairOf(before: number, last: number, isNew: boolean): number | undefined {
    if (before === OTHER || last === OTHER) return undefined;
    const key = before * (this.#sequence.kindOf.size + 1) + last;
    const known = this.#pairs.get(key);
    if (known !== undefined || !isNew) return known;
    this.#pairs.set(key, this.#pairs.size);
    return this.#pairs.size - 1;
  }

  #kindOf(numbers: Int32Array, from: number, to: number): number {
    if (to - from === 1) return this.#kindOfSingle[numbers[from] ?? -1] ?? OTHER;
    const event = numbers.slice(from, to);
    return event.includes(-1) ? OTHER : (this.#sequence.kindOf.get(event.sort().join()) ?? OTHER);
  }
}
