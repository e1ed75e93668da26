/** The encoders of a processor: keeps them by name, records changes of them, and encodes the numbers of a record. */

import { nameRefusal } from "../../text/chosen-names";
import { compareCodePoints } from "../../text/code-points";
import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { NamedNumber } from "../ports/gdf";
import type { KeptBin, Store } from "../ports/store";
import { definitionOf, definitionText } from "./definition-text";
import { Encoder } from "./encoder";

/** The most encoders of one processor. */
const MOST_ENCODERS = 1_000;

/** The most characters that the definitions of all encoders of one processor may have. */
const MOST_TEXT = 4_000_000;

/**
 * Refuses an encoder that would exceed the limits.
 *
 * @param others the definitions of the other encoders
 * @throws Fault `over-limit`
 */
export function assertRoomFor(definition: string, others: readonly string[]): void {
  if (others.length >= MOST_ENCODERS) {
    throw new Fault("over-limit", `a processor may have ${MOST_ENCODERS} encoders, and this one has: delete some`);
  }
  const length = others.reduce((sum, text) => sum + text.length, definition.length);
  if (length <= MOST_TEXT) return;
  throw new Fault(
    "over-limit",
    `the encoders of a processor may take ${MOST_TEXT} characters, with this one they take ${length}: delete some, or give fewer edges`,
  );
}

/** The result of encoding the numbers of a record. */
export interface EncodedNumbers {
  /** In the order of their names. */
  readonly symbols: string[];
  /** The bins to keep for the next record. */
  readonly bins: KeptBin[];
}

/** All encoders of a processor. */
export class Encoders {
  readonly #store: Store;
  /** By name. Loaded on first use, since most processors have no encoders. */
  #byName: Map<string, Encoder> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** About how many bytes of heap they take. */
  get heapBytes(): number {
    let bytes = 0;
    for (const encoder of this.#byName?.values() ?? []) bytes += encoder.heapBytes;
    return bytes;
  }

  /** All encoders, by name in the order of UTF-8 bytes. */
  all(): Encoder[] {
    return [...this.#known().values()].sort((a, b) => compareCodePoints(a.name, b.name));
  }

  /** An encoder; `undefined` when there is none of the name. */
  get(name: string): Encoder | undefined {
    return this.#known().get(name);
  }

  /**
   * Adds or replaces an encoder. An unchanged definition changes nothing, so that memories keep their bins.
   *
   * @param text the definition as JSON text
   * @returns the definition as canonical JSON text
   * @throws Fault `invalid` when the name or the definition is wrong; `over-limit` when there are too
   *   many encoders for a new one
   */
  put(name: string, text: string): string {
    const refusal = nameRefusal(name);
    if (refusal !== undefined) throw new Fault("invalid", `an encoder must have ${refusal}, got ${excerpt(name)}`);
    const definition = definitionText(definitionOf(text));
    const known = this.#known();
    const before = known.get(name);
    if (before?.text === definition) return definition;
    const others = [...known.values()].filter((encoder) => encoder !== before).map((encoder) => encoder.text);
    assertRoomFor(definition, others);
    this.#store.record({ kind: "encoder-put", name, definition });
    this.#byName = undefined;
    return definition;
  }

  /** Deletes an encoder. Does nothing if it does not exist. */
  delete(name: string): void {
    const known = this.#known();
    if (!known.has(name)) return;
    this.#store.record({ kind: "encoder-deleted", name });
    known.delete(name);
  }

  /** @throws Fault `invalid` naming the first number that has no encoder */
  assertKnown(numbers: readonly NamedNumber[]): void {
    for (const { name } of numbers) this.#encoderOf(name);
  }

  /**
   * Encodes the numbers of a record.
   *
   * @param numbers finite, each name once
   * @param kept the bins that the memory has kept
   * @throws Fault `invalid` naming the first number that has no encoder
   */
  encode(numbers: readonly NamedNumber[], kept: readonly KeptBin[]): EncodedNumbers {
    const bins = new Map<string, KeptBin>();
    for (const bin of kept) if (this.get(bin.name)?.number === bin.encoder) bins.set(bin.name, bin);
    const symbols: string[] = [];
    for (const { name, value } of [...numbers].sort((a, b) => compareCodePoints(a.name, b.name))) {
      const { symbol, bin } = this.#encoderOf(name).encode(value, bins.get(name));
      if (symbol !== undefined) symbols.push(symbol);
      if (bin !== undefined) bins.set(name, bin);
    }
    return { symbols, bins: [...bins.values()] };
  }

  #known(): Map<string, Encoder> {
    this.#byName ??= new Map(this.#store.encoders().map((row) => [row.name, new Encoder(row)]));
    return this.#byName;
  }

  #encoderOf(name: string): Encoder {
    const encoder = this.get(name);
    if (encoder !== undefined) return encoder;
    const known =
      this.#known().size === 0 ? "this processor has no encoders" : "GET encoders lists those that there are";
    throw new Fault(
      "invalid",
      `the number ${excerpt(name)} has no encoder: put one with PUT encoders/<name>; ${known}`,
    );
  }
}
