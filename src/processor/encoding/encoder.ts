/** One encoder: turns a number into a symbol, depending on its bin and the previous number's bin. */

import type { EncoderRow, KeptBin } from "../ports/store";
import { type Bins, binsOf, type Interval, widened } from "./bins";
import { isCollecting, type StoredDefinition, storedDefinitionOf } from "./collecting";
import { definitionText } from "./definition-text";
import { type Definition, isTimeDefinition, type NumberDefinition } from "./kinds";
import { remoteness } from "./remoteness";
import { symbolOf } from "./symbol";

/** Approximate heap bytes of an encoder without its text. */
const OWN_HEAP_BYTES = 1_024;

const LEARNED = 1;
const NOT_LEARNED = 2;

/** The symbols that models hold. */
export interface LearnedSymbols {
  /** Another number after each change. */
  readonly revision: number;
  has(symbol: string): boolean;
}

/** The result of encoding a number. */
export interface EncodedNumber {
  /** Missing if the bin is unchanged and the encoder reports only changes. */
  readonly symbol?: string;
  /** The bin to keep for the next number; missing if keeping it would make no difference. */
  readonly bin?: KeptBin;
}

function holds({ from, below }: Interval, value: number): boolean {
  return from <= value && value < below;
}

/** An encoder of numbers as it is stored, ready to encode. */
export class Encoder {
  readonly name: string;
  /** Unique within the processor, and never reused. */
  readonly number: number;
  /** The definition as canonical JSON text, as clients see it. */
  readonly text: string;
  /** Whether it is still collecting numbers. It makes no symbols until it stops. */
  readonly isCollecting: boolean;
  /** Collected numbers that belong to no memory. */
  readonly collected: readonly number[];
  readonly #definition: NumberDefinition;
  readonly #bins: Bins;
  /**
   * What is known of its bins as of a revision: 0 for one that was not looked up. An event may hold all bins of all
   * encoders, and each asks for its neighbours.
   */
  #lookups: { readonly revision: number; readonly bins: Uint8Array } | undefined;

  /** @throws Fault `invalid` when the text is not a definition; Error when it defines an encoder of time */
  constructor({ name, number, definition }: EncoderRow) {
    const stored = storedDefinitionOf(definition);
    if (isTimeDefinition(stored.definition)) throw new Error(`the encoder ${name} reads the time, not numbers`);
    this.name = name;
    this.number = number;
    this.#definition = stored.definition;
    this.collected = stored.collected;
    this.isCollecting = isCollecting(stored.definition);
    // A definition without collected numbers is stored as canonical text already.
    this.text = stored.collected.length === 0 ? definition : definitionText(stored.definition);
    this.#bins = binsOf(this.#definition);
  }

  /** What to store for it with these collected numbers that belong to no memory. */
  storedWith(collected: readonly number[]): StoredDefinition {
    return { definition: this.#definition, collected };
  }

  /** The number of bins that it makes from the numbers it collects. */
  get wantedBins(): number {
    return this.#definition.kind === "auto" ? this.#definition.bins : 0;
  }

  /** What to store for it once it has found its edges. */
  storedWithEdges(edges: readonly number[]): StoredDefinition {
    return { definition: { ...this.#definition, edges } as Definition, collected: [] };
  }

  /** Whether a wanted definition equals its own. The wanted one may omit found edges. */
  isAs(wanted: Definition): boolean {
    const before = this.#definition;
    const found = wanted.kind === "auto" && before.kind === "auto" ? before.edges : undefined;
    const whole = found === undefined || !isCollecting(wanted) ? wanted : { ...wanted, edges: found };
    return definitionText(whole) === this.text;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    const lookups = this.#lookups?.bins.length ?? 0;
    return OWN_HEAP_BYTES + this.text.length + 8 * this.collected.length + lookups;
  }

  /** Forgets what models hold: after changes were taken back, a revision may stand for others. */
  forgetLearned(): void {
    this.#lookups = undefined;
  }

  /**
   * Encodes a number. While the encoder collects, there is no symbol.
   *
   * @param value finite
   * @param before the bin that the memory has kept under this encoder's name; ignored if an earlier encoder made it
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

  /**
   * The {@link remoteness} of a symbol that no model holds; 1 for a symbol that is none of its bins, and if its bins
   * have one size or its edges are not found yet.
   */
  remotenessOf(symbol: string, learned: LearnedSymbols): number {
    const definition = this.#definition;
    const edges = definition.kind === "step" ? [] : (definition.edges ?? []);
    const symbolAt = (bin: number) => symbolOf(this.name, edges[bin - 1] ?? Number.NEGATIVE_INFINITY);
    const edge = Number(symbol.slice(this.name.length + 1));
    const bin = Number.isNaN(edge) ? 0 : edges.indexOf(edge) + 1;
    if (symbolAt(bin) !== symbol) return 1;
    if (this.#lookups?.revision !== learned.revision) {
      this.#lookups = { revision: learned.revision, bins: new Uint8Array(edges.length + 1) };
    }
    const { bins } = this.#lookups;
    const isLearned = (other: number) => {
      bins[other] ||= learned.has(symbolAt(other)) ? LEARNED : NOT_LEARNED;
      return bins[other] === LEARNED;
    };
    return remoteness(edges, bin, isLearned);
  }
}
