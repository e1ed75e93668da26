/**
 * How large the program of a regular expression can become. Counted repetitions multiply, so that a short
 * pattern may make a huge one.
 */

/**
 * The tokens of the engine's syntax: an escape, brackets, the beginning of a group or a setting, a counted
 * repetition, a character.
 */
const TOKEN =
  /\\(?:[xpP]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:P?<[^>]*>|[A-Za-z-]*[:)])|\{\d+,?\d*\}|[\s\S]/gu;

/** What a program, or a group, has besides its parts. */
const FRAME = 3;

/** How often each sign of repetition writes its part down. */
const SIGNS = new Map([
  ["*", 1],
  ["+", 1],
  ["?", 1],
]);

/**
 * At most so many instructions the program of a pattern has; more than `enough` when there are more than that.
 * @param pattern in the engine's syntax
 */
export function programBound(pattern: string, enough: number): number {
  const outer: number[] = [];
  let total = FRAME;
  /** The part that a repetition would repeat; `total` includes it. */
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
      total = FRAME;
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

/** How often a counted repetition, such as `{2,5}` or `{3,}`, writes its part down; 0 for another token. */
function repetitions(token: string): number {
  if (token.length < 2 || !token.startsWith("{")) return 0;
  const [least = 0, most = 0] = token.slice(1, -1).split(",").map(Number);
  return Math.max(least, most) + 1;
}
