/**
 * What a bridge remembers across its own crashes: which of the broker's messages it has accepted but not settled, so
 * that a message that the broker sends again takes effect only once. A file of lines, each written before the step that
 * it records.
 */

import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** A message that was accepted and is not settled. */
export interface Delivery {
  /** The source under which the message is sent to Noema. */
  readonly source: string;
  /** The message's number within its source. */
  readonly number: number;
  /** Whether Noema has the message. */
  readonly isObserved: boolean;
}

/** A delivery with what identifies its message. */
interface Kept extends Delivery {
  readonly digest: string;
}

/** A line of the file. */
type Line =
  | { readonly client: string; readonly epoch: number }
  | { readonly taken: number; readonly digest: string; readonly source: string; readonly number: number }
  | { readonly observed: number }
  | { readonly settled: number };

/** Number of lines after which the file is rewritten with only the lines that still count. */
const MAX_LINES = 10_000;

/** The log of one bridge. Only one process may have it open. */
export class DeliveryLog {
  /** The client identifier under which the broker keeps the session. */
  readonly client: string;
  readonly #file: string;
  /**
   * Each run numbers its messages under its own source, because messages of the previous run may still arrive again.
   */
  readonly #epoch: number;
  readonly #open = new Map<number, Kept>();
  #lastNumber = 0;
  #lines = 0;

  /** @param file created if missing. Throws Error if the file is not a bridge's log, or cannot be written. */
  constructor(file: string) {
    this.#file = file;
    let known = { client: `noema-${randomBytes(8).toString("hex")}`, epoch: 0 };
    for (const line of existsSync(file) ? linesOf(file) : []) {
      if ("client" in line) known = line;
      else this.#replay(line);
    }
    this.client = known.client;
    this.#epoch = known.epoch + 1;
    this.#rewrite();
  }

  /**
   * Records a message.
   *
   * @param id the broker's packet identifier; `undefined` for a message of QoS 0, which is never sent again
   * @param isAgain whether the broker marks the message as a possible duplicate
   * @param digest a digest of the message; equal for equal messages
   */
  take(id: number | undefined, isAgain: boolean, digest: string): Delivery {
    const before = id === undefined ? undefined : this.#open.get(id);
    if (isAgain && before?.digest === digest) return before;
    this.#lastNumber += 1;
    const kept = { source: `${this.client}-${this.#epoch}`, number: this.#lastNumber, isObserved: false, digest };
    if (id === undefined) return kept;
    const { source, number } = kept;
    this.#write({ taken: id, digest, source, number });
    this.#open.set(id, kept);
    return kept;
  }

  /** Records that Noema has a message. */
  observed(id: number): void {
    const kept = this.#open.get(id);
    if (kept === undefined || kept.isObserved) return;
    this.#write({ observed: id });
    this.#open.set(id, { ...kept, isObserved: true });
  }

  /** Records that a message is done, before the broker hears so and may use the identifier for another message. */
  settle(id: number): void {
    if (!this.#open.delete(id)) return;
    this.#write({ settled: id });
    if (this.#lines > MAX_LINES) this.#rewrite();
  }

  /** The broker has no earlier session: from now on its identifiers mean other messages. */
  forget(): void {
    for (const id of [...this.#open.keys()]) this.settle(id);
  }

  #replay(line: Exclude<Line, { readonly client: string }>): void {
    if ("taken" in line) {
      const { taken, digest, source, number } = line;
      this.#open.set(taken, { source, number, digest, isObserved: false });
    } else if ("observed" in line) {
      const kept = this.#open.get(line.observed);
      if (kept !== undefined) this.#open.set(line.observed, { ...kept, isObserved: true });
    } else this.#open.delete(line.settled);
  }

  #write(line: Line): void {
    this.#lines += 1;
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  #rewrite(): void {
    const lines: Line[] = [{ client: this.client, epoch: this.#epoch }];
    for (const [taken, { digest, source, number, isObserved }] of this.#open) {
      lines.push({ taken, digest, source, number });
      if (isObserved) lines.push({ observed: taken });
    }
    const next = `${this.#file}.next`;
    writeFileSync(next, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    renameSync(next, this.#file);
    this.#lines = lines.length;
  }
}

/** The lines of a file. A crash may have cut the last line short: then what it records has not happened. */
function linesOf(file: string): Line[] {
  const texts = readFileSync(file, "utf8").split("\n");
  texts.pop();
  try {
    const lines = texts.map((text) => JSON.parse(text) as Line);
    if (lines.length === 0 || "client" in (lines[0] as Line)) return lines;
  } catch {
    // Not JSON: refused below, like any other file that is not a log.
  }
  throw new Error(`${file} is not the state of a bridge: name another file with --state, or delete it`);
}
