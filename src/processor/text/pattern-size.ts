/**
 * Bounds the size of a regular expression's program. Counted repetitions multiply, so a short pattern
 * can make a huge program.
 */

/**
 * The tokens of the engine's syntax: an escape, brackets, the beginning of a group or a setting, a counted
 * repetition, a character.
 */
const TOKEN =
  /\\(?:[xpP]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:P?<[^>]*>|[A-Za-z-]*[:)])|\{\d+,?\d*\}|[\s\S]/gu;

/** Instructions of a program or group besides its parts. */
const FRAME_INSTRUCTIONS = 3;

/** Number of copies of the repeated part for each repetition operator. */
const SIGNS = new Map([
  ["*", 1],
  ["+", 1],
  ["?", 1],
]);

/**
 * An upper bound for the number of instructions of a pattern's program; counting stops above `enough`.
 * @param pattern in the engine's syntax
 */
export function programBound(pattern: string, enough: number): number {
  const outer: number[] = [];
  let total = FRAME_INSTRUCTIONS;
  /** The size of the part that a following repetition would repeat; included in `total`. */
  let last = 0;
  const repeat = (times: number) => {
    total += (last + 1) * times - last;
    last = (last + 1) * times;
  };
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (total > enough) return total;
    const times = SIGNS.get(token) ?? repetitions(token);
    if (opensGroup(token)) {
      outer.push(total);
      total = FRAME_INSTRUCTIONS;
      last = 0;
    } else if (token === ")") {
      last = total;
      total += outer.pop() ?? 0;
    } else if (times > 0) repeat(times);
    else {
      last = 1;
      total += 1;
    }
  }
  return outer.reduce((sum, size) => sum + size, total);
}

/** Whether a token begins a group; a setting such as `(?i)` does not. */
function opensGroup(token: string): boolean {
  return token === "(" || (token.startsWith("(?") && !token.endsWith(")"));
}

/** Number of copies that a counted repetition, such as `{2,5}` or `{3,}`, makes of its part; 0 for other tokens. */
function repetitions(token: string): number {
  if (token.length < 2 || !token.startsWith("{")) return 0;
  const [least = 0, most = 0] = token.slice(1, -1).split(",").map(Number);
  return Math.max(least, most) + 1;
}
