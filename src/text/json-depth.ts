/** How deeply JSON text is nested, and how many values it holds: text that would exhaust stack, memory or time is refused unparsed. */

/** The deepest nesting that any body may have, in levels. */
export const MAX_JSON_DEPTH = 100;

/** The most values that any body may hold. Parsing so many takes a quarter of a second at worst. */
export const MAX_JSON_VALUES = 1_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** The greatest number of lists and objects open at once, in levels. Brackets inside strings do not count. */
export function jsonDepth(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < source.length; i++) {
    const unit = source.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(source, i);
    } else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (unit === 0x5d || unit === 0x7d) {
      depth -= 1;
    }
  }
  return deepest;
}

/** At most so many values a text holds: one, and one more for each comma and each opening bracket outside strings. */
export function jsonValues(source: string): number {
  let values = 1;
  for (let i = 0; i < source.length; i++) {
    const unit = source.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(source, i);
    else if (unit === COMMA || unit === 0x5b || unit === 0x7b) values += 1;
  }
  return values;
}

/** The position of the quotation mark that ends the string which begins at `start`, or the end of the text. */
function endOfString(source: string, start: number): number {
  let i = start + 1;
  while (i < source.length) {
    const unit = source.charCodeAt(i);
    if (unit === QUOTE) return i;
    i += unit === BACKSLASH ? 2 : 1;
  }
  return i;
}
