/**
 * A processor's store in memory, with a journal on disk. Each commit appends one entry with the changes of a verb; the next start replays
 * all entries. Simple, not economical: the journal only grows. An entry is `length, SHA-256, bytes`. If a crash cut the last entry short,
 * its verb was never answered, and the entry is removed.
 */

import { createHash } from "node:crypto";
import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import type { Change } from "../../src/processor/ports/store";
import { MemoryStore } from "../../test/support/memory-store";

/** Bytes before an entry: its length as u32, little-endian, and its SHA-256. */
const HEAD_BYTES = 4 + 32;

/** A store that keeps committed changes on disk. */
export class JournalStore extends MemoryStore {
  readonly #file: number;
  #pending: Change[] = [];
  #isTouched = false;

  private constructor(file: number) {
    super();
    this.#file = file;
  }

  /** Opens a journal, or makes an empty one. @param path its file */
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

  /** Whether anything has changed since the last commit, here or in the processor's memory. */
  get isDirty(): boolean {
    return this.#isTouched || this.#pending.length > 0;
  }

  override touch(): void {
    super.touch();
    this.#isTouched = true;
  }

  override record(change: Change): void {
    // A copy: the processor may change the object later.
    const copy = structuredClone(change);
    super.record(copy);
    // This list is for tests; here it would only grow.
    this.recorded.length = 0;
    this.#pending.push(copy);
  }

  /** Writes what was recorded to the disk. */
  commit(): void {
    this.#isTouched = false;
    if (this.#pending.length === 0) return;
    const entry = serialize(this.#pending);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(entry.length);
    writeSync(this.#file, Buffer.concat([head, digestOf(entry), entry]));
    fdatasyncSync(this.#file);
    this.#pending = [];
  }

  /** Closes the journal. Changes that were not committed are lost. */
  close(): void {
    closeSync(this.#file);
  }
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** The entry that begins at a position; `undefined` when there is none, or only part of one. */
function entryAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + HEAD_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  const entry = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length);
  const isWhole = entry.length === length && digestOf(entry).equals(bytes.subarray(at + 4, at + HEAD_BYTES));
  return isWhole ? entry : undefined;
}
