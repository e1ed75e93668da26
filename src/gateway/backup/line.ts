/**
 * The lines of a backup: each is one JSON object that begins with its check, which depends on all lines before it. So
 * any alteration, move, omission or repetition is detected at its line. The last line has the counts of the others, and
 * the SHA-256 of their bytes.
 */

import { create, fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { type BackupEnd, type BackupRecord, BackupRecordSchema } from "../../gen/noema/v1/backup_pb";
import { LARGE_BYTES, yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";
import { MAX_LINE_BYTES } from "../../text/answer-bytes";
import { excerpt } from "../../text/excerpt";
import { jsonExcess } from "../../text/json-depth";
import { Refusal } from "../refusal";
import { recordFromJson, recordToJson } from "./line-record";

/** The format's version, as written and as accepted. */
export const VERSION = 1;

/** Hex digits of the SHA-256 in the check of a line. */
const CHECK_DIGITS = 16;

const CHECK = /^\{"check":"([0-9a-f]{16})",/;

/**
 * Maximum number of values in a line that is read, more than in any line that is written: a model of maximum size with
 * symbols of 4 bytes has 3.7 million.
 */
export const MAX_LINE_VALUES = 4_000_000;

/** Maximum number of events, and of symbols, in the line of a memory; more if a memory may hold more. */
const MAX_MEMORY_SYMBOLS = 250_000;

/**
 * Maximum number of members of lists in a line, by the names of record and list: as many as this server writes, or
 * more. Longer ones would be staged in one piece that takes seconds.
 */
export const MAX_LISTED: { readonly [kind: string]: { readonly [list: string]: number } } = {
  agent: { routes: 1_000 },
  processor: { genes: 1_000 },
  memory: {
    arrivals: 1_000,
    bins: 1_000,
    emotives: 10_000,
    pending_emotives: 10_000,
    risen: 10_000,
    running: 1_000,
    silence_told: 10_000,
    sources: 20_016,
  },
  incident: { evidence: 10_000, thresholds: 1_000 },
};

const encoder = new TextEncoder();

/** The counts of a backup so far. */
export type Counts = Pick<BackupEnd, "lines" | "memories" | "models" | "processors" | "vectors">;

/** The kind of record behind each count. */
const COUNT_NAMES = { memory: "memories", model: "models", processor: "processors", vector: "vectors" } as const;

/** The checksums and counts of the lines so far, shared by writer and reader. */
class Chain {
  readonly counts: Counts = { lines: 0, memories: 0, models: 0, processors: 0, vectors: 0 };
  readonly #all = sha256.create();
  #last = "";

  /** The check of the next line. @param record its JSON without the check */
  async next(record: string): Promise<string> {
    const hash = await hashOf(encoder.encode(this.#last + record));
    this.#last = bytesToHex(hash).slice(0, CHECK_DIGITS);
    return this.#last;
  }

  /** Counts a line other than the last. Others are served between parts of a long one. @param line with its line feed */
  async count(line: Uint8Array, kind: BackupRecord["record"]["case"]): Promise<void> {
    for (let at = 0; at < line.length; at += LARGE_BYTES) {
      if (at > 0) await yieldToEventLoop();
      this.#all.update(line.subarray(at, at + LARGE_BYTES));
    }
    this.counts.lines++;
    if (kind !== undefined && kind in COUNT_NAMES) this.counts[COUNT_NAMES[kind as keyof typeof COUNT_NAMES]]++;
  }

  /** SHA-256 of all lines so far, as hex. */
  sha256(): string {
    return bytesToHex(this.#all.clone().digest());
  }
}

/** The SHA-256 of some bytes. The runtime's takes a tenth of the time, but a call of it longer than a short line. */
async function hashOf(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length > LARGE_BYTES
    ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>))
    : sha256(bytes);
}

/** Writes the lines of one backup. Others are served between the parts of a long line. */
export class LineWriter {
  readonly #chain = new Chain();

  /** A line other than the last, with its line feed. @throws Refusal 413 when it is longer than a restore accepts */
  async line(record: BackupRecord): Promise<string> {
    const line = await this.#text(record);
    const bytes = encoder.encode(line);
    if (bytes.length > MAX_LINE_BYTES) throw tooLong(record, bytes.length);
    await this.#chain.count(bytes, record.record.case);
    return line;
  }

  /** {@link line} for a record that is not a message yet. @throws Refusal as {@link line} */
  lineOf(record: MessageInitShape<typeof BackupRecordSchema>): Promise<string> {
    return this.line(create(BackupRecordSchema, record));
  }

  /** The last line. */
  end(): Promise<string> {
    const value = { ...this.#chain.counts, sha256: this.#chain.sha256() };
    return this.#text(create(BackupRecordSchema, { record: { case: "end", value } }));
  }

  async #text(message: BackupRecord): Promise<string> {
    const record = await recordToJson(message);
    return `{"check":"${await this.#chain.next(record)}",${record.slice(1)}\n`;
  }
}

function tooLong({ record: { case: kind, value } }: BackupRecord, bytes: number): Refusal {
  const { name = "", session = "" } = value as { readonly name?: string; readonly session?: string };
  const subject = name || session ? `${kind} ${excerpt(name || session)}` : `${kind}`;
  return new Refusal(
    413,
    `the line of the ${subject} would have ${bytes} bytes, and a line of a backup has at most ${MAX_LINE_BYTES}`,
  );
}

/** What is wrong with a line, in a sentence. */
export class WrongLine extends Error {
  override readonly name = "WrongLine";
}

/** Reads the lines of one backup, and checks each. Others are served between the parts of a long line. */
export class LineReader {
  readonly #chain = new Chain();
  readonly #mostSymbols: number;

  /** @param memorySymbols how many symbols a memory may hold */
  constructor(memorySymbols = 0) {
    this.#mostSymbols = Math.max(MAX_MEMORY_SYMBOLS, memorySymbols);
  }

  /** The counts so far, without the last line. */
  get counts(): Readonly<Counts> {
    return this.#chain.counts;
  }

  /**
   * Reads a line.
   *
   * @param text without its line feed
   * @param bytes with it
   * @throws WrongLine when it is not the line that a backup would have here
   */
  async read(text: string, bytes: Uint8Array): Promise<BackupRecord["record"]> {
    const [beginning, check] = CHECK.exec(text) ?? [];
    if (beginning === undefined) {
      throw new WrongLine('a line of a backup must begin with {"check":" and 16 hex digits');
    }
    const json = `{${text.slice(beginning.length)}`;
    if (check !== (await this.#chain.next(json))) {
      throw new WrongLine("its check is wrong: this line was altered, or it does not follow the line before");
    }
    const { record } = await recordIn(json, this.#mostSymbols);
    if (record.case === "end") this.#checkEnd(record.value);
    else await this.#chain.count(bytes, record.case);
    return record;
  }

  #checkEnd({ sha256, ...counted }: BackupEnd): void {
    const { counts } = this.#chain;
    for (const name of Object.keys(counts) as (keyof Counts)[]) {
      if (counts[name] === counted[name]) continue;
      throw new WrongLine(`it counts ${counted[name]} ${name}, and there are ${counts[name]}`);
    }
    const actual = this.#chain.sha256();
    if (sha256 !== actual) throw new WrongLine(`its sha256 must be ${actual}, that of all lines before, got ${sha256}`);
  }
}

/** @throws WrongLine when the JSON is not a record */
async function recordIn(json: string, mostSymbols: number): Promise<BackupRecord> {
  const isLong = json.length > LARGE_BYTES;
  if (isLong) await yieldToEventLoop();
  const excess = jsonExcess(json, MAX_LINE_VALUES);
  if (excess !== undefined) throw new WrongLine(`it ${excess.sentence}`);
  if (isLong) await yieldToEventLoop();
  let record: BackupRecord;
  try {
    const value: JsonValue = JSON.parse(json);
    assertListed(value, mostSymbols);
    record = isLong ? await recordFromJson(value) : fromJson(BackupRecordSchema, value);
  } catch (error) {
    if (error instanceof WrongLine) throw error;
    throw new WrongLine(`it is not a record of a backup: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (record.record.case === undefined)
    throw new WrongLine("it is not a record of a backup: it has no member but its check");
  return record;
}

/** Called before a line becomes a message, which takes much longer. @throws WrongLine when a list of it is too long */
function assertListed(line: JsonValue, mostSymbols: number): void {
  for (const [kind, record] of membersOf(line)) {
    const bounds = MAX_LISTED[kind] ?? {};
    for (const [name, list] of membersOf(record)) {
      if (!Array.isArray(list)) continue;
      const own = protoName(name);
      if (kind === "memory" && own === "events") assertEvents(list, mostSymbols);
      const most = bounds[own];
      if (most !== undefined && list.length > most)
        throw new WrongLine(`${kind}.${own} may have ${most} members, got ${list.length}`);
    }
  }
}

function assertEvents(events: readonly JsonValue[], most: number): void {
  if (events.length > most) throw new WrongLine(`memory.events may have ${most} members, got ${events.length}`);
  let symbols = 0;
  for (const event of events) {
    for (const [name, list] of membersOf(event)) if (name === "symbols" && Array.isArray(list)) symbols += list.length;
  }
  if (symbols > most) throw new WrongLine(`memory.events may have ${most} symbols together, got ${symbols}`);
}

function membersOf(value: JsonValue | undefined): [string, JsonValue][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The name of a member in the contract. Protobuf's JSON accepts it in camel case, too. */
function protoName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
