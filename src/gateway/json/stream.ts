/**
 * Reads a JSON text that arrives in pieces: steps into objects and lists, and hands out the values in them whole, one at a
 * time. Finds where a value ends and leaves to the JSON parser whether it is one.
 */

import { Body } from "./body";
import { Refusal } from "./refusal";
import { ValueEnd } from "./value-end";

/** The longest value that is handed out, in UTF-16 units; a value must fit into memory several times over. */
const MAX_VALUE_UNITS = 16 * 1024 * 1024;

/** What ends a value that is neither list, object nor string. */
const ENDS_SCALAR = /[\s,\]}]/g;

/** A JSON text, read from front to back. */
export class JsonStream {
  readonly #chunks: AsyncIterator<string, void, void>;
  /** What has arrived and was not dropped yet. */
  #buffer = "";
  /** How much of the buffer is read. */
  #at = 0;
  /** How much was dropped before the buffer. */
  #dropped = 0;
  #ended = false;

  constructor(chunks: AsyncIterator<string, void, void>) {
    this.#chunks = chunks;
  }

  /** The first character of what follows, white space left out; empty at the end. */
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
   * Steps through the object that follows: gives the name of each member, whose value must be read before the next is asked for.
   *
   * @throws Refusal 400 where the text is no object
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
   * Steps through the list that follows: gives the index of each value, which must be read before the next is asked for.
   *
   * @throws Refusal 400 where the text is no list
   */
  elements(): AsyncGenerator<number, void, void> {
    return this.#entries("[", "]");
  }

  /**
   * Reads the value that follows.
   *
   * @param path how messages name it
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
   * Takes in more text, at least as much as is waiting already, so that long values are not copied over and over.
   *
   * @returns whether there was any
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
