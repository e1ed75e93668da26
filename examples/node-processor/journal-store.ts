/**
 * A processor's store in the memory of one process, with a journal on disk: every verb's changes are appended as one entry, and
 * replayed at the next start. Simple rather than economical: the journal only grows. Entries are `length, SHA-256, bytes`; one that
 * was cut short by a crash was never answered, and is cut off.
 */

import { createHash } from "node:crypto";
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import type { Change } from "../../src/processor/ports/store";
import { MemoryStore } from "../../test/support/memory-store";

/** Bytes before an entry: its length as u32, little-endian, and its SHA-256. */
const HEAD_BYTES = 4 + 32;

/** A store whose committed changes last. */
export class JournalStore extends MemoryStore {
  readonly #file: number;
  #pending: Change[] = [];

  private constructor(file: number) {
    super();
    this.#file = file;
  }

  /** Opens a journal, making it when there is none. @param path a file */
  static open(path: string): JournalStore {
    const store = new JournalStore(openSync(path, "a+"));
    const bytes = readFileSync(path);
    let at = 0;
    for (let entry = entryAt(bytes, at); entry !== undefined; entry = entryAt(bytes, at)) {
      for (const change of deserialize(entry) as Change[]) store.record(change);
      at += HEAD_BYTES + entry.length;
    }
    store.#pending = [];
    if (at < bytes.length) ftruncateSync(store.#file, at);
    return store;
  }

  /** Whether anything was recorded since the last commit. */
  get isDirty(): boolean {
    return this.#pending.length > 0;
  }

  override record(change: Change): void {
    // A copy: the processor may go on changing what it gave.
    const copy = structuredClone(change);
    super.record(copy);
    // What the tests read there would only grow here.
    this.recorded.length = 0;
    this.#pending.push(copy);
  }

  /** Makes what was recorded last. */
  commit(): void {
    if (!this.isDirty) return;
    const entry = serialize(this.#pending);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(entry.length);
    writeSync(this.#file, Buffer.concat([head, digestOf(entry), entry]));
    fdatasyncSync(this.#file);
    this.#pending = [];
  }

  /** Lets go of the journal. What was recorded and not committed is lost. */
  close(): void {
    closeSync(this.#file);
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** The entry that begins at a position; `undefined` when there is none, or only a part of one. */
function entryAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + HEAD_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  const entry = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length);
  const isWhole = entry.length === length && digestOf(entry).equals(bytes.subarray(at + 4, at + HEAD_BYTES));
  return isWhole ? entry : undefined;
}
