/** Reads all models as the numbers of one sequence's symbols. */

import type { Matcher, ModelPart } from "../../ports/matcher";
import type { NumberedSequence } from "./numbered-sequence";

/** What a model holds, by the numbers of one sequence. Valid until the next model. */
export interface ReadModel {
  frequency: number;
  /** The numbers of its symbols that the sequence has, each once, in the order in which they come first. */
  readonly shared: number[];
  /** By number: how often it holds the symbol; 0 for those that are not shared. */
  readonly counts: Float64Array;
  /** The symbols that the sequence does not have, each once, by the table's numbers, in the order in which they come first. */
  readonly others: number[];
  /** The part that holds it. */
  readonly part: ModelPart;
  /** Where its events begin and end among those of the part, and where its symbols begin. */
  firstEvent: number;
  endEvent: number;
  firstSymbol: number;
  /** The numbers of all symbols of the part; -1 for symbols that the sequence does not have. */
  readonly numbers: Int32Array;
}

/** Reads models for one sequence after the other; keeps its tables. */
export class LearnedModels {
  readonly #matcher: Matcher;
  /** By the table's number: the sequence's number and one; 0 for symbols that it does not have. */
  #numbers = new Uint32Array(0);
  /** By the table's number: the model in which it was met last. */
  #metIn = new Float64Array(0);
  #model = 0;

  constructor(matcher: Matcher) {
    this.#matcher = matcher;
  }

  /** About how many bytes of heap it holds. */
  get heapBytes(): number {
    return this.#numbers.byteLength + this.#metIn.byteLength;
  }

  /**
   * Reads all models, oldest first.
   *
   * @param symbols all numbers of the symbol table are less than this
   */
  read({ ids, names }: NumberedSequence, symbols: number, visit: (model: ReadModel) => void): void {
    if (this.#numbers.length < symbols) {
      this.#numbers = new Uint32Array(symbols);
      this.#metIn = new Float64Array(symbols);
    }
    for (const [number, id] of ids.entries()) if (id >= 0) this.#numbers[id] = number + 1;
    try {
      const counts = new Float64Array(names.length);
      for (const part of this.#matcher.parts()) this.#readPart(part, counts, visit);
    } finally {
      for (const id of ids) if (id >= 0) this.#numbers[id] = 0;
    }
  }

  #readPart(part: ModelPart, counts: Float64Array, visit: (model: ReadModel) => void): void {
    const { eventCounts, frequencies, lengths, symbols } = part;
    const numbers = new Int32Array(symbols.length);
    for (let at = 0; at < numbers.length; at++) numbers[at] = (this.#numbers[symbols[at] ?? 0] ?? 0) - 1;
    const ends = { frequency: 0, firstEvent: 0, endEvent: 0, firstSymbol: 0 };
    const model: ReadModel = { ...ends, shared: [], others: [], counts, part, numbers };
    for (let place = 0; place < frequencies.length; place++) {
      model.frequency = frequencies[place] ?? 0;
      model.endEvent = model.firstEvent + (eventCounts[place] ?? 0);
      let end = model.firstSymbol;
      for (let event = model.firstEvent; event < model.endEvent; event++) end += lengths[event] ?? 0;
      this.#count(model, end);
      visit(model);
      for (const number of model.shared) counts[number] = 0;
      model.shared.length = 0;
      model.others.length = 0;
      model.firstEvent = model.endEvent;
      model.firstSymbol = end;
    }
  }

  /** Counts the symbols of a model. */
  #count({ counts, firstSymbol, numbers, others, part, shared }: ReadModel, end: number): void {
    const metIn = this.#metIn;
    const serial = ++this.#model;
    for (let at = firstSymbol; at < end; at++) {
      const number = numbers[at] ?? -1;
      if (number >= 0) {
        const count = counts[number] ?? 0;
        if (count === 0) shared.push(number);
        counts[number] = count + 1;
        continue;
      }
      const id = part.symbols[at] ?? 0;
      if (metIn[id] === serial) continue;
      metIn[id] = serial;
      others.push(id);
    }
  }
}
