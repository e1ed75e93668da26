/**
 * Knows for most names that a table does not hold them: a Bloom filter (1970) over the names of its rows. A stream of
 * numbers learns a new model with nearly each event, and looking up a name that is not there costs more than the rest
 * of the learn's writes. The filter is filled from the table, a few names at a time, once names are looked up.
 */

/** Bits of the filter for each name that it has room for: with two bits a name, one in 70 unknown names passes. */
const BITS_A_NAME = 16;
/** Number of names for which a new filter has room; it grows by doubling. */
const FIRST_ROOM = 4096;
/** Maximum number of names: the filter then takes 512 KiB. A table with more has none. */
const MAX_NAMES = 2 ** 18;
/** Number of names read at a time, in well under a millisecond. */
const READ_TOGETHER = 1024;
/** Number of look-ups for each such reading. */
const LOOKUPS_A_READING = 16;

/** Hex digits of a name that choose a bit. */
const DIGITS_A_BIT = 8;

/**
 * Reads the names of a table.
 *
 * @param after a name; empty for the beginning
 * @returns at most `most` names that follow it, ascending
 */
export type ReadNames = (after: string, most: number) => readonly string[];

/** Which names a table surely does not hold. */
export class NameFilter {
  readonly #read: ReadNames;
  #bits = new Uint32Array(0);
  /** Number of names in the filter; some that were removed from the table are counted, too. */
  #names = 0;
  #lookups = 0;
  /** The last name read from the table. */
  #after = "";
  #isWhole = false;

  constructor(read: ReadNames) {
    this.#read = read;
  }

  /** Whether the table may hold a name; false only if it does not. @param name 40 hex digits */
  mayHold(name: string): boolean {
    if (this.#isWhole) return this.#has(name);
    if (this.#names <= MAX_NAMES && ++this.#lookups % LOOKUPS_A_READING === 0) this.#readSome();
    return true;
  }

  /** Call this when a row was written. @param name 40 hex digits */
  add(name: string): void {
    if (this.#bits.length === 0 || this.#has(name)) return;
    this.#names++;
    // A whole filter may be full of names that the table no longer holds.
    if (this.#names > this.#room) this.#restart(this.#isWhole ? this.#room : 2 * this.#room);
    else for (const bit of this.#bitsOf(name)) this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  /** Call this when the table was emptied or replaced. */
  reset(): void {
    this.#names = 0;
    this.#restart(0);
  }

  get #room(): number {
    return (32 * this.#bits.length) / BITS_A_NAME;
  }

  /** Begins again, with room for some names: none until some are looked up. */
  #restart(room: number): void {
    const isTooMany = room > MAX_NAMES;
    this.#bits = new Uint32Array(isTooMany ? 0 : (room * BITS_A_NAME) / 32);
    this.#names = isTooMany ? room : 0;
    this.#after = "";
    this.#isWhole = false;
  }

  #readSome(): void {
    if (this.#bits.length === 0) this.#restart(FIRST_ROOM);
    const room = this.#room;
    const names = this.#read(this.#after, READ_TOGETHER);
    for (const name of names) {
      this.add(name);
      // The filter has begun again, with more room.
      if (this.#room !== room) return;
      this.#after = name;
    }
    if (names.length === READ_TOGETHER) return;
    // Half of a whole one is free, so that it is not full again soon.
    if (2 * this.#names > room) this.#restart(2 * room);
    else this.#isWhole = true;
  }

  #has(name: string): boolean {
    return this.#bitsOf(name).every((bit) => (((this.#bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1);
  }

  /** The bits of a name, which is a hash already. */
  #bitsOf(name: string): [number, number] {
    const bits = 32 * this.#bits.length;
    const bitAt = (digit: number) => Number.parseInt(name.slice(digit, digit + DIGITS_A_BIT), 16) % bits;
    return [bitAt(0), bitAt(DIGITS_A_BIT)];
  }
}
