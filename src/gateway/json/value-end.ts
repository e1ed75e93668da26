/** Finds where a JSON value ends in text that arrives in pieces. Counts brackets and skips strings; whether the value is valid is not its business. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The search for the end of one object, list or string. */
export class ValueEnd {
  /** How far the search got, in UTF-16 units; the length of the value once the end is found. */
  length = 0;
  #depth = 0;
  #inString = false;

  /**
   * Searches on where the last search stopped.
   *
   * @param text holds at least what it held at the last search
   * @param start where the value begins in it
   * @returns whether the end was found
   */
  search(text: string, start: number): boolean {
    let i = start + this.length;
    while (i < text.length) {
      i += this.#step(text.charCodeAt(i));
      if (this.#depth === 0 && !this.#inString) {
        this.length = i - start;
        return true;
      }
    }
    this.length = i - start;
    return false;
  }

  /** Takes in one unit. Returns how many to go on by: two past a backslash, because what it escapes ends nothing. */
  #step(unit: number): 1 | 2 {
    if (unit === QUOTE) this.#inString = !this.#inString;
    else if (this.#inString) return unit === BACKSLASH ? 2 : 1;
    else if (unit === 0x7b || unit === 0x5b) this.#depth += 1;
    else if (unit === 0x7d || unit === 0x5d) this.#depth -= 1;
    return 1;
  }
}
