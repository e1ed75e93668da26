/** One encoder: turns a number into a symbol, depending on its bin and the previous number's bin. */

import type { EncoderRow, KeptBin } from "../ports/store";
import { type Bins, binsOf, type Interval, widened } from "./bins";
import { definitionOf } from "./definition-text";
import type { Definition } from "./kinds";

/** Approximate heap bytes of an encoder without its text. */
const OWN_HEAP_BYTES = 1_024;

/** The result of encoding a number. */
export interface EncodedNumber {
  /** Missing if the bin has not changed, and the encoder makes a symbol only on change. */
  readonly symbol?: string;
  /** The bin to keep for the next number; missing if it would make no difference. */
  readonly bin?: KeptBin;
}

/**
 * The symbol of the bin that begins at an edge: the edge as its shortest decimal.
 *
 * @param from finite, or -Infinity below all edges
 */
function symbolOf(name: string, from: number): string {
  return `${name}=${Number.isFinite(from) ? String(from) : "-inf"}`;
}

function holds({ from, below }: Interval, value: number): boolean {
  return from <= value && value < below;
}

/** An encoder as it is stored, ready to encode. */
export class Encoder {
  readonly name: string;
  /** Unique within the processor, and never reused. */
  readonly number: number;
  /** The definition as canonical JSON text. */
  readonly text: string;
  readonly #definition: Definition;
  readonly #bins: Bins;

  /** @throws Fault `invalid` when the text is no definition */
  constructor({ name, number, definition }: EncoderRow) {
    this.name = name;
    this.number = number;
    this.text = definition;
    this.#definition = definitionOf(definition);
    this.#bins = binsOf(this.#definition);
  }

  /** About how many bytes of heap it takes. */
  get heapBytes(): number {
    return OWN_HEAP_BYTES + this.text.length;
  }

  /**
   * Encodes a number.
   *
   * @param value finite
   * @param before the bin that the memory has kept under this encoder's name; that of an earlier encoder is ignored
   */
  encode(value: number, before: KeptBin | undefined): EncodedNumber {
    const { name, number } = this;
    const { hysteresis, on_change: onChange } = this.#definition;
    if (hysteresis === 0 && !onChange) return { symbol: symbolOf(name, this.#bins(value).from) };
    const kept = before?.encoder === number ? before : undefined;
    const stays = kept !== undefined && holds(widened(kept, hysteresis), value);
    const { from, below } = stays ? kept : this.#bins(value);
    const bin = { name, encoder: number, from, below };
    return onChange && kept?.from === from ? { bin } : { symbol: symbolOf(name, from), bin };
  }
}
