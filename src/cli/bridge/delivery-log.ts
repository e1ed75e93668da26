/**
 * What a bridge remembers across its own crashes: which messages of the broker it has taken and not settled, so that
 * one that the broker sends again has its effect once. A file of lines, each written before what it announces.
 */

import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** A message that was taken and is not settled. */
export interface Delivery {
  /** The source under which it is sent. */
  readonly source: string;
  /** Its number among those of the source. */
  readonly number: number;
  /** Whether Noema has it. */
  readonly isObserved: boolean;
}

/** A delivery with what tells its message from another one. */
interface Kept extends Delivery {
  readonly digest: string;
}

/** A line of the file. */
type Line =
  | { readonly client: string; readonly epoch: number }
  | { readonly taken: number; readonly digest: string; readonly source: string; readonly number: number }
  | { readonly observed: number }
  | { readonly settled: number };

/** Lines after which the file is written anew with what still counts. */
const MOST_LINES = 10_000;

/** The log of one bridge. Only one process may have it open. */
export class DeliveryLog {
  /** The client identifier under which the broker keeps the session. */
  readonly client: string;
  readonly #file: string;
  /** Each run numbers its messages under a source of its own: those of the run before may still come again. */
  readonly #epoch: number;
  readonly #open = new Map<number, Kept>();
  #lastNumber = 0;
  #lines = 0;

  /** @param file made if it is missing. Throws Error if it is no log of a bridge, or cannot be written. */
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
   * Takes a message.
   *
   * @param id the broker's packet identifier; `undefined` for a message of QoS 0, which never comes again
   * @param isAgain whether the broker says that it may have sent it before
   * @param digest the same for the same message
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

  /** Notes that Noema has a message. */
  observed(id: number): void {
    const kept = this.#open.get(id);
    if (kept === undefined || kept.isObserved) return;
    this.#write({ observed: id });
    this.#open.set(id, { ...kept, isObserved: true });
  }

  /** Notes that the broker is about to hear that a message is done, and may use its identifier for another one. */
  settle(id: number): void {
    if (!this.#open.delete(id)) return;
    this.#write({ settled: id });
    if (this.#lines > MOST_LINES) this.#rewrite();
  }

  /** The broker has no session of before: its identifiers mean other messages from now on. */
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

/** The lines of a file. The last one may be cut short by a crash: then nothing of it has happened. */
function linesOf(file: string): Line[] {
  const texts = readFileSync(file, "utf8").split("\n");
  texts.pop();
  try {
    const lines = texts.map((text) => JSON.parse(text) as Line);
    if (lines.length === 0 || "client" in (lines[0] as Line)) return lines;
  } catch {
    // It is no JSON: refused below, as any other file.
  }
  throw new Error(`${file} is no state of a bridge: name another file with --state, or delete it`);
}
