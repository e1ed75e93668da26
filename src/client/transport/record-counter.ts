/** Counts the records of a knowledge base in a stream of JSON. Keeps nothing of the text. */

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The member that may hold the knowledge base. */
const WRAPPER = "data";

/** Levels from a knowledge base to its records: `{models_kb: {hash: record}}`. Of a list, it is one. */
const LEVELS_OF_OBJECT = 2;

/** Counts the records of `{models_kb: {hash: record, …}, …}`, of `[record, …]`, and of either inside `{data: …}`. */
export class RecordCounter {
  /** Number of records begun. */
  records = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The depth at which objects are records; `undefined` until the text has shown its form. */
  #recordDepth: number | undefined;
  /** The name of the first member, or a longer text if it does not hold the knowledge base. */
  #name = "";

  /** Reads the next bytes. */
  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInString) this.#insideString(byte);
      else this.#outsideStrings(byte);
    }
  }

  #insideString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
    const isNaming = this.#isInString && this.#recordDepth === undefined && this.#name.length <= WRAPPER.length;
    if (isNaming) this.#name += String.fromCharCode(byte);
  }

  #outsideStrings(byte: number): void {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === COLON && this.#name !== WRAPPER) this.#recordDepth ??= 1 + LEVELS_OF_OBJECT;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open(byte);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
  }

  #open(byte: number): void {
    this.#depth++;
    if (byte === OPEN_LIST) this.#recordDepth ??= this.#depth + 1;
    else if (this.#depth > 1) this.#recordDepth ??= this.#depth + LEVELS_OF_OBJECT;
    if (byte === OPEN_OBJECT && this.#depth === this.#recordDepth) this.records++;
  }
}
