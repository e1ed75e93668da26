/**
 * Measures the nesting, the number of values and the number of distinct members of JSON text, so that text
 * which would exhaust stack, memory or time is refused unparsed. Each measure is one pass over the text and
 * allocates nothing per item.
 */

/** Maximum nesting of a body, in levels. */
export const MAX_JSON_DEPTH = 100;

/** Maximum number of values in a body. Parsing that many takes a quarter of a second at worst. */
export const MAX_JSON_VALUES = 1_000_000;

/**
 * Maximum number of distinct members in a body. Two members are the same if their names and all names before them
 * in their objects are equal: the engine creates a hidden class for each distinct one, which takes up to ten
 * times as long as a value.
 */
export const MAX_JSON_MEMBERS = 100_000;

/** Minimum length of a member with its comma, in characters. */
const MIN_MEMBER = 4;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/** How a text exceeds the limits. */
export interface JsonExcess {
  /** The end of a sentence about the text: `holds more than …`. */
  readonly sentence: string;
  /** Whether it is nested too deeply; else it is too large. */
  readonly isTooDeep: boolean;
}

/**
 * Why a text is too costly to parse.
 *
 * @param source text that is supposed to be JSON
 * @param most maximum number of values
 * @returns `undefined` if it is not
 */
export function jsonExcess(source: string, most = MAX_JSON_VALUES): JsonExcess | undefined {
  const { depth, values } = extentOf(source);
  // Check the depth first, because deeply nested text costs a parser a hundred times its own memory.
  if (depth > MAX_JSON_DEPTH) {
    return { sentence: `is nested deeper than ${MAX_JSON_DEPTH} levels`, isTooDeep: true };
  }
  if (values > most) return tooMany(`${most} values`);
  // Shorter text cannot hold too many.
  if (source.length > MAX_JSON_MEMBERS * MIN_MEMBER && jsonMembers(source) > MAX_JSON_MEMBERS) {
    return tooMany(`${MAX_JSON_MEMBERS} different members`);
  }
  return undefined;
}

function tooMany(most: string): JsonExcess {
  return { sentence: `holds more than ${most}, the maximum`, isTooDeep: false };
}

/** The greatest number of lists and objects open at once, in levels. Brackets inside strings do not count. */
export function jsonDepth(source: string): number {
  return extentOf(source).depth;
}

/**
 * Upper bound of the number of values in a text: one, and one more for each comma and each opening bracket outside
 * strings.
 */
export function jsonValues(source: string): number {
  return extentOf(source).values;
}

/**
 * The depth of a text and its values, in one pass, because for a large text a pass takes a good part of the time of
 * parsing.
 */
function extentOf(source: string): { readonly depth: number; readonly values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let i = 0; i < source.length; i++) {
    const unit = source.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(source, i);
    } else if (unit === 0x5b || unit === 0x7b) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (unit === 0x5d || unit === 0x7d) {
      depth -= 1;
    } else if (unit === COMMA) {
      values += 1;
    }
  }
  return { depth: deepest, values };
}

/**
 * The number of distinct members of a text; see {@link MAX_JSON_MEMBERS}. Stops counting above that.
 *
 * @param source text that is nested no deeper than MAX_JSON_DEPTH levels
 */
export function jsonMembers(source: string): number {
  forms ??= new Forms();
  forms.clear();
  // For each open object, a hash of the names so far.
  const rows = new Int32Array(MAX_JSON_DEPTH + 1);
  let depth = 0;
  for (let i = 0; i < source.length && forms.size <= MAX_JSON_MEMBERS; i++) {
    const unit = source.charCodeAt(i);
    if (unit === QUOTE) {
      const end = endOfString(source, i);
      if (isName(source, end)) rows[depth] = forms.add(rows[depth] ?? 0, source, i + 1, end);
      i = end;
    } else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      rows[depth] = 0;
    } else if (unit === 0x5d || unit === 0x7d) {
      depth -= 1;
    }
  }
  return forms.size;
}

/** Whether the string that ends at a position is the name of a member. */
function isName(source: string, end: number): boolean {
  let i = end + 1;
  while (source.charCodeAt(i) <= SPACE) i += 1;
  return source.charCodeAt(i) === COLON;
}

/** The sequences of names seen so far, each as a hash of all its names. */
class Forms {
  static readonly #PLACES = 2 ** 18;
  readonly #places = new Int32Array(Forms.#PLACES);
  /** Odd, and random for each isolate, so that a client cannot choose names that collide. */
  readonly #factor = Math.floor(Math.random() * 2 ** 31) | 1;
  size = 0;

  clear(): void {
    this.#places.fill(0);
    this.size = 0;
  }

  /** Adds a sequence: a previous one followed by a name in the source. @returns its hash, which is never 0 */
  add(before: number, source: string, start: number, end: number): number {
    let row = Math.imul(before ^ (end - start), this.#factor);
    for (let i = start; i < end; i++) row = Math.imul(row ^ source.charCodeAt(i) ^ (row >>> 15), this.#factor);
    row = row === 0 ? 1 : row;
    let place = (row ^ (row >>> 13)) & (Forms.#PLACES - 1);
    while (this.#places[place] !== 0 && this.#places[place] !== row) place = (place + 1) & (Forms.#PLACES - 1);
    if (this.#places[place] === row) return row;
    this.#places[place] = row;
    this.size += 1;
    return row;
  }
}

/**
 * One per isolate. Created at the first large text, because Workers must not draw random numbers
 * before their first request.
 */
let forms: Forms | undefined;

/** The position of the closing quotation mark of the string that begins at `start`, or the end of the text. */
function endOfString(source: string, start: number): number {
  let i = start + 1;
  while (i < source.length) {
    const unit = source.charCodeAt(i);
    if (unit === QUOTE) return i;
    i += unit === BACKSLASH ? 2 : 1;
  }
  return i;
}
