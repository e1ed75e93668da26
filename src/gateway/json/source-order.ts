/**
 * Prints a part of a JSON text again, compactly, with its members in the sender's order. Parsed objects keep that
 * order, except for names such as "10", which they put first. A repeated name keeps its first position and its last
 * value.
 */

import { memberPath } from "../../text/located";
import { tooMany } from "../../text/request-limits";
import { Refusal } from "../refusal";
import { text } from "./writer";

/** The names that JavaScript's objects put before all others, and a few more names. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** A string that is printed unchanged. */
const PLAIN_STRING = /^[^\\]*$/;

/** What ends a number or a word. */
const ENDS_SCALAR = /[\s,\]}]|$/g;

/** Maximum factor by which printing shortens a text: \u0041 becomes A. */
const MAX_SHORTER = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** The path from the root of a JSON text to one of its values: names of members and indexes in lists. */
export type Way = readonly (string | number)[];

/**
 * Whether `JSON.stringify` prints a parsed value exactly, in the order of its source. It fails to for numbers that no
 * double can hold, too.
 */
export function isInSourceOrder(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isInSourceOrder);
  const members = value as { readonly [name: string]: unknown };
  return Object.keys(members).every((name) => !INDEX.test(name) && isInSourceOrder(members[name]));
}

/** Where the values of a list or object begin in a text, by index or name. */
type Places = { get(step: string | number): number | undefined };

/**
 * A text that is valid JSON, nested no deeper than MAX_JSON_DEPTH levels. Each of its lists and objects is searched at
 * most once.
 */
export class SourceText {
  readonly #source: string;
  readonly #places = new Map<number, Places>();

  constructor(source: string) {
    this.#source = source;
  }

  /**
   * Prints the value at the end of a path.
   *
   * @param way must lead to an existing value
   * @param path the path of the value in messages
   * @param most maximum number of characters; a longer value is not printed to its end
   * @throws Refusal 400 for a number that no double can hold, 413 when the text has more characters
   */
  ordered(way: Way, path: string, most = Number.POSITIVE_INFINITY): string {
    return new Printer(this.#source, this.#find(way), path, most).value();
  }

  /**
   * The value at the end of a path as its sender wrote it, without the white space between its tokens.
   *
   * @param way must lead to an existing value
   */
  written(way: Way): string {
    const source = this.#source;
    const start = this.#find(way);
    const end = endOfValue(source, start);
    const parts: string[] = [];
    let from = start;
    for (let i = start; i < end; i++) {
      const unit = source.charCodeAt(i);
      if (unit === QUOTE) i = endOfString(source, i) - 1;
      else if (unit <= SPACE) {
        if (from < i) parts.push(source.slice(from, i));
        from = i + 1;
      }
    }
    parts.push(source.slice(from, end));
    return parts.join("");
  }

  /** Where the value at the end of a path begins. */
  #find(way: Way): number {
    let at = afterSpace(this.#source, 0);
    for (const step of way) {
      let places = this.#places.get(at);
      if (places === undefined) {
        places = this.#source.charAt(at) === "[" ? listed(this.#source, at) : named(this.#source, at);
        this.#places.set(at, places);
      }
      const next = places.get(step);
      if (next === undefined) throw new Error("a way leads to no value");
      at = next;
    }
    return at;
  }
}

/** The values of the list that begins at a position. */
function listed(source: string, start: number): Places {
  const starts: number[] = [];
  for (let at = firstIn(source, start); at >= 0; ) {
    starts.push(at);
    at = nextIn(source, endOfValue(source, at));
  }
  return { get: (step) => (typeof step === "number" ? starts[step] : undefined) };
}

/** The values of the object that begins at a position; the last one for a repeated name. */
function named(source: string, start: number): Places {
  const starts = new Map<string | number, number>();
  for (let at = firstIn(source, start); at >= 0; ) {
    const end = endOfString(source, at);
    const value = valueAfterName(source, end);
    starts.set(stringAt(source, at, end), value);
    at = nextIn(source, endOfValue(source, value));
  }
  return starts;
}

/** Prints one value of a text, from front to back. */
class Printer {
  readonly #source: string;
  readonly #path: string;
  /** The path from the printed value to the one being read. */
  readonly #way: (string | number)[] = [];
  #at: number;
  readonly #most: number;
  /** Number of characters that may still be printed. */
  #left: number;

  constructor(source: string, start: number, path: string, most: number) {
    this.#source = source;
    this.#at = start;
    this.#path = path;
    this.#most = most;
    this.#left = most;
  }

  /** Prints the value that begins here, and moves past its end. */
  value(): string {
    const source = this.#source;
    switch (source.charAt(this.#at)) {
      case "{":
        return this.#object();
      case "[":
        return this.#list();
      case '"': {
        const start = this.#at;
        this.#at = endOfString(source, start);
        // Check before reading its content: printing shortens escapes by at most this factor.
        if ((this.#at - start) / MAX_SHORTER > this.#left) throw this.#tooLong();
        const written = source.slice(start, this.#at);
        return this.#printed(PLAIN_STRING.test(written) ? written : text(JSON.parse(written)));
      }
      default:
        return this.#scalar();
    }
  }

  #scalar(): string {
    const start = this.#at;
    this.#at = endOfScalar(this.#source, start);
    const value: unknown = JSON.parse(this.#source.slice(start, this.#at));
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new Refusal(400, `${this.#place()} must be a finite number, got a number too large for a double`);
    }
    return this.#printed(JSON.stringify(value));
  }

  /** Counts printed text. */
  #printed(part: string): string {
    this.#left -= part.length;
    if (this.#left < 0) throw this.#tooLong();
    return part;
  }

  #tooLong(): Refusal {
    return new Refusal(413, tooMany.metadata(this.#most, this.#path));
  }

  #list(): string {
    const items: string[] = [];
    const last = this.#way.push(0) - 1;
    for (let at = firstIn(this.#source, this.#at); at >= 0; at = nextIn(this.#source, this.#at)) {
      this.#way[last] = items.length;
      this.#at = at;
      items.push(this.value());
      this.#printed(",");
    }
    this.#way.pop();
    this.#close();
    return `[${items.join(",")}]`;
  }

  #object(): string {
    const source = this.#source;
    const members = new Map<string, string>();
    const last = this.#way.push("") - 1;
    for (let at = firstIn(source, this.#at); at >= 0; at = nextIn(source, this.#at)) {
      const end = endOfString(source, at);
      const name = stringAt(source, at, end);
      this.#way[last] = this.#printed(name);
      this.#at = valueAfterName(source, end);
      members.set(name, this.value());
    }
    this.#way.pop();
    this.#close();
    const printed: string[] = [];
    for (const [name, value] of members) printed.push(`${text(name)}:${value}`);
    return `{${printed.join(",")}}`;
  }

  /** Moves past the closing bracket of a list or object, whose last value, or opening bracket, was read. */
  #close(): void {
    const unit = this.#source.charAt(this.#at);
    // In an empty list or object, the position is still at its beginning.
    const from = unit === "[" || unit === "{" ? this.#at + 1 : this.#at;
    this.#at = afterSpace(this.#source, from) + 1;
  }

  #place(): string {
    return this.#way.reduce<string>(
      (path, step) => (typeof step === "number" ? `${path}[${step}]` : memberPath(path, step)),
      this.#path,
    );
  }
}

/** The position of the first value, or name, of the list or object that begins at a position; -1 if it is empty. */
function firstIn(source: string, start: number): number {
  const at = afterSpace(source, start + 1);
  return isClosing(source.charCodeAt(at)) ? -1 : at;
}

/** The position of the value, or name, after one that ends at a position; -1 if that was the last. */
function nextIn(source: string, end: number): number {
  const at = afterSpace(source, end);
  return isClosing(source.charCodeAt(at)) ? -1 : afterSpace(source, at + 1);
}

function isClosing(unit: number): boolean {
  return unit === 0x5d || unit === 0x7d;
}

/** The position of a member's value, given the end of its name. */
function valueAfterName(source: string, end: number): number {
  return afterSpace(source, afterSpace(source, end) + 1);
}

function afterSpace(source: string, start: number): number {
  let at = start;
  while (source.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

/** The position after the value that begins at a position. */
function endOfValue(source: string, start: number): number {
  const first = source.charCodeAt(start);
  if (first === QUOTE) return endOfString(source, start);
  if (first !== 0x5b && first !== 0x7b) return endOfScalar(source, start);
  let depth = 0;
  for (let i = start; ; i++) {
    const unit = source.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(source, i) - 1;
    else if (unit === 0x5b || unit === 0x7b) depth += 1;
    else if (isClosing(unit)) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
}

/** The position after the string that begins at a position. */
function endOfString(source: string, start: number): number {
  let i = start + 1;
  for (let unit = source.charCodeAt(i); unit !== QUOTE; unit = source.charCodeAt(i)) i += unit === BACKSLASH ? 2 : 1;
  return i + 1;
}

function endOfScalar(source: string, start: number): number {
  ENDS_SCALAR.lastIndex = start;
  return ENDS_SCALAR.exec(source)?.index ?? source.length;
}

function stringAt(source: string, start: number, end: number): string {
  const inner = source.slice(start + 1, end - 1);
  return PLAIN_STRING.test(inner) ? inner : JSON.parse(source.slice(start, end));
}
