/**
 * Reads a JSON text that arrives in pieces: steps into objects and lists, and hands out their values whole, one at a
 * time. Finds where a value ends, and leaves its validation to the JSON parser.
 */

import { Refusal } from "../refusal";
import { Body } from "./body";
import type { HeldBody } from "./held-bytes";

/** Maximum length of a value, in UTF-16 units; a value must fit into memory several times over. */
const MAX_VALUE_UNITS = 16 * 1024 * 1024;

/** What ends a value that is not a list, object or string. */
const ENDS_SCALAR = /[\s,\]}]/g;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A JSON text, read from front to back. */
export class JsonStream {
  readonly #chunks: AsyncIterator<string, void, void>;
  readonly #held: HeldBody | undefined;
  /** Text that has arrived and was not dropped yet. */
  #buffer = "";
  /** Length of the buffer that has been read, in UTF-16 units. */
  #at = 0;
  /** Length of the text dropped before the buffer, in UTF-16 units. */
  #dropped = 0;
  #ended = false;

  /** @param held counts the bytes held, if given */
  constructor(chunks: AsyncIterator<string, void, void>, held?: HeldBody) {
    this.#chunks = chunks;
    this.#held = held;
  }

  /** The next character that is not white space, which stays unread; empty at the end. */
  async peek(): Promise<string> {
    do {
      while (this.#at < this.#buffer.length) {
        const character = this.#buffer.charAt(this.#at);
        if (!" \t\n\r".includes(character)) return character;
        this.#at += 1;
      }
    } while (await this.#more());
    return "";
  }

  /**
   * Steps through the object that follows, and yields the name of each member. Read its value before asking for the
   * next name.
   *
   * @throws Refusal 400 when no object follows
   */
  async *members(): AsyncGenerator<string, void, void> {
    for await (const _ of this.#entries("{", "}")) {
      if ((await this.peek()) !== '"') throw this.#malformed("property name expected");
      const { value } = await this.value();
      if ((await this.peek()) !== ":") throw this.#malformed("colon expected");
      this.#at += 1;
      yield String(value);
    }
  }

  /**
   * Steps through the list that follows, and yields the index of each value. Read the value before asking for the next
   * index.
   *
   * @throws Refusal 400 when no list follows
   */
  elements(): AsyncGenerator<number, void, void> {
    return this.#entries("[", "]");
  }

  /**
   * Reads the value that follows.
   *
   * @param path its path in messages
   * @throws Refusal 400 when it is not JSON, 413 when it is too long
   */
  async value(path = ""): Promise<Body> {
    const first = await this.peek();
    if (first === "" || ",]}:".includes(first)) throw this.#malformed("value expected");
    const length = await ('{["'.includes(first) ? this.#span() : this.#scalarSpan());
    const source = this.#buffer.slice(this.#at, this.#at + length);
    const start = this.#dropped + this.#at;
    this.#at += length;
    return new Body(source, start, path);
  }

  /** @throws Refusal 400 when anything but white space follows */
  async end(): Promise<void> {
    if ((await this.peek()) !== "") throw this.#malformed("end of file expected");
  }

  async *#entries(open: string, close: string): AsyncGenerator<number, void, void> {
    if ((await this.peek()) !== open) throw this.#malformed(`${open} expected`);
    this.#at += 1;
    if ((await this.peek()) === close) {
      this.#at += 1;
      return;
    }
    for (let index = 0; ; index++) {
      yield index;
      const next = await this.peek();
      if (next !== close && next !== ",") throw this.#malformed(`comma or ${close} expected`);
      this.#at += 1;
      if (next === close) return;
    }
  }

  /** The length of the object, list or string that begins here. */
  async #span(): Promise<number> {
    const end = new ValueEnd();
    while (!end.search(this.#buffer, this.#at)) {
      if (!(await this.#more())) throw this.#malformed("the text ends too early", this.#buffer.length - this.#at);
    }
    return end.length;
  }

  /** The length of the number or word that begins here. */
  async #scalarSpan(): Promise<number> {
    for (;;) {
      ENDS_SCALAR.lastIndex = this.#at;
      const end = ENDS_SCALAR.exec(this.#buffer);
      if (end !== null) return end.index - this.#at;
      if (!(await this.#more())) return this.#buffer.length - this.#at;
    }
  }

  /**
   * Reads more text, at least as much as is in the buffer already, so that a long value is not copied over and over.
   *
   * @returns whether there was any
   * @throws Refusal 413 when a value is too long, 429 or 503 when bodies hold too much
   */
  async #more(): Promise<boolean> {
    const waiting = this.#buffer.slice(this.#at);
    if (waiting.length > MAX_VALUE_UNITS) {
      throw new Refusal(413, `a value of the body is longer than ${MAX_VALUE_UNITS} characters`);
    }
    const pieces = [waiting];
    let taken = 0;
    while (!this.#ended && taken <= waiting.length) {
      const next = await this.#chunks.next();
      if (next.done) this.#ended = true;
      else {
        pieces.push(next.value);
        taken += next.value.length;
        this.#held?.hold(waiting.length + taken);
      }
    }
    this.#dropped += this.#at;
    this.#at = 0;
    this.#buffer = pieces.join("");
    return taken > 0;
  }

  #malformed(reason: string, ahead = 0): Refusal {
    return new Refusal(400, `the body is not valid JSON at position ${this.#dropped + this.#at + ahead}: ${reason}`);
  }
}

/**
 * The search for the end of one object, list or string in text that arrives in pieces. Counts
 * brackets and skips strings.
 */
class ValueEnd {
  /** Length searched so far, in UTF-16 units; the length of the value once its end is found. */
  length = 0;
  #depth = 0;
  #inString = false;

  /**
   * Continues where the last search stopped.
   *
   * @param text at least the text of the last search
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

  /**
   * Handles one unit. Returns the number of units to advance: two for a backslash, because an escaped quotation mark
   * ends nothing.
   */
  #step(unit: number): 1 | 2 {
    if (unit === QUOTE) this.#inString = !this.#inString;
    else if (this.#inString) return unit === BACKSLASH ? 2 : 1;
    else if (unit === 0x7b || unit === 0x5b) this.#depth += 1;
    else if (unit === 0x7d || unit === 0x5d) this.#depth -= 1;
    return 1;
  }
}
