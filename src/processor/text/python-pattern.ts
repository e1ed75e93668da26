/**
 * Patterns of symbols: regular expressions as Python's `re` writes them, run in linear time. Python's own spellings are turned into
 * those of the engine; what it cannot run in linear time (lookaround, references back) or does not know is refused.
 */

import { RE2JS, RE2JSSyntaxException } from "re2js";
import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";

const WORD = "\\p{L}\\p{N}_";
/** What Python's str.isspace says. */
const SPACE = "\\t-\\r\\x1c-\\x1f\\x85\\p{Z}";
// What is neither is spelled out, because brackets cannot hold a class turned round.
const NO_WORD = [
  "\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}",
  // The connectors, \p{Pc}, but for the low line.
  "\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}",
].join("");
const NO_SPACE = [
  "\\x00-\\x08\\x0e-\\x1b!-\\x84\\x86-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}",
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}",
].join("");

/** Python's classes of characters and places, outside and inside of brackets; `undefined` where there is no such thing. */
const CLASSES = new Map<string, { outside: string; inside: string | undefined }>([
  ["d", { outside: "\\p{Nd}", inside: "\\p{Nd}" }],
  ["D", { outside: "\\P{Nd}", inside: "\\P{Nd}" }],
  ["w", { outside: `[${WORD}]`, inside: WORD }],
  ["W", { outside: `[^${WORD}]`, inside: NO_WORD }],
  ["s", { outside: `[${SPACE}]`, inside: SPACE }],
  ["S", { outside: `[^${SPACE}]`, inside: NO_SPACE }],
  ["Z", { outside: "\\z", inside: undefined }],
  ["b", { outside: "\\b", inside: "\\x08" }],
]);

/** Escapes that mean the same in Python and in the engine. */
const SAME_ESCAPES = "aABfnrtvx0123456789";
const HEX_DIGITS = new Map([
  ["u", 4],
  ["U", 8],
]);
const BOUND_WITHOUT_LEAST = /^\{,(\d*)\}/;

function refused(pattern: string, reason: string): Fault {
  return new Fault(
    "invalid",
    `the pattern ${excerpt(pattern)} must be a regular expression of Python's syntax without lookaround and references back: ${reason}`,
  );
}

/** Walks over a pattern and spells it anew for the engine. */
class Translation {
  readonly #pattern: string;
  #at = 0;
  #spelled = "";
  #inside = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  run(): string {
    while (this.#at < this.#pattern.length) this.#step();
    return this.#spelled;
  }

  #step(): void {
    const character = this.#pattern[this.#at] ?? "";
    if (character === "\\") this.#escape();
    else if (this.#inside) this.#insideBrackets(character);
    else if (character === "[") this.#openBrackets();
    else this.#outsideBrackets(character);
  }

  #take(length: number, spelled: string): void {
    this.#at += length;
    this.#spelled += spelled;
  }

  #escape(): void {
    const letter = this.#pattern[this.#at + 1];
    if (letter === undefined) throw refused(this.#pattern, "it ends in a backslash");
    const known = CLASSES.get(letter);
    const digits = HEX_DIGITS.get(letter);
    if (known !== undefined) this.#classEscape(letter, this.#inside ? known.inside : known.outside);
    else if (digits !== undefined) this.#hexEscape(letter, digits);
    else if (SAME_ESCAPES.includes(letter)) this.#take(2, `\\${letter}`);
    else if (/[A-Za-z]/.test(letter)) throw refused(this.#pattern, `\\${letter} is not known`);
    else this.#take(2, letter.charCodeAt(0) < 0x80 ? `\\${letter}` : letter);
  }

  #classEscape(letter: string, spelled: string | undefined): void {
    if (spelled === undefined) throw refused(this.#pattern, `\\${letter} inside brackets is not known`);
    this.#take(2, spelled);
  }

  #hexEscape(letter: string, length: number): void {
    const hex = this.#pattern.slice(this.#at + 2, this.#at + 2 + length);
    if (hex.length < length || !/^[0-9a-fA-F]*$/.test(hex)) {
      throw refused(this.#pattern, `\\${letter} must be followed by ${length} hex digits`);
    }
    this.#take(2 + length, `\\x{${hex}}`);
  }

  #openBrackets(): void {
    // A closing bracket right after the opening stands for itself.
    const opening = /^\[\^?\]?/.exec(this.#pattern.slice(this.#at))?.[0] ?? "[";
    this.#take(opening.length, opening.replace("]", "\\]"));
    this.#inside = true;
  }

  #insideBrackets(character: string): void {
    if (character === "]") this.#inside = false;
    this.#take(1, character === "[" ? "\\[" : character);
  }

  #outsideBrackets(character: string): void {
    const bound = character === "{" ? BOUND_WITHOUT_LEAST.exec(this.#pattern.slice(this.#at)) : null;
    if (bound === null) this.#take(1, character);
    else this.#take(bound[0].length, `{0,${bound[1]}}`);
  }
}

/**
 * Compiles a pattern into a test of whole symbols.
 * @throws Fault `invalid` when the pattern is no regular expression, or uses syntax that is not known here
 */
export function symbolTest(pattern: string): (symbol: string) => boolean {
  const spelled = new Translation(pattern).run();
  try {
    const expression = RE2JS.compile(spelled);
    return (symbol) => expression.matches(symbol);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw refused(pattern, error.message.replace("error parsing regexp: ", ""));
  }
}
