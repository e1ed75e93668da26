/** The symbols that observations drop, in the order of adding, and their total size. */

import { Fault } from "../ports/fault";

/**
 * Maximum size of a processor's blacklist, in bytes: the whole list has to fit into the heap, into one page of a backup
 * and into one answer.
 */
const MAX_BYTES = 4_000_000;

/** Bytes counted for a symbol in addition to its UTF-16 units. */
export const SYMBOL_BYTES = 64;

/** A set of symbols within its budget; one stored by an earlier version may exceed it. */
export class Blacklist extends Set<string> {
  #bytes = 0;
  #isChanged = false;

  /** @param symbols as stored */
  constructor(symbols: readonly string[]) {
    super();
    for (const symbol of symbols) this.add(symbol);
    this.#isChanged = false;
  }

  /** Whether it has changed since {@link keepChanges}. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** From now on, {@link isChanged} says whether it is as it is stored. */
  keepChanges(): void {
    this.#isChanged = false;
  }

  /** Its size: the UTF-16 units of its symbols, plus 64 for each. */
  get bytes(): number {
    return this.#bytes;
  }

  override add(symbol: string): this {
    this.#isChanged = true;
    if (!this.has(symbol)) this.#bytes += SYMBOL_BYTES + symbol.length;
    return super.add(symbol);
  }

  override delete(symbol: string): boolean {
    this.#isChanged = true;
    const isGone = super.delete(symbol);
    if (isGone) this.#bytes -= SYMBOL_BYTES + symbol.length;
    return isGone;
  }

  override clear(): void {
    super.clear();
    this.#isChanged = true;
    this.#bytes = 0;
  }

  /** @param symbols not on the blacklist yet @throws Fault `over-limit` when adding them would exceed the budget */
  assertRoomFor(symbols: readonly string[]): void {
    const bytes = symbols.reduce((sum, { length }) => sum + SYMBOL_BYTES + length, this.#bytes);
    if (bytes <= MAX_BYTES) return;
    throw new Fault(
      "over-limit",
      `the blacklist of a processor may take ${MAX_BYTES} bytes, with these symbols it takes ${bytes}: remove some`,
    );
  }
}
