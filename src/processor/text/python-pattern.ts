/**
 * Regular expressions in the syntax of Python's `re`, run in linear time. Translates Python's own syntax into the
 * engine's, and refuses what the engine cannot run in linear time (lookaround, backreferences) or does not support.
 */

import { RE2JS, RE2JSSyntaxException } from "re2js";
import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import { programBound } from "./pattern-size";

const WORD = "\\p{L}\\p{N}_";
/** The characters for which Python's str.isspace is true. */
const SPACE = "\\t-\\r\\x1c-\\x1f\\x85\\p{Z}";
// Complements are written out, because brackets cannot hold a negated class.
const NO_WORD = [
  "\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}",
  // The connectors, \p{Pc}, except the low line.
  "\\x{203f}\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}",
].join("");
const NO_SPACE = [
  "\\x00-\\x08\\x0e-\\x1b!-\\x84\\x86-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}",
  "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}",
].join("");

/** Python's escapes for classes and positions, outside and inside brackets; `undefined` if Python has none. */
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

/** Escapes with the same meaning in Python and in the engine. */
const SAME_ESCAPES = "aABfnrtvx0123456789";
const HEX_DIGITS = new Map([
  ["u", 4],
  ["U", 8],
]);
const BOUND_WITHOUT_LEAST = /^\{,(\d*)\}/;

function refused(pattern: string, reason: string): Fault {
  return new Fault(
    "invalid",
    `the pattern ${excerpt(pattern)} must be a regular expression in Python's syntax, ` +
      `without lookaround and backreferences: ${reason}`,
  );
}

/** Translates one pattern, character by character. */
class Translation {
  readonly #pattern: string;
  #at = 0;
  #translated = "";
  #inside = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  run(): string {
    while (this.#at < this.#pattern.length) this.#step();
    return this.#translated;
  }

  #step(): void {
    const character = this.#pattern[this.#at] ?? "";
    if (character === "\\") this.#escape();
    else if (this.#inside) this.#insideBrackets(character);
    else if (character === "[") this.#openBrackets();
    else this.#outsideBrackets(character);
  }

  #replace(length: number, translated: string): void {
    this.#at += length;
    this.#translated += translated;
  }

  #escape(): void {
    const letter = this.#pattern[this.#at + 1];
    if (letter === undefined) throw refused(this.#pattern, "it ends in a backslash");
    const known = CLASSES.get(letter);
    const digits = HEX_DIGITS.get(letter);
    if (known !== undefined) this.#classEscape(letter, this.#inside ? known.inside : known.outside);
    else if (digits !== undefined) this.#hexEscape(letter, digits);
    else if (SAME_ESCAPES.includes(letter)) this.#replace(2, `\\${letter}`);
    else if (/[A-Za-z]/.test(letter)) throw refused(this.#pattern, `\\${letter} is not supported`);
    else this.#replace(2, letter.charCodeAt(0) < 0x80 ? `\\${letter}` : letter);
  }

  #classEscape(letter: string, translated: string | undefined): void {
    if (translated === undefined) throw refused(this.#pattern, `\\${letter} inside brackets is not supported`);
    this.#replace(2, translated);
  }

  #hexEscape(letter: string, length: number): void {
    const hex = this.#pattern.slice(this.#at + 2, this.#at + 2 + length);
    if (hex.length < length || !/^[0-9a-fA-F]*$/.test(hex)) {
      throw refused(this.#pattern, `\\${letter} must be followed by ${length} hex digits`);
    }
    this.#replace(2 + length, `\\x{${hex}}`);
  }

  #openBrackets(): void {
    // A closing bracket right after the opening one is an ordinary character.
    const opening = /^\[\^?\]?/.exec(this.#pattern.slice(this.#at))?.[0] ?? "[";
    this.#replace(opening.length, opening.replace("]", "\\]"));
    this.#inside = true;
  }

  #insideBrackets(character: string): void {
    if (character === "]") this.#inside = false;
    this.#replace(1, character === "[" ? "\\[" : character);
  }

  #outsideBrackets(character: string): void {
    const bound = character === "{" ? BOUND_WITHOUT_LEAST.exec(this.#pattern.slice(this.#at)) : null;
    if (bound === null) this.#replace(1, character);
    else this.#replace(bound[0].length, `{0,${bound[1]}}`);
  }
}

/** A compiled pattern. */
export interface Pattern {
  /** Number of instructions of its program. */
  readonly instructions: number;
  /** Whether it matches the whole of a text. */
  readonly matches: (text: string) => boolean;
}

/**
 * Compiles a pattern.
 * @param mostInstructions maximum number of instructions of its program
 * @throws Fault `too-large` if the program may exceed that, which is checked before compiling it; `invalid` if the
 *   pattern is not a regular expression, or uses unsupported syntax
 */
export function compilePattern(pattern: string, mostInstructions: number): Pattern {
  const translated = new Translation(pattern).run();
  if (programBound(translated, mostInstructions) > mostInstructions) {
    throw new Fault(
      "too-large",
      `the pattern ${excerpt(pattern)} must compile to at most ${mostInstructions} instructions, which is what the ` +
        "budget of a request leaves for it; a counted repetition is compiled as that many copies",
    );
  }
  try {
    const expression = RE2JS.compile(translated);
    return { instructions: expression.programSize(), matches: (text) => expression.matches(text) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw refused(pattern, error.message.replace("error parsing regexp: ", ""));
  }
}
